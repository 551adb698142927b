"""Tables of the database, and results kept in them."""

from __future__ import annotations

import json

import polars as pl
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, select

from tests.console.conftest import World
from tests.console.sample import CHAIRS
from unround.console.storage import results
from unround.console.storage.database import Database
from unround.console.storage.ids import new_id, now
from unround.console.storage.orm import Base, ConferenceRow, PaperRow, RunRow
from unround.console.views.downloads import unpacked
from unround.errors import UsageError
from unround.report.scope import Scope
from unround.report.snapshot import Snapshot, read_snapshot
from unround.report.view import view

FRAMES = ("papers", "reviews", "ranks", "pairs", "bindings")


def test_migrations_make_what_the_tables_say(world: World):
    with world.console.database.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, Base.metadata) == []


def test_migrating_again_changes_nothing(world: World):
    world.console.database.migrate()
    assert world.chair.get(f"/api/runs/{world.run}").json()["status"] == "done"


def _load(world: World, area_chair: str | None = None) -> Snapshot:
    with world.console.database.reading() as session:
        run = session.get_one(RunRow, world.run)
        record = json.loads(world.chair.get(f"/api/runs/{world.run}/files/run.json").content)
        return results.load(session, run.id, run.kinds, record, area_chair)


def test_rows_give_back_the_run_bit_for_bit(world: World):
    with unpacked(world.console, world.run) as folder:
        written = read_snapshot(folder)
    kept = _load(world)
    for name in FRAMES:
        expected, found = getattr(written, name), getattr(kept, name)
        assert found.select(expected.columns).equals(expected), name


def test_an_area_chairs_rows_are_enough_for_their_view(world: World):
    papers = frozenset(world.sample.papers_of(CHAIRS[0]))
    for stars in (True, False):
        scope = Scope(area_chair=CHAIRS[0], papers=papers, stars=stars, key=b"key")
        whole = view(_load(world), scope)
        assert view(_load(world, world.area_chairs[CHAIRS[0]]), scope) == whole
        assert len(whole["papers"]["paper"]) == 6


def test_texts_of_every_kind_come_back(world: World):
    """Quotation marks, nulls, empty texts and marks of the copy format; a zero byte is replaced."""
    texts = ['say "hi", ok', None, "", "\\N", "line\nend", "ünïcode ☃", "a\x00b"]
    with world.console.database.writing() as session:
        conference, run = new_id(), new_id()
        session.add(ConferenceRow(id=conference, name="texts", created=now(), key="00"))
        session.flush()
        session.execute(
            insert(RunRow).values(
                id=run, conference=conference, name="texts", status="done", created=now(),
                request={}, inputs=[], shared=False,
            )
        )  # fmt: skip
        frame = pl.DataFrame(
            {"paper": [str(place) for place in range(len(texts))], "title": texts},
            schema={"paper": pl.String, "title": pl.String},
        )
        results.insert(session, PaperRow, results._as_rows(frame, PaperRow, run))
    with world.console.database.reading() as session:
        wanted = select(PaperRow.title).where(PaperRow.run == run)
        kept = list(session.scalars(wanted.order_by(PaperRow.place)))
    assert kept == [*texts[:-1], "a\ufffdb"]
    assert world.chair.delete(f"/api/conferences/{conference}").status_code == 204


@pytest.mark.parametrize("url", ["mysql://x", "what", "oracle://x/y"])
def test_other_databases_are_refused_in_words(url):
    with pytest.raises(UsageError, match="--database"):
        Database(url)


def test_postgresql_goes_by_its_plain_address():
    url = Database("postgresql://u@localhost/x").url
    assert url.drivername == "postgresql+pg8000"
