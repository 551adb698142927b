"""Read the times at which reviews were changed, as systems, people and survey tools write them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

# 2026-03-04T18:30:05.12+01:00, 3/4/2026 6:30:05 PM -08:00, 2026/03/04 6:30:05 PM GMT+1, 4.3.2026
_TIME = re.compile(
    r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T\s,]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?"
    r"\s*([AP]M)?\s*(Z|GMT|UTC)?(?:([+-]\d{1,2}):?(\d\d)?)?",
    re.IGNORECASE,
)


def milliseconds(text: str, pattern: str = "") -> int | None:
    """Return an ISO time, or one of a pattern of strptime, in milliseconds; None for any other text.

    A time without a zone is taken for UTC.
    """
    try:
        time = datetime.strptime(text, pattern) if pattern else datetime.fromisoformat(text)
        return int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None


def read_times(cells: Sequence[str]) -> tuple[list[int | None], str]:
    """Return times in milliseconds, None where one is unclear, and a cell that can mean two days.

    Day or month stands first as all cells allow. Where some cells state a time zone, others are unclear.

    >>> read_times(["13/3/2026 18:30", ""]), read_times(["3/4/2026"])
    (([1773426600000, None], ''), ([None], '3/4/2026'))
    """
    matches = [_TIME.fullmatch(cell.strip()) for cell in cells]
    zoned = any(match and (match[9] or match[10]) for match in matches)
    months, days = (
        [_moment(match, zoned, day_first) if match else None for match in matches]
        for day_first in (False, True)
    )
    if months.count(None) != days.count(None):
        return min(months, days, key=lambda times: times.count(None)), ""
    pairs = zip(cells, months, days, strict=True)
    unclear = next((cell for cell, one, other in pairs if one != other), "")
    return ([None] * len(cells) if unclear else months), unclear


def _moment(match: re.Match[str], zoned: bool, day_first: bool) -> int | None:
    first, mark, second, third, hour, minute, seconds, half, zone, ahead, minutes = match.groups()
    if zoned and not (zone or ahead):
        return None
    year, month, day = (first, second, third) if len(first) == 4 else (third, first, second)
    if len(first) < 4 and (day_first or mark == "."):
        day, month = month, day
    clock = int(hour or 0) % 12 + 12 * (half.upper() == "PM") if half else int(hour or 0)
    offset = timedelta(hours=int(ahead or 0), minutes=int(f"{(ahead or '+')[0]}{minutes or 0}"))
    try:
        date = int(year), int(month), int(day)
        local = datetime(*date, clock, int(minute or 0), int(seconds or 0), tzinfo=UTC)
        return int((local - offset).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
