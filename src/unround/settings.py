"""Settings: the caller's choices, checked once."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar, get_args

import numpy as np
from typing_extensions import TypeIs

from unround.errors import UsageError
from unround.scale import Scale
from unround.wording import option

# Below this, 1 + λ rounds to nearly 1, and no bound could be proven.
LEAST_LAMBDA = 1e-12
ABOVE_0 = math.ulp(0.0)  # the smallest number
LARGEST = sys.float_info.max
EPSILON = 0.05
TOLERANCE_SPACINGS = 1e-9
AUTO: Literal["auto"] = "auto"
AUTO_PLUS: Literal["auto+"] = "auto+"
LambdaChoice = Literal["auto", "auto+"]
PolicyName = Literal["refuse", "scores", "rankings"]
UnrankedName = Literal["apart", "below"]
Choice = TypeVar("Choice", bound=StrEnum)


class Policy(StrEnum):
    """What to do when a reviewer's statements cannot all hold.

    >>> import unround
    >>> [str(policy) for policy in unround.Policy]
    ['refuse', 'scores', 'rankings']
    """

    REFUSE = "refuse"
    SCORES = "scores"
    RANKINGS = "rankings"


class Unranked(StrEnum):
    """How unranked papers compare with those that the reviewer ranked: not at all, or below them (top-k).

    >>> import unround
    >>> unround.Unranked("below")
    <Unranked.BELOW: 'below'>
    """

    APART = "apart"
    BELOW = "below"


class StatementOptions(TypedDict, total=False):
    """The options that say what scores and rankings mean, for functions that take them by name."""

    epsilon: float
    scale: Scale | Sequence[Any] | str | None
    conflicts: PolicyName | Policy
    unranked: UnrankedName | Unranked
    allow_loss: bool
    ignore_rankings: bool


class MethodOptions(StatementOptions, total=False):
    """All options of the method."""

    lam: float | LambdaChoice
    tolerance: float


def known_options(options: Mapping[str, object], known: type) -> dict[str, Any]:
    """Return the options that a caller gave. Raise TypeError for one that the function does not take."""
    names = known.__annotations__
    for name in options:
        if name not in names:
            raise TypeError(f"there is no option {name!r} here; there are {', '.join(names)}")
    return dict(options)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The choices of one computation, built once where a call comes in and kept with its result.

    >>> Settings.checked(lam=2, conflicts="scores").changed(scale="1..3").scale
    Scale(1, 2, 3)
    """

    lam: float | LambdaChoice = AUTO_PLUS
    epsilon: float = EPSILON
    scale: Scale | None = None  # None: that of the tables, or inferred from the scores
    conflicts: Policy = Policy.REFUSE
    unranked: Unranked = Unranked.APART
    allow_loss: bool = False  # continue where most statements fall away
    ignore_rankings: bool = False  # scores alone, whatever the tables hold
    tolerance: float = TOLERANCE_SPACINGS

    @classmethod
    def checked(cls, **choices: Any) -> Settings:
        """Return settings with a caller's choices; raise UsageError for one that makes no sense."""
        return cls().changed(**choices)

    def changed(self, **choices: Any) -> Settings:
        """Return these settings with other choices, which are checked."""
        checks: dict[str, Callable[[Any], Any]] = {
            "lam": lambda lam: lam if _is_chosen_later(lam) else checked_lambda(lam),
            "epsilon": checked_epsilon,
            "scale": lambda scale: None if scale is None else Scale.of(scale),
            "conflicts": lambda policy: _choice(Policy, policy, "conflicts"),
            "unranked": lambda unranked: _choice(Unranked, unranked, "unranked"),
            "allow_loss": partial(checked_switch, "allow_loss"),
            "ignore_rankings": partial(checked_switch, "ignore_rankings"),
            "tolerance": lambda error: _number("tolerance", error, ABOVE_0, "a number above 0"),
        }
        return replace(self, **{name: checks[name](value) for name, value in choices.items()})


def parse_lambda(text: str) -> float | LambdaChoice:
    """Return "auto", "auto+" or a number.

    >>> parse_lambda("auto"), parse_lambda("inf"), parse_lambda("2.5")
    ('auto', inf, 2.5)
    """
    if _is_chosen_later(text):
        return text
    try:
        return float(text)
    except ValueError:
        raise UsageError(
            f'{option("lam")} must be "auto", "auto+", a number or inf, not {text!r}'
        ) from None


def _is_chosen_later(lam: object) -> TypeIs[LambdaChoice]:
    """Whether λ is to be chosen from the scores."""
    return isinstance(lam, str) and lam in get_args(LambdaChoice)


def checked_epsilon(epsilon: object) -> float:
    """Return the gap ε. Raise UsageError unless it is a number above 0."""
    return _number("epsilon", epsilon, ABOVE_0, "a number above 0")


def checked_lambda(lam: object) -> float:
    """Return the strength λ. Raise UsageError unless it is a number above 0, or infinity."""
    words = '"auto", "auto+" or a number above 0 (1e-12 or more, or inf)'
    lam = math.inf if isinstance(lam, str) and lam == "inf" else lam
    return _number("lam", lam, LEAST_LAMBDA, words, most=math.inf)


def checked_share(name: str, share: object) -> float:
    """Return a probability. Raise UsageError unless it is a number between 0 and 1."""
    if not isinstance(share, float | np.floating) or not 0.0 < share < 1.0:
        raise UsageError(
            f"{name} must be a number between 0 and 1, such as 0.9, not {_shown(share)}"
        )
    return float(share)


def checked_count(name: str, count: object) -> int:
    """Return a number of things. Raise UsageError unless it is a whole number above 0."""
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise UsageError(f"{name} must be a whole number of at least 1, not {_shown(count)}")
    return int(count)


def checked_path(name: str, path: object) -> Path:
    """Return a path. Raise UsageError unless it is text or a path, and not empty."""
    if not isinstance(path, str | os.PathLike) or not os.fspath(path):
        raise UsageError(f"{name} must be a path, not {_shown(path)}")
    return Path(path)


def checked_text(name: str, value: object) -> str:
    """Return a text. Raise UsageError for anything else."""
    if not isinstance(value, str):
        raise UsageError(f"{name} must be text, not {_shown(value)}")
    return value


def checked_switch(name: str, value: object) -> bool:
    """Return whether something is on. Raise UsageError unless it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise UsageError(f"{name} must be True or False, not {_shown(value)}")
    return bool(value)


def _number(name: str, value: Any, least: float, words: str, most: float = LARGEST) -> float:
    try:
        number = math.nan if isinstance(value, bool | str | np.bool_) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not least <= number <= most:
        raise UsageError(f"{option(name)} must be {words}, not {_shown(value)}")
    return number


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:40] + ".."


def _choice(kind: type[Choice], value: str, name: str) -> Choice:
    try:
        return kind(value)
    except ValueError:
        allowed = ", ".join(repr(str(choice)) for choice in kind)
        raise UsageError(f"{option(name)} must be one of {allowed}, not {value!r}") from None


@dataclass(frozen=True)
class Accept:
    """How many papers there is room for: a number, or a share of all papers in per cent."""

    amount: float
    percent: bool

    @classmethod
    def of(cls, accept: object) -> Accept:
        """Return 500, 0.25 or "25%" as so many papers; a number between 0 and 1 is a share.

        >>> Accept.of(0.25) == Accept.of("25%"), Accept.of(12).papers(60)
        (True, 12)
        """
        if isinstance(accept, Accept):
            return accept
        if isinstance(accept, str):
            return cls.read(accept)
        if isinstance(accept, float | np.floating) and 0.0 < accept < 1.0:
            return cls(100.0 * float(accept), percent=True)
        if isinstance(accept, bool) or not isinstance(accept, int | np.integer) or accept < 0:
            raise UsageError(f"{accept!r} is neither a number of papers nor a share such as 25%")
        return cls(float(accept), percent=False)

    @classmethod
    def read(cls, text: str) -> Accept:
        """Read "500" or "25%".

        >>> Accept.read("25%").papers(2_000), Accept.read("500").papers(2_000)
        (500, 500)
        """
        found = re.fullmatch(r"(\d+)|(\d+(?:\.\d+)?)\s*%", text.strip())
        if not found or float(found[2] or 0) > 100:
            raise UsageError(f"{text!r} is neither a number of papers nor a share such as 25%")
        return cls(float(found[1] or found[2]), found[2] is not None)

    def __str__(self) -> str:
        return f"{self.amount:g}%" if self.percent else f"{self.amount:.0f}"

    def papers(self, count: int) -> int:
        """Return how many of `count` papers these are; half a paper counts as one, as on the pages."""
        wanted = int(count * self.amount / 100 + 0.5) if self.percent else int(self.amount)
        if wanted > count:
            raise UsageError(f"there are {count} papers: {wanted} of them cannot be accepted")
        return wanted
