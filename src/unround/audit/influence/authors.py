"""Reviewers who also wrote papers: how far they could lift their own by what they say of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from unround.audit.influence.one_reviewer import Part
from unround.audit.influence.search import DOWN, UP, ReviewerReach, SolvedConference
from unround.disclosure.area_chairs import people_in
from unround.formats.files.source import Source
from unround.formats.files.tables import read_table
from unround.formats.model import ImportRefused
from unround.formats.systems.plain import columns_by_role
from unround.formats.systems.plain.columns import spelling
from unround.reviews.review_set import ReviewSet

AUTHORS = ("author", "authors", "authorid", "authorids", "authoremail", "authoremails")


@dataclass(frozen=True)
class AuthoredPaper:
    """A paper of a reviewer's own, and how far they could lift it."""

    reviewer: object
    paper: object
    place: int
    place_to: int  # the best place found
    place_bound: int  # the best place that their moves could lead to
    lift: float  # how far up the mean of the own paper gets
    crosses: bool  # whether it gets above the line
    sinks: int  # papers they review that stand above the line and that they could take below it
    plain_place: int
    plain_to: int
    plain_crosses: bool
    plain_sinks: int
    reviews_it: bool  # whether they review the paper themselves

    @classmethod
    def found(
        cls,
        conference: SolvedConference,
        number: int,
        reviewer: ReviewerReach,
        paper: int,
        above: int,
    ) -> AuthoredPaper:
        """Search what a reviewer can do for a paper of their own."""
        reviews, places, plain = conference.reviews, conference.places, conference.plain
        lift, place_to, bound = _best_found(conference, number, reviewer, paper)
        place, plain_place = int(places.now[paper]), int(plain.now[paper])
        plain_to = _plainly(conference, reviewer, paper)
        sunk, plainly_sunk = (
            int(((now[reviewer.papers] <= above) & (to > above)).sum())
            for now, to in (
                (places.now, reviewer.down.place),
                (plain.now, reviewer.down.plain_place),
            )
        )
        return cls(
            reviewer=reviews.reviewers.labels[number],
            paper=reviews.papers.labels[paper],
            place=place,
            place_to=place_to,
            place_bound=min(place_to, bound),
            lift=lift,
            crosses=place > above >= place_to,
            sinks=sunk,
            plain_place=plain_place,
            plain_to=plain_to,
            plain_crosses=plain_place > above >= plain_to,
            plain_sinks=plainly_sunk,
            reviews_it=bool(np.isin(paper, reviewer.papers)),
        )


def read_authors(path: Path) -> list[tuple[str, str]]:
    """Read pairs of an author and a paper from a table with the columns author and paper.

    An author is named as in the reviews. A cell may hold several, with semicolons between them.
    """
    source = Source(path)
    table = read_table(source)
    roles = columns_by_role(table.header, {})
    author = next((name for name in table.header if spelling(name) in AUTHORS), None)
    stated = [roles[name] for name in ("score", "rank", "better", "same_as") if name in roles]
    wanted = "A table of authors has a column author, named as in the reviews, and a column paper"
    if author is None or "paper" not in roles:
        missing = "author" if author is None else "paper"
        raise ImportRefused(
            f"{source.name} has no column {missing}; found: {', '.join(table.header)}. {wanted}"
        )
    if stated:
        raise ImportRefused(
            f"{source.name} may be a table of reviews or rankings, for it has the column {stated[0]!r}. "
            f"{wanted}; leave {stated[0]!r} out if {author!r} names who wrote the paper"
        )
    cells = (table.column(name).cast(pl.String).fill_null("") for name in (author, roles["paper"]))
    return [
        (person, paper)
        for people, paper in zip(*cells, strict=True)
        if paper
        for person in people_in(people)
    ]


def own_papers(
    reviews: ReviewSet, authors: Sequence[tuple[str, str]]
) -> dict[int, tuple[int, ...]]:
    """Return the papers that each reviewer wrote; authors who review nothing are left out."""
    reviewers = {str(label): code for code, label in enumerate(reviews.reviewers.labels)}
    papers = {str(label): code for code, label in enumerate(reviews.papers.labels)}
    written: dict[int, set[int]] = {}
    for author, paper in authors:
        if author in reviewers and paper in papers:
            written.setdefault(reviewers[author], set()).add(papers[paper])
    return {reviewer: tuple(sorted(theirs)) for reviewer, theirs in written.items()}


def _best_found(
    conference: SolvedConference, number: int, reviewer: ReviewerReach, paper: int
) -> tuple[float, int, int]:
    """Return the furthest lift of the own paper's mean, the best place found, and the best there can be."""
    targets = np.array([paper])
    own = np.flatnonzero(reviewer.papers == paper)
    if own.size:  # they review it themselves
        way, here = reviewer.up, int(own[0])
        return float(way.together[here]), int(way.place[here]), int(way.place_bound[here])
    if reviewer.solved_all:
        span = conference.over_all(number, targets)
        return float(span.lift[0]), int(span.best[0]), int(span.best[0])
    first = int(reviewer.reviews[0])
    lift, place = 0.0, int(conference.places.now[paper])
    for part in (*reviewer.furthest, *_all_a_level_on(conference, number)):
        moved, found = conference.after(first, part, targets)
        lift, place = max(lift, float(moved[0])), min(place, int(found[0]))
    return lift, place, _bound(conference, reviewer, paper)


def _all_a_level_on(conference: SolvedConference, number: int) -> Iterator[Part]:
    """Yield all scores of a reviewer a level up, and all a level down, without a ranking."""
    level = conference.reviews.level[conference.parts.of(number)]
    for sign in (UP, DOWN):
        levels = np.clip(level + sign, 0, conference.last)
        part = conference.parts.part(number, levels, np.full(level.size, np.nan))
        if part is not None:
            yield part


def _bound(conference: SolvedConference, reviewer: ReviewerReach, paper: int) -> int:
    """Return the best place that the own paper can get to."""
    drift = conference.pull * float(max(reviewer.up.limit.max(), reviewer.down.limit.max()))
    means = conference.places.means
    lowest = means[reviewer.papers] - reviewer.down.limit
    return conference.places.at_best(float(means[paper]) + drift, reviewer.papers, lowest, drift)


def _plainly(conference: SolvedConference, reviewer: ReviewerReach, paper: int) -> int:
    """Return the best place under plain means, with every other paper they review a level down."""
    plain = conference.plain
    own = np.flatnonzero(reviewer.papers == paper)
    if own.size:
        return int(reviewer.up.plain_place[own[0]])
    lower = plain.means[reviewer.papers] - reviewer.down.plain
    return int(plain.after(reviewer.papers, lower, np.array([paper]))[0])
