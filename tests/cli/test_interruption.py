"""A run that is killed leaves the complete new result, or exactly what was there before."""

from __future__ import annotations

import errno
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from unround.errors import NotWritten, UsageError
from unround.output import atomic as folders
from unround.output.atomic import new_draft

pytestmark = pytest.mark.slow


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture
def closing_terminal_is_noticed():
    """SIGHUP as a terminal's processes get it: under nohup they, and these tests, would ignore it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


WHILE_WRITING = """
import os, sys
from unround.cli import main
from unround.output import atomic

how = int(sys.argv.pop())
atomic._flush = lambda *_: os.kill(os.getpid(), how)
main()
"""


@pytest.mark.usefixtures("closing_terminal_is_noticed")
@pytest.mark.parametrize("how", [signal.SIGHUP, signal.SIGTERM])
def test_a_stopped_run_leaves_no_draft(conference, tmp_path, how):
    """A terminal that is closed sends SIGHUP."""
    folder = tmp_path / "results"
    folder.mkdir()
    words = ["run", conference / "reviews.csv", "--lam", "2", "-o", folder / "out", str(int(how))]
    done = subprocess.run([sys.executable, "-c", WHILE_WRITING, *words], check=False)
    assert done.returncode == 128 + how
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("step", ["_flush", "_put_in_place"])
def test_whole_folders_are_swapped_or_a_failure_at_any_step_keeps_the_old_one(
    tmp_path, monkeypatch, step
):
    target = tmp_path / "out"

    def write(text: str) -> None:
        with folders.whole_folder(target, force=True) as draft:
            (draft / "run.json").write_text(text)
            (draft / f"{text}.txt").write_text(text)

    def broken(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    write("old")
    with monkeypatch.context() as patched:
        patched.setattr(folders, step, broken)
        with pytest.raises(
            NotWritten, match=r"the disk is full.* what was there before is unchanged"
        ):
            write("new")
    assert contents(target) == {"run.json": b"old", "old.txt": b"old"}
    write("new")
    assert contents(target) == {"run.json": b"new", "new.txt": b"new"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_death_between_the_two_renames_is_mended_by_the_next_writer(tmp_path):
    aside = tmp_path / f"{new_draft(tmp_path / 'out').name}.old"
    aside.mkdir()
    (aside / "run.json").write_text("old")
    with (
        pytest.raises(UsageError, match="holds earlier results"),
        folders.whole_folder(tmp_path / "out", force=False),
    ):
        pass
    assert contents(tmp_path / "out") == {"run.json": b"old"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_leftovers_of_dead_processes_are_swept(tmp_path):
    left = new_draft(tmp_path / "out")
    left.mkdir()
    with folders.whole_folder(tmp_path / "out", force=False) as slow:
        assert not left.exists()
        (slow / "run.json").write_text("slow")
        with folders.whole_folder(tmp_path / "out", force=True) as quick:
            assert slow.exists()  # somebody holds it
            (quick / "run.json").write_text("quick")
        (tmp_path / "out" / "run.json").unlink()
    assert contents(tmp_path / "out") == {"run.json": b"slow"}
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
