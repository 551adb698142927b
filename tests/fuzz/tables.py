"""Targets whose files are tables: CSV, TSV, SpreadsheetML; test_readers_agree has other kinds."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from tests.fuzz.mutations import Rows, Table, changed_table, damaged_at_times
from tests.fuzz.plain import (
    Differs,
    Records,
    check_count,
    check_rows,
    delimited_records,
    same_id,
    same_number,
    told,
)
from tests.fuzz.target import KNOWN, REVIEWS, Made, Target
from unround.formats.model import FileContent, Options, Sheet

NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"
OWN_REVIEWER = "reviewer of its own"
Checker = Callable[[FileContent, Records, list[str]], None]


def reviews_in(content: FileContent, records: Records, header: list[str]) -> None:
    """Check reviews: paper, score and reviewer stand in their record, and every record is told."""
    if content.reviews is None:
        return
    check_rows(content.reviews, records, ("paper", "score"), "score")
    if not any(OWN_REVIEWER in note for note in content.notes):
        _check_reviewers(content.reviews, records)
    about_reviews = tuple(note for note in content.notes if "without a rank" not in note)
    content = replace(content, notes=about_reviews)
    _count_below(records, header, content.reviews.table.height, content)


def _check_reviewers(sheet: Sheet, records: Records) -> None:
    for row, reviewer in enumerate(sheet.table["reviewer"]):
        line = int(re.findall(r"[0-9]+", sheet.place(row))[-1])
        text = str(reviewer if reviewer is not None else "")
        name = text.partition(" (member ")[0]
        if not any(same_id(cell, name) for cell in records[line]):
            raise Differs(f"{sheet.place(row)} does not name the reviewer {reviewer!r}")


def ranks_in(content: FileContent, records: Records, header: list[str]) -> None:
    """Check ranks in one row each."""
    if content.ranks is not None:
        check_rows(content.ranks, records, ("paper", "rank"), "rank")
        about_ranks = tuple(note for note in content.notes if "without a score" not in note)
        content = replace(content, notes=about_ranks)
        _count_below(records, header, content.ranks.table.height, content)


def tags_in(content: FileContent, records: Records, header: list[str]) -> None:
    """Check ranks in one column per reviewer: every cell of a rank column is a rank."""
    if content.ranks is None:
        return
    names = {person["reviewer"]: person["reviewer_name"].casefold() for person in KNOWN}
    header = next((cells for cells in records.values() if "ID" in cells), header)
    for row, (reviewer, paper, rank) in enumerate(content.ranks.table.iter_rows()):
        cells = records[int(re.findall(r"[0-9]+", content.ranks.place(row))[-1])]
        own = [
            at for at, title in enumerate(header) if _letters(title).startswith(names[reviewer][:2])
        ]
        ranked = any(same_number(cells[at], rank) or cells[at] in ("Y", "✓") for at in own)
        if paper not in cells or not ranked:
            raise Differs(
                f"{content.ranks.place(row)} holds {cells}, not {reviewer} {paper} {rank}"
            )
    tagged = [at for at, title in enumerate(header) if "#~" in title]
    if any("not understood" in note for note in content.notes):
        return
    below = [cells for cells in records.values() if cells != header]
    filled = sum(bool(cells[at]) for cells in below for at in tagged if at < len(cells))
    about_ranks = tuple(note for note in content.notes if "column" not in note)
    check_count(filled, content.ranks.table.height, replace(content, notes=about_ranks))


def _letters(title: str) -> str:
    return "".join(letter for letter in title.casefold() if letter.isalpha())


def comparisons_in(content: FileContent, records: Records, header: list[str]) -> None:
    """Check pairs and statements of likeness."""
    read = 0
    for sheet, names in (
        (content.pairs, ("better", "worse")),
        (content.same, ("paper", "same_as")),
    ):
        if sheet is not None:
            check_rows(sheet, records, names)
            read += sheet.table.height
    if content.pairs is not None:
        _count_below(records, header, read, content)


def members_in(content: FileContent, records: Records, header: list[str]) -> None:
    """Check that every e-mail stands in a record with its number."""
    for key, email in content.members.items():
        number = key.removeprefix("EasyChair member ").removeprefix("EasyChair person ")
        if not any(number in cells and email in cells for cells in records.values()):
            raise Differs(f"no record has {key} and {email}")


def _alike(cells: list[str], header: list[str]) -> bool:
    """Return whether a record differs from the header in less than half of its cells."""
    return 2 * sum(one != other for one, other in zip(cells, header, strict=False)) < len(header)


def _count_below(records: Records, header: list[str], read: int, content: FileContent) -> None:
    """Check the number of records below the header, unless damage has changed the header itself."""
    at = next((line for line, cells in records.items() if _alike(cells, header)), None)
    if at is not None:
        below = sum(line > at for line in records)
        repeated = sum(line > at and _alike(cells, header) for line, cells in records.items())
        notes = tuple(note for note in content.notes if "header" not in note)
        # A row that repeats the header is told as such, or as one without a rank; and a second
        # header makes the rows between the two rows above it.
        left_out = told(content.notes, above=True)
        told_all = left_out in (below - read, len(records) - 1 - read)
        if not told_all and below - repeated != read + told(notes):
            check_count(below, read, replace(content, notes=notes))


def delimited(
    name: str, rows: Rows, check: Checker, delimiter: str = ",", **options: object
) -> Target:
    """Return a target of delimited text."""

    def made(random: Random) -> Made:
        table = changed_table(Table(rows, delimiter=delimiter), random)
        data = damaged_at_times(table.data(), random)

        def checked(content: FileContent) -> None:
            records = delimited_records(data, table.delimiter, table.encoding)
            header = [cell.strip() for cell in table.rows[table.header]]
            check(content, records, header)

        return data, checked

    return Target(name, ".csv", made, Options(known_reviewers=KNOWN, **options))  # type: ignore[arg-type]


def workbook(name: str, rows: Rows) -> Target:
    """Return a target of one table in SpreadsheetML."""

    def made(random: Random) -> Made:
        table = changed_table(Table(rows), random)
        data = damaged_at_times(spreadsheetml(table.rows), random)
        header = [cell.strip() for cell in table.rows[table.header]]

        def checked(content: FileContent) -> None:
            # The plain reading needs XML with namespaces, and we do not.
            with suppress(ElementTree.ParseError):
                reviews_in(content, xml_records(data), header)

        return data, checked

    return Target(name, ".xls", made, Options(known_reviewers=KNOWN))


def spreadsheetml(rows: Rows) -> bytes:
    """Write SpreadsheetML 2003, as CMT does; an empty cell is left out."""
    written = "".join(
        f'<Row ss:Index="{number}">{_cells(row)}</Row>' for number, row in enumerate(rows, start=1)
    )
    return (
        f'<?xml version="1.0"?><Workbook xmlns="{NAMESPACE}" xmlns:ss="{NAMESPACE}">'
        f'<Worksheet ss:Name="Main"><Table>{written}</Table></Worksheet></Workbook>'
    ).encode()


def _cells(row: Sequence[str]) -> str:
    return "".join(
        f'<Cell ss:Index="{column}"><Data ss:Type="String">{escape(cell)}</Data></Cell>'
        for column, cell in enumerate(row, start=1)
        if cell
    )


def xml_records(data: bytes) -> dict[int, list[str]]:
    """Return the rows of SpreadsheetML by number."""
    index, records = f"{{{NAMESPACE}}}Index", dict[int, list[str]]()
    number = 0
    for row in ElementTree.fromstring(data).findall(".//{*}Row"):
        number = int(row.get(index, number + 1))
        cells: dict[int, str] = {}
        for cell in row.findall("{*}Cell"):
            column = int(cell.get(index, max(cells, default=0) + 1))
            cells[column] = "".join(cell.itertext()).strip()
        width = max(cells, default=0)
        records[number] = [cells.get(column, "") for column in range(1, width + 1)]
    widest = max(map(len, records.values()), default=0)
    return {n: cells + [""] * (widest - len(cells)) for n, cells in records.items() if any(cells)}


def rows_of(
    header: str, line: Callable[[tuple[str, str, str, int, int]], Iterable[object]]
) -> Rows:
    table = list(csv.reader([header]))
    return [*table, *([str(cell) for cell in line(review)] for review in REVIEWS)]


CMT_HEADER = (
    "Paper ID,Paper Title,Reviewer Name,Reviewer Email,Reviewer Number,Created,Last Modified,"
    "Q1 (Overall score),Q1 (Overall score - Value),Q2 (How confident are you? - Value)"
)
_WRITTEN = "3/13/2021 6:21:39 PM -08:00"
PLAIN = rows_of("reviewer,paper,title,score", lambda r: (r[1], r[3], f"On {r[3]}", r[4]))
HOTCRP = rows_of(
    "paper,title,review,reviewername,email,Overall merit,Reviewer expertise",
    lambda r: (r[3], f"On {r[3]}", f"{r[3]}{r[2]}", r[0], r[1], r[4], 2),
)
SCORES = [["paper", "title", "review", "reviewername", "email", "OveMer", "RevExp"], *HOTCRP[1:]]
CMT = rows_of(
    CMT_HEADER,
    lambda r: (r[3], f"On {r[3]}", r[0], r[1], 1, _WRITTEN, _WRITTEN, "Level", r[4], 3),
)
RANKS = rows_of("user,item,rank", lambda r: (r[1], r[3], r[4]))
RANKINGS = rows_of("reviewer,paper,rank", lambda r: (r[1], r[3], r[4]))
RANK_TAGS = rows_of("paper,action,tag,tag_value", lambda r: (r[3], "tag", f"{r[1]}~rank", r[4]))
PRETALX = rows_of(
    "Score,Proposal ID,Proposal title,Reviewer name,Reviewer email",
    lambda r: (r[4], r[3], f"On {r[3]}", r[0], r[1]),
)
COMPARISONS = rows_of(
    "Reviewer Email,Left,Operator,Right", lambda r: (r[1], r[3], "PreferredOver", r[3] + 1)
)
RECIPE = rows_of("forum,profileID,rating,confidence", lambda r: (f"f{r[3]}", r[1], r[4], 3))
TAGS = [
    ["ID", "Title", *(f"{person['reviewer_name']} #~rank" for person in KNOWN)],
    *(
        [str(paper), f"On {paper}", *map(str, ranks)]
        for paper, ranks in ((1, (1, 2, "")), (2, (2, "", 1)))
    ),
]
EASYCHAIR = rows_of(
    "#,submission #,member #,member name,number,version,text,scores,total score,reviewer email,date",
    lambda r: (
        *(1, r[3], ord(r[2]), r[0], ord(r[2]), 1, "Good"),
        *(f"Overall evaluation: {r[4]}\nConfidence: 3", r[4], "", "2026-01-15"),
    ),
)
COMMITTEE = [
    ["#", "person #", "first name", "last name", "email", "role"],
    *(
        [str(number), str(70 + number), person["reviewer_name"], "", person["reviewer"], "chair"]
        for number, person in enumerate(KNOWN, start=1)
    ),
]

TARGETS: tuple[Target, ...] = (
    delimited("csv-reviews CSV", PLAIN, reviews_in),
    delimited("csv-reviews TSV", PLAIN, reviews_in, "\t"),
    delimited("csv-rankings CSV", RANKINGS, ranks_in),
    delimited("hotcrp-reviews", HOTCRP, reviews_in),
    delimited("hotcrp-reviews scores", SCORES, reviews_in),
    delimited("hotcrp-tags", TAGS, tags_in),
    delimited("hotcrp-ranks", RANKS, ranks_in),
    delimited("hotcrp-rank-assignments", RANK_TAGS, ranks_in),
    delimited("pretalx-reviews", PRETALX, reviews_in),
    delimited("openreview-reviews", RECIPE, reviews_in),
    workbook("cmt-reviews XLS", CMT),
    delimited("cmt-reviews CSV", CMT, reviews_in),
    delimited("cmt-comparisons", COMPARISONS, comparisons_in, "\t"),
    delimited("easychair-reviews", EASYCHAIR, reviews_in),
    delimited("easychair-committee", COMMITTEE, members_in),
)
