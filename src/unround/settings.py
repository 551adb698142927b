"""Settings: the caller's choices, checked once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, TypeVar

import numpy as np

from unround.errors import UsageError
from unround.scale import Scale

# Below this, 1 + λ can hardly be told from 1 and no bound could be proven.
LEAST_LAMBDA = 1e-12
EPSILON = 0.05
AUTO: Literal["auto"] = "auto"
LambdaChoice = Literal["auto", "auto+"]
PolicyName = Literal["refuse", "scores", "rankings"]
UnrankedName = Literal["apart", "below"]
EngineName = Literal["local", "dask", "gpu"]
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


@dataclass(frozen=True)
class Settings:
    """How statements become constraints."""

    epsilon: float = EPSILON
    conflicts: Policy = Policy.REFUSE
    unranked: Unranked = Unranked.APART
    same_within: float | None = None
    scale: Scale | None = None  # None: as seen in the scores
    allow_loss: bool = False  # go on where most statements fall away

    @classmethod
    def checked(
        cls,
        epsilon: float,
        conflicts: str,
        unranked: str,
        same_within: float | None,
        scale: object = None,
        allow_loss: bool = False,
    ) -> Settings:
        """Return the settings for the caller's arguments."""
        if same_within is not None and (
            not _is_number(same_within) or not 0.0 <= same_within < math.inf
        ):
            raise UsageError(
                f"same_within must be a number of at least 0, not {_shown(same_within)}"
            )
        return cls(
            checked_epsilon(epsilon),
            _choice(Policy, conflicts, "conflicts"),
            _choice(Unranked, unranked, "unranked"),
            None if same_within is None else float(same_within),
            None if scale is None else Scale.of(scale),
            bool(allow_loss),
        )


def checked_epsilon(epsilon: object) -> float:
    """Return the gap ε. Raise UsageError unless it is a number above 0."""
    if not _is_number(epsilon) or not 0.0 < float(epsilon) < math.inf:  # type: ignore[arg-type]
        raise UsageError(f"epsilon must be a number above 0, not {_shown(epsilon)}")
    return float(epsilon)  # type: ignore[arg-type]


def checked_lambda(lam: object) -> float:
    """Return the strength λ. Raise UsageError unless it is a number above 0, or infinity."""
    if not _is_number(lam) or not float(lam) >= LEAST_LAMBDA:  # type: ignore[arg-type]
        raise UsageError(
            f'lam must be "auto", "auto+" or a number above 0 (1e-12 or more, or math.inf), not {_shown(lam)}'
        )
    return float(lam)  # type: ignore[arg-type]


def checked_tolerance(tolerance: object) -> float:
    """Return the largest error of a score. Raise UsageError unless it is a number above 0."""
    if not _is_number(tolerance) or not 0.0 < float(tolerance) < math.inf:  # type: ignore[arg-type]
        raise UsageError(f"tolerance must be a number above 0, not {_shown(tolerance)}")
    return float(tolerance)  # type: ignore[arg-type]


def _is_number(value: object) -> bool:
    try:
        truth = isinstance(value, bool | str | np.bool_)
        return not truth and not math.isnan(float(value))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:40] + ".."


def _choice(kind: type[Choice], value: str, name: str) -> Choice:
    try:
        return kind(value)
    except ValueError:
        allowed = ", ".join(repr(str(choice)) for choice in kind)
        raise UsageError(f"{name} must be one of {allowed}, not {value!r}") from None
