"""A run that is read whole and cut gives each area chair what the database gives for them alone."""

from __future__ import annotations

from dataclasses import fields

import polars as pl
from polars.testing import assert_frame_equal

from tests.console.conftest import World
from unround.console.storage.orm import AreaChairRow, RunRow
from unround.console.views.view import load_run
from unround.console.views.whole_run import WholeRun
from unround.report.snapshot import Snapshot


def test_the_parts_are_what_the_database_gives(world: World):
    with world.console.database.reading() as session:
        run = session.get(RunRow, world.run)
        whole = WholeRun(world.console, run)
        _assert_same(whole.snapshot, load_run(session, run, None))
        for id in world.area_chairs.values():
            _assert_same(whole.snapshot_of(id), load_run(session, run, id))
            assert whole.papers_of(id) == set(whole.snapshot_of(id).papers["paper"].cast(pl.String))


def test_an_area_chair_without_papers_has_empty_tables(world: World):
    with world.console.database.writing() as session:
        run = session.get(RunRow, world.run)
        nobody = AreaChairRow(id="0" * 32, conference=run.conference, name="No Papers")
        session.add(nobody)
        session.flush()
        whole = WholeRun(world.console, run)
        assert whole.papers_of(nobody.id) == frozenset()
        _assert_same(whole.snapshot_of(nobody.id), load_run(session, run, nobody.id))
        session.rollback()


def _assert_same(one: Snapshot, other: Snapshot) -> None:
    assert one.record == other.record
    for field in fields(Snapshot):
        table = getattr(one, field.name)
        if isinstance(table, pl.DataFrame):
            assert_frame_equal(table, getattr(other, field.name))
