"""Read HotCRP's reviews and scores: CSV, the JSON export with its form (RQC), and the API's JSON.

Meta-reviews do not count, and reviews by token have no author.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from unround.errors import UsageError
from unround.formats.cells import counted, listed
from unround.formats.files.json_stream import json_stream, record_of
from unround.formats.files.source import Source
from unround.formats.files.tables import Table, read_table
from unround.formats.model import Context, FileContent, ImportRefused, Options, PaperBuilder
from unround.formats.systems.form_fields import Field, could_be_the_score
from unround.formats.systems.review_collector import Review, ReviewCollector
from unround.scale import Level, Scale
from unround.wording import option

CSV_TITLE = "HotCRP reviews (CSV)"
LONGEST_TITLE = 300
USUAL = {
    "paper": ("paper", "pid"),
    "title": ("title",),
    "review": ("review",),
    "reviewer_name": ("reviewername",),
    "reviewer_email": ("email",),
    "decision": ("decision",),
    "status": ("status",),
    "track": (),
    "area_chair": (),
}
NOT_FIELDS = ("round", "submitted_at", "vtag", "sitename", "siteclass")
BATCH_COLUMNS = {"pid", "review", "email", "round"}
NARROW_COLUMNS = {"pid", "field", "data"}
# Columns of plain tables, which HotCRP does not write.
PLAIN_COLUMNS = {"reviewer", "score", "rank", "better", "worse", "reviewer_name"}
SUBMITTED = frozenset({"complete", "completed", "submitted"})
IF_HIDDEN = (
    "HotCRP leaves out reviewername and email where the account may not see reviewers' identities: "
    "export again with a chair's (administrator's) account, and not the author view"
)
WITHDRAWN_IN, META_REVIEWS_IN = "Paper information (CSV) of all papers", "PC assignments"
NO_REVIEWS = (
    "which has no single reviews: export Reviews (CSV), or the JSON for reviewqualitycollector"
)
META_REVIEW, NOT_SUBMITTED = "meta-review", "review not submitted"
# Statuses of papers that are out of the running, and the words for them.
OUT = {"withdrawn": "withdrawn", "desk_reject": "desk-rejected", "draft": "unfinished"}
# The account that HotCRP makes up for reviews by token. Several reviews share one; JSON has its name alone.
_MADE_UP_EMAIL = re.compile(r"anonymous[0-9]*", re.IGNORECASE)
MADE_UP_NAME = "Jane Q. Public"


class HotcrpReviews(ReviewCollector):
    """The reviews of one file of HotCRP."""

    def __init__(
        self,
        source: Source,
        title: str,
        context: Context,
        form: Mapping[str, Field] | None = None,
    ) -> None:
        super().__init__(source.name, title, IF_HIDDEN, form)
        self._meta_reviews = context.meta_reviews or frozenset()
        self._by_token = 0

    def add(self, review: Review, out: str = "") -> None:
        """Add a review, which does not count if a file of assignments says that it is a meta-review."""
        if not out and (review.paper, review.email.lower()) in self._meta_reviews:
            out = META_REVIEW
        unnamed = not review.email and review.name == MADE_UP_NAME
        if not out and (unnamed or _MADE_UP_EMAIL.fullmatch(review.email)):
            self._by_token += 1
            review = replace(review, name=f"anonymous {review.review or review.place}", email="")
        super().add(review, out)

    def content(self, options: Options, *, marks_meta_reviews: bool) -> FileContent:
        """Return the reviews, with notes on what the file does not say."""
        if self._by_token:
            by_token = counted(self._by_token, "review by token")
            self.notes.append(f"{by_token}: each counts as a reviewer of its own")
        self.withdrawn_in = WITHDRAWN_IN
        self.meta_reviews_in = "" if marks_meta_reviews else META_REVIEWS_IN
        return self.part(options)


def recognises_reviews(source: Source) -> bool:
    """Return whether the header is that of get/revcsv, revaucsv, scores or batch/reviewcsv.php."""
    header = set(source.header)
    return header >= BATCH_COLUMNS or header >= NARROW_COLUMNS or _is_export(source.header)


def _is_export(header: Sequence[str]) -> bool:
    names = set(header)
    if not names >= {"paper", "title"}:
        return False
    if names >= {"reviewername", "email"}:
        return True
    bare = list(header[:2]) == ["paper", "title"] and "email" not in names
    scored = "review" in names or (bare and any(could_be_the_score(name) for name in header))
    return scored and not names & PLAIN_COLUMNS


def read_reviews(source: Source, options: Options, context: Context) -> FileContent:
    """Read reviews whose columns have the fields' names, in full or as search keywords."""
    table = read_table(source, _may_be_short(source), fill_short=True)
    if set(table.header) >= NARROW_COLUMNS:
        raise ImportRefused(
            f"{source.name} is the narrow output of batch/reviewcsv.php (one line per field); "
            "run it again without -x"
        )
    collector = HotcrpReviews(source, CSV_TITLE, context)
    table, repeated = table.without_repeated_headers(table.data.columns[:3])
    collector.notes += repeated
    columns = _columns(table, options)
    fields = [name for name in table.data.columns if name not in (*columns.values(), *NOT_FIELDS)]
    if "status" in columns:
        submitted = table.column(columns["status"]).str.to_lowercase().is_in(SUBMITTED)
        collector.add_rows(table.filtered(~submitted), columns, (), NOT_SUBMITTED)
        table = table.filtered(submitted)
    collector.add_rows(table, columns, fields)
    return collector.content(options, marks_meta_reviews=False)


def _may_be_short(source: Source) -> Callable[[str], bool]:
    """Return the test for columns to read: those of texts, which fill the memory, are none."""
    heads = (
        zip(source.header, cells, strict=False)
        for _, cells in source.head_records(source.delimiter)
    )
    texts = {name for head in heads for name, cell in head if len(cell) > LONGEST_TITLE}
    return lambda name: name not in texts


def _columns(table: Table, options: Options) -> dict[str, str]:
    """Return the columns by our names: those that the user named, or HotCRP's."""
    named = dict(options.columns)
    named.setdefault("reviewer_email", named.get("reviewer", ""))
    found = {
        ours: next((name for name in (named.get(ours), *usual) if name in table.data.columns), None)
        for ours, usual in USUAL.items()
    }
    if found["paper"] is None:
        raise ImportRefused(
            f"{table.where} has no column 'paper' or 'pid'; found: {listed(table.header)}. "
            f"Name it with {option('columns', 'paper=..')}"
        )
    for name in table.repeated:
        if could_be_the_score(name):
            raise ImportRefused(
                f"{table.where} has the column {name!r} more than once; remove the wrong one"
            )
    return {ours: name for ours, name in found.items() if name is not None}


RQC_TITLE = "HotCRP reviews with their form (JSON)"
API_TITLE = "HotCRP reviews (JSON)"
PAPERS_TITLE = "HotCRP papers (JSON)"
PAPER_TEXTS = {"title": "title", "track": "submission_class", "decision": "decision"}
META_TYPE = 5
NOT_SCORES = ("text", "checkbox", "checkboxes")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?", re.ASCII)
_RQC = re.compile(r'"(?:hotcrp_version|reviewform)"\s*:')
_OBJECT = re.compile(r'"object"\s*:\s*"(?:review|paper)"')


def recognises_rqc(source: Source) -> bool:
    """Return whether the file is get/jsonrqc: an object with the version, the form, and papers."""
    return source.looks_like_json and _RQC.search(source.head_text) is not None


def recognises_api(source: Source) -> bool:
    """Return whether the file has reviews, from GET /api/reviews, or papers, with reviews or without."""
    return source.looks_like_json and _OBJECT.search(source.head_text) is not None


def read_json(source: Source, options: Options, context: Context) -> FileContent:
    """Read reviews, or papers with their reviews, and the form that states every level, if there is one.

    Papers without reviews give their titles, tracks and decisions.
    """
    has_form = recognises_rqc(source)
    # The form stands before the papers, so that this first pass ends early.
    stated = (value for key, value in json_stream(source) if key == "reviewform")
    form = form_fields(next(stated, None)) if has_form else None
    collector = HotcrpReviews(source, RQC_TITLE if has_form else API_TITLE, context, form)
    papers = PaperBuilder()
    number = 0
    for key, entry in json_stream(source):
        if key not in ("", "papers", "review", "reviews"):
            continue
        number += 1
        what = "paper" if key == "papers" else "review"
        named = record_of(f"{source.name}, {what} {number} of the file", entry)
        if key == "papers" or named.get("object") == "paper":
            _add_paper(collector, papers, named, f"paper {number} of the file")
        else:
            _add_review(collector, named, {}, f"review {number} of the file")
    content = collector.content(options, marks_meta_reviews=True)
    content = replace(content, withdrawn=papers.withdrawn)
    if content.reviews is not None or not papers.places:
        return content
    recognised = f"{PAPERS_TITLE}, {NO_REVIEWS}"
    return replace(content, recognised=recognised, papers=papers.papers())


def _add_paper(
    collector: HotcrpReviews, papers: PaperBuilder, entry: Mapping[str, Any], where: str
) -> None:
    if "error" in entry:
        collector.left_out["paper hidden from the account"] += 1
        return
    number = _id(entry.get("pid"))
    status = entry.get("status")
    out = OUT.get(status, "") if isinstance(status, str) else None
    if number:
        papers.add_paper(f"{collector.name}, paper {number}", number, _known(entry), out)
    reviews = entry.get("reviews", [])
    if not isinstance(reviews, list):
        raise ImportRefused(
            f"{collector.name}, {where}: 'reviews' is not a list; export the file again"
        )
    for place, review in enumerate(reviews, start=1):
        _add_review(collector, review, entry, f"review {place} of {where}")


def _add_review(
    collector: HotcrpReviews, review: object, paper: Mapping[str, Any], where: str
) -> None:
    file = collector.name
    entry = record_of(f"{file}, {where}", review)
    number = _id(entry.get("pid", paper.get("pid")))
    named = _review_id(entry, number)
    collector.add(
        Review(
            place=f"{file}, {f'review {named}' if named else where}",
            paper=number,
            values=_score_values(collector, entry),
            review=named,
            name=_without_markup(entry.get("reviewer")),
            email=_text(entry.get("reviewer_email")),
            modified=_milliseconds(entry.get("modified_at")),
            carried=_known(paper),
        ),
        _reason_to_leave_out(entry),
    )


def _known(paper: Mapping[str, Any]) -> dict[str, str]:
    """Return title, track and decision of a paper."""
    return {ours: _text(paper.get(theirs)) for ours, theirs in PAPER_TEXTS.items()}


def _reason_to_leave_out(review: Mapping[str, Any]) -> str:
    if review.get("object", "review") != "review":
        return "entry of another kind"
    status = review.get("status")
    submitted = status in SUBMITTED if isinstance(status, str) else not review.get("draft")
    if not submitted:
        return NOT_SUBMITTED
    return META_REVIEW if review.get("rtype") == META_TYPE else ""


def _score_values(
    collector: ReviewCollector, review: Mapping[str, Any]
) -> Iterator[tuple[str, object]]:
    """Yield values that may be scores, by uid: of the form's fields, or else of keys like uids."""
    keys = (
        list(collector.fields)
        if collector.has_form
        else [key for key in review if key[:1].isupper()]
    )
    return ((key, review[key]) for key in keys if key in review)


def _review_id(review: Mapping[str, Any], paper: str) -> str:
    """1A, or 1r23 for a review without an ordinal, as in HotCRP's other exports."""
    ordinal, rid = _text(review.get("ordinal")), _id(review.get("rid"))
    if ordinal:
        return paper + ordinal
    return f"{paper}r{rid}" if rid else ""


def form_fields(form: object) -> dict[str, Field]:
    """Return the fields of a form that have levels, by uid."""
    if not isinstance(form, Mapping):
        return {}
    fields: dict[str, Field] = {}
    for uid, stated in form.items():
        if not isinstance(stated, Mapping) or stated.get("type") in NOT_SCORES:
            continue
        levels = _levels(stated)
        if levels:
            name = stated.get("name")
            scale = _scale(levels)
            symbols = frozenset(str(level) for level in levels)
            fields[uid] = Field(uid, name if isinstance(name, str) else uid, scale, symbols)
    return fields


def _levels(stated: Mapping[str, Any]) -> Sequence[Any]:
    """Return the symbols of a field, worst first, which is the order of `values`."""
    values = stated.get("values", stated.get("options", stated.get("symbols")))
    if not isinstance(values, list):
        return ()
    symbols, start = stated.get("symbols"), stated.get("start", stated.get("option_letter"))
    if isinstance(symbols, list) and len(symbols) == len(values):
        return symbols
    if isinstance(start, str) and re.fullmatch("[A-Z]", start):
        return [chr(ord(start) + place) for place in reversed(range(len(values)))]
    return range(1, len(values) + 1)


def _scale(levels: Sequence[Any]) -> Scale | None:
    """Return the scale of these symbols; None if they are no scale, such as numbers out of order."""
    try:
        scale = Scale([_level(symbol) for symbol in levels])
        return None if scale.is_reversed else scale
    except UsageError:
        return None


def _level(symbol: Any) -> Level:
    if isinstance(symbol, str) and _NUMBER.fullmatch(symbol):
        return float(symbol)
    if isinstance(symbol, bool) or not isinstance(symbol, int | float | str):
        raise UsageError(f"{symbol!r} is no level")
    return symbol


def _id(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _text(value)


def _milliseconds(seconds: object) -> int | None:
    """Return a date of HotCRP, in seconds, in milliseconds."""
    whole = isinstance(seconds, int) and not isinstance(seconds, bool) and abs(seconds) < 2**40
    return int(seconds) * 1000 if whole else None  # type: ignore[call-overload]


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _without_markup(value: object) -> str:
    """Return a name without the HTML that HotCRP may write around it."""
    return html.unescape(re.sub(r"<[^<>]*>", "", _text(value))).strip()
