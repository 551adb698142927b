"""How statements become constraints, as people write it down: on a command line or in a form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast, get_args

from unround.errors import UsageError
from unround.settings import LambdaChoice


@dataclass(frozen=True)
class Method:
    """What the user chose, for whatever files."""

    scale: list[float | int | str] | None
    epsilon: float
    conflicts: str
    unranked: str
    same_within: float | None

    def arguments(self) -> dict[str, Any]:
        """Return the arguments for `dequantize` and `check`."""
        return {
            "scale": self.scale or None,
            "epsilon": self.epsilon,
            "conflicts": self.conflicts,
            "unranked": self.unranked,
            "same_within": self.same_within,
        }


def parse_scale(text: str | None) -> list[float | int | str] | None:
    """Levels from "1,3,5,6" or "D,C,B,A".

    >>> parse_scale("1, 3,5"), parse_scale("B,A"), parse_scale(None)
    ([1.0, 3.0, 5.0], ['B', 'A'], None)
    """
    if text is None:
        return None
    symbols = [symbol.strip() for symbol in text.split(",") if symbol.strip()]
    try:
        return [float(symbol) for symbol in symbols]
    except ValueError:
        return list(symbols)


def parse_lambda(text: str) -> float | LambdaChoice:
    """The word auto or auto+, or a number.

    >>> parse_lambda("auto"), parse_lambda("inf"), parse_lambda("2.5")
    ('auto', inf, 2.5)
    """
    if text in get_args(LambdaChoice):
        return cast(LambdaChoice, text)
    try:
        return float(text)
    except ValueError:
        raise UsageError(f'{text!r} is neither "auto", "auto+" nor a number') from None
