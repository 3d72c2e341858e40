"""What a submission got and why: format autograder-result/1 (docs/result-format.md), as frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, get_args

from autograder.model.submission import NOWHERE, Origin

FORMAT = "autograder-result/1"

Status: TypeAlias = Literal[
    "passed",
    "partly",
    "failed",
    "raised",
    "timed_out",
    "crashed",
    "not_attempted",
    "missing",
    "skipped",
    "broken",
]
STATUSES: tuple[Status, ...] = get_args(Status)

SubmissionOutcome: TypeAlias = Literal["graded", "not_loadable", "timed_out", "crashed", "broken"]

#: Plain data as JSON has it.
Json: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class CheckResult:
    """One claim and whether it held. `evidence` holds codes and numbers, `message` the words for them."""

    id: str
    kind: str
    status: Status
    marks: float
    max_marks: float
    hidden: bool = False
    message: str = ""
    evidence: Mapping[str, Json] = field(default_factory=dict)
    follow_through: str | None = None

    def to_json(self) -> Json:
        """Plain data in the order of the documentation."""
        return {
            "id": self.id,
            "kind": self.kind,
            "status": self.status,
            "marks": self.marks,
            "max_marks": self.max_marks,
            "hidden": self.hidden,
            "message": self.message,
            "evidence": dict(self.evidence),
            "follow_through": self.follow_through,
        }

    @classmethod
    def from_json(cls, data: Json) -> CheckResult:
        """Read back what `to_json` wrote."""
        return cls(**data)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One explanation: a code, its words, the line it speaks of, and (agreeing, of how many) cases.

    Of a notebook, `cell` is the code cell (the first from the top is 1) and `line` the line within it.
    """

    code: str
    message: str
    line: int | None = None
    source: str | None = None
    agrees: tuple[int, int] | None = None
    evidence: Mapping[str, Json] = field(default_factory=dict)
    cell: int | None = None

    def to_json(self) -> Json:
        """Plain data in the order of the documentation."""
        return {
            "code": self.code,
            "message": self.message,
            "line": self.line,
            "cell": self.cell,
            "source": self.source,
            "agrees": None if self.agrees is None else list(self.agrees),
            "evidence": dict(self.evidence),
        }

    @classmethod
    def from_json(cls, data: Json) -> Diagnosis:
        """Read back what `to_json` wrote."""
        return cls(**{**data, "agrees": None if data["agrees"] is None else tuple(data["agrees"])})


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of the submission's code, the first of them being `line`; of a notebook the line within `cell`."""

    line: int
    lines: tuple[str, ...]
    cell: int | None = None

    def to_json(self) -> Json:
        """Plain data in the order of the documentation."""
        return {"line": self.line, "cell": self.cell, "lines": list(self.lines)}

    @classmethod
    def from_json(cls, data: Json) -> Excerpt:
        """Read back what `to_json` wrote."""
        return cls(**{**data, "lines": tuple(data["lines"])})


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """One exercise of a submission. `code` is what the submission has for it, if it was begun and is not right."""

    id: str
    title: str
    function: str
    status: Status
    marks: float
    max_marks: float
    follow_through: bool = False
    message: str = ""
    checks: tuple[CheckResult, ...] = ()
    diagnosis: tuple[Diagnosis, ...] = ()
    notes: tuple[str, ...] = ()
    printed: str = ""
    next: str = ""
    code: tuple[Excerpt, ...] = ()
    #: Explanations beyond the best ones of `diagnosis`, for those who ask for all.
    further: tuple[Diagnosis, ...] = ()

    def to_json(self) -> Json:
        """Plain data in the order of the documentation."""
        return {
            "id": self.id,
            "title": self.title,
            "function": self.function,
            "status": self.status,
            "marks": self.marks,
            "max_marks": self.max_marks,
            "follow_through": self.follow_through,
            "message": self.message,
            "checks": [check.to_json() for check in self.checks],
            "diagnosis": [diagnosis.to_json() for diagnosis in self.diagnosis],
            "notes": list(self.notes),
            "printed": self.printed,
            "next": self.next,
            "code": [excerpt.to_json() for excerpt in self.code],
            "further": [diagnosis.to_json() for diagnosis in self.further],
        }

    @classmethod
    def from_json(cls, data: Json) -> ExerciseResult:
        """Read back what `to_json` wrote."""
        return cls(
            **{
                **data,
                "checks": tuple(CheckResult.from_json(item) for item in data["checks"]),
                "diagnosis": tuple(Diagnosis.from_json(item) for item in data["diagnosis"]),
                "notes": tuple(data["notes"]),
                "code": tuple(Excerpt.from_json(item) for item in data.get("code", ())),
                "further": tuple(Diagnosis.from_json(item) for item in data.get("further", ())),
            }
        )


@dataclass(frozen=True, slots=True)
class FileReport:
    """What is to be said of the file as a whole: how loading went, names that nearly fit.

    Of a notebook, `cell` is the code cell (the first from the top is 1) and `line` the line within it.
    """

    code: str
    message: str
    line: int | None = None
    source: str | None = None
    cell: int | None = None

    def to_json(self) -> Json:
        """Plain data in the order of the documentation."""
        return {
            "code": self.code,
            "message": self.message,
            "line": self.line,
            "cell": self.cell,
            "source": self.source,
        }

    @classmethod
    def from_json(cls, data: Json) -> FileReport:
        """Read back what `to_json` wrote."""
        return cls(**data)


@dataclass(frozen=True, slots=True)
class Lateness:
    """What handing in late cost: `seconds_late` after `due`, 0 if in time; `handed_in` None if nothing tells.

    `due` is the student's own, with any extension; both times are ISO 8601 with an offset.
    """

    handed_in: str | None
    due: str
    seconds_late: int
    raw_marks: float
    penalty: float
    final: float

    def to_json(self) -> Json:
        """Plain data in the order of the documentation."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, data: Json) -> Lateness:
        """Read back what `to_json` wrote."""
        return cls(**data)


@dataclass(frozen=True, slots=True)
class Result:
    """One submission's result, as written to RESULTS/<student>.json.

    `marks` are those that count: what the exercises came to, less what `late` takes off, if there is a rule for
    late work. `language` is that of its messages.
    """

    assignment: str
    student: str
    file: str
    sha256: str
    outcome: SubmissionOutcome
    marks: float
    max_marks: float
    exercises: tuple[ExerciseResult, ...]
    file_reports: tuple[FileReport, ...] = ()
    printed: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    exercises_sha256: str = ""
    seed: int = 0
    origin: Origin = NOWHERE
    late: Lateness | None = None
    language: str = "en"

    @property
    def raw_marks(self) -> float:
        """What the exercises came to, before anything is taken off."""
        return self.marks if self.late is None else self.late.raw_marks

    def to_json(self) -> Json:
        """Plain data in the order of the documentation; `late` and `language` where they say something."""
        return self._always() | self._sometimes()

    def _sometimes(self) -> dict[str, Json]:
        late: dict[str, Json] = {"late": self.late.to_json()} if self.late is not None else {}
        return late if self.language == "en" else late | {"language": self.language}

    def _always(self) -> dict[str, Json]:
        return {
            "format": FORMAT,
            "assignment": self.assignment,
            "submission": self._submission(),
            "outcome": self.outcome,
            "marks": self.marks,
            "max_marks": self.max_marks,
            "file_reports": [report.to_json() for report in self.file_reports],
            "printed": self.printed,
            "exercises": [exercise.to_json() for exercise in self.exercises],
            "environment": dict(self.environment),
            "exercises_sha256": self.exercises_sha256,
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, data: Json) -> Result:
        """Read back what `to_json` wrote; ValueError for another format, KeyError or TypeError for a damaged one."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f"not a result of format {FORMAT}")
        return cls(
            assignment=data["assignment"],
            student=data["submission"]["student"],
            file=data["submission"]["file"],
            sha256=data["submission"]["sha256"],
            outcome=data["outcome"],
            marks=data["marks"],
            max_marks=data["max_marks"],
            exercises=tuple(ExerciseResult.from_json(item) for item in data["exercises"]),
            file_reports=tuple(FileReport.from_json(item) for item in data["file_reports"]),
            printed=data["printed"],
            environment=data["environment"],
            exercises_sha256=data["exercises_sha256"],
            seed=data["seed"],
            origin=Origin.from_json(data["submission"].get("origin", {})),
            late=Lateness.from_json(data["late"]) if data.get("late") is not None else None,
            language=data.get("language", "en"),
        )

    def _submission(self) -> Json:
        """Whose file; `origin` only where a platform's download said something."""
        submission: dict[str, Json] = {"student": self.student, "file": self.file, "sha256": self.sha256}
        origin = self.origin.to_json()
        return {**submission, "origin": origin} if origin else submission
