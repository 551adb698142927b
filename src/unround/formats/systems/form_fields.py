"""Choose the field of a review form that holds the overall score, and read its values."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from unround.formats.cells import NUMBER, listed, score_of
from unround.formats.model import ImportRefused, Options, spelled
from unround.scale import MOST_LEVELS, Scale
from unround.wording import option

NO_SCORE = ""
LONGEST_SYMBOL = 40
_SYMBOL = re.compile(rf"{NUMBER}|[A-Z]")
LONGEST_QUOTE = 40
LONGEST_NAME = 200
JUDGEMENTS = (
    *("merit", "score", "rating", "recommendation", "evaluation", "assessment"),
    *("judgment", "judgement", "opinion", "grade"),
)
AFTER = (
    *("post", "postrebuttal", "postresponse", "final", "after", "updated", "revised", "new"),
    *("changed", "latest", "adjusted"),
)
BEFORE = ("pre", "prerebuttal", "preresponse", "preliminary", "initial", "before", "original")
# Words that do not change what is judged.
FILLERS = (
    *("rebuttal", "response", "discussion", "meeting", "author", "the", "paper", "your"),
    *("of", "this", "submission", "reviewer", "s", "total"),
)
_KEYWORD = re.compile(r"(?:[A-Z][a-z0-9]*)+")


@dataclass(eq=False, slots=True)
class Field:
    """A field of the form and the values it has had so far."""

    key: str  # the column, or the uid in JSON
    name: str
    scale: Scale | None = None  # when the form states it
    stated: frozenset[str] = frozenset()  # the symbols of that scale
    symbols: set[str] = field(default_factory=set)
    refused: str = ""  # the first value that is no score, with its place

    def take(self, value: object, where: str) -> str:
        """Return the score in a value; NO_SCORE if there is none, or if the field holds no scores."""
        if self.refused:
            return NO_SCORE
        symbol = symbol_of(value, self.stated)
        if symbol is None or len(self.symbols) > MOST_LEVELS:
            self.refused = f"{where} holds {str(value).strip()[:LONGEST_QUOTE]!r}"
            return NO_SCORE
        if symbol:
            self.symbols.add(symbol)
        return symbol

    @property
    def holds_scores(self) -> bool:
        """Whether every value was a score, and there were some."""
        return bool(self.symbols) and not self.refused

    @property
    def is_numeric(self) -> bool:
        """Whether its scores are numbers rather than letters."""
        return not any(symbol[-1:].isalpha() for symbol in self.symbols)

    @property
    def kind(self) -> tuple[bool, Scale | None]:
        """What two fields must share for one to stand in for the other."""
        return self.is_numeric, self.scale

    @property
    def words(self) -> list[str]:
        """The words of its name but for its number; of a keyword such as OveMer, their first letters."""
        name = self.name[:LONGEST_NAME]
        if _KEYWORD.fullmatch(name):
            return [word.lower() for word in re.findall(r"[A-Z][a-z0-9]*", name)]
        return re.findall(r"[a-z0-9]+", re.sub(r"^q[0-9]+\b", "", name.lower()))


def score_fields(fields: Sequence[Field], options: Options, file: str) -> list[Field]:
    """Return the fields to take scores from, in order: the first with a value wins."""
    named = list(options.score_fields) or [
        name for ours, name in options.columns.items() if ours == "score"
    ]
    if named:
        return _fields_named(fields, named, file)
    guess = guessed_fields(fields)
    if not guess:
        raise ImportRefused(f"{file}: no field is plainly the overall score; {_advice(fields)}")
    return guess


def confidence_field(fields: Iterable[Field], options: Options) -> Field | None:
    """Return the field of the reviewers' confidence, if there is one."""
    named = options.columns.get("confidence")
    for candidate in fields:
        if named and named in (candidate.key, candidate.name):
            return candidate
        if not named and candidate.holds_scores and _is_confidence(candidate.words):
            return candidate
    return None


class ScoreName(NamedTuple):
    """What the name of a field says: of the score of several phases, the last one counts."""

    phase: int  # 0 after the rebuttal, 2 before it, 1 if the name does not say
    judged: frozenset[str]  # its words but for those of phases
    far: int | None  # from "overall merit"; None if it cannot be the overall score


def score_name(words: Sequence[str]) -> ScoreName:
    """Return what the words of a field's name say."""
    phase = 0 if _any_is(words, AFTER) else 2 if _any_is(words, BEFORE) else 1
    told = [word for word in words if not _any_is([word], (*AFTER, *BEFORE, *FILLERS))]
    overall = _any_is(words, ("overall",)) or "overall" in "".join(told)
    judged = [word for word in JUDGEMENTS if _any_is(words, (word,))]
    far = None
    if overall and ("merit" in judged or "".join(told) == "overallmerit"):
        far = 0
    elif overall and (judged or len(told) == 1):
        far = 1 if judged else 2
    elif judged and len(told) == 1:
        far = 3
    return ScoreName(phase, frozenset(told) - {"overall"}, far)


def could_be_the_score(name: str) -> bool:
    """Return whether a column of this name could be the overall score."""
    return score_name(Field(name, name).words).far is not None


def later_first(names: Sequence[str]) -> list[str]:
    """Return columns of one score from several phases, the last phase first; else none.

    >>> later_first(["initial score", "final score"]), later_first(["rating", "final score"])
    (['final score', 'initial score'], [])
    """
    named = {score_name(Field(name, name).words): name for name in names}
    phases = {one.phase: name for one, name in named.items()}
    one_each = len({one.judged for one in named}) == 1 < len(names) == len(phases)
    return [phases[phase] for phase in sorted(phases)] if one_each else []


def is_late(name: str) -> bool:
    """Return whether a column's name says that it was filled later than another: final, after, new."""
    return not set(AFTER).isdisjoint(Field(name, name).words)


def _fields_named(fields: Sequence[Field], named: Sequence[str], file: str) -> list[Field]:
    matching = [match for name in named for match in _matches(fields, name, file)]
    if not matching:
        names = listed([repr(name) for name in named])
        raise ImportRefused(f"{file} has no field {names}; {_advice(fields)}")
    for candidate in matching:
        if candidate.refused:
            raise ImportRefused(
                f"{candidate.refused}, so {candidate.name!r} is not a score; {_advice(fields)}"
            )
    scales = {candidate.scale for candidate in matching}
    if len(scales) > 1:
        described = "; ".join(f"{candidate.name!r} has {candidate.scale}" for candidate in matching)
        raise ImportRefused(
            f"{file}: the named fields have different scales: {described}; name only one"
        )
    return list(dict.fromkeys(matching))


def _matches(fields: Sequence[Field], name: str, file: str) -> list[Field]:
    """Return the fields of this name, spelled so or alike, or the only one that has its words."""
    exact = [candidate for candidate in fields if name in (candidate.key, candidate.name)]
    names = {one: (spelled(one.key), spelled(one.name)) for one in fields}
    alike = [one for one, both in names.items() if spelled(name) in both]
    having = [one for one, both in names.items() if f" {spelled(name)} " in f" {both[1]} "]
    if len(having) > 1 and not (exact or alike):
        raise ImportRefused(
            f"{file}: {name!r} could be any of {listed([repr(one.name) for one in having])}; choose with "
            f"{option('fields', having[0].name)}"
        )
    return exact or alike or having


def _advice(fields: Sequence[Field]) -> str:
    names = listed([repr(candidate.name) for candidate in fields if candidate.holds_scores])
    return (
        f"fields that hold scores: {names}. Choose with {option('fields', 'NAME')}; name several to "
        "fall back on another field where the first is empty"
    )


def guessed_fields(fields: Sequence[Field]) -> list[Field]:
    """Return the fields closest to "overall merit", later phases first; none if two are equally close.

    A form decides by its titles: a field that nobody filled may be the closest. The only later score of
    another name, such as "Final merit", goes before the others.
    """
    could_be = [one for one in fields if one.holds_scores or (one.scale and not one.refused)]
    named = [(score_name(one.words), one) for one in could_be]
    fars = [name.far for name, _ in named if name.far is not None]
    if not fars:
        return []
    equal = [(name.phase, one) for name, one in named if name.far == min(fars)]
    equal = [(phase, one) for phase, one in equal if one.holds_scores] or equal
    by_phase = dict(equal)
    if len(by_phase) < len(equal):
        return []
    best = [by_phase[phase] for phase in sorted(by_phase)]
    same_kind = [one for one in best if one.kind == best[0].kind]
    later = [
        one
        for name, one in named
        if name.far is not None and name.far > min(fars) and not name.phase and one.symbols
    ]
    takes_later = len(later) == 1 and min(by_phase) and later[0].kind == best[0].kind
    return [*later, *same_kind] if takes_later else same_kind


def passed_over(fields: Iterable[Field], chosen: Sequence[Field]) -> list[str]:
    """Return notes on fields that could be the score too, or were filled later than another."""
    return [
        f"{field.name!r} holds scores too, which are not used: {option('fields', field.name)} takes them"
        for field in fields
        if field.holds_scores and field not in chosen and not _is_confidence(field.words)
        if score_name(field.words).far is not None
        or _any_is(set(field.words) - {"rev"}, AFTER)  # RevQua: reviewer
    ]


def _is_confidence(words: Sequence[str]) -> bool:
    # Other fields' keywords begin alike (contribution, experiments): short forms only as a whole.
    return bool({"confidence", "confident", "expertise"} & set(words)) or words in (
        ["rev", "exp"],
        ["rev", "con"],
    )


def _any_is(names: Iterable[str], words: Sequence[str]) -> bool:
    """Return whether any name is one of the words, or the three letters of it in a search keyword."""
    return any(
        name == word or (len(name) == 3 and word.startswith(name))
        for name in names
        for word in words
    )


def symbol_of(value: object, allowed: Container[str] = ()) -> str | None:
    """Return the symbol in a cell or JSON value: NO_SCORE for no entry, None for anything else.

    >>> symbol_of("2. Weak reject"), symbol_of("3.5: x"), symbol_of("B"), symbol_of(False)
    ('2', '3.5', 'B', '')
    >>> symbol_of("Borderline"), symbol_of("Borderline", allowed={"Borderline"})
    (None, 'Borderline')
    """
    if value is None or value is False:
        return NO_SCORE
    if isinstance(value, str):
        score = value.strip() if value.strip() in allowed else score_of(value)
        if score is None or score in allowed:
            return score or NO_SCORE
        return score if len(score) <= LONGEST_SYMBOL and _SYMBOL.fullmatch(score) else None
    if value is True or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return str(int(value)) if value == int(value) else repr(value)
