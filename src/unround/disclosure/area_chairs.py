"""Area chairs and their papers, from the table of papers or from one of their own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from unround.errors import UsageError
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, read_table
from unround.formats.model import ImportRefused
from unround.formats.systems.plain import columns_by_role
from unround.wording import option

EMAILS = ("email", "e-mail", "mail")
Row = tuple[str, str, str]  # area chair, paper, e-mail or an empty text


@dataclass(frozen=True)
class AreaChair:
    """An area chair by name, with the ids of their papers as text."""

    name: str
    papers: frozenset[str]
    email: str | None = None


class TableRefused(ImportRefused):
    """A table of area chairs with mistakes; `mistakes` lists them all."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("; ".join(self.mistakes))


def area_chairs_of(papers: pl.DataFrame) -> list[AreaChair]:
    """Return the area chairs that a table of papers names, by name.

    E-mails are those of area_chair_email, one for each area chair of a paper, or stand in the names.
    """
    if "area_chair" not in papers.columns:
        return []
    known = [name for name in ("area_chair", "area_chair_email") if name in papers.columns]
    cells = papers.select(pl.col("paper", *known).cast(pl.String)).drop_nulls("area_chair")
    origins, rows = [], []
    for paper, chairs, *written in cells.iter_rows():
        names, emails = people_in(chairs), people_in("".join(filter(None, written)))
        if len(emails) != len(names):
            emails = [""] * len(names)
        for name, email in zip(names, emails, strict=True):
            origins.append(f"paper {paper}")
            rows.append((name, paper, email or _email(name)))
    _refuse(namesakes(origins, rows))
    return gathered(rows)


def read_area_chairs(path: Path) -> list[AreaChair]:
    """Read area chairs from a CSV, TSV or XLSX table with area_chair, paper and perhaps email.

    All mistakes are reported together.
    """
    source = Source(path)
    table = read_table(source)
    columns = columns_by_role(table.header, {})
    missing = [name for name in ("area_chair", "paper") if name not in columns]
    if missing:
        raise TableRefused(
            [
                f"{source.name} has no column {' and no column '.join(missing)}; found: "
                f"{', '.join(table.header)}"
            ]
        )
    names = _texts(table, columns["area_chair"])
    papers = _texts(table, columns["paper"])
    plain = (name for name in table.header if name.strip().lower() in EMAILS)
    mail = columns.get("area_chair_email") or next(plain, None)
    emails = _texts(table, mail) if mail is not None else [""] * len(names)
    origins = [table.place(row) for row in range(len(names))]
    rows = list(zip(names, papers, emails, strict=True))
    _refuse([*_gaps(origins, rows), *namesakes(origins, rows)])
    return gathered(rows)


def with_papers_among(
    papers: pl.DataFrame, chairs: Sequence[AreaChair]
) -> tuple[list[AreaChair], int]:
    """Return the area chairs with those of their papers that are there, and how many others they have."""
    known = frozenset(papers["paper"].cast(pl.String).to_list())
    found = [replace(chair, papers=chair.papers & known) for chair in chairs]
    strangers = frozenset[str]().union(*(chair.papers for chair in chairs)) - known
    return [chair for chair in found if chair.papers], len(strangers)


def area_chairs_of_run(papers: pl.DataFrame, table: Path | None) -> tuple[list[AreaChair], int]:
    """Return the area chairs with a paper in the run, and how many papers of the table are not in it.

    papers  those of the run, which name the area chairs if there is no table
    """
    if table is None:
        chairs = area_chairs_of(papers)
        if not chairs:
            raise UsageError(
                "the run names no area chairs; give a table of area_chair and paper with "
                f"{option('areachairs')}"
            )
        return chairs, 0
    chairs, strangers = with_papers_among(papers, read_area_chairs(table))
    if not chairs:
        raise UsageError(f"no paper of {table.name} is in the run: are they the same ids?")
    return chairs, strangers


def people_in(cell: str) -> list[str]:
    """Everyone in a cell. A comma parts profile ids and e-mails, but belongs to "Lee, Ann"."""
    parts = [part.strip() for part in re.split("[;,]", cell)]
    if not all(part.startswith("~") or "@" in part for part in parts if part):
        parts = [part.strip() for part in cell.split(";")]
    return [part for part in parts if part]


def _email(name: str) -> str:
    """Return the e-mail in a name such as "Ann Lee <ann@x.org>", or an empty text.

    >>> _email("Ann Lee <ann@x.org>"), _email("~Ann_Lee1")
    ('ann@x.org', '')
    """
    found = re.search(r"[^\s<>()]+@[^\s<>()]+", name)
    return found.group() if found else ""


def _texts(table: Table, column: str) -> list[str]:
    return table.column(column).cast(pl.String).fill_null("").str.strip_chars().to_list()


def _refuse(mistakes: Iterable[str]) -> None:
    if found := tuple(mistakes):
        raise TableRefused(found)


def _gaps(origins: Sequence[str], rows: Sequence[Row]) -> Iterable[str]:
    for origin, (name, paper, _) in zip(origins, rows, strict=True):
        if not name or not paper:
            yield f"{origin}: {'the paper' if name else 'the area chair'} is missing"


def namesakes(origins: Sequence[str], rows: Sequence[Row]) -> Iterable[str]:
    """One name with two e-mails may be two people, who must not get each other's papers."""
    known: dict[str, str] = {}
    for origin, (name, _, email) in zip(origins, rows, strict=True):
        if email and known.setdefault(name, email).casefold() != email.casefold():
            yield (
                f"{origin}: {name} has the e-mails {known[name]} and {email}; "
                "if they are two people, give them different names"
            )


def gathered(rows: Iterable[Row]) -> list[AreaChair]:
    """Return the area chairs of all rows, by name, each with their papers and first e-mail."""
    papers: dict[str, set[str]] = {}
    emails: dict[str, str] = {}
    for name, paper, email in rows:
        papers.setdefault(name, set()).add(paper)
        if email:
            emails.setdefault(name, email)
    return [AreaChair(name, frozenset(papers[name]), emails.get(name)) for name in sorted(papers)]
