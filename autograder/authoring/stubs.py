"""The file of stubs that students fill in: every function's signature, its idea, and what goes in and out."""

from __future__ import annotations

import textwrap

from autograder.loading.assignment import Course
from autograder.model.exercise import Exercise, Output, Parameter
from autograder.model.given import Shape
from autograder.wording.say import say

_WIDTH = 100


def stub_file(course: Course) -> str:
    """The text of the students' file: the same course gives the same text."""
    stubs = [stub(exercise, number) for number, exercise in enumerate(course.exercises, 1)]
    return "\n\n\n".join([f"{_opening(course)}\n\nimport numpy as np", *stubs]) + "\n"


def stub(exercise: Exercise, number: int) -> str:
    """One function as shipped: signature, docstring, and an error that says it is not begun."""
    blocks = [_sentence(exercise.title)]
    if exercise.idea:
        blocks.append(_sentence(_begun(exercise.idea, {*exercise.parameters, *exercise.returns})))
    blocks.append(
        _listed(say("stub.parameters"), [_parameter(*item) for item in exercise.parameters.items()])
    )
    returns = say("stub.returns")
    if len(exercise.returns) > 1:
        returns += f" ({', '.join(exercise.returns)})"
    blocks.append(_listed(returns, [_output(*item) for item in exercise.returns.items()]))
    docstring = textwrap.indent(_quoted("\n\n".join(blocks)), "    ")
    said = say("stub.not_begun", {"number": number, "exercise": exercise.id})
    error = f'raise NotImplementedError("{said}")'
    return f"def {exercise.signature}:\n{docstring}\n    {error}"


def _opening(course: Course) -> str:
    first, assignment = course.exercises[0].id, course.assignment
    words = {"title": assignment.title, "count": len(course.exercises)}
    blocks = [_sentence(say("stub.title", words))]
    if assignment.about:
        blocks.append(_filled(assignment.about))
    blocks.append(_filled(f"{say('stub.about')}. {say('stub.later')}."))
    commands = {
        "autograder check": say("stub.check"),
        f"autograder check {assignment.file} {first}": say("stub.check_one"),
        f"autograder hint {first}": say("stub.hint"),
        "autograder list": say("stub.list"),
    }
    width = max(map(len, commands))
    blocks.append("\n".join(f"    {command:<{width}}  {what}" for command, what in commands.items()))
    return _quoted("\n\n".join(blocks))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    return f'"""{escaped}\n"""'


def _sentence(text: str) -> str:
    plain = " ".join(text.split())
    return _filled(plain if plain.endswith((".", "?", "!", ":")) else f"{plain}.")


def _begun(text: str, names: set[str]) -> str:
    """The text with a capital at its start, unless it starts with a name."""
    word = text.split(maxsplit=1)[0] if text.split() else ""
    return text if word in names or not word.isalpha() else text[:1].upper() + text[1:]


def _filled(text: str) -> str:
    """The text in lines; its paragraphs stay apart."""
    paragraphs = [" ".join(part.split()) for part in text.strip().split("\n\n")]
    return "\n\n".join(textwrap.fill(part, _WIDTH, break_on_hyphens=False) for part in paragraphs)


def _listed(title: str, lines: list[str]) -> str:
    filled = [
        textwrap.fill(
            line, _WIDTH, initial_indent="    ", subsequent_indent="        ", break_on_hyphens=False
        )
        for line in lines
    ]
    return "\n".join([f"{title}:", *filled])


def _parameter(name: str, parameter: Parameter) -> str:
    kind = _shape(parameter.shape) if parameter.shape else say(f"stub.kind.{parameter.kind}")
    return f"{name}: {kind}; {_about(parameter.about)}"


def _output(name: str, output: Output) -> str:
    return (
        f"{name}: {_shape(output.shape) if output.shape else say('stub.kind.number')}; {_about(output.about)}"
    )


def _shape(shape: Shape) -> str:
    return f"({shape[0]},)" if len(shape) == 1 else f"({', '.join(map(str, shape))})"


def _about(text: str) -> str:
    return " ".join(text.split())
