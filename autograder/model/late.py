"""Late work as the config writes it: until when, with how much grace, and what each day or hour costs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, TypeAlias
from zoneinfo import ZoneInfo

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

_FORM = "{at: 2027-03-26T23:59:59, zone: Europe/Lisbon}"


def _moment(value: Any) -> Any:
    """A time with its offset as it is; {at, zone} as a time that keeps its zone."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, str):
        return _parsed(value)
    if not isinstance(value, dict):
        raise PydanticCustomError("datetime_type", "no date and time")
    at, zone = value.get("at"), value.get("zone")
    if set(value) != {"at", "zone"} or not isinstance(at, str) or not isinstance(zone, str):
        raise PydanticCustomError("zoned_time", "a time in a zone is written {form}", {"form": _FORM})
    return _in_zone(at, zone)


def _parsed(text: str) -> datetime:
    try:
        if len(text.strip()) > len("2027-03-26"):  # a date alone would be taken for its first moment
            return datetime.fromisoformat(text.strip())
    except ValueError:
        pass
    raise PydanticCustomError("datetime_parsing", "no date and time")


def _in_zone(at: str, name: str) -> datetime:
    """The moment at which the clocks of a zone show a time; of two such moments the later."""
    local = _parsed(at)
    if local.tzinfo is not None:
        raise PydanticCustomError(
            "zoned_time", "`at` has an offset of its own; leave that out, or write the time alone"
        )
    try:
        zone = ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        raise PydanticCustomError("zoned_time", "there is no zone '{name}'", {"name": name}) from None
    moment = local.replace(tzinfo=zone, fold=1)
    back = datetime.fromtimestamp(moment.timestamp(), zone)
    if back.replace(tzinfo=None) != local:
        words = {"name": name, "at": at}
        raise PydanticCustomError(
            "zoned_time", "the clocks of {name} go forward over {at}, so no clock shows it", words
        )
    return moment


#: A moment: a time with its offset from UTC, or {at: …, zone: …} with a zone's name.
Moment: TypeAlias = Annotated[
    datetime,
    BeforeValidator(_moment, json_schema_input_type=datetime | dict[Literal["at", "zone"], str]),
]


class Late(BaseModel):
    """What handing in late costs: a share of the marks earned, or marks, for each day or hour begun."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    per: Literal["day", "hour"] = Field(description="What is counted, once it is begun.")
    fraction: float | None = Field(None, gt=0, le=1, description="Share of the marks earned that each costs.")
    marks: float | None = Field(None, gt=0, le=100_000, description="Marks that each costs.")
    grace_minutes: float = Field(
        0, ge=0, le=525_600, description="So long after the due time nothing is taken off."
    )
    floor: float = Field(0, ge=0, le=1, description="Share of the marks earned that is never taken off.")
    extensions: str | None = Field(
        None, description="CSV file of students with more time: student, and until, days or hours."
    )

    @model_validator(mode="after")
    def _one_price(self) -> Late:
        if (self.fraction is None) == (self.marks is None):
            raise PydanticCustomError(
                "late_price", "one of `fraction` and `marks` says what each {per} costs", {"per": self.per}
            )
        return self
