"""Issue: one thing wrong with the input, its place, and what was done about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from unround.wording import advice

SHOWN_IN_FULL = 20


class Kind(StrEnum):
    """The kind of an issue. The value is the word that users see.

    >>> from unround.issues import Kind
    >>> str(Kind.CYCLE)
    'cycle'
    """

    COLUMN = "column"
    EMPTY = "empty"
    MISSING = "missing-value"
    TYPE = "type"
    OFF_SCALE = "off-scale"
    DOUBTFUL_SCALE = "doubtful-scale"
    DUPLICATE_REVIEW = "duplicate-review"
    DUPLICATE_RANK = "duplicate-rank"
    DOUBTFUL_RANK = "doubtful-rank"
    UNREVIEWED = "unreviewed"
    SELF = "self-comparison"
    CYCLE = "cycle"
    CONTRADICTION = "contradiction"
    UPSIDE_DOWN = "upside-down"
    NO_ROOM = "no-room"
    TOO_LARGE = "too-large"
    UNDECIDED = "undecided-lambda"
    MOST_LOST = "most-lost"


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is wrong or doubtful in the input, and where it stands.

    Attributes
    ----------
    kind : Kind
        What kind of thing it is; `unround help KIND` explains it.
    message : str
        A sentence.
    table, rows : str, tuple of int
        The caller's table and its rows, counted from 0.
    reviewer, papers, scores
        Whom and what it is about, as far as that is known.
    action : str
        What was done about it; empty when the input was refused.
    where : tuple of str
        File and line of each row, where the tables came from files.
    count : int
        How many cases it stands for: more than one where a long list was cut short.

    Examples
    --------
    >>> from unround.issues import Issue, Kind
    >>> print(Issue(Kind.CYCLE, "reviewer r1 ranks a above b above a"))
    cycle: reviewer r1 ranks a above b above a
    """

    kind: Kind
    message: str
    table: str = "reviews"
    rows: tuple[int, ...] = ()
    reviewer: object = None
    papers: tuple[object, ...] = ()
    scores: tuple[object, ...] = ()
    action: str = ""
    where: tuple[str, ...] = ()  # file and line of each row, where the tables came from files
    count: int = 1

    def __str__(self) -> str:
        plural = "s" if len(self.rows) > 1 else ""
        place = (
            f" ({self.table}, row{plural} {', '.join(map(str, self.rows))})" if self.rows else ""
        )
        if self.where:
            place = f" [{'; '.join(self.where)}]"
        done = f" -> {self.action}" if self.action else ""
        return f"{self.kind}: {self.message}{place}{done}"


def count_kinds(issues: Iterable[Issue]) -> Counter[Kind]:
    """Count the cases of each kind."""
    counts = Counter[Kind]()
    for issue in issues:
        counts[issue.kind] += issue.count
    return counts


def describe(issues: Sequence[Issue]) -> str:
    """Return the number of issues of each kind, and the first twenty in full."""
    counts = count_kinds(issues)
    totals = ", ".join(f"{count} {kind}" for kind, count in counts.most_common())
    plural = "" if counts.total() == 1 else "s"
    lines = [f"{counts.total()} issue{plural} in the input ({totals}):"]
    lines += [f"  {issue}" for issue in issues[:SHOWN_IN_FULL]]
    if len(issues) > SHOWN_IN_FULL:
        lines.append(f"  ... and {len(issues) - SHOWN_IN_FULL} more in `issues`")
    lines += [
        f"What to do about {kind}: {advice(kind)} (`unround help {kind}` says more)"
        for kind in dict.fromkeys(issue.kind for issue in issues)
    ]
    return "\n".join(lines)
