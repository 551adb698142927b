"""Snapshot + Scope -> View: what one viewer may see, and nothing else.

Whatever is outside a scope is left out here, before anything is encoded: a page cannot show, and an
answer cannot leak, what is not in the View.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

import polars as pl

from unround.disclosure.model import (
    OUTSIDE,
    BindingColumns,
    PaperColumns,
    RankingView,
    ReviewColumns,
    ScaleView,
    View,
)
from unround.disclosure.run import diagnostics_text, estimates_view, run_view, without_view
from unround.disclosure.scope import CHAIR, Scope, shuffled
from unround.disclosure.scores import PaperOrder, recompute_within_scope, within_scope
from unround.disclosure.snapshot import Snapshot
from unround.metrics.papers import paper_means
from unround.scale import Scale
from unround.uncertainty.advice import Diagnostics

BIDI = "[\u200e\u200f\u202a-\u202e\u2066-\u2069]"  # by these, one name can look like another
DECIMALS = 6  # of the parts of a move: finer than anyone reads
# Of percentiles for area chairs: all digits of a share of all reviews would reveal how many there are.
SHARE_DECIMALS = 1
EXACT = ("dequantized", "percentile", "lower", "upper")
PARTS = ("consensus", "ranking", "cell")


def view(
    snapshot: Snapshot,
    scope: Scope = CHAIR,
    *,
    conference: str = "Conference",
    name: str = "Scores",
    finished: str | None = None,
) -> View:
    """Return a run as the viewer of a scope may see it.

    conference  what the conference is called
    name        what the run is called
    finished    when the run ended (ISO 8601), if known
    """
    disclosure = None if scope.is_chair else scope.disclosure
    if disclosure == "scoped":
        snapshot = recompute_within_scope(snapshot, scope)
    inside = snapshot if scope.is_chair else within_scope(snapshot, scope)
    seen = _Visible.of(inside, scope)
    known = Diagnostics.of_record(snapshot.record)
    return {
        "conference": conference,
        "name": name,
        "finished": finished[:10] if finished and not scope.is_chair else finished,
        "viewer": {
            "role": "chair" if scope.is_chair else "area_chair",
            "name": scope.area_chair,
            "reviewer_names": scope.shows_names,
        },
        "disclosure": disclosure,
        "run": run_view(snapshot, inside, scope, seen.reviewers),
        "scale": _scale(snapshot.record["settings"]["scale"]),
        "papers": _papers(seen.papers, scope),
        "reviewers": seen.reviewers["label"].to_list(),
        "reviews": _reviews(seen.reviews, scope),
        "order": _order(snapshot, inside, seen) if disclosure == "order" else None,
        "rankings": _rankings(snapshot, scope, seen),
        "bindings": _bindings(snapshot.bindings, scope, seen),
        "diagnostics": diagnostics_text(snapshot.record) if scope.is_chair else [],
        "groups": known.groups if known and scope.is_chair else "",
        "estimates": estimates_view(snapshot, seen.papers, seen.reviewers)
        if scope.is_chair
        else None,
        "without": without_view(snapshot, seen.papers, seen.reviewers) if scope.is_chair else None,
    }


def encoded(shown: View) -> bytes:
    """Return a View as JSON: no spaces, UTF-8, numbers to their last digit."""
    text = json.dumps(shown, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode()


@dataclass(frozen=True)
class _Visible:
    """The papers, reviewers and reviews within a scope, with their numbers.

    Where reviewers have pseudonyms, reviews are ordered by these: the order of ids, kept over a few
    papers, would reveal whose name comes first in the alphabet.
    """

    papers: pl.DataFrame  # the snapshot's columns, number
    reviewers: pl.DataFrame  # reviewer, label, number
    reviews: pl.DataFrame  # the snapshot's columns, paper_number, reviewer_number

    @classmethod
    def of(cls, inside: Snapshot, scope: Scope) -> _Visible:
        papers, reviews = _numbered(inside.papers), inside.reviews
        reviewers = _reviewers(reviews, scope)
        reviews = _with_number(reviews, "paper", papers, "paper", "paper_number")
        reviews = _with_number(reviews, "reviewer", reviewers, "reviewer", "reviewer_number")
        if not scope.shows_names:
            reviews = reviews.sort("reviewer_number", "paper_number")
        if not scope.is_chair and scope.disclosure == "exact":
            reviews = reviews.with_columns(pl.col("percentile").round(SHARE_DECIMALS))
        return cls(papers, reviewers, reviews)


def _order(snapshot: Snapshot, inside: Snapshot, seen: _Visible) -> list[int | None]:
    """Return the place of each paper in view, 1 for the best; None for papers without reviews."""
    paper = seen.reviews["paper_number"].to_numpy()
    means = paper_means(seen.reviews["dequantized"].to_numpy(), paper, seen.papers.height)
    return PaperOrder.of(snapshot, inside).places(means)


def _numbered(table: pl.DataFrame) -> pl.DataFrame:
    return table.with_columns(pl.int_range(pl.len(), dtype=pl.Int64).alias("number"))


def _with_number(
    table: pl.DataFrame, column: str, numbered: pl.DataFrame, key: str, name: str
) -> pl.DataFrame:
    """Add a column with the number of each id, null where the id is not in view."""
    numbers = numbered.select(pl.col(key).alias(column), pl.col("number").alias(name))
    return table.join(numbers, on=column, how="left", maintain_order="left")


def _reviewers(reviews: pl.DataFrame, scope: Scope) -> pl.DataFrame:
    """Return everyone with a review in view: by id with names, in an order that reveals nothing without."""
    known = (
        reviews.group_by("reviewer")
        .agg(pl.col("reviewer_name").drop_nulls().first())
        .sort("reviewer")
    )
    if scope.shows_names:
        return _numbered(known.select("reviewer", _names().alias("label")))
    order = shuffled(known["reviewer"].to_list(), scope)
    labels = [f"Reviewer {number}" for number in range(1, len(order) + 1)]
    ids = pl.Series("reviewer", order, known.schema["reviewer"])
    return _numbered(pl.DataFrame([ids, pl.Series("label", labels, pl.String)]))


def _names() -> pl.Expr:
    """A reviewer's name; with the id where two share one; the id where there is none."""
    name = pl.col("reviewer_name").str.replace_all(BIDI, "")
    text = pl.col("reviewer").cast(pl.String)
    both = pl.format("{} ({})", name, text)
    return pl.when(name.is_null()).then(text).when(name.is_duplicated()).then(both).otherwise(name)


def _papers(papers: pl.DataFrame, scope: Scope) -> PaperColumns:
    def column(name: str) -> list[str | None] | None:
        known = name in papers.columns and papers[name].null_count() < papers.height
        return papers[name].to_list() if known else None

    return {
        "paper": papers["paper"].to_list(),
        "title": column("title"),
        "track": column("track"),
        "area_chair": column("area_chair") if scope.is_chair else None,
        "decision": column("decision") if scope.is_chair or scope.decisions else None,
    }


def _reviews(reviews: pl.DataFrame, scope: Scope) -> ReviewColumns:
    """Return the columns of reviews; those of the run's scores are empty where only the order is shown."""
    scores = reviews if scope.shows_forces else reviews.clear()
    columns = {
        "paper": reviews["paper_number"].to_list(),
        "reviewer": reviews["reviewer_number"].to_list(),
        "score": reviews["value"].to_list(),
        **{name: scores[name].to_list() for name in EXACT},
        **{name: scores[name].round(DECIMALS).to_list() for name in PARTS},
    }
    return cast(ReviewColumns, columns)


def _rankings(snapshot: Snapshot, scope: Scope, seen: _Visible) -> list[RankingView]:
    """Return what each reviewer in view stated, in the order of reviewers."""
    groups = _groups(snapshot.ranks, scope, seen)
    pairs = _stated_pairs(snapshot.pairs, scope, seen)
    return [
        {"groups": groups.get(number, []), "pairs": pairs.get(number, [])}
        for number in range(seen.reviewers.height)
    ]


def _groups(ranks: pl.DataFrame, scope: Scope, seen: _Visible) -> dict[int, list[list[int]]]:
    """Groups of tied papers, best first; in a group those in view by number, then the others."""
    stated = _statements_in_view(ranks, ("paper",), scope, seen)
    if not stated.height:
        return {}
    outside = pl.col("paper") == OUTSIDE
    grouped = (
        stated.sort("reviewer", "rank", outside, "paper")
        .group_by("reviewer", "rank", maintain_order=True)
        .agg("paper")
        .group_by("reviewer", maintain_order=True)
        .agg("paper")
    )
    return dict(zip(grouped["reviewer"].to_list(), grouped["paper"].to_list(), strict=True))


def _stated_pairs(
    pairs: pl.DataFrame, scope: Scope, seen: _Visible
) -> dict[int, list[tuple[int, int]]]:
    found: dict[int, list[tuple[int, int]]] = {}
    stated = _statements_in_view(pairs, ("better", "worse"), scope, seen).sort(
        "reviewer", "better", "worse"
    )
    for reviewer, better, worse in stated.select("reviewer", "better", "worse").iter_rows():
        found.setdefault(reviewer, []).append((better, worse))
    return found


def _bindings(bindings: pl.DataFrame, scope: Scope, seen: _Visible) -> BindingColumns:
    if not scope.shows_forces:
        bindings = bindings.clear()
    stated = _statements_in_view(bindings, ("better", "worse"), scope, seen)
    stated = stated.sort("reviewer", "better", "worse", "lifts", "lowers")
    columns = {
        **{name: stated[name].to_list() for name in ("reviewer", "better", "worse")},
        **{name: stated[name].round(DECIMALS).to_list() for name in ("lifts", "lowers")},
    }
    return cast(BindingColumns, columns)


def _statements_in_view(
    table: pl.DataFrame, papers: tuple[str, ...], scope: Scope, seen: _Visible
) -> pl.DataFrame:
    """Statements of reviewers in view by numbers; a paper out of view is OUTSIDE, or takes the
    statement with it where stars are off. What is about pairs out of view only is left out.
    """
    table = table.join(seen.reviewers, on="reviewer", how="semi")
    stated = _with_number(table, "reviewer", seen.reviewers, "reviewer", "who")
    for side in papers:
        stated = _with_number(stated, side, seen.papers, "paper", f"{side}_number")
    inside = [pl.col(f"{side}_number").is_not_null() for side in papers]
    if not scope.shows_stars:
        stated = stated.filter(pl.all_horizontal(inside))
    elif len(papers) > 1:
        stated = stated.filter(pl.any_horizontal(inside))
    numbers = {side: pl.col(f"{side}_number").fill_null(OUTSIDE) for side in papers}
    others = [name for name in table.columns if name not in ("reviewer", *papers)]
    return stated.select(pl.col("who").alias("reviewer"), *others, **numbers)


def _scale(levels: list[Any]) -> ScaleView:
    if not levels:  # inferred from no score at all
        return {"levels": [], "lower": [], "upper": [], "symbols": None}
    scale = Scale(levels)
    plain = scale.is_numeric and not scale.is_reversed
    symbols = None if plain else [str(level) for level in scale.levels]
    return {
        "levels": scale.values.tolist(),
        "lower": scale.lower.tolist(),
        "upper": scale.upper.tolist(),
        "symbols": symbols,
    }
