"""A reader's near-valid files: how one is made, and what an import of it must agree with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from unround.formats.model import Context, FileContent, KnownReviewers, Options

Check = Callable[[FileContent], None]
Made = tuple[bytes, Check]

NAMES = {"ann@example.org": "Ann Lee", "zoe@example.org": "Zoë Ek", "bo@example.org": "Bo Wu"}
KNOWN = KnownReviewers(
    {"reviewer": email, "reviewer_name": name, "reviewer_email": email}
    for email, name in NAMES.items()
)
# Five reviews of three papers.
REVIEWS = tuple(
    {"name": NAMES[email], "email": email, "letter": letter, "paper": paper, "score": score}
    for letter, paper, score in (("A", 1, 4), ("A", 2, 2), ("B", 1, 3), ("C", 2, 5), ("B", 3, 1))
    for email in [list(NAMES)["ABC".index(letter)]]
)


@dataclass(frozen=True)
class Target:
    """What is fuzzed: the name begins with that of the reader."""

    name: str
    suffix: str
    made: Callable[[Random], Made]
    options: Options = field(default_factory=Options)
    context: Context = field(default_factory=Context)
