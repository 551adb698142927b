"""Forgetting: afterwards no byte of the data names the person or the conference."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import polars as pl
import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tests.console.conftest import World, call_on_data, owner_of
from tests.console.sample import CHAIRS, email_of
from unround.console.forget import forget_conference, forget_person
from unround.console.server import open_console
from unround.console.settings import ConsoleSettings
from unround.console.storage.orm import Base, ConferenceRow, LinkRow, RunFileRow
from unround.console.storage.run_files import open_run_files
from unround.errors import UsageError

ADA, BEN = CHAIRS[0], CHAIRS[1]


class _Undone(Exception):
    pass


@contextmanager
def tried(world: World) -> Iterator[Session]:
    """A transaction that is taken back: the conference of the tests stays as it is."""
    with suppress(_Undone), world.console.database.writing() as session:
        yield session
        raise _Undone


def _everything(session: Session) -> str:
    """All that the database holds, files unpacked."""
    values = []
    for table in Base.metadata.sorted_tables:
        for row in session.execute(select(table)):
            values += [
                gzip.decompress(one).decode() if isinstance(one, bytes) else str(one) for one in row
            ]
    return "\n".join(values).lower()


def test_a_reviewer_is_in_nothing_that_is_kept(world: World):
    reviewer, name = world.sample.reviews.select("reviewer", "reviewer_name").row(0)
    others = set(world.sample.reviews["reviewer"]) - {reviewer}
    with tried(world) as session:
        before = _everything(session)
        assert reviewer in before
        forgotten = forget_person(session, [reviewer, name.upper()], world.console.settings)
        after = _everything(session)
        assert reviewer not in after
        assert name.lower() not in after
        assert all(other in after for other in others)
        assert set(forgotten.files) >= set(world.files)
        assert forgotten.counts["run_files"] > 0
        assert after.count("forgot a person") == before.count("forgot a person") + 1


def test_the_results_stay_whole(world: World):
    """The same reviews under another name: rankings and reviews still belong together."""
    reviewer = world.sample.reviews["reviewer"][0]
    with tried(world) as session:
        before = open_run_files(session, world.run).snapshot
        forget_person(session, [reviewer], world.console.settings)
        after = open_run_files(session, world.run).snapshot
        (stand_in,) = {
            one for one in after.reviews["reviewer"].unique() if one.startswith("forgotten-")
        }
        for name in ("reviews", "ranks"):
            old, new = getattr(before, name), getattr(after, name)
            assert new.height == old.height
            assert _of_reviewer(new, stand_in) == _of_reviewer(old, reviewer)


def _of_reviewer(table: pl.DataFrame, reviewer: str) -> list[tuple[object, ...]]:
    theirs = table.filter(pl.col("reviewer") == reviewer)
    return sorted(theirs.drop("reviewer", "reviewer_name", strict=False).rows())


def test_other_names_of_a_reviewer_are_named(world: World):
    """By name or by id: the results of a run hold both."""
    reviewer, name = world.sample.reviews.select("reviewer", "reviewer_name").row(0)
    for given, other in ((reviewer, name), (name.upper(), reviewer)):
        with tried(world) as session:
            forgotten = forget_person(session, [given], world.console.settings)
            assert other in forgotten.also_known_as


def test_an_area_chair_loses_links_and_name(world: World):
    world.new_link(ADA)
    with tried(world) as session:
        forgotten = forget_person(session, [ADA], world.console.settings)
        assert forgotten.also_known_as == [email_of(ADA)]
        assert forgotten.counts["links"] > 0
        after = _everything(session)
        assert ADA.lower() not in after
        assert BEN.lower() in after
        theirs = select(func.count()).where(LinkRow.area_chair == world.area_chairs[ADA])
        assert session.scalar(theirs) == 0


def test_names_inside_other_names_stay(world: World):
    """Ada Quarrywood is not Ada Quarrywoods, and thistle is not Ben Thistlemere."""
    with tried(world) as session:
        before = _everything(session)
        forgotten = forget_person(session, ["Ada Quarrywoo", "Thistle"], world.console.settings)
        assert (forgotten.counts, forgotten.files) == ({}, [])
        assert _everything(session) == before


@pytest.mark.parametrize("name", ["7", "1234567", "Al", "    "])
def test_names_that_could_be_anything_are_refused(world: World, name: str):
    with tried(world) as session, pytest.raises(UsageError, match="could be part of other text"):
        forget_person(session, [name], world.console.settings)


def test_a_conference_goes_with_everything(world: World):
    """With the others, since tests before this one leave the same names in conferences of their own."""
    with tried(world) as session:
        assert set(forget_conference(session, world.conference).files) >= set(world.files)
        for other in session.scalars(select(ConferenceRow.id)).all():
            forget_conference(session, other)
        after = _everything(session)
        assert not {word for word in world.sample.all_words() if word.lower() in after}
        assert session.scalar(select(func.count()).select_from(RunFileRow)) == 0
    with tried(world) as session, pytest.raises(UsageError, match="no conference Nowhere"):
        forget_conference(session, "Nowhere")


# --- the command --------------------------------------------------------------------------------


def _forget(settings: ConsoleSettings, *arguments: str, answer: str | None = None):
    return call_on_data(settings, "forget", *arguments, answer=answer)


def _on_disk(settings: ConsoleSettings) -> bytes:
    return b"".join(path.read_bytes() for path in settings.data.rglob("*") if path.is_file())


def _rows(settings: ConsoleSettings) -> str:
    with open_console(settings) as console, console.database.reading() as session:
        return _everything(session)


@pytest.mark.slow
def test_forgetting_asks_and_leaves_no_byte(new_settings):
    """A conference, and then a person in the other one, of a console that has stopped."""
    settings = new_settings()
    with open_console(settings) as console:
        chair = owner_of(console)
        for name in ("Conference of Quails", "Conference of Larks"):
            conference = chair.new_conference(name)
            chair.assign(conference, b"area_chair,paper,email\nDora Quill,1,dora@example.org\n")
            chair.upload(conference, {"notes.csv": b"by,Dora Quill\n"})
        assert "used by another" in _forget(settings, "person", "Dora Quill").output
    asked = _forget(settings, "person", "Dora Quill", answer="n\n")
    assert asked.exit_code == 0, asked.output
    assert "2 in area chairs" in asked.output
    assert "also known as dora@example.org" in " ".join(asked.output.split())
    assert "Nothing was changed." in asked.output
    assert "dora quill" in _rows(settings)

    done = _forget(settings, "conference", "Conference of Quails", "--yes")
    assert done.exit_code == 0, done.output
    assert b"Conference of Quails" not in _on_disk(settings)
    assert len(list(settings.uploads.iterdir())) == 1
    rows = _rows(settings)
    assert "quails" not in rows
    assert "conference of larks" in rows
    again = _forget(settings, "conference", "Conference of Quails", "--yes")
    assert (again.exit_code, "there is no conference" in again.output) == (2, True)

    done = _forget(settings, "person", "dora quill", "dora@example.org", "--yes")
    assert done.exit_code == 0, done.output
    assert "backups" in done.output
    assert b"Dora Quill" not in _on_disk(settings)
    assert list(settings.uploads.iterdir()) == []
    rows = _rows(settings)
    assert "dora" not in rows
    assert "conference of larks" in rows


@pytest.mark.parametrize("words", [("forget", "person", "Dora Quill"), ("backup", "of.backup")])
def test_a_folder_without_data_is_not_made(tmp_path: Path, words: tuple[str, ...]):
    ended = call_on_data(ConsoleSettings(data=tmp_path / "none"), *words)
    assert ended.exit_code == 2
    assert "is not a console's data folder" in ended.output
    assert not (tmp_path / "none").exists()
