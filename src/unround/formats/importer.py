"""Files -> Imported: recognise, read in order, join, and give ids and scores their kinds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from unround.formats.files.forked import check_threads
from unround.formats.files.source import Source
from unround.formats.files.tables import table_columns
from unround.formats.model import PAPER_COLUMNS, FileContent, ImportRefused, Options, Reader, Sheet
from unround.formats.parquet_folder import Everywhere, read_ahead, with_partitions
from unround.formats.registry import recognise
from unround.formats.reviewers import KnownReviewers
from unround.formats.versions import newest_copies
from unround.scale import Scale

_INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"
LARGEST_INTEGER = 10**18
_NUMBER = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$"
# More files alike than this are counted, not named.
MOST_NAMED = 5
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Imported:
    """Everything that a run takes, whatever it was read from."""

    reviews: Sheet
    rankings: tuple[Sheet, ...]  # of ranks or of pairs
    same: Sheet | None
    papers: pl.DataFrame  # paper, then what is known of title, track, area_chair, decision
    scale: Scale | None
    recognised: tuple[str, ...]
    notes: tuple[str, ...]
    files: tuple[Path, ...]

    def place(self, table: str, row: int) -> str:
        """The file and line behind a row of a table, by the name that issues use."""
        if table == "reviews":
            return self.reviews.place(row)
        if table == "same" and self.same is not None:
            return self.same.place(row)
        number = re.search(r"\[(\d+)\]", table)
        return self.rankings[int(number.group(1)) if number else 0].place(row)


def import_files(
    reviews: Sequence[Path],
    rankings: Sequence[Path] = (),
    options: Options | None = None,
    progress: Progress | None = None,
    everywhere: Everywhere | None = None,
) -> Imported:
    """Read every file, those that others depend on first; Parquet files on workers if there are any."""
    check_threads()
    chosen = options or Options()
    reviews, rankings = with_partitions(reviews), with_partitions(rankings)
    paths = dict.fromkeys((*reviews, *rankings))  # one file may hold both
    sources = [Source(path) for path in paths]
    named = (*chosen.columns.values(), *chosen.score_fields)
    plans = [(recognise(source, chosen.format, named), source) for source in sources]
    _check_columns(chosen, plans)
    ahead = read_ahead(plans, chosen, everywhere)
    parts: list[tuple[Source, FileContent]] = []
    for done, (reader, source) in enumerate(sorted(plans, key=lambda plan: plan[0].gives), start=1):
        part = ahead.get(source.path) or reader.read(source, chosen)
        parts.append((source, part))
        if any(reader.system != "csv" for reader, _ in plans):
            chosen = knowing(chosen, part)  # plain tables speak for themselves
        if progress is not None:
            progress(done, len(plans))
    _check_rankings(set(rankings), parts)
    names = [f"{source.path.parent.name}/{source.name}" for source, _ in parts]
    files = tuple(source.path for source in sources)
    return joined([part for _, part in parts], files, names)


def _check_columns(options: Options, plans: Sequence[tuple[Reader, Source]]) -> None:
    """A column that the user named must be in some table, lest a slip of the pen go unnoticed."""
    if any(reader.system != "csv" for reader, _ in plans):
        return  # other systems' readers know what their fields are called
    headers = {source.name: table_columns(source) for _, source in plans}
    known = {column for header in headers.values() for column in header}
    wanted = [(f"--column {ours}={theirs}", theirs) for ours, theirs in options.columns.items()]
    if options.score_fields and known.isdisjoint(options.score_fields):
        wanted += [(f"--field {name}", name) for name in options.score_fields]
    for said, column in wanted:
        if column not in known:
            found = "; ".join(f"{name}: {', '.join(header)}" for name, header in headers.items())
            raise ImportRefused(f"{said}: no file has the column {column!r}; found in {found}")


def knowing(options: Options, part: FileContent) -> Options:
    """What later readers may rely on."""
    people = options.known_reviewers  # the same object while nobody is added: it keeps its index
    if part.reviews is not None:
        names = [
            name
            for name in ("reviewer", "reviewer_name", "reviewer_email")
            if name in part.reviews.table.columns
        ]
        found = part.reviews.table.select(names).unique(maintain_order=True).to_dicts()
        people = KnownReviewers((*people, *found))
    return replace(
        options,
        members={**options.members, **part.members},
        known_reviewers=people,
        known_papers={**options.known_papers, **_forums(part)},
    )


def _forums(part: FileContent) -> dict[str, str]:
    """The paper of each forum, where a part names both."""
    tables = [sheet.table for sheet in (part.reviews, part.papers) if sheet is not None]
    return {
        forum: paper
        for table in tables
        if "forum" in table.columns
        for forum, paper in table.select("forum", pl.col("paper").cast(pl.String)).unique().rows()
        if forum
    }


def _check_rankings(rankings: set[Path], parts: Iterable[tuple[Source, FileContent]]) -> None:
    for source, part in parts:
        if source.path in rankings and not (part.ranks or part.pairs or part.same):
            raise ImportRefused(
                f"{source.name} was given as a ranking but holds none: {part.recognised}"
            )


def joined(
    parts: Sequence[FileContent], files: tuple[Path, ...] = (), names: Sequence[str] = ()
) -> Imported:
    """All parts as one, with ids and scores of the kind that every one of them allows.

    `names`, of the files that the parts came from, may hold the dates of exports.
    """
    parts = newest_copies(parts, names or [""] * len(parts))
    reviews = _stacked([part.reviews for part in parts])
    if reviews is None:
        raise ImportRefused(
            "no reviews among the files: " + "; ".join(part.recognised for part in parts)
        )
    ranks, pairs = _stacked([p.ranks for p in parts]), _stacked([p.pairs for p in parts])
    same = _stacked([part.same for part in parts])
    sheets = [sheet for sheet in (reviews, ranks, pairs, same) if sheet is not None]
    papers = _papers(reviews, [part.papers for part in parts if part.papers is not None])
    typed, papers = _typed_ids(sheets, papers)
    by_role = iter(typed)
    final_reviews = _typed_scores(next(by_role))
    rankings = tuple(_typed_ranks(next(by_role)) for sheet in (ranks, pairs) if sheet is not None)
    return Imported(
        reviews=final_reviews,
        rankings=rankings,
        same=next(by_role, None),
        papers=papers,
        scale=next((part.scale for part in parts if part.scale is not None), None),
        recognised=_told([part.recognised for part in parts]),
        notes=tuple(note for part in parts for note in part.notes),
        files=files,
    )


def _stacked(sheets: Sequence[Sheet | None]) -> Sheet | None:
    """Sheets of several files as one, every row still knowing its place."""
    present = [sheet for sheet in sheets if sheet is not None]
    if len(present) <= 1:
        return present[0] if present else None
    ends: list[int] = []
    for sheet in present:
        ends.append((ends[-1] if ends else 0) + sheet.table.height)
    tables = [sheet.table for sheet in present]
    if any(table.schema != tables[0].schema for table in tables):
        tables = [table.cast(pl.String) for table in tables]

    def place(row: int) -> str:
        which = next(number for number, end in enumerate(ends) if row < end)
        return present[which].place(row - (ends[which - 1] if which else 0))

    return Sheet(pl.concat(tables, how="diagonal"), place)


def _told(sentences: Sequence[str]) -> tuple[str, ...]:
    """What each file was taken for; of many that are alike the first is named, the rest counted."""
    alike: dict[str, list[str]] = {}
    for sentence in sentences:
        alike.setdefault(sentence.partition(": ")[2], []).append(sentence)
    told: list[str] = []
    for taken_for, same in alike.items():
        name, rest = same[0].partition(": ")[0], len(same) - 1
        told += same if rest < MOST_NAMED else [f"{name} and {rest} more like it: {taken_for}"]
    return tuple(told)


def _papers(reviews: Sheet, sheets: Sequence[Sheet]) -> pl.DataFrame:
    """One row a paper, with the first value known of each of its columns."""
    tables = [sheet.table for sheet in sheets] + [reviews.table]
    known = [name for name in PAPER_COLUMNS if any(name in table.columns for table in tables)]
    reviewed = reviews.table.select(pl.col("paper").drop_nulls().unique().cast(pl.String))
    if not known:
        return reviewed.sort("paper")
    rows = pl.concat(
        [
            table.select(
                pl.col("paper").cast(pl.String),
                *(pl.col(name).cast(pl.String) for name in PAPER_COLUMNS if name in table.columns),
            )
            for table in tables
        ],
        how="diagonal",
    )
    filled = rows.with_columns(
        pl.when(pl.col(name) != "").then(pl.col(name)).alias(name) for name in known
    )
    return (
        filled.join(reviewed, on="paper", how="semi")
        .group_by("paper", maintain_order=True)
        .agg(pl.col(name).drop_nulls().first() for name in known)
        .sort("paper")
    )


def _typed_ids(sheets: Sequence[Sheet], papers: pl.DataFrame) -> tuple[list[Sheet], pl.DataFrame]:
    """Ids of one kind everywhere; papers by id."""
    kinds = id_kinds([sheet.table for sheet in sheets])
    typed = [Sheet(with_id_kinds(sheet.table, kinds), sheet.place) for sheet in sheets]
    return typed, with_id_kinds(papers, kinds).sort("paper")


def id_kinds(tables: Sequence[pl.DataFrame]) -> dict[str, pl.DataType]:
    """Integers where every id of its kind is one, so that paper 10 follows paper 9; else text."""
    found: dict[str, pl.DataType] = {}
    for columns in (("reviewer",), ("paper", "better", "worse", "same_as")):
        values = [table[name] for table in tables for name in columns if name in table.columns]
        whole = all(_is_whole(value) for value in values)
        found |= dict.fromkeys(columns, pl.Int64() if whole else pl.String())
    return found


def _is_whole(ids: pl.Series) -> bool:
    """Whether every id is an integer, and written as one."""
    if ids.dtype.is_integer():
        least, most = ids.min(), ids.max()
        small = least is None or (least > -LARGEST_INTEGER and most < LARGEST_INTEGER)  # type: ignore[operator]
        return bool(small) and not ids.has_nulls()
    return bool(ids.cast(pl.String).str.contains(_INTEGER).all(ignore_nulls=False))


def with_id_kinds(table: pl.DataFrame, kinds: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """The table with its ids of these kinds."""
    return table.with_columns(
        pl.col(name).cast(kind)
        if kind.is_integer() and table.schema[name].is_integer()
        else pl.col(name).cast(pl.String).cast(kind)
        for name, kind in kinds.items()
        if name in table.columns
    )


def _typed_scores(sheet: Sheet) -> Sheet:
    return Sheet(sheet.table.with_columns(_as_number(sheet.table["score"])), sheet.place)


def _typed_ranks(sheet: Sheet) -> Sheet:
    if "rank" not in sheet.table.columns:
        return sheet
    return Sheet(sheet.table.with_columns(_as_number(sheet.table["rank"])), sheet.place)


def _as_number(column: pl.Series) -> pl.Series:
    """Numbers where every entry is one; text stays text, for the checks to speak about."""
    if column.dtype.is_numeric():
        return column
    text = column.cast(pl.String)
    filled = text.drop_nulls().filter(text.drop_nulls() != "")
    if not filled.str.contains(_NUMBER).all():
        return text
    numbers = pl.Series(column.name, [float(v) if v else None for v in text], dtype=pl.Float64)
    whole = numbers.drop_nulls()
    return (
        numbers.cast(pl.Int64)
        if (whole == whole.round()).all() and (whole.abs() < 2**53).all()
        else numbers
    )
