"""What studies can name: data sets, methods and metrics, ours and those of a researcher's file."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.simulate import Conference

if TYPE_CHECKING:
    from unround.lab.trials.case import Answer, Case
    from unround.lab.trials.sample import Sample

    Draw = Callable[..., Sample | Conference]
    Restore = Callable[[Case], Answer | FloatArray]
    Measure = Callable[[Case, FloatArray], float]

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class DataSet:
    """A function of (trial, parameters) that draws a conference."""

    name: str
    draw: Draw
    needs_scores: bool  # takes the user's table of scores as `scores`

    def complete(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """All parameters, those not named at their defaults."""
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
    """A way from scores and rankings to real-valued scores."""

    name: str
    label: str
    restore: Restore


@dataclass(frozen=True)
class Metric:
    """How far scores are from the truth."""

    name: str
    label: str
    measure: Measure


_DATA: dict[str, DataSet] = {}
_METHODS: dict[str, Method] = {}
_METRICS: dict[str, Metric] = {}
_OURS = (
    "unround.lab.catalogue.datasets",
    "unround.lab.catalogue.unruly",
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
    """Register a function (case) -> scores, or Answer(scores, lam), as a method."""

    def register(function: Function) -> Function:
        _METHODS[name] = Method(name, label or name, function)
        return function

    return register


def metric(name: str, label: str = "") -> Callable[[Function], Function]:
    """Register a function (case, scores) -> number as a metric; smaller is better."""

    def register(function: Function) -> Function:
        _METRICS[name] = Metric(name, label or name, function)
        return function

    return register


def find_data(name: str) -> DataSet:
    """The data set of a name."""
    return _found(_DATA, name, "data set")


def find_method(name: str) -> Method:
    """The method of a name."""
    return _found(_METHODS, name, "method")


def find_metric(name: str) -> Metric:
    """The metric of a name."""
    return _found(_METRICS, name, "metric")


def load_file(path: Path) -> ModuleType:
    """Run a researcher's file once, so that what it registers can be named."""
    return _loaded(path.resolve(), file_digest(path))


def file_digest(path: Path) -> str:
    """What tells one version of a file from another."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as problem:
        raise UsageError(f"{path} cannot be read: {problem.strerror}") from problem


@cache
def _loaded(path: Path, digest: str) -> ModuleType:
    name = f"unround_study_{digest[:12]}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path.name} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


Entry = TypeVar("Entry", DataSet, Method, Metric)


def _found(entries: dict[str, Entry], name: str, kind: str) -> Entry:
    for module in _OURS:
        import_module(module)
    if name not in entries:
        raise UsageError(f"there is no {kind} {name!r}; there are: {', '.join(sorted(entries))}")
    return entries[name]
