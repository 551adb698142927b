"""Contradictions by reviewer: whom to ask, about what, and where papers would be without them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from unround.arrays import FloatArray, IntArray
from unround.issues import Issue, Kind
from unround.metrics import tie_grid
from unround.metrics.papers import paper_means
from unround.problem.build import build_problem
from unround.problem.rank_lists import completed_ranks
from unround.reviews.review_set import ReviewSet, Statements
from unround.reviews.tables import Tables

if TYPE_CHECKING:
    from unround.result import Internals

CONTRADICTIONS = "contradictions.csv"
SCHEMA = {
    "reviewer": pl.String,
    "reviewer_name": pl.String,
    "email": pl.String,
    "contradictions": pl.Int64,
    "fewest_changes": pl.Int64,
    "papers": pl.String,
    "scores": pl.String,
    "ranks": pl.String,
    "sentence": pl.String,
}
SHOWN = 3  # pairs in a sentence
TOLERANCE_SPACINGS = 1e-7  # of every mean without contradictions, in smallest level spacings
# So many cases times reviews does `places_without` compute, those of the furthest moves first.
MOST_SOLVED = 20_000_000


def contradictions_by_reviewer(issues: Iterable[Issue], tables: Tables) -> pl.DataFrame:
    """Return one row per reviewer whose rankings contradict their scores, for a mail merge.

    `fewest_changes` is the smallest number of papers whose rank or score would have to change so that no
    contradiction is left. It counts listed contradictions only: for a reviewer with more than a thousand it
    is a lower bound.
    """
    issues = list(issues)
    listed_by, unlisted = by_reviewer(issues), _unlisted(issues)
    reviewers = list(listed_by)
    people = _people(tables.reviews, reviewers)
    ranks: dict[object, dict[object, Any]] = {}
    for who, paper, rank in _ranks(tables.ranking_tables, reviewers):
        ranks.setdefault(who, {})[paper] = rank
    rows = [
        {**people[who], **_row(listed, ranks.get(who, {}), unlisted.get(who, 0))}
        for who, listed in listed_by.items()
    ]
    table = pl.DataFrame(rows, schema=SCHEMA, orient="row")
    return table.sort("contradictions", descending=True, maintain_order=True)


def by_reviewer(issues: Iterable[Issue]) -> dict[object, list[Issue]]:
    """Return each reviewer's contradictions, in the order of their first one."""
    listed: dict[object, list[Issue]] = {}
    for issue in issues:
        if issue.kind is Kind.CONTRADICTION and len(issue.papers) == 2:
            listed.setdefault(issue.reviewer, []).append(issue)
    return listed


def _unlisted(issues: Iterable[Issue]) -> dict[object, int]:
    """Return how many contradictions of each reviewer are counted and not listed."""
    return {
        issue.reviewer: issue.count
        for issue in issues
        if issue.kind is Kind.CONTRADICTION and not issue.papers
    }


def fewest_changes(issues: Sequence[Issue]) -> int:
    """Return the fewest papers of one reviewer that must change rank or score to end these."""
    return fewest_papers([(issue.papers[0], issue.papers[1]) for issue in issues])


def _row(listed: Sequence[Issue], ranks: Mapping[object, Any], unlisted: int) -> dict[str, Any]:
    pairs = [(issue.papers[0], issue.papers[1]) for issue in listed]
    scores = {
        paper: score
        for issue in listed
        for paper, score in zip(issue.papers, issue.scores, strict=True)
    }
    fewest = fewest_changes(listed)
    papers = sorted(scores, key=lambda paper: (float(ranks.get(paper, math.inf)), str(paper)))
    return {
        "contradictions": len(pairs) + unlisted,
        "fewest_changes": fewest,
        "papers": "; ".join(map(str, papers)),
        "scores": "; ".join(str(scores[paper]) for paper in papers),
        "ranks": "; ".join(str(ranks.get(paper, "")) for paper in papers),
        "sentence": _sentence(pairs, scores, fewest, unlisted),
    }


def fewest_papers(pairs: Sequence[tuple[object, object]]) -> int:
    """Return the fewest papers whose rank or score would have to change so that no contradiction is left.

    `pairs` are all contradictions of one reviewer: the paper ranked above, and the one below. "Above,
    with a lower score" is a partial order; the fewest papers that touch every pair of such an order
    are as many as a largest matching has pairs (Dilworth, König).

    >>> fewest_papers([("a", "b"), ("a", "c"), ("a", "d")])
    1
    >>> fewest_papers([("a", "b"), ("c", "d")])
    2
    """
    if not pairs:
        return 0
    # Loaded where it is needed: SciPy takes a fifth of a second.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_bipartite_matching

    numbers = {paper: number for number, paper in enumerate(dict.fromkeys(sum(pairs, ())))}
    above, below = ([numbers[pair[side]] for pair in pairs] for side in (0, 1))
    graph = csr_array((np.ones(len(pairs), bool), (above, below)), shape=(len(numbers),) * 2)
    return int((maximum_bipartite_matching(graph) >= 0).sum())


def _sentence(
    pairs: Sequence[tuple[object, object]],
    scores: Mapping[object, object],
    fewest: int,
    unlisted: int,
) -> str:
    shown = "; ".join(
        f"{better} (score {scores[better]}) above {worse} (score {scores[worse]})"
        for better, worse in pairs[:SHOWN]
    )
    left = len(pairs) + unlisted - SHOWN
    more = f"; and {left:,} more" if left > 0 else ""
    change = "one change" if fewest == 1 else f"{fewest} changes"
    if unlisted:
        change = f"at least {change}"
    return (
        f"Your ranking puts {shown}{more}, which contradicts your scores. Please tell us which is "
        f"right, the ranking or the scores: {change} would settle it."
    )


def _people(reviews: pl.DataFrame, reviewers: Sequence[object]) -> dict[Any, dict[str, Any]]:
    """Return id, name and e-mail of each reviewer, as far as files name them."""
    columns = [name for name in ("reviewer_name", "reviewer_email") if name in reviews.columns]
    people = (
        reviews.filter(pl.col("reviewer").is_in(reviewers))
        .group_by("reviewer")
        .agg(pl.col(name).drop_nulls().first() for name in columns)
    )
    rows = {row["reviewer"]: row for row in people.iter_rows(named=True)}
    return {
        reviewer: {
            "reviewer": str(reviewer),
            "reviewer_name": rows.get(reviewer, {}).get("reviewer_name"),
            "email": rows.get(reviewer, {}).get("reviewer_email") or email_in(str(reviewer)),
        }
        for reviewer in reviewers
    }


def places_without(inside: Internals, issues: Iterable[Issue], known: pl.DataFrame) -> pl.DataFrame:
    """Return the places of papers by mean if contradictions about them were set aside.

    One row per paper and reviewer, with the contradictions of this reviewer alone set aside. Where
    several reviewers contradict themselves about a paper, also a row without a reviewer, with those
    of all of them set aside. λ stays that of the run, which trusts the rankings.

    known  one row per paper, in the order of ids; maybe with its track
    """
    from unround.solver.changed import SolvedProblem  # loads Numba

    reviews, problem, none = inside.reviews, inside.problem, [None] * known.height
    track = known.get_column("track", default=pl.Series(none)).to_numpy()
    labels = np.array(list(by_reviewer(issues)), dtype=object)
    said, people = reviews.statements, np.sort(reviews.reviewers.codes(labels)).tolist()
    kept, about = _kept_pairs(inside, people)
    start = paper_means(inside.values, problem.paper, problem.papers)
    solved = SolvedProblem(problem, inside.lam, TOLERANCE_SPACINGS * reviews.scale.spacing, start)
    moved = np.abs(inside.values - reviews.given)
    rows = list[tuple[Any, ...]]()
    for who, papers in _cases(reviews, about, moved)[: MOST_SOLVED // len(reviews)]:
        own = np.flatnonzero(np.isin(reviews.reviewer, who))
        alike = np.stack([said.alike, said.alike_to])[:, np.isin(said.alike, own)]
        pairs = np.concatenate([kept[person] for person in who], axis=1)
        stated = (*np.searchsorted(own, pairs), *np.searchsorted(own, alike))
        alone = reviews.alone(own, Statements(np.full(own.size, np.nan), *stated))
        changed = build_problem(alone, inside.settings)[0]
        means = solved.means.copy()
        there = solved.near(own).after(changed)
        means[there.papers] = there.means
        grid = tie_grid(means)
        reviewer = reviews.reviewers.labels[who[0]] if len(who) == 1 else None
        for each in papers:
            rivals = (grid, grid[track == track[each]])
            places = (
                (int((of > grid[each]).sum()) + 1, int((of >= grid[each]).sum())) for of in rivals
            )
            rows.append((reviews.papers.labels[each], reviewer, *sum(places, ())))
    names = ("paper", "reviewer", "place", "place_last", "track_place", "track_place_last")
    return pl.DataFrame(rows, names, orient="row", infer_schema_length=None)


def _kept_pairs(
    inside: Internals, people: Sequence[int]
) -> tuple[dict[int, IntArray], dict[int, IntArray]]:
    """Return what each of these reviewers states but for their contradictions, better above worse.

    Return also the reviews about which each of them contradicts themselves.
    """
    reviews, said = inside.reviews, inside.reviews.statements
    rank = completed_ranks(reviews, inside.settings.unranked)
    kept, about = dict[int, IntArray](), dict[int, IntArray]()
    for person in people:
        own = np.arange(*np.searchsorted(reviews.reviewer, [person, person + 1]))
        above = rank[own, None] < rank[own]
        stated = np.isin(said.better, own)
        above[said.better[stated] - own[0], said.worse[stated] - own[0]] = True
        against = above & (reviews.level[own, None] < reviews.level[own])
        about[person] = own[against.any(axis=0) | against.any(axis=1)]
        kept[person] = own[np.stack(np.nonzero(above & ~against))]
    return kept, about


def _cases(
    reviews: ReviewSet, about: Mapping[int, IntArray], moved: FloatArray
) -> list[tuple[tuple[int, ...], list[int]]]:
    """Return whose contradictions to set aside together, and for which papers; the furthest moves first."""
    by_paper, cases = defaultdict[int, list[int]](list), defaultdict[Any, list[int]](list)
    for person, own in about.items():
        for paper in reviews.paper[own].tolist():
            by_paper[paper].append(person)
    for paper, who in by_paper.items():
        for each in {*((person,) for person in who), tuple(who)}:
            cases[each].append(paper)
    furthest = {person: float(moved[own].max(initial=0.0)) for person, own in about.items()}
    return sorted(cases.items(), key=lambda case: (-max(furthest[who] for who in case[0]), case))


def email_in(reviewer: str) -> str | None:
    """Return the reviewer's id where that is an e-mail address.

    >>> email_in("ann@example.org"), email_in("~Ann_Example1")
    ('ann@example.org', None)
    """
    name, at, host = reviewer.partition("@")
    return reviewer if name and at and "." in host else None


def _ranks(
    tables: Sequence[pl.DataFrame], reviewers: Sequence[object]
) -> Iterator[tuple[Any, ...]]:
    """Yield the ranks that some reviewers gave: reviewer, paper, rank."""
    for table in tables:
        if "rank" in table.columns:
            chosen = table.filter(pl.col("reviewer").is_in(reviewers))
            yield from chosen.select("reviewer", "paper", "rank").iter_rows()
