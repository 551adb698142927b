"""Reading HotCRP fixtures in tests."""

from __future__ import annotations

from pathlib import Path

from unround.formats.files.source import Source
from unround.formats.model import FileContent, KnownReviewers, Options
from unround.formats.systems import hotcrp

FIXTURES = Path(__file__).parents[2] / "fixtures" / "hotcrp"
ANA, JEAN, WEI = "ana.munoz@example.org", "jean-luc+pc@example.org", "wei@example.org"
NAMES = {ANA: "Ana Muñoz", JEAN: "Jean-Luc Petit", WEI: "李 伟"}
KNOWN = KnownReviewers(
    {"reviewer": email, "reviewer_name": name, "reviewer_email": email}
    for email, name in NAMES.items()
)
NO_META_REVIEWS = Options(meta_reviews=frozenset())


def read(path: Path, options: Options = NO_META_REVIEWS) -> FileContent:
    source = Source(path)
    reader = next(reader for reader in hotcrp.READERS if reader.recognises(source))
    return reader.read(source, options)
