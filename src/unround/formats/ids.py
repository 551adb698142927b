"""Give ids of all files one form: match 6, 6.0, 006, #6 and Paper 6, then choose numbers or text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import polars as pl

from unround.formats.cells import counted
from unround.formats.model import SHEETS, FileContent, ImportRefused, Sheet
from unround.wording import option

ROLES = {"reviewer": ("reviewer",), "paper": ("paper", "better", "worse", "same_as")}
_NUMBER = r"#?\s*0*([0-9]+)(?:\.0+)?"
_INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"
LARGEST_INTEGER = 10**18
_DECIMAL = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)$"


class Match(NamedTuple):
    """The ids of the reviews by the ids of another table, and the rule that found them."""

    ids: Mapping[str, str]
    rule: str
    most: bool = False  # whether most ids are written in another way
    left: int = 0  # ids that it does not match


def _rule(pattern: str) -> Callable[[str], str]:
    """Return the rule that ids are alike by the group of a pattern; others are like none."""
    form = re.compile(pattern, re.DOTALL)

    def key(text: str) -> str:
        found = form.fullmatch(text)
        return found.group(1).casefold() if found else ""

    return key


# In this order: the first that matches all ids one to one is taken.
RULES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("by their numbers", _rule(_NUMBER)),
    ("without regard to capitals", str.casefold),
    ("by their e-mail addresses", _rule(r"(?:.*<)?\s*(?:mailto:)?([^\s<>]+@[^\s<>]+?)\s*>?")),
    (
        "by their numbers, whatever word stands before them",
        _rule(rf"(?:[^\W\d_]+\.?[\s#:_-]*)?{_NUMBER}"),
    ),
)


def match_ids(
    sheet: Sheet, what: str, reviews: Sheet, policy: str
) -> tuple[Sheet, tuple[str, ...]]:
    """Give rankings, or a list of papers, the ids of the reviews where one plain rule shows them.

    Ids that are written alike are one. Where most are not, a rule that matches all of them one to one
    is certain and taken; a rule that matches some is only offered, unless `policy` is "always".
    """
    notes: list[str] = []
    for role, names in ROLES.items():
        columns = [name for name in names if name in sheet.table.columns]
        match = _match(sheet, columns, reviews, role) if columns and policy != "never" else None
        if match is not None:
            taken = (match.most and not match.left) or policy == "always"
            notes.append(_note(match, role, what, taken))
            sheet = _with_ids(sheet, columns, match.ids) if taken else sheet
    return sheet, tuple(notes)


def join_alike_ids(
    parts: Sequence[FileContent], policy: str
) -> tuple[Sequence[FileContent], tuple[str, ...]]:
    """Give ids that are spelled in two ways one form in all files, or ask whether they are one.

    White space, the code of an accent and invisible characters never make two ids. Capitals, and forms
    of a number such as 12 and #012, may: `policy` "always" joins them, "never" keeps all apart, and else
    the user is asked about those of the reviews.
    """
    notes: list[str] = []
    if policy == "never" or all(part.reviews is None for part in parts):
        return parts, ()
    for role, names in ROLES.items():
        reviewed = _ids(_columns(parts, names, ("reviews",)))
        ids = _ids([reviewed, *_columns(parts, names, SHEETS[1:])])
        if ids.dtype != pl.String:
            continue
        plain = ids.str.replace_all(r"\p{Cf}", "").str.normalize("NFC").str.replace_all(r"\s+", " ")
        folded = plain.str.normalize("NFKC").str.to_lowercase().str.replace(f"^{_NUMBER}$", "$1")
        folded = folded.str.replace(r"^.*<\s*(\S+@\S+?)\s*>$", "$1")  # Ann Lee <ann@x.org>
        forms = pl.DataFrame({"id": ids, "plain": plain, "folded": folded})
        ours = forms.head(reviewed.len()).with_columns(
            pl.col("id", "plain").first().over("folded").name.suffix("_first")
        )
        doubtful = ours.filter(pl.col("plain") != pl.col("plain_first"))
        if policy == "certain" and doubtful.height:
            one, other = doubtful.select("id_first", "id").row(0)
            raise ImportRefused(
                f"{counted(doubtful.height, role)} spelled in two ways, such as {one!r} and {other!r}: "
                f"{option('match_ids', 'always')} takes them for one, {option('match_ids', 'never')} for two"
            )
        first = pl.col("id").first().over("plain").replace(ours["id"], ours["id_first"])
        changed = forms.select("id", first=first).filter(pl.col("id") != pl.col("first")).rows()
        if changed:
            parts = [_with_forms(part, names, dict(changed)) for part in parts]
            other, one = changed[0]
            spelled = counted(len(changed), f"{role} spelled in two ways taken for one")
            notes.append(f"{spelled}: {other!r} is {one!r}")
    return parts, tuple(notes)


def _with_forms(part: FileContent, names: Sequence[str], forms: Mapping[str, str]) -> FileContent:
    sheets = {name: sheet for name in SHEETS if (sheet := getattr(part, name)) is not None}
    changed: dict[str, Any] = {
        name: _with_ids(sheet, [one for one in names if one in sheet.table.columns], forms)
        for name, sheet in sheets.items()
    }
    if "paper" in names:
        out = part.withdrawn
        changed["withdrawn"] = out and {forms.get(one, one): why for one, why in out.items()}
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
    return pl.concat(series).unique(maintain_order=True)


def _match(sheet: Sheet, columns: Sequence[str], reviews: Sheet, role: str) -> Match | None:
    """Return the best rule, if it finds ids that are not among those of the reviews as written."""
    given, known = _ids(sheet.table[columns]), _ids([reviews.table[role]])
    if given.dtype != known.dtype:
        given, known = given.cast(pl.String), known.cast(pl.String)
    missing = given.filter(~given.is_in(known.implode())).cast(pl.String).to_list()
    if not missing:
        return None
    theirs, ours = given.cast(pl.String).to_list(), known.cast(pl.String).to_list()
    found = [
        Match(_one_to_one(theirs, [(rule(one), one) for one in ours], rule), words)
        for words, rule in RULES
    ]
    found += _by_known_names(role, theirs, reviews)
    best = max(found, key=lambda match: len(match.ids))
    left = len(theirs) - len(best.ids)
    if left >= len(best.ids) or best.ids.keys().isdisjoint(missing):
        return None
    return best._replace(most=2 * len(missing) > len(theirs), left=left)


def _one_to_one(
    theirs: Sequence[str], ours: Sequence[tuple[str, str]], rule: Callable[[str], str]
) -> dict[str, str]:
    """Return the pairs that a rule finds; none if it takes two ids for one."""
    meant = {one: rule(one) for one in theirs}
    by_key = {key: one for key, one in ours if key}
    if len(by_key) < sum(bool(key) for key, _ in ours):
        return {}
    if len(set(meant.values()) - {""}) < sum(map(bool, meant.values())):
        return {}
    return {one: by_key[key] for one, key in meant.items() if key in by_key}


def _by_known_names(role: str, theirs: Sequence[str], reviews: Sheet) -> list[Match]:
    """Match reviewers or papers by what the reviews give beside their ids: a name, an e-mail, a forum."""
    found = []
    for column, rule, words in (
        ("reviewer_name", str.lower, "by their names"),
        ("reviewer_email", str.lower, "by their e-mails"),
        ("forum", str, "by their forums"),
    ):
        if column in reviews.table.columns and role == (
            "paper" if column == "forum" else "reviewer"
        ):
            known = reviews.table.select(pl.col(column, role).cast(pl.String)).drop_nulls().unique()
            rows = sorted({(rule(name), own) for name, own in known.rows()})
            found.append(Match(_one_to_one(theirs, rows, rule), words))
    return found


def _with_ids(sheet: Sheet, columns: Sequence[str], ids: Mapping[str, str]) -> Sheet:
    replaced = (
        pl.col(name).cast(pl.String).replace(list(ids), list(ids.values())) for name in columns
    )
    return Sheet(sheet.table.with_columns(replaced), sheet.place)


def _note(match: Match, role: str, what: str, taken: bool) -> str:
    count = len(match.ids)
    one, ours = next((one, ours) for one, ours in match.ids.items() if one != ours)
    example = f"{one!r} in the {what} is {ours!r} in the reviews"
    if taken:
        rest = f"; {match.left:,} not matched" if match.left else ""
        return f"{counted(count, role)} of the {what} matched {match.rule}: {example}{rest}"
    return (
        f"{'most' if match.most else 'some'} {role}s of the {what} are not among the reviews as they "
        f"are written; {match.rule}, {count:,} of {count + match.left:,} would be ({example}): "
        f"{option('match_ids', 'always')} takes them"
    )


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
