"""The inputs of a case as YAML writes them: numbers written out, or a recipe that draws them.

A shape is a list of sizes, each a whole number or the name of one of the exercise's `sizes`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, WithJsonSchema

Size: TypeAlias = Annotated[int, Field(ge=0, le=4096)] | Annotated[str, Field(pattern=r"^[A-Za-z_]\w*$")]
Shape: TypeAlias = Annotated[tuple[Size, ...], Field(max_length=4)]


class Recipe(BaseModel):
    """Base of the recipes."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Normal(Recipe):
    """Independent normal numbers."""

    normal: Shape
    std: float = Field(1.0, ge=0)
    mean: float = 0.0


class Uniform(Recipe):
    """Independent numbers from low to high."""

    uniform: Shape
    low: float = 0.0
    high: float = 1.0


class Integers(Recipe):
    """Independent whole numbers from low to high, both included, as an integer array."""

    integers: Shape
    low: int = -3
    high: int = 3


class Weights(Recipe):
    """Rows that are distributions: the softmax of normal scores of this std."""

    weights: Shape
    std: float = Field(1.5, ge=0)


class Constant(Recipe):
    """The same number everywhere."""

    constant: Shape
    value: float = 0.0


class SizeOf(Recipe):
    """One of the sizes, as a whole number."""

    size: str


class IndexInto(Recipe):
    """A whole number from 0 to a size less 1."""

    index: str


class FromReference(Recipe):
    """An output of a reference function, called on this case's own arguments of the same names."""

    reference: str
    output: str


class FunctionOf(Recipe):
    """A function from a named family, with parameters drawn to fit another argument's shape."""

    function: Literal["quadratic", "sines", "coupled_rows", "total"]
    of: str


def _numbers(value: Any) -> Any:
    """Accept a number, a text, or a regular nested list of numbers (null: nothing is said of that entry)."""
    if isinstance(value, str | int | float):
        return value
    if isinstance(value, list):
        _check_regular(value)
        return _frozen(value)
    raise ValueError("a number, a text, a list of numbers or a recipe such as {normal: [n_q, n_k]} is needed")


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


def _check_regular(value: list[Any]) -> tuple[int, ...]:
    shapes = set()
    for item in value:
        if isinstance(item, list):
            shapes.add(_check_regular(item))
        elif item is None:
            continue
        elif isinstance(item, bool) or not isinstance(item, int | float):
            raise ValueError(f"{item!r} is not a number")
        else:
            shapes.add(())
    if len(shapes) > 1:
        raise ValueError("the rows have different lengths")
    inner = shapes.pop() if shapes else ()
    return (len(value), *inner)


#: Numbers written out: a scalar, or nested tuples of numbers with None where nothing is said.
Numbers: TypeAlias = Annotated[
    Any,
    AfterValidator(_numbers),
    WithJsonSchema(
        {
            "description": "A number, a text, or a matrix as a list of rows; null where nothing is said.",
            "type": ["number", "string", "array"],
        }
    ),
]

_KINDS = ("normal", "uniform", "integers", "weights", "constant", "size", "index", "reference", "function")


def _kind_of(value: Any) -> str | None:
    if isinstance(value, BaseModel):
        return next((kind for kind in _KINDS if hasattr(value, kind)), None)
    if not isinstance(value, dict):
        return "numbers"
    return next((kind for kind in _KINDS if kind in value), None)


Given: TypeAlias = Annotated[
    Annotated[Numbers, Tag("numbers")]
    | Annotated[Normal, Tag("normal")]
    | Annotated[Uniform, Tag("uniform")]
    | Annotated[Integers, Tag("integers")]
    | Annotated[Weights, Tag("weights")]
    | Annotated[Constant, Tag("constant")]
    | Annotated[SizeOf, Tag("size")]
    | Annotated[IndexInto, Tag("index")]
    | Annotated[FromReference, Tag("reference")]
    | Annotated[FunctionOf, Tag("function")],
    Discriminator(
        _kind_of,
        custom_error_type="unknown_recipe",
        custom_error_message="unknown recipe; known: " + ", ".join(_KINDS),
    ),
]
