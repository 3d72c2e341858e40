"""One result as text for a terminal: exercise by exercise, check by check, with evidence and what is next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from autograder.model.result import CheckResult, Diagnosis, ExerciseResult, FileReport, Result, Status
from autograder.report.late_work import late_words
from autograder.report.layout import (
    Look,
    both_ends,
    indented,
    joined,
    marks_text,
    padded,
    pieces,
    row_of_items,
    wrapped,
)
from autograder.report.safe_text import columns, cut, source_line, visible, visible_lines
from autograder.wording.say import say, where

_INDENT = 5
_DEEPER = 9
_LABEL = 17
_NAME = 60
_LONGEST_NAME = 24
_MESSAGE = 2000
_ENVIRONMENT = ("autograder", "python", "numpy", "isolation")
#: How much is shown without `everything`: so many failures on values, so many on properties, so many lines.
_FAILURES = 3
_PRINTED_LINES = 8
_PRINTED_CHARS = 400
#: An exercise with one of these statuses is one line.
_ONE_LINE: tuple[Status, ...] = ("not_attempted", "missing", "skipped")


def render_terminal(
    result: Result, look: Look, *, order: Sequence[str] = (), everything: bool = False
) -> str:
    """The text of a result. `order` holds all ids of the assignment, for the numbers of a part of it."""
    return joined(_lines(result, look, order or [exercise.id for exercise in result.exercises], everything))


def _lines(result: Result, look: Look, order: Sequence[str], everything: bool) -> Iterator[str]:
    yield _header(result, look)
    if late := late_words(result):
        yield from indented(late, look, first=" ", hang=1)
    yield ""
    for report in result.file_reports:
        yield from _file_report(report, look)
    if result.printed.strip():
        yield from _printed(result.printed, look, everything, indent=1)
    if result.file_reports or result.printed.strip():
        yield ""
    yield from _exercises(result, look, order, everything)
    yield ""
    following = _following(result)
    if following:
        yield from _labelled(say("report.next"), visible(following), look, indent=1)
    yield look.paint(_made_with(result), "faint")


def _header(result: Result, look: Look) -> str:
    left = f"{visible(result.file, _NAME)} · {visible(result.assignment, _NAME)}"
    if look.plain:
        left = left.replace(" · ", " - ", 1)
    words = {"marks": marks_text(result.marks), "max_marks": marks_text(result.max_marks)}
    right = say("report.marks", words)
    if result.outcome != "graded":
        right = f"{say(f'outcome.{result.outcome}')}: {right}"
    return both_ends(left, right, look, strong=True)


def _made_with(result: Result) -> str:
    names = [name for name in _ENVIRONMENT if name in result.environment]
    return ", ".join(f"{name} {visible(str(result.environment[name]), _NAME)}" for name in names)


def _following(result: Result) -> str:
    """The next action of the first exercise that has not passed, if its own line has no room for it."""
    first = next((exercise for exercise in result.exercises if exercise.status != "passed"), None)
    return first.next if first is not None and first.status in _ONE_LINE else ""


# The file


def _file_report(report: FileReport, look: Look) -> Iterator[str]:
    message = visible(report.message)
    place = where(report.line, report.cell) if report.line is not None else ""
    if place and report.source is None and place not in message:
        message += f" ({place})"
    mark = look.mark("skipped") if report.code == "file.note" else look.paint("!", "loud")
    yield from indented(message, look, first=f" {mark} ", hang=3)
    if report.line is not None and report.source is not None:
        yield from _source(place, report.source, look, indent=3)


# The exercises


def _exercises(result: Result, look: Look, order: Sequence[str], everything: bool) -> Iterator[str]:
    said = {(exercise.status, exercise.message) for exercise in result.exercises}
    if len(result.exercises) > 1 and len(said) == 1 and result.exercises[0].status == "skipped":
        words = {"count": len(result.exercises), "message": visible(result.exercises[0].message)}
        yield f" {look.mark('skipped')} {say('report.all_skipped', words)}"
        return
    name_width = max((columns(_id(exercise)) for exercise in result.exercises), default=0)
    marks_width = max((len(_marks(exercise)) for exercise in result.exercises), default=0)
    for exercise in result.exercises:
        number = order.index(exercise.id) + 1 if exercise.id in order else 0
        first = f"{number:2} {padded(_id(exercise), name_width)}  {_marks(exercise):<{marks_width}}  "
        first_width = columns(first)
        yield from indented(
            _verdict(exercise), look, first=f"{first}{look.mark(exercise.status)} ", hang=first_width + 2
        )
        if exercise.status not in _ONE_LINE or exercise.diagnosis:
            yield from _details(exercise, look, everything)


def _id(exercise: ExerciseResult) -> str:
    return visible(exercise.id, _NAME)


def _marks(exercise: ExerciseResult) -> str:
    return f"{marks_text(exercise.marks)}/{marks_text(exercise.max_marks)}"


def _verdict(exercise: ExerciseResult) -> str:
    """What stands beside an exercise's mark: its message, or how many checks passed."""
    if exercise.message:
        return visible(exercise.message)
    passed = sum(check.status == "passed" for check in exercise.checks)
    words = {"passed": passed, "count": len(exercise.checks)}
    if exercise.status == "passed":
        return say("report.checks.one" if len(exercise.checks) == 1 else "report.checks", words)
    counts = say("report.checks.some", words)
    if exercise.status in ("partly", "failed"):
        return counts
    return f"{say(f'status.{exercise.status}')}; {counts}"


def _details(exercise: ExerciseResult, look: Look, everything: bool) -> Iterator[str]:
    yield from _checks(exercise, look, everything)
    failing = exercise.status != "passed"
    shown = [*exercise.diagnosis, *(exercise.further if everything else ())]
    for number, diagnosis in enumerate(shown):
        again = any((d.cell, d.line) == (diagnosis.cell, diagnosis.line) for d in shown[number + 1 :])
        yield from _diagnosis(diagnosis, look, with_line=not again)
    for note in exercise.notes:
        yield from _labelled(say("report.note"), visible(note), look)
    if exercise.printed.strip() and (failing or everything):
        yield from _printed(exercise.printed, look, everything, indent=_INDENT)
    if failing and exercise.next:
        yield from _labelled(say("report.next"), visible(exercise.next), look)


def _diagnosis(diagnosis: Diagnosis, look: Look, *, with_line: bool = True) -> Iterator[str]:
    message = visible(diagnosis.message)
    if diagnosis.evidence.get("kind") == "smallest":
        yield from _labelled(say("report.smallest"), message, look)
        return
    if diagnosis.agrees is not None:
        agreeing, cases = diagnosis.agrees
        message += f" ({say('report.agrees', {'agreeing': agreeing, 'cases': cases})})"
    yield from indented(message, look, first=" " * _INDENT, hang=_INDENT)
    if diagnosis.line is not None and with_line:
        place = where(diagnosis.line, diagnosis.cell)
        yield from _source(place, diagnosis.source or "", look, indent=_INDENT)


# The checks


def _checks(exercise: ExerciseResult, look: Look, everything: bool) -> Iterator[str]:
    """Passes side by side, then those with something to show, then what did not pass, alike together."""
    passed = [check for check in exercise.checks if check.status == "passed"]
    silent = [check for check in passed if check.message in ("", exercise.message)]
    yield from row_of_items(_items(silent, look), look, indent=_INDENT)
    telling = _alike(check for check in passed if check.message not in ("", exercise.message))
    failures = _alike(check for check in exercise.checks if check.status not in ("passed", "skipped"))
    shown = failures if everything else _most_telling(failures)
    skipped = _alike(check for check in exercise.checks if check.status == "skipped")
    groups = [*telling, *shown, *skipped]
    names = [_name(group[0]) for group in groups if len(group) == 1]
    width = max((columns(name) for name in names if columns(name) <= _LONGEST_NAME), default=0)
    for group in [*telling, *shown]:
        yield from _group(group, look, width)
    rest = [check for group in failures if group not in shown for check in group]
    if rest:
        yield from row_of_items(_items(rest, look), look, indent=_INDENT)
        yield " " * _DEEPER + look.paint(say("report.more", {"count": len(rest)}), "faint")
    for group in skipped:
        yield from _group(group, look, width)


def _alike(checks: Iterable[CheckResult]) -> list[list[CheckResult]]:
    """The checks that say the same together, in the order of their first."""
    groups: dict[tuple[object, ...], list[CheckResult]] = {}
    for check in checks:
        groups.setdefault(_what_it_says(check), []).append(check)
    return list(groups.values())


def _what_it_says(check: CheckResult) -> tuple[object, ...]:
    """The message; of an exception and of a wrong shape less, since their words name sizes that differ."""
    code = str(check.evidence.get("code", ""))
    if check.status == "raised" and check.evidence.get("line") is not None:
        return check.status, check.evidence.get("type"), check.evidence["line"], check.evidence.get("cell")
    if code.startswith("shape."):
        return check.status, code, check.evidence.get("output")
    return check.status, check.message


def _most_telling(failures: Sequence[list[CheckResult]]) -> list[list[CheckResult]]:
    """The first few on values, and the first few on properties, which say more of why."""
    values = [group for group in failures if group[0].kind == "value"][:_FAILURES]
    others = [group for group in failures if group[0].kind != "value"][:_FAILURES]
    return [group for group in failures if group in values or group in others]


def _items(checks: Iterable[CheckResult], look: Look) -> list[tuple[str, str]]:
    return [(look.mark(check.status), _name(check)) for check in checks]


def _name(check: CheckResult) -> str:
    return visible(check.id.replace("-", " "), _NAME)


def _group(group: Sequence[CheckResult], look: Look, width: int) -> Iterator[str]:
    """One check and its message beside it, or several over the message they share."""
    place, source = _place(group[0]), group[0].evidence.get("source")
    name, message = _name(group[0]), visible(_without_source(group[0].message, place, source), _MESSAGE)
    if len(group) == 1 and message and columns(name) <= width:
        first = f"{' ' * _INDENT}{look.mark(group[0].status)} {padded(name, width)}  "
        yield from indented(message, look, first=first, hang=_INDENT + 4 + width)
    else:
        yield from row_of_items(_items(group, look), look, indent=_INDENT)
        if message:
            yield from indented(message, look, first=" " * _DEEPER, hang=_DEEPER)
    if place and isinstance(source, str):
        yield from _source(place, source, look, indent=_DEEPER)


def _place(check: CheckResult) -> str:
    """The line that a check's evidence names, in words; nothing if it names none."""
    line, cell = check.evidence.get("line"), check.evidence.get("cell")
    return where(line, cell) if isinstance(line, int) else ""


def _without_source(message: str, place: str, source: object) -> str:
    """The message without the line of source that it ends in: that gets a line of its own."""
    return message.replace(say("stopped.at_line", {"what": "", "where": place, "source": source}), "", 1)


# Lines with a label before them


def _labelled(label: str, text: str, look: Look, *, indent: int = _INDENT) -> Iterator[str]:
    first = " " * indent + padded(label, _LABEL)
    lines = wrapped(text, max(look.width - len(first), 20))
    yield f"{' ' * indent}{look.paint(padded(label, _LABEL), 'faint')}{lines[0]}"
    yield from (" " * len(first) + line for line in lines[1:])


def _source(place: str, source: str, look: Look, *, indent: int) -> Iterator[str]:
    """A line of the submission, never broken: a line that looks other than it is would mislead."""
    label = padded(place, _LABEL)
    text = cut(source_line(source), max(look.width - indent - _LABEL, 40))
    yield f"{' ' * indent}{look.paint(label, 'faint')}{text}".rstrip()


def _printed(printed: str, look: Look, everything: bool, *, indent: int) -> Iterator[str]:
    """What the submission printed, behind a bar on every line, so that it cannot pass for ours."""
    yield " " * indent + look.paint(say("report.printed"), "faint")
    bar = f"{' ' * (indent + 2)}{look.paint('|' if look.plain else '│', 'faint')} "
    most = 1000 if everything else _PRINTED_LINES
    for line in visible_lines(printed, lines=most, chars=_PRINTED_CHARS):
        yield from (f"{bar}{piece}".rstrip() for piece in pieces(line, max(look.width - indent - 4, 20)))
