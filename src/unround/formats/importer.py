"""Read files into Tables: recognise each, read it, join the tables, and match ids."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from unround.formats.cells import BIDI, CONTROLS, left_out_note, listed, shown, unshown_note
from unround.formats.files.source import Source, fingerprints, stamps
from unround.formats.files.tables import table_columns, title_of
from unround.formats.ids import match_ids, typed_ids, with_numbers
from unround.formats.inputs import find_inputs
from unround.formats.left_out import (
    hidden_ranks,
    unlisted,
    untold,
    withdrawn_papers,
    without_uncounted,
    without_withdrawn,
)
from unround.formats.model import (
    PAPER_COLUMNS,
    SHEETS,
    Context,
    FileContent,
    ImportRefused,
    Options,
    Reader,
    Sheet,
    filled_columns,
    filter_rows,
    stacked_sheets,
)
from unround.formats.newest import settled
from unround.formats.systems.plain.columns import FILE, NONE, SHEET, header_test
from unround.formats.systems.plain.questions import (
    ask_about_apart,
    ask_about_people_and_papers,
    is_missing,
)
from unround.reviews.tables import Tables
from unround.scale import Origin
from unround.wording import DUPLICATES, MATCH_IDS, option

# More files alike than this are counted, not named.
MOST_NAMED = 5
# What other systems' readers find by a name that need not be a column's.
NOT_COLUMNS = ("score", "confidence", "rank", "review")
LONGEST_ID = 200
UNSHOWN = {
    "paper": "Ballots and area chairs' pages leave them out. Correct the id in the file.",
    "reviewer": "They can get no ballot. Correct the id in the file.",
}
Progress = Callable[[int, int], None]


def import_files(
    reviews: Sequence[Path],
    rankings: Sequence[Path] = (),
    options: Options | None = None,
    progress: Progress | None = None,
) -> Tables:
    """Read every file, those that others depend on first."""
    known, context = checked_options(options or Options()), Context()
    with find_inputs(reviews, rankings, known) as inputs:
        plans = sorted(inputs.plans, key=lambda plan: plan[0].gives)
        files = tuple(dict.fromkeys(source.recorded for _, source in inputs.plans))
        before = stamps(files, inputs.stamps)
        _check_columns(known, plans)
        plain = all(reader.system == "csv" for reader, _ in plans)
        contents: list[tuple[Source, FileContent]] = []
        tables: list[tuple[Source, FileContent]] = []
        for done, (reader, source) in enumerate(plans, start=1):
            content = _with_encoding(source, reader.read(source, known, context))
            contents.append((source, content))
            if reader.system == "csv":
                tables.append((source, content))
            if not plain:
                context = context.after(content)  # plain tables need none
            if progress is not None:
                progress(done, len(plans))
        _check_rankings(rankings, contents)
        if known.match_ids != "always":
            ask_about_people_and_papers(content for _, content in tables)
            # The parts of a Parquet folder are one table.
            ask_about_apart(
                one
                for source, one in tables
                if not (source.is_parquet and source.given and source.given.is_dir())
            )
        # Either name may hold the date of an export: the file's or its folder's.
        names = [f"{source.recorded.parent.name}/{source.name}" for source, _ in contents]
        imported = joined([content for _, content in contents], files, names, known)
    notes = (*imported.notes, *inputs.notes)
    return replace(imported, notes=notes, hashes=fingerprints(before))


def checked_options(options: Options) -> Options:
    """Return the options; refuse an unknown encoding or choice."""
    for name, value, choices in (
        ("duplicates", options.duplicates, DUPLICATES),
        ("match_ids", options.match_ids, MATCH_IDS),
    ):
        if value not in choices:
            raise ImportRefused(
                f"{option(name, value)}: unknown; choose among {', '.join(choices)}"
            )
    unknown = [
        name for name in options.missing if name not in ("reviewer", "paper", "score", "rank")
    ]
    if unknown:
        raise ImportRefused(
            f"{option('missing', f'{unknown[0]}=..')}: unknown; choose among reviewer, paper, score, rank"
        )
    score = options.columns.get("score", NONE)
    if score not in (NONE, SHEET, FILE):
        if options.score_fields:
            raise ImportRefused(
                f"{option('columns', f'score={score}')} and {option('fields', *options.score_fields)} both "
                "name the score; give one of them"
            )
        options = replace(options, score_fields=(score,))
    try:
        b"\xe9".decode(options.encoding or "utf-8", errors="replace")
    except (LookupError, ValueError):  # also of codecs that are not for text
        raise ImportRefused(
            f"{option('encoding', options.encoding)}: unknown; try cp1252, latin-1 or mac-roman"
        ) from None
    return options


def _with_encoding(source: Source, content: FileContent) -> FileContent:
    """Return the content with a note on text that was not UTF-8."""
    if source.is_folder or source.is_binary or source.encoding != source.other_encoding:
        return content
    return replace(content, notes=(*content.notes, f"read as {source.encoding} text"))


def _check_columns(options: Options, plans: Sequence[tuple[Reader, Source]]) -> None:
    """Refuse a column that the user named and no table has: it would go unnoticed."""
    given = [option("ranker", options.ranker)] if options.ranker else []
    given += [option("count_drafts")] if options.count_drafts else []
    if given and all(reader.system != "hotcrp" for reader, _ in plans):
        raise ImportRefused(f"{given[0]} would change nothing: no file is an export of HotCRP")
    if not (options.columns or options.score_fields):
        return
    plain = all(reader.system == "csv" for reader, _ in plans)
    tables = [
        source
        for reader, source in plans
        if reader.system == "csv" or not (source.is_folder or source.looks_like_json)
    ]
    is_header = header_test(options) if plain else None
    headers = {source.name: table_columns(source, is_header) for source in tables}
    form = str if plain else title_of
    present = {form(column) for header in headers.values() for column in header}
    # Other systems' readers know what their fields, rankings and invitations are called.
    named = [
        (option("columns", f"{ours}={theirs}"), theirs)
        for ours, theirs in options.columns.items()
        if theirs not in (NONE, SHEET, FILE) and (plain or ours not in NOT_COLUMNS)
    ]
    named += [(option("fields", name), name) for name in options.score_fields if plain]
    for choice, column in named:
        if form(column) not in present:
            found = "; ".join(f"{name}: {listed(header)}" for name, header in headers.items())
            seen = f"found in {found}" if found else "none of the files is a table"
            raise ImportRefused(f"{choice}: no file has the column {column!r}; {seen}")


def _check_rankings(
    rankings: Sequence[Path], contents: Sequence[tuple[Source, FileContent]]
) -> None:
    """Refuse a file given as a ranking of which no rank was read."""
    for path in map(Path, rankings):
        given = [content for source, content in contents if source.given == path]
        stated = [sheet for one in given for sheet in (one.ranks, one.pairs, one.same) if sheet]
        if not any(sheet.table.height for sheet in stated):
            read = "; ".join(text for one in given for text in (one.described, *one.notes))
            raise ImportRefused(
                f"{path.name} was given as a ranking but no rank was read from it: {read}. Export "
                "it again with the ranks in it, or leave the file out to run without rankings"
            )


def joined(
    parts: Sequence[FileContent],
    files: tuple[Path, ...] = (),
    names: Sequence[str] = (),
    options: Options | None = None,
) -> Tables:
    """Put all contents together, with ids and scores of the kind that every one of them allows.

    `names`, of the files that the contents came from, may hold the dates of exports.
    """
    options = options or Options()
    parts = [_without_missing(part, options.missing) for part in parts]
    parts, of_ids = match_ids(parts, options.match_ids)
    sheets = stacked_sheets(parts)
    names = names or [""] * len(parts)
    reviews, of_reviews = settled(parts, "reviews", "score", names, options.duplicates)
    ranks, of_ranks = settled(parts, "ranks", "rank", names, options.duplicates)
    of_files = [(part.file, note) for part in parts for note in part.notes]
    notes = [*of_ids, *_described([*of_files, *of_reviews, *of_ranks])]
    if reviews is None:
        raise ImportRefused(
            "no reviews among the files: "
            + "; ".join(part.described for part in parts)
            + ". Give the export of reviews too"
        )
    described = [part.papers for part in parts if part.papers is not None]
    present = [one for one in (ranks, sheets["pairs"], sheets["same"]) if one is not None]
    if not options.keep_withdrawn:
        reasons = withdrawn_papers(parts, [reviews, *described])
        (reviews, *present), left_out = without_withdrawn([reviews, *present], reasons)
        notes = [*left_out, *notes]
    present, set_aside = without_uncounted(present, reviews, sheets["uncounted"])
    notes += [*set_aside, *unlisted(reviews, described), *hidden_ranks(reviews, present, described)]
    notes += untold(parts, options)
    (reviews, *stated), papers = typed_ids([reviews, *present], _papers(reviews, described))
    same = stated.pop() if sheets["same"] is not None else None
    notes += _unshown_ids(reviews.table)
    reviews, stated = with_numbers(reviews, "score"), [with_numbers(one, "rank") for one in stated]
    scales = list(dict.fromkeys(part.scale for part in parts if part.scale is not None))
    doubts = [part.scale_doubt for part in parts if part.scale_doubt]
    if len(scales) > 1:
        ways = " or ".join(option("scale", scale.text) for scale in scales)
        doubts = [f"the files state different scales; say which one counts: {ways}"]
    return Tables(
        reviews=reviews.table,
        rankings=tuple(sheet.table for sheet in stated),
        same=same.table if same is not None else None,
        papers=papers,
        scale=scales[0].with_origin(Origin.FORM) if len(scales) == 1 else None,
        scale_doubt=next(iter(doubts), ""),
        recognised=tuple(_described([(part.file, part.recognised) for part in parts])),
        notes=tuple(dict.fromkeys(notes)),
        files=files,
        place=_places(reviews, stated, same),
    )


def _unshown_ids(reviews: pl.DataFrame) -> list[str]:
    """Return notes on the ids that the console leaves out, where people are to see them."""
    notes: list[str] = []
    for column, outcome in UNSHOWN.items():
        if reviews[column].dtype == pl.String:
            ids = reviews[column].drop_nulls().unique(maintain_order=True)
            odd = ids.filter(
                ids.str.contains(f"[{CONTROLS}{BIDI}]") | (ids.str.len_chars() > LONGEST_ID)
            )
            wrong = [id for id in odd if shown(id, LONGEST_ID) != id]
            notes += unshown_note(wrong, f"{column} whose id", LONGEST_ID, outcome)
    return notes


def _places(
    reviews: Sheet, rankings: Sequence[Sheet], same: Sheet | None
) -> Callable[[str, int], str]:
    """Return the file and line behind a row of a table, by the name that issues give the table."""

    def place(table: str, row: int) -> str:
        if table == "reviews":
            return reviews.place(row)
        if table == "same" and same is not None:
            return same.place(row)
        number = re.search(r"\[(\d+)\]", table)
        return rankings[int(number.group(1)) if number else 0].place(row)

    return place


def _without_missing(part: FileContent, missing: Mapping[str, str]) -> FileContent:
    """Return what a file gave without the rows in which a value is one that the user calls missing."""
    for role, values in missing.items():
        for name in SHEETS:
            sheet: Sheet | None = getattr(part, name)
            if sheet is not None and role in sheet.table.columns:
                gone = is_missing(sheet.table[role], values)
                left_out = left_out_note(int(gone.sum()), f"entry without a {role}")
                kept: dict[str, Any] = {name: filter_rows(sheet, ~gone)}
                part = replace(part, notes=(*part.notes, *left_out), **kept)
    return part


def _described(sentences: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield what is said of files; of many of which the same is said the first is named, the rest counted."""
    alike: dict[str, list[str]] = {}
    for file, sentence in sentences:
        alike.setdefault(sentence, []).append(file)
    for sentence, files in alike.items():
        rest = len(files) - 1
        named = files if rest < MOST_NAMED else [f"{files[0]} and {rest} more like it"]
        yield from (f"{file}: {sentence}" if file else sentence for file in named)


def _papers(reviews: Sheet, sheets: Sequence[Sheet]) -> pl.DataFrame:
    """Return one row per paper, with the first value known of each of its columns."""
    columns = ("paper", *PAPER_COLUMNS)
    tables = [
        table.select(pl.col(name).cast(pl.String) for name in columns if name in table.columns)
        for table in (*(sheet.table for sheet in sheets), reviews.table)
    ]
    rows = filled_columns(pl.concat(tables, how="diagonal"), ("paper",))
    known = rows.select(name for name in columns if name in rows.columns)
    papers = known.group_by("paper", maintain_order=True).agg(pl.all().drop_nulls().first())
    return papers.join(tables[-1], on="paper", how="semi").sort("paper")
