"""Which field of a review holds its score: the user's choice, or a usual name with a value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from unround.formats.model import ImportProblem
from unround.formats.openreview.values import field_text, is_number, level_text
from unround.formats.scores import counted

RATING_FIELDS = (
    "rating",
    "recommendation",
    "overall_recommendation",
    "overall_assessment",
    "final_rating",
    "preliminary_rating",
    "overall_rating",
    "final_recommendation",
    "preliminary_recommendation",
    "overall_score",
    "overall_evaluation",
    "score",
)
LONGEST_SCORE = 200
FIELDS_IN_MESSAGES = 40
CONFIDENCE_FIELDS = ("confidence", "reviewer_confidence", "reviewers_confidence")


def spelling(name: str) -> str:
    """A name as forms would spell it: "Overall Assessment" is overall_assessment."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


class ScoreFields:
    """Takes scores from reviews' contents and remembers which fields had them."""

    def __init__(self, chosen: Sequence[str]) -> None:
        self._wanted = tuple(chosen) or RATING_FIELDS
        self._chosen = bool(chosen)
        self._found: dict[str, None] = {}
        self._used: Counter[str] = Counter()
        self._also: Counter[str] = Counter()
        self._words: Counter[str] = Counter()

    def score(self, content: dict[str, Any], place: str) -> str | None:
        """The first wanted field's score; None when no such field has a value."""
        self._found.update(dict.fromkeys(content))
        score: str | None = None
        for name in self._present(content):
            if score is None:
                score = _short(level_text(content[name]), name, place)
                self._count(name, score)
            elif not self._chosen and field_text(content, name):
                self._also[name] += 1
        return score

    def _count(self, name: str, score: str | None) -> None:
        if score is not None:
            self._used[name] += 1
            if not is_number(score):
                self._words[score] += 1

    def check(self, name: str) -> None:
        """Refuse a file in which no review has any of the wanted fields."""
        if self._used:
            return
        found = ", ".join(list(self._found)[:FIELDS_IN_MESSAGES]) or "no fields at all"
        raise ImportProblem(
            f"{name}: no review has a score in the field {' or '.join(self._wanted)}; "
            f"found: {found}. Name the field with --field NAME"
        )

    @property
    def names(self) -> str:
        """The fields that scores came from, for people."""
        return ", ".join(repr(name) for name, _ in self._used.most_common())

    def notes(self) -> Iterable[str]:
        """What a person should check: several fields in use, or other candidates beside them."""
        if len(self._used) > 1:
            counts = ", ".join(f"{count} from '{name}'" for name, count in self._used.most_common())
            yield f"scores come from several fields: {counts}"
        for name, count in self._also.most_common():
            yield (
                f"{counted(count, 'review')} with '{name}' too, which was not used: "
                f"take it with --field {name}"
            )
        if self._words:
            yield (
                f"{counted(self._words.total(), 'score')} in words such as "
                f"{self._words.most_common(1)[0][0]!r}: their order comes from the review form, if "
                "its invitation is given as a file too, or else from --scale, worst first"
            )

    def _present(self, content: dict[str, Any]) -> Iterable[str]:
        names = [name for name in self._wanted if name in content]
        if names:
            return names
        spelled = {spelling(name): name for name in reversed(content)}
        return [spelled[s] for s in map(spelling, self._wanted) if s in spelled]


def confidence(content: dict[str, Any]) -> str | None:
    """The reviewer's confidence, as far as it is a number or a few words."""
    stated = next((content[name] for name in CONFIDENCE_FIELDS if name in content), None)
    text = level_text(stated)
    return text if text is not None and len(text) <= LONGEST_SCORE else None


def _short(score: str | None, field: str, place: str) -> str | None:
    if score is not None and len(score) > LONGEST_SCORE:
        raise ImportProblem(
            f"{place}: '{field}' is a text of {len(score)} characters ({score[:40]!r} ..), not a "
            "score; name the field that holds the score with --field NAME"
        )
    return score
