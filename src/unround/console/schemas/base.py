"""What all models of the API share. The front end's types are generated from the models."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

Role = Literal["chair", "area_chair", "reviewer"]
Status = Literal["queued", "running", "done", "refused", "failed", "cancelled"]
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=r"\S")]
ID_PATTERN = r"^[0-9a-f]{32}$"
Id = Annotated[str, Field(pattern=ID_PATTERN)]
# Controls by which one name can look like another.
BIDI = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F])
FIRST_YEAR, LAST_YEAR = 2000, 9000  # some databases cannot store others


def _in_utc(value: datetime) -> datetime:
    """Take a time without a zone as UTC."""
    if not FIRST_YEAR <= value.year <= LAST_YEAR:
        raise ValueError(f"the year must be between {FIRST_YEAR} and {LAST_YEAR}")
    return value if value.tzinfo is not None else value.replace(tzinfo=UTC)


Moment = Annotated[datetime, AfterValidator(_in_utc)]


class Strict(BaseModel):
    """A request: an unknown field is an error."""

    model_config = ConfigDict(extra="forbid")

    @field_validator("*", mode="before")
    @classmethod
    def _storable(cls, value: object) -> object:
        """Reject text that some database cannot store, and drop what turns the direction of writing."""
        for text in _texts(value):
            if "\0" in text or any("\ud800" <= character <= "\udfff" for character in text):
                raise ValueError("the text holds characters that cannot be stored")
        return value.translate(BIDI) if isinstance(value, str) else value


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _texts(key)
            yield from _texts(one)


class FromRow(BaseModel):
    """A response with the columns of a database row: `Model.model_validate(row)`."""

    model_config = ConfigDict(from_attributes=True)


class ErrorBody(BaseModel):
    """Why a request was refused, in words for the person who sent it."""

    detail: str
