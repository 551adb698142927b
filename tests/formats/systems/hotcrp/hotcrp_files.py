"""Reading HotCRP fixtures in tests."""

from __future__ import annotations

from pathlib import Path

from tests.formats.given_files import named
from unround.formats.files.source import Source
from unround.formats.model import Context, FileContent, KnownReviewers, Options
from unround.formats.systems import hotcrp

FIXTURES = Path(__file__).parents[2] / "fixtures" / "hotcrp"
ANA, JEAN, WEI = "ana.munoz@example.org", "jean-luc+pc@example.org", "wei@example.org"
NAMES = {ANA: "Ana Muñoz", JEAN: "Jean-Luc Petit", WEI: "李 伟"}
KNOWN = KnownReviewers(
    {"reviewer": email, "reviewer_name": name, "reviewer_email": email}
    for email, name in NAMES.items()
)
KNOWING = Context(reviewers=KNOWN, meta_reviews=frozenset())


def read(path: Path, options: Options | None = None, context: Context = KNOWING) -> FileContent:
    source = Source(path)
    reader = next(reader for reader in hotcrp.READERS if reader.recognises(source))
    return named(reader.read(source, options or Options(), context))
