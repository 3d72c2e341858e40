"""A course of six of the project's exercises with short limits, on disk."""

import shutil
from pathlib import Path

TOP = Path(__file__).parents[2]
EXERCISES = ("scores", "scale", "softmax", "mix", "attention", "numerical_gradient")

CONFIG = """\
name: attacked
title: Under attack
folder: exercises/qkv
exercises: [{exercises}]
solutions: solutions/qkv.py
malrules: solutions/qkv_malrules.py
seed: 7
limits:
  call_seconds: {call}
  load_seconds: {load}
  submission_seconds: {submission}
  memory_mb: 512
  output_chars: 4000
  deaths: 6
"""


def write_course(top: Path, *, call: float = 0.4, load: float = 1.0, submission: float = 10) -> Path:
    """Write the course into a folder and return the folder."""
    for folder in ("config", "exercises/qkv", "solutions"):
        (top / folder).mkdir(parents=True)
    limits = {"call": call, "load": load, "submission": submission}
    text = CONFIG.format(exercises=", ".join(EXERCISES), **limits)
    (top / "config/attacked.yaml").write_text(text)
    for path in (TOP / "exercises/qkv").glob("*.yaml"):
        if path.stem.partition("_")[2] in EXERCISES:
            shutil.copy(path, top / "exercises/qkv" / path.name)
    for name in ("qkv.py", "qkv_malrules.py"):
        shutil.copy(TOP / "solutions" / name, top / "solutions" / name)
    return top
