"""A study: its data set, settings, methods and metrics."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unround.errors import UsageError
from unround.lab.catalogue.metrics import INTERVALS
from unround.lab.registry import find_data, find_method, find_metric
from unround.settings import Settings

CURVES = ("validation", "original", "reliability", "ranks")
# Parameters of a setting that are for the methods, not the data set.
METHOD_PARAMETERS = {"epsilon": Settings.epsilon, "conflicts": str(Settings.conflicts)}


@dataclass(frozen=True)
class Setting:
    """One point of a study: a data set with all its parameters, and a label."""

    label: str
    data: str
    parameters: Mapping[str, Any]
    epsilon: float
    conflicts: str

    @property
    def identity(self) -> str:
        """A text that is equal exactly for equal data and constraints, whatever the label."""
        return json.dumps(
            [self.data, dict(sorted(self.parameters.items())), self.epsilon, self.conflicts],
            ensure_ascii=False,
            default=str,
        )

    @property
    def needs_scores(self) -> bool:
        """Whether the user must give a table of scores."""
        return find_data(self.data).needs_scores


@dataclass(frozen=True)
class Study:
    """An experiment.

    - name: its name on the command line
    - title: its title in tables and figures
    - data: name of a data set
    - methods: names of methods
    - metrics: names of metrics
    - sweep: {parameter: its values}: one setting per value
    - settings: settings one by one, each {label, and parameters}; may name other `data`
    - fixed: parameters of every setting
    - symbol: how the swept parameter is written in labels and on the axis: σ
    - axis: the axis' label
    - curves: curves to record: over λ "validation", "original"; over P(accept) "reliability";
      over the posterior's draws "ranks", of true qualities among them
    - intervals: 90% intervals to check: "of-posterior", "of-scores", "of-calibration", "of-bootstrap"
    - trials: number of trials, if it is fixed
    - first: number of the first trial, which is the seed of its conference
    - limit: seconds of process time after which a method is stopped; without metrics, its time is measured
    """

    name: str
    title: str
    data: str
    methods: Sequence[str] = ()
    metrics: Sequence[str] = ("kendall",)
    sweep: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    settings: Sequence[Mapping[str, Any]] = ()
    fixed: Mapping[str, Any] = field(default_factory=dict)
    symbol: str = ""
    axis: str = ""
    curves: Sequence[str] = ()
    intervals: Sequence[str] = ()
    trials: int | None = None
    first: int = 0
    limit: float | None = None

    def __post_init__(self) -> None:
        if len(self.sweep) > 1:
            raise UsageError(f"study {self.name!r}: sweep one parameter; use settings for several")
        for names, known in ((self.curves, CURVES), (self.intervals, tuple(INTERVALS))):
            for name in names:
                if name not in known:
                    raise UsageError(
                        f"study {self.name!r}: {name!r} is not one of {', '.join(known)}"
                    )

    def points(self) -> list[Setting]:
        """Check all names, and return every setting in order."""
        for name in self.methods:
            find_method(name)
        for name in self.metrics:
            find_metric(name)
        swept = [
            {"label": f"{self.symbol or name} = {_shown(value)}", name: value}
            for name, values in self.sweep.items()
            for value in values
        ]
        points = [self._point(given) for given in [*swept, *self.settings] or [{}]]
        labels = [point.label for point in points]
        if len(set(labels)) < len(labels):
            raise UsageError(f"study {self.name!r}: two settings have the same label")
        return points

    def _point(self, given: Mapping[str, Any]) -> Setting:
        parameters = {**self.fixed, **given}
        label = str(parameters.pop("label", "default"))
        data = str(parameters.pop("data", self.data))
        chosen = {name: parameters.pop(name, value) for name, value in METHOD_PARAMETERS.items()}
        return Setting(
            label=label,
            data=data,
            parameters=find_data(data).complete(parameters),
            epsilon=float(chosen["epsilon"]),
            conflicts=str(chosen["conflicts"]),
        )


def _shown(value: object) -> str:
    if isinstance(value, float):
        return "∞" if value == float("inf") else f"{value:g}"
    return f"{value:,}" if isinstance(value, int) else str(value)
