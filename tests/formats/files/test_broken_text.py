"""Text that is damaged in one place is not read as something else: found by make fuzz."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.given_files import refused
from unround.formats.importer import import_files


@pytest.mark.parametrize("above", ["", "\n"])
def test_a_broken_quotation_mark_in_quoted_tsv_is_refused(tmp_path: Path, above: str) -> None:
    path = tmp_path / "reviews.tsv"
    table = '"reviewer"\t"paper"\t"score"\n"a"\t"1"\t"4"x\n"b"\t"1"\t"5"\n'
    path.write_text(above + table, encoding="utf-8")
    with refused("not readable as CSV"):
        import_files([path])


def test_a_lone_carriage_return_ends_a_line_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "reviews.csv"
    path.write_bytes(b"reviewer,paper,score\r\na,1,4\r\nb\r,1,5\r\n")
    with refused("line 3 has 1 cells but the header has 3"):
        import_files([path])
