"""Choose the field of a review that holds its score, and read the form that states its levels."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from unround.errors import UsageError
from unround.formats.cells import counted
from unround.formats.files.source import Source
from unround.formats.model import Context, FileContent, ImportRefused, Options, spelled
from unround.formats.systems.openreview.records import (
    RATING_FIELDS,
    Record,
    as_object,
    as_text,
    field_text,
    is_number,
    level_text,
    records_of,
)
from unround.formats.systems.openreview.venue import rating_fields, review_name
from unround.scale import MOST_LEVELS, Scale
from unround.wording import option

LONGEST_SCORE = 200
FIELDS_IN_MESSAGES = 40
CONFIDENCE_FIELDS = ("confidence", "reviewer_confidence", "reviewers_confidence")
_WAYS_TO_CONTENT = (
    ("edit", "invitation", "edit", "note", "content"),  # v2, for all submissions
    ("edit", "note", "content"),  # v2, for one submission
    ("reply", "content"),  # v1
)


class ReviewScore(NamedTuple):
    """A score, the field it came from, and the other fields that have one too."""

    level: str
    field: str
    also: tuple[str, ...] = ()


class ScoreFields:
    """Takes scores from reviews' contents, by the fields that may have them."""

    def __init__(self, chosen: Sequence[str]) -> None:
        self._names = tuple(chosen) or RATING_FIELDS
        self._chosen = bool(chosen)
        self._fields_seen: dict[str, None] = {}

    def read(self, content: dict[str, Any], place: str) -> ReviewScore | None:
        """Return the score of the first field that has one; None if none has."""
        self._fields_seen.update(dict.fromkeys(content))
        read: ReviewScore | None = None
        present = [name for name in self._names if name in content]
        for name in present or _spelled_alike(content, self._names):
            if read is None:
                level = _short(level_text(content[name]), name, place)
                read = ReviewScore(level, name) if level is not None else None
            elif not self._chosen and field_text(content, name):
                read = read._replace(also=(*read.also, name))
        return read

    def described(self, name: str, scores: Iterable[ReviewScore]) -> tuple[str, list[str]]:
        """Return the fields that scores came from, and notes on other fields; refuse if there is no score."""
        used, also, words = Counter[str](), Counter[str](), Counter[str]()
        for score in scores:
            used[score.field] += 1
            also.update(score.also)
            words.update([] if is_number(score.level) else [score.level])
        if not used:
            seen = ", ".join(list(self._fields_seen)[:FIELDS_IN_MESSAGES]) or "no fields at all"
            raise ImportRefused(
                f"{name}: no review has a score in the field {' or '.join(self._names)}; "
                f"found: {seen}. Name the field with {option('fields', 'NAME')}"
            )
        notes = [
            f"{counted(count, 'review')} with '{field}' too, which was not used: "
            f"take it with {option('fields', field)}"
            for field, count in also.most_common()
        ]
        if len(used) > 1:
            counts = ", ".join(f"{count} from '{field}'" for field, count in used.most_common())
            notes = [f"scores come from several fields: {counts}", *notes]
        if words:
            notes.append(
                f"{counted(words.total(), 'score')} in words such as "
                f"{words.most_common(1)[0][0]!r}: their order comes from the review form, if "
                f"its invitation is given as a file too, or else from {option('scale')}, worst first"
            )
        return ", ".join(repr(field) for field, _ in used.most_common()), notes


def _spelled_alike(content: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Return the fields with these names as forms spell them: overall_assessment is "Overall Assessment"."""
    fields = {spelled(field): field for field in reversed(list(content))}
    return [fields[one] for one in map(spelled, names) if one in fields]


def confidence(content: dict[str, Any]) -> str | None:
    """Return the reviewer's confidence, if it is a number or a few words."""
    stated = next((content[name] for name in CONFIDENCE_FIELDS if name in content), None)
    text = level_text(stated)
    return text if text is not None and len(text) <= LONGEST_SCORE else None


def _short(score: str | None, field: str, place: str) -> str | None:
    if score is not None and len(score) > LONGEST_SCORE:
        raise ImportRefused(
            f"{place}: '{field}' is a text of {len(score)} characters ({score[:40]!r} ..), not a "
            f"score; name the field that holds the score with {option('fields', 'NAME')}"
        )
    return score


def read_form(source: Source, options: Options, context: Context) -> FileContent:
    """Read an invitation, several of them, or the content of a form alone."""
    return form_part(source.name, records_of(source), options, context)


def form_part(
    name: str, invitations: Iterable[Record], options: Options, context: Context
) -> FileContent:
    """Return the scale of the review form among some invitations."""
    every = [invitation for _, invitation in invitations]
    ending = "/" + review_name(options, context)
    reviewing = [one for one in every if as_text(one.get("id")).endswith(ending)]
    contents = [content for one in reviewing or every if (content := _content(one))]
    if not contents:
        ids = ", ".join(as_text(one.get("id")) for one in every[:5])
        raise ImportRefused(
            f"{name} holds no review form: looked for the invitation ..{ending}, found: {ids}"
        )
    return _part(name, contents[0], options, context)


def form_part_if_any(
    name: str, invitations: Iterable[Record], options: Options, context: Context
) -> FileContent:
    """Return the same, or no scale if none of the invitations is a review form."""
    try:
        return form_part(name, invitations, options, context)
    except ImportRefused as error:
        return FileContent(recognised="OpenReview invitations", notes=(str(error),))


def _content(invitation: Mapping[str, Any]) -> dict[str, Any]:
    for way in _WAYS_TO_CONTENT:
        value: Any = invitation
        for key in way:
            value = as_object(value).get(key)
        if isinstance(value, dict) and value:
            return value
    return {}


def _part(name: str, content: Mapping[str, Any], options: Options, context: Context) -> FileContent:
    names = rating_fields(options, context) or RATING_FIELDS
    for field in _spelled_alike(content, names):
        levels = _levels(as_object(content[field]))
        if levels:
            scale, notes = _scale(levels, field)
            shown = ", ".join(map(str, scale.levels)) if scale else "levels without a known order"
            return FileContent(
                recognised=f"OpenReview review form, '{field}': {shown}",
                scale=scale,
                notes=notes,
            )
    raise ImportRefused(
        f"{name}: the review form states no levels for {' or '.join(names)}; "
        f"found: {', '.join(content) or 'no fields'}. Name the field with {option('fields', 'NAME')}"
    )


def _levels(field: Mapping[str, Any]) -> list[str]:
    """Return the choices of a field, as written, without those that are not scores."""
    param = as_object(as_object(field.get("value")).get("param"))
    listed = [
        field.get("value-radio"),
        field.get("value-dropdown"),
        param.get("enum"),
        param.get("items"),
        _whole_numbers(param),
    ]
    choices: Sequence[Any] = next((choices for choices in listed if isinstance(choices, list)), [])
    texts = (
        str(one) if isinstance(one, dict) and "value" not in one else level_text(one)
        for one in choices  # a choice that states no value makes the scale unclear
    )
    return list(dict.fromkeys(text for text in texts if text is not None))


def _whole_numbers(param: Mapping[str, Any]) -> list[int] | None:
    lowest, highest = param.get("minimum"), param.get("maximum")
    if not isinstance(lowest, int) or not isinstance(highest, int):
        return None
    stated = param.get("type") == "integer" and 0 < highest - lowest < MOST_LEVELS
    return list(range(lowest, highest + 1)) if stated else None


def _scale(levels: Sequence[str], field: str) -> tuple[Scale | None, tuple[str, ...]]:
    try:
        if all(map(is_number, levels)):
            return Scale(sorted({float(level) for level in levels})), ()
        ordered = _words_in_order(levels)
        if ordered:
            return Scale(ordered), ()
    except UsageError as error:
        return None, (f"the levels of '{field}' make no scale: {error}",)
    return None, (
        f"the levels of '{field}' are words whose order is not clear ({', '.join(levels)}): "
        f"give them with {option('scale')}, worst first",
    )


def _words_in_order(words: Sequence[str]) -> list[str]:
    """Return words worst first, if the first and last tell which end is best; of letters, A is best."""
    if set(words) <= set(string.ascii_uppercase):
        return sorted(words, reverse=True)
    ends = words[0].lower(), words[-1].lower()
    first, last = (("accept" in word) - ("reject" in word) for word in ends)
    if first == last or any(map(is_number, words)):
        return []
    return list(words) if first < last else list(reversed(words))
