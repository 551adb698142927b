"""unround audit influence: a finished run -> how far single reviewers could move its papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from unround.arrays import IntArray
from unround.audit.influence.reach import Reach, ReviewerReach, SolvedConference
from unround.audit.inputs import PathLike, sample_of, snapshot_of
from unround.disclosure.snapshot import Snapshot
from unround.progress import StageProgress, open_progress
from unround.result import Result
from unround.reviews.review_set import ReviewSet
from unround.settings import Accept

SEED = 9
WAYS = ("up", "down")
# The fields of Reach as columns; `turns` where the paper crosses the line.
COLUMNS = {
    "move": "move",
    "place_to": "place",
    "limit": "limit",
    "place_limit": "place_limit",
    "plain": "plain",
    "plain_to": "plain_place",
}
TURNS = {"turns": "place_to", "turns_limit": "place_limit", "plain_turns": "plain_to"}


@dataclass(frozen=True)
class Influence:
    """The whole audit of a run.

    reviews  one row per review of the reviewers tried: reviewer, paper, score, mean, place, plain_place,
             and for up and down: move and place_to (of the mean, and the place, after the review goes a
             level up and first, or down and last, in its reviewer's list), limit and place_limit (by any
             change), plain and plain_to (under plain means), turns, turns_limit, plain_turns (whether
             the paper crosses the line)
    """

    reviews: pl.DataFrame
    reviewers: int
    tried: int
    papers: int
    above: int  # places above the line
    lam: float
    policy: str

    def moved(self, what: str) -> pl.Expr:
        """Return how far a review's paper moves, whichever way is further."""
        return pl.max_horizontal(f"{what}_up", f"{what}_down")

    def by_reviewer(self) -> pl.DataFrame:
        """Return the furthest that each reviewer can move a mean and a place, the worst reviewer first."""
        turns = (
            pl.any_horizontal(f"{turn}_up", f"{turn}_down").sum().alias(turn)
            for turn in ("turns", "plain_turns")
        )
        return (
            self.reviews.group_by("reviewer", maintain_order=True)
            .agg(
                *(self.moved(kind).max().alias(kind) for kind in ("move", "limit", "plain")),
                _jump("place", "place_to").max().alias("places"),
                _jump("place", "place_limit").max().alias("places_limit"),
                _jump("plain_place", "plain_to").max().alias("plain_places"),
                *turns,
                papers=pl.len(),
            )
            .sort("move", "places", "reviewer", descending=[True, True, False])
        )

    def spread(self, what: str, form: str) -> str:
        """Return the median over reviewers of a column of `by_reviewer`, and the largest in brackets."""
        values = self.by_reviewer()[what].to_numpy()
        return f"{np.median(values):{form}} ({values.max():{form}})"

    def most_hangs_on(self, count: int) -> pl.DataFrame:
        """Return the reviews whose change moves their paper's mean most; then, its place.

        mean_to and place_to are those after the change that moves it further.
        """
        down = pl.col("move_down") > pl.col("move_up")
        moved = pl.when(down).then(-pl.col("move_down")).otherwise("move_up")
        return (
            self.reviews.with_columns(
                hangs=self.moved("move"),
                mean_to=pl.col("mean") + moved,
                place_to=pl.when(down).then("place_to_down").otherwise("place_to_up"),
            )
            .sort(
                pl.col("hangs").round(3),
                _jump("place", "place_to"),
                "reviewer",
                "paper",
                descending=[True, True, False, False],
            )
            .head(count)
        )

    def turning(self, kind: str = "turns") -> float:
        """Return the per cent of reviews whose reviewer alone could take the paper across the line."""
        turned = self.reviews.select(pl.any_horizontal(f"{kind}_up", f"{kind}_down").mean()).item()
        return 100.0 * float(turned or 0.0)

    def record(self) -> dict[str, Any]:
        """Return the audit as plain values."""
        return {
            "reviewers": self.reviewers,
            "tried": self.tried,
            "papers": self.papers,
            "above": self.above,
            "lam": "inf" if np.isinf(self.lam) else self.lam,
            "conflicts": self.policy,
            "turning": self.turning(),
            "turning_limit": self.turning("turns_limit"),
            "plain_turning": self.turning("plain_turns"),
            "by_reviewer": self.by_reviewer().to_dicts(),
            "reviews": self.most_hangs_on(self.reviews.height).to_dicts(),
        }


def audit_influence(
    run: Result | Snapshot | PathLike,
    *,
    accept: Accept | int | float | str = "25%",
    per_track: bool = False,
    sample: int | None = None,
    progress: StageProgress | bool | None = None,
) -> Influence:
    """Measure how far each reviewer alone could move the papers they read.

    Parameters
    ----------
    run : Result or path
        The result, or its folder.
    accept : int, float or str
        How many papers there is room for: 500, 0.25 or "25%".
    per_track : bool
        Whether there is room for as many of each track.
    sample : int, optional
        How many reviewers are tried, at random. None: all.
    progress : bool or callable, optional
        As for `dequantize`.
    """
    line, size, snapshot = Accept.of(accept), sample_of(sample), snapshot_of(run)
    prepared, lam = snapshot.prepared, snapshot.lam
    tracks = _tracks(snapshot, prepared.reviews) if per_track else None
    conference = SolvedConference(prepared, lam, tracks)
    room = _room(line, conference.count.size, tracks)
    chosen = _chosen(len(conference), size)
    found = list[ReviewerReach]()
    with open_progress(progress) as report:
        for done, reviewer in enumerate(chosen.tolist(), start=1):
            report("trying reviewers", done, chosen.size)
            found.append(conference.reviewer(reviewer))
    return Influence(
        reviews=_table(conference, found, room),
        reviewers=len(conference),
        tried=int(chosen.size),
        papers=int(conference.count.size),
        above=int(room[np.unique(conference.ahead, return_index=True)[1]].sum()),
        lam=lam,
        policy=str(prepared.settings.conflicts.value),
    )


def _tracks(snapshot: Snapshot, reviews: ReviewSet) -> IntArray:
    """Return the number of each paper's track; papers without one are a track of their own."""
    papers = snapshot.papers
    if "track" not in papers.columns:
        return np.zeros(len(reviews.papers), np.int64)
    track = dict(zip(papers["paper"].cast(pl.String), papers["track"].fill_null(""), strict=True))
    names = [track[str(paper)] for paper in reviews.papers.labels]
    return np.unique(names, return_inverse=True)[1]


def _room(accept: Accept, papers: int, tracks: IntArray | None) -> IntArray:
    """Return how many papers, of all or of each paper's track, are above the line."""
    if tracks is None:
        return np.full(papers, accept.papers(papers))
    sizes = np.bincount(tracks).tolist()
    most = [accept.papers(n) if accept.percent else min(int(accept.amount), n) for n in sizes]
    return np.array(most)[tracks]


def _chosen(reviewers: int, sample: int | None) -> IntArray:
    if sample is None or sample >= reviewers:
        return np.arange(reviewers)
    return np.sort(np.random.default_rng(SEED).choice(reviewers, sample, replace=False))


def _jump(place: str, to: str) -> pl.Expr:
    """Return how many places a review's paper moves, whichever way is further."""
    return pl.max_horizontal(
        pl.col(place) - pl.col(f"{to}_up"), pl.col(f"{to}_down") - pl.col(place)
    )


def _table(
    conference: SolvedConference, found: Sequence[ReviewerReach], room: IntArray
) -> pl.DataFrame:
    """Return one row per review."""
    reviews = conference.reviews
    number = np.concatenate([one.reviews for one in found])
    paper = reviews.paper[number]
    ahead, above = conference.ahead[paper], room[paper]
    now = {
        "place": conference.places.now[paper] - ahead,
        "plain_place": conference.plain.now[paper] - ahead,
    }
    columns: dict[str, Any] = {
        "reviewer": pl.Series([reviews.reviewers.labels[one] for one in reviews.reviewer[number]]),
        "paper": pl.Series([reviews.papers.labels[one] for one in paper]),
        "score": pl.Series([str(reviews.scale.levels[one]) for one in reviews.level[number]]),
        "mean": conference.means[paper],
        **now,
    }
    for way in WAYS:
        reaches: list[Reach] = [getattr(one, way) for one in found]
        for name, field in COLUMNS.items():
            values = np.concatenate([getattr(one, field) for one in reaches])
            columns[f"{name}_{way}"] = values - ahead if "place" in field else values
        for turn, to in TURNS.items():
            before = now["plain_place" if turn == "plain_turns" else "place"]
            columns[f"{turn}_{way}"] = (before <= above) != (columns[f"{to}_{way}"] <= above)
    return pl.DataFrame(columns)
