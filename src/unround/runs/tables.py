"""Result + imported files -> the tables of a run, by the names of their files."""

from __future__ import annotations

import polars as pl

from unround.formats.model import PAPER_COLUMNS
from unround.result import Result
from unround.reviews.tables import Tables

# The tables of a run in the order that people meet them; those that would be empty are not written.
SCORES, PAPERS, EXPLANATION = "scores.csv", "papers.csv", "explanation.csv"
RANKINGS, PAIRS, SAME, BINDINGS = "rankings.csv", "pairs.csv", "same.csv", "bindings.csv"
STATEMENTS = {
    RANKINGS: ("reviewer", "paper", "rank"),
    PAIRS: ("reviewer", "better", "worse"),
    SAME: ("reviewer", "paper", "same_as"),
}


def paper_table(result: Result) -> pl.DataFrame:
    """Return one row per paper: the statistics, then what is known of title, track and so on."""
    papers: pl.DataFrame = result.papers
    known: pl.DataFrame = result.internals.tables.papers
    return papers.join(known, on="paper", how="left", maintain_order="left")


def score_table(result: Result) -> pl.DataFrame:
    """Return one row per review, without what belongs to the paper."""
    scores: pl.DataFrame = result.scores
    return scores.drop(*PAPER_COLUMNS, "venue", strict=False)


def explanation_table(result: Result) -> pl.DataFrame:
    """Return one row per review, as in scores.csv: the cell that was used, and what moved the score."""
    ordered, cells = result.internals.reviews.in_caller_order, result.internals.problem
    explained: pl.DataFrame = result.explanation
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
    return {
        name: table.select(columns)
        for name, columns in STATEMENTS.items()
        for table in stated
        if table.height and set(columns) <= set(table.columns)
    }


def run_tables(result: Result) -> dict[str, pl.DataFrame]:
    """Return every table of a run by the name of its file."""
    tables = {
        SCORES: score_table(result),
        PAPERS: paper_table(result),
        EXPLANATION: explanation_table(result),
        **statement_tables(result.internals.tables),
    }
    bindings: pl.DataFrame = result.bindings
    return tables | {BINDINGS: bindings} if bindings.height else tables
