"""Figures of a result, for notebooks and scripts. They need matplotlib (extra `lab`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unround.errors import UsageError
from unround.reviews.frames import open_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from unround.result import BaseResult

BEFORE, AFTER = "#9aa5b1", "#1f6f8b"


class Plots:
    """The figures of one result: `result.plot()` draws all of them, its methods one each."""

    def __init__(self, result: BaseResult[Any]) -> None:
        self._result = result

    def __repr__(self) -> str:
        return "plot(), plot.validation(), plot.scores(), plot.moves()"

    def __call__(self) -> Figure:
        """Draw every figure that the result has, side by side."""
        drawn = [self.scores, self.moves]
        if self._result.selection is not None:
            drawn.insert(0, self.validation)
        figure: Figure
        figure, axes = _pyplot().subplots(1, len(drawn), figsize=(5 * len(drawn), 4))
        for draw, ax in zip(drawn, axes, strict=True):
            draw(ax)
        figure.tight_layout()
        return figure

    def validation(self, ax: Axes | None = None) -> Axes:
        """Draw the error of every λ that was tried, and mark the one in use."""
        if self._result.selection is None:
            raise UsageError('there is no validation curve: λ was given, not chosen (lam="auto")')
        curve = open_frame(self._result.selection, "selection")
        lam, error = curve["lam"].to_numpy(), curve["error"].to_numpy()
        axes = _axes(ax)
        shown = np.isfinite(lam)
        axes.plot(lam[shown], error[shown], color=AFTER, marker=".")
        if np.isfinite(self._result.lam):
            axes.axvline(self._result.lam, color=BEFORE, linestyle="--")
        axes.set(xscale="log", xlabel="λ", ylabel="validation error", title="Choice of λ")
        return axes

    def scores(self, ax: Axes | None = None) -> Axes:
        """Draw how often each score was given, and the dequantized scores."""
        scores = open_frame(self._result.scores, "scores")
        after = scores["dequantized"].to_numpy()
        explained = open_frame(self._result.explanation, "explanation")
        moved = sum(explained[name].to_numpy() for name in ("consensus", "ranking", "cell"))
        levels, counts = np.unique(np.round(after - moved, 6), return_counts=True)
        axes = _axes(ax)
        axes.hist(after, bins="auto", color=AFTER, label="dequantized")
        axes.vlines(levels, 0, counts, color=BEFORE, linewidth=4, alpha=0.7, label="as given")
        axes.set(xlabel="score", ylabel="reviews", title="Scores before and after")
        axes.legend()
        return axes

    def moves(self, ax: Axes | None = None, *, most: int = 20) -> Axes:
        """Draw the papers whose mean moved most, from before to after."""
        moved = self._result.most_moved(most)[::-1]
        axes = _axes(ax)
        places = np.arange(len(moved))
        axes.hlines(places, [row[1] for row in moved], [row[2] for row in moved], color=BEFORE)
        axes.plot([row[1] for row in moved], places, "o", color=BEFORE, label="before")
        axes.plot([row[2] for row in moved], places, "o", color=AFTER, label="after")
        axes.set_yticks(places, [str(row[0]) for row in moved])
        axes.set(xlabel="mean score", title="Papers that moved most")
        axes.legend()
        return axes


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    axes: Axes = _pyplot().subplots()[1]
    return axes


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError:
        raise UsageError("plots need matplotlib: pip install 'unround[lab]'") from None
    return pyplot
