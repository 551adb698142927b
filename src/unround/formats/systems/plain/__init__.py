"""Read plain tables: reviewer, paper, score, rank or better/worse, in any kind of file."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from unround.formats.cells import (
    EMPTY_WORDS,
    counted,
    is_date,
    left_out_note,
    listed,
    rank_of,
    read_score,
    read_times,
)
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, has_header, read_tables
from unround.formats.model import (
    UNSCORED,
    Context,
    FileContent,
    Gives,
    ImportRefused,
    Options,
    Reader,
    Sheet,
    content_of_tables,
    filter_rows,
    split_scored,
)
from unround.formats.newest import MODIFIED, ask_which, repeated_rows
from unround.formats.systems.form_fields import is_late
from unround.formats.systems.plain.columns import (
    CARRIED,
    FILE,
    KEYS,
    REVIEW_INDEX,
    SHEET,
    SYNONYMS,
    columns_by_role,
    gives_papers,
    gives_reviews,
    gives_statements,
    header_test,
    is_known_name,
    missing_columns,
    spelling,
)
from unround.formats.systems.plain.questions import (
    ask_about_apart,
    ask_about_odd_ranks,
    ask_about_ranks,
    direction_doubt,
    is_missing,
    refuse_unclear_header,
    settled_columns,
    without_missing_rows,
)
from unround.formats.systems.plain.wide import NUMBERED, as_long, is_wide, may_be_wide
from unround.wording import option

# So few reviewers of more than twice as many papers may be numbers within each paper.
FEW = 8
CONFERENCE = ("venue", "year")  # columns of public scores
_ORDINAL = re.compile(r"(?:anon)?(?:reviewer|referee|rev|r)?[\s#_.-]*[0-9]{1,2}", re.IGNORECASE)

__all__ = ["READERS", "columns_by_role", "read_plain"]


def read_plain(source: Source, options: Options, context: Context) -> FileContent:
    """Read whatever of reviews, ranks, pairs and 'same' statements a file's tables hold."""
    contents: list[FileContent] = []
    notes: list[str] = []
    lacking: list[str] = []
    for table in read_tables(source, _wanted(options), header_test(options)):
        content = _content(source, _with_named_columns(source, table, options), options)
        _refuse_hidden(table, content)
        if content is not None:
            contents.append(content)
        else:
            where = f"sheet '{table.sheet}': " if table.sheet else ""
            lacking.append(where + missing_columns(table.header, _chosen(table, options)))
            columns = f"its columns ({listed(table.header)}) are not understood"
            notes.append(f"sheet '{table.sheet}' passed over: {columns}")
    if not contents:
        raise ImportRefused(f"{source.name}: {'; '.join(lacking) or 'it has no cells'}")
    if options.match_ids != "always":
        ask_about_apart(contents)
    return content_of_tables(contents, notes)


def _content(source: Source, table: Table, options: Options) -> FileContent | None:
    """Read one table; None if it holds nothing that is understood."""
    chosen, name = _chosen(table, options), table.where
    refuse_unclear_header(table, chosen)
    above = f"{counted(len(table.above), 'row')} above the header passed over"
    kind, notes = "table", tuple([above] if table.above else [])
    table, chosen, more = _with_fallbacks(table, chosen, options)
    columns, notes = columns_by_role(table.header, chosen), (*notes, *more)
    if is_wide(table.header, columns):
        long = as_long(source, table, columns)
        if long is None:
            return None
        table, note = long
        kind, notes = "wide table", (*notes, note)
        columns = {role: role for role in table.header}
    else:
        columns, more = settled_columns(table, columns, chosen)
        notes += more
        if gives_reviews(columns) and options.score_fields and "score" not in chosen:
            all_named = option("fields", *options.score_fields, columns["score"])
            raise ImportRefused(
                f"{name} has no column {' or '.join(map(repr, options.score_fields))}; if its score is "
                f"{columns['score']!r}, name that too: {all_named}"
            )
    if not (gives_reviews(columns) or gives_statements(columns) or gives_papers(columns)):
        return None
    table, repeated = table.without_repeated_headers(
        [columns[key] for key in KEYS if key in columns]
    )
    table, left_out = without_missing_rows(table, columns, options.missing)
    if "reviewer" not in chosen and spelling(columns.get("reviewer", "")) == REVIEW_INDEX:
        table, notes = _with_own_reviewers(table, columns), (*notes, NUMBERED)
    sheets, more = _sheets(table, columns, options.missing, chosen)
    if options.duplicates in ("refuse", "newest") and "reviews" in sheets and kind == "table":
        _ask_which_rows(source, table, columns, options, sheets["reviews"])
    sheet = f"sheet '{table.sheet}'" if table.sheet else ""
    every = (*notes, *repeated, *left_out, *more)
    doubt = direction_doubt(table, columns["score"]) if "reviews" in sheets else ""
    return FileContent(
        f"{kind} ({_mapping(columns)})",
        notes=every,
        scale_doubt=doubt,
        file=sheet,
        **sheets,
    )


def _ask_which_rows(
    source: Source, table: Table, columns: Mapping[str, str], options: Options, reviews: Sheet
) -> None:
    """Ask which rows count where those of one review differ in one column, read or not."""
    repeated = repeated_rows(reviews)
    if not repeated or (options.duplicates == "newest" and MODIFIED in reviews.table.columns):
        return
    tables = read_tables(source, lambda name: True, header_test(options))
    every = next(one for one in tables if one.sheet == table.sheet)
    at = {every.place(row): row for row in range(every.data.height)}
    rows = [at[reviews.place(row)] for row in repeated]
    used = {name for role, name in columns.items() if role != "track"}
    others = every.data[rows].select(name for name in every.data.columns if name not in used)
    ask_which(reviews, repeated, others, f"{table.where}: ")


def _with_named_columns(source: Source, table: Table, options: Options) -> Table:
    """Return the table with the name of its file or sheet as a column, where the user chose that."""
    names = {FILE: Path(source.name).stem, SHEET: table.sheet or Path(source.name).stem}
    more = [pl.lit(names[one]).alias(one) for one in {*options.columns.values()} & names.keys()]
    if not more:
        return table
    header = [*table.header, *(one for one in names if one in options.columns.values())]
    return replace(table, data=table.data.with_columns(more), header=header)


def _with_own_reviewers(table: Table, columns: Mapping[str, str]) -> Table:
    """Return the table with a reviewer of its own for each review; refuse several conferences."""
    given = [name for name in CONFERENCE if name in table.data.columns]
    if given and table.data.select(given).n_unique() > 1:
        raise ImportRefused(
            f"{table.where} holds several conferences, by {' and '.join(given)}; keep the rows of one"
        )
    both = zip(*(table.texts(columns[role]) for role in ("paper", "reviewer")), strict=True)
    reviewers = [f"{paper}/{number}" for paper, number in both]
    data = table.data.with_columns(pl.Series(columns["reviewer"], reviewers, pl.String))
    return replace(table, data=data)


def _refuse_hidden(table: Table, content: FileContent | None) -> None:
    """Refuse a table on a hidden sheet: whoever gave the workbook may not know of it."""
    if content is not None and table.hidden:
        raise ImportRefused(
            f"{table.where} is hidden but holds reviews, rankings or papers; show it in the spreadsheet "
            "if it counts, or delete it"
        )


def _sheets(
    table: Table, columns: Mapping[str, str], missing: Mapping[str, str], chosen: Collection[str]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return reviews, ranks, pairs and 'same' statements of a table, or what it says about papers."""
    sheets: dict[str, Any] = {}
    notes: tuple[str, ...] = ()
    if gives_reviews(columns):
        every, notes = _reviews(table, columns, missing.get("score", ""))
        sheets["reviews"], unscored = split_scored(every)
        if unscored is not None:
            sheets["uncounted"] = unscored
            notes = (*left_out_note(unscored.table.height, UNSCORED), *notes)
    if {"reviewer", "paper", "rank"} <= columns.keys():
        sheets["ranks"], unranked = _ranks(table, columns, missing.get("rank"), chosen)
        notes += unranked
    if {"reviewer", "better", "worse"} <= columns.keys():
        sheets["pairs"] = _sheet(table, columns, ["reviewer", "better", "worse"])
    if {"reviewer", "paper", "same_as"} <= columns.keys():
        sheets["same"] = _sheet(table, columns, ["reviewer", "paper", "same_as"])
    if not sheets:
        known = [role for role in CARRIED if role in columns and role != "modified"]
        sheets["papers"] = _sheet(table, columns, ["paper", *known])
    return sheets, notes


def _wanted(options: Options) -> Callable[[str], bool]:
    """Return the test for columns to read: comments and the like are skipped."""
    named = {*options.columns.values(), *options.score_fields, *CONFERENCE}
    return lambda name: name in named or is_known_name(name) or may_be_wide(name) or is_late(name)


def _chosen(table: Table, options: Options) -> Mapping[str, str]:
    """Return the columns that the user named, the score's by --column or by --field."""
    field = next((name for name in options.score_fields if name in table.header), None)
    return {**options.columns, **({} if field is None else {"score": field})}


def _with_fallbacks(
    table: Table, chosen: Mapping[str, str], options: Options
) -> tuple[Table, Mapping[str, str], tuple[str, ...]]:
    """Return the table with one column for all scores named: where one is empty, the next one counts."""
    fields = [name for name in dict.fromkeys(options.score_fields) if name in table.header]
    notes: tuple[str, ...] = ()
    if len(fields) < 2:
        return table, chosen, notes
    score = pl.Series([None] * table.data.height, dtype=pl.String)
    for number, name in enumerate(fields):
        texts = table.column(name).cast(pl.String)
        empty = texts.str.to_lowercase().is_in(EMPTY_WORDS).fill_null(value=True)
        taken = score.is_null() & ~(empty | is_missing(texts, options.missing.get("score", "")))
        score = texts.zip_with(taken, score)
        if number and taken.any():
            count = counted(int(taken.sum()), "score")
            notes += (f"{count} taken from {name!r}, where {fields[number - 1]!r} is empty",)
    both = ", else ".join(fields)
    data = table.data.with_columns(score.alias(both))
    return replace(table, data=data, header=[*table.header, both]), {**chosen, "score": both}, notes


def _mapping(columns: Mapping[str, str]) -> str:
    """Return which columns were taken for which, for people to check."""
    used = [role for role in KEYS if role in columns]
    if not (gives_reviews(columns) or gives_statements(columns)):
        used = ["paper"]
    elif not {"score", "rank", "same_as"} & set(used):
        used = [role for role in used if role != "paper"]
    return ", ".join(
        role if columns[role] == role else f"{role} from '{columns[role]}'" for role in used
    )


def _sheet(table: Table, columns: Mapping[str, str], roles: Sequence[str]) -> Sheet:
    """Return some of a table's columns by our names; what is not a number (NaN) is missing."""
    frame = pl.DataFrame({role: table.column(columns[role]) for role in roles})
    return Sheet(frame.fill_nan(None), table.place)


def _reviews(
    table: Table, columns: Mapping[str, str], missing: str
) -> tuple[Sheet, tuple[str, ...]]:
    """Return the reviews, their scores null where they have none, and notes on how scores are written."""
    carried = [role for role in CARRIED if role in columns]
    sheet = _sheet(table, columns, ["reviewer", "paper", "score", *carried])
    sheet, notes = _with_milliseconds(sheet)
    given = sheet.table["score"]
    if not given.dtype.is_numeric():
        scores = _read_scores(table.where, given).alias("score")
        sheet = Sheet(sheet.table.with_columns(scores), sheet.place)
    gone = is_missing(sheet.table["score"], missing)
    reviews = sheet.table.with_columns(score=pl.when(~gone).then("score"))
    return Sheet(reviews, sheet.place), (*notes, *_few_reviewers(reviews))


def _few_reviewers(reviews: pl.DataFrame) -> tuple[str, ...]:
    """Note that reviewers 1, 2, 3 of many papers are taken for three people."""
    if reviews["reviewer"].n_unique() > FEW or reviews["paper"].n_unique() < 2 * FEW:
        return ()
    reviewers = sorted(map(str, reviews["reviewer"].drop_nulls().unique().to_list()))
    if not all(_ORDINAL.fullmatch(name) for name in reviewers):
        return ()
    return (
        f"{counted(len(reviewers), 'reviewer')} ({listed(reviewers)}) taken for people; if these number "
        "the reviews of each paper, give every review a reviewer of its own",
    )


def _with_milliseconds(sheet: Sheet) -> tuple[Sheet, tuple[str, ...]]:
    """Return when each review was changed in milliseconds, and a note if the dates are unclear."""
    if MODIFIED not in sheet.table.columns:
        return sheet, ()
    given, unclear = sheet.table[MODIFIED], ""
    if not given.dtype.is_numeric():
        texts = given.fill_null("").unique(maintain_order=True).to_list()
        times, unclear = read_times(texts)
        given = given.replace_strict(texts, times, default=None, return_dtype=pl.Int64)
    notes = (f"dates such as {unclear!r} not used: write 2026-12-31",) if unclear else ()
    table = sheet.table.with_columns(given.cast(pl.Int64, strict=False).alias(MODIFIED))
    return Sheet(table if table[MODIFIED].count() else table.drop(MODIFIED), sheet.place), notes


def _read_scores(where: str, given: pl.Series) -> pl.Series:
    """Read scores as people write them; refuse a column that holds days for the most part."""
    texts = given.drop_nulls().unique(maintain_order=True).to_list()
    scores = [read_score(text) for text in texts]
    dates = [text for text in texts if is_date(text.strip())]
    if 2 * len(dates) > len(scores) - scores.count(None):
        raise ImportRefused(
            f"{where}: scores are dates, such as {dates[0]!r}. Spreadsheets turn 4/5 into a date; write the "
            "scores again, as text, or name another column as the score"
        )
    return _replaced(given, texts, scores)


def _ranks(
    table: Table, columns: Mapping[str, str], missing: str | None, chosen: Collection[str]
) -> tuple[Sheet, tuple[str, ...]]:
    """Return the ranks, and a note on papers that are not ranked."""
    sheet = _sheet(table, columns, ["reviewer", "paper", "rank"])
    given = sheet.table["rank"]
    if not given.dtype.is_numeric():
        texts = given.drop_nulls().unique().to_list()
        ranks = _replaced(given, texts, [rank_of(text) for text in texts])
        sheet = Sheet(sheet.table.with_columns(ranks.alias("rank")), sheet.place)
    ranks = sheet.table["rank"]
    kept = ranks.is_not_null() & ~is_missing(ranks, missing or "")
    named = "rank" in chosen
    ask_about_odd_ranks(table.where, sheet.table.filter(kept), missing, named=named)
    if not named:
        ask_about_ranks(table.where, columns["rank"], sheet.table.filter(kept))
    left_out = kept.len() - int(kept.sum())
    notes = (f"{counted(left_out, 'row')} without a rank: not ranked",) if left_out else ()
    return filter_rows(sheet, kept), notes


def _replaced(column: pl.Series, texts: Sequence[str], meanings: Sequence[str | None]) -> pl.Series:
    """Return what every cell means, worked out once per text: scores and ranks repeat all the time."""
    return column.replace_strict(
        pl.Series(texts, dtype=pl.String),
        pl.Series(meanings, dtype=pl.String),
        default=None,
        return_dtype=pl.String,
    )


READER = Reader(
    "csv-tables",
    "a table with reviewer, paper and score, rank, or better and worse; or with paper and title, track or "
    "area chair",
    Gives.REVIEWS,
    lambda source: has_header(source, header_test(Options())),
    read_plain,
)
READERS = (READER,)


def has_own_names(source: Source) -> bool:
    """Return whether a text's columns all have unround's own names.

    No other system has such a header, so that their readers need not be asked.
    """
    header = set(source.header)
    known = gives_reviews(header) or gives_statements(header)
    return known and header <= SYNONYMS.keys()
