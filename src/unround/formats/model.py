"""The values that readers hand over: sheets that know where each row came from.

A reader turns one file or folder into a FileContent. Contents are joined into one Imported, which the
pipeline takes. Ids are text here, exactly as written but for white space around them.

Sheets and their columns (all text unless noted; others may follow and are carried along):

    reviews   reviewer, paper, score (text or number), and as far as known: review (the system's id
              of the review), modified (when it was last changed, in milliseconds; used to choose
              between copies, then dropped), reviewer_name, reviewer_email, title, track,
              area_chair, confidence, decision
    ranks     reviewer, paper, rank (number, 1 = best, equal = tie)
    pairs     reviewer, better, worse
    same      reviewer, paper, same_as
    papers    paper, and as far as known: title, track, area_chair, decision, forum
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Literal

import polars as pl

from unround.errors import UnroundError
from unround.formats.reviewers import KnownReviewers
from unround.scale import Scale

if TYPE_CHECKING:
    from unround.formats.files.source import Source

FormatName = Literal["auto", "hotcrp", "openreview", "cmt", "easychair", "peerread", "csv"]
DUPLICATES = ("refuse", "newest", "first", "mean")
MATCHING = ("certain", "always", "never")
PAPER_COLUMNS = ("title", "track", "area_chair", "decision", "forum")


class ImportRefused(UnroundError):
    """A file that cannot be read as what it should be. The message says what, where and what next."""


@dataclass(frozen=True)
class Sheet:
    """A table, and for each row the place it came from, such as "reviews.csv, line 12"."""

    table: pl.DataFrame
    place: Callable[[int], str]


@dataclass(frozen=True)
class FileContent:
    """What one file or folder gave."""

    recognised: str  # for people: "HotCRP reviews (CSV), scores from 'Overall merit'"
    reviews: Sheet | None = None
    ranks: Sheet | None = None
    pairs: Sheet | None = None
    same: Sheet | None = None
    papers: Sheet | None = None
    scale: Scale | None = None  # when the source states every level
    members: Mapping[str, str] = field(default_factory=dict)  # OpenReview: group id -> person
    notes: tuple[str, ...] = ()  # what was left out and why, with counts


@dataclass(frozen=True)
class Options:
    """What the user said about how to read."""

    format: str = "auto"  # or one of SYSTEMS
    columns: Mapping[str, str] = field(default_factory=dict)  # our name -> the file's name
    score_fields: tuple[str, ...] = ()  # first one with a value wins
    members: Mapping[str, str] = field(default_factory=dict)  # OpenReview: group id -> person
    ranker: str | None = None  # HotCRP: whose offline ranking file this is
    encoding: str = ""  # of text files that are not UTF-8
    duplicates: str = "refuse"  # which review counts if one was given more than once
    match_ids: str = "certain"  # whether ids written in another way are matched
    known_reviewers: KnownReviewers = field(default_factory=KnownReviewers)
    known_papers: Mapping[str, str] = field(default_factory=dict)  # OpenReview: forum -> paper


class Gives(IntEnum):
    """What a reader is for, in the order of reading: later ones may need what earlier ones found."""

    MEMBERS = 0
    REVIEWS = 1
    STATEMENTS = 2
    PAPERS = 3


@dataclass(frozen=True)
class Reader:
    """How to recognise one kind of file by its content, and how to read it."""

    name: str  # "hotcrp-reviews"
    system: str  # one of SYSTEMS
    title: str  # "HotCRP reviews (CSV)"
    gives: Gives
    recognises: Callable[[Source], bool]
    read: Callable[[Source, Options], FileContent]
    refuses: bool = False  # it only explains why such a file is of no use


def lines_of(name: str, lines: Sequence[int], unit: str = "line") -> Callable[[int], str]:
    """Return places in one file, from one number per row."""
    return lambda row: f"{name}, {unit} {lines[row]}"
