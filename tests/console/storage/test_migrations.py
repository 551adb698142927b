"""A database is brought to the next revision with everything in it, and back by the backup made before."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Column, MetaData, Text, text

from tests.console.conftest import call_on_data, owner_of
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage import database as storage
from unround.console.storage import open_data
from unround.console.storage.backup import restore_backup
from unround.console.storage.open_data import HEAD, open_alone
from unround.console.storage.orm import Base
from unround.errors import UsageError

NAME, CONTENT = "Conference of Ada Example", b"reviewer,paper,score\nann,p1,3\n"
MADE_UP = """
from alembic import op
from unround.console.storage.migrations.columns import text

revision = "next"
down_revision = {head!r}


def upgrade():
    op.add_column("conferences", text("motto", nullable=True))
    op.execute("UPDATE conferences SET motto = 'Of ' || name")
"""
MOTTO = text("SELECT motto FROM conferences")


@pytest.fixture
def filled(new_settings) -> ConsoleSettings:
    """A console with a conference and an upload."""
    settings = new_settings()
    with open_console(settings) as console:
        chair = owner_of(console)
        path = f"/api/conferences/{chair.new_conference(NAME)}/files"
        assert chair.post(path, params={"name": "a.csv"}, content=CONTENT).status_code == 201
    return settings


@pytest.fixture
def next_version(tmp_path: Path) -> pytest.MonkeyPatch:
    """A version of unround whose conferences have one column more, until it is undone."""
    folder = shutil.copytree(storage.MIGRATIONS, tmp_path / "migrations")
    (folder / "versions" / "made_up.py").write_text(MADE_UP.format(head=HEAD), "utf-8")
    metadata = MetaData()
    for table in Base.metadata.sorted_tables:
        table.to_metadata(metadata)
    metadata.tables["conferences"].append_column(Column("motto", Text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage, "MIGRATIONS", folder)
        patch.setattr(open_data, "SCRIPTS", ScriptDirectory(str(folder)))
        patch.setattr(open_data, "HEAD", "next")
        patch.setattr(open_data, "Base", SimpleNamespace(metadata=metadata))
        yield patch


def test_the_next_revision_and_back_by_the_backup(
    filled: ConsoleSettings, new_settings, next_version, caplog
):
    with open_alone(filled) as database, database.reading() as session:
        assert session.scalar(MOTTO) == f"Of {NAME}"
    backup = filled.data / "before-next.backup"
    assert str(backup) in caplog.text
    restored = new_settings()  # the backup of an earlier revision, by this version
    restore_backup(restored, backup)
    with open_alone(restored) as database, database.reading() as session:
        assert session.scalar(MOTTO) == f"Of {NAME}"
    next_version.undo()
    with pytest.raises(
        UsageError, match="by another version of unround: its tables are of revision"
    ):
        open_alone(filled).__enter__()
    before = new_settings()
    restore_backup(before, backup)
    with open_console(before) as console:
        (listed,) = owner_of(console).get("/api/conferences").json()
        assert listed["name"] == NAME
    assert [upload.read_bytes() for upload in before.uploads.iterdir()] == [CONTENT]


def test_a_later_upgrade_keeps_the_backup_of_an_earlier_one(filled: ConsoleSettings, next_version):
    """Each is named by the revision that the tables have afterwards, whatever the version's number."""
    earlier = filled.data / f"before-{HEAD}.backup"
    earlier.write_bytes(b"an earlier backup")
    with open_alone(filled):
        pass
    assert earlier.read_bytes() == b"an earlier backup"
    assert {one.name for one in filled.data.glob("*.backup")} == {
        earlier.name,
        "before-next.backup",
    }


def test_who_is_forgotten_goes_from_the_backup_before_the_upgrade(
    filled: ConsoleSettings, next_version
):
    with open_alone(filled):
        pass
    assert call_on_data(filled, "forget", "person", "Ada Example", "--yes").exit_code == 0
    assert not list(filled.data.glob("*.backup"))
