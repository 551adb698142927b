"""How statements become constraints, as people write it down: on a command line or in a form."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unround.errors import UsageError

if TYPE_CHECKING:
    from unround.formats.importer import Imported


@dataclass(frozen=True)
class Method:
    """What the user chose, for whatever files."""

    scale: list[float | int | str] | None
    epsilon: float
    conflicts: str
    unranked: str
    same_within: float | None

    def arguments(self, imported: Imported) -> dict[str, Any]:
        """Arguments for `dequantize` and `check`; without a scale the one that the source states."""
        return {
            "reviews": imported.reviews.table,
            "rankings": [sheet.table for sheet in imported.rankings],
            "same": imported.same.table if imported.same else None,
            "scale": self.scale or imported.scale,
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


def parse_lambda(text: str) -> float | str:
    """The word auto or auto+, or a number.

    >>> parse_lambda("auto"), parse_lambda("inf"), parse_lambda("2.5")
    ('auto', inf, 2.5)
    """
    if text in ("auto", "auto+"):
        return text
    try:
        return float(text)
    except ValueError:
        raise UsageError(f'{text!r} is neither "auto", "auto+" nor a number') from None
