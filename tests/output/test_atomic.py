"""A file that is written whole: it appears at once or stays what it was."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from unround.errors import UsageError
from unround.output.atomic import new_draft, whole_file, whole_folder
from unround.output.targets import MARK


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


def test_links_to_files_and_folders_are_followed_and_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "table.csv", tmp_path / "link.csv"
    link.symlink_to(target)
    with whole_file(link) as draft:
        draft.write_text("new", "utf-8")
    folder, latest = tmp_path / "run", tmp_path / "latest"
    folder.mkdir()
    latest.symlink_to(folder)
    with whole_folder(latest, force=False) as draft:
        (draft / MARK).write_text("{}", "utf-8")
    assert link.is_symlink()
    assert latest.is_symlink()
    assert target.read_text("utf-8") == "new"
    assert (folder / MARK).is_file()


def test_pipes_and_devices_get_what_was_written_and_stay(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as readers:
        read = readers.submit(pipe.read_text, "utf-8")
        with whole_file(pipe) as draft:
            draft.write_text("rows", "utf-8")
        assert read.result(timeout=60) == "rows"
    assert pipe.is_fifo()
    with whole_file(Path(os.devnull)) as draft:
        draft.write_text("rows", "utf-8")
    assert Path(os.devnull).is_char_device()


def test_a_folder_is_no_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is a folder; name a file to write"), whole_file(tmp_path):
        raise AssertionError("the work must not begin")


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_new_folders_are_for_their_owner_alone(tmp_path):
    target = tmp_path / "above" / "results"
    with whole_folder(target, force=False) as draft:
        (draft / MARK).write_text("")
    assert (_mode(target), _mode(target.parent)) == (0o700, 0o700)
    assert _mode(target / MARK) == 0o600
    with whole_file(tmp_path / "pages" / "one.html") as draft:
        draft.write_text("")
    assert _mode(tmp_path / "pages") == 0o700


@pytest.mark.parametrize("mode", [0o700, 0o750, 0o755])
def test_a_folder_or_file_that_is_there_decides_who_can_read(tmp_path, mode):
    target = tmp_path / "results"
    target.mkdir()
    target.chmod(mode)
    for force in (False, True):  # onto an empty folder, and in the place of earlier results
        with whole_folder(target, force=force) as draft:
            assert _mode(draft) == 0o700
            (draft / MARK).write_text("")
        assert _mode(target) == mode
    (target / MARK).chmod(mode)
    with whole_file(target / MARK) as draft:
        draft.write_text("rows", "utf-8")
    assert _mode(target / MARK) == mode


def test_what_is_written_to_standard_output_goes_down_the_pipe() -> None:
    """Its path is a link to a link that no path leads to."""
    program = (
        "from pathlib import Path\n"
        "from unround.output.atomic import whole_file\n"
        "with whole_file(Path('/dev/stdout')) as draft:\n"
        "    draft.write_text('rows', 'utf-8')\n"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert ended.stdout == b"rows"


def test_a_name_as_long_as_a_name_may_be_is_written(tmp_path: Path) -> None:
    target = tmp_path / ("ü" * 127)  # 254 bytes: a draft named after it must not be longer
    with whole_file(target) as draft:
        draft.write_text("rows", "utf-8")
    assert target.read_text("utf-8") == "rows"


def test_drafts_have_names_of_their_own(tmp_path: Path) -> None:
    target = tmp_path / "table.csv"
    with whole_file(target) as first, whole_file(target) as second:  # as two threads would
        assert first != second
        first.write_text("first", "utf-8")
        second.write_text("second", "utf-8")
    assert target.read_text("utf-8") == "first"  # the one that ended last
    assert len({new_draft(target) for _ in range(100)}) == 100


def test_a_file_is_written_whole_inside_of_a_folder(tmp_path: Path) -> None:
    with whole_folder(tmp_path / "out", force=False) as folder:
        for name in ("a.csv", "a.csv", "below/b.csv"):
            with whole_file(folder / name) as draft:
                draft.write_text(name)
    assert (tmp_path / "out" / "below" / "b.csv").read_text() == "below/b.csv"
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        ".unround",
        "a.csv",
        "below",
    ]


def test_of_two_that_write_into_one_new_folder_the_second_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "out"

    def write_slowly() -> None:
        with whole_folder(target, force=False) as slow:
            (slow / MARK).write_text("slow")
            with whole_folder(target, force=False) as quick:
                (quick / MARK).write_text("quick")

    with pytest.raises(UsageError, match="holds earlier results"):
        write_slowly()
    assert (target / MARK).read_text() == "quick"
    assert list(tmp_path.iterdir()) == [target]


def test_writers_that_replace_one_folder_at_once_leave_one_whole(tmp_path: Path) -> None:
    target = tmp_path / "out"

    def write(text: str) -> None:
        with whole_folder(target, force=True) as draft:
            (draft / MARK).write_text(text)
            (draft / "other").write_text(text)

    with ThreadPoolExecutor(8) as writers:
        list(writers.map(write, map(str, range(40))))
    assert (target / MARK).read_text() == (target / "other").read_text()
    assert list(tmp_path.iterdir()) == [target]


def test_where_nothing_can_be_locked_one_is_told_once(tmp_path: Path, monkeypatch, caplog) -> None:
    """As on NFS without its lock server: files are written, and what a killed writer left stays."""

    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    left = new_draft(tmp_path / "file")
    left.touch()
    for _ in range(2):
        with whole_file(tmp_path / "file") as draft:
            draft.write_text("new")
    assert {path.name for path in tmp_path.iterdir()} == {"file", left.name}
    assert caplog.messages == [
        "The file system of the output has no locks (No locks available): let no other command write "
        "there now."
    ]


def test_a_private_file_is_for_its_owner_alone_whatever_was_there(tmp_path: Path) -> None:
    for there in (False, True):
        if there:
            (tmp_path / "file").chmod(0o644)
        with whole_file(tmp_path / "file", private=True) as draft:
            assert draft.stat().st_mode & 0o077 == 0
        assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600
