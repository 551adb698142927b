"""The style of figures: colours for colour-blind readers, markers, and the layout of panels."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any

from matplotlib import style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing

from unround.lab.plan import Figure, Panel
from unround.lab.registry import find_painter
from unround.lab.results import Results

# Sans-serif, small enough for a column, dark enough for print; a fixed salt keeps SVG ids equal.
PRINT: dict[Any, Any] = {
    "axes.edgecolor": "#444444",
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.labelsize": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 9.5,
    "figure.facecolor": "white",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "svg.hashsalt": "unround",
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
}
PANEL_WIDTH, PANEL_HEIGHT = 3.1, 2.5
# Inches for a line of the legend, its mark, and each letter of its longest label.
LEGEND_LINE, LEGEND_MARK, LEGEND_LETTER = 0.25, 0.55, 0.07


def in_print() -> AbstractContextManager[None]:
    """Apply our settings on top of matplotlib's defaults, ignoring the user's."""
    return style.context(PRINT, after_reset=True)


BAND = "#e8e8e8"
INTERVAL_BARS = {  # colour and hatching
    "of-posterior": ("#0072B2", ""),
    "of-scores": ("#56B4E9", "//"),
    "of-calibration": ("#E69F00", ".."),
    "of-bootstrap": ("#CC79A7", "xx"),
}


@dataclass(frozen=True)
class Look:
    """The colour (of Okabe and Ito), marker and line of a method."""

    colour: str
    marker: str
    line: Any = "-"  # matplotlib's names, or (offset, dashes)


_KNOWN = {
    "quantized": Look("#7f7f7f", "s", ":"),
    "bre": Look("#E69F00", "^", "--"),
    "proposed": Look("#0072B2", "o"),
    "auto+": Look("#009E73", "D", "-."),
    "rankings-rule": Look("#D55E00", "P", (0, (5, 1))),
    "both-alignments": Look("#56B4E9", "<"),
    "smoothed": Look("#CC79A7", ">"),
    "both-smoothed": Look("#7f7f7f", "s"),
    "fine-grid": Look("#000000", "x"),
    "simulate-plain": Look("#D55E00", "v"),
    "calibrated": Look("#E69F00", "v", "--"),
    "posterior": Look("#CC79A7", "P"),
    "best single λ": Look("#000000", "|"),
}
_OTHERS = (
    Look("#D55E00", "v", "-."),
    Look("#CC79A7", "P", "--"),
    Look("#56B4E9", "X", ":"),
    Look("#000000", "*", "-"),
)
SELECTED, OPTIMAL = "#D55E00", "#D55E00"


def look_of(method: str, others: list[str]) -> Look:
    """Return the look of a method; unknown methods take the remaining looks, in order."""
    if method in _KNOWN:
        return _KNOWN[method]
    taken = {_KNOWN[name].colour for name in others if name in _KNOWN}
    free = [look for look in _OTHERS if look.colour not in taken] or _OTHERS
    unknown = [name for name in others if name not in _KNOWN]
    return free[unknown.index(method) % len(free)]


def lay_out(figure: Figure, panels: Sequence[Panel], results: Results) -> Drawing:
    """Draw every panel, and one legend below them."""
    columns = min(figure.columns, len(panels))
    rows = -(-len(panels) // columns)
    width, height = _size(panels, columns, rows, results)
    drawing = Drawing(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(drawing)
    axes = drawing.subplots(rows, columns, squeeze=False)
    legend: dict[str, Any] = {}
    for place, axis in enumerate(axes.flat):
        if place >= len(panels):
            axis.set_axis_off()
            continue
        legend |= find_painter(panels[place].kind).paint(axis, panels[place], results)
    if legend:
        longest = LEGEND_MARK + LEGEND_LETTER * max(len(label) for label in legend)
        across = max(1, min(len(legend), int(width / longest)))
        drawing.set_figheight(height + LEGEND_LINE * -(-len(legend) // across))
        drawing.legend(
            list(legend.values()), list(legend), loc="outside lower center", ncols=across
        )
    return fixed_layout(drawing)


def fixed_layout(drawing: Drawing) -> Drawing:
    """Compute the layout once, so that it is the same in every format."""
    for _ in range(2):  # ticks depend on the axis' length, and that on the width of the labels
        drawing.draw_without_rendering()
    drawing.set_layout_engine("none")
    return drawing


def _size(
    panels: Sequence[Panel], columns: int, rows: int, results: Results
) -> tuple[float, float]:
    size = find_painter(panels[0].kind).size
    if size is not None:
        study = panels[0].study
        return size(len(results.study(study).methods), len(results.settings(study)))
    return max(PANEL_WIDTH * columns, 4.2), PANEL_HEIGHT * rows
