"""Tables: everything that goes into one computation, as files or the caller hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from unround.errors import UsageError
from unround.issues import Issue
from unround.scale import Scale

IN_PYTHON = "tables given in Python, no files"


@dataclass(frozen=True)
class Tables:
    """Reviews and statements, and where they came from.

    `unround.read` makes it from files. Give it to `dequantize`, `check` or `update` in place of the
    dataframes; a result of it is saved with the names and hashes of its files.

    Attributes
    ----------
    reviews : DataFrame
        Reviewer, paper and score, and whatever else the files hold.
    rankings : DataFrame or sequence of DataFrame, optional
        Ranks (reviewer, paper, rank) and stated pairs (reviewer, better, worse).
    same : DataFrame, optional
        Papers that a reviewer calls about the same: reviewer, paper, same_as.
    papers : DataFrame, optional
        What is known of each paper: title, track, area_chair, decision.
    scale : Scale, optional
        Every level, where the source states them.
    recognised, notes : tuple of str
        What each file was taken for; what was left out of it, and why.
    files : tuple of Path
        The files that were read.

    Examples
    --------
    >>> import polars as pl, unround
    >>> reviews = pl.DataFrame({"reviewer": [1, 1], "paper": ["a", "b"], "score": [4, 4]})
    >>> unround.dequantize(unround.Tables(reviews), lam=1.0).lam
    1.0
    """

    reviews: Any
    rankings: Any = None
    same: Any = None
    papers: Any = None
    scale: Scale | None = None
    recognised: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    # The file and line behind a row of a table, by the name that issues give the table.
    place: Callable[[str, int], str] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, reviews: Any, rankings: Any = None, same: Any = None) -> Tables:
        """Return the caller's arguments as one value."""
        if not isinstance(reviews, Tables):
            return cls(reviews, rankings, same, recognised=(IN_PYTHON,))
        if rankings is not None or same is not None:
            raise UsageError(
                "these tables bring their own rankings: read all files together, or give dataframes"
            )
        return reviews

    @property
    def ranking_tables(self) -> Sequence[Any]:
        """The tables of ranks and pairs, however they were given."""
        if self.rankings is None:
            return ()
        return self.rankings if isinstance(self.rankings, list | tuple) else (self.rankings,)

    def located(self, issues: Iterable[Issue]) -> list[Issue]:
        """Return the issues with the file and line of each of their rows, where these are known."""
        place = self.place
        if place is None:
            return list(issues)
        return [
            replace(issue, where=tuple(place(issue.table, row) for row in issue.rows))
            for issue in issues
        ]
