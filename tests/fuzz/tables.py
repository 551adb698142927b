"""Targets whose files are tables: CSV, TSV, SpreadsheetML; test_readers_agree has other kinds."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from random import Random
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from tests.fuzz.mutations import Rows, changed_table, damaged_at_times
from tests.fuzz.plain import (
    OWN_REVIEWER,
    Differs,
    Records,
    check_count,
    check_rows,
    delimited_records,
    record_at,
    same_id,
    same_number,
)
from tests.fuzz.target import KNOWN, NAMES, REVIEWS, Made, Target
from unround.formats.model import Context, FileContent

NAMESPACE = "urn:schemas-microsoft-com:office:spreadsheet"
Checker = Callable[[FileContent, Records, list[str]], None]


def _check(
    names: Sequence[str], others: str, content: FileContent, records: Records, header: list[str]
) -> None:
    """Check that the rows of sheets stand in their records, and that every record is accounted for.

    Notes with the words `others` count records of other sheets.
    """
    sheets = [sheet for name in names if (sheet := getattr(content, name)) is not None]
    anonymous = any(OWN_REVIEWER in note for note in content.notes)
    for sheet in sheets:
        taken = sheet.table.columns[
            anonymous:3
        ]  # after the reviewer two papers, or one and a number
        check_rows(sheet, records, taken, taken[-1] if taken[-1] in ("score", "rank") else "")
    alike = [line for line, cells in records.items() if _alike(cells, header)]
    if sheets and alike:  # else damage has changed the header itself
        at = alike[-1 if any("above the header left out" in note for note in content.notes) else 0]
        above = [cells for line, cells in records.items() if line < at]
        titles = sum(sum(map(bool, cells)) <= 2 for cells in above)  # a comma may cut one in two
        if any("above the header passed over" in note for note in content.notes):
            titles = 0  # they are counted
        notes = [note for note in content.notes if others not in note]
        read = sum(sheet.table.height for sheet in sheets)
        check_count(len(records) - 1 - titles, read, notes)


reviews_in: Checker = partial(_check, ("reviews",), "without a rank")
ranks_in: Checker = partial(_check, ("ranks",), "without a score")
comparisons_in: Checker = partial(_check, ("pairs", "same"), "without a score")


def _alike(cells: list[str], header: list[str]) -> bool:
    """Return whether a record differs from the header in less than half of its cells."""
    return 2 * sum(one != other for one, other in zip_longest(cells, header)) < len(header)


def tags_in(content: FileContent, records: Records, header: list[str]) -> None:
    """Check ranks in one column per reviewer: every cell of a rank column is a rank."""
    if content.ranks is None or content.ranks.table.is_empty():  # then a run is refused
        return
    check_rows(content.ranks, records, ("paper",))
    header = next((cells for cells in records.values() if "ID" in cells), header)
    for row, (reviewer, _, rank) in enumerate(content.ranks.table.iter_rows()):
        cells = record_at(content.ranks.place(row), records)
        own = re.compile(rf"[\W_]*{NAMES[reviewer][:2]}", re.IGNORECASE)
        ranked = [cell for title, cell in zip(header, cells, strict=False) if own.match(title)]
        if not any(same_number(cell, rank) or cell in ("Y", "✓") for cell in ranked):
            raise Differs(f"{content.ranks.place(row)} holds {cells}, not {reviewer} {rank}")
    tagged = [at for at, title in enumerate(header) if "#~" in title]
    if not any("not understood" in note for note in content.notes):
        below = [cells for cells in records.values() if cells != header]
        filled = sum(bool(cells[at]) for cells in below for at in tagged if at < len(cells))
        about_ranks = [note for note in content.notes if "column" not in note]
        check_count(filled, content.ranks.table.height, about_ranks)


def members_in(content: FileContent, records: Records, header: list[str]) -> None:
    """Check that every e-mail stands in a record with its number."""
    for key, email in content.context.members.items():
        number = key.removeprefix("EasyChair member ").removeprefix("EasyChair person ")
        named = [
            cells for cells in records.values() if any(same_id(cell, number) for cell in cells)
        ]
        if not any(same_id(cell, email) for cells in named for cell in cells):
            raise Differs(f"no record has {key} and {email}")
    if "email" in header and not content.notes:
        at = header.index("email")
        stated = {cells[at] for cells in records.values() if len(cells) > at and "@" in cells[at]}
        if missing := stated.difference(map(str.strip, content.context.members.values())):
            raise Differs(f"{missing} left out")


def table(
    name: str, rows: Rows, check: Checker, delimiter: str = ",", *, xml: bool = False
) -> Target:
    """Return a target of delimited text, or of one table in SpreadsheetML."""

    def made(random: Random) -> Made:
        changed = changed_table(rows, delimiter, random)
        data = damaged_at_times(spreadsheetml(changed.rows) if xml else changed.data(), random)
        header = [cell.strip() for cell in changed.rows[changed.header]]

        def checked(content: FileContent) -> None:
            with suppress(ElementTree.ParseError):  # it needs XML with namespaces, and we do not
                records = xml_records(data) if xml else delimited_records(data, changed)
                check(content, records, header)

        return data, checked

    return Target(name, ".xls" if xml else ".csv", made, context=Context(reviewers=KNOWN))


def spreadsheetml(rows: Rows) -> bytes:
    """Write SpreadsheetML 2003, as CMT does; an empty cell is left out."""
    written = ""
    for number, row in enumerate(rows, start=1):
        cells = (
            f'<Cell ss:Index="{column}"><Data ss:Type="String">{escape(cell)}</Data></Cell>'
            for column, cell in enumerate(row, start=1)
            if cell
        )
        written += f'<Row ss:Index="{number}">{"".join(cells)}</Row>'
    return (
        f'<?xml version="1.0"?><Workbook xmlns="{NAMESPACE}" xmlns:ss="{NAMESPACE}">'
        f'<Worksheet ss:Name="Main"><Table>{written}</Table></Worksheet></Workbook>'
    ).encode()


def xml_records(data: bytes) -> dict[int, list[str]]:
    """Return the rows of SpreadsheetML by number."""
    records: dict[int, list[str]] = {}
    number = 0
    for row in ElementTree.fromstring(data).findall(".//{*}Row"):
        number = _index(row, number + 1)
        cells: dict[int, str] = {}
        for cell in row.findall("{*}Cell"):
            column = _index(cell, max(cells, default=0) + 1)
            data = cell.find("{*}Data")
            cells[column] = "" if data is None else "".join(data.itertext()).strip()
        width = max(cells, default=0)
        records[number] = [cells.get(column, "") for column in range(1, width + 1)]
    widest = max(map(len, records.values()), default=0)
    return {n: cells + [""] * (widest - len(cells)) for n, cells in records.items() if any(cells)}


def _index(element: ElementTree.Element, following: int) -> int:
    """Return the number that a row or cell states, in whatever namespace, or else the following one."""
    stated = (value for name, value in element.items() if name.endswith("}Index"))
    return int(next(stated, following))


def rows_of(text: str, line: str = "") -> Rows:
    """Return the rows of a CSV text, and below them such a line for each review."""
    lines = (line.format(**review) for review in REVIEWS if line)
    return [*csv.reader(io.StringIO("\n".join([text, *lines]), newline=""))]


_WRITTEN = "3/13/2021 6:21:39 PM -08:00"
PLAIN = rows_of("reviewer,paper,title,score", "{email},{paper},On {paper},{score}")
HOTCRP = rows_of(
    "paper,title,review,reviewername,email,Overall merit,Reviewer expertise",
    "{paper},On {paper},{paper}{letter},{name},{email},{score},2",
)
SCORES = [["paper", "title", "review", "reviewername", "email", "OveMer", "RevExp"], *HOTCRP[1:]]
CMT = rows_of(
    "Paper ID,Paper Title,Reviewer Name,Reviewer Email,Reviewer Number,Created,Last Modified,"
    "Q1 (Overall score),Q1 (Overall score - Value),Q2 (How confident are you? - Value)",
    f"{{paper}},On {{paper}},{{name}},{{email}},1,{_WRITTEN},{_WRITTEN},Level,{{score}},3",
)
RANKS = rows_of("user,item,rank", "{email},{paper},{score}")
RANKINGS = rows_of("reviewer,paper,rank", "{email},{paper},{score}")
RANK_TAGS = rows_of("paper,action,tag,tag_value", "{paper},tag,{email}~rank,{score}")
PRETALX = rows_of(
    "Score,Proposal ID,Proposal title,Reviewer name,Reviewer email",
    "{score},{paper},On {paper},{name},{email}",
)
COMPARISONS = rows_of(
    "Reviewer Email,Left,Operator,Right", "{email},{paper},PreferredOver,1{paper}"
)
RECIPE = rows_of("forum,profileID,rating,confidence", "f{paper},{email},{score},3")
TAGS = rows_of("""ID,Title,Ann Lee #~rank,Zoë Ek #~rank,Bo Wu #~rank
1,On 1,1,2,
2,On 2,2,,1""")
EASYCHAIR = rows_of(
    "#,submission #,member #,member name,number,version,text,scores,total score,reviewer email,date",
    '1,{paper},7{letter},{name},7{letter},1,Good,"Overall evaluation: {score}\nConfidence: 3",{score},,'
    "2026-01-15",
)
COMMITTEE = rows_of("""#,person #,first name,last name,email,role
1,71,Ann Lee,,ann@example.org,chair
2,72,Zoë Ek,,zoe@example.org,chair
3,73,Bo Wu,,bo@example.org,chair""")

TARGETS: tuple[Target, ...] = (
    table("csv-tables CSV", PLAIN, reviews_in),
    table("csv-tables TSV", PLAIN, reviews_in, "\t"),
    table("csv-tables CSV", RANKINGS, ranks_in),
    table("hotcrp-reviews", HOTCRP, reviews_in),
    table("hotcrp-reviews scores", SCORES, reviews_in),
    table("hotcrp-tags", TAGS, tags_in),
    table("hotcrp-ranks", RANKS, ranks_in),
    table("hotcrp-rank-assignments", RANK_TAGS, ranks_in),
    table("pretalx-reviews", PRETALX, reviews_in),
    table("openreview-reviews", RECIPE, reviews_in),
    table("cmt-reviews XLS", CMT, reviews_in, xml=True),
    table("cmt-reviews CSV", CMT, reviews_in),
    table("cmt-comparisons", COMPARISONS, comparisons_in, "\t"),
    table("easychair-reviews", EASYCHAIR, reviews_in),
    table("easychair-committee", COMMITTEE, members_in),
)
