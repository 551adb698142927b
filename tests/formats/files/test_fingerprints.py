"""The record of a run names the bytes that were read."""

import gzip
import hashlib
from pathlib import Path

import pytest

import unround
from tests.formats.given_files import refused, written
from unround.formats import inputs
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.runs.record import run_record

TEXT = "reviewer,paper,score\nann,1,4\nann,2,5\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return written(tmp_path, "reviews.csv", TEXT)


def test_a_file_that_changes_after_reading_keeps_the_hash_of_what_was_read(table: Path) -> None:
    tables = unround.read(table)
    table.write_text(TEXT.replace("5", "3"), "utf-8")
    record = run_record(unround.dequantize(tables, lam=1.0))
    assert record["inputs"] == [
        {"file": "reviews.csv", "sha256": hashlib.sha256(TEXT.encode()).hexdigest()}
    ]


def test_an_archive_that_changes_after_it_was_unpacked_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = written(tmp_path, "reviews.csv.gz", gzip.compress(TEXT.encode()))
    unpack = inputs._gunzip

    def unpack_and_swap(source: Source, target: Path) -> None:
        unpack(source, target)
        packed.write_bytes(gzip.compress(TEXT.replace("5", "3").encode()))

    monkeypatch.setattr(inputs, "_gunzip", unpack_and_swap)
    with refused(r"reviews.csv.gz changed while it was read"):
        import_files([packed])


@pytest.mark.parametrize("how", ["written", "replaced", "removed"])
def test_a_file_that_changes_while_it_is_read_is_refused(
    table: Path, tmp_path: Path, how: str
) -> None:
    def swap(done: int, total: int) -> None:
        if how == "written":
            table.write_text(TEXT.replace("5", "3"), "utf-8")
        elif how == "replaced":
            written(tmp_path, "other", TEXT.replace("5", "3")).replace(table)
        else:
            table.unlink()

    with refused(r"reviews.csv changed while it was read"):
        import_files([table], progress=swap)
