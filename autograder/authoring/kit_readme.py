"""The README of a student's kit: what is in it, how to install, check and get a hint."""

from __future__ import annotations

from autograder.loading.assignment import Course
from autograder.model.submission import notebook_name

_TEXT = """\
# {title}

{about}{count} functions to write in `{file}`{due}.

## Install

Python 3.11 or newer is needed. With the wheel that the instructor hands out:

    python -m venv .venv
    .venv/bin/python -m pip install autograder-*.whl

On Windows the second line begins with `.venv\\Scripts\\python`. `autograder doctor` says whether all is well.

## Work

Write the functions in `{file}`, in any editor, and check them in this folder:

| command | what it does |
|---|---|
| `autograder check` | checks `{file}`, exercise by exercise |
| `autograder check {first}` | checks one exercise |
| `autograder check {notebook}` | checks the notebook |
| `autograder check --watch` | checks again whenever the file is saved; Ctrl-C ends it |
| `autograder hint {first}` | the next hint for an exercise, from gentle to plain |
| `autograder list` | the exercises and the progress |
| `autograder start` | writes `{file}` anew, if it is lost |

In a notebook: `{notebook}` holds the same exercises, each with a cell that checks it. Hand in one of the two.

In an editor's test panel, or with pytest: `pytest {folder} --submission {file}`.

## What the marks here mean

This kit checks on the cases that are written in `{folder}`, with the values stored in `values/`.
The grading uses other inputs as well, so figures copied from here earn nothing there, and the marks may
differ. Where an exercise builds on an earlier one that is not right yet, the grading tries it on the file's
own earlier functions, so that one mistake costs once; here the report says only what it rests on.

## What is here

    {file:<{width}}  the functions to write
    {notebook:<{width}}  the same as a notebook
    {folder:<{width}}  the exercises: statements, cases, checks, hints
    {values:<{width}}  the cases' inputs and what must come of them
    {config:<{width}}  points, limits, tolerance
"""


def kit_readme(course: Course) -> str:
    """The text of the README, the same for the same course."""
    assignment = course.assignment
    about = f"{assignment.about.strip()}\n\n" if assignment.about.strip() else ""
    due = f", due {assignment.due.isoformat(sep=' ')}" if assignment.due is not None else ""
    names = {
        "file": assignment.file,
        "notebook": notebook_name(assignment.file),
        "folder": f"{assignment.folder}/",
        "values": f"values/{assignment.name}.json",
        "config": f"config/{assignment.name}.yaml",
    }
    return _TEXT.format(
        title=assignment.title,
        about=about,
        count=len(course.exercises),
        due=due,
        first=course.exercises[0].id,
        width=max(map(len, names.values())),
        **names,
    )
