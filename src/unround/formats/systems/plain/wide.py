"""Turn tables with many papers per row into tables with one: orders, rank columns, matrices."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import polars as pl

from unround.formats.cells import EMPTY_WORDS, counted
from unround.formats.files.source import Source
from unround.formats.files.tables import Table
from unround.formats.model import ImportRefused
from unround.wording import option

# "Rank 1", "1st", "2nd choice", "Place #3"; a bare number may be a paper.
_RANK_COLUMN = re.compile(
    r"(?:(?:rank|ranked|place|choice|position)\s*#?\s*([0-9]{1,3})"
    r"|([0-9]{1,3})(?:st|nd|rd|th)(?:\s+(?:choice|place|rank))?)",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:anon)?(?:reviewer|referee|rev|r)?[\s#_.-]*[0-9]+", re.IGNORECASE)
PAPER_NUMBER = re.compile(r"(?:paper|submission|p|sub)?[\s#_.-]*[0-9]+", re.IGNORECASE)
_ABOVE, _BESIDE, _LISTED = (
    re.compile(r"\s*[>≻]\s*"),
    re.compile(r"\s*[=~≈]\s*"),
    re.compile(r"\s*[,;]\s*"),
)
_JSON_LIST = re.compile(r"^\[([^\[\]]*)\]$")
_VALUE = re.compile(r"\s*(?:[+-]?[0-9]|[A-Z]\s*$)")
LongTable = tuple[Table, str]  # one paper per row, and what was assumed about the wide table
NUMBERED = "reviewers are numbered within each paper: each review counts as a reviewer of its own"


def rank_columns(header: Sequence[str]) -> dict[str, int]:
    """Return the rank that each column "Rank 1", "Rank 2", .. holds, if they count from 1."""
    matches = {name: _RANK_COLUMN.fullmatch(name.strip()) for name in header}
    ranks = {
        name: int(found.group(1) or found.group(2)) for name, found in matches.items() if found
    }
    return ranks if len(ranks) > 1 and sorted(ranks.values()) == [*range(1, len(ranks) + 1)] else {}


def matrix_columns(header: Sequence[str], roles: Mapping[str, str]) -> list[str]:
    """Return the columns of reviewers in a table of papers, or of papers in one of reviewers."""
    if ("paper" in roles) == ("reviewer" in roles):
        return []
    is_one: Callable[[str], object] = _is_person if "paper" in roles else PAPER_NUMBER.fullmatch
    columns = [name for name in header if name not in roles.values() and is_one(name.strip())]
    return columns if len(columns) > 1 else []


def _is_person(name: str) -> bool:
    """Return whether a column is a reviewer's: a word such as Clarity may be a criterion."""
    return "@" in name or _ORDINAL.fullmatch(name) is not None


def may_be_wide(name: str) -> bool:
    """Return whether a column may be one of a wide table's."""
    text = name.strip()
    return bool(_is_person(text) or PAPER_NUMBER.fullmatch(text) or _RANK_COLUMN.fullmatch(text))


def may_be_matrix(header: Sequence[str]) -> bool:
    """Return whether a header lists reviewers, or papers, and nothing else."""
    names = [name.strip() for name in header if name.strip()]
    return len(names) > 1 and all(
        _is_person(name) or PAPER_NUMBER.fullmatch(name) for name in names
    )


def is_wide(header: Sequence[str], roles: Mapping[str, str]) -> bool:
    """Return whether a table has many papers, or many reviewers, per row."""
    if "reviewer" in roles and "paper" not in roles and ("rank" in roles or rank_columns(header)):
        return True
    return not {"rank", "better"} & roles.keys() and bool(matrix_columns(header, roles))


def as_long(source: Source, table: Table, roles: Mapping[str, str]) -> LongTable | None:
    """Return a wide table with one paper per row, and what was assumed; None if a matrix holds no scores."""
    ranks = rank_columns(table.header)
    if "reviewer" in roles and ranks:
        return _from_rank_columns(table, roles["reviewer"], ranks)
    if "reviewer" in roles and "rank" in roles:
        return _from_orders(source, table, roles["reviewer"], roles["rank"])
    return _from_matrix(source, table, roles)


def _from_rank_columns(table: Table, reviewer: str, ranks: Mapping[str, int]) -> LongTable:
    people = table.texts(reviewer)
    rows = [
        (at, people[at], paper, str(rank))
        for name, rank in ranks.items()
        for at, cell in enumerate(table.texts(name))
        for paper in _BESIDE.split(cell.strip())
        if paper.casefold() not in EMPTY_WORDS
    ]
    note = f"columns {', '.join(list(ranks)[:2])} .. taken for the papers that a reviewer ranks"
    return _long(table, rows, "rank"), note


def _from_orders(source: Source, table: Table, reviewer: str, order: str) -> LongTable:
    """Read orders such as A > B = C, best first; without any > also A, B, C."""
    people = table.texts(reviewer)
    cells = [
        _JSON_LIST.sub(lambda list_: list_[1].replace('"', ""), cell) for cell in table.texts(order)
    ]
    orders = ["" if cell.strip().casefold() in EMPTY_WORDS else cell for cell in cells]
    separator = _ABOVE if any(_ABOVE.search(cell) for cell in orders) else _LISTED
    several = sum(separator.search(cell) is not None for cell in orders)
    # A cell without a separator is an order of one paper, or the rank of a paper named elsewhere.
    if 2 * several <= sum(cell != "" for cell in orders):
        raise ImportRefused(
            f"{source.name}: column {order!r} holds neither orders such as 'A > B > C' nor ranks of a "
            f"paper: no column is the paper. Name it: {option('columns', 'paper=..')}"
        )
    rows = [
        (at, people[at], paper, str(rank))
        for at, cell in enumerate(orders)
        for rank, tier in enumerate(separator.split(cell.strip()), start=1)
        for paper in _BESIDE.split(tier)
        if paper
    ]
    example = next(cell for cell in orders if separator.search(cell))
    note = f"{order!r} taken for orders, best first, as in {example[:60]!r}"
    return _long(table, rows, "rank"), note


def _from_matrix(source: Source, table: Table, roles: Mapping[str, str]) -> LongTable | None:
    """Read the cells of papers x reviewers, or of reviewers x papers: scores, or ranks if called so."""
    columns = matrix_columns(table.header, roles)
    role = "paper" if "paper" in roles else "reviewer"
    value = (
        "rank"
        if source.given_as_ranking or "rank" in f"{source.name} {table.sheet}".casefold()
        else "score"
    )
    down = table.texts(roles[role])
    across = {name: table.texts(name) for name in columns}
    shape = "papers x reviewers" if role == "paper" else "reviewers x papers"
    ordinal = role == "paper" and _count_within_papers(columns, across)
    rows = [
        (at, *_keys(role, down[at], f"{down[at]}/{number}" if ordinal else name), cells[at])
        for number, (name, cells) in enumerate(across.items(), start=1)
        for at in range(len(down))
        if cells[at].strip().casefold() not in EMPTY_WORDS
    ]
    if not any(_VALUE.match(row[3]) for row in rows):
        return None  # it may say who reviews what
    long = _long(table, rows, value)
    note = f"taken for {shape}: {counted(len(rows), value)}, {counted(len(columns), 'column')}"
    note += f"; {roles['score']!r} not used" if "score" in roles else ""
    return long, f"{note}; {NUMBERED}" if ordinal else note


def _keys(role: str, down: str, across: str) -> tuple[str, str]:
    return (across, down) if role == "paper" else (down, across)


def _count_within_papers(columns: Sequence[str], across: Mapping[str, list[str]]) -> bool:
    """Return whether "Reviewer 1", "Reviewer 2", .. are filled from the left: the reviews of a paper."""
    if not all(_ORDINAL.fullmatch(name.strip()) for name in columns):
        return False
    rows = zip(*(across[name] for name in columns), strict=True)
    filled = ([cell.strip().casefold() not in EMPTY_WORDS for cell in row] for row in rows)
    return all(sorted(row, reverse=True) == row for row in filled)


def _long(table: Table, rows: Sequence[tuple[int, str, str, str]], value: str) -> Table:
    names = ["reviewer", "paper", value]
    frame = pl.DataFrame(
        [row[1:] for row in rows], schema=dict.fromkeys(names, pl.String), orient="row"
    )
    at = [row[0] for row in rows]
    return replace(
        table, data=frame, place=lambda row: table.place(at[row]), header=names, repeated=()
    )
