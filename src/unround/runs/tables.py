"""Result -> the tables of a run, by file name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from unround.errors import UsageError
from unround.formats.model import PAPER_COLUMNS, filled_columns
from unround.reviews.frames import as_polars
from unround.reviews.tables import Tables
from unround.scale import Scale

if TYPE_CHECKING:
    from unround.result import Result

# The files of a run; a table without rows is not written.
SCORES, PAPERS, EXPLANATION = "scores.csv", "papers.csv", "explanation.csv"
RANKINGS, PAIRS, SAME, BINDINGS = "rankings.csv", "pairs.csv", "same.csv", "bindings.csv"
STATEMENTS = {
    RANKINGS: ("reviewer", "paper", "rank"),
    PAIRS: ("reviewer", "better", "worse"),
    SAME: ("reviewer", "paper", "same_as"),
}

# A score further than this from its rounding range lies outside it, in units of the smallest spacing.
OUTSIDE_SPACINGS = 1e-4


def paper_table(result: Result) -> pl.DataFrame:
    """Return one row per paper: the statistics, then what is known of title, track and so on."""
    return with_known(as_polars(result.papers), result)


def with_known(papers: pl.DataFrame, result: Result) -> pl.DataFrame:
    """Add what is known of each paper: its title, track and so on."""
    known = _known_papers(result)
    same_ids = pl.col("paper").cast(pl.String).cast(papers.schema["paper"])
    return papers.join(known.with_columns(same_ids), on="paper", how="left", maintain_order="left")


def _known_papers(result: Result) -> pl.DataFrame:
    """What files say of papers, or the columns of the caller's reviews that are about papers."""
    if result.run is not None:
        return result.run.papers.select("paper", *_about_papers(result.run.papers))
    tables = result.internals.tables
    if tables.papers is not None:
        return as_polars(tables.papers)
    reviews = as_polars(tables.reviews)
    texts = reviews.select(pl.col("paper", *_about_papers(reviews)).cast(pl.String))
    known = filled_columns(texts, ("paper",)).group_by("paper", maintain_order=True)
    return known.agg(pl.all().drop_nulls().first())


def _about_papers(table: pl.DataFrame) -> list[str]:
    return [name for name in PAPER_COLUMNS if name in table.columns]


def score_table(result: Result) -> pl.DataFrame:
    """Return one row per review, without what belongs to the paper."""
    scores = as_polars(result.scores)
    nested = [name for name, kind in scores.schema.items() if kind.is_nested()]
    if nested:
        raise UsageError(
            f"column {nested[0]!r} holds lists or records, which a CSV file cannot hold: "
            "leave it out of the reviews"
        )
    return scores.drop(*PAPER_COLUMNS, "venue", strict=False)


def score_values(score: pl.Series, scale: Scale) -> pl.Series:
    """Return the number that stands for each given score."""
    if scale.is_numeric:
        numbers = score.cast(pl.Float64)
        mirror = float(scale.values[0] + scale.values[-1])
        return mirror - numbers if scale.is_reversed else numbers
    symbols = [str(level) for level in scale.levels]
    return score.cast(pl.String).replace_strict(
        symbols, scale.values.tolist(), return_dtype=pl.Float64
    )


def count_outside_range(scores: pl.DataFrame, scale: Scale) -> int:
    """Count the dequantized scores outside the rounding range of the given ones.

    There are some only where rankings are trusted (`conflicts="rankings"`).
    """
    level = np.searchsorted(scale.upper[:-1], score_values(scores["score"], scale).to_numpy())
    values = scores["dequantized"].to_numpy()
    beyond = np.maximum(scale.lower[level] - values, values - scale.upper[level])
    return int(np.count_nonzero(beyond > OUTSIDE_SPACINGS * scale.spacing))


def explanation_table(result: Result) -> pl.DataFrame:
    """Return one row per review, as in scores.csv: the cell that was used, and what moved the score."""
    ordered, cells = result.internals.reviews.in_caller_order, result.internals.problem
    explained = as_polars(result.explanation)
    return explained.select(
        "reviewer",
        "paper",
        pl.Series("lower", ordered(cells.lower)),
        pl.Series("upper", ordered(cells.upper)),
        "consensus",
        "ranking",
        "cell",
    )


def statement_tables(tables: Tables) -> dict[str, pl.DataFrame]:
    """Return what reviewers stated, row by row as it was read, by the name of its file."""
    stated = [*tables.ranking_tables, *([tables.same] if tables.same is not None else [])]
    found: dict[str, list[pl.DataFrame]] = {}
    for table in map(as_polars, stated):
        for name, columns in STATEMENTS.items():
            if table.height and set(columns) <= set(table.columns):
                found.setdefault(name, []).append(table.select(columns))
    return {
        name: pl.concat(found[name], how="vertical_relaxed") for name in STATEMENTS if name in found
    }


def run_tables(result: Result) -> Mapping[str, pl.DataFrame]:
    """Return every table of a run by the name of its file; of a saved result, those that are there."""
    if result.run is not None:
        return result.run.tables
    tables = {
        SCORES: score_table(result),
        PAPERS: paper_table(result),
        EXPLANATION: explanation_table(result),
        **statement_tables(result.internals.tables),
    }
    bindings = as_polars(result.bindings)
    return tables | {BINDINGS: bindings} if bindings.height else tables
