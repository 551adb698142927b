"""Reading HotCRP fixtures in tests."""

from __future__ import annotations

from pathlib import Path

from unround.formats.files.source import Source
from unround.formats.model import FileContent, KnownReviewers, Options, Reader
from unround.formats.systems import hotcrp

FIXTURES = Path(__file__).parents[2] / "fixtures" / "hotcrp"
ANA, JEAN, WEI = "ana.munoz@example.org", "jean-luc+pc@example.org", "wei@example.org"
NAMES = {ANA: "Ana Muñoz", JEAN: "Jean-Luc Petit", WEI: "李 伟"}
KNOWN = KnownReviewers(
    {"reviewer": email, "reviewer_name": name, "reviewer_email": email}
    for email, name in NAMES.items()
)
NO_META_REVIEWS = Options(meta_reviews=frozenset())


def reader_of(source: Source) -> Reader:
    return next(reader for reader in hotcrp.READERS if reader.recognises(source))


def read(path: Path, options: Options | None = None) -> FileContent:
    source = Source(path)
    return reader_of(source).read(source, options or NO_META_REVIEWS)
