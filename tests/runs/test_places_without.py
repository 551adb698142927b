"""Places without contradictions: those of an own run in which these statements were left out."""

from __future__ import annotations

from collections.abc import Collection
from itertools import permutations

import polars as pl
import pytest

import unround
from unround.metrics import tie_grid
from unround.metrics.papers import tied_places
from unround.result import Result
from unround.runs.compute import run_of_result
from unround.runs.uncertainty import WITHOUT
from unround.settings import PolicyName


def conference(seed: int, papers: int) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return reviews and rankings in which every third reviewer exchanges their first and last paper."""
    made = unround.simulate.thurstone(
        papers, papers_per_reviewer=(3, 4, 5), noise=0.9, scale=range(1, 11), seed=seed
    )
    people = made.rankings["reviewer"].unique().sort().gather_every(3).implode()
    rank, last = pl.col("rank"), pl.col("rank").max().over("reviewer")
    exchanged = pl.when(rank == 1).then(last).when(rank == last).then(1).otherwise(rank)
    track = pl.format("Track {}", pl.col("paper").cast(pl.Int64) % 4).alias("track")
    reviews = made.reviews.select("reviewer", "paper", "score", track)
    chosen = pl.col("reviewer").is_in(people)
    return reviews, made.rankings.with_columns(rank=pl.when(chosen).then(exchanged).otherwise(rank))


def run_without(
    result: Result[pl.DataFrame], rankings: pl.DataFrame, people: Collection[object]
) -> Result:
    """Run again: these reviewers say pair by pair what does not contradict their scores."""
    reviews = result.scores.select("reviewer", "paper", "score", "^track$")
    score = {(who, paper): given for who, paper, given, *_ in reviews.rows()}
    pairs = [
        (who, better, worse)
        for (who,), own in rankings.partition_by("reviewer", as_dict=True).items()
        if who in people
        for (better, first), (worse, then) in permutations(own["paper", "rank"].rows(), 2)
        if first < then and score[who, better] >= score[who, worse]
    ]
    stated = pl.DataFrame(pairs, ["reviewer", "better", "worse"], orient="row")
    others = rankings.filter(~pl.col("reviewer").is_in(list(people)))
    return unround.dequantize(
        reviews,
        [table for table in (others, stated) if table.height],
        lam=result.lam,
        scale=list(result.scale.levels),
        conflicts=result.settings.conflicts,
    )


def places(result: Result) -> dict[object, tuple[int, ...]]:
    """Return the first and the last place of each paper, among all papers and in its track."""
    tracks = result.scores.group_by("paper").agg(pl.col("track").first())
    papers = result.papers.join(tracks, on="paper")
    found: dict[object, tuple[int, ...]] = dict.fromkeys(papers["paper"], ())
    for part in (papers, *papers.partition_by("track")):
        tied = tied_places(tie_grid(part["dequantized_mean"].to_numpy()))
        for paper, first, last in zip(part["paper"], tied.first, tied.last, strict=True):
            found[paper] += (int(first), int(last))
    return found


def compared(seed: int, papers: int, lam: float | str = 4.0) -> list[tuple[object, ...]]:
    """Return every row of the table that differs from an own run, and check that there are rows."""
    reviews, rankings = conference(seed, papers)
    result = unround.dequantize(reviews, rankings, lam=lam, conflicts="rankings")  # type: ignore[call-overload]
    table = run_of_result(result).tables[WITHOUT]
    assert table["reviewer"].null_count() > 0
    everyone = table.drop_nulls().group_by("paper").agg("reviewer").rows()
    about: dict[object, set[object]] = {paper: set(who) for paper, who in everyone}
    own: dict[frozenset[object], dict[object, tuple[int, ...]]] = {}
    wrong = []
    for paper, reviewer, *stored in table.rows():
        people = frozenset(about[paper] if reviewer is None else {reviewer})
        if people not in own:
            own[people] = places(run_without(result, rankings, set(people)))
        if own[people][paper] != tuple(stored):
            wrong.append((paper, reviewer, stored, own[people][paper]))
    return wrong


@pytest.mark.parametrize("seed", range(2))
def test_each_place_is_that_of_an_own_run_without_the_contradictions(seed: int) -> None:
    assert compared(seed, papers=24) == []


def test_a_run_that_trusts_scores_loses_nothing_without_contradictions() -> None:
    reviews, rankings = conference(3, papers=24)
    conflicts: PolicyName = "scores"
    result = unround.dequantize(reviews, rankings, lam=4.0, conflicts=conflicts)
    people = {issue.reviewer for issue in result.issues}
    assert people
    assert WITHOUT not in run_of_result(result).tables
    assert places(run_without(result, rankings, people)) == places(result)


def test_a_run_without_contradictions_has_no_such_table() -> None:
    made = unround.simulate.thurstone(12, seed=1)
    result = unround.dequantize(made.reviews, made.rankings, lam=4.0, conflicts="rankings")
    assert WITHOUT not in run_of_result(result).tables


def test_only_the_furthest_moves_are_solved_for_where_there_are_too_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reviews, rankings = conference(0, papers=24)
    result = unround.dequantize(reviews, rankings, lam=4.0, conflicts="rankings")
    whole = run_of_result(result).tables[WITHOUT]
    monkeypatch.setattr("unround.runs.contradictions.MOST_SOLVED", 2 * reviews.height)
    assert run_of_result(result).tables[WITHOUT].equals(whole.head(len(_first_two_cases(whole))))


def _first_two_cases(table: pl.DataFrame) -> list[object]:
    """Return the rows of the first two sets of people."""
    everyone = table.drop_nulls().group_by("paper").agg("reviewer").rows()
    about = {paper: frozenset(who) for paper, who in everyone}
    cases = [
        about[paper] if who is None else frozenset([who])
        for paper, who in table["paper", "reviewer"].rows()
    ]
    first = list(dict.fromkeys(cases))[:2]
    return [case for case in cases if case in first]
