"""Find out which column of a table is which, by the names that people give to columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence

from unround.formats.cells import listed
from unround.formats.model import ImportRefused, Options
from unround.formats.systems.form_fields import JUDGEMENTS, could_be_the_score, later_first
from unround.formats.systems.plain.wide import is_wide, may_be_matrix
from unround.reviews.columns import is_number
from unround.wording import option

# Names that tables really use, most telling first; compared without case, spaces and punctuation.
SYNONYMS = {
    role: tuple(names.split(", "))
    for role, names in {
        "reviewer": (
            "reviewer, reviewer id, reviewer email, reviewer username, profile id, email, user, user "
            "id, rater, referee, referee id, referee email, member, pc member, committee member, "
            "evaluator, assessor, judge, reviewed by, reviewer name, reviewer full name, referee "
            "name, member name, review index"
        ),
        "paper": (
            "paper, paper id, pid, paper number, paper no, submission, submission id, submission "
            "number, submission no, manuscript, manuscript id, manuscript number, contribution, "
            "contribution id, proposal, proposal id, abstract id, item, forum"
        ),
        "score": (
            "score, rating, overall score, overall rating, overall merit, overall recommendation, "
            "overall evaluation, overall assessment, overall, ove mer, total score, final score, "
            "final rating, final recommendation, review score, recommendation, evaluation, merit, "
            "grade, mark, points, vote, total"
        ),
        "rank": "rank, ranking, position, place, placement, reviewer rank, my rank",
        "better": "better, better paper, preferred, preferred paper, winner",
        "worse": "worse, worse paper, other, other paper, loser",
        "same_as": "same as, about the same as",
        "title": "title, paper title, submission title, manuscript title",
        "track": "track, area, primary area, track name, subject area",
        "area_chair": "area chair, ac, meta reviewer, area chair email, senior pc member",
        "area_chair_email": "area chair email, ac email, meta reviewer email",
        "confidence": "confidence, expertise, reviewer confidence, reviewer expertise",
        "decision": "decision, status, final decision",
        "review": "review, review id",
        "reviewer_name": "reviewer name, reviewer full name, referee name, member name",
        "reviewer_email": "reviewer email, referee email, email",
        "modified": "last modified, modified, updated, updated at, submitted at, timestamp",
    }.items()
}
# In tables of public scores: the number of a review among those of its paper. Nobody is named.
REVIEW_INDEX = "reviewindex"
# Chosen in place of a column: none, or the name of the sheet or file in every row.
NONE, SHEET, FILE = "(none)", "(sheet)", "(file)"
KEYS = ("reviewer", "paper", "score", "rank", "better", "worse", "same_as")
CARRIED = tuple(role for role in SYNONYMS if role not in KEYS)  # along with a review
REVIEWS = ("reviewer", "paper", "score")
STATEMENTS = (
    ("reviewer", "paper", "rank"),
    ("reviewer", "better", "worse"),
    ("reviewer", "paper", "same_as"),
)
PAPERS = (("paper", "title"), ("paper", "track"), ("paper", "area_chair"))
# "Score (1-10)", "Rank [1 = best]": what stands in brackets explains the name.
_NUMBERED = re.compile(r"(.*[^\d\s_.#-])[\s_.#-]*\d+")  # "Paper 1", "Score_2"
_WORDS = ("average", "avg", "mean", "marks?", "points?", *JUDGEMENTS)
JUDGED = re.compile(rf"(?i)(?<![^\W\d_])(?:{'|'.join(_WORDS)})(?![^\W\d_])")
_EXPLANATION = re.compile(r"\s*[(\[]([^)\]]*)[)\]]\s*")


def spelling(name: str) -> str:
    """Return a column's name without case, spaces and punctuation.

    >>> spelling("Paper-ID"), spelling("paper_id"), spelling("Paper  Id")
    ('paperid', 'paperid', 'paperid')
    """
    return re.sub(r"[\W_]+", "", name.casefold())


_SPELLED = {
    role: tuple(dict.fromkeys(map(spelling, (role, *synonyms))))
    for role, synonyms in SYNONYMS.items()
}
_KNOWN_NAMES = frozenset(name for names in _SPELLED.values() for name in names)


def columns_by_role(header: Sequence[str], chosen: Mapping[str, str]) -> dict[str, str]:
    """Assign columns to our names: the user's choice first, then the most telling synonym.

    A column serves one purpose only. A name for which the user chose NONE has no column.
    """
    unknown = [name for name in chosen if name not in SYNONYMS]
    if unknown:
        raise ImportRefused(
            f"{option('columns', f'{unknown[0]}=..')}: unknown; choose among {', '.join(SYNONYMS)}"
        )
    columns = {role: column for role, column in chosen.items() if column in header}
    spelled = {short: column for column in reversed(header) if (short := _short(column))}
    spelled |= {whole: column for column in reversed(header) if (whole := spelling(column))}
    taken = set(columns.values())
    for role, synonyms in _SPELLED.items():
        candidates = (spelled[name] for name in synonyms if name in spelled)
        column = next((one for one in candidates if one not in taken), None)
        if role not in columns and chosen.get(role) != NONE and column is not None:
            columns[role] = column
            taken.add(column)
    return columns


def _short(name: str) -> str:
    """Return a name's spelling without what stands in brackets."""
    return spelling(_EXPLANATION.sub(" ", name))


def candidates(header: Sequence[str], role: str) -> list[str]:
    """Return every column whose name may stand for one of our names."""
    names = _SPELLED[role]
    return [
        column
        for column in header
        if spelling(column) in names
        or _short(column) in names
        or (role == "score" and could_be_the_score(column))
    ]


def is_known_name(name: str) -> bool:
    """Return whether a column can matter by its name."""
    known = spelling(name) in _KNOWN_NAMES or _short(name) in _KNOWN_NAMES
    return known or could_be_the_score(name)


def gives_reviews(roles: Collection[str]) -> bool:
    """Return whether a table with these columns holds reviews."""
    return set(REVIEWS) <= set(roles)


def gives_statements(roles: Collection[str]) -> bool:
    """Return whether a table with these columns holds ranks, pairs or 'same' statements."""
    return any(set(stated) <= set(roles) for stated in STATEMENTS)


def gives_papers(roles: Collection[str]) -> bool:
    """Return whether a table with these columns says something about papers."""
    return any(set(known) <= set(roles) for known in PAPERS)


def header_test(options: Options) -> Callable[[Sequence[str]], bool]:
    """Return the test that distinguishes a table's header from titles above it."""
    named = {*options.columns.values(), *options.score_fields} - {NONE, SHEET, FILE}
    by_place = {ours: one for ours, one in options.columns.items() if one in (SHEET, FILE)}

    def is_header(cells: Sequence[str]) -> bool:
        if not named.isdisjoint(cells):
            return True
        roles = columns_by_role(cells, {}) | by_place
        understood = gives_reviews(roles) or gives_statements(roles) or gives_papers(roles)
        return understood or is_wide(cells, roles)

    return is_header


def several_in_a_row(header: Sequence[str], repeated: Sequence[str] = ()) -> str:
    """Return the advice for a table with columns such as Paper 1, Score 1, Paper 2, Score 2; or nothing."""
    numbered = (_NUMBERED.fullmatch(name.strip()) for name in header)
    stems = [*(match.group(1) for match in numbered if match), *repeated, *repeated]
    twice = [stem for stem in stems if stems.count(stem) > 1]
    several = {role for role in KEYS for stem in twice if candidates([stem], role)}
    if len(several) < 2:
        return ""
    return (
        f"it has several columns for the {' and the '.join(sorted(several))}: several reviews in a row. Give "
        "every review a row of its own, with reviewer, paper and score"
    )


def ways_to_name(role: str, names: Sequence[str]) -> str:
    """Return the options of which each takes one of the columns; scores of two phases, both in order."""
    phases = later_first(names) if role == "score" else []
    ways = [option("columns", f"{role}={name}") for name in phases[-1:] or names]
    if phases:
        ways.insert(0, f"{option('fields', *phases)} for the first that is filled,")
    return " or ".join(ways)


def missing_columns(header: Sequence[str], chosen: Mapping[str, str]) -> str:
    """Say which of reviewer, paper and score no column was taken for, and what the columns are."""
    if several := several_in_a_row(header):
        return several
    columns = columns_by_role(header, chosen)
    lacking = [role for role in REVIEWS if role not in columns]
    if lacking == list(REVIEWS):
        hints = ""
        if may_be_matrix(header):
            hints += "; if the first column holds the papers, call it 'paper'"
        if any(map(is_number, header)):
            hints += "; if these are values, put a row of names above them"
        shown = listed([repr(name[:60]) for name in header])
        return (
            f"its columns {shown} are not understood{hints}. Name them: "
            f"{option('columns', 'reviewer=..', 'paper=..', 'score=..')}"
        )
    taken = [
        f"{column!r} was taken for the {role.replace('_', ' ')}" for role, column in columns.items()
    ]
    unknown = [name for name in header if name not in columns.values()]
    others = [repr(name[:60]) for name in unknown]
    nothing = f"; nothing is known of {listed(others)}" if others else ""
    ways = option("columns", *(f"{role}=.." for role in lacking))
    judged = [name for name in unknown if JUDGED.search(name)] or unknown[: len(unknown) == 1]
    if lacking == ["score"] and judged:
        ways = ways_to_name("score", judged)
    matrix = (
        ". If each of the others is a reviewer, let their e-mail addresses or Reviewer 1, Reviewer 2, .. "
        "stand above them"
        if lacking == ["reviewer", "score"] and len(others) > 1
        else f". If each file, or sheet, is one reviewer's: {option('columns', f'reviewer={FILE}')} or "
        f"{option('columns', f'reviewer={SHEET}')}"
        if lacking == ["reviewer"]
        else ""
    )
    return (
        f"no column is the {' or the '.join(lacking)}: {', '.join(taken)}{nothing}. "
        f"Name what is missing: {ways}{matrix}"
    )
