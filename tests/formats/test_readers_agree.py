"""Whatever is accepted gives the counts and scores of a slow, plain reading of the same file.

Files are made up with cells of known meaning, and with cells that people might write by mistake. The
plain reading knows nothing of the readers: it goes by how each cell was made up.
"""

import csv
import gzip
import io
import json
import re
import zipfile
from collections.abc import Callable

import polars as pl
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.formats.given_files import refused
from unround import Tables
from unround.formats.cells import is_date, read_score
from unround.formats.importer import import_files

NOTHING = ("", "-", "N/A", "none", "No entry", "NaN")
Cell = tuple[str, float | None]  # what is written, and what it means: None for no score
Row = tuple[str, str, Cell]

LEVELS = st.integers(0, 10)
HALVES = st.integers(0, 20).map(lambda n: n / 2)
SCORES: st.SearchStrategy[Cell] = st.one_of(
    LEVELS.map(lambda n: (str(n), float(n))),
    HALVES.map(lambda x: (f"{x}", x)),
    HALVES.map(lambda x: (f"{x}".replace(".", ","), x)),
    LEVELS.map(lambda n: (f"{n}: weak accept", float(n))),
    LEVELS.map(lambda n: (f"{n} (accept)", float(n))),
    LEVELS.map(lambda n: (f" {n} ", float(n))),
    st.sampled_from(NOTHING).map(lambda word: (word, None)),
)
NAMES = st.sampled_from(["ann", "bob@x.org", "zoë", "李明", "O'Neil, Pat", "7"])
PAPERS = st.integers(1, 40).map(str)
ROWS = st.lists(st.tuples(NAMES, PAPERS, SCORES), min_size=1, max_size=12)
HEADERS = st.sampled_from(
    [
        ("reviewer", "paper", "score"),
        ("Reviewer Name", "Paper ID", "Overall Merit"),
        ("Referee", "Manuscript", "Score (1-10)"),
        ("email", "Submission #", "Total score"),
    ]
)
TITLES = st.sampled_from([(), ("Reviews of the conference",), ("Reviews; 2026, all", "as of May")])


def cells_of(header: tuple[str, ...], rows: list[Row]) -> list[list[str]]:
    return [list(header), *([who, paper, cell] for who, paper, (cell, _) in rows)]


def as_text(delimiter: str, end: str, encoding: str) -> Callable[..., bytes]:
    def written(header: tuple[str, ...], rows: list[Row], titles: tuple[str, ...]) -> bytes:
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=delimiter, lineterminator=end)
        writer.writerows([[title] for title in titles])
        writer.writerows(cells_of(header, rows))
        return text.getvalue().encode(encoding)

    return written


def records_of(header: tuple[str, ...], rows: list[Row]) -> list[dict[str, str]]:
    return [dict(zip(header, row, strict=True)) for row in cells_of(header, rows)[1:]]


def as_lines(header: tuple[str, ...], rows: list[Row], _: tuple[str, ...]) -> bytes:
    return "\n".join(map(json.dumps, records_of(header, rows))).encode()


def as_array(header: tuple[str, ...], rows: list[Row], _: tuple[str, ...]) -> bytes:
    return json.dumps(records_of(header, rows), indent=1, ensure_ascii=False).encode()


def as_object(header: tuple[str, ...], rows: list[Row], _: tuple[str, ...]) -> bytes:
    return json.dumps({"venue": "X", "reviews": records_of(header, rows)}).encode()


def as_workbook(header: tuple[str, ...], rows: list[Row], titles: tuple[str, ...]) -> bytes:
    packed = io.BytesIO()
    with xlsxwriter.Workbook(packed, {"strings_to_formulas": False}) as book:
        page = book.add_worksheet("Reviews")
        for number, row in enumerate([*([title] for title in titles), *cells_of(header, rows)]):
            page.write_row(number, 0, row)
        book.add_worksheet("Notes").write_row(0, 0, ["to", "do"])
    return packed.getvalue()


def as_parquet(header: tuple[str, ...], rows: list[Row], _: tuple[str, ...]) -> bytes:
    packed = io.BytesIO()
    cells = cells_of(header, rows)[1:]
    pl.DataFrame(cells, schema=dict.fromkeys(header, pl.String), orient="row").write_parquet(packed)
    return packed.getvalue()


def as_gzip(*parts: object) -> bytes:
    return gzip.compress(as_text(",", "\n", "utf-8")(*parts))


def as_zip(*parts: object) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("conf/reviews.csv", as_text(";", "\r\n", "utf-8")(*parts))
        archive.writestr("conf/notes.txt", "call ann")
    return packed.getvalue()


# How each kind of file is written, and where one of its reviews stands.
FORMATS: dict[str, tuple[Callable[..., bytes], str]] = {
    "csv": (as_text(",", "\n", "utf-8"), "reviews.dat, line {row}"),
    "csv of a spreadsheet": (as_text(";", "\r\n", "utf-8-sig"), "reviews.dat, line {row}"),
    "tsv": (as_text("\t", "\n", "utf-16"), "reviews.dat, line {row}"),
    "json lines": (as_lines, "reviews.dat, line {record}"),
    "json array": (as_array, "reviews.dat, record {record}"),
    "json object": (as_object, "reviews.dat, 'reviews', record {record}"),
    "xlsx": (as_workbook, "reviews.dat, sheet 'Reviews', row {row}"),
    "parquet": (as_parquet, "reviews.dat, row {record}"),
    "gzip": (as_gzip, "reviews.dat, line {row}"),
    "zip": (as_zip, "reviews.csv, line {row}"),
}


def left_out(imported: Tables) -> int:
    told = re.search(r"(\d+) reviews? without a score left out", " ".join(imported.notes))
    return int(told.group(1)) if told else 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMATS)
@settings(max_examples=60, deadline=None)
@given(header=HEADERS, rows=ROWS, titles=TITLES)
def test_cells_of_known_meaning(
    tmp_path_factory: pytest.TempPathFactory,
    kind: str,
    header: tuple[str, ...],
    rows: list[Row],
    titles: tuple[str, ...],
):
    write, place = FORMATS[kind]
    path = tmp_path_factory.mktemp("made") / "reviews.dat"
    path.write_bytes(write(header, rows, titles))
    expected = [
        (who, paper, score, place.format(record=record, row=len(titles) + 1 + record))
        for record, (who, paper, (_, score)) in enumerate(rows, start=1)
        if score is not None
    ]
    imported = import_files([path])
    found = [
        (str(who), str(paper), float(score), imported.place("reviews", row))
        for row, (who, paper, score) in enumerate(imported.reviews.rows())
    ]
    assert found == expected
    assert left_out(imported) == len(rows) - len(expected)


NEAR = st.one_of(
    st.text("0123456789.,/:()-=+ abMay", max_size=9),
    st.sampled_from(["TBD", "3-Apr", "1e3", "2026-03-04", "8/", "(8", "8)", "1.2.3", "5,000", "½"]),
)


@settings(max_examples=300, deadline=None)
@given(cells=st.lists(NEAR, min_size=1, max_size=8))
def test_cells_that_people_write_by_mistake(
    tmp_path_factory: pytest.TempPathFactory, cells: list[str]
):
    """A score is never a number that is not written there; what is left out is counted."""
    path = tmp_path_factory.mktemp("near") / "r.tsv"
    rows = [f"r{number}\t1\t{cell}" for number, cell in enumerate(cells)]
    path.write_text("\n".join(["reviewer\tpaper\tscore", *rows, ""]), "utf-8")
    filled = {cell.strip() for cell in cells if read_score(cell)}
    if 2 * sum(map(is_date, filled)) > len(filled):
        with refused("scores are dates"):
            import_files([path])
        return
    imported = import_files([path])
    table = imported.reviews
    assert table.height + left_out(imported) == len(cells)
    for who, _, score in table.rows():
        cell = cells[int(who.removeprefix("r"))].strip()
        if str(score).isalpha():
            assert cell.startswith(score)
        elif score != cell:
            numbers = re.findall(r"[0-9]*\.?[0-9]+", cell.replace(",", "."))
            assert any(float(number) == abs(float(score)) for number in numbers)
