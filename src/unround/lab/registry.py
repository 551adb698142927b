"""The registry of data sets, methods, metrics and more by name: ours, and those of researchers' files."""

from __future__ import annotations

import hashlib
import inspect
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from unround.arrays import FloatArray
from unround.errors import UsageError
from unround.simulate import Conference

if TYPE_CHECKING:
    from unround.lab.pages.document import Block
    from unround.lab.results import Results
    from unround.lab.trials.case import Case, Estimate, Sample

    Draw = Callable[..., Sample | Conference]
    Restore = Callable[[Case], Estimate | FloatArray]
    Measure = Callable[[Case, FloatArray], float]
    Section = Callable[[Results], Iterable[Block]]

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class DataSet:
    """A named function that draws a conference, given the trial's number and parameters."""

    name: str
    draw: Draw
    needs_scores: bool  # whether it takes the user's table of scores, as `scores`

    def sample(self, trial: int, parameters: Mapping[str, Any]) -> Sample:
        """Draw a conference."""
        from unround.lab.trials.case import Sample

        with naming_failure("data set", self.name, self.draw):
            drawn = self.draw(trial, **parameters)
            if not isinstance(drawn, Sample | Conference):
                raise TypeError(f"must return a Conference or a Sample, not {type(drawn).__name__}")
        return drawn if isinstance(drawn, Sample) else Sample(drawn, seed=trial)

    def complete(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return all parameters, with defaults for those not given."""
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

        with naming_failure("method", self.name, self.restore):
            returned = self.restore(case)
            given = returned.scores if isinstance(returned, Estimate) else returned
            scores = np.asarray(given, dtype=np.float64)
            if scores.shape != case.truth.shape or not np.all(np.isfinite(scores)):
                raise ValueError(
                    f"must return one finite number per review ({case.truth.size}), "
                    f"not {_description(scores)}"
                )
        if isinstance(returned, Estimate):
            return replace(returned, scores=scores)
        return Estimate(scores)


@dataclass(frozen=True)
class Metric:
    """A named function that measures how far scores, of reviews or papers, are from the truth."""

    name: str
    label: str
    measure: Measure
    of_papers: bool = False

    def value(self, case: Case, estimate: Estimate) -> float:
        """Measure an estimate of a case."""
        with naming_failure("metric", self.name, self.measure):
            measured = estimate.by_paper(case) if self.of_papers else estimate.scores
            sample = case.sample
            rows = sample.counted if self.of_papers else sample.counted_reviews()
            return float(self.measure(case.counted, measured if rows is None else measured[rows]))


@dataclass(frozen=True)
class Painter:
    """A kind of panel: the function that draws it, and the size of a figure that it fills alone."""

    paint: Callable[..., dict[str, Any]]
    size: Size | None = None


# What is registered, by its kind and its name; and the modules that register what comes with unround.
_ENTRIES: dict[str, dict[str, Any]] = {}
_HOMES = {
    "data set": "unround.lab.catalogue.conferences",
    "method": "unround.lab.catalogue.methods",
    "metric": "unround.lab.catalogue.metrics",
    "panel": "unround.lab.figures.panels",  # needs matplotlib
}


Size = Callable[[int, int], tuple[float, float]]


def data(name: str, *, needs_scores: bool = False) -> Callable[[Function], Function]:
    """Register a function of the trial and of named parameters as a data set: a Sample or Conference."""
    return _registering("data set", name, lambda function: DataSet(name, function, needs_scores))


def method(name: str, label: str = "") -> Callable[[Function], Function]:
    """Register a function (case) -> scores or Estimate(scores, lam) as a method."""
    return _registering("method", name, lambda function: Method(name, label or name, function))


def metric(
    name: str, label: str = "", *, of_papers: bool = False
) -> Callable[[Function], Function]:
    """Register a function (case, scores) -> number as a metric; smaller is better.

    With `of_papers` it gets one number per paper, by ascending id, instead of one per review.
    """
    return _registering("metric", name, lambda f: Metric(name, label or name, f, of_papers))


def painter(kind: str, *, size: Size | None = None) -> Callable[[Function], Function]:
    """Register a function (axis, panel, results) -> legend as a kind of panel.

    `size` is for panels that are tables: the width and height of their figure, in inches, from the
    number of methods and of settings.
    """
    return _registering("panel", kind, lambda function: Painter(function, size))


def section(name: str) -> Callable[[Function], Function]:
    """Register a function (results) -> blocks as a section of the report."""
    return _registering("section", name, lambda function: function)


def _registering(
    kind: str, name: str, entry: Callable[[Any], Any]
) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        _ENTRIES.setdefault(kind, {})[name] = entry(function)
        return function

    return register


def sections() -> list[Section]:
    """Return the sections that researchers' files add to the report."""
    return list(_ENTRIES.get("section", {}).values())


def find_data(name: str) -> DataSet:
    """Return a data set by its name."""
    return cast(DataSet, _named("data set", name))


def find_method(name: str) -> Method:
    """Return a method by its name."""
    return cast(Method, _named("method", name))


def find_metric(name: str) -> Metric:
    """Return a metric by its name."""
    return cast(Metric, _named("metric", name))


def find_painter(kind: str) -> Painter:
    """Return the painter of a kind of panel."""
    return cast(Painter, _named("panel", kind))


def _named(kind: str, name: str) -> object:
    import_module(_HOMES[kind])
    entries = _ENTRIES[kind]
    if name not in entries:
        raise UsageError(f"there is no {kind} {name!r}; there are: {', '.join(sorted(entries))}")
    return entries[name]


def _description(scores: FloatArray) -> str:
    if np.all(np.isfinite(scores)):
        return f"an array of shape {scores.shape}"
    return f"{int(np.sum(~np.isfinite(scores)))} that are not finite"


def load_file(path: Path) -> ModuleType:
    """Run a researcher's file once, which registers its data sets, methods and metrics.

    An `__init__.py` makes its folder a package, whose modules may import one another.
    """
    return _loaded(path.resolve(), file_digest(path))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of all modules of the package whose `__init__.py` it is."""
    digest = hashlib.sha256()
    try:
        for part in sorted(path.parent.glob("*.py")) if _is_package(path) else [path]:
            digest.update(part.read_bytes())
        return digest.hexdigest()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


@contextmanager
def naming_failure(kind: str, name: str, function: Callable[..., Any]) -> Iterator[None]:
    """Turn an error in a researcher's function into a message with file and line; ours pass through."""
    try:
        yield
    except Exception as error:
        if function.__module__.startswith("unround."):
            raise
        code = inspect.unwrap(function).__code__
        raise UsageError(
            _failed(f"the {kind} {name!r}", error, code.co_filename, code.co_firstlineno)
        ) from error


@cache
def _loaded(path: Path, digest: str) -> ModuleType:
    name = f"unround_study_{digest[:12]}"
    inside = [str(path.parent)] if _is_package(path) else None
    spec = spec_from_file_location(name, path, submodule_search_locations=inside)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path.name} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise UsageError(_failed("the file", error, str(path), 1)) from error
    return module


def _is_package(path: Path) -> bool:
    return path.name == "__init__.py"


def _failed(what: str, error: Exception, file: str, first: int) -> str:
    """Return a message: what failed, the last line reached in the file, and the error."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [first, *(frame.lineno for frame in frames if frame.filename == file)]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines.append(error.lineno)
    reason = str(error) if isinstance(error, UsageError) else f"{type(error).__name__}: {error}"
    return f"{what} failed at {Path(file).name}, line {lines[-1]}: {reason}"
