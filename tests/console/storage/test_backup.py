"""Backups of a server that is at work, restored into either database, and refused when damaged."""

from __future__ import annotations

import errno
import hashlib
import json
import re
import sqlite3
import sys
import threading
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest
from click.testing import CliRunner
from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from tests.console.conftest import Person, World
from tests.console.sample import CHAIRS
from unround.cli import main
from unround.cli.group import commands
from unround.console.app import make_app
from unround.console.server import open_console, start_link
from unround.console.settings import ConsoleSettings
from unround.console.storage.backup import (
    MANIFEST,
    Writer,
    count_contents,
    read_manifest,
    restore_backup,
    write_backup,
)
from unround.console.storage.open_data import open_alone
from unround.console.storage.orm import FileRow, new_id
from unround.errors import UsageError
from unround.output.atomic import new_draft, whole_file

pytestmark = pytest.mark.slow


@pytest.fixture(scope="session")
def backup(world: World, tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("backup") / "of.backup"
    assert count_contents(write_backup(world.console.settings, file))[1] >= 2
    return file


def test_a_restored_console_shows_the_same_bytes(
    world: World, backup: Path, new_settings, tmp_path
):
    """From each database into itself, and into a fresh SQLite file."""
    link = world.new_link(CHAIRS[0])["url"]
    later = tmp_path / "later.backup"
    write_backup(world.console.settings, later)
    targets = [replace(new_settings(), data=tmp_path / "same")]
    if not world.console.database.is_sqlite:
        front_end = world.console.settings.front_end
        targets.append(ConsoleSettings(data=tmp_path / "other", front_end=front_end))
    for settings in targets:
        restore_backup(settings, later)
        with open_console(settings) as console:
            app = make_app(console)
            chair = Person(console, app).enter(start_link(console))
            area_chair, before = Person(console, app).enter(link), world.area_chair()
            for person, same in ((chair, world.chair), (area_chair, before)):
                view = f"/api/runs/{world.run}/view"
                assert person.get(view).json() == same.get(view).json()
            path = f"/api/runs/{world.run}/files/scores.csv"
            assert chair.get(path).content == world.chair.get(path).content
            for id in world.files:
                kept, restored = (one.uploads / id for one in (world.console.settings, settings))
                assert restored.read_bytes() == kept.read_bytes()
            assert chair.patch(f"/api/runs/{world.run}", json={"shared": False}).status_code == 200


def test_a_sqlite_backup_goes_into_postgresql(world: World, backup: Path, server, tmp_path):
    from tests.console.postgres import new_database

    if not world.console.database.is_sqlite:
        pytest.skip("restored into PostgreSQL by the test above")
    front_end = world.console.settings.front_end
    address = new_database(server)
    settings = ConsoleSettings(data=tmp_path / "pg", database=address, front_end=front_end)
    restore_backup(settings, backup)
    with open_console(settings) as console:
        chair = Person(console, make_app(console)).enter(start_link(console))
        view = f"/api/runs/{world.run}/view"
        assert chair.get(view).json() == world.chair.get(view).json()
        made = chair.new_conference("numbered after the restored ones")
        assert chair.get(f"/api/conferences/{made}").status_code == 200


def test_backups_while_files_come_and_go(world: World, tmp_path, new_settings):
    """Every one is whole: each row of a file has its bytes."""
    stop = threading.Event()

    def work() -> None:
        person = Person(world.console, world.app).enter(start_link(world.console))
        conference = person.new_conference("busy")
        while not stop.is_set():
            made = person.upload(conference, [("files", ("a.csv", b"x" * 50_000))])
            person.delete(f"/api/conferences/{conference}/files/{made[0]}")
        person.delete(f"/api/conferences/{conference}")

    busy = threading.Thread(target=work)
    busy.start()
    try:
        for number in range(5):
            file = tmp_path / f"{number}.backup"
            write_backup(world.console.settings, file)
            members = read_manifest(file)["members"]
            files = members["tables/files"]["rows"]
            assert sum(name.startswith("uploads/") for name in members) == files
    finally:
        stop.set()
        busy.join()


def test_an_upload_deleted_meanwhile_is_left_out_with_its_row(new_settings, tmp_path, monkeypatch):
    """And at no moment is there a second copy of an upload that deletion would not reach."""
    settings, file = new_settings(), tmp_path / "of.backup"
    with open_console(settings) as console:
        chair = Person(console, make_app(console)).enter(start_link(console))
        conference = chair.new_conference()
        uploads = [chair.upload(conference, [("files", ("a.csv", b"a"))])[0] for _ in range(3)]
        first, *_, last = sorted(uploads)
        write = Writer.file

        def write_and_delete(writer: Writer, name: str, source: IO[bytes]) -> str:
            assert (settings.uploads / name).stat().st_nlink == 1
            if name == first:
                chair.delete(f"/api/conferences/{conference}/files/{last}")
            return write(writer, name, source)

        monkeypatch.setattr(Writer, "file", write_and_delete)
        assert count_contents(write_backup(settings, file))[1] == 2
    members = read_manifest(file)["members"]
    assert f"uploads/{last}" not in members
    assert members["tables/files"]["rows"] == 2


def test_what_killed_processes_left_goes_when_data_are_opened(tmp_path):
    """Earlier versions linked every upload into a folder, which a killed backup left, and kept views."""
    settings = ConsoleSettings(data=tmp_path)
    with open_alone(settings):
        pass
    links, other = tmp_path / f"backup-{new_id()}", tmp_path / "backup-of-monday"
    for folder in (
        links,
        tmp_path / "views",
        other,
        settings.work / new_id(),
        settings.uploads,
        settings.work,
    ):
        folder.mkdir(exist_ok=True)
        (folder / new_id()).write_bytes(b"scores")
    with open_alone(settings):
        left = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert {path.parent.name for path in left} == {tmp_path.name, other.name}
        assert not links.exists()


def test_a_later_backup_removes_the_draft_of_a_killed_one(new_settings, tmp_path):
    """Also where every night's backup has another name; what a living process writes stays."""
    settings, left = new_settings(), new_draft(tmp_path / "monday.backup")
    left.write_bytes(b"scores")
    with open_console(settings), whole_file(tmp_path / "report.html") as living:
        write_backup(settings, tmp_path / "tuesday.backup")
        assert sorted(tmp_path.iterdir()) == sorted([living, tmp_path / "tuesday.backup"])


def _rewritten(backup: Path, target: Path, name: str, content: bytes) -> Path:
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(target, "w") as new:
        for one in old.namelist():
            new.writestr(one, content if one == name else old.read(one))
    return target


def test_damaged_backups_are_refused_before_anything_is_written(backup, tmp_path):
    content = backup.read_bytes()
    cut, flipped, other = tmp_path / "cut", tmp_path / "flipped", tmp_path / "other"
    cut.write_bytes(content[: len(content) // 2])
    middle = len(content) // 3
    flipped.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])
    other.write_text("hello")
    _rewritten(backup, tmp_path / "changed", "tables/log", b"")
    _rewritten(backup, tmp_path / "empty", MANIFEST, b"{}")
    for name in ("cut", "flipped", "other", "changed", "empty"):
        with pytest.raises(UsageError, match="is no whole backup of unround"):
            restore_backup(ConsoleSettings(data=tmp_path / "data"), tmp_path / name)
    assert not (tmp_path / "data").exists()


def test_a_backup_of_a_later_version(backup, tmp_path):
    with zipfile.ZipFile(backup) as archive:
        manifest = archive.read(MANIFEST).replace(b'"revision": "', b'"revision": "9')
    later = _rewritten(backup, tmp_path / "later", MANIFEST, manifest)
    with pytest.raises(UsageError, match="made by a later version"):
        restore_backup(ConsoleSettings(data=tmp_path / "data"), later)


@pytest.mark.parametrize("revision", [b'"base"', b"null", b'"unknown"', b'""'])
def test_a_revision_that_nobody_knows_is_refused(backup, tmp_path, revision):
    """An empty database would be taken for the restored one."""
    with zipfile.ZipFile(backup) as archive:
        manifest = re.sub(
            rb'"revision": "[^"]*"', b'"revision": ' + revision, archive.read(MANIFEST)
        )
    changed = _rewritten(backup, tmp_path / "changed", MANIFEST, manifest)
    with pytest.raises(UsageError, match="does not know the backup's tables"):
        restore_backup(ConsoleSettings(data=tmp_path / "data"), changed)


def test_rows_that_do_not_fit_are_refused(backup, tmp_path):
    """Whoever can write a manifest can write any row: the command says so, and never fails otherwise."""
    rows = (b"[1]\n", b"{}\n", b'"x"\n', b"[[]]\n", b"null\n", b'["\\ud800"]\n')
    for number, row in enumerate(rows):
        file = _with_rows(backup, tmp_path / f"{number}", "tables/conferences", row)
        ended = CliRunner().invoke(
            commands, ["restore", str(file), "--data", str(tmp_path / f"data{number}")]
        )
        assert ended.exit_code == 2, ended.output
        assert "is no whole backup of unround" in ended.output


@pytest.mark.parametrize("manifest", [b"[]", b'{"format": 1, "members": []}', b"7"])
def test_a_manifest_of_another_kind_is_refused(backup, tmp_path, manifest):
    changed = _rewritten(backup, tmp_path / "changed", MANIFEST, manifest)
    with pytest.raises(UsageError, match="is no whole backup of unround"):
        restore_backup(ConsoleSettings(data=tmp_path / "data"), changed)


@pytest.mark.parametrize("name", ["uploads/../../x", "uploads/a/b", "tables/x y", "other"])
def test_members_of_strange_names_are_refused_before_anything_is_written(backup, tmp_path, name):
    target = tmp_path / "strange"
    with zipfile.ZipFile(backup) as source, zipfile.ZipFile(target, "w") as archive:
        manifest = json.loads(source.read(MANIFEST))
        manifest["members"][name] = {"sha256": hashlib.sha256(b"x").hexdigest()}
        for entry in source.namelist():
            archive.writestr(
                entry, json.dumps(manifest) if entry == MANIFEST else source.read(entry)
            )
        archive.writestr(name, b"x")
    with pytest.raises(UsageError, match="which no backup does"):
        restore_backup(ConsoleSettings(data=tmp_path / "data"), target)
    assert not (tmp_path / "data").exists()


def _with_rows(backup: Path, target: Path, member: str, rows: bytes) -> Path:
    """A backup with other rows in a table, and a manifest that agrees."""
    with zipfile.ZipFile(backup) as source:
        manifest = json.loads(source.read(MANIFEST))
    manifest["members"][member] |= {
        "sha256": hashlib.sha256(rows).hexdigest(),
        "rows": rows.count(b"\n"),
    }
    once = _rewritten(backup, target.with_suffix(".once"), member, rows)
    return _rewritten(once, target, MANIFEST, json.dumps(manifest).encode())


def test_nothing_is_restored_over_data(world: World, backup, tmp_path):
    settings = ConsoleSettings(data=tmp_path)
    restore_backup(settings, backup)
    with pytest.raises(UsageError, match="holds data already"):
        restore_backup(settings, backup)


def test_an_interrupted_restore_is_told_and_repeated(backup, tmp_path, monkeypatch):
    settings = ConsoleSettings(data=tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(
            f"{restore_backup.__module__}._restore_rows",
            lambda *_: (_ for _ in ()).throw(MemoryError),
        )
        with pytest.raises(MemoryError):
            restore_backup(settings, backup)
    with pytest.raises(UsageError, match=r"interrupted; repeat `unround restore`"):
        open_console(settings).__enter__()
    restore_backup(settings, backup)
    with open_console(settings) as console:
        assert console.database.is_sqlite


SQLITE_FULL = OperationalError("INSERT", None, sqlite3.OperationalError("database or disk is full"))


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (OSError(errno.ENOSPC, ""), 4, "Not possible: the disk is full; make room or name another"),
        (SQLITE_FULL, 2, "the database cannot be used: There is no room left on the disk."),
    ],
    ids=["uploads", "database"],
)
def test_a_disk_that_a_restore_fills(backup, tmp_path, monkeypatch, capsys, error, code, words):
    """It is not asked about beforehand: what was written is said, and that a repeat is all it takes."""
    monkeypatch.setattr(
        f"{restore_backup.__module__}._restore_rows", lambda *_: (_ for _ in ()).throw(error)
    )
    data = tmp_path / "data"
    monkeypatch.setattr(sys, "argv", ["unround", "restore", str(backup), "--data", str(data)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == code
    told = capsys.readouterr().err
    assert words in told
    assert told.endswith(f"{data} holds a part; repeat `unround restore`.\n")
    assert "Nothing was changed" not in told
    monkeypatch.undo()
    restore_backup(ConsoleSettings(data=data), backup)


def test_an_upload_that_was_changed_is_told(new_settings, tmp_path):
    settings = new_settings()
    with open_console(settings) as console:
        chair = Person(console, make_app(console)).enter(start_link(console))
        (file,) = chair.upload(chair.new_conference(), [("files", ("a.csv", b"abc"))])
    (settings.uploads / file).write_bytes(b"abd")
    with pytest.raises(UsageError, match="is not what was uploaded"):
        write_backup(settings, tmp_path / "b")
    (settings.uploads / file).unlink()
    with pytest.raises(UsageError, match="is not in"):
        write_backup(settings, tmp_path / "b")
    assert not list(tmp_path.glob("*b*"))


def test_a_database_that_goes_away_meanwhile_is_no_error_of_writing(
    world: World, tmp_path, monkeypatch
):
    def away(*_: object) -> None:
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")  # of the connection to PostgreSQL

    monkeypatch.setattr(Writer, "rows", away)
    settings, file = world.console.settings, tmp_path / "of.backup"
    place = ["--data", str(settings.data)]
    place += ["--database", settings.database] if settings.database else []
    ended = CliRunner().invoke(commands, ["backup", str(file), *place])
    assert ended.exit_code == 2, ended.output
    assert "the database cannot be used: The database cannot be reached" in ended.output
    assert not list(tmp_path.iterdir())


def test_the_commands(world: World, tmp_path):
    settings, file = world.console.settings, tmp_path / "of.backup"
    place = ["--data", str(settings.data)]
    place += ["--database", settings.database] if settings.database else []
    made = CliRunner().invoke(commands, ["backup", str(file), *place])
    assert made.exit_code == 0, made.output
    with world.console.database.reading() as session:  # of this conference and of other tests
        uploads = session.scalar(select(func.count()).select_from(FileRow))
    assert f" {uploads} uploads, " in made.output
    assert "checked" in made.output
    assert file.stat().st_mode & 0o077 == 0
    looked = CliRunner().invoke(commands, ["restore", str(file), "--check"])
    assert (looked.exit_code, "complete" in looked.output) == (0, True)
    target = ["--data", str(tmp_path / "new")]
    restored = CliRunner().invoke(commands, ["restore", str(file), *target])
    assert restored.exit_code == 0, restored.output
    assert "restored" in restored.output
    again = CliRunner().invoke(commands, ["restore", str(file), *target])
    assert again.exit_code == 2
    nowhere = CliRunner().invoke(commands, ["backup", str(file), "--data", str(tmp_path / "none")])
    assert "is not a console's data folder" in nowhere.output
