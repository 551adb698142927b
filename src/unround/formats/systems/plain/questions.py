"""Ask where a table can be read in two ways: one sentence, with the options that answer it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

import polars as pl

from unround.formats.cells import counted, listed, rank_of, read_score
from unround.formats.files.tables import Table
from unround.formats.files.xml_sheets import FORMULA
from unround.formats.model import FileContent, ImportRefused, Sheet, stacked
from unround.formats.systems.form_fields import is_late, later_first
from unround.formats.systems.plain.columns import (
    JUDGED,
    KEYS,
    NONE,
    candidates,
    columns_by_role,
    several_in_a_row,
    spelling,
    ways_to_name,
)
from unround.formats.systems.plain.wide import PAPER_NUMBER
from unround.reviews.columns import is_number
from unround.reviews.infer_scale import LARGEST_SCORE
from unround.scale import MOST_LEVELS, Scale
from unround.wording import option

SUMMARY = (
    r"(?i)^\s*(averages?|avg|mean|median|sum|((grand|sub)[ -]?)?total(s|e|es)?|count|(durch)?schnitt|"
    r"mittel(wert)?|summe|gesamt|anzahl|moyenne|médiane|somme|promedio|media(na)?|suma|soma|média|средн\w+|итого|"
    r"平均值?|合[计計]|总[计和]|総計|합계|평균)\s*:?\s*$"
)
# What one paper, and one reviewer, has one of.
ONE_OF = (("paper", "title"), ("paper", "track"), ("reviewer", "reviewer_email"))
# "1=excellent, 5 = poor" in a column's name; "2: weak reject" in a cell.
_LABEL = re.compile(r"(?<![\w.])([+-]?\d+(?:\.\d+)?)\s*(?:[:=.)–—-]|is\b|\s)\s*([^\d,;()\[\]]+)")
_GOOD = re.compile(r"\b(?:excellent|best|outstanding|good|great|strong|high\w*|top|yes|pass)\b")
_BAD = re.compile(r"\b(?:poor|worst|bad|terrible|weak|low\w*|bottom|no|not|fail)\b")
_STATED = re.compile(r"\d\s*=\s*[^\W\d]")  # a label in a column's name, in whatever language
# Titles of numbers of which low ones are best, or are so in some countries: school grades, impact scores.
_OPEN = re.compile(
    r"(?i)(?<![^\W\d_])(?:rank\w*|rang|platz\w*|plac(?:e|ing|ement)|position|order|classement|puesto|posto|"
    r"priority|tier|percentile|impact|penalt(?:y|ies)|demerits?|errors?|loss|risk|severity|weakness(?:es)?|"
    r"grade|(?:schul|gesamt|end)?noten?|zensur|zn[aá]mka)(?![^\W\d_])"
)
_BETTER = re.compile(r"\b(low|high)\w*\s*(?:is|=|:)\s*(?:good|best|better)")


def settled_columns(
    table: Table, columns: Mapping[str, str], chosen: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """Return which column is which, and notes; ask where another column may be meant."""
    _refuse_values_as_names(table, columns)
    used = {columns[role] for role in KEYS if role in columns}
    for role in ("reviewer", "paper", "score", "rank"):
        if role not in columns or role in chosen:
            continue
        others = [name for name in candidates(table.header, role) if name not in used]
        doubtful = [name for name in others if _may_be_meant(table, name, columns[role], role)]
        if doubtful:
            names = [columns[role], *doubtful]
            raise ImportRefused(
                f"{table.where}: the {role} may be any of {listed([*map(repr, names)])}; say which: "
                f"{ways_to_name(role, names)}"
            )
    notes = []
    others = [name for name in table.header if name not in columns.values()]
    late = [name for name in others if is_late(name) and _share(table, name, _level) > 0.5]
    passed = [repr(name) for name in others if name in late or JUDGED.search(name)]
    if passed and "score" in columns.keys() - chosen:
        other = late[0] if late else next(name for name in others if repr(name) in passed)
        how = f"{option('columns', f'score={other}')} takes {other!r} for the score"
        if late and later_first(["overall", late[0]]):  # whose name says nothing but when
            how = f"{option('fields', late[0], columns['score'])} takes {late[0]!r} where it is filled"
        notes.append(f"not used: {listed(passed)}; {how}")
    unused = set()
    rank, email = columns.get("rank", ""), columns.get("reviewer_email", "")
    if rank and "rank" not in chosen and not _share(table, rank, rank_of):
        if "score" not in columns:
            written = next(filter(rank_of, table.texts(rank)))
            raise ImportRefused(
                f"{table.where}: {rank!r} holds {written!r}, which is no rank; write 1, 2, 3"
            )
        unused.add("rank")
    guessed = email and "reviewer" in chosen and "reviewer_email" not in chosen
    if guessed and _may_be_meant(table, email, columns["reviewer"], "reviewer"):
        unused.add("reviewer_email")  # an author's, or another person's
    if "decision" in columns.keys() - chosen and {"paper", "score"} <= columns.keys():
        given = pl.DataFrame([table.texts(columns[role]) for role in ("paper", "decision")])
        if given.filter(pl.last() != "").unique().select(pl.first()).is_duplicated().any():
            unused.add("decision")  # the status of a review: those of one paper differ
    notes.extend(
        f"column {columns[role]!r} not used: it holds no {role.replace('_', ' ')}s"
        for role in sorted(unused)
    )
    return {role: name for role, name in columns.items() if role not in unused}, tuple(notes)


def _may_be_meant(table: Table, other: str, taken: str, role: str) -> bool:
    """Return whether another column could be meant: other numbers, or ids of other things."""
    if other not in table.data.columns:
        return False
    if role in ("score", "rank"):
        read = rank_of if role == "rank" else read_score
        return _share(table, other, read) > 0.5 and table.texts(other) != table.texts(taken)
    pairs = pl.DataFrame({"one": table.texts(taken), "other": table.texts(other)}).unique()
    both = pairs.filter((pl.col("one") != "") & (pl.col("other") != ""))
    one_to_one = both.height == both["one"].n_unique() == both["other"].n_unique()
    return not (one_to_one or spelling(other).endswith("name"))


def _level(cell: str) -> str | None:
    """Return a number for a cell that holds one, or a letter as scores are: other text as it is."""
    return "1" if re.fullmatch("[A-Z]", cell) else read_score(cell)


def _share(table: Table, name: str, read: Callable[[str], str | None]) -> float:
    """Return the share of numbers among the cells that are not empty; 1 if all are empty."""
    column = table.column(name)
    if column.dtype.is_numeric():
        return 1.0
    texts = column.drop_nulls().value_counts().rows()
    read_texts = [(read(text), count) for text, count in texts]
    filled = sum(count for text, count in read_texts if text is not None)
    return (
        sum(count for text, count in read_texts if is_number(text or "")) / filled
        if filled
        else 1.0
    )


def _refuse_values_as_names(table: Table, columns: Mapping[str, str]) -> None:
    """Refuse a row of values where the names of the columns should stand, and uncomputed formulas."""
    for role in (role for role in KEYS if role in columns):
        if role in ("score", "rank") and is_number(columns[role]):
            raise ImportRefused(
                f"{table.where}: {listed(table.header)} are values, not names. Put a row of names above "
                f"them, such as reviewer, paper, {role}"
            )
        cells = table.column(columns[role])
        rows = (cells == FORMULA).arg_true() if cells.dtype == pl.String else pl.Series()
        if rows.len():
            raise ImportRefused(
                f"{table.place(rows[0])}: the {role} is a formula without a value; open the file in a "
                "spreadsheet and save it again"
            )


def refuse_unclear_header(table: Table, chosen: Mapping[str, str]) -> None:
    """Refuse several reviews in a row, and a used name that occurs twice; ask if a full row stands above."""
    if several := several_in_a_row(table.header, table.repeated):
        raise ImportRefused(f"{table.where}: {several}")
    columns = columns_by_role([*table.header, *table.repeated], chosen)
    for role in KEYS:
        if columns.get(role) in table.repeated:
            raise ImportRefused(
                f"{table.where} has the column {columns[role]!r} more than once; keep one of them, "
                f"or name another with {option('columns', f'{role}=..')}"
            )
    full = [row for row in table.above if sum(map(bool, map(str.strip, row))) >= len(table.header)]
    if full and len(table.header) > 1 and not chosen:
        raise ImportRefused(
            f"{table.where}: the columns may be called {listed(table.header)} or, in a row above, "
            f"{listed(full[0])}. Remove the wrong row, or name a column: {option('columns', 'paper=..')}"
        )


def without_missing_rows(
    table: Table, columns: Mapping[str, str], missing: Mapping[str, str]
) -> tuple[Table, tuple[str, ...]]:
    """Leave out rows whose reviewer or paper the user calls missing; ask about averages and totals."""
    notes: list[str] = []
    for role in ("reviewer", "paper"):
        ids = table.column(columns[role]) if role in columns else pl.Series()
        if ids.dtype != pl.String:
            continue
        gone = is_missing(ids, missing.get(role, ""))
        if gone.any():
            notes += [f"{counted(int(gone.sum()), 'row')} left out: no {role}"]
            table = table.filtered(~gone)
        for row in ids.str.contains(SUMMARY).arg_true()[:1] if role not in missing else ():
            raise ImportRefused(
                f"{table.place(row)}: the {role} {ids[row]!r} may sum up other rows: "
                f"{option('missing', f'{role}={ids[row]}')} leaves such rows out, "
                f"{option('missing', f'{role}=')} counts them"
            )
    return table, tuple(notes)


def is_missing(cells: pl.Series, values: str) -> pl.Series:
    """Return which cells hold one of the values between commas, as text or as a number."""
    wanted = [value.strip() for value in values.split(",") if value.strip()]
    numbers = [float(value) for value in wanted if is_number(value)]
    as_number = cells.cast(pl.Float64, strict=False).is_in(numbers)
    return (cells.cast(pl.String).is_in(wanted) | as_number).fill_null(value=False)


def ask_about_odd_ranks(
    where: str, ranks: pl.DataFrame, missing: str | None, *, named: bool
) -> None:
    """Ask whether ranks of 0 and below, or 99 in a column that nobody named, mean "not ranked"."""
    table = ranks.with_columns(pl.col("rank").cast(pl.Float64, strict=False)).drop_nulls("rank")
    values = table["rank"].unique().sort()
    odd = values.filter(values <= 0)
    most = table.group_by("reviewer").len()["len"].max()
    if not (odd.len() or named) and values.len() > 1 and values[-1] > max(2 * values[-2], most):
        odd = values[-1:]
    if odd.len() and missing is None:
        numbers = ",".join(f"{value:g}" for value in odd)
        count = table.filter(pl.col("rank").is_in(odd.implode())).height
        raise ImportRefused(
            f"{where}: {counted(count, 'rank')} of {listed(numbers.split(','))} may be places, or stand for "
            f"papers that are not ranked: {option('missing', f'rank={numbers}')} if they are not ranked, "
            f"{option('missing', 'rank=')} if these are places"
        )


def ask_about_ranks(where: str, name: str, ranks: pl.DataFrame) -> None:
    """Ask about ranks that count the other way round, and about places that are the papers' own."""
    if low_is_best(name, ()) is False:
        raise ImportRefused(
            f"{where}: {name!r} counts the other way round than unround, for which rank 1 is best: turn the "
            f"numbers round. Then name the column: {option('columns', f'rank={name}')}"
        )
    table = ranks.with_columns(pl.col("rank").cast(pl.Float64, strict=False)).drop_nulls("rank")
    by_reviewer = table.group_by("reviewer").agg(
        best=pl.col("rank").min(), worst=pl.col("rank").max(), of=pl.len()
    )
    papers = table.group_by("paper").agg(pl.col("rank", "reviewer").n_unique())
    within = by_reviewer.filter((pl.col("best") == 1) & (pl.col("worst") <= pl.col("of")))
    shared = papers.height and papers["rank"].max() == 1 and papers["reviewer"].max() != 1
    if shared and within.height < by_reviewer.height:
        raise ImportRefused(
            f"{where}: {name!r} is the same for all reviewers of a paper: "
            f"{option('columns', f'rank={NONE}')} if it is the paper's own place, "
            f"{option('columns', f'rank={name}')} if every reviewer ranked so"
        )


def ask_about_people_and_papers(contents: Iterable[FileContent]) -> None:
    """Ask where one id has two titles, tracks or e-mails: it may stand for two papers or people."""
    sheets = [sheet for one in contents for sheet in (one.reviews, one.papers) if sheet is not None]
    for role, column in ONE_OF:
        holding = [
            Sheet(sheet.table.select(role, column).cast(pl.String), sheet.place)
            for sheet in sheets
            if {role, column} <= set(sheet.table.columns)
        ]
        joined = stacked(holding)
        if joined is not None:
            _ask_about_two(joined, role, column)


def ask_about_apart(contents: Iterable[FileContent]) -> None:
    """Ask where two files or sheets share no reviewer but numbers of papers: each may count from 1."""
    apart: list[tuple[str, pl.DataFrame, set[str], set[str]]] = []
    given = [(one.reviews.table, one.file) for one in contents if one.reviews]
    for table, name in given if len(given) > 1 else ():
        people, papers = (set(table[role].cast(pl.String).drop_nulls()) for role in KEYS[:2])
        for other_name, other, other_people, other_papers in apart if len(people) > 1 else ():
            both = sorted(papers & other_papers, key=lambda paper: (len(paper), paper))
            told = {"title", "track"} & set(table.columns) & set(other.columns)
            if people & other_people or told or not all(map(PAPER_NUMBER.fullmatch, both or [""])):
                continue
            same = f"If these are the same papers: {option('match_ids', 'always')}"
            raise ImportRefused(
                f"{other_name} and {name} share no reviewer, but {counted(len(both), 'paper')}, such as "
                f"{both[0]}. {same}. If not: give each an id of its own, such as A{both[0]} and "
                f"B{both[0]}, or run each apart"
            )
        if len(people) > 1:
            apart.append((name, table, people, papers))


def _ask_about_two(sheet: Sheet, role: str, column: str) -> None:
    words = pl.col(column).str.to_lowercase().str.replace_all(r"[\W_]+", " ").str.strip_chars()
    rows = sheet.table.with_row_index("row").with_columns(words=words).filter(pl.col("words") != "")
    several = rows.filter(pl.col("words").n_unique().over(role) > 1)
    if several.is_empty():
        return
    first = several.filter(pl.col(role) == several[role][0]).unique("words", maintain_order=True)
    two = [f"{text!r} [{sheet.place(row)}]" for row, text in first.select("row", column).rows()[:2]]
    name = column.replace("_", " ")
    apart = f"{option('columns', f'{role}=..')} with the column of the {name}s, or an id for each in the file"
    raise ImportRefused(
        f"{counted(several[role].n_unique(), role)} with two {name}s; {role} {several[role][0]} has "
        f"{' and '.join(two)}. If these are different {role}s: {apart}. If not: "
        f"{option('match_ids', 'always')}"
    )


def direction_doubt(table: Table, name: str) -> str:
    """Return a question if the title of a column of scores or its labels say that low ones may be best."""
    column = table.column(name)
    texts = sorted(column.drop_nulls().unique().cast(pl.String).to_list())
    low = low_is_best(name, [] if column.dtype.is_numeric() else texts)
    labels = {found.group(2) for found in map(_LABEL.match, texts) if found}  # in any language
    is_open = _OPEN.search(re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)) is not None
    labelled = _STATED.search(name) is not None or 2 * len(labels) > len(texts)
    if low is False or (low is None and not is_open and not labelled):
        return ""
    scores = [float(text) for text in map(read_score, texts) if text and is_number(text)]
    levels = sorted({*scores, *(float(number) for number, _ in _LABEL.findall(name))})
    if not levels or levels[-1] > LARGEST_SCORE or levels[-1] - levels[0] >= MOST_LEVELS:
        return ""  # the checks name the cells
    least, most = f"{levels[0]:g}", f"{levels[-1]:g}"
    up, down = f"{least}..{most}", f"{most}..{least}"
    if not all(map(float.is_integer, levels)):
        up, down = Scale(levels).text, Scale(levels[::-1]).text
    lone = levels[-1] > max([8.0, *(2 * level for level in levels[:-1])])
    none = least if levels[0] == 0 else most if lone else ""
    none = none and f"; if {none} means no score, {option('missing', f'score={none}')} first"
    why = f"labels of {name!r} {'' if low else 'may '}say that low scores are best"
    why = why if low or labelled else f"low or high numbers may be the best in {name!r}"
    return (
        f"{table.where}: {why}. Give every level, worst first: {option('scale', down)} if "
        f"{least} is best, or {option('scale', up)}{none}"
    )


def low_is_best(name: str, cells: Sequence[str]) -> bool | None:
    """Return whether labels in a column's name and cells call its low numbers good; None without labels.

    >>> low_is_best("Score (1=excellent, 5=poor)", []), low_is_best("Score", ["1: reject", "5: accept"])
    (True, False)
    """
    found = _LABEL.findall(f"{name}; {'; '.join(cells)}".casefold())
    judged = [(float(number), _judged(label)) for number, label in found]
    if better := _BETTER.search(name.casefold()):
        return better.group(1) == "low"
    good, bad = ([number for number, sign in judged if sign == wanted] for wanted in (1, -1))
    if not (good or bad):
        return None
    middle = 2.5 if max(good + bad) <= 5 else 5  # of the scale, if only one of its ends has a label
    return sum(good or [middle]) / len(good or [1]) < sum(bad or [middle]) / len(bad or [1])


def _judged(label: str) -> int:
    """Return 1 for a good label, -1 for a bad one; a weak accept is good, a strong reject is bad."""
    accept, reject = "accept" in label, "reject" in label
    if accept or reject:
        return (accept - reject) * (-1 if re.search(r"\bnot\b", label) else 1)
    return bool(_GOOD.search(label)) - bool(_BAD.search(label))
