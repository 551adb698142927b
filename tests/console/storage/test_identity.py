"""A data folder is used with its own database alone, and no start deletes what it does not know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import select
from sqlalchemy.exc import InterfaceError

from tests.console.conftest import call_on_data, owner_of
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage.backup import restore_backup, write_backup
from unround.console.storage.open_data import open_alone
from unround.console.storage.orm import FileRow, new_id
from unround.console.storage.uploads import PENDING, NewFile, add_files, begin_removal
from unround.errors import UsageError

NAMES = ("reviews.csv", "rankings.csv", "papers.csv")


@pytest.fixture
def used(new_settings) -> ConsoleSettings:
    """A console with three uploads, stopped."""
    return _with_uploads(new_settings())


def _with_uploads(settings: ConsoleSettings) -> ConsoleSettings:
    with open_console(settings) as console:
        chair = owner_of(console)
        chair.upload(chair.new_conference(), {name: name.encode() for name in NAMES})
    return settings


def _files(settings: ConsoleSettings) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in settings.uploads.iterdir()}


def _moved_away(settings: ConsoleSettings, _: Callable[..., ConsoleSettings]) -> ConsoleSettings:
    settings.sqlite_file.rename(settings.data / "unround.db.bad")
    return settings


def _without_database(settings: ConsoleSettings, _: Callable[..., ConsoleSettings]):
    return replace(settings, database=None)


def _empty_database(settings: ConsoleSettings, new_settings: Callable[..., ConsoleSettings]):
    """Another database without tables: a new name on PostgreSQL, an empty file on SQLite."""
    if settings.database is None:
        settings.sqlite_file.rename(settings.data / "unround.db.bad")
        settings.sqlite_file.touch()
    return replace(new_settings(), data=settings.data)


def _other_console(settings: ConsoleSettings, new_settings: Callable[..., ConsoleSettings]):
    other = _with_uploads(new_settings())
    if settings.database is None:
        settings.sqlite_file.rename(settings.data / "unround.db.bad")
        settings.sqlite_file.write_bytes(other.sqlite_file.read_bytes())
    return replace(other, data=settings.data)


def _other_folder(settings: ConsoleSettings, new_settings: Callable[..., ConsoleSettings]):
    """The database, with a data folder that is new."""
    new = new_settings()
    if settings.database is None:
        new.sqlite_file.write_bytes(settings.sqlite_file.read_bytes())
    return replace(settings, data=new.data)


WRONG = [_moved_away, _without_database, _empty_database, _other_console, _other_folder]


@pytest.mark.parametrize("wrong", WRONG, ids=lambda start: start.__name__.strip("_"))
def test_a_start_with_a_wrong_database_is_refused_and_loses_nothing(used, new_settings, wrong):
    """By every command that opens the data."""
    if (wrong is _moved_away and used.database) or (
        wrong is _without_database and not used.database
    ):
        pytest.skip("not a mistake that one can make with this database")
    uploads, away = _files(used), used.data / "unround.db.bad"
    started = wrong(used, new_settings)
    before = {path.name for path in started.data.iterdir()}
    for command in (
        ["serve", "--port", 0],
        ["forget", "person", "Ada Example", "--yes"],
        ["backup", used.data.parent / new_id()],
    ):
        ended = call_on_data(started, *command)
        assert ended.exit_code == 2, ended.output
    assert "Nothing was changed." in " ".join(
        call_on_data(started, "serve", "--port", 0).output.split()
    )
    assert len(uploads) == len(NAMES)
    assert _files(used) == uploads
    assert {path.name for path in started.data.iterdir()} - before <= {"uploads", "work", "lock"}
    # Started rightly, everything is there.
    if away.exists():
        away.replace(used.sqlite_file)
    with open_console(used) as console, console.database.reading() as session:
        assert {row.id for row in session.query(FileRow)} == {*uploads}
    assert _files(used) == uploads


def test_what_a_refusal_advises_works(used, new_settings):
    """Where the database was restored by its own tools, or the folder's id is lost."""
    id = used.identity.read_text()
    for lose in (lambda: used.identity.write_text(new_id()), used.identity.unlink):
        lose()
        advice = f"both are right, write {id.strip()} into {used.identity}"
        with pytest.raises(UsageError, match=advice):
            open_alone(used).__enter__()
        used.identity.write_text(id.strip())
        with open_alone(used):
            pass


def test_a_restored_console_is_another_one(used, new_settings, tmp_path):
    """Its database is refused with the folder of the first, whose newer uploads it does not list."""
    write_backup(used, tmp_path / "of.backup")
    restored = new_settings()
    restore_backup(restored, tmp_path / "of.backup")
    assert restored.identity.read_text() != used.identity.read_text()
    assert restored.identity.stat().st_mode & 0o077 == 0
    with open_console(restored):
        assert _files(restored) == _files(used)
    if used.database is not None:
        with pytest.raises(UsageError, match="is not the data folder of"):
            open_alone(replace(restored, data=used.data)).__enter__()
        new = replace(new_settings(), data=used.data)
        for path in used.uploads.iterdir():
            path.unlink()
        with pytest.raises(UsageError, match="is the folder of a console already"):
            restore_backup(new, tmp_path / "of.backup")


def test_a_password_is_not_shown(used, new_settings):
    if used.database is None:
        pytest.skip("SQLite has none")
    other = new_settings()
    address = other.database.replace("unround@", "unround:secret@")
    with pytest.raises(UsageError, match="is not the data folder of postgresql://") as refused:
        open_alone(replace(used, database=address)).__enter__()
    assert "secret" not in str(refused.value)


def test_what_is_not_known_is_set_aside_and_named(used, caplog):
    """Twice by the same name, and what others left in the scratch folder stays."""
    (listed, *_) = _files(used)
    stranger, scratch = used.uploads / new_id(), used.work / new_id()
    for content in (b"Ada Example,p1,3", b"b"):
        stranger.write_bytes(content)
        (used.uploads / "notes of the chair.txt").write_bytes(content)
        scratch.mkdir()
        (used.work / "mine.txt").touch()
        with open_alone(used):
            pass
    aside = list(used.set_aside.iterdir())
    assert sorted(path.read_bytes() for path in aside) == sorted([b"Ada Example,p1,3", b"b"] * 2)
    assert {path.name[: -len("-") - 32] for path in aside} == {
        stranger.name,
        "notes of the chair.txt",
    }
    assert all(str(path) in caplog.text for path in aside)
    assert listed in _files(used)
    assert [path.name for path in used.work.iterdir()] == ["mine.txt"]
    told = call_on_data(used, "forget", "person", "Ada Example", "--yes").output
    assert {path for path in aside if str(path) in told} == {
        path for path in aside if path.read_bytes() != b"b"
    }


def test_what_died_while_it_added_or_deleted_files_is_finished_by_the_next_start(used):
    """As after a kill: no file without a row stays, and none with a row goes."""
    kept, gone, *_ = uploads = _files(used)
    half, unlisted = NewFile(used.uploads, "a"), NewFile(used.uploads, "b")
    half.write(b"half")
    for file in (half, unlisted):
        file.finish()
    begin_removal(used.uploads, [kept, gone])
    with open_alone(used) as database:  # which takes up what it finds
        assert _files(used) == uploads
        listed = NewFile(used.uploads, "c")
        listed.finish()
        begin_removal(used.uploads, [gone])
        with database.writing() as session:
            conference = session.get_one(FileRow, kept).conference
            session.add(listed.row(conference))
            session.delete(session.get_one(FileRow, gone))
    with open_alone(used):
        assert set(_files(used)) == {*uploads, listed.id} - {gone}
    assert not used.set_aside.exists()


@pytest.mark.parametrize("lost", [False, True])
def test_a_file_whose_commit_was_not_answered_is_kept_until_it_is_known(used, lost):
    with open_alone(used) as database, database.reading() as session:
        conference = session.scalars(select(FileRow.conference)).first()
        error = InterfaceError("COMMIT", None, Exception()) if lost else UsageError("no")
        with (
            pytest.raises(type(error)),
            add_files(used.uploads, conference, [("a", b"a"), ("b", b"b")]),
        ):
            raise error
    assert len(_files(used)) == len(NAMES) + (4 if lost else 0)
    with open_alone(used):
        assert len(_files(used)) == len(NAMES)


def test_commands_leave_no_note_behind(used):
    with open_console(used) as console:
        chair = owner_of(console)
        conference = chair.new_conference()
        first, second = chair.upload(conference, {"a": b"a", "b": b"b"})
        chair.delete(f"/api/conferences/{conference}/files/{first}")
        assert chair.delete(f"/api/conferences/{conference}").status_code == 204
        assert chair.delete(f"/api/bin/{conference}").status_code == 204
        assert {first, second}.isdisjoint(_files(used))
        assert not [name for name in _files(used) if name.endswith(PENDING)]
