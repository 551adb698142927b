"""The values that readers hand over: sheets that know where each row came from.

A reader turns one file or folder into a FileContent. Contents are joined into Tables, which the
pipeline takes. Ids are text here, exactly as written but for white space around them.

Sheets and their columns (all text unless noted; others may follow and are carried along):

    reviews   reviewer, paper, score (text or number), and as far as known: review (the system's id
              of the review), modified (when it was last changed, in milliseconds; used to choose
              between copies, then dropped), reviewer_name, reviewer_email, title, track,
              area_chair, confidence, decision
    ranks     reviewer, paper, rank (number, 1 = best, equal = tie)
    pairs     reviewer, better, worse
    same      reviewer, paper, same_as
    papers    paper, and as far as known: title, track, area_chair, area_chair_email, decision,
              forum
    uncounted reviews that do not count: reviewer, paper, reason ("review without a score"), and as
              far as known: reviewer_name, reviewer_email, forum
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import polars as pl

from unround.errors import InputRefused
from unround.scale import Scale
from unround.wording import SYSTEMS

if TYPE_CHECKING:
    from unround.formats.files.source import Source

    FormatName = str
else:
    FormatName = Literal[("auto", *SYSTEMS)]  # the console's API lists its values
SHEETS = ("reviews", "ranks", "pairs", "same", "papers", "uncounted")
PAPER_COLUMNS = ("title", "track", "area_chair", "area_chair_email", "decision", "forum")
UNSCORED = "review without a score"  # the usual reason why a review does not count
LONGEST_LABEL = 1_000
_ADDRESS = re.compile(r"<([^<>\s]+@[^<>\s]+)>\s*$")
Index = Mapping[str, set[str]]
ReviewKey = tuple[str, str]  # a paper, and a reviewer's e-mail in lower case


class ImportRefused(InputRefused):
    """A file cannot be read as what it should be. The message says what, where and what next.

    >>> import unround
    >>> try:
    ...     unround.read("no-such-file.csv")
    ... except unround.ImportRefused as error:
    ...     print(error)
    no-such-file.csv does not exist
    """

    def __init__(self, message: str) -> None:
        super().__init__((), message)


@dataclass(frozen=True)
class Sheet:
    """A table, and for each row the place it came from, such as "reviews.csv, line 12"."""

    table: pl.DataFrame
    place: Callable[[int], str]


def lines_of(name: str, lines: Sequence[int], unit: str = "line") -> Callable[[int], str]:
    """Return places in one file, from one number per row."""
    return lambda row: f"{name}, {unit} {lines[row]}"


def stacked(sheets: Sequence[Sheet | None]) -> Sheet | None:
    """Return the rows of all sheets as one, each with its place; None if there is no sheet."""
    present = [sheet for sheet in sheets if sheet is not None]
    if len(present) <= 1:
        return present[0] if present else None
    tables = [sheet.table for sheet in present]
    ends = list(accumulate(table.height for table in tables))
    if any(table.schema != tables[0].schema for table in tables):
        tables = [table.cast(pl.String) for table in tables]

    def place(row: int) -> str:
        which = bisect_right(ends, row)
        return present[which].place(row - (ends[which - 1] if which else 0))

    return Sheet(pl.concat(tables, how="diagonal"), place)


def stacked_sheets(contents: Sequence[FileContent]) -> dict[str, Sheet | None]:
    """Return the rows of all contents by the name of their sheet, one of SHEETS."""
    return {name: stacked([getattr(one, name) for one in contents]) for name in SHEETS}


class SheetBuilder:
    """Collects rows with their places. Columns hold text unless another kind is given."""

    def __init__(self, *columns: str, **kinds: type[pl.DataType]) -> None:
        self._schema = {name: kinds.get(name, pl.String) for name in columns}
        self._rows: list[tuple[object, ...]] = []
        self.places: list[str] = []

    def add(self, place: str, *cells: object) -> None:
        """Add a row."""
        self._rows.append(cells)
        self.places.append(place)

    def sheet(self) -> Sheet:
        """Return the rows as a sheet."""
        table = pl.DataFrame(self._rows, schema=self._schema, orient="row")
        return Sheet(table, self.places.__getitem__)


def filter_rows(sheet: Sheet, kept: pl.Series) -> Sheet:
    """Return the rows that a mask keeps."""
    if kept.all():
        return sheet
    place, rows = sheet.place, kept.arg_true()
    return Sheet(sheet.table.filter(kept), lambda row: place(rows[row]))


def split_scored(reviews: Sheet) -> tuple[Sheet, Sheet | None]:
    """Return the reviews that have a score, and the others as reviews that do not count, if there are any."""
    scored = reviews.table["score"].is_not_null()
    if scored.all():
        return reviews, None
    rest = filter_rows(reviews, ~scored)
    known = rest.table.select(pl.col("^(reviewer(_name|_email)?|paper|forum)$"))
    return filter_rows(reviews, scored), Sheet(
        known.with_columns(reason=pl.lit(UNSCORED)), rest.place
    )


def filled_columns(table: pl.DataFrame, always: Collection[str]) -> pl.DataFrame:
    """Return a table of text without empty columns, but for some; empty cells are null."""
    filled = table.with_columns(pl.col(pl.String).replace({"": None}))
    return filled.select(name for name in filled.columns if name in always or filled[name].count())


def text_table(
    columns: Mapping[str, Sequence[str | None]], always: Collection[str] = ()
) -> pl.DataFrame:
    """Return columns of text as a table, without empty columns but for some; empty cells are null."""
    return filled_columns(pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String)), always)


class PaperBuilder(SheetBuilder):
    """Collects what is known of papers, and why some are out of the running."""

    def __init__(self) -> None:
        super().__init__("paper", *PAPER_COLUMNS)
        self.withdrawn: dict[str, str] | None = None

    def add_paper(
        self, place: str, paper: str, known: Mapping[str, str], out: str | None = None
    ) -> None:
        """Add a paper; `out` says why it does not count, such as "withdrawn". None: the file does not say."""
        self.add(place, paper, *(known.get(name, "") for name in PAPER_COLUMNS))
        if out is not None:
            self.withdrawn = {} if self.withdrawn is None else self.withdrawn
            self.withdrawn |= {paper: out} if out else {}

    def papers(self) -> Sheet | None:
        """Return the papers with the columns that any of them has; None if there are none."""
        sheet = self.sheet()
        return Sheet(filled_columns(sheet.table, ("paper",)), sheet.place) if self.places else None


@dataclass(frozen=True)
class FileContent:
    """What one file or folder gave."""

    recognised: str  # for people: "HotCRP reviews (CSV), scores from 'Overall merit'"
    reviews: Sheet | None = None
    ranks: Sheet | None = None
    pairs: Sheet | None = None
    same: Sheet | None = None
    papers: Sheet | None = None
    uncounted: Sheet | None = None
    scale: Scale | None = None  # when the source states every level
    scale_doubt: str = ""  # why only a stated scale can tell which scores are best
    context: Context = field(default_factory=lambda: Context())  # what later readers need besides
    withdrawn: Mapping[str, str] | None = None  # paper -> "withdrawn"; None if not stated
    withdrawn_in: str = ""  # the file that says what this one does not: what is withdrawn,
    meta_reviews_in: str = ""  # and which reviews are meta-reviews
    notes: tuple[str, ...] = ()  # what was left out and why, with counts
    file: str = ""  # the name of what was read

    @property
    def described(self) -> str:
        """What the file was recognised as, with its name."""
        return f"{self.file}: {self.recognised}" if self.file else self.recognised


def content_of_tables(contents: Sequence[FileContent], notes: Sequence[str]) -> FileContent:
    """Return what the tables of one file gave; sentences about some of its sheets name these."""
    of_sheets = [(one.file, note) for one in contents for note in one.notes]
    alike = len(contents) > 1 and len({one.recognised for one in contents}) == 1
    described = contents[0].recognised if alike else "; ".join(one.described for one in contents)
    sheets: dict[str, Any] = stacked_sheets(contents)
    return FileContent(
        recognised=described,
        notes=(*(f"{sheet}: {note}" if sheet else note for sheet, note in of_sheets), *notes),
        scale_doubt=next((one.scale_doubt for one in contents if one.scale_doubt), ""),
        withdrawn_in=next((one.withdrawn_in for one in contents), ""),
        **sheets,
    )


class KnownReviewers(tuple[Mapping[str, str], ...]):
    """The reviewers that earlier files named, so that rankings can be linked to them.

    Rows of reviewer, reviewer_name and reviewer_email, indexed when a label is first looked up.
    """

    def find(self, label: str) -> list[str]:
        """Return the reviewers a label may mean, by the most telling way that finds anyone."""
        label = label[:LONGEST_LABEL]
        address = _ADDRESS.search(label)
        by_email, by_name, by_local_part = self._indices
        if "*" in label:  # stands for any text in an e-mail, as in HotCRP
            pattern = re.compile(".*".join(map(re.escape, _folded(label).split("*"))))
            found = (people for email, people in by_email.items() if pattern.fullmatch(email))
            return sorted(set().union(*found))
        matches = (
            by_email.get(_folded(address.group(1) if address else label)),
            by_name.get(spelled(_ADDRESS.sub("", label))),
            by_local_part.get(_folded(label)),
        )
        return sorted(next((reviewers for reviewers in matches if reviewers), ()))

    @property
    def have_names(self) -> bool:
        """Whether any of them has a name or an e-mail."""
        _, by_name, by_local_part = self._indices
        return bool(by_name or by_local_part)

    @cached_property
    def _indices(self) -> tuple[Index, Index, Index]:
        """By e-mail, by name, and by the part of the e-mail before the @."""
        by_email: defaultdict[str, set[str]] = defaultdict(set)
        by_name: defaultdict[str, set[str]] = defaultdict(set)
        by_local_part: defaultdict[str, set[str]] = defaultdict(set)
        for person in self:
            reviewer = str(person["reviewer"] or "")
            email, name = person.get("reviewer_email"), person.get("reviewer_name")
            by_email[_folded(reviewer)].add(reviewer)
            for address in filter(None, (email, reviewer if "@" in reviewer else "")):
                by_email[_folded(address)].add(reviewer)
                by_local_part[_folded(address.partition("@")[0])].add(reviewer)
            if name:
                by_name[spelled(name)].add(reviewer)
        return by_email, by_name, by_local_part


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).strip().casefold()


def spelled(name: str) -> str:
    """Return a name without regard to case, punctuation and white space."""
    return re.sub(r"[\W_]+", " ", _folded(name)).strip()


@dataclass(frozen=True)
class Options:
    """What the user said about how to read."""

    format: str = "auto"  # or one of SYSTEMS
    columns: Mapping[str, str] = field(default_factory=dict)  # our name -> the file's name
    missing: Mapping[str, str] = field(default_factory=dict)  # our name -> values for "none"
    score_fields: tuple[str, ...] = ()  # first one with a value wins
    ranker: str | None = None  # HotCRP: whose offline ranking file this is
    encoding: str = ""  # of text files that are not UTF-8
    duplicates: str = "refuse"  # which review counts if one was given more than once
    match_ids: str = "certain"  # whether ids written in another way are matched
    count_drafts: bool = False  # HotCRP: count review forms that are not marked as submitted
    keep_withdrawn: bool = False  # count papers that were withdrawn or desk-rejected


@dataclass(frozen=True)
class Context:
    """What earlier files said that later ones need."""

    reviewers: KnownReviewers = field(default_factory=KnownReviewers)
    papers: Mapping[str, str] = field(default_factory=dict)  # forum -> paper
    members: Mapping[str, str] = field(default_factory=dict)  # id of a group or member -> person
    venue: Mapping[str, Any] = field(default_factory=dict)  # the settings of the venue
    meta_reviews: frozenset[ReviewKey] | None = None  # as assigned; None if no file states them

    def after(self, content: FileContent) -> Context:
        """Return what later readers may rely on, once a file was read."""
        people = self.reviewers  # the same object while nobody is added: it keeps its index
        papers = dict(self.papers)
        for sheet in filter(None, (content.reviews, content.uncounted)):
            named = sheet.table.select(pl.col("^reviewer(_name|_email)?$"))
            people = KnownReviewers((*people, *named.unique(maintain_order=True).to_dicts()))
        for sheet in filter(None, (content.reviews, content.papers, content.uncounted)):
            if "forum" in sheet.table.columns:
                both = sheet.table.select("forum", pl.col("paper").cast(pl.String))
                papers |= dict(both.filter(pl.col("forum") != "").unique().rows())
        said = content.context
        return Context(
            people,
            papers,
            {**self.members, **said.members},
            said.venue or self.venue,
            self.meta_reviews if said.meta_reviews is None else said.meta_reviews,
        )


@dataclass(frozen=True)
class ExportOptions:
    """How a finished run is written for a system; each system uses its own options."""

    tag: str = "dq"  # HotCRP: how the tags start
    per_review: bool = False  # HotCRP: a tag value for each review as well
    invitation: str | None = None  # OpenReview: what edges and notes answer to
    include: tuple[str, ...] = ("scores",)  # HotCRP: some of EXPORT_PARTS


class ExportedFile(NamedTuple):
    """A file for a system to take in."""

    suffix: Literal["csv", "json", "txt"]
    text: str


class Gives(IntEnum):
    """What a reader is for, in the order of reading: later ones may need what earlier ones found."""

    GROUPS = 0
    MEMBERS = 1
    REVIEWS = 2
    STATEMENTS = 3
    PAPERS = 4


@dataclass(frozen=True)
class Reader:
    """How to recognise one kind of file by its content, and how to read it."""

    name: str  # its system, one of SYSTEMS, and the kind of file: "hotcrp-reviews"
    title: str  # "HotCRP reviews (CSV)"
    gives: Gives
    recognises: Callable[[Source], bool]
    reads: Callable[[Source, Options, Context], FileContent]

    def read(self, source: Source, options: Options, context: Context | None = None) -> FileContent:
        """Read a file, with what earlier ones said; sentences about it need not name it."""
        content = self.reads(source, options, context or Context())
        return replace(content, file=content.file or source.name)

    @property
    def system(self) -> str:
        """The system of its files."""
        return self.name.partition("-")[0]
