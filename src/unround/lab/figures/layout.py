"""Lay out the panels of a figure above one legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing

from unround.lab.plan import Figure, Panel
from unround.lab.registry import find_painter
from unround.lab.results.summary import Results

PANEL_WIDTH, PANEL_HEIGHT = 3.1, 2.5
# Room in inches for a legend's line, its mark, and each letter of its longest label.
LEGEND_LINE, LEGEND_MARK, LEGEND_LETTER = 0.25, 0.55, 0.07


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
    return settled(drawing)


def settled(drawing: Drawing) -> Drawing:
    """Fix every part of a drawing in its place, so that no format moves it."""
    for _ in range(
        2
    ):  # ticks depend on the length of an axis, and that on the width of their labels
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
