"""A class of 20 notebooks for nbgrader, made from labelled submissions: right, wrong, broken, hostile."""

import ast
import copy
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

TOP = Path(__file__).parents[2]
SUBMISSIONS = TOP / "tests/submissions"
ASSIGNMENT = "qkv"
#: In time; one student hands in 25 hours after the due time.
STAMP, DUE, LATE = "2027-03-20 12:00:00.000000 UTC", "2027-03-20T23:59:59+00:00", "2027-03-22 00:59:59 UTC"
#: Enough to see every kind of mistake of the class; the fewer, the sooner nbgrader is done.
EXERCISES = (
    *("scores", "scale", "softmax", "mix", "attention", "layer_norm"),
    *("softmax_backward", "backward"),
)
Notebook = dict[str, Any]


def write_project(top: Path, exercises: Sequence[str] = (), **config: Any) -> Path:
    """The assignment qkv (or some of its exercises) in a folder of its own, with short limits."""
    shutil.copytree(TOP / "solutions", top / "solutions", ignore=shutil.ignore_patterns("__pycache__"))
    data = yaml.safe_load((TOP / "config/qkv.yaml").read_text(encoding="utf-8"))
    chosen = list(exercises) or data["exercises"]
    for path in sorted((TOP / "exercises/qkv").glob("*.yaml")):
        if path.stem.partition("_")[2] in chosen:
            (top / "exercises/qkv").mkdir(parents=True, exist_ok=True)
            shutil.copy(path, top / "exercises/qkv")
    data["exercises"], data["points"] = chosen, {name: data["points"][name] for name in chosen}
    data["limits"] |= {"call_seconds": 0.4, "load_seconds": 2, "submission_seconds": 15}
    data |= {"isolation": "no-open", "due": DUE, "late": {"per": "day", "fraction": 0.1}} | config
    (top / "config").mkdir()
    (top / "config/qkv.yaml").write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    return top


def run(*command: str, folder: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    """A command of this environment's in a folder; its output is shown if it fails."""
    tools = str(Path(sys.executable).parent)
    kept = {name: value for name, value in os.environ.items() if name not in ("AUTOGRADER_PROJECT",)}
    kept |= {"PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": _pythonpath()}
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        env=kept | {"JUPYTER_PREFER_ENV_PATH": "1", "HOME": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=300,
    )
    assert not check or done.returncode == 0, done.stdout[-5000:]
    return done


def _pythonpath() -> str:
    return os.pathsep.join(part for part in (str(TOP), os.environ.get("PYTHONPATH", "")) if part)


# Notebooks


def read(path: Path) -> Notebook:
    """A notebook as data."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def text_of(notebook: Notebook) -> bytes:
    """A notebook as the bytes of its file."""
    return json.dumps(notebook, ensure_ascii=False, indent=1).encode()


def named(notebook: Notebook, grade_id: str) -> dict[str, Any]:
    """The cell of that name."""
    return next(c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def code(source: str) -> dict[str, Any]:
    """A cell of a student's own."""
    name = f"own-{abs(hash(source)) % 10**8}"
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {},
        "outputs": [],
        "source": source,
    }


def filled(released: Notebook, submission: str) -> Notebook:
    """The released notebook with the functions of a labelled submission in its cells, the rest on top."""
    source = (SUBMISSIONS / f"{submission}.py").read_text(encoding="utf-8-sig")
    functions, rest = _parts(source)
    notebook = copy.deepcopy(released)
    solutions = {
        cell["metadata"]["nbgrader"]["grade_id"].removesuffix("-solution"): cell
        for cell in notebook["cells"]
        if cell["metadata"].get("nbgrader", {}).get("solution")
    }
    beside = [text for name, text in functions.items() if name not in solutions]
    for name, cell in solutions.items():
        if name in functions:
            cell["source"] = functions[name]
    notebook["cells"].insert(2, code("\n\n\n".join([rest, *beside])))
    return notebook


def _parts(source: str) -> tuple[dict[str, str], str]:
    """The functions at the top of a file by name, and the statements beside them."""
    functions, rest = {}, []
    for node in ast.parse(source).body:
        text = ast.get_source_segment(source, node) or ""
        if isinstance(node, ast.FunctionDef) and not node.decorator_list:
            functions[node.name] = text
        else:
            rest.append(text)
    return functions, "\n".join(rest)


# The class


def everybody(released: Notebook) -> Mapping[str, bytes]:
    """What 20 students hand in, by their names."""
    right = filled(released, "ok_plain_matmul")
    plain = {
        "ana": "ok_plain_matmul",
        "bruno": "ok_loops_only",
        "carla": "ok_warnings_on_stderr",
        "dimitri": "softmax_columns",
        "elif": "attention_forgets_scale",
        "farid": "layernorm_sample_std",
        "greta": "backward_wrong_sign",
        "hiro": "unfinished_half_the_functions",
        "ines": "hostile_loops_in_softmax",
        "jonas": "hostile_os_exit_in_softmax",
        "kemal": "hostile_markup_in_error",
    }
    made = {student: text_of(filled(released, name)) for student, name in plain.items()}
    changes: dict[str, Callable[[Notebook], Notebook]] = {
        "lucia": _without_test_cells,
        "mateo": _with_copied_cells,
        "noor": _with_mangled_metadata,
        "olga": _with_test_cells_of_her_own,
        "pedro": _that_exits,
        "quentin": _with_renamed_functions,
        "rosa": _that_shows_its_inputs,
    }
    made |= {student: text_of(change(copy.deepcopy(right))) for student, change in changes.items()}
    return made | {"samir": text_of(right)[:4000], "tove": b""}


def _without_test_cells(notebook: Notebook) -> Notebook:
    """Only the functions are left, as after tidying up."""
    notebook["cells"] = [c for c in notebook["cells"] if not c["metadata"].get("nbgrader", {}).get("locked")]
    return notebook


def _with_copied_cells(notebook: Notebook) -> Notebook:
    """The test cells and one solution twice."""
    copies = [c for c in notebook["cells"] if c["metadata"].get("nbgrader", {}).get("grade")]
    copies.append(named(notebook, "softmax-solution"))
    notebook["cells"] += [{**copy.deepcopy(cell), "id": f"copy-{i}"} for i, cell in enumerate(copies)]
    return notebook


def _with_mangled_metadata(notebook: Notebook) -> Notebook:
    """Points, names, versions and kinds of cells that a student has edited by hand."""
    named(notebook, "scores")["metadata"]["nbgrader"]["points"] = 1000
    named(notebook, "scale")["metadata"]["nbgrader"]["schema_version"] = 1
    named(notebook, "mix")["metadata"]["nbgrader"]["grade"] = False
    named(notebook, "attention-solution")["metadata"]["nbgrader"]["extra"] = [1]
    cell = named(notebook, "attention")
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]
    named(notebook, "softmax")["metadata"]["nbgrader"] = "mine"
    return notebook


def _with_test_cells_of_her_own(notebook: Notebook) -> Notebook:
    """Test cells that give themselves all marks, and a wrong softmax."""
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"] = "print('all right')\n4.0"
    named(notebook, "softmax-solution")["source"] = "def softmax(S):\n    return S\n"
    return notebook


def _that_exits(notebook: Notebook) -> Notebook:
    """The process ends in a cell between the functions."""
    notebook["cells"].append(code("import os\nos._exit(0)"))
    return notebook


def _with_renamed_functions(notebook: Notebook) -> Notebook:
    """Two functions under other names than asked for."""
    for name in ("softmax", "mix"):
        cell = named(notebook, f"{name}-solution")
        cell["source"] = re.sub(rf"def {name}\b", f"def my_{name}", cell["source"])
    return notebook


def _that_shows_its_inputs(notebook: Notebook) -> Notebook:
    """What it is called with is printed and raised, in the hope that the feedback quotes it."""
    named(notebook, "softmax-solution")["source"] = (
        "def softmax(S):\n    print(S.tolist())\n    raise ValueError(f'<b>given</b> {S.tolist()}')\n"
    )
    return notebook


def hand_in(course: Path, notebooks: Mapping[str, bytes]) -> None:
    """Put the notebooks where nbgrader looks for what was handed in."""
    for student, content in notebooks.items():
        folder = course / "submitted" / student / ASSIGNMENT
        folder.mkdir(parents=True)
        (folder / f"{ASSIGNMENT}.ipynb").write_bytes(content)
        (folder / "timestamp.txt").write_text(LATE if student == "farid" else STAMP, encoding="utf-8")


# Cells that an instructor adds


def with_cells_marked_by_hand(notebook: Notebook) -> Notebook:
    """A written answer and a task behind the last function."""
    flags = {"schema_version": 3, "grade": False, "locked": False, "solution": False, "task": False}
    answer = flags | {"grade_id": "reflection", "grade": True, "solution": True, "points": 3}
    task = flags | {"grade_id": "drawing", "locked": True, "task": True, "points": 2}
    for metadata in (answer, task):
        name = metadata["grade_id"]
        cell = {"cell_type": "markdown", "id": name, "metadata": {"nbgrader": metadata}}
        notebook["cells"].append(cell | {"source": f"Your {name}"})
    return notebook


def with_text_by_hand(content: bytes) -> bytes:
    """A notebook whose written answer was answered."""
    notebook: Notebook = json.loads(content)
    named(notebook, "reflection")["source"] = "Weights are shares."
    return text_of(notebook)
