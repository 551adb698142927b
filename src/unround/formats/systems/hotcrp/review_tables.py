"""Read HotCRP's CSV of reviews (author view and batch form included) and its CSV of scores."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from unround.formats.cells import listed
from unround.formats.files.delimited import delimited_records, repeats_header
from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options
from unround.formats.systems.form_fields import Field, could_be_the_score
from unround.formats.systems.review_collector import CARRIED, Review, ReviewCollector
from unround.wording import option

REVIEWS_TITLE = "HotCRP reviews (CSV)"
SCORES_TITLE = "HotCRP scores (CSV)"
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
BATCH = {"pid", "review", "email", "round"}
NARROW = {"pid", "field", "data"}
# Names of plain tables: such a file is the user's own, whatever else it has in common.
OWN = {"reviewer", "score", "rank", "better", "worse", "reviewer_name"}
_SEARCH_KEYWORD = re.compile(r"(?:[A-Z][a-z0-9]{0,2})+", re.ASCII)
SUBMITTED = frozenset({"complete", "completed", "submitted"})
IF_HIDDEN = (
    "HotCRP leaves out reviewername and email where the account may not see reviewers' identities: "
    "export again with a chair's (administrator's) account, and not the author view"
)


@dataclass(frozen=True)
class _Layout:
    """Which column is which: our names, and the form's fields by key."""

    places: Mapping[str, int]
    fields: Mapping[str, int]

    def cell(self, row: Sequence[str], name: str) -> str:
        place = self.places.get(name)
        return "" if place is None else row[place].strip()


def hotcrp_reviews(source: Source, title: str, fields: Mapping[str, Field]) -> ReviewCollector:
    """Return a collector for the reviews of one file; `fields` are those its form states."""
    return ReviewCollector(source, title, fields, IF_HIDDEN)


def recognises_reviews(source: Source) -> bool:
    """Return whether the header is that of get/revcsv, get/revaucsv or batch/reviewcsv.php."""
    header = set(source.header)
    return header >= BATCH or header >= NARROW or _is_export(source.header)


def recognises_scores(source: Source) -> bool:
    """Return whether the header is that of get/scores, whose fields are all search keywords."""
    fields = [name for name in source.header if name not in _known_names()]
    keywords = all(_SEARCH_KEYWORD.fullmatch(name) for name in fields)
    return bool(fields) and keywords and _is_export(source.header)


def _is_export(header: Sequence[str]) -> bool:
    names = set(header)
    if not names >= {"paper", "title"}:
        return False
    if names >= {"reviewername", "email"}:
        return True
    bare = list(header[:2]) == ["paper", "title"] and "email" not in names
    telling = "review" in names or (bare and any(could_be_the_score(name) for name in header))
    return telling and not names & OWN


def read_reviews(source: Source, options: Options) -> FileContent:
    """Read reviews whose columns have the fields' full names."""
    return _read(source, options, REVIEWS_TITLE)


def read_scores(source: Source, options: Options) -> FileContent:
    """Read reviews whose columns have the fields' search keywords."""
    return _read(source, options, SCORES_TITLE)


def _read(source: Source, options: Options, title: str) -> FileContent:
    records = delimited_records(source, fill_short=True)  # HotCRP leaves out empty last cells
    _, header = next(records)
    layout = _layout(source, header, options)
    collector = hotcrp_reviews(source, title, {})
    for review in _submitted(_below(header, records, collector), layout, collector):
        collector.add(review)
    return collector.part(options)


def _below(
    header: Sequence[str], records: Iterator[tuple[int, list[str]]], collector: ReviewCollector
) -> Iterator[tuple[int, list[str]]]:
    """Yield the records that do not repeat the header, as files put one after the other do."""
    for line, row in records:
        if repeats_header(row, header):
            collector.left_out["row repeating the header"] += 1
        else:
            yield line, row


def _submitted(
    records: Iterator[tuple[int, list[str]]], layout: _Layout, collector: ReviewCollector
) -> Iterator[Review]:
    fields = [(collector.field(key), place) for key, place in layout.fields.items()]
    for line, row in records:
        where = f"line {line}"
        if "status" in layout.places and layout.cell(row, "status").lower() not in SUBMITTED:
            collector.left_out["review not submitted"] += 1
            continue
        scores = {field.key: field.take(row[place], where) for field, place in fields}
        yield Review(
            where=where,
            paper=layout.cell(row, "paper"),
            scores={key: score for key, score in scores.items() if score},
            review=layout.cell(row, "review"),
            name=layout.cell(row, "reviewer_name"),
            email=layout.cell(row, "reviewer_email"),
            carried={name: layout.cell(row, name) for name in CARRIED if name in layout.places},
        )


def _layout(source: Source, header: Sequence[str], options: Options) -> _Layout:
    if set(header) >= NARROW:
        raise ImportRefused(
            f"{source.name} is the narrow output of batch/reviewcsv.php (one line per field); "
            "run it again without -x"
        )
    asked = dict(options.columns)
    asked.setdefault("reviewer_email", asked.get("reviewer", ""))
    places: dict[str, int] = {}
    for ours, usual in USUAL.items():
        for name in (asked.get(ours, ""), *usual):
            if name and name in header and ours not in places:
                places[ours] = header.index(name)
    if "paper" not in places:
        raise ImportRefused(
            f"{source.name} has no column 'paper' or 'pid'; found: {listed(header)}. "
            f"Name it with {option('columns', 'paper=..')}"
        )
    taken = {*places.values(), *(p for p, name in enumerate(header) if name in NOT_FIELDS)}
    return _Layout(places, _field_places(header, taken))


def _field_places(header: Sequence[str], taken: set[int]) -> dict[str, int]:
    """Return the column of each field; a name that occurs twice gets a number, so neither is lost."""
    fields: dict[str, int] = {}
    seen: Counter[str] = Counter()
    for place, name in enumerate(header):
        if place not in taken and name:
            seen[name] += 1
            fields[f"{name} ({seen[name]})" if seen[name] > 1 else name] = place
    return fields


def _known_names() -> set[str]:
    return {name for names in USUAL.values() for name in names} | set(NOT_FIELDS)
