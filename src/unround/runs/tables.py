"""Result + imported files -> the tables of a run, by the names of their files."""

from __future__ import annotations

import polars as pl

from unround.formats.importer import Imported
from unround.formats.model import PAPER_COLUMNS
from unround.result import Result

# The tables of a run in the order that people meet them; those that would be empty are not written.
SCORES, PAPERS, EXPLANATION = "scores.csv", "papers.csv", "explanation.csv"
RANKINGS, PAIRS, SAME, BINDINGS = "rankings.csv", "pairs.csv", "same.csv", "bindings.csv"
STATEMENTS = {
    RANKINGS: ("reviewer", "paper", "rank"),
    PAIRS: ("reviewer", "better", "worse"),
    SAME: ("reviewer", "paper", "same_as"),
}


def paper_table(result: Result, imported: Imported) -> pl.DataFrame:
    """One row a paper: the statistics, then what is known of title, track, area chair and decision."""
    papers: pl.DataFrame = result.papers
    return papers.join(imported.papers, on="paper", how="left", maintain_order="left")


def score_table(result: Result) -> pl.DataFrame:
    """One row a review, without what belongs to the paper."""
    scores: pl.DataFrame = result.scores
    return scores.drop(*PAPER_COLUMNS, "venue", strict=False)


def explanation_table(result: Result) -> pl.DataFrame:
    """One row a review, as in scores.csv: the cell that was used, and what moved the score."""
    ordered, cells = result.reviews.in_caller_order, result.problem
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


def statement_tables(imported: Imported) -> dict[str, pl.DataFrame]:
    """What reviewers said, row by row as it was read, by the name of its file."""
    sheets = [*imported.rankings, *([imported.same] if imported.same is not None else [])]
    return {
        name: sheet.table.select(columns)
        for name, columns in STATEMENTS.items()
        for sheet in sheets
        if sheet.table.height and set(columns) <= set(sheet.table.columns)
    }


def run_tables(result: Result, imported: Imported) -> dict[str, pl.DataFrame]:
    """Every table of a run by the name of its file."""
    tables = {
        SCORES: score_table(result),
        PAPERS: paper_table(result, imported),
        EXPLANATION: explanation_table(result),
        **statement_tables(imported),
    }
    bindings: pl.DataFrame = result.bindings
    return tables | {BINDINGS: bindings} if bindings.height else tables
