"""Dates in the names of exported files, by which one export is newer than another."""

from __future__ import annotations

import re
from datetime import datetime

# 2025-11-20, 20251120, 2025_11_20T1830, 2025-11-20 18.30.05
_DATE = re.compile(
    r"(?<![0-9])(20[0-9]{2})([-_.]?)([01][0-9])\2([0-3][0-9])"
    r"(?:[-_. T]*([0-2][0-9])[-_.:h]?([0-5][0-9])(?:[-_.:m]?([0-5][0-9]))?)?(?![0-9])"
)


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
