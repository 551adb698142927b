"""A reader's near-valid files: how one is made, and what an import of it must agree with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from unround.formats.model import FileContent, KnownReviewers, Options

Check = Callable[[FileContent], None]
Made = tuple[bytes, Check]

KNOWN = KnownReviewers(
    {"reviewer": email, "reviewer_name": name, "reviewer_email": email}
    for name, email in (
        ("Ann Lee", "ann@example.org"),
        ("Zoë Ek", "zoe@example.org"),
        ("Bo Wu", "bo@example.org"),
    )
)
# Name, e-mail, letter, paper, score: five reviews of three papers.
REVIEWS = tuple(
    (person["reviewer_name"], person["reviewer"], "ABC"[who], paper, score)
    for who, paper, score in ((0, 1, 4), (0, 2, 2), (1, 1, 3), (2, 2, 5), (1, 3, 1))
    for person in [KNOWN[who]]
)


@dataclass(frozen=True)
class Target:
    """What is fuzzed: the name begins with that of the reader."""

    name: str
    suffix: str
    made: Callable[[Random], Made]
    options: Options = field(default_factory=Options)
