"""Write HotCRP's bulk assignments: tags with the new scores.

HotCRP cuts a tag at white space, commas and semicolons, ends the owner of a private tag at -, + and
#, and looks the owner up among e-mails and the words of names. An e-mail serves only without those
characters, and of a name only a single word that nobody else has.
"""

from __future__ import annotations

import csv
import io
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import polars as pl

from unround.errors import UsageError
from unround.formats.cells import listed
from unround.formats.systems.hotcrp.ranks import USUAL_TAG

HEADER = ("paper", "action", "tag", "tag_value")
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
    rows = list(_paper_rows(papers, tag))
    if per_review:
        rows += _review_rows(scores, tag)
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([HEADER, *rows])
    return text.getvalue()


def _paper_rows(papers: pl.DataFrame, tag: str) -> Iterator[tuple[str, str, str, str]]:
    columns = [f"dequantized_{name}" for name in STATISTICS]
    for paper, *values in papers.select("paper", *columns).iter_rows():
        for name, value in zip(STATISTICS, values, strict=True):
            yield _paper(paper), "tag", f"~~{tag}_{name}", _value(value, paper)


def _review_rows(scores: pl.DataFrame, tag: str) -> Iterator[tuple[str, str, str, str]]:
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
