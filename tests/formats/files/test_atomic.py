"""A file that is written whole: it appears at once or stays what it was."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from unround.errors import UsageError
from unround.formats.files.atomic import MARK, whole_file, whole_folder


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


def test_a_link_is_followed_and_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "table.csv", tmp_path / "link.csv"
    link.symlink_to(target)
    with whole_file(link) as draft:
        draft.write_text("new", "utf-8")
    assert link.is_symlink()
    assert target.read_text("utf-8") == "new"


def test_a_linked_folder_is_followed_and_stays(tmp_path: Path) -> None:
    target, link = tmp_path / "run", tmp_path / "latest"
    target.mkdir()
    link.symlink_to(target)
    with whole_folder(link, force=False) as draft:
        (draft / MARK).write_text("{}", "utf-8")
    assert link.is_symlink()
    assert (target / MARK).is_file()


def test_a_pipe_gets_what_was_written_and_stays(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as readers:
        read = readers.submit(pipe.read_text, "utf-8")
        with whole_file(pipe) as draft:
            draft.write_text("rows", "utf-8")
        assert read.result(timeout=10) == "rows"
    assert pipe.is_fifo()


def test_the_null_device_stays_a_device() -> None:
    with whole_file(Path(os.devnull)) as draft:
        draft.write_text("rows", "utf-8")
    assert Path(os.devnull).is_char_device()


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder; name a file to write"), whole_file(tmp_path):
        raise AssertionError("the work must not begin")
