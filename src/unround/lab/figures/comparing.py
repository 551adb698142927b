"""The two figures of a comparison: errors by method, and the error over λ."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Drawing

from unround.lab.compare import METHODS, Judgement, label_of
from unround.lab.figures.panels import LAMBDA
from unround.lab.figures.style import SELECTED, in_print, look_of, settled

KINDS = (("o", "#0072B2"), ("D", "#009E73"), ("s", "#D55E00"), ("^", "#CC79A7"))
ERROR = "Kendall-tau error against the original scores"


def draw_errors(judgement: Judgement) -> Drawing:
    """Draw the error of each method with its interval, by kind of rankings and policy."""
    with in_print():
        drawing, axis = _sheet(6.6, 3.9)
        handles: list[Any] = []
        for number, outcome in enumerate(judgement.at_first_levels):
            marker, colour = KINDS[number]
            names = [name for name in METHODS if name in outcome.estimates]
            errors = [outcome.resampled.error(name) for name in names]
            values = np.array([interval.value for interval in errors])
            ends = np.array([[i.value - i.low, i.high - i.value] for i in errors]).T
            places = np.array([METHODS.index(name) for name in names]) + 0.18 * number - 0.27
            handles.append(
                axis.errorbar(
                    values, places, xerr=np.maximum(ends, 0.0), marker=marker, color=colour,
                    linestyle="none", markersize=5, capsize=3, label=outcome.title,
                )
            )  # fmt: skip
        axis.set_yticks(range(len(METHODS)), [label_of(name) for name in METHODS])
        axis.set_ylim(len(METHODS) - 0.5, -0.5)
        axis.set_xlim(left=0.0)
        axis.grid(visible=True, axis="x")
        axis.set_xlabel(ERROR)
        labels = [outcome.title for outcome in judgement.at_first_levels]
        drawing.legend(handles, labels, loc="outside lower center", ncols=1)
        return settled(drawing)


def draw_curve(judgement: Judgement) -> Drawing:
    """Draw the error over λ, by kind of rankings and policy, and the λ that a run would select."""
    with in_print():
        drawing, axis = _sheet(5.6, 3.9)
        handles: list[Any] = []
        labels: list[str] = []
        for number, outcome in enumerate(judgement.at_first_levels):
            colour = KINDS[number][1]
            line = axis.plot(
                outcome.curve.lam, outcome.curve.error, color=colour, marker=".", linewidth=1
            )[0]
            handles.append(line)
            labels.append(outcome.title)
        curve = judgement.validation
        place = int(np.argmin(curve.error))
        handles.append(
            axis.plot(
                curve.lam[place], curve.error[place], "o", color=SELECTED, markersize=9,
                fillstyle="none", mew=1.8,
            )[0]
        )  # fmt: skip
        labels.append("λ that a run would select")
        coarse = judgement.main.resampled.errors["quantized"]
        handles.append(axis.axhline(coarse, color=look_of("quantized", []).colour, linestyle=":"))
        labels.append("coarse scores as they are")
        axis.set_xscale("log")
        axis.set_xlabel(LAMBDA)
        axis.set_ylabel("Kendall-tau error")
        drawing.legend(handles, labels, loc="outside lower center", ncols=1)
        return settled(drawing)


def _sheet(width: float, height: float) -> tuple[Drawing, Axes]:
    drawing = Drawing(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(drawing)
    return drawing, drawing.subplots()
