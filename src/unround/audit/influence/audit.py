"""unround audit influence: a finished run -> how far single reviewers could move its papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from unround.arrays import IntArray
from unround.audit.influence.authors import AuthoredPaper, own_papers
from unround.audit.influence.search import Reach, ReviewerReach, SolvedConference
from unround.disclosure.snapshot import Snapshot, solved_input
from unround.progress import StageProgress
from unround.settings import Accept

SEED = 9
LINE = Accept(25.0, percent=True)  # the papers above the line
WAYS = ("up", "down")
# Changes of all reviewers together up to which every one is solved, and not only those that move a mean
# furthest, so that places are exact: some seconds.
MOST_SOLVED = 50_000


@dataclass(frozen=True)
class Influence:
    """The whole audit of a run.

    reviews  one row per review of the reviewers tried: reviewer, paper, score, mean, place, plain_place,
             exact, and for up and down: score, ranking, together, limit, plain (how far the mean
             moves; `limit` is a bound for what was not tried), score_place, place_to, place_bound,
             plain_to (the places after; exact where place_to is place_bound), turns, turns_limit,
             plain_turns (whether the paper crosses the line, for what was found and by the bound)
    authors  one row per reviewer and paper of their own; None without a table of authors
    """

    reviews: pl.DataFrame
    authors: tuple[AuthoredPaper, ...] | None
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
        kinds = ("score", "ranking", "together", "limit", "plain")
        return (
            self.reviews.group_by("reviewer", maintain_order=True)
            .agg(
                *(self.moved(kind).max().alias(kind) for kind in kinds),
                _jump("place", "place_to").max().alias("places"),
                _jump("place", "place_bound").max().alias("places_limit"),
                _jump("plain_place", "plain_to").max().alias("plain_places"),
                *(
                    pl.any_horizontal(f"{turn}_up", f"{turn}_down").sum().alias(turn)
                    for turn in ("turns", "plain_turns")
                ),
                pl.col("exact").all(),
                papers=pl.len(),
            )
            .sort("together", "places", "reviewer", descending=[True, True, False])
        )

    def most_hangs_on(self, count: int) -> pl.DataFrame:
        """Return the reviews whose own score, a level on, moves their paper's mean most; then, its place."""
        return (
            self.reviews.with_columns(hangs=self.moved("score"))
            .filter(pl.col("hangs").is_not_nan())
            .sort(
                pl.col("hangs").round(3),
                _jump("place", "score_place"),
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

        def rows(table: pl.DataFrame) -> list[dict[str, Any]]:
            return table.with_columns(pl.col(pl.Float64).fill_nan(None)).to_dicts()

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
            "by_reviewer": rows(self.by_reviewer()),
            "reviews": rows(self.most_hangs_on(self.reviews.height)),
            "authors": None if self.authors is None else [asdict(one) for one in self.authors],
        }


def audit_influence(
    snapshot: Snapshot,
    *,
    authors: Sequence[tuple[str, str]] | None = None,
    sample: int | None = None,
    accept: Accept = LINE,
    most_solved: int = MOST_SOLVED,
    progress: StageProgress,
) -> Influence:
    """Search what single reviewers could do.

    authors  pairs of a reviewer and a paper they wrote, as text; others are left out
    sample   how many reviewers are tried, by chance; None: all
    accept   how many papers are above the line
    most_solved  changes up to which every one is solved, so that places are exact
    """
    reviews, settings, lam = solved_input(snapshot)
    conference = SolvedConference(reviews, settings, lam)
    above = accept.papers(conference.count.size)
    chosen = _chosen(len(conference.parts), sample)
    conference.solve_up_to = most_solved / chosen.size
    written = None if authors is None else own_papers(reviews, authors)
    found, theirs = list[ReviewerReach](), list[AuthoredPaper]()
    for done, reviewer in enumerate(chosen.tolist(), start=1):
        progress("trying reviewers", done, chosen.size)
        found.append(conference.reviewer(reviewer))
        for paper in (written or {}).get(reviewer, ()):
            theirs.append(AuthoredPaper.found(conference, reviewer, found[-1], paper, above))
    return Influence(
        reviews=_table(conference, found, above),
        authors=None if written is None else tuple(theirs),
        reviewers=len(conference.parts),
        tried=int(chosen.size),
        papers=int(conference.count.size),
        above=above,
        lam=lam,
        policy=str(settings.conflicts.value),
    )


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
    conference: SolvedConference, found: Sequence[ReviewerReach], above: int
) -> pl.DataFrame:
    """Return one row per review."""
    reviews = conference.reviews
    number = np.concatenate([one.reviews for one in found])
    paper = reviews.paper[number]
    place, plain_place = conference.places.now[paper], conference.plain.now[paper]
    columns: dict[str, Any] = {
        "reviewer": pl.Series([reviews.reviewers.labels[one] for one in reviews.reviewer[number]]),
        "paper": pl.Series([reviews.papers.labels[one] for one in paper]),
        "score": pl.Series([str(reviews.scale.levels[one]) for one in reviews.level[number]]),
        "mean": conference.places.means[paper],
        "place": place,
        "plain_place": plain_place,
        "exact": np.concatenate([np.full(one.reviews.size, one.exact) for one in found]),
    }
    for way in WAYS:
        reaches: list[Reach] = [getattr(one, way) for one in found]
        for name, column in _columns(reaches).items():
            columns[f"{name}_{way}"] = column
        for turn, now, to in (
            ("turns", place, columns[f"place_to_{way}"]),
            ("turns_limit", place, columns[f"place_bound_{way}"]),
            ("plain_turns", plain_place, columns[f"plain_to_{way}"]),
        ):
            columns[f"{turn}_{way}"] = (now <= above) != (to <= above)
    return pl.DataFrame(columns)


def _columns(reaches: Sequence[Reach]) -> Mapping[str, NDArray[Any]]:
    names = {
        "score": "score",
        "score_place": "score_place",
        "ranking": "ranking",
        "together": "together",
        "limit": "limit",
        "place_to": "place",
        "place_bound": "place_bound",
        "plain": "plain",
        "plain_to": "plain_place",
    }
    return {
        name: np.concatenate([getattr(reach, field) for reach in reaches])
        for name, field in names.items()
    }
