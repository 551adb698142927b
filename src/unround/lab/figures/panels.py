"""Panels: errors by setting, curves over λ, coverage of intervals, reliability."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, ScalarFormatter

from unround.lab.catalogue.metrics import INTERVAL_LABELS, INTERVAL_LEVEL
from unround.lab.figures.style import BAND, INTERVAL_BARS, OPTIMAL, SELECTED, look_of
from unround.lab.plan import Panel
from unround.lab.registry import find_method, find_metric, painter
from unround.lab.results import (
    LEAST_COVERAGE,
    MOST_COVERAGE,
    Results,
    reliability_bins,
)

Legend = dict[str, Any]
# An axis starts at 0 if its smallest value is below this share of its largest.
NEAR_ZERO = 0.25
LAMBDA = "Hyperparameter λ"


@painter("errors")
def paint_errors(axis: Axes, panel: Panel, results: Results) -> Legend:
    """Draw mean and standard error by setting, one line per method."""
    study, settings = results.study(panel.study), results.settings(panel.study)
    shown = list(study.methods)
    legend: Legend = {}
    for number, name in enumerate(shown):
        by_setting = [results.summary.find(study.name, s, name, panel.metric) for s in settings]
        means = [mean for mean in by_setting if mean is not None]
        look = look_of(name, shown)
        # Side by side, so that bars of equal means do not overlap.
        places = np.arange(len(means)) + 0.06 * (number - (len(shown) - 1) / 2.0)
        legend[find_method(name).label] = axis.errorbar(
            places,
            [mean.mean for mean in means],
            yerr=[mean.error for mean in means],
            color=look.colour,
            marker=look.marker,
            linestyle=look.line,
            markersize=4,
            linewidth=1.2,
            elinewidth=1.0,
            capsize=3.0,
        )
    name_axes(axis, panel, study.axis or study.symbol, find_metric(panel.metric).label)
    axis.set_xticks(range(len(settings)), [_value(label) for label in settings])
    axis.set_xlim(-0.35, len(settings) - 0.65)
    _start_at_zero_if_near(axis)
    return legend


@painter("curve")
def paint_curve(axis: Axes, panel: Panel, results: Results) -> Legend:
    """Draw the error over λ, with a circle at the validated λ and a diamond at the oracle's."""
    lam, error = results.curve(panel, panel.curve)
    look = look_of("proposed", [])
    legend: Legend = {
        "Error": axis.plot(lam, error, color=look.colour, marker=".", markersize=4, linewidth=1)[0]
    }
    by_validation, validation = results.curve(panel, "validation")
    chosen = int(np.argmin(validation))
    place = int(np.searchsorted(lam, by_validation[chosen]))
    legend["λ selected by validation"] = axis.plot(
        lam[place], error[place], "o", color=SELECTED, markersize=9, fillstyle="none", mew=1.8
    )[0]
    if panel.curve == "original":
        best = int(np.argmin(error))
        legend["λ best on the original data"] = axis.plot(
            lam[best], error[best], "D", color=OPTIMAL, markersize=6
        )[0]
    axis.set_xscale("log")
    name_axes(axis, panel, LAMBDA, "Kendall-tau error" + (" (log scale)" if panel.log else ""))
    if panel.log:
        _log_errors(axis)
    return legend


@painter("lambdas")
def paint_lambdas(axis: Axes, panel: Panel, results: Results) -> Legend:
    """Draw a histogram of the chosen λ, two steps of the grid per bar."""
    lams = results.summary.lams(panel.study, panel.setting, panel.method)
    steps = Counter((np.rint(4.0 * np.log(lams)).astype(int) // 2).tolist())
    places = np.exp(np.array(sorted(steps)) / 2.0)
    widths = places * (np.exp(0.5) - 1.0)
    counts = [steps[step] for step in sorted(steps)]
    colour = look_of("proposed", []).colour
    axis.bar(places, counts, width=0.92 * widths, align="edge", color=colour)
    axis.set_xscale("log")
    axis.set_xlim(0.8, np.exp(10.2))
    axis.yaxis.set_major_locator(MaxNLocator(integer=True, nbins=5))
    axis.set_ylim(0, max(10, *counts) + 0.5)
    name_axes(axis, panel, LAMBDA, f"Trials (of {lams.size})")
    return {}


def _start_at_zero_if_near(axis: Axes) -> None:
    """Start the axis at 0 unless that would hide the differences."""
    low, high = axis.get_ylim()
    if low < NEAR_ZERO * high:
        axis.set_ylim(bottom=0.0)


def name_axes(axis: Axes, panel: Panel, across: str, up: str) -> None:
    """Write the title and the labels of the axes."""
    axis.set_title(panel.title, loc="left")
    axis.set_xlabel(across)
    axis.set_ylabel(up)
    axis.set_axisbelow(True)


def _log_errors(axis: Axes) -> None:
    """Make the axis logarithmic, with enough labelled ticks to read it."""
    axis.set_yscale("log")
    axis.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 3.0, 5.0)))
    plain = ScalarFormatter()
    plain.set_scientific(False)
    axis.yaxis.set_major_formatter(plain)
    axis.yaxis.set_minor_formatter(NullFormatter())


def _value(label: str) -> str:
    """Shorten a setting's label for its tick: "σ = 0.5" to "0.5", "20,000" to "20k"."""
    value = label.rpartition(" = ")[2]
    return value.removesuffix(",000") + "k" if value.endswith(",000") else value


@painter("coverage")
def paint_coverage(axis: Axes, panel: Panel, results: Results) -> Legend:
    """Draw the share of intervals that contain the true value, by setting, over the band of 85 to 95%."""
    study, settings = results.study(panel.study), results.settings(panel.study)
    axis.axhspan(100 * LEAST_COVERAGE, 100 * MOST_COVERAGE, color=BAND, zorder=0)
    axis.axhline(100 * INTERVAL_LEVEL, color="#444444", linewidth=0.8, zorder=1)
    width = 0.8 / max(len(study.intervals), 1)
    legend: Legend = {}
    for number, name in enumerate(study.intervals):
        means = [results.summary.find(study.name, s, name, "coverage") for s in settings]
        places = np.arange(len(settings)) + width * (number - (len(study.intervals) - 1) / 2.0)
        colour, hatch = INTERVAL_BARS[name]
        legend[INTERVAL_LABELS[name]] = axis.bar(
            places,
            [100 * mean.mean if mean else np.nan for mean in means],
            width=0.9 * width,
            yerr=[100 * mean.error if mean else np.nan for mean in means],
            color=colour,
            hatch=hatch,
            edgecolor="white",
            error_kw={"elinewidth": 1.0, "ecolor": "#222222"},
            zorder=2,
        )
    axis.set_xticks(range(len(settings)), [label.rpartition(" = ")[2] for label in settings])
    axis.set_ylim(0, 100)
    axis.set_yticks([0, 25, 50, 75, 90, 100])
    name_axes(axis, panel, study.axis, "Contain the true value (%)")
    return legend


@painter("reliability")
def paint_reliability(axis: Axes, panel: Panel, results: Results) -> Legend:
    """Draw the share of papers truly among the best over their probability, with numbers of papers."""
    bins = reliability_bins(results.table, panel.study)
    expected = [100 * one.expected for one in bins]
    inside = [100 * one.inside for one in bins]
    legend: Legend = {
        "Perfectly calibrated": axis.plot([0, 100], [0, 100], color="#888888", linewidth=0.8)[0],
        "Papers of ten bins, ± 2 standard errors": axis.errorbar(
            expected,
            inside,
            yerr=[200 * one.error for one in bins],
            color=look_of("posterior", []).colour,
            marker="o",
            markersize=3.5,
            linestyle="none",
            elinewidth=1.0,
            capsize=2.5,
        ),
    }
    for one, across, up in zip(bins, expected, inside, strict=True):
        right = up <= across  # on the side away from the diagonal
        axis.annotate(
            f"{one.papers:,}",
            (across, up),
            xytext=(6, -5) if right else (-6, 0),
            textcoords="offset points",
            ha="left" if right else "right",
            fontsize=6.5,
            color="#444444",
        )
    axis.set_xlim(-4, 104)
    axis.set_ylim(-8, 108)
    name_axes(axis, panel, "P(among the best quarter), %", "Truly among them (%)")
    return legend
