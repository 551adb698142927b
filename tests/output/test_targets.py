"""An output that cannot be written is refused before the work begins."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from unround.errors import NotWritten, UsageError
from unround.output.targets import MARK, check_file, check_path, check_target


def test_a_new_place_below_folders_that_are_missing_is_fine(tmp_path: Path) -> None:
    check_target(tmp_path / "a" / "b", force=False)
    check_file(tmp_path / "a" / "b.csv", force=False)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("x" * 300 + "/out", "the name is too long.*Nothing was computed"),
        ("file/out", "a part of its path is a file"),
        ("circle", "its links lead in a circle"),
        ("nowhere", "nowhere cannot be written"),
    ],
    ids=["a long name", "through a file", "links in a circle", "a link to where nothing can be"],
)
def test_places_that_cannot_be_made(tmp_path: Path, place: str, words: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "nowhere").symlink_to("/proc/1/nowhere")
    with pytest.raises(NotWritten, match=words):
        check_path(tmp_path / place)


def test_permission_denied_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(**_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("unround.output.targets.TemporaryFile", denied)
    with pytest.raises(NotWritten, match="permission denied; name a place where you may write"):
        check_target(tmp_path / "out", force=False)


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"caf\\xe9 is not a UTF-8 name"):
        check_path(tmp_path / os.fsdecode(b"caf\xe9"))


def test_a_socket_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("door")
        with pytest.raises(UsageError, match="is no file"):
            check_file(tmp_path / "door")


def test_devices_need_no_force_and_hold_no_folder() -> None:
    check_file(Path(os.devnull), force=False)
    with pytest.raises(UsageError, match="name a folder"):
        check_target(Path(os.devnull), force=True)


def test_a_place_where_a_disk_is_mounted_cannot_be_replaced() -> None:
    with pytest.raises(UsageError, match=r"a disk is mounted at /proc.*such as /proc/results"):
        check_target(Path("/proc"), force=True)


def test_only_what_is_ours_and_given_up_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(UsageError, match="not from unround"):
        check_target(tmp_path, force=True)
    (tmp_path / MARK).touch()
    with pytest.raises(UsageError, match="force=True"):
        check_target(tmp_path, force=False)
    check_target(tmp_path, force=True)
