"""An exercise and an assignment as YAML defines them. `autograder schema` prints these models' JSON Schema."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import product
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from autograder.model.check import Check, Name, Slug, Tolerance
from autograder.model.given import Given, Numbers, Recipe, Shape
from autograder.model.late import Late, Moment
from autograder.model.limits import Limits

#: A range [low, high], both included, or the values to choose from.
SizeRange: TypeAlias = Annotated[tuple[int, int], Field(description="[low, high], both included")]


#: So many choices of sizes are listed; an exercise with more has them drawn until they fit.
_MOST_CHOICES = 10_000


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OneOf(_Frozen):
    """A size chosen from a list."""

    one_of: tuple[Annotated[int, Field(ge=1, le=512)], ...] = Field(min_length=1)


class Product(_Frozen):
    """A size that is the product of others, such as d = n_heads · d_k."""

    product: tuple[Name, ...] = Field(min_length=2)


class Parameter(_Frozen):
    """An argument of the function."""

    shape: Shape | None = Field(None, description="Sizes of the array; absent for what is no array.")
    kind: Literal["array", "integer", "number", "text", "function"] = "array"
    about: str
    default: Numbers | None = Field(None, description="The default value in the signature.")


class Output(_Frozen):
    """What the function returns; several are returned as a tuple in this order."""

    shape: Shape | None = Field(None, description="Sizes of the array; absent or [] for a number.")
    about: str


class Case(_Frozen):
    """One named set of inputs, written out or drawn from a seed."""

    about: str | None = Field(None, description="What a reader recognises the case by.")
    given: dict[Name, Given] = Field(min_length=1)
    expect: dict[Name, Numbers] = Field(default_factory=dict, description="Printed figures; null where none.")
    printed_digits: (
        Annotated[int, Field(ge=0, le=12)] | dict[Name, Annotated[int, Field(ge=0, le=12)]] | None
    ) = Field(None, description="Digits after the point that `expect` is printed to.")
    draws: int = Field(1, ge=1, le=50, description="How many times the inputs are drawn.")
    same_sizes: bool = Field(False, description="All draws have the sizes of the first.")
    hidden: bool = Field(False, description="Neither inputs nor expected values are ever shown.")
    seed: int | None = Field(None, ge=0, description="Draw from default_rng(seed), in the order written.")
    sizes: dict[Name, Annotated[int, Field(ge=0, le=4096)]] = Field(
        default_factory=dict, description="Fixed sizes."
    )
    tolerance: Tolerance | None = None
    tokens: tuple[str, ...] | None = Field(None, description="Names of the rows, for tables and pictures.")

    @cached_property
    def drawn(self) -> bool:
        """Whether any input comes from a recipe that draws (and no fixed seed makes it the same for all)."""
        return self.seed is None and any(isinstance(value, Recipe) for value in self.given.values())


class Misconception(_Frozen):
    """A wrong idea with a code, the wrong function that it produces, and a text."""

    code: Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z0-9_]+$")]
    malrule: Name
    text: str
    hint: str | None = None


class AcceptedMutant(_Frozen):
    """A mutant of the reference that the checks need not kill, with the reason."""

    mutant: str
    reason: str


class Exercise(_Frozen):
    """One function to write."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)]
    title: str
    about: str
    idea: str | None = Field(None, description="The idea in one line, for the stub.")
    function: Name
    parameters: dict[Name, Parameter] = Field(min_length=1)
    returns: dict[Name, Output] = Field(min_length=1, max_length=8)
    uses: tuple[Slug, ...] = ()
    points: float = Field(gt=0, le=1000)
    sizes: dict[Name, SizeRange | OneOf | Product] = Field(default_factory=dict)
    cases: dict[Slug, Case] = Field(min_length=1)
    checks: tuple[Check, ...] = Field(min_length=1)
    misconceptions: tuple[Misconception, ...] = ()
    hints: tuple[str, ...] = Field(min_length=1)
    equivalent_mutants: tuple[AcceptedMutant, ...] = ()

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The names of the outputs in order."""
        return tuple(self.returns)

    @cached_property
    def free_sizes(self) -> tuple[tuple[str, Sequence[int]], ...]:
        """The sizes that are no products, each with the values that it may have."""
        return tuple(
            (name, size.one_of if isinstance(size, OneOf) else range(size[0], size[1] + 1))
            for name, size in self.sizes.items()
            if not isinstance(size, Product)
        )

    @cached_property
    def products(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The sizes that are products, each with its factors."""
        return tuple((name, size.product) for name, size in self.sizes.items() if isinstance(size, Product))

    @cached_property
    def size_choices(self) -> tuple[Mapping[str, int], ...]:
        """Every choice of sizes that are all distinct, so that a mixed-up axis shows; none if there are too many.

        A product may equal one of its own factors.
        """
        if math.prod(len(values) for _, values in self.free_sizes) > _MOST_CHOICES:
            return ()
        names = [name for name, _ in self.free_sizes]
        every = product(*(values for _, values in self.free_sizes))
        sized = (
            self.with_products(dict(zip(names, chosen, strict=True)))
            for chosen in every
            if len(set(chosen)) == len(chosen)
        )
        return tuple(sizes for sizes in sized if self.are_distinct(sizes))

    def with_products(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """The sizes with those that are products of others."""
        whole = dict(sizes)
        for name, factors in self.products:
            whole[name] = math.prod(whole[factor] for factor in factors)
        return whole

    def are_distinct(self, sizes: Mapping[str, int]) -> bool:
        """Whether no two sizes are alike, but for a product and its own factors."""
        free = [sizes[name] for name, _ in self.free_sizes]
        return len(set(free)) == len(free) and not any(
            sizes[name] in {sizes[other] for other in sizes if other != name and other not in factors}
            for name, factors in self.products
        )

    @cached_property
    def total_weight(self) -> float:
        """The weight of all checks."""
        return sum(check.weight for check in self.checks)

    @property
    def signature(self) -> str:
        """The call as Python writes it: softmax(S), layer_norm(X, eps=1e-5)."""
        parts = [
            name if p.default is None else f"{name}={_default(p.default)}"
            for name, p in self.parameters.items()
        ]
        return f"{self.function}({', '.join(parts)})"


def _default(value: Any) -> str:
    text = repr(value)
    return text.replace("e-0", "e-") if isinstance(value, float) else text


class Feedback(_Frozen):
    """What students see."""

    hidden_checks: Literal["count", "name", "none"] = Field(
        "count",
        description="Of a failed check on a hidden case: how many draws differ, its name alone, or nothing.",
    )
    diagnosis: bool = Field(True, description="Whether reports name misconceptions.")
    printed: bool = Field(True, description="Whether reports quote what the submission printed.")


class Assignment(_Frozen):
    """An ordered list of exercises with points, due date and limits: config/<name>.yaml."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]*$", max_length=60)]
    title: str
    about: str = ""
    folder: str = Field(description="Folder of the exercise files, from the project's top.")
    exercises: tuple[Slug, ...] = Field(min_length=1, description="Ids, in order.")
    points: dict[Slug, Annotated[float, Field(gt=0, le=1000)]] = Field(default_factory=dict)
    solutions: str = Field(
        description="File of the reference functions (.py); in a student's kit, of the stored values (.json)."
    )
    malrules: str | None = Field(None, description="File of the wrong functions.")
    file: str = Field(
        "attention.py", pattern=r"^[\w.-]+\.py$", description="Name of the file students fill in."
    )
    seed: int = Field(0, ge=0)
    tolerance: Tolerance = Tolerance(atol=3e-6, rtol=2e-5)
    limits: Limits = Limits()  # type: ignore[call-arg]
    due: Moment | None = Field(None, description="Until when: a time with its offset, or {at: …, zone: …}.")
    late: Late | None = Field(None, description="What handing in late costs; by default nothing.")
    isolation: Literal["auto", "sandbox", "no-open", "portable"] = "auto"
    feedback: Feedback = Feedback()  # type: ignore[call-arg]
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}$")] | None = Field(
        None,
        description="Language of feedback and texts, such as pt; by default that of whoever asks, or English.",
    )
