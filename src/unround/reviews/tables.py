"""Tables: everything that goes into one computation, as files or the caller hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from unround.errors import UsageError
from unround.issues import Issue, Kind
from unround.reviews.frames import open_frame, own_copy
from unround.scale import Scale

# Issues about statements on several papers.
STATEMENT_ISSUES = (Kind.CONTRADICTION, Kind.CYCLE, Kind.NO_ROOM)
STATEMENT_COLUMNS = ("reviewer", "paper", "better", "worse", "same_as")
# Pairs are looked up among at most so many papers of an issue.
MOST_PAIRED = 50
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
    scale_doubt : str
        Why only a stated scale can say which scores are best; empty if nothing is doubtful.
    recognised, notes : tuple of str
        What each file was taken for; what was left out of it, and why.
    files : tuple of Path
        The files that were read.
    hashes : tuple of (str, str)
        The name and SHA-256 of each, as it was read.

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
    scale_doubt: str = ""
    recognised: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()
    hashes: tuple[tuple[str, str], ...] = ()
    # The file and line behind a row of a table, by the name that issues give the table.
    place: Callable[[str, int], str] | None = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, reviews: Any, rankings: Any = None, same: Any = None) -> Tables:
        """Return copies of the caller's arguments as one value."""
        if not isinstance(reviews, Tables):
            tables = cls(reviews, rankings, same, recognised=(IN_PYTHON,))
        elif rankings is None and same is None:
            tables = reviews
        else:
            raise UsageError(
                "these tables bring their own rankings: read all files together, or give dataframes"
            )
        stated, several = tables.rankings, isinstance(tables.rankings, list | tuple)
        return replace(
            tables,
            reviews=own_copy(tables.reviews),
            rankings=[own_copy(table) for table in stated] if several else own_copy(stated),
            same=own_copy(tables.same),
            papers=own_copy(tables.papers),
        )

    @property
    def ranking_tables(self) -> Sequence[Any]:
        """The tables of ranks and pairs, however they were given."""
        if self.rankings is None:
            return ()
        return self.rankings if isinstance(self.rankings, list | tuple) else (self.rankings,)

    def without_rankings(self, note: str) -> Tables:
        """Return the reviews alone; `note` says why, if there were statements."""
        if self.rankings is None and self.same is None:
            return self
        return replace(self, rankings=None, same=None, notes=(*self.notes, note))

    def located(self, issues: Sequence[Issue]) -> list[Issue]:
        """Return the issues with the file and line of their rows, and of the statements behind them."""
        place = self.place
        if place is None or not issues:
            return list(issues)
        stated = self._statement_rows([issue for issue in issues if issue.kind in STATEMENT_ISSUES])
        return [
            replace(
                issue,
                where=(
                    *(place(issue.table, row) for row in issue.rows),
                    *(place(table, row) for table, row in _statements_behind(issue, stated)),
                ),
            )
            for issue in issues
        ]

    def __getstate__(self) -> dict[str, Any]:
        """Return what is pickled. Readers give places as functions; they are sent as text."""
        if self.place is None:
            return self.__dict__
        named = {"reviews": self.reviews, **dict(self._named_statements)}
        places = {
            name: [self.place(name, row) for row in range(len(table))]
            for name, table in named.items()
        }
        return self.__dict__ | {"place": partial(_listed_place, places)}

    @property
    def _named_statements(self) -> list[tuple[str, Any]]:
        """The tables of statements, by the names that issues give them."""
        names = [("same", self.same)] if self.same is not None else []
        several = isinstance(self.rankings, list | tuple)
        return names + [
            (f"rankings[{number}]" if several else "rankings", table)
            for number, table in enumerate(self.ranking_tables)
        ]

    def _statement_rows(self, issues: Sequence[Issue]) -> dict[tuple[Any, ...], tuple[str, int]]:
        """The row of each rank, by reviewer and paper, and of each pair, by reviewer and both papers."""
        concerned = {issue.reviewer for issue in issues}
        found: dict[tuple[Any, ...], tuple[str, int]] = {}
        for name, native in self._named_statements if concerned else ():
            frame = open_frame(native, name)
            present = [column for column in STATEMENT_COLUMNS if column in frame.columns]
            keys = zip(*(frame[column].to_list() for column in present), strict=True)
            for row, key in enumerate(keys):
                if key[0] in concerned:
                    found.setdefault(key, (name, row))
        return found


def _listed_place(places: Mapping[str, Sequence[str]], table: str, row: int) -> str:
    return places[table][row]


def _statements_behind(
    issue: Issue, stated: Mapping[tuple[Any, ...], tuple[str, int]]
) -> Iterator[tuple[str, int]]:
    """The statements of an issue's reviewer about its papers."""
    if issue.kind not in STATEMENT_ISSUES:
        return
    papers = issue.papers
    keys: list[tuple[Any, ...]] = [(issue.reviewer, paper) for paper in papers]
    if len(papers) <= MOST_PAIRED:
        keys += [(issue.reviewer, one, other) for one in papers for other in papers]
    yield from dict.fromkeys(stated[key] for key in keys if key in stated)
