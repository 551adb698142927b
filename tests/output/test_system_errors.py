"""Why the system refused to write is told in words, whichever library met it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from unround.errors import NotWritten
from unround.output.tables import write_csv, write_xlsx
from unround.output.targets import raising_not_written, refuse_full_disk, system_reason

FULL = Path("/dev/full")
TABLE = pl.DataFrame({"paper": ["a", "b"], "score": [1.5, 2.5]})
pytestmark = pytest.mark.skipif(not FULL.is_char_device(), reason="no device that is always full")


@pytest.mark.parametrize(
    "write",
    [
        lambda: write_csv(TABLE, FULL),
        lambda: TABLE.write_parquet(FULL),
        lambda: write_xlsx({"Papers": TABLE}, FULL),
        lambda: FULL.write_text("rows"),
    ],
    ids=["csv", "parquet", "xlsx", "text"],
)
def test_every_writer_tells_a_full_disk(write: Callable[[], object]) -> None:
    with (
        pytest.raises(NotWritten, match=r"^out cannot be written: the disk is full; .* Left\.$"),
        raising_not_written(Path("out"), "Left."),
    ):
        write()


def test_the_error_behind_an_error_counts_and_others_stay_what_they_are() -> None:
    assert system_reason(ValueError("a number")) is None
    assert system_reason(ConnectionRefusedError(111, "Connection refused")) is None
    with pytest.raises(ZeroDivisionError), raising_not_written(Path("out"), ""):
        _ = 1 / 0
    error = RuntimeError("could not save")
    error.__cause__ = PermissionError(13, "Permission denied")
    assert system_reason(error) == "permission denied; name a place where you may write"


def test_a_full_disk_for_unpacking_is_no_fault_of_the_archive() -> None:
    with pytest.raises(NotWritten, match=r"a.zip cannot be unpacked into .* TMPDIR"):
        refuse_full_disk("a.zip", OSError(28, "No space left on device"))
    refuse_full_disk("a.zip", EOFError("cut off"))
