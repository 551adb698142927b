"""A synthetic conference through every system's files gives the plain tables' scores, bit for bit."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import unround
from unround.cli.commands.simulate import SHAPES
from unround.formats.importer import Imported, import_files
from unround.formats.registry import system_module
from unround.formats.synthetic import NamedConference, named
from unround.formats.systems import openreview
from unround.scale import Scale

NUMBER = r"([0-9]{5})"  # every system names reviewers by a number of five digits
# What the files of a system say beside scores, review by review, where that is tested.
CARRIED = {
    "csv": ("confidence", "reviewer_name", "title", "track", "area_chair"),
    "hotcrp": ("confidence", "reviewer_name", "title"),
    "openreview": ("confidence", "title", "track"),
    "cmt": ("confidence", "reviewer_name", "title", "track"),
    "easychair": ("confidence", "reviewer_name"),
}
FOR_EVERY_SYSTEM: dict[str, dict[str, Any]] = {
    "five levels": {"scale": Scale.integers(1, 5), "seed": 5},
    "letters": {"scale": Scale.letters("A", "E"), "seed": 5, "papers": 40},
    "uneven loads": {"scale": range(1, 11), "seed": 2, "papers_per_reviewer": [2, 7, 5]},
    # Opinions clipped to the scale's ends tie.
    "ties": {"scale": range(1, 11), "seed": 4, "noise": 6.0},
    "two papers": {"scale": range(1, 7), "seed": 7, "papers": 2, "papers_per_reviewer": 2},
}
BUT_FOR_HOTCRP: dict[str, dict[str, Any]] = {
    "from zero": {"seed": 1},
    "half points": {"scale": [1, 1.5, 2, 2.5, 3], "seed": 3},
    "uneven": {"scale": [1, 3, 5, 6, 8, 10], "seed": 4},
}


def conference(papers: int = 60, **options: Any) -> NamedConference:
    return named(unround.simulate.thurstone(papers=papers, **options))


def run(found: Imported, scale: Scale, lam: float | Literal["auto+"]) -> unround.Result:
    return unround.dequantize(
        found.reviews.table,
        [sheet.table for sheet in found.rankings],
        same=found.same.table if found.same else None,
        scale=scale,
        lam=lam,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("system", "name"),
    [
        *product(SHAPES, FOR_EVERY_SYSTEM),
        *product([system for system in SHAPES if system != "hotcrp"], BUT_FOR_HOTCRP),
    ],
)
def test_scores_are_those_of_the_plain_tables(system: str, name: str, tmp_path: Path) -> None:
    made = conference(**{**FOR_EVERY_SYSTEM, **BUT_FOR_HOTCRP}[name])
    found = import_files(system_module(system).write_conference(made, tmp_path))
    assert found.scale in (None, made.scale)  # OpenReview's form states it
    here = unround.dequantize(made.reviews, made.rankings, scale=made.scale)
    # "auto+" learns from tied ranks how fine opinions are; CMT's Comparable is another statement.
    there = run(found, made.scale, here.lam if (system, name) == ("cmt", "ties") else "auto+")
    assert there.lam == here.lam
    columns = ["paper", "score", "dequantized", "percentile"]
    one, other = (
        result.scores.select(
            pl.col("reviewer").str.extract(NUMBER),
            *columns,
            pl.col(CARRIED.get(system, ())).cast(pl.String),
        ).sort("reviewer", "paper")
        for result in (here, there)
    )
    assert_frame_equal(one, other, check_exact=True)
    assert_frame_equal(here.papers, there.papers, check_exact=True)


class TestOpenReview:
    def test_reviewers_go_by_their_profiles_and_nothing_is_left_out(self, tmp_path: Path) -> None:
        made = conference(seed=4)
        found = import_files(openreview.write_conference(made, tmp_path))
        profiles = {f"~{name.replace(' ', '_')}1" for name in made.reviews["reviewer_name"]}
        assert set(found.reviews.table["reviewer"]) == profiles
        assert found.notes == ()
        assert found.scale == made.scale

    def test_the_same_anonymous_name_is_another_person_on_another_paper(
        self, tmp_path: Path
    ) -> None:
        openreview.write_conference(conference(seed=4), tmp_path)
        groups = json.loads((tmp_path / "groups.json").read_text())
        first = {group["members"][0] for group in groups if group["id"].endswith("Reviewer_0001")}
        assert len(first) > 1


@pytest.mark.parametrize("system", SHAPES)
def test_writing_twice_gives_the_same_bytes(system: str, tmp_path: Path) -> None:
    made = conference(papers=20, scale=range(1, 6), seed=4)
    write = system_module(system).write_conference
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    one, two = (write(made, tmp_path / name) for name in ("one", "two"))
    assert [path.name for path in one] == [path.name for path in two]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(one, two, strict=True))
