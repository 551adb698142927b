"""One conference in every format, as files, as a folder, as a ZIP and gzipped: the same every time.

With UNROUND_ICLR_2026, the path of the public scores of ICLR 2026, a tenth of its reviews is read
too, and as CSV all 75,848.
"""

from __future__ import annotations

import gzip
import os
import shutil
from functools import cache
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from tests.formats.every_format import FORMATS, consecutive, dressed_up, small
from unround.formats.importer import Imported, import_files
from unround.formats.synthetic import NamedConference

ICLR_2026 = os.environ.get("UNROUND_ICLR_2026", "")
PACKINGS = ("files", "folder", "zip", "gz")
# Reading many reviews takes long each time, and a ZIP is unpacked into a folder.
MANY, PACKINGS_OF_MANY = 1_000, ("zip",)
NUMBER = r"([0-9]{5})"  # every system names reviewers by a number of five digits


needs_iclr = [
    pytest.mark.slow,
    pytest.mark.skipif(not ICLR_2026, reason="UNROUND_ICLR_2026 is not set"),
]
CASES = [
    *(("small", name) for name in FORMATS),
    *(pytest.param("ICLR 2026", name, marks=needs_iclr) for name in FORMATS),
    pytest.param("all of ICLR 2026", "csv", marks=needs_iclr),
]


@cache
def conference_of(size: str) -> NamedConference:
    if size == "small":
        return small()
    return dressed_up(Path(ICLR_2026), None if size.startswith("all") else 7_500)


def packed(folder: Path, packing: str) -> list[Path]:
    files = sorted(folder.iterdir())
    if packing == "folder":
        return [folder]
    if packing == "zip":
        return [Path(shutil.make_archive(str(folder), "zip", folder))]
    return [gzipped(path) for path in files] if packing == "gz" else files


def gzipped(path: Path) -> Path:
    target = path.with_name(path.name + ".gz")
    with path.open("rb") as file, gzip.open(target, "wb", compresslevel=1) as packed_file:
        shutil.copyfileobj(file, packed_file)
    path.unlink()
    return target


def reviews_of(table: pl.DataFrame) -> pl.DataFrame:
    """Reviewers by their number, which every system's name for them holds."""
    number = pl.col("reviewer").str.extract(NUMBER).cast(pl.Int64)
    return table.select(
        number.alias("reviewer"), pl.col("paper").cast(pl.Int64), pl.col("score").cast(pl.Float64)
    ).sort("reviewer", "paper")


def statements_of(imported: Imported) -> pl.DataFrame:
    """Each reviewer's papers in order, and which neighbours are told apart."""
    (sheet,) = imported.rankings
    table = sheet.table
    if "rank" in table.columns:
        ordered = table.sort("reviewer", "rank")
        worse = pl.col("paper").shift(-1).over("reviewer")
        table = ordered.select("reviewer", better="paper", worse=worse).drop_nulls()
    number = pl.col("reviewer").str.extract(NUMBER).cast(pl.Int64)
    return table.select(
        number.alias("reviewer"), *(pl.col(name).cast(pl.Int64) for name in ("better", "worse"))
    ).sort("reviewer", "better", "worse")


@pytest.mark.parametrize(("size", "name"), CASES)
def test_every_format_reads_alike(size: str, name: str, tmp_path: Path) -> None:
    conference = conference_of(size)
    given = consecutive(conference) if name.startswith("hotcrp") else conference
    expected = reviews_of(given.reviews)
    pairs = conference.rankings.sort("reviewer", "rank").select(
        pl.col("reviewer").str.extract(NUMBER).cast(pl.Int64),
        better=pl.col("paper"),
        worse=pl.col("paper").shift(-1).over("reviewer"),
    )
    expected_pairs = pairs.drop_nulls().sort("reviewer", "better", "worse")
    written = tmp_path / "written"
    written.mkdir()
    FORMATS[name](conference, written)
    for packing in PACKINGS if conference.reviews.height < MANY else PACKINGS_OF_MANY:
        folder = tmp_path / packing / name
        shutil.copytree(written, folder)
        imported = import_files(packed(folder, packing))
        assert_frame_equal(reviews_of(imported.reviews.table), expected)
        assert_frame_equal(statements_of(imported), expected_pairs)
        shutil.rmtree(tmp_path / packing)
