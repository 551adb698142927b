"""The review form as HotCRP states it in JSON -> fields with their scales."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from typing import Any

from unround.errors import UsageError
from unround.formats.files.source import Source, json_stream
from unround.formats.model import FileContent, ImportRefused, Options
from unround.formats.systems.hotcrp.collect import SUBMITTED, Gathering, Review
from unround.formats.systems.hotcrp.score_field import Field
from unround.scale import Level, Scale

NOT_SCORES = ("text", "checkbox", "checkboxes")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?", re.ASCII)


def form_fields(form: object) -> dict[str, Field]:
    """The fields of a form that are answered with one of several levels, by uid."""
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
    """The symbols of a field, worst first: `values` are listed so, and symbols follow them."""
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
    """The scale that symbols make; None when they cannot be one, such as numbers out of order."""
    try:
        return Scale([_level(symbol) for symbol in levels])
    except UsageError:
        return None


def _level(symbol: Any) -> Level:
    if isinstance(symbol, str) and _NUMBER.fullmatch(symbol):
        return float(symbol)
    if isinstance(symbol, bool) or not isinstance(symbol, int | float | str):
        raise UsageError(f"{symbol!r} is no level")
    return symbol


RQC_TITLE = "HotCRP reviews with their form (JSON)"
API_TITLE = "HotCRP reviews (JSON)"
META_REVIEW = 5
_RQC = re.compile(r'"(?:hotcrp_version|reviewform)"\s*:')
_REVIEW = re.compile(r'"object"\s*:\s*"review"')


def recognises_rqc(source: Source) -> bool:
    """get/jsonrqc: an object with the version, the form, and papers."""
    return source.looks_like_json and _RQC.search(source.head_text) is not None


def recognises_reviews(source: Source) -> bool:
    """GET /api/reviews: review objects, bare or in an object."""
    return source.looks_like_json and _REVIEW.search(source.head_text) is not None


def read_rqc(source: Source, options: Options) -> FileContent:
    """Papers with their reviews, and the form that says what every level is."""
    # The form stands before the papers, so that this first pass ends early.
    form = next((value for key, value in json_stream(source) if key == "reviewform"), None)
    gathering = Gathering(source, RQC_TITLE, form_fields(form))
    number = 0
    for key, paper in json_stream(source):
        if key == "papers":
            number += 1
            _add_paper(gathering, paper, f"paper {number} of the file")
    return gathering.part(options)


def read_reviews(source: Source, options: Options) -> FileContent:
    """Review objects, without a form: the scale stays open."""
    gathering = Gathering(source, API_TITLE, {})
    number = 0
    for key, review in json_stream(source):
        if key in ("", "review", "reviews"):
            number += 1
            _add_review(gathering, review, {}, f"review {number} of the file")
    return gathering.part(options)


def _add_paper(gathering: Gathering, paper: object, where: str) -> None:
    known = _object(gathering, paper, where)
    if "error" in known:
        gathering.left_out["paper hidden from the account"] += 1
        return
    reviews = known.get("reviews", [])
    if not isinstance(reviews, list):
        raise ImportRefused(f"{gathering.source.name}, {where}: 'reviews' is not a list")
    for number, review in enumerate(reviews, start=1):
        _add_review(gathering, review, known, f"review {number} of {where}")


def _add_review(gathering: Gathering, review: object, paper: Mapping[str, Any], where: str) -> None:
    known = _object(gathering, review, where)
    reason = _reason_to_leave_out(known)
    if reason:
        gathering.left_out[reason] += 1
        return
    number = _id(known.get("pid", paper.get("pid")))
    named = _review_id(known, number)
    place = f"review {named}" if named else where
    gathering.add(
        Review(
            where=place,
            paper=number,
            scores=_scores(gathering, known, place),
            review=named,
            name=_without_markup(known.get("reviewer")),
            email=_text(known.get("reviewer_email")),
            carried={
                "title": _text(paper.get("title")),
                "track": _text(paper.get("submission_class")),
                "decision": _text(paper.get("decision")),
            },
        )
    )


def _reason_to_leave_out(review: Mapping[str, Any]) -> str:
    if review.get("object", "review") != "review":
        return "entry of another kind"
    status = review.get("status")
    submitted = status in SUBMITTED if isinstance(status, str) else not review.get("draft")
    if not submitted:
        return "review not submitted"
    return "meta-review" if review.get("rtype") == META_REVIEW else ""


def _scores(gathering: Gathering, review: Mapping[str, Any], place: str) -> dict[str, str]:
    """Scores by uid. Uids begin with a capital letter, everything else in a review does not."""
    scores: dict[str, str] = {}
    keys = gathering.fields if gathering.has_form else [key for key in review if key[:1].isupper()]
    for key in keys:
        if key in review:
            score = gathering.field(key).take(review[key], place)
            if score:
                scores[key] = score
    return scores


def _review_id(review: Mapping[str, Any], paper: str) -> str:
    """1A, or 1r23 for a review without an ordinal, as in HotCRP's other exports."""
    ordinal, rid = _text(review.get("ordinal")), _id(review.get("rid"))
    if ordinal:
        return paper + ordinal
    return f"{paper}r{rid}" if rid else ""


def _object(gathering: Gathering, value: object, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ImportRefused(f"{gathering.source.name}, {where} is not a JSON object")
    return value


def _id(value: object) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return _text(value)


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _without_markup(value: object) -> str:
    """A name that HotCRP wrote as HTML, perhaps in a coloured span."""
    return html.unescape(re.sub(r"<[^<>]*>", "", _text(value))).strip()
