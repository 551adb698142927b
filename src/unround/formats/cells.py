"""Read what people write into cells: scores, ranks and times; write counts and lists for people."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

# What people write where there is nothing to write, in lower case.
EMPTY_WORDS = frozenset(
    (
        *("", "-", "–", "—", "n/a", "na", "nan", "none", "null", "undefined", "no entry", "#n/a"),
        *("(your choice here)", "(choose one)"),
    )
)
UNRANKED_WORDS = EMPTY_WORDS | {"x", "unranked", "not ranked"}
MOST_LISTED = 12
MINUS = "\N{MINUS SIGN}"
NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
# A label follows a number or letter: "6: good", "B = fair", "5. good", "5) good", also "3 good", "3 - good".
_LABELLED = r"(?:\s*[:=].*|[.)](?:\s.*)?)?"
_SCORE = re.compile(
    rf"({NUMBER}(?={_LABELLED}$|(?:\s+|\s*[-–—]\s*)\(?[^\W\d_])|[A-Z](?={_LABELLED}$)).*"
)
# A spreadsheet turns 3-4 into 3-Apr: a date is no score.
_DATE = re.compile(
    r"[0-9]{1,2}[\s./-]*(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?:[\s./-]*[0-9]+)?",
    re.IGNORECASE,
)
_DECIMAL_COMMA = re.compile(r"([+-]?[0-9]+),([0-9]{1,2})(?=\s|[:=)]|$)")
_SHARE = re.compile(r"\b(?:top|bottom)\s+[0-9.]+(?:\s*[-–]\s*[0-9.]+)?\s*%", re.IGNORECASE)
_RANK = re.compile(
    rf"(?:rank|place|no\.?|nr\.?)?\s*#?\s*({NUMBER})\s*(?:st|nd|rd|th)?[.)=]?"
    r"(?:\s*(?:/|of|out of)\s*[0-9]+)?",
    re.IGNORECASE,
)

# 2026-03-04T18:30:05.12+01:00, 3/4/2026 6:30:05 PM -08:00, 2026/03/04 6:30:05 PM GMT+1, 4.3.2026
_TIME = re.compile(
    r"(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T\s,]+(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?"
    r"\s*([AP]M)?\s*(Z|GMT|UTC)?(?:([+-]\d{1,2}):?(\d\d)?)?",
    re.IGNORECASE,
)


def score_of(cell: str) -> str | None:
    """Return the number or letter in a cell without its label, other text as it is; None if it is empty.

    >>> score_of("3.5: borderline"), score_of("6 (accept)"), score_of("7,5"), score_of("B"), score_of("-")
    ('3.5', '6', '7.5', 'B', None)
    >>> score_of("Accept (8)"), score_of("8/10"), score_of("3-Apr")
    ('Accept (8)', '8/10', '3-Apr')
    """
    text = cell.strip()
    if text.casefold() in EMPTY_WORDS:
        return None
    found = None if is_date(text) else _SCORE.fullmatch(_pointed(text))
    return found.group(1) if found else text


def read_score(cell: str) -> str | None:
    """Return the score that a person wrote; a cell with a second number, such as "4 (was 7)", as it is.

    A share of the papers is part of a label, as in "8: top 50%".
    """
    score = score_of(cell)
    rest = _SHARE.sub("", _pointed(cell.strip()).removeprefix(score or ""))
    has_number = any(unicodedata.category(sign)[0] == "N" for sign in rest)
    return cell.strip() if has_number else score


def _pointed(text: str) -> str:
    """Return text whose first number has a point for a decimal comma, and a plain sign."""
    return _DECIMAL_COMMA.sub(r"\1.\2", text.replace(MINUS, "-"), count=1)


def rank_of(cell: str) -> str | None:
    """Return the number of a rank, other text as it is; None if the paper is not ranked.

    >>> rank_of("2nd"), rank_of("#1"), rank_of("1 of 5"), rank_of("1,5"), rank_of("x")
    ('2', '1', '1', '1.5', None)
    """
    text = cell.strip()
    if text.casefold() in UNRANKED_WORDS:
        return None
    ranked = _RANK.fullmatch(_DECIMAL_COMMA.sub(r"\1.\2", text, count=1))
    return ranked.group(1) if ranked else text


def is_date(cell: str) -> bool:
    """Return whether a cell holds a day, as spreadsheets make of 4/5."""
    return bool(_DATE.fullmatch(cell) or _TIME.fullmatch(cell))


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


def counted(count: int, what: str) -> str:
    """Return a number of things; `what` begins with the singular of their name.

    >>> counted(1, "review without a score"), counted(3000, "entry of another kind")
    ('1 review without a score', '3,000 entries of another kind')
    """
    noun, space, rest = what.partition(" ")
    plural = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{count:,} {noun if count == 1 else plural}{space}{rest}"


def listed(names: Sequence[str], most: int = MOST_LISTED) -> str:
    """Return the first names, and how many more there are.

    >>> listed(["Novelty", "Merit"]), listed([])
    ('Novelty, Merit', 'none')
    """
    more = len(names) - most
    return (", ".join(names[:most]) or "none") + (f" and {more:,} more" if more > 0 else "")


def on_one_line(text: str) -> str:
    """Return text without line ends and double spaces: titles may have several lines."""
    return " ".join(text.split())


# By marks that turn the direction of writing, one name can look like another.
CONTROLS, BIDI = "\x00-\x1f\x7f-\x9f", "\u200e\u200f\u202a-\u202e\u2066-\u2069"


def shown(text: str, longest: int) -> str:
    r"""Return a name or title without control characters and BIDI marks, cut if it is too long.

    >>> shown("Fire\u202e, in\tFrench\u00a0!", 100), shown("Too long", 5)
    ('Fire, in French\xa0!', 'Too …')
    """
    text = re.sub(f"[{BIDI}]", "", re.sub(f"[{CONTROLS}]+", " ", text)).strip()
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def unshown_note(texts: Sequence[str], whose: str, longest: int, outcome: str) -> tuple[str, ...]:
    """Return the note on texts that `shown` changes, if there are any; `whose` says whose they are."""
    if not texts:
        return ()
    of = "a control character, a mark that turns the direction of writing, or more than"
    which = listed([repr(text[:60]) for text in texts])
    return (f"{counted(len(texts), whose)} has {of} {longest:,} letters ({which}). {outcome}",)


def left_out_note(count: int, what: str) -> tuple[str, ...]:
    """Return the note on what was left out, if anything was.

    >>> left_out_note(2, "review without a score"), left_out_note(0, "rank")
    (('2 reviews without a score left out',), ())
    """
    return (f"{counted(count, what)} left out",) if count else ()
