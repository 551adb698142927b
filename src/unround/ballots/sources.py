"""Files -> who reviews what: reviews of any system, or a table of assignments without scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from unround.ballots.drafts import Drafts, draft_ballots
from unround.formats.files.source import Source
from unround.formats.files.tables import read_table, table_columns
from unround.formats.model import Options
from unround.formats.systems.plain.columns import columns_by_role
from unround.runs.folder import Run
from unround.runs.inputs import Inputs
from unround.scale import Scale

ROLES = ("reviewer", "reviewer_name", "reviewer_email", "paper", "title")
# HotCRP's assignments: rows that take something away, or that are about everybody.
NO_REVIEW = ("clear", "conflict", "no", "un")
EVERYBODY = ("all", "any", "none", "me", "pc")


def read_drafts(paths: Sequence[Path], options: Options | None = None) -> Drafts:
    """Read files and return the ballots to make from them."""
    options = options or Options()
    if all(_is_assignment(path, options) for path in paths):
        tables = [_read_assignment(path, options) for path in paths]
        return draft_ballots(pl.concat(tables, how="diagonal"))
    imported = Inputs(paths, options=options).read()
    return draft_ballots(_with_titles(imported.reviews.table, imported.papers), imported.scale)


def drafts_of_run(run: Run) -> Drafts:
    """Return the ballots to make for the reviewers of a run."""
    levels = run.record["settings"]["scale"]
    return draft_ballots(_with_titles(run.scores, run.papers), Scale(levels))


def _with_titles(reviews: pl.DataFrame, papers: pl.DataFrame) -> pl.DataFrame:
    """Return reviews with the titles that a table of papers knows."""
    if "title" not in papers.columns:
        return reviews
    titles = papers.select(pl.col("paper").cast(pl.String), "title")
    return (
        reviews.drop("title", strict=False)
        .with_columns(pl.col("paper").cast(pl.String))
        .join(titles, on="paper", how="left", maintain_order="left")
    )


def _roles(path: Path, options: Options) -> dict[str, str]:
    return columns_by_role(
        table_columns(Source(path, other_encoding=options.encoding)), options.columns
    )


def _is_assignment(path: Path, options: Options) -> bool:
    """Tell whether a file is a table with reviewers and papers and without scores."""
    if path.is_dir() or options.format not in ("auto", "csv", "hotcrp"):
        return False
    roles = _roles(path, options)
    return {"reviewer", "paper"} <= roles.keys() and not {"score", "rank"} & roles.keys()


def _read_assignment(path: Path, options: Options) -> pl.DataFrame:
    source = Source(path, other_encoding=options.encoding)
    # HotCRP leaves out the empty cells at the end of a row.
    table = read_table(source, fill_short=_action_column(table_columns(source)) is not None)
    roles = columns_by_role(table.header, options.columns)
    found = pl.DataFrame(
        {
            role: table.column(column).cast(pl.String)
            for role, column in roles.items()
            if role in ROLES
        }
    )
    action = _action_column(table.header)
    if action is None:
        return found
    if "title" in found.columns:  # written once per paper, on the row that clears its reviews
        title = pl.col("title").replace("", None).drop_nulls().first()
        found = found.with_columns(title.over("paper"))
    words = table.column(action).cast(pl.String).str.to_lowercase().fill_null("")
    taken = pl.any_horizontal(pl.lit(words).str.starts_with(word) for word in NO_REVIEW)
    nobody = pl.col("reviewer").str.to_lowercase().is_in(EVERYBODY)
    return found.filter(~(taken | nobody | pl.col("reviewer").str.starts_with("#")))


def _action_column(header: Sequence[str]) -> str | None:
    """Return the column of actions, which HotCRP's assignments have."""
    return next((name for name in header if name.strip().lower() == "action"), None)
