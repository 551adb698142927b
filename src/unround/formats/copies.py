"""Decide which of several copies of a record counts: the newest.

Dumps hold every version of a review, and folders of dated exports hold each review many times. A copy
says by a version and by dates when it was changed; the date in its file's name decides
between copies without dates. Copies that differ and cannot be ordered are refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

from unround.formats.cells import counted
from unround.formats.model import ImportRefused

NAMED_IN_MESSAGES = 5
Value = TypeVar("Value")
# 2025-11-20, 20251120, 2025_11_20T1830, 2025-11-20 18.30.05
_DATE = re.compile(
    r"(?<![0-9])(20[0-9]{2})([-_.]?)([01][0-9])\2([0-3][0-9])"
    r"(?:[-_. T]*([0-2][0-9])[-_.:h]?([0-5][0-9])(?:[-_.:m]?([0-5][0-9]))?)?(?![0-9])"
)


class CopyDates(NamedTuple):
    """When a copy was last changed, as far as it and its file's name say."""

    tmdate: float | None  # the true date of the last change, in milliseconds
    version: float | None
    mdate: float | None  # the date of the last change as shown, which can be set
    exported: datetime | None


class Copy(NamedTuple, Generic[Value]):
    """One copy of a record: what was read of it, and its dates."""

    dates: CopyDates
    place: str
    content: object  # by which copies are compared, such as a hash of the record's content
    value: Value


def modified_at(record: Mapping[str, Any]) -> int | None:
    """Return when a record was last changed, in milliseconds."""
    true_date = _number(record.get("tmdate"))
    date = _number(record.get("mdate")) if true_date is None else true_date
    return None if date is None or abs(date) > 2**53 else int(date)


def is_newer(one: CopyDates, other: CopyDates) -> bool | None:
    """Return whether one copy is newer than the other; None if that cannot be decided."""
    recorded = {_order(one.tmdate, other.tmdate), _order(one.version, other.version)} - {0}
    if len(recorded) > 1:
        return None
    shown = _order(one.mdate, other.mdate), _order(one.exported, other.exported)
    return next((order > 0 for order in (*recorded, *shown) if order), None)


@dataclass
class Copies(Generic[Value]):
    """The copies of each record, by id, in the order in which the ids first occur."""

    decisive: Callable[[Value], object]  # the part on which copies must agree, such as the score
    ordered_by: str = "tmdate, version and mdate"  # what orders copies, for messages
    _copies: dict[str, list[Copy[Value]]] = field(default_factory=dict)
    repeated: int = 0  # records that occur more than once,
    surplus: int = 0  # their copies beyond the one that counts,
    differing: int = 0  # those of them with copies that differ,
    conflicting: int = 0  # and with copies that differ in the decisive part
    undecided: list[list[Copy[Value]]] = field(default_factory=list)

    def add(
        self,
        identifier: str,
        record: Mapping[str, Any],
        file: str,
        place: str,
        value: Value,
        content: object = None,
    ) -> None:
        """Add a copy, compared with others by its content or else by its value.

        A record without an id is not a copy of any other.
        """
        tmdate, version, mdate = (
            _number(record.get(key)) for key in ("tmdate", "version", "mdate")
        )
        dates = CopyDates(tmdate, version, mdate, date_in_name(file))
        copy = Copy(dates, place, value if content is None else content, value)
        self._copies.setdefault(identifier or f"\0{len(self._copies)}", []).append(copy)

    def newest(self) -> Iterator[Copy[Value]]:
        """Yield the newest copy of each record, and count; undecided records are set aside."""
        for copies in self._copies.values():
            newest: Copy[Value] | None = copies[0]
            if len(copies) > 1:
                self._count(copies)
                newest = self._newest_of(copies)
            if newest is None:
                self.undecided.append(copies)
            else:
                yield newest

    def _count(self, copies: list[Copy[Value]]) -> None:
        self.repeated += 1
        self.surplus += len(copies) - 1
        self.differing += any(copy.content != copies[0].content for copy in copies)
        self.conflicting += len({self.decisive(copy.value) for copy in copies}) > 1

    def _newest_of(self, copies: list[Copy[Value]]) -> Copy[Value] | None:
        """Return the copy that is newer than every other, or equal to it in the decisive part."""
        newest = max(copies, key=_age)
        decided = all(
            is_newer(newest.dates, copy.dates)
            or self.decisive(copy.value) == self.decisive(newest.value)
            for copy in copies
        )
        return newest if decided else None

    def oldest_first(self) -> Iterator[Copy[Value]]:
        """Yield all copies of each record, oldest first where their dates decide."""
        for copies in self._copies.values():
            yield from sorted(copies, key=_age) if len(copies) > 1 else copies

    def refuse_undecided(self, name: str, what: str) -> None:
        """Refuse copies that differ and cannot be ordered, and name them."""
        if not self.undecided:
            return
        named = [
            " and ".join(f"{self.decisive(copy.value)} in {copy.place}" for copy in copies)
            for copies in self.undecided[:NAMED_IN_MESSAGES]
        ]
        more = len(self.undecided) - NAMED_IN_MESSAGES
        raise ImportRefused(
            f"{name}: {counted(len(self.undecided), what)} with copies that differ, and neither "
            f"{self.ordered_by} nor the dates in the files' names say which is the newest: "
            f"{'; '.join(named)}{f'; and {more} more' if more > 0 else ''}. Keep the copy that "
            "counts, or export again with versions and dates"
        )

    def note(self, what: str, decisive: str) -> tuple[str, ...]:
        """Say how many records occur more than once, and what differs between their copies."""
        if not self.repeated:
            return ()
        occur = "occurs" if self.repeated == 1 else "occur"
        left = "1 copy" if self.surplus == 1 else f"{self.surplus} copies"
        differ = (
            f"{self.differing} with copies that differ, {self.conflicting} of them in the {decisive}; "
            "the newest copy counts"
            if self.differing
            else "the copies are the same"
        )
        return (
            f"{counted(self.repeated, what)} {occur} more than once, {left} left out: {differ}",
        )


def _age(copy: Copy[Any]) -> tuple[float, float, float, datetime]:
    tmdate, version, mdate, exported = copy.dates
    numbers = (-math.inf if number is None else number for number in (tmdate, version, mdate))
    return *numbers, exported or datetime.min  # type: ignore[return-value]


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if math.isfinite(value) else None


def _order(one: Any, other: Any) -> int:
    """Return 1 if one is later, -1 if the other is, 0 if that is not known."""
    if one is None or other is None:
        return 0
    return int(one > other) - int(one < other)


@lru_cache(maxsize=1024)
def date_in_name(name: str) -> datetime | None:
    """Return the date (and time, if there is one) in a file's name; None without exactly one.

    >>> date_in_name("notes-2025-11-20.json"), date_in_name("notes.json")
    (datetime.datetime(2025, 11, 20, 0, 0), None)
    >>> date_in_name("reviews_20251120T1830.csv")
    datetime.datetime(2025, 11, 20, 18, 30)
    """
    dates = {_date(*match.groups(default="0")) for match in _DATE.finditer(name)} - {None}
    return dates.pop() if len(dates) == 1 else None


def _date(
    year: str, _: str, month: str, day: str, hour: str, minute: str, second: str
) -> datetime | None:
    try:
        return datetime(int(year), int(month), int(day), int(hour), int(minute), int(second))
    except ValueError:
        return None
