"""Give ids of all files one form: 6, 6.0, 006, #6 and Paper 6 are alike; then choose numbers or text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from unround.formats.cells import counted
from unround.formats.model import SHEETS, FileContent, ImportRefused, Sheet
from unround.wording import option

ROLES = {"reviewer": ("reviewer",), "paper": ("paper", "better", "worse", "same_as")}
# What else the reviews may say of a reviewer or paper, by which another file may name them.
ALSO = {
    "reviewer": {"reviewer_name": "by their names", "reviewer_email": "by their e-mails"},
    "paper": {"forum": "by their forums"},
}
# The sheets whose ids are matched with those of the reviews.
STATED = {**dict.fromkeys(("ranks", "pairs", "same"), "rankings"), "papers": "list of papers"}
_NUMBER = r"#?\s*0*([0-9]+)(?:\.0+)?$"
_WORD = r"(?:\p{L}+\.?[\s#:_-]*)?"
_ADDRESS = r"^(?:.*<)?\s*(?:mailto:)?([^\s<>]+@[^\s<>]+?)\s*>?$"
_INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"
LARGEST_INTEGER = 10**18
_DECIMAL = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$"
ALIKE = "by their plain forms"


def canonical(ids: pl.Series) -> pl.Series:
    """Return the form in which ids are compared: two with one form may be the same.

    It has no capitals, signs before a number, leading zeros, or name around an e-mail address; also no word
    before a number, such as Paper, unless this would make two ids alike.

    >>> canonical(pl.Series(["Paper 06", "#7.0"])).to_list(), canonical(pl.Series(["A6", "B6"])).to_list()
    (['6', '7'], ['a6', 'b6'])
    >>> canonical(pl.Series(["Ann Lee <ANN@x.org>"])).to_list()
    ['ann@x.org']
    """
    folded = _spelled(ids).str.normalize("NFKC").str.to_lowercase().str.strip_chars()
    numbers = folded.str.replace(_ADDRESS, "$1").str.replace(f"^{_NUMBER}", "$1")
    bare = numbers.str.replace(f"^{_WORD}{_NUMBER}", "$1")
    return bare if bare.n_unique() == numbers.n_unique() else numbers


def _spelled(ids: pl.Series) -> pl.Series:
    """Return ids without what never makes two: kinds of blanks, codes of accents, invisible characters."""
    return ids.str.replace_all(r"\p{Cf}", "").str.normalize("NFC").str.replace_all(r"\s+", " ")


def match_ids(parts: Sequence[FileContent], policy: str) -> tuple[Sequence[FileContent], list[str]]:
    """Give the ids of all files the form that the reviews give them, or ask which are one.

    Reviews with ids of one canonical form: `policy` "always" joins them, "never" keeps all apart, and else
    the user is asked. Where most ids of other tables are written in another way, and all can be matched one
    to one, they are; where only some can, that is offered, unless the policy is "always".
    """
    notes: list[str] = []
    if policy == "never" or all(part.reviews is None for part in parts):
        return parts, notes
    for role, names in ROLES.items():
        joined = _spelled_twice(parts, role, names, policy)
        if joined:
            parts = [_with_forms(part, SHEETS, names, joined) for part in parts]
            spelled = counted(len(joined), f"{role} spelled in two ways taken for one")
            other, one = next(iter(joined.items()))
            notes.append(f"{spelled}: {other!r} is {one!r}")
        for sheet in STATED:
            ids, told = _matched(parts, role, sheet, policy)
            notes += told
            if ids:
                parts = [_with_forms(part, (sheet,), names, ids) for part in parts]
    return parts, notes


def _spelled_twice(
    parts: Sequence[FileContent], role: str, names: Sequence[str], policy: str
) -> dict[str, str]:
    """Return ids that another id of the reviews, or of the same spelling, stands for."""
    reviewed = _ids(_columns(parts, names, ("reviews",)))
    ids = _ids([reviewed, *_columns(parts, names, SHEETS[1:])])
    if ids.dtype != pl.String:
        return {}
    forms = pl.DataFrame(
        {"id": reviewed.cast(pl.String), "spelled": _spelled(reviewed.cast(pl.String))}
    )
    forms = forms.with_columns(form=canonical(forms["spelled"]))
    spelled = forms["spelled"] if ids.len() == reviewed.len() else _spelled(ids)
    if forms["form"].n_unique() == reviewed.len() and spelled.n_unique() == ids.len():
        return {}
    firsts = forms.with_columns(pl.col("id", "spelled").first().over("form").name.prefix("first_"))
    doubtful = firsts.filter(pl.col("spelled") != pl.col("first_spelled"))
    if policy == "certain" and doubtful.height:
        one, other = doubtful.select("first_id", "id").row(0)
        raise ImportRefused(
            f"{counted(doubtful.height, role)} spelled in two ways, such as {one!r} and {other!r}: "
            f"{option('match_ids', 'always')} takes them for one, {option('match_ids', 'never')} for two"
        )
    first = ids.to_frame("id").select("id", one=pl.col("id").first().over(spelled))
    one = pl.col("one").replace(firsts["id"], firsts["first_id"])
    return dict(first.with_columns(one).filter(pl.col("id") != pl.col("one")).rows())


def _with_forms(
    part: FileContent, sheets: Iterable[str], names: Sequence[str], forms: Mapping[str, str]
) -> FileContent:
    changed: dict[str, Any] = {}
    for name in sheets:
        sheet: Sheet | None = getattr(part, name)
        if sheet is not None:
            columns = pl.col(one for one in names if one in sheet.table.columns).cast(pl.String)
            ids = columns.replace(list(forms), list(forms.values()))
            changed[name] = Sheet(sheet.table.with_columns(ids), sheet.place)
    if "paper" in names and "papers" in changed and part.withdrawn:
        changed["withdrawn"] = {forms.get(one, one): why for one, why in part.withdrawn.items()}
    return replace(part, **changed)


def _columns(
    parts: Sequence[FileContent], names: Sequence[str], sheets: Sequence[str]
) -> list[pl.Series]:
    """Return some columns of some sheets of all files."""
    tables = [sheet.table for name in sheets for part in parts if (sheet := getattr(part, name))]
    return [table[name] for table in tables for name in names if name in table.columns]


def _ids(columns: Iterable[pl.Series]) -> pl.Series:
    """Return the distinct ids of some columns, as text if the columns are of different types."""
    series = [one.drop_nulls().unique(maintain_order=True).alias("id") for one in columns]
    if len({one.dtype for one in series}) > 1:
        series = [one.cast(pl.String) for one in series]
    return pl.concat(series).unique(maintain_order=True) if len(series) > 1 else series[0]


def _matched(
    parts: Sequence[FileContent], role: str, sheet: str, policy: str
) -> tuple[dict[str, str], list[str]]:
    """Return the ids of the reviews by those of a sheet that are taken for them, and what to say of it.

    A match counts if it finds most ids, and some that are not among the reviews as written.
    """
    names, what = ROLES[role], STATED[sheet]
    columns = _columns(parts, names, (sheet,))
    if not columns:
        return {}, []
    given = _ids(columns)
    known = _ids(_columns(parts, names, ("reviews", "uncounted")))
    if given.dtype != known.dtype:
        given, known = given.cast(pl.String), known.cast(pl.String)
    missing = given.filter(~given.is_in(known.implode())).cast(pl.String).to_list()
    if not missing:
        return {}, []
    given, known = given.cast(pl.String), known.cast(pl.String)
    key = pl.col("id") if role == "paper" else pl.col("id").str.to_lowercase()  # forums have case
    theirs = given.to_frame("id").select("id", canonical(given).alias("plain"), key=key)
    found = []
    for column, rule in ALSO[role].items():
        tables = [
            one.table.select(pl.col(role, column).cast(pl.String))
            for part in parts
            for one in (part.reviews, part.uncounted)
            if one is not None and column in one.table.columns
        ]
        if tables:
            named = pl.concat(tables).drop_nulls().unique().sort(role)
            by_name = named.select(pl.col(column).alias("id"), own=role).select("own", key=key)
            found.append((_one_to_one(theirs, by_name), rule))
    ours = pl.DataFrame({"own": known, "key": canonical(known)}).unique("key", maintain_order=True)
    found.append((_one_to_one(theirs.select("id", key="plain"), ours), ALIKE))
    ids, rule = max(found, key=lambda match: len(match[0]))
    left = given.len() - len(ids)
    if left >= len(ids) or ids.keys().isdisjoint(missing):
        return {}, []
    one, own = next((one, own) for one, own in ids.items() if one != own)
    example = f"{one!r} in the {what} is {own!r} in the reviews"
    most = 2 * len(missing) > given.len()
    if policy == "always" or (most and not left):
        rest = f"; {left:,} not matched" if left else ""
        return ids, [f"{counted(len(ids), role)} of the {what} matched {rule}: {example}{rest}"]
    return {}, [
        f"{'most' if most else 'some'} {role}s of the {what} are not among the reviews as they are "
        f"written; {rule}, {len(ids):,} of {given.len():,} would be ({example}): "
        f"{option('match_ids', 'always')} takes them"
    ]


def _one_to_one(theirs: pl.DataFrame, ours: pl.DataFrame) -> dict[str, str]:
    """Return ids of the reviews by those of others with equal keys; none if a key stands for two ids."""
    if theirs["key"].is_duplicated().any() or ours["key"].is_duplicated().any():
        return {}
    return dict(theirs.join(ours, on="key", maintain_order="left").select("id", "own").rows())


def typed_ids(sheets: Sequence[Sheet], papers: pl.DataFrame) -> tuple[list[Sheet], pl.DataFrame]:
    """Return the sheets with ids of one type throughout, and the papers sorted by id."""
    kinds = id_kinds([sheet.table for sheet in sheets])
    typed = [Sheet(with_id_kinds(sheet.table, kinds), sheet.place) for sheet in sheets]
    return typed, with_id_kinds(papers, kinds).sort("paper")


def id_kinds(tables: Sequence[pl.DataFrame]) -> dict[str, pl.DataType]:
    """Choose integers where every id is one, so that paper 10 follows paper 9; else text."""
    found: dict[str, pl.DataType] = {}
    for columns in ROLES.values():
        values = [table[name] for table in tables for name in columns if name in table.columns]
        whole = all(_is_whole(value) for value in values)
        found |= dict.fromkeys(columns, pl.Int64() if whole else pl.String())
    return found


def _is_whole(ids: pl.Series) -> bool:
    """Return whether every id is an integer, written as one."""
    if ids.dtype.is_integer():
        least, most = ids.min(), ids.max()
        small = least is None or (least > -LARGEST_INTEGER and most < LARGEST_INTEGER)  # type: ignore[operator]
        return bool(small) and not ids.has_nulls()
    return bool(ids.cast(pl.String).str.contains(_INTEGER).all(ignore_nulls=False))


def with_id_kinds(table: pl.DataFrame, kinds: Mapping[str, pl.DataType]) -> pl.DataFrame:
    """Return the table with its ids of these kinds."""
    return table.with_columns(
        pl.col(name).cast(kind)
        if kind.is_integer() and table.schema[name].is_integer()
        else pl.col(name).cast(pl.String).cast(kind)
        for name, kind in kinds.items()
        if name in table.columns
    )


def with_numbers(sheet: Sheet, column: str) -> Sheet:
    """Return the sheet with one of its columns, if it has it, as numbers where all are numbers."""
    if column not in sheet.table.columns:
        return sheet
    return Sheet(sheet.table.with_columns(_as_number(sheet.table[column])), sheet.place)


def _as_number(column: pl.Series) -> pl.Series:
    """Return numbers where every entry is one; other text stays for the checks to report."""
    if column.dtype.is_numeric():
        return column
    text = column.cast(pl.String)
    filled = text.replace("", None)
    if not filled.str.contains(_DECIMAL).all():
        return text
    numbers = filled.cast(pl.Float64)
    whole = (numbers == numbers.round()).all() and (numbers.abs() < 2**53).all()
    return numbers.cast(pl.Int64) if whole else numbers
