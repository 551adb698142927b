"""Write for HotCRP: bulk assignments of tags with the new scores, and synthetic conferences.

HotCRP cuts a tag at white space, commas and semicolons, ends the owner of a private tag at -, + and
#, and looks the owner up among e-mails and the words of names. An e-mail serves only without those
characters, and of a name only a single word that nobody else has.
"""

from __future__ import annotations

import csv
import io
import math
import re
import string
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from unround.errors import UsageError
from unround.formats.cells import listed
from unround.formats.systems.hotcrp.rankings import USUAL_TAG
from unround.scale import Scale

if TYPE_CHECKING:
    from unround.formats.synthetic import NamedConference

ASSIGNMENT_HEADER = ("paper", "action", "tag", "tag_value")
STATISTICS = ("mean", "min", "max", "spread")
SHORTEST_WORD = 2
# Words that HotCRP takes for a group of people.
GROUPS = frozenset({"me", "pc", "any", "all", "none", "chair", "admin", "enabled", "anonymous"})
_PARSED_EMAIL = re.compile(r"[A-Za-z0-9._%']+@[A-Za-z0-9.]+", re.ASCII)
_WORDS = re.compile(r"[^\W\d_]+")
LARGEST = 2_147_483_646.0
LONGEST_TAG = 80
RESERVED = ("any", "all", "none", "some", "undefined")
# Narrower than HotCRP's own rule, whose other characters have meanings of their own.
_TAG = re.compile(r"[a-zA-Z_][-+a-zA-Z0-9_.]*", re.ASCII)
_PAPER = re.compile(r"[1-9][0-9]*", re.ASCII)


def assignments(
    scores: pl.DataFrame, papers: pl.DataFrame, *, tag: str = "dq", per_review: bool = False
) -> str:
    """Return the CSV for Assignments > Bulk update.

    Every paper gets ~~dq_mean, ~~dq_min, ~~dq_max and ~~dq_spread, which only chairs see. With
    `per_review` every review gets its author's private tag ~dq as well: its author sees it, and
    only members of the programme committee can have one.
    """
    _check_tag(tag, per_review)
    rows = list(_paper_assignments(papers, tag))
    if per_review:
        rows += _review_assignments(scores, tag)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([ASSIGNMENT_HEADER, *rows])
    return text.getvalue()


def _paper_assignments(papers: pl.DataFrame, tag: str) -> Iterator[tuple[str, str, str, str]]:
    columns = [f"dequantized_{name}" for name in STATISTICS]
    for paper, *values in papers.select("paper", *columns).iter_rows():
        for name, value in zip(STATISTICS, values, strict=True):
            yield _paper(paper), "tag", f"~~{tag}_{name}", _value(value, paper)


def _review_assignments(scores: pl.DataFrame, tag: str) -> Iterator[tuple[str, str, str, str]]:
    owners = tag_owners(scores)
    for reviewer, paper, value in scores.select("reviewer", "paper", "dequantized").iter_rows():
        yield _paper(paper), "tag", f"{owners[str(reviewer)]}~{tag}", _value(value, paper)


def _check_tag(tag: str, per_review: bool) -> None:
    if per_review and tag.lower() == USUAL_TAG:
        raise UsageError(
            f"the tag ~{tag} holds each reviewer's own ranking in HotCRP, and scores would overwrite "
            "it; choose another tag, or leave out the tags of single reviews"
        )
    longest = max(len(f"~~{tag}_{name}") for name in STATISTICS)
    if not _TAG.fullmatch(tag) or longest > LONGEST_TAG or tag.lower() in RESERVED:
        raise UsageError(
            f"{tag!r} cannot be a HotCRP tag: it must begin with a letter, continue with letters, "
            f"digits, - or _, and be no longer than {LONGEST_TAG - longest + len(tag)} characters"
        )


def _paper(paper: object) -> str:
    """Return the paper's number; HotCRP would take anything else for a search and tag its results."""
    text = str(paper)
    if not _PAPER.fullmatch(text):
        raise UsageError(f"paper {text!r} is not a HotCRP paper: those have numbers")
    return text


def _value(value: float | None, paper: object) -> str:
    """Return a plain decimal: HotCRP takes exponents for formulas, and stores single precision."""
    if value is None or not math.isfinite(value) or abs(value) > LARGEST:
        raise UsageError(f"paper {paper}: {value} cannot be the value of a HotCRP tag")
    text = f"{value:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def tag_owners(scores: pl.DataFrame) -> dict[str, str]:
    """Return the owner part of each reviewer's private tag; raise UsageError naming all without one."""
    people = _people(scores)
    shared = Counter(word for person in people for word in person.words)
    domains: defaultdict[str, list[str]] = defaultdict(list)
    for person in people:
        local, _, domain = person.email.lower().partition("@")
        domains[local].append(domain)
    owners: dict[str, str] = {}
    nameless: list[str] = []
    for person in people:
        owner = _owner(person, shared, domains)
        if owner:
            owners[person.reviewer] = owner
        else:
            nameless.append(f"{person.name} <{person.email}>" if person.email else person.name)
    if nameless:
        raise UsageError(
            "HotCRP cannot tell these reviewers from others in a tag: "
            f"{listed(nameless)}. Their e-mails are unknown, or contain characters that it does "
            "not read there (such as - or +), and no word of their names is theirs alone; leave "
            "out the tags of single reviews"
        )
    return owners


def _people(scores: pl.DataFrame) -> list[_Person]:
    names = [name for name in ("reviewer_name", "reviewer_email") if name in scores.columns]
    people: dict[str, _Person] = {}
    for row in scores.select("reviewer", *names).unique(maintain_order=True).iter_rows(named=True):
        reviewer = str(row["reviewer"])
        email = row.get("reviewer_email") or (reviewer if "@" in reviewer else "")
        name = row.get("reviewer_name") or ("" if "@" in reviewer else reviewer)
        composed = unicodedata.normalize("NFC", str(name))
        people.setdefault(reviewer, _Person(reviewer, composed, str(email)))
    return list(people.values())


@dataclass(frozen=True)
class _Person:
    reviewer: str
    name: str
    email: str

    @property
    def words(self) -> set[str]:
        """Every word by which a search can find this person."""
        return {_folded(word) for word in _WORDS.findall(f"{self.name} {self.email}")}


def _owner(person: _Person, shared: Counter[str], domains: Mapping[str, list[str]]) -> str:
    if _PARSED_EMAIL.fullmatch(person.email) and _finds_one(person.email.lower(), domains):
        return person.email
    words = [word for word in reversed(_WORDS.findall(person.name)) if len(word) >= SHORTEST_WORD]
    return next(
        (word for word in words if shared[_folded(word)] == 1 and _folded(word) not in GROUPS), ""
    )


def _finds_one(email: str, domains: Mapping[str, list[str]]) -> bool:
    """Return whether exactly one e-mail matches: HotCRP matches ann@example.org to ann@cs.example.org too."""
    local, _, domain = email.partition("@")
    return sum(f".{domain}." in f".{other}." for other in domains[local]) == 1


def _folded(word: str) -> str:
    """Return a word without accents and case, as HotCRP compares names."""
    parts = unicodedata.normalize("NFKD", word)
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


REVIEWS_NAME = "hotcrp-reviews.csv"
RANKS_NAME = "hotcrp-ranks.csv"
# A list has one column per reviewer and one row per paper: blocks keep their product small.
REVIEWERS_PER_LIST = 200
REVIEW_HEADER = (
    *("paper", "title", "review", "reviewername", "email"),
    *("Overall merit", "Reviewer confidence"),
)


def write_conference(conference: NamedConference, folder: Path) -> list[Path]:
    """Write the reviews, and one list of ranks for every 200 reviewers."""
    _check_scale(conference.scale)
    folder.mkdir(parents=True, exist_ok=True)
    reviews = folder / REVIEWS_NAME
    _write_csv(reviews, [REVIEW_HEADER, *_review_rows(conference.reviews)])
    written = [reviews]
    blocks = _rank_blocks(conference)
    for number, rows in enumerate(blocks, start=1):
        name = RANKS_NAME if len(blocks) == 1 else RANKS_NAME.replace(".", f"-{number:03d}.")
        written.append(folder / name)
        _write_csv(written[-1], rows)
    return written


def _check_scale(scale: Scale) -> None:
    levels = scale.levels
    numbered = scale.is_consecutive_integers and levels[0] == 1
    # Worst first, so that letters run backwards.
    lettered = "".join(map(str, reversed(levels))) in string.ascii_uppercase
    if len(levels) < 2 or not (numbered or lettered):
        raise UsageError(
            "HotCRP has scales of 1 to n, or of consecutive capital letters with the first one "
            f"best; {', '.join(map(str, levels))} is neither"
        )


def _review_rows(reviews: pl.DataFrame) -> Iterable[tuple[Any, ...]]:
    """Yield reviews by paper, each with its ordinal: 1A, 1B, .."""
    ordered = reviews.sort("paper", maintain_order=True).with_columns(
        number=pl.int_range(pl.len()).over("paper")
    )
    for row in ordered.iter_rows(named=True):
        review = f"{row['paper']}{ordinal(row['number'])}"
        person = row["reviewer_name"], row["reviewer"]
        yield row["paper"], row["title"], review, *person, row["score"], row["confidence"]


def ordinal(number: int) -> str:
    """Return the letters of a paper's review: A for the first, Z for the 26th, AA for the next.

    >>> ordinal(0), ordinal(25), ordinal(26)
    ('A', 'Z', 'AA')
    """
    letters = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def _rank_blocks(conference: NamedConference) -> list[list[Sequence[Any]]]:
    people = conference.reviews.select("reviewer", "reviewer_name").unique(maintain_order=True)
    names = dict(people.sort("reviewer").iter_rows())
    titles = dict(conference.reviews.select("paper", "title").unique().iter_rows())
    ranked = conference.rankings.partition_by("reviewer", as_dict=True)
    tables = {str(key[0]): table for key, table in ranked.items()}
    reviewers = [reviewer for reviewer in names if reviewer in tables]
    return [
        _rank_rows(reviewers[first : first + REVIEWERS_PER_LIST], names, titles, tables)
        for first in range(0, len(reviewers), REVIEWERS_PER_LIST)
    ]


def _rank_rows(
    reviewers: Sequence[str],
    names: dict[str, str],
    titles: dict[int, str],
    tables: dict[str, pl.DataFrame],
) -> list[Sequence[Any]]:
    """Return a header with one column per reviewer, and a row for every paper that one of them ranks."""
    cells: dict[int, list[Any]] = {}
    for place, reviewer in enumerate(reviewers):
        for paper, rank in tables[reviewer].select("paper", "rank").iter_rows():
            cells.setdefault(paper, [""] * len(reviewers))[place] = rank
    header = ["ID", "Title", *(f"{names[reviewer]} #~rank" for reviewer in reviewers)]
    return [header, *([paper, titles[paper], *cells[paper]] for paper in sorted(cells))]


def _write_csv(path: Path, rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
