"""The figure of what each way to choose λ loses, by setting."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from unround.lab import painter
from unround.lab.figures.panels import Legend, name_axes
from unround.lab.figures.style import look_of
from unround.lab.plan import Panel
from unround.lab.registry import find_method
from unround.lab.results import Results

from .losses import FIXED, losses


def _size_of_losses(_methods: int, settings: int) -> tuple[float, float]:
    return 7.2, 0.8 + 0.34 * settings


@painter("losses", size=_size_of_losses)
def paint_losses(axis: Axes, panel: Panel, results: Results) -> Legend:
    """Draw the loss of each way to choose λ, by setting."""
    rows = losses(results.table, panel.study)
    settings = results.settings(panel.study)
    methods = [m for m in dict.fromkeys(loss.method for loss in rows) if m != FIXED]
    legend: Legend = {}
    for number, name in enumerate([*methods, FIXED]):
        of_method = {loss.setting: loss for loss in rows if loss.method == name}
        look = look_of(name, methods)
        shift = 0.09 * (number - len(methods) / 2.0)
        label = "Best single λ in hindsight" if name == FIXED else find_method(name).label
        legend[label] = axis.errorbar(
            [of_method[setting].percent for setting in settings],
            np.arange(len(settings)) + shift,
            xerr=[of_method[setting].error for setting in settings],
            color=look.colour,
            marker=look.marker,
            linestyle="none",
            markersize=4,
            elinewidth=0.8,
        )
    axis.set_xscale("symlog", linthresh=2.0, linscale=1.0)
    axis.set_xlim(left=-0.5)
    axis.set_xticks([0, 1, 2, 5, 10, 20, 50, 100], ["0", "1", "2", "5", "10", "20", "50", "100"])
    axis.set_yticks(range(len(settings)), settings)
    axis.set_ylim(len(settings) - 0.4, -0.6)
    axis.grid(visible=True, axis="x")
    name_axes(axis, panel, "Error above the oracle's (%)", "")
    return legend
