"""The constraint options of the command line and the console, before parsing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast, get_args

from unround.errors import UsageError
from unround.scale import Level, parse_levels
from unround.settings import LambdaChoice


@dataclass(frozen=True)
class ConstraintOptions:
    """The constraint options that the user chose, before the files are read."""

    scale: list[Level] | None
    epsilon: float
    conflicts: str
    unranked: str
    same_within: float | None
    allow_loss: bool = False

    def arguments(self) -> dict[str, Any]:
        """Return the arguments for `dequantize` and `check`."""
        return {
            "scale": self.scale or None,
            "epsilon": self.epsilon,
            "conflicts": self.conflicts,
            "unranked": self.unranked,
            "same_within": self.same_within,
            "allow_loss": self.allow_loss,
        }


def parse_scale(text: str | None) -> list[Level] | None:
    """Return the levels of --scale: "1,3,5,6", "1..10", "1..5:0.5", "5..1" (1 is best) or "D,C,B,A".

    >>> parse_scale("1, 3,5"), parse_scale("B,A"), parse_scale("3..1"), parse_scale(None)
    ([1, 3, 5], ['B', 'A'], [3, 2, 1], None)
    """
    return None if text is None else parse_levels(text)


def parse_lambda(text: str) -> float | LambdaChoice:
    """Return auto, auto+ or a number.

    >>> parse_lambda("auto"), parse_lambda("inf"), parse_lambda("2.5")
    ('auto', inf, 2.5)
    """
    if text in get_args(LambdaChoice):
        return cast(LambdaChoice, text)
    try:
        return float(text)
    except ValueError:
        raise UsageError(f'{text!r} is neither "auto", "auto+" nor a number') from None
