"""All of a run, read once and cut into what each area chair's view is made from."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import polars as pl
from sqlalchemy import select

from unround.console.context import Console
from unround.console.storage.orm import AreaChairRow, AssignmentRow, RunRow
from unround.console.views.view import load_run
from unround.report.snapshot import Snapshot

VIEWER, TEXT = "_viewer", "_text"  # columns that no table of a run has
Parts = dict[str, pl.DataFrame]  # by the id of an area chair


class WholeRun:
    """A run for a caller that makes many views of it."""

    def __init__(self, console: Console, run: RunRow) -> None:
        self._console, self._run = console, run

    @cached_property
    def snapshot(self) -> Snapshot:
        """Every row of the run."""
        with self._console.database.reading() as session:
            return load_run(session, self._run, None)

    def papers_of(self, area_chair: str) -> frozenset[str]:
        """Return the papers of an area chair, by their ids as text."""
        return self._papers.get(area_chair, frozenset())

    def snapshot_of(self, area_chair: str) -> Snapshot:
        """Return the papers of an area chair, their reviews, and what the reviewers of these said."""
        whole = self.snapshot
        parts = {
            name: parts.get(area_chair, getattr(whole, name).clear())
            for name, parts in self._parts.items()
        }
        return replace(whole, **parts, sureness={})

    @cached_property
    def _assigned(self) -> pl.DataFrame:
        query = (
            select(AssignmentRow.area_chair, AssignmentRow.paper)
            .join(AreaChairRow, AreaChairRow.id == AssignmentRow.area_chair)
            .where(AreaChairRow.conference == self._run.conference)
        )
        with self._console.database.reading() as session:
            rows = [tuple(row) for row in session.execute(query)]
        return pl.DataFrame(rows, schema={VIEWER: pl.String, TEXT: pl.String}, orient="row")

    @cached_property
    def _papers(self) -> dict[str, frozenset[str]]:
        return {
            area_chair: frozenset(part[TEXT].to_list())
            for area_chair, part in _cut(self._assigned).items()
        }

    @cached_property
    def _parts(self) -> dict[str, Parts]:
        """The tables of the run in parts, by name."""
        whole = self.snapshot
        reviews = self._of_papers(whole.reviews)
        reviewers = reviews.select(VIEWER, "reviewer").unique()
        said = {"ranks": whole.ranks, "pairs": whole.pairs, "bindings": whole.bindings}
        return {
            "papers": _cut(self._of_papers(whole.papers)),
            "reviews": _cut(reviews),
            **{
                name: _cut(table.join(reviewers, on="reviewer", maintain_order="left"))
                for name, table in said.items()
            },
        }

    def _of_papers(self, table: pl.DataFrame) -> pl.DataFrame:
        """Return the rows of papers, once for each area chair who has them."""
        named = table.with_columns(pl.col("paper").cast(pl.String).alias(TEXT))
        return named.join(self._assigned, on=TEXT, maintain_order="left").drop(TEXT)


def _cut(table: pl.DataFrame) -> Parts:
    parts = table.partition_by(VIEWER, include_key=False, as_dict=True)
    return {area_chair: part for (area_chair,), part in parts.items()}
