"""Register data sets, methods and metrics by name: ours, and those of a researcher's file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.lab.study_file import blaming
from unround.simulate import Conference

if TYPE_CHECKING:
    from unround.lab.pages.document import Block
    from unround.lab.results.summary import Results
    from unround.lab.trials.case import Case, Estimate, Sample

    Draw = Callable[..., Sample | Conference]
    Restore = Callable[[Case], Estimate | FloatArray]
    Measure = Callable[[Case, FloatArray], float]
    Section = Callable[[Results], Iterable[Block]]

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class DataSet:
    """A named function of (trial, parameters) that draws a conference."""

    name: str
    draw: Draw
    needs_scores: bool  # takes the user's table of scores as `scores`

    def sample(self, trial: int, parameters: Mapping[str, Any]) -> Sample:
        """Draw a conference."""
        from unround.lab.trials.case import Sample

        with blaming("data set", self.name, self.draw):
            drawn = self.draw(trial, **parameters)
            if not isinstance(drawn, Sample | Conference):
                raise TypeError(f"must return a Conference or a Sample, not {type(drawn).__name__}")
        return drawn if isinstance(drawn, Sample) else Sample(drawn, seed=trial)

    def complete(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return all parameters, those not given at their defaults."""
        known = {
            name: argument.default
            for name, argument in inspect.signature(self.draw).parameters.items()
            if name not in ("trial", "scores")
        }
        unknown = sorted(set(parameters) - set(known))
        if unknown:
            raise UsageError(
                f"the data set {self.name!r} has no parameter {unknown[0]!r}; "
                f"it has: {', '.join(known) or 'none'}"
            )
        return {**known, **parameters}


@dataclass(frozen=True)
class Method:
    """A named function that restores real-valued scores from scores and rankings."""

    name: str
    label: str
    restore: Restore

    def estimate(self, case: Case) -> Estimate:
        """Restore the scores of a case."""
        from unround.lab.trials.case import Estimate

        with blaming("method", self.name, self.restore):
            returned = self.restore(case)
            given = returned.scores if isinstance(returned, Estimate) else returned
            scores = np.asarray(given, dtype=np.float64)
            if scores.shape != case.truth.shape or not np.all(np.isfinite(scores)):
                raise ValueError(
                    f"must return one finite number per review ({case.truth.size}), "
                    f"not {_described(scores)}"
                )
        if isinstance(returned, Estimate):
            return replace(returned, scores=scores)
        return Estimate(scores)


@dataclass(frozen=True)
class Metric:
    """A named function that measures how far scores of reviews, or of papers, are from the truth."""

    name: str
    label: str
    measure: Measure
    of_papers: bool = False

    def value(self, case: Case, estimate: Estimate) -> float:
        """Measure an estimate of a case."""
        with blaming("metric", self.name, self.measure):
            measured = estimate.by_paper(case) if self.of_papers else estimate.scores
            sample = case.sample
            rows = sample.counted if self.of_papers else sample.counted_reviews()
            return float(self.measure(case.counted, measured if rows is None else measured[rows]))


@dataclass(frozen=True)
class Painter:
    """A kind of panel: a function that draws it, and the size of a figure that it fills by itself."""

    paint: Callable[..., dict[str, Any]]
    size: Callable[[int, int], tuple[float, float]] | None = None  # of (methods, settings), inches


_DATA: dict[str, DataSet] = {}
_METHODS: dict[str, Method] = {}
_METRICS: dict[str, Metric] = {}
_PAINTERS: dict[str, Painter] = {}
_SECTIONS: dict[str, Section] = {}
_OURS = (
    "unround.lab.catalogue.datasets",
    "unround.lab.catalogue.unruly",
    "unround.lab.catalogue.asked",
    "unround.lab.catalogue.recovered",
    "unround.lab.catalogue.methods",
    "unround.lab.catalogue.metrics",
)


def data(name: str, *, needs_scores: bool = False) -> Callable[[Function], Function]:
    """Register a function (trial, *, parameters ..) -> Sample or Conference as a data set."""

    def register(function: Function) -> Function:
        _DATA[name] = DataSet(name, function, needs_scores)
        return function

    return register


def method(name: str, label: str = "") -> Callable[[Function], Function]:
    """Register a function (case) -> scores or Estimate(scores, lam) as a method."""

    def register(function: Function) -> Function:
        _METHODS[name] = Method(name, label or name, function)
        return function

    return register


def metric(
    name: str, label: str = "", *, of_papers: bool = False
) -> Callable[[Function], Function]:
    """Register a function (case, scores) -> number as a metric; smaller is better.

    With `of_papers` it is given one number per paper, by ascending id, instead of one per review.
    """

    def register(function: Function) -> Function:
        _METRICS[name] = Metric(name, label or name, function, of_papers)
        return function

    return register


def painter(
    kind: str, *, size: Callable[[int, int], tuple[float, float]] | None = None
) -> Callable[[Function], Function]:
    """Register a function (axis, panel, results) -> legend as a kind of panel.

    `size` is for panels that are tables: the width and height of their figure, in inches, from the
    number of methods and of settings.
    """

    def register(function: Function) -> Function:
        _PAINTERS[kind] = Painter(function, size)
        return function

    return register


def section(name: str) -> Callable[[Function], Function]:
    """Register a function (results) -> blocks as a section of the report."""

    def register(function: Function) -> Function:
        _SECTIONS[name] = function
        return function

    return register


def find_painter(kind: str) -> Painter:
    """Return the painter of a kind of panel."""
    import_module("unround.lab.figures.panels")  # only here: they need matplotlib
    if kind not in _PAINTERS:
        raise UsageError(f"there is no panel {kind!r}; there are: {', '.join(sorted(_PAINTERS))}")
    return _PAINTERS[kind]


def sections() -> list[Section]:
    """Return the sections that researchers' files add to the report."""
    return list(_SECTIONS.values())


def find_data(name: str) -> DataSet:
    """Return the data set of a name."""
    return _named(_DATA, name, "data set")


def find_method(name: str) -> Method:
    """Return the method of a name."""
    return _named(_METHODS, name, "method")


def find_metric(name: str) -> Metric:
    """Return the metric of a name."""
    return _named(_METRICS, name, "metric")


Entry = TypeVar("Entry", DataSet, Method, Metric)


def _named(entries: dict[str, Entry], name: str, kind: str) -> Entry:
    for module in _OURS:
        import_module(module)
    if name not in entries:
        raise UsageError(f"there is no {kind} {name!r}; there are: {', '.join(sorted(entries))}")
    return entries[name]


def _described(scores: FloatArray) -> str:
    if np.all(np.isfinite(scores)):
        return f"an array of shape {scores.shape}"
    return f"{int(np.sum(~np.isfinite(scores)))} that are not finite"
