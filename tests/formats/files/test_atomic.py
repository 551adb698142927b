"""A file that is written whole: it appears at once or stays what it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from unround.formats.files.atomic import whole_file


def test_the_file_appears_when_the_block_ends_well(tmp_path: Path) -> None:
    target = tmp_path / "new" / "table.csv"
    with whole_file(target) as draft:
        draft.write_text("new", "utf-8")
        assert not target.exists()
    assert target.read_text("utf-8") == "new"
    assert list(target.parent.iterdir()) == [target]


def test_a_block_that_fails_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    target = tmp_path / "table.csv"
    target.write_text("old", "utf-8")
    with pytest.raises(UnicodeEncodeError), whole_file(target) as draft:
        draft.write_text("half\ud800", "utf-8")  # the file is there before the letter fails
    assert target.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]
