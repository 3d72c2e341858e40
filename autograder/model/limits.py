"""How much a submission may use: seconds, memory, output, deaths."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Limits(BaseModel):
    """The `limits:` of an assignment; every limit has a default that suits exercises on small matrices."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    call_seconds: float = Field(2.0, gt=0, le=600, description="Wall time one call may take.")
    load_seconds: float = Field(5.0, gt=0, le=600, description="Wall time loading the file may take.")
    submission_seconds: float = Field(60.0, gt=0, le=36000, description="Wall time for all of a submission.")
    memory_mb: int = Field(
        1024, ge=64, le=65536, description="Address space of the submission's process, MiB."
    )
    output_chars: int = Field(16384, ge=0, le=1_000_000, description="Printed characters kept of one call.")
    deaths: int = Field(
        32,
        ge=1,
        le=1000,
        description="How often a submission may end its process before the rest is skipped.",
    )
