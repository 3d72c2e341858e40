"""The checks of an exercise as YAML writes them: one claim each, worth marks by weight."""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

Name: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z_]\w*$")]
Slug: TypeAlias = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=60)]


def _one_or_many(value: Any) -> Any:
    # Tuples, not lists: strict validation takes only them once a validator of ours has been at work.
    return (value,) if isinstance(value, str) else tuple(value) if isinstance(value, list) else value


#: One name, or a list of names.
Names: TypeAlias = Annotated[
    tuple[Name, ...], BeforeValidator(_one_or_many, json_schema_input_type=Name | tuple[Name, ...])
]
Slugs: TypeAlias = Annotated[
    tuple[Slug, ...], BeforeValidator(_one_or_many, json_schema_input_type=Slug | tuple[Slug, ...])
]


class Tolerance(BaseModel):
    """|actual − expected| ≤ atol + rtol·|expected|."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    atol: float = Field(3e-6, ge=0, lt=float("inf"))
    rtol: float = Field(2e-5, ge=0, lt=1)


class CheckBase(BaseModel):
    """What every check may have."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Slug | None = Field(None, description="Name of the check; by default made from what it claims.")
    weight: float = Field(
        1.0, gt=0, le=1000, description="Share of the exercise's points, beside the others'."
    )
    about: str | None = Field(None, description="The claim in one line, for the student.")


class ValueCheck(CheckBase):
    """On a case, the outputs equal the expected ones."""

    value: Slug = Field(description="The case.")
    of: Names | None = Field(None, description="Compare these outputs only.")
    reference: Name | None = Field(
        None, description="Another function of the solutions that gives the values."
    )
    tolerance: Tolerance | None = None

    kind: ClassVar[str] = "value"

    @cached_property
    def name(self) -> str:
        """The id, or what stands in for it."""
        return self.id or self.value


class InvariantCheck(CheckBase):
    """Every output, on every case (or those named by `on`), has a property."""

    invariant: Name = Field(description="The property, one of the table of invariants.")
    of: Name = Field(description="The output that has it.")
    on: Slugs | None = Field(None, description="Only on these cases.")
    values: Name | None = Field(None, description="The argument that the property speaks of (V, M).")
    limit: float | None = Field(None, gt=0, description="How near to the claim is near enough.")

    kind: ClassVar[str] = "invariant"

    @cached_property
    def name(self) -> str:
        """The id, or what stands in for it."""
        return self.id or self.invariant.replace("_", "-")


class RelationCheck(CheckBase):
    """How the outputs must change when an argument does."""

    relation: Name = Field(description="The relation, one of the table of relations.")
    of: Names | None = Field(None, description="The outputs it speaks of; by default all.")
    on: Slug | None = Field(None, description="The case to start from; by default the first that is drawn.")
    shift: Name | None = Field(None, description="The argument whose rows get a constant added.")
    permute: Names | None = Field(None, description="The arguments whose rows are put in another order.")
    replace: Name | None = Field(None, description="The argument that gets other numbers.")
    double: Name | None = Field(None, description="The argument that is doubled.")

    kind: ClassVar[str] = "relation"

    @cached_property
    def name(self) -> str:
        """The id, or what stands in for it."""
        return self.id or self.relation.replace("_", "-")


class ArgumentsCheck(CheckBase):
    """No call changes its arguments, to the last bit."""

    leaves_arguments_alone: Literal[True]

    kind: ClassVar[str] = "leaves_arguments_alone"

    @cached_property
    def name(self) -> str:
        """The id, or what stands in for it."""
        return self.id or "arguments-left-alone"


class SameAnswerCheck(CheckBase):
    """The same arguments give the same answer: twice in a row, or after other calls."""

    same_answer: Literal["twice", "after_other_calls"]
    on: Slug | None = Field(None, description="The case to repeat; by default the first.")

    kind: ClassVar[str] = "same_answer"

    @cached_property
    def name(self) -> str:
        """The id, or what stands in for it."""
        return self.id or f"same-answer-{self.same_answer.replace('_', '-')}"


#: The kinds by the key that names them in YAML.
CHECK_KEYS = ("value", "invariant", "relation", "leaves_arguments_alone", "same_answer")


def _kind_of(value: Any) -> str | None:
    if isinstance(value, CheckBase):
        return next((key for key in CHECK_KEYS if hasattr(value, key)), None)
    if isinstance(value, dict):
        return next((key for key in CHECK_KEYS if key in value), None)
    return None


Check: TypeAlias = Annotated[
    Annotated[ValueCheck, Tag("value")]
    | Annotated[InvariantCheck, Tag("invariant")]
    | Annotated[RelationCheck, Tag("relation")]
    | Annotated[ArgumentsCheck, Tag("leaves_arguments_alone")]
    | Annotated[SameAnswerCheck, Tag("same_answer")],
    Discriminator(
        _kind_of,
        custom_error_type="unknown_check_kind",
        custom_error_message="unknown check kind; known: " + ", ".join(CHECK_KEYS),
    ),
]
