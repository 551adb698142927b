"""Figures of a result, for notebooks and scripts. They need matplotlib (extra `lab`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from unround.errors import UsageError
from unround.reviews.frames import open_frame
from unround.settings import checked_count

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from unround.result import Result
    from unround.uncertainty.calibration import Calibration
    from unround.uncertainty.posterior import Posterior
    from unround.uncertainty.stability import Stability

BEFORE, AFTER = "#9aa5b1", "#1f6f8b"
NORMAL_90 = 1.645  # standard errors to both sides of a 90% interval


class Plots:
    """The figures of one result: `result.plot()` draws all of them, its methods one each."""

    def __init__(self, result: Result[Any]) -> None:
        self._result = result

    def __repr__(self) -> str:
        return "plot(), plot.validation(), plot.scores(), plot.moves(), plot.intervals(estimate)"

    def __call__(self) -> tuple[Axes, ...]:
        """Draw every figure that the result has, side by side.

        Not the whole figure is returned: notebooks would draw it a second time.
        """
        drawn = [self.scores, self.moves]
        if self._result.selection is not None:
            drawn.insert(0, self.validation)
        figure, axes = _pyplot().subplots(1, len(drawn), figsize=(5 * len(drawn), 4))
        for draw, ax in zip(drawn, axes, strict=True):
            draw(ax)
        figure.tight_layout()
        return tuple(axes)

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
        """Draw how far the papers' means moved, for those that moved most."""
        moved = self._result.most_moved(checked_count("most", most))[::-1]
        axes = _axes(ax)
        places = np.arange(len(moved))
        axes.barh(places, [after - before for _, before, after in moved], color=AFTER)
        axes.axvline(0.0, color=BEFORE)
        axes.set_yticks(places, [f"{paper} ({before:.2f})" for paper, before, _ in moved])
        axes.set(xlabel="move of the mean", title="Papers that moved most (mean before)")
        return axes

    def intervals(
        self,
        estimate: Posterior | Calibration | Stability,
        ax: Axes | None = None,
        *,
        most: int = 40,
    ) -> Axes:
        """Draw the best papers with their intervals: of places by a posterior, else of scores."""
        papers = open_frame(getattr(estimate, "papers", None), "estimate.papers")
        most = checked_count("most", most)
        if "place_low" in papers.columns:
            label, names = "place", ("place", "place_low", "place_high")
            middle, low, high = (papers[name].to_numpy() for name in names)
            order = np.argsort(middle, kind="stable")[:most][::-1]
        else:
            label = "score"
            if "se" in papers.columns:
                middle, half = (papers[name].to_numpy() for name in ("calibrated", "se"))
                low, high = middle - NORMAL_90 * half, middle + NORMAL_90 * half
            else:
                middle, low, high = (papers[name].to_numpy() for name in ("mean", "low", "high"))
            order = np.argsort(-middle, kind="stable")[:most][::-1]
        axes, ids = _axes(ax), papers["paper"].to_list()
        rows = np.arange(order.size)
        axes.hlines(rows, low[order], high[order], color=BEFORE, linewidth=3)
        axes.plot(middle[order], rows, "o", color=AFTER)
        axes.set_yticks(rows, [str(ids[paper]) for paper in order.tolist()])
        axes.set(xlabel=label, title=f"Best {order.size} papers with 90% intervals")
        return axes


def _axes(ax: Axes | None) -> Axes:
    """Return the axes to draw into, new ones if none were given."""
    axes: Axes = _pyplot().subplots()[1] if ax is None else ax
    if not hasattr(axes, "barh"):
        raise UsageError(f"ax must be matplotlib's axes, not {ax!r}")
    return axes


def _pyplot() -> Any:
    try:
        from matplotlib import pyplot
    except ModuleNotFoundError:
        raise UsageError("plots need matplotlib: pip install 'unround[lab]'") from None
    return pyplot
