"""Draw panels about rivals: every method against ours in every setting, and times."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from unround.arrays import FloatArray
from unround.lab.plan import Panel
from unround.lab.registry import find_method, painter
from unround.lab.results import Results

from .comparison import OURS, POINTS, Against, against, seconds

if TYPE_CHECKING:  # trials need no matplotlib
    from matplotlib.axes import Axes

Legend = dict[str, Any]
# Blue: the rival is ahead. Orange: it is behind. Colours are full at these distances from ours.
AHEAD_OR_BEHIND = ("#0072B2", "#ffffff", "#E69F00")
TIMES = ("#ffffff", "#E69F00")
NONE = "#d0d0d0"
FULL_RATIO, FULL_POINTS = 2.0, 10.0
LETTERS = 6.3
SHORT = 6  # letters of a setting that fit above its column without being turned


def size_of(methods: int, settings: int) -> tuple[float, float]:
    """Return width and height in inches of such a table."""
    return 3.0 + 0.47 * settings, 1.6 + 0.22 * methods


@painter("against", size=size_of)
def paint_against(axis: Axes, panel: Panel, results: Results) -> Legend:
    """Draw a table of all methods by settings, coloured by how far each is from ours."""
    study, settings = results.study(panel.study), results.settings(panel.study)
    rows = {(r.setting, r.method): r for r in against(results.table, study, panel.metric)}
    shade = np.full((len(study.methods), len(settings)), np.nan)
    for down, method in enumerate(study.methods):
        for across, setting in enumerate(settings):
            row = rows.get((setting, method))
            if method == OURS:
                shade[down, across] = 0.0
                ours = results.summary.find(panel.study, setting, method, panel.metric)
                text = "" if ours is None else _absolute(ours.mean, panel.metric)
                _write(axis, across, down, text, bold=True)
            elif row is None:
                _write(axis, across, down, "–")
            else:
                shade[down, across] = _shade(row, panel.metric)
                bold = row.is_ahead and row.is_clear
                _write(axis, across, down, _relative(row, panel.metric), bold=bold)
    _table(axis, panel, shade, AHEAD_OR_BEHIND, (-1.0, 1.0))
    _name(axis, study.methods, settings)
    return {}


@painter("time", size=size_of)
def paint_time(axis: Axes, panel: Panel, results: Results) -> Legend:
    """Draw a table of process times by number of papers; grey where a method gave up."""
    study, settings = results.study(panel.study), results.settings(panel.study)
    taken = seconds(results.table, study)
    shade = np.full((len(study.methods), len(settings)), np.nan)
    for down, method in enumerate(study.methods):
        for across, setting in enumerate(settings):
            time = taken.get((setting, method))
            text = f"> {study.limit:g}" if time is None else _seconds(time)
            _write(axis, across, down, text)
            if time is not None:
                shade[down, across] = math.log10(max(time, 1e-3))
    _table(axis, panel, shade, TIMES, (-3.0, math.log10(study.limit or 1.0) + 0.3))
    labels = [setting.rpartition(" = ")[2] for setting in settings]
    _name(axis, study.methods, labels)
    axis.set_xlabel(study.axis)
    return {}


def _table(
    axis: Axes,
    panel: Panel,
    shade: FloatArray,
    colours: Sequence[str],
    limits: tuple[float, float],
) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    # Long names are a little wider in print than where they are laid out.
    axis.figure.set_layout_engine("constrained", w_pad=0.2, h_pad=0.16)
    shown = LinearSegmentedColormap.from_list("", colours).with_extremes(bad=NONE)
    axis.imshow(shade, cmap=shown, vmin=limits[0], vmax=limits[1], aspect="auto", alpha=0.75)
    axis.set_title(panel.title, loc="left")
    axis.grid(visible=False)


def _name(axis: Axes, methods: Sequence[str], settings: Sequence[str]) -> None:
    axis.set_yticks(range(len(methods)), [find_method(name).label for name in methods])
    upright = max(len(setting) for setting in settings) > SHORT
    axis.set_xticks(range(len(settings)), settings, rotation=90 if upright else 0)
    axis.tick_params(length=0, labelsize=7.5)
    for side in axis.spines.values():
        side.set_visible(False)


def _write(axis: Axes, across: int, down: int, text: str, *, bold: bool = False) -> None:
    weight = "bold" if bold else "normal"
    axis.text(across, down, text, ha="center", va="center", fontsize=LETTERS, fontweight=weight)


def _shade(row: Against, metric: str) -> float:
    if metric in POINTS:
        return max(-1.0, min(1.0, row.difference / FULL_POINTS))
    ratio = max(1.0 + row.difference / 100.0, 1e-6)
    return max(-1.0, min(1.0, math.log(ratio) / math.log(FULL_RATIO)))


def _absolute(mean: float, metric: str) -> str:
    """Show our own number: points as they are, shares of pairs per 10,000."""
    return f"{mean:.1f}" if metric in POINTS else f"{10_000 * mean:.0f}"


def _relative(row: Against, metric: str) -> str:
    if metric in POINTS:
        return f"{row.mean:.1f}"
    percent = round(row.difference)
    return f"{percent:+d}".replace("-", "−") if percent else "0"


def _seconds(time: float) -> str:
    return "<.01" if time < 0.01 else f"{time:.2f}" if time < 1.0 else f"{time:.1f}"
