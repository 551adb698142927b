"""Draw panels about decisions: coverage of intervals, and reliability of P(accept)."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes

from unround.lab.catalogue.intervals import INTERVALS, LEVEL
from unround.lab.figures.results import Results
from unround.lab.figures.style import BAND, INTERVAL_LOOKS, look_of
from unround.lab.plan import Panel
from unround.lab.registry import painter
from unround.lab.results.coverage import LEAST, MOST, reliability_bins

Legend = dict[str, Any]


@painter("coverage")
def paint_coverage(axis: Axes, panel: Panel, results: Results) -> Legend:
    """Draw the share of intervals that hold the truth, by setting, over the band of 85 to 95%."""
    study, settings = results.study(panel.study), results.settings(panel.study)
    axis.axhspan(100 * LEAST, 100 * MOST, color=BAND, zorder=0)
    axis.axhline(100 * LEVEL, color="#444444", linewidth=0.8, zorder=1)
    width = 0.8 / max(len(study.intervals), 1)
    legend: Legend = {}
    for number, name in enumerate(study.intervals):
        means = [results.summary.find(study.name, s, name, "coverage") for s in settings]
        places = np.arange(len(settings)) + width * (number - (len(study.intervals) - 1) / 2.0)
        look = INTERVAL_LOOKS[name]
        legend[INTERVALS[name].label] = axis.bar(
            places,
            [100 * mean.mean if mean else np.nan for mean in means],
            width=0.9 * width,
            yerr=[100 * mean.error if mean else np.nan for mean in means],
            color=look.colour,
            hatch=look.hatch,
            edgecolor="white",
            error_kw={"elinewidth": 1.0, "ecolor": "#222222"},
            zorder=2,
        )
    axis.set_xticks(range(len(settings)), [label.rpartition(" = ")[2] for label in settings])
    axis.set_ylim(0, 100)
    axis.set_yticks([0, 25, 50, 75, 90, 100])
    axis.set_title(panel.title, loc="left")
    axis.set_xlabel(study.axis)
    axis.set_ylabel("Hold the truth (%)")
    axis.set_axisbelow(True)
    return legend


@painter("reliability")
def paint_reliability(axis: Axes, panel: Panel, results: Results) -> Legend:
    """Draw the share truly among the best over their probability, with the number of papers."""
    bins = reliability_bins(results.table, panel.study)
    expected = [100 * one.expected for one in bins]
    inside = [100 * one.inside for one in bins]
    legend: Legend = {
        "As probable as said": axis.plot([0, 100], [0, 100], color="#888888", linewidth=0.8)[0],
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
    axis.set_title(panel.title, loc="left")
    axis.set_xlabel("P(among the best quarter), %")
    axis.set_ylabel("Truly among them (%)")
    axis.set_axisbelow(True)
    return legend
