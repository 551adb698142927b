"""A synthetic conference through OpenReview's files gives the plain tables' scores, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import unround
from unround.formats.importer import Imported, import_files
from unround.formats.synthetic import NamedConference, named
from unround.formats.systems.openreview import write_conference
from unround.scale import Scale


def conference(**options: object) -> NamedConference:
    return named(unround.simulate.thurstone(papers=60, seed=4, **options))  # type: ignore[arg-type]


def imported(written: NamedConference, folder: Path, *, whole: bool) -> Imported:
    paths = {path.name: path for path in write_conference(written, folder)}
    if whole:
        return import_files([folder])
    reviews = [paths[name] for name in ("notes.json", "groups.json", "invitation.json")]
    return import_files(reviews, [paths["tags.json"]])


@pytest.mark.parametrize("whole", [True, False], ids=["folder", "files"])
@pytest.mark.parametrize(
    "scale", [None, [1, 3, 5, 6, 8, 10], [1, 1.5, 2, 2.5, 3]], ids=["0-10", "uneven", "halves"]
)
def test_scores_are_those_of_the_plain_tables(
    tmp_path: Path, scale: list[float] | None, whole: bool
) -> None:
    made = conference(scale=scale, papers_per_reviewer=[3, 5, 6])
    found = imported(made, tmp_path / "conference", whole=whole)
    assert found.scale == made.scale
    assert found.notes == ()
    plain = unround.dequantize(made.reviews, made.rankings, scale=made.scale, lam="auto")
    again = unround.dequantize(
        found.reviews.table, found.rankings[0].table, scale=found.scale, lam="auto"
    )
    assert again.lam == plain.lam
    one, other = (result.scores.sort("reviewer", "paper") for result in (plain, again))
    for name in ("paper", "score", "dequantized", "percentile", "title", "track"):
        assert one[name].to_list() == other[name].to_list()
    profiles = one["reviewer_name"].str.replace(" ", "_")
    assert other["reviewer"].to_list() == [f"~{name}1" for name in profiles]
    assert other["confidence"].to_list() == one["confidence"].cast(pl.String).to_list()
    assert plain.papers.equals(again.papers)


def test_letters_come_back_as_letters(tmp_path: Path) -> None:
    letters = Scale.letters("A", "E")
    numbers = conference(scale=[1, 2, 3, 4, 5])
    score = numbers.reviews["score"].replace_strict(
        [1, 2, 3, 4, 5], list(letters.levels), return_dtype=pl.String
    )
    made = NamedConference(numbers.reviews.with_columns(score), numbers.rankings, letters)
    found = imported(made, tmp_path, whole=True)
    assert found.scale == letters
    plain = unround.dequantize(numbers.reviews, numbers.rankings, lam=8.0)
    again = unround.dequantize(
        found.reviews.table, found.rankings[0].table, scale=found.scale, lam=8.0
    )
    one, other = (result.scores.sort("reviewer", "paper") for result in (plain, again))
    assert one["dequantized"].to_list() == other["dequantized"].to_list()


def test_the_same_anonymous_name_is_another_person_on_another_paper(tmp_path: Path) -> None:
    write_conference(conference(), tmp_path)
    groups = json.loads((tmp_path / "groups.json").read_text())
    first = {group["members"][0] for group in groups if group["id"].endswith("Reviewer_0001")}
    assert len(first) > 1


def test_writing_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    one, two = (write_conference(conference(), tmp_path / name) for name in ("one", "two"))
    assert [path.name for path in one] == [path.name for path in two]
    assert all(a.read_bytes() == b.read_bytes() for a, b in zip(one, two, strict=True))
