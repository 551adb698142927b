"""Reviewers who also wrote papers: how far they could lift their own by what they say of others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from unround.audit.influence.reach import ReviewerReach, SolvedConference
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
    """A paper of a reviewer's own, and how far they could lift it by a change of one of their reviews."""

    reviewer: object
    paper: object
    place: int
    place_to: int  # the best place found
    place_limit: int  # the best place that any change could lead to
    lift: float  # how far up the mean of the own paper gets
    crosses: bool  # whether it gets above the line
    sinks: int  # papers they review that are above the line and that they could take below it
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
        reach: ReviewerReach,
        own: Sequence[int],
        above: int,
    ) -> Iterator[AuthoredPaper]:
        """Yield what a reviewer can do for each of their own papers."""
        reviews, places, plain = conference.reviews, conference.places, conference.plain
        sunk, plainly_sunk = (
            int(((now[reach.papers] <= above) & (to > above)).sum())
            for now, to in (
                (places.now, reach.down.place),
                (plain.now, reach.down.plain_place),
            )
        )
        for paper, lift in zip(own, reach.lifts, strict=True):
            place, plain_place = int(places.now[paper]), int(plain.now[paper])
            yield cls(
                reviewer=reviews.reviewers.labels[number],
                paper=reviews.papers.labels[paper],
                place=place,
                place_to=lift.place,
                place_limit=min(lift.place, _place_limit(conference, reach, paper)),
                lift=lift.move,
                crosses=place > above >= lift.place,
                sinks=sunk,
                plain_place=plain_place,
                plain_to=lift.plain_place,
                plain_crosses=plain_place > above >= lift.plain_place,
                plain_sinks=plainly_sunk,
                reviews_it=bool(np.isin(paper, reach.papers)),
            )


def _place_limit(conference: SolvedConference, reach: ReviewerReach, paper: int) -> int:
    """Return the best place that any change could lead an own paper to."""
    reviewed = np.flatnonzero(reach.papers == paper)
    if reviewed.size:
        return int(reach.up.place_limit[reviewed[0]])
    drift, means = conference.drift(reach.up.limit, reach.down.limit), conference.places.means
    lowest = means[reach.papers] - reach.down.limit
    return conference.places.at_best(float(means[paper]) + drift, reach.papers, lowest, drift)


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
