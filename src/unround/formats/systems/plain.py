"""Plain tables: reviewer, paper, score, rank or better/worse, in CSV, TSV, JSON Lines, Parquet or XLSX."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import polars as pl

from unround.formats.cells import UNRANKED_WORDS, score_of, without_score
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, read_table, table_columns
from unround.formats.files.write import write_csv
from unround.formats.model import FileContent, Gives, ImportRefused, Options, Reader, Sheet
from unround.formats.synthetic import NamedConference

# Names that tables really use, most telling first; compared without case and punctuation.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "reviewer": ("reviewer", "reviewer id", "reviewer email", "email", "user", "rater", "member"),
    "paper": (
        "paper",
        "paper id",
        "pid",
        "paperid",
        "submission",
        "submission id",
        "item",
        "forum",
    ),
    "score": (
        "score",
        "rating",
        "overall score",
        "overall rating",
        "overall",
        "recommendation",
        "grade",
    ),
    "rank": ("rank", "ranking", "position"),
    "better": ("better", "preferred", "winner"),
    "worse": ("worse", "other", "loser"),
    "same_as": ("same as", "about the same as"),
    "title": ("title", "paper title"),
    "track": ("track", "area", "primary area", "track name"),
    "area_chair": ("area chair", "ac", "meta reviewer", "metareviewer"),
    "confidence": ("confidence", "expertise", "reviewer confidence"),
    "decision": ("decision", "status"),
    "review": ("review", "review id"),
    "reviewer_name": ("reviewer name", "reviewername"),
    "reviewer_email": (),
}
CARRIED = (
    "title",
    "track",
    "area_chair",
    "confidence",
    "decision",
    "review",
    "reviewer_name",
    "reviewer_email",
)
STATEMENTS = (("paper", "rank"), ("better", "worse"), ("paper", "same_as"))
KEYS = ("reviewer", "paper", "score", "rank", "better", "worse", "same_as")


def columns_by_role(header: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Assign columns to our names: the user's choice first, then the most telling synonym.

    A column serves one purpose only.
    """
    unknown = [name for name in chosen if name not in SYNONYMS]
    if unknown:
        raise ImportRefused(
            f"--column {unknown[0]}=..: unknown; choose among {', '.join(SYNONYMS)}"
        )
    columns = {name: column for name, column in chosen.items() if column in header}
    spelled = {_spelling(column): column for column in reversed(header)}
    for name, synonyms in SYNONYMS.items():
        if name in columns:
            continue
        for synonym in (_spelling(name), *synonyms):
            column = spelled.get(synonym)
            if column is not None and column not in columns.values():
                columns[name] = column
                break
    return columns


def _spelling(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", " ", name.lower()).strip()


def _recognises(source: Source, gives: Gives) -> bool:
    names = columns_by_role(table_columns(source), {}).keys()
    if gives is Gives.REVIEWS:
        return names >= {"reviewer", "paper", "score"}
    if gives is Gives.STATEMENTS:
        return any(names >= {"reviewer", *stated} for stated in STATEMENTS)
    return "paper" in names and not names.isdisjoint(("title", "track", "area_chair"))


def read_plain(source: Source, options: Options) -> FileContent:
    """Whatever of reviews, ranks, pairs and 'same' statements a table holds."""
    table = read_table(source, _wanted(options))
    chosen = _chosen(table, options)
    columns = columns_by_role(table.header, chosen)
    _refuse_repeated(source, table, chosen)
    scored = {"reviewer", "paper", "score"} <= columns.keys()
    paired = {"reviewer", "better", "worse"} <= columns.keys()
    ranked = {"reviewer", "paper", "rank"} <= columns.keys()
    alike = {"reviewer", "paper", "same_as"} <= columns.keys()
    carried = [name for name in CARRIED if name in columns]
    stated = scored or paired or ranked or alike
    titled = "paper" in columns and bool(carried) and not stated
    if not (stated or titled):
        raise ImportRefused(
            f"{source.name} lacks a column: needed are reviewer, paper and score (or rank), found "
            f"are {', '.join(table.header)}; name them with --column score=.."
        )
    reviews, notes = _reviews(table, columns, carried) if scored else (None, ())
    return FileContent(
        recognised=f"{source.name}: table ({_mapping(columns, scored, paired, ranked, alike)})",
        reviews=reviews,
        pairs=_sheet(table, columns, ["reviewer", "better", "worse"]) if paired else None,
        ranks=_ranks(table, columns) if ranked else None,
        same=_sheet(table, columns, ["reviewer", "paper", "same_as"]) if alike else None,
        papers=_sheet(table, columns, ["paper", *carried]) if titled else None,
        notes=tuple(f"{source.name}: {note}" for note in notes),
    )


def _wanted(options: Options) -> Callable[[str], bool]:
    """Which columns can matter: comments and the like are not even kept."""
    telling = {_spelling(name) for name in SYNONYMS}.union(*SYNONYMS.values())
    named = {*options.columns.values(), *options.score_fields}
    return lambda name: name in named or _spelling(name) in telling


def _chosen(table: Table, options: Options) -> Mapping[str, str]:
    """The columns that the user named, the score's by --column or by --field."""
    field = next((name for name in options.score_fields if name in table.header), None)
    return options.columns if field is None else {"score": field, **options.columns}


def _refuse_repeated(source: Source, table: Table, chosen: Mapping[str, str]) -> None:
    """A name that matters and stands twice: nobody can tell which column is meant."""
    columns = columns_by_role([*table.header, *table.repeated], chosen)
    for name in KEYS:
        if columns.get(name) in table.repeated:
            raise ImportRefused(
                f"{source.name} has the column {columns[name]!r} more than once; keep one of them, "
                f"or name another with --column {name}=.."
            )


def _mapping(
    columns: Mapping[str, str], scored: bool, paired: bool, ranked: bool, alike: bool
) -> str:
    """The columns taken, for people to check a guess."""
    used = ["reviewer"] if scored or paired or ranked or alike else []
    used += ["paper"] if not paired or scored or ranked else []
    used += (
        ["score"] * scored + ["rank"] * ranked + ["better", "worse"] * paired + ["same_as"] * alike
    )
    return ", ".join(
        name if columns[name] == name else f"{name} from '{columns[name]}'" for name in used
    )


def _sheet(
    table: Table,
    columns: Mapping[str, str],
    names: Sequence[str],
    kept: pl.Series | None = None,
) -> Sheet:
    """Some of a table's columns by our names, and all rows or those that a mask keeps."""
    frame = pl.DataFrame({name: table.column(columns[name]) for name in names})
    if kept is None or kept.all():
        return Sheet(frame, table.place)
    rows = kept.arg_true()
    return Sheet(frame.filter(kept), lambda row: table.place(rows[row]))


def _reviews(
    table: Table, columns: Mapping[str, str], carried: Sequence[str]
) -> tuple[Sheet, tuple[str, ...]]:
    """Reviews that have a score, and a note on those that have none."""
    given = table.column(columns["score"])
    scores = given if given.dtype.is_numeric() else _each_once(given, score_of, pl.String())
    kept = scores.is_not_null() & ~_not_a_number(scores)
    sheet = _sheet(table, columns, ["reviewer", "paper", "score", *carried], kept)
    if scores is not given:
        text = scores.filter(kept).alias("score")
        sheet = Sheet(sheet.table.with_columns(text), sheet.place)
    return sheet, without_score(scores.len() - int(kept.sum()))


def _ranks(table: Table, columns: Mapping[str, str]) -> Sheet:
    """Ranks; an empty cell means unranked."""
    ranks = table.column(columns["rank"])
    if ranks.dtype.is_numeric():
        kept = ranks.is_not_null() & ~_not_a_number(ranks)
    else:
        kept = _each_once(ranks, _is_rank, pl.Boolean()).fill_null(value=False)
    return _sheet(table, columns, ["reviewer", "paper", "rank"], kept)


def _is_rank(cell: str) -> bool:
    return cell.strip().lower() not in UNRANKED_WORDS


def _not_a_number(column: pl.Series) -> pl.Series:
    """Which entries are NaN; in columns of other kinds none are."""
    if column.dtype.is_float():
        return column.is_nan().fill_null(value=False)
    return pl.repeat(False, column.len(), dtype=pl.Boolean, eager=True)


def _each_once(column: pl.Series, meaning: Callable[[str], object], kind: pl.DataType) -> pl.Series:
    """What every cell means, asked once for each text: scores and ranks repeat all the time."""
    texts = column.drop_nulls().unique()
    meanings = pl.Series([meaning(text) for text in texts.to_list()], dtype=kind)
    return column.replace_strict(texts, meanings, default=None, return_dtype=kind)


def _reader(name: str, title: str, gives: Gives) -> Reader:
    recognises: Callable[[Source], bool] = lambda source: _recognises(source, gives)  # noqa: E731
    return Reader(name, "csv", title, gives, recognises, read_plain)


READERS = (
    _reader("table-reviews", "a table with reviewer, paper, score", Gives.REVIEWS),
    _reader(
        "table-rankings", "a table with reviewer, paper, rank (or better, worse)", Gives.STATEMENTS
    ),
    _reader("table-papers", "a table with paper and title, track or area chair", Gives.PAPERS),
)


def write_conference(conference: NamedConference, folder: Path) -> list[Path]:
    """A synthetic conference as reviews.csv and rankings.csv."""
    paths = [folder / "reviews.csv", folder / "rankings.csv"]
    for table, path in zip((conference.reviews, conference.rankings), paths, strict=True):
        write_csv(table, path)
    return paths
