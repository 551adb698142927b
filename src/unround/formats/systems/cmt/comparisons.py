"""Read CMT's paper comparisons (ReviewerSubmissionComparisons.txt), one statement per line."""

from __future__ import annotations

import polars as pl

from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options, Sheet
from unround.formats.systems.cmt.exports import EXPORTS, Export

COLUMNS = ("Reviewer Email", "Left", "Operator", "Right")
HIDDEN = "x"  # stands for a paper that the exporting meta-reviewer may not see
PREFERRED, COMPARABLE = "preferredover", "comparable"


class _Statements:
    """The statements of one kind: a reviewer and two papers."""

    def __init__(self, names: tuple[str, str, str]) -> None:
        self._names = names
        self._rows: list[tuple[str, str, str]] = []
        self._places: list[str] = []

    def add(self, place: str, statement: tuple[str, str, str]) -> None:
        self._rows.append(statement)
        self._places.append(place)

    def sheet(self) -> Sheet:
        schema = dict.fromkeys(self._names, pl.String)
        table = pl.DataFrame(self._rows, schema=schema, orient="row")
        return Sheet(table, self._places.__getitem__)


def read_comparisons(source: Source, options: Options) -> FileContent:
    """Read PreferredOver as pairs and Comparable as 'same'; leave out statements on hidden papers."""
    pairs = _Statements(("reviewer", "better", "worse"))
    same = _Statements(("reviewer", "paper", "same_as"))
    people = _People(source, options)
    hidden, notes = 0, list[str]()
    for export, table, left_out in EXPORTS.tables(source):
        if export is not Export.COMPARISONS:
            continue
        for place, cells in table.records():
            email, left, operator, right = (cells[title.casefold()] for title in COLUMNS)
            kind = operator.replace(" ", "").casefold()
            if kind not in (PREFERRED, COMPARABLE) or not left or not right:
                raise _unreadable(place, operator)
            if HIDDEN in (left.casefold(), right.casefold()):
                hidden += 1
                continue
            statements = pairs if kind == PREFERRED else same
            statements.add(place, (people.known_as(email), left, right))
        notes += left_out
    people.check()
    if hidden:
        what = counted(hidden, "comparison")
        notes.append(f"{what} with a hidden paper (X), which cannot be told apart, left out")
    return FileContent(
        recognised=f"{source.name}: CMT paper comparisons",
        pairs=pairs.sheet(),
        same=same.sheet(),
        notes=tuple(f"{source.name}: {note}" for note in notes),
    )


class _People:
    """Reviewers by e-mail, with their ids in the reviews."""

    def __init__(self, source: Source, options: Options) -> None:
        self._file, self._reviewers = source.name, options.known_reviewers
        self._met: dict[str, str] = {}  # id by e-mail; "" for somebody who wrote no review

    def known_as(self, email: str) -> str:
        """Return the id of the one reviewer with this e-mail, in any case; else the e-mail itself."""
        if email not in self._met:
            found = self._reviewers.find(email)
            exact = [reviewer for reviewer in found if reviewer == email]
            self._met[email] = (exact or found)[0] if len(exact or found) == 1 else ""
        return self._met[email] or email

    def check(self) -> None:
        """Refuse the file if none of its reviewers wrote a review."""
        if self._reviewers and self._met and not any(self._met.values()):
            met, other = min(self._met), self._reviewers[0]["reviewer"]
            raise ImportRefused(
                f"{self._file}: none of its {len(self._met)} reviewers, such as {met!r}, wrote a "
                f"review; the reviews' reviewers are called otherwise, such as {other!r}. Export "
                "the reviews with the column 'Reviewer Email'"
            )


def _unreadable(place: str, operator: str) -> ImportRefused:
    return ImportRefused(
        f"{place} is no comparison: expected a paper, PreferredOver or Comparable, and a paper; "
        f"the operator is {operator[:60]!r}"
    )
