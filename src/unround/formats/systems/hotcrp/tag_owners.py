"""Find how HotCRP can be told whose private tag is meant.

HotCRP cuts a tag at white space, commas and semicolons, ends the owner of a private tag at -, + and
#, and looks the owner up among e-mails and the words of names. An e-mail serves only without those
characters, and of a name only a single word that nobody else has.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from unround.errors import UsageError
from unround.formats.cells import listed

SHORTEST_WORD = 2
# Words that HotCRP takes for a group of people.
GROUPS = frozenset({"me", "pc", "any", "all", "none", "chair", "admin", "enabled", "anonymous"})
_PARSED_EMAIL = re.compile(r"[A-Za-z0-9._%']+@[A-Za-z0-9.]+", re.ASCII)
_WORDS = re.compile(r"[^\W\d_]+")


def tag_owners(table: pl.DataFrame) -> dict[str, str]:
    """Return the owner part of each reviewer's private tag; raise UsageError naming all without one."""
    people = _people(table)
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
            "them out"
        )
    return owners


def _people(table: pl.DataFrame) -> list[_Person]:
    names = [name for name in ("reviewer_name", "reviewer_email") if name in table.columns]
    people: dict[str, _Person] = {}
    for row in table.select("reviewer", *names).unique(maintain_order=True).iter_rows(named=True):
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
