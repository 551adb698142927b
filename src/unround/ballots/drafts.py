"""Assignments -> the ballots to create, one per reviewer.

Reviewers and papers come from a run, from reviews of any system, or from assignments without scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from unround.ballots.content import BallotPaper, BallotRefused, Score
from unround.formats.cells import shown, unshown_note
from unround.formats.files.source import Source
from unround.formats.files.tables import read_table, table_columns
from unround.formats.model import Options
from unround.formats.systems.plain.columns import columns_by_role
from unround.reviews.reader import read_reviews_alone
from unround.runs.contradictions import email_in
from unround.runs.folder import Run
from unround.runs.inputs import InputFiles
from unround.scale import Scale

FEWEST = 2  # papers that can be ranked
MOST_PAPERS = 500
LONGEST = 1000  # characters of a name, an id or a title
COLUMNS = ("reviewer", "reviewer_name", "reviewer_email", "paper", "title", "score")
# Columns of COLUMNS that pages show, whose they are, and what is done about texts that cannot be shown.
TEXTS = {
    "reviewer": ("reviewer whose id", "They get no ballot. Correct the id in the file."),
    "paper": ("paper whose id", "They are on no ballot. Correct the id in the file."),
    "reviewer_email": ("reviewer whose e-mail", "No link can be mailed to them."),
    "reviewer_name": ("reviewer whose name", "Ballots show the name without it."),
    "title": ("paper whose title", "Ballots show the title without it."),
}
# In HotCRP's assignments: actions that assign no review to be ranked, and names that are not one person.
NO_REVIEW = ("clear", "conflict", "meta", "no", "un")
EVERYBODY = ("all", "any", "anonymous", "none", "me", "pc")


@dataclass(frozen=True)
class Draft:
    """A ballot to create."""

    reviewer: str
    name: str | None
    email: str | None
    papers: tuple[BallotPaper, ...]


@dataclass(frozen=True)
class Drafts:
    """The ballots to create, and what the chair should know first."""

    ballots: tuple[Draft, ...]
    levels: tuple[Score, ...]  # of the scale, worst first; none without scores
    too_short: tuple[str, ...]  # reviewers with one paper, which cannot be ranked
    notes: tuple[str, ...] = ()  # what was left out or changed

    @property
    def without_email(self) -> tuple[str, ...]:
        """Reviewers to whom no link can be mailed."""
        return tuple(ballot.reviewer for ballot in self.ballots if not ballot.email)

    @property
    def papers(self) -> int:
        """How many papers are on any ballot."""
        return len({paper.paper for ballot in self.ballots for paper in ballot.papers})


def draft_ballots(assigned: pl.DataFrame, scale: Scale | None = None) -> Drafts:
    """Return one ballot per reviewer, papers by score, best first; without scores in their given order.

    `assigned` has the columns reviewer and paper and, as far as they are known, the other COLUMNS.
    Duplicate rows count once.
    """
    table, notes = _shown(_complete(assigned))
    levels, level_by_row = _levels(table, scale)
    table = table.with_columns(level=pl.Series(level_by_row, dtype=pl.Int64))
    table = table.unique(["reviewer", "paper"], keep="first", maintain_order=True)
    drafts = [
        _draft(str(reviewer), rows)
        for (reviewer,), rows in table.group_by("reviewer", maintain_order=True)
    ]
    _check(drafts)
    return Drafts(
        ballots=tuple(draft for draft in drafts if len(draft.papers) >= FEWEST),
        levels=levels,
        too_short=tuple(draft.reviewer for draft in drafts if len(draft.papers) < FEWEST),
        notes=notes,
    )


def _complete(assigned: pl.DataFrame) -> pl.DataFrame:
    """Return all columns as text but the score; rows without a reviewer or a paper are left out."""
    table = assigned.select(
        *(
            pl.col(name).cast(pl.String).str.strip_chars() if name != "score" else pl.col(name)
            for name in COLUMNS
            if name in assigned.columns
        )
    ).with_columns(
        pl.lit(None, pl.String).alias(name) for name in COLUMNS if name not in assigned.columns
    )
    named = pl.all_horizontal(pl.col("reviewer", "paper").fill_null("") != "")
    return table.filter(named)


def _shown(table: pl.DataFrame) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return the table with texts that pages can show, and notes on what was changed or left out.

    Ids and e-mails must be exact: others are left out.
    """
    notes: tuple[str, ...] = ()
    for column, (whose, outcome) in TEXTS.items():
        clean = {
            text: shown(text, LONGEST)
            for text in table[column].drop_nulls().unique(maintain_order=True)
        }
        changed = {old: new for old, new in clean.items() if old != new}
        notes += unshown_note(list(changed), whose, LONGEST, outcome)
        if column in ("reviewer", "paper"):
            table = table.filter(~pl.col(column).is_in(list(changed)))
        else:
            new = [None] * len(changed) if column == "reviewer_email" else list(changed.values())
            table = table.with_columns(pl.col(column).replace(list(changed), new))
    return table, notes


def _levels(table: pl.DataFrame, scale: Scale | None) -> tuple[tuple[Score, ...], list[int | None]]:
    """Return the scale's levels and the level of each row's score; none where a row has no score."""
    level: list[int | None] = [None] * table.height
    scored = table.with_row_index("_row").filter(pl.col("score").is_not_null())
    if scored.is_empty():
        return (), level
    reviews = read_reviews_alone(scored.select("reviewer", "paper", "score"), scale)
    if reviews is None:
        raise BallotRefused(
            "the scores cannot be read as levels of one scale: correct them, or leave the column out"
        )
    for row, own in zip(reviews.row.tolist(), reviews.level.tolist(), strict=True):
        level[scored["_row"][row]] = own
    return reviews.scale.levels, level


def _draft(reviewer: str, rows: pl.DataFrame) -> Draft:
    known = {name: rows[name].drop_nulls() for name in ("reviewer_name", "reviewer_email")}
    name, email = (values[0] if len(values) else None for values in known.values())
    papers = [
        BallotPaper(row["paper"], row["title"] or None, _plain(row["score"]), row["level"])
        for row in rows.iter_rows(named=True)
    ]
    papers.sort(key=lambda paper: -1 if paper.level is None else paper.level, reverse=True)
    return Draft(reviewer, name or None, email or email_in(reviewer), tuple(papers))


def _plain(score: Any) -> Score | None:
    """Return whole numbers as such."""
    return int(score) if isinstance(score, float) and score.is_integer() else score


def _check(drafts: Sequence[Draft]) -> None:
    if not drafts:
        raise BallotRefused("there is no row with a reviewer and a paper")
    for draft in drafts:
        if len(draft.papers) > MOST_PAPERS:
            raise BallotRefused(
                f"reviewer {draft.reviewer[:100]} has {len(draft.papers):,} papers; a ballot takes "
                f"{MOST_PAPERS} at most"
            )


def read_drafts(paths: Sequence[Path], options: Options | None = None) -> Drafts:
    """Return the ballots for the reviewers and papers of some files."""
    options = options or Options()
    if all(_is_assignment(path, options) for path in paths):
        tables = [_read_assignment(path, options) for path in paths]
        return draft_ballots(pl.concat(tables, how="diagonal"))
    read = InputFiles(paths, options=options).read()
    return draft_ballots(_with_titles(read.reviews, read.papers), read.scale)


def drafts_of_run(run: Run) -> Drafts:
    """Return the ballots for the reviewers of a run."""
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
    """Return whether a file is a table of reviewers and papers without scores."""
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
            if role in COLUMNS
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
