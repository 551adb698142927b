"""A small conference whose every id, title, name and e-mail can be told from anything else."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import polars as pl

import unround

CHAIRS = ("Ada Quarrywood", "Ben Thistlemere", "Cleo Vandersloot")


def mark(kind: str, number: object) -> str:
    """A word that stands for one thing and occurs nowhere else."""
    return f"{kind}{hashlib.sha256(f'{kind}{number}'.encode()).hexdigest()[:10]}"


DECISION = mark("decision", "of all papers")


@dataclass(frozen=True)
class Sample:
    reviews: pl.DataFrame
    rankings: pl.DataFrame
    owner: dict[str, str]  # paper -> area chair

    @property
    def files(self) -> dict[str, bytes]:
        """As an upload: content by name."""
        tables = {"reviews.csv": self.reviews, "rankings.csv": self.rankings}
        return {name: table.write_csv().encode() for name, table in tables.items()}

    def assignments(self) -> bytes:
        rows = [
            {"area_chair": chair, "paper": paper, "email": email_of(chair)}
            for paper, chair in self.owner.items()
        ]
        return pl.DataFrame(rows).write_csv().encode()

    def papers_of(self, chair: str) -> set[str]:
        return {paper for paper, owner in self.owner.items() if owner == chair}

    def words_outside(self, chair: str) -> set[str]:
        """Everything that an area chair must never receive."""
        mine = self.papers_of(chair)
        return self.all_words() - {chair, *mine, *map(_title, mine)}

    def words_outside_ballot(self, reviewer: str) -> set[str]:
        """Everything that a reviewer must never receive."""
        own = self.reviews.filter(pl.col("reviewer") == reviewer)
        mine = {reviewer, *own["reviewer_name"], *own["paper"], *own["title"]}
        return self.all_words() - mine

    def all_words(self) -> set[str]:
        words = {word for paper in self.owner for word in (paper, _title(paper))}
        words |= set(self.reviews["reviewer"]) | set(self.reviews["reviewer_name"])
        return words | set(CHAIRS) | {email_of(name) for name in CHAIRS} | {DECISION}


def email_of(chair: str) -> str:
    return f"{chair.split()[0].lower()}.{mark('mail', chair)}@example.org"


def _title(paper: str) -> str:
    return mark("title", paper)


def make_sample(papers: int = 18, seed: int = 3) -> Sample:
    made = unround.simulate.thurstone(papers, scale=range(1, 11), seed=seed)

    def named(column: str, kind: str) -> pl.Expr:
        old = sorted(made.reviews[column].unique())
        return pl.col(column).replace_strict(old, [mark(kind, one) for one in old])

    reviewer = pl.format("{}@example.org", named("reviewer", "person"))
    paper = named("paper", "paper")
    ids = [mark("paper", number) for number in range(papers)]
    owner = {one: CHAIRS[number % len(CHAIRS)] for number, one in enumerate(ids)}
    reviews = made.reviews.select(
        reviewer=reviewer,
        reviewer_name=named("reviewer", "name"),
        paper=paper,
        score="score",
        title=paper.map_elements(_title, return_dtype=pl.String),
        track=pl.lit("Theory"),
        decision=pl.lit(DECISION),
        area_chair=paper.replace_strict(owner),
        area_chair_email=paper.replace_strict({one: email_of(owner[one]) for one in ids}),
    )
    rankings = made.rankings.select(reviewer=reviewer, paper=paper, rank="rank")
    return Sample(reviews, _with_one_turned(rankings), owner)


def _with_one_turned(rankings: pl.DataFrame) -> pl.DataFrame:
    """Two reviewers rank against their own scores, so that there is something to refuse."""
    people = rankings["reviewer"].unique(maintain_order=True).to_list()
    turned = (pl.col("rank").max() + 1 - pl.col("rank")).over("reviewer")
    swayed = pl.col("reviewer").is_in([people[0], people[5]])
    return rankings.with_columns(
        pl.when(swayed).then(turned).otherwise(pl.col("rank")).alias("rank")
    )
