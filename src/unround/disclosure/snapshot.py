"""Snapshot: everything of a finished run that any viewer might see, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from unround.preparation import PreparedInput, prepare
from unround.result import Result
from unround.reviews.tables import Tables
from unround.runs.folder import Run, read_run
from unround.runs.record import accepted_settings
from unround.runs.tables import (
    BINDINGS,
    EXPLANATION,
    PAIRS,
    PAPERS,
    RANKINGS,
    SAME,
    SCORES,
    run_tables,
    score_values,
)
from unround.runs.uncertainty import ESTIMATE_FILES
from unround.scale import Scale

KNOWN_OF_PAPERS = ("title", "track", "area_chair", "area_chair_email", "decision")
NUMBERS = ("dequantized", "percentile", "lower", "upper", "consensus", "ranking", "cell")


@dataclass(frozen=True)
class Snapshot:
    """A run as tables. Ids are integers or text, alike in all tables; text columns may have nulls.

    papers    paper, and those of KNOWN_OF_PAPERS that are known; by id
    reviews   reviewer, reviewer_name, paper, score (as given), value (the score as a number),
              dequantized, percentile, lower, upper, consensus, ranking, cell; by reviewer and paper
    ranks     reviewer, paper, rank (1, 2, .. within a reviewer, best first, equal = tied)
    pairs     reviewer, better, worse: stated pairs
    bindings  reviewer, better, worse, lifts, lowers
    record    what run.json holds
    same      reviewer, paper, same_as: papers said to be about the same; empty where nothing is
              computed from it
    estimates  tables of uncertainty by file name (`runs.uncertainty`); for chairs

    Statements are as the reviewers gave them, those that were set aside included, but for papers
    that their author did not review.
    """

    papers: pl.DataFrame
    reviews: pl.DataFrame
    ranks: pl.DataFrame
    pairs: pl.DataFrame
    bindings: pl.DataFrame
    record: Mapping[str, Any]
    same: pl.DataFrame = field(default_factory=pl.DataFrame)
    estimates: Mapping[str, pl.DataFrame] = field(default_factory=dict)

    @classmethod
    def of(cls, result: Result) -> Snapshot:
        """Return the snapshot of a result."""
        return cls.of_run(Run(run_tables(result), result.record))

    @classmethod
    def of_run(cls, run: Run) -> Snapshot:
        """Return the snapshot of a run."""
        tables, record = run.tables, run.record
        reviews = _reviews(tables[SCORES], tables[EXPLANATION], Scale(record["settings"]["scale"]))
        ids = {name: reviews.schema[name] for name in ("reviewer", "paper")}
        pair = {"reviewer": ids["reviewer"], "better": ids["paper"], "worse": ids["paper"]}
        forces = {"lifts": pl.Float64, "lowers": pl.Float64}
        ranks = tables.get(RANKINGS, pl.DataFrame(schema={**ids, "rank": pl.Int64}))
        return cls(
            papers=_papers(tables[PAPERS]),
            reviews=reviews,
            ranks=_ranks(ranks, reviews),
            pairs=_pairs(tables.get(PAIRS, pl.DataFrame(schema=pair)), reviews),
            bindings=_bindings(tables.get(BINDINGS, pl.DataFrame(schema={**pair, **forces}))),
            record=record,
            same=tables.get(SAME, pl.DataFrame()),
            estimates={name: tables[name] for name in ESTIMATE_FILES if name in tables},
        )

    def tables(self) -> Tables:
        """Return reviews and statements as `dequantize` takes them."""
        stated = [table for table in (self.ranks, self.pairs) if table.height]
        return Tables.of(
            self.reviews.select("reviewer", "paper", "score"),
            stated or None,
            self.same if self.same.height else None,
        )

    @cached_property
    def prepared(self) -> PreparedInput:
        """Its reviews and statements, and the problem that they make."""
        return prepare(self.tables(), accepted_settings(self.record))

    @property
    def lam(self) -> float:
        """The λ of the run."""
        return float(self.record["lam"])


def read_snapshot(folder: Path) -> Snapshot:
    """Read the snapshot of a run from its folder."""
    return Snapshot.of_run(read_run(folder))


def _papers(table: pl.DataFrame) -> pl.DataFrame:
    known = [name for name in KNOWN_OF_PAPERS if name in table.columns]
    return table.select("paper", *(_text(name) for name in known)).sort("paper")


def _reviews(scores: pl.DataFrame, explained: pl.DataFrame, scale: Scale) -> pl.DataFrame:
    """Join both tables, in the solver's order: by reviewer and paper."""
    keys = ["reviewer", "paper"]
    if not scores.select(keys).equals(explained.select(keys)):
        raise ValueError(f"{SCORES} and {EXPLANATION} are not about the same reviews")
    joined = scores.hstack(explained.drop(keys))
    named = "reviewer_name" in scores.columns
    return joined.select(
        "reviewer",
        _text("reviewer_name") if named else pl.lit(None, pl.String).alias("reviewer_name"),
        "paper",
        "score",
        score_values(joined["score"], scale).alias("value"),
        *(pl.col(name).cast(pl.Float64) for name in NUMBERS),
    ).sort(keys)


def _ranks(ranks: pl.DataFrame, reviews: pl.DataFrame) -> pl.DataFrame:
    reviewed = ranks.join(reviews, on=["reviewer", "paper"], how="semi", maintain_order="left")
    place = pl.col("rank").rank("dense").over("reviewer").cast(pl.Int64)
    return reviewed.select("reviewer", "paper", place)


def _pairs(pairs: pl.DataFrame, reviews: pl.DataFrame) -> pl.DataFrame:
    for side in ("better", "worse"):
        pairs = pairs.join(
            reviews,
            left_on=["reviewer", side],
            right_on=["reviewer", "paper"],
            how="semi",
            maintain_order="left",
        )
    return pairs.select("reviewer", "better", "worse").filter(pl.col("better") != pl.col("worse"))


def _bindings(bindings: pl.DataFrame) -> pl.DataFrame:
    return bindings.select(
        "reviewer", "better", "worse", pl.col("lifts", "lowers").cast(pl.Float64)
    )


def _text(name: str) -> pl.Expr:
    """Return a text column with null for blank cells."""
    text = pl.col(name).cast(pl.String)
    return pl.when(text.str.strip_chars() != "").then(text).alias(name)
