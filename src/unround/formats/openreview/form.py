"""The review form -> the scale: every level that reviewers could choose.

API v2 states levels as value.param.enum (strings, numbers, or {value, description}), or as a range
of integers; v1 as value-radio or value-dropdown. The form stands inside the invitation.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from unround.errors import UsageError
from unround.formats.model import ImportProblem, Options, Part
from unround.formats.openreview.outline import Kind, kind_of
from unround.formats.openreview.records import Record, keyed_objects, records_of
from unround.formats.openreview.scorefields import RATING_FIELDS, spelling
from unround.formats.openreview.values import as_object, as_text, is_number, level_text
from unround.formats.sources import Source
from unround.scale import MOST_LEVELS, Scale

REVIEW_NAME = "Official_Review"
_WAYS_TO_CONTENT = (
    ("edit", "invitation", "edit", "note", "content"),  # v2, for all submissions
    ("edit", "note", "content"),  # v2, for one submission
    ("reply", "content"),  # v1
)


def review_name(options: Options) -> str:
    """The last part of the invitation that reviews answer to."""
    return options.columns.get("review", REVIEW_NAME)


def read_form(source: Source, options: Options) -> Part:
    """An invitation, several of them, or the content of a form alone."""
    if kind_of(source) is Kind.FORM:
        content = dict(keyed_objects(source))
        return _part(source.name, content, options)
    return form_part(source.name, records_of(source), options)


def form_part(name: str, invitations: Iterable[Record], options: Options) -> Part:
    """The scale of the review form among some invitations."""
    known = [invitation for _, invitation in invitations]
    ending = "/" + review_name(options)
    reviewing = [one for one in known if as_text(one.get("id")).endswith(ending)]
    contents = [content for one in reviewing or known if (content := _content(one))]
    if not contents:
        ids = ", ".join(as_text(one.get("id")) for one in known[:5])
        raise ImportProblem(
            f"{name} holds no review form: looked for the invitation ..{ending}, found: {ids}"
        )
    return _part(name, contents[0], options)


def form_part_if_any(name: str, invitations: Iterable[Record], options: Options) -> Part:
    """The same where other invitations may have come along: no scale rather than no reading."""
    try:
        return form_part(name, invitations, options)
    except ImportProblem as problem:
        return Part(recognised=f"{name}: OpenReview invitations", notes=(str(problem),))


def _content(invitation: Mapping[str, Any]) -> dict[str, Any]:
    for way in _WAYS_TO_CONTENT:
        found: Any = invitation
        for key in way:
            found = as_object(found).get(key)
        if isinstance(found, dict) and found:
            return found
    return {}


def _part(name: str, content: Mapping[str, Any], options: Options) -> Part:
    spelled = {spelling(field): field for field in reversed(list(content))}
    wanted = options.score_fields or RATING_FIELDS
    fields = [spelled[s] for s in map(spelling, wanted) if s in spelled]
    for field in fields:
        levels = _levels(as_object(content[field]))
        if levels:
            scale, notes = _scale(levels, field)
            shown = ", ".join(map(str, scale.levels)) if scale else "levels without a known order"
            return Part(
                recognised=f"{name}: OpenReview review form, '{field}': {shown}",
                scale=scale,
                notes=notes,
            )
    raise ImportProblem(
        f"{name}: the review form states no levels for {' or '.join(wanted)}; "
        f"found: {', '.join(content) or 'no fields'}. Name the field with --field NAME"
    )


def _levels(field: Mapping[str, Any]) -> list[str]:
    """The choices of a field, as written, without those that are no score."""
    param = as_object(as_object(field.get("value")).get("param"))
    listed = [
        field.get("value-radio"),
        field.get("value-dropdown"),
        param.get("enum"),
        param.get("items"),
        _whole_numbers(param),
    ]
    choices: Sequence[Any] = next((found for found in listed if isinstance(found, list)), [])
    texts = map(level_text, choices)
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
    except UsageError as problem:
        return None, (f"the levels of '{field}' make no scale: {problem}",)
    return None, (
        f"the levels of '{field}' are words whose order is not clear ({', '.join(levels)}): "
        "give them with --scale, worst first",
    )


def _words_in_order(words: Sequence[str]) -> list[str]:
    """Words worst first, if the first and last tell which end is which; letters have A best."""
    if set(words) <= set(string.ascii_uppercase):
        return sorted(words, reverse=True)
    first, last = (_favour(words[place]) for place in (0, -1))
    if first == last or any(map(is_number, words)):
        return []
    return list(words) if first < last else list(reversed(words))


def _favour(word: str) -> int:
    text = word.lower()
    return ("accept" in text) - ("reject" in text)
