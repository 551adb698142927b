"""Run one trial of one setting: every method on one conference -> rows of numbers."""

from __future__ import annotations

import hashlib
import json
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

from unround.arrays import FloatArray
from unround.lab.catalogue.intervals import INTERVALS
from unround.lab.registry import find_data, find_method, find_metric
from unround.lab.study import Setting, Study
from unround.lab.study_file import file_digest, load_file
from unround.lab.trials.case import Case, Sample
from unround.lab.trials.versions import code_digest, versions
from unround.uncertainty.posterior import NotMixed

CURVE = "curve: "
RELIABILITY = CURVE + "reliability"
REFUSED = "refused"  # a metric: there is no number, since chains did not mix or time was up


@dataclass(frozen=True)
class Row:
    """One number: a method's value by one metric, and the λ behind it or its place along a curve."""

    method: str
    metric: str
    value: float
    lam: float | None


@dataclass(frozen=True)
class Trial:
    """What to run: a setting, the number of the trial, and the methods and metrics of its study."""

    setting: Setting
    number: int
    methods: tuple[str, ...]
    metrics: tuple[str, ...]
    curves: tuple[str, ...]
    intervals: tuple[str, ...] = ()
    sources: tuple[Path, ...] = ()
    limit: float | None = None

    @classmethod
    def of(
        cls,
        study: Study,
        setting: Setting,
        number: int,
        sources: Sequence[Path],
    ) -> Trial:
        """Make a trial of a study."""
        return cls(
            setting,
            number,
            tuple(study.methods),
            tuple(study.metrics),
            tuple(study.curves),
            tuple(study.intervals),
            tuple(sources),
            study.limit,
        )

    def key(self, scores_digest: str) -> str:
        """Return the digest of everything that the result follows from."""
        parts: list[Any] = [
            self.setting.identity,
            self.number,
            self.methods,
            self.metrics,
            self.curves,
            self.intervals,
            self.limit,
            [file_digest(path) for path in (*self.sources, *self._named_files())],
            scores_digest if self.setting.needs_scores else "",
            versions(),
            code_digest(),
        ]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]

    def _named_files(self) -> list[Path]:
        """Return the files that parameters name: when they change, so does the result."""
        values = self.setting.parameters.values()
        named = [Path(value) for value in values if isinstance(value, str) and value]
        inside = [path for folder in named if folder.is_dir() for path in sorted(folder.iterdir())]
        return [path for path in (*named, *inside) if path.is_file()]


@dataclass(frozen=True)
class Outcome:
    """The rows of a finished trial and the seed that it was drawn with."""

    seed: int
    rows: tuple[Row, ...]


def run_trial(trial: Trial, scores: FloatArray | None) -> Outcome:
    """Draw the conference, run every method, measure."""
    for path in trial.sources:
        load_file(path)
    if trial.limit is not None and not trial.metrics:
        rows_of_time = (_timed(trial, name, trial.limit) for name in trial.methods)
        return Outcome(trial.number, tuple(rows_of_time))
    sample = _drawn(trial, scores)
    case = Case(
        sample,
        epsilon=trial.setting.epsilon,
        conflicts=trial.setting.conflicts,
    )
    rows: list[Row] = []
    for name in trial.methods:
        measure = partial(_of_method, case, name, trial.metrics, trial.limit)
        rows += _unless_refused(name, measure)
    for name in trial.intervals:
        rows += _unless_refused(name, partial(_of_interval, case, name))
    for name in trial.curves:
        rows += _unless_refused(CURVE + name, partial(_of_curve, case, name))
    return Outcome(sample.seed, tuple(rows))


def _timed(trial: Trial, name: str, limit: float) -> Row:
    """Return what a method took, or that it gave up."""
    taken = seconds_of(name, trial.setting, trial.number, limit)
    return Row(name, REFUSED, 1.0, None) if taken is None else Row(name, SECONDS, taken, None)


def _unless_refused(name: str, measure: Callable[[], list[Row]]) -> list[Row]:
    """Return what was measured, or that a method refused: it is then left out, and counted."""
    try:
        return measure()
    except (NotMixed, OutOfTime):
        return [Row(name, REFUSED, 1.0, None)]


def _of_method(case: Case, name: str, metrics: Sequence[str], limit: float | None) -> list[Row]:
    with stopping_after(limit):
        estimate = find_method(name).estimate(case)
    return [
        Row(name, metric, find_metric(metric).value(case, estimate), estimate.lam)
        for metric in metrics
    ]


def _of_interval(case: Case, name: str) -> list[Row]:
    found = INTERVALS[name].of(case)
    return [Row(name, "coverage", found.coverage, None), Row(name, "width", found.width, None)]


def _of_curve(case: Case, name: str) -> list[Row]:
    return _reliability(case) if name == "reliability" else _errors(case, name)


def _errors(case: Case, name: str) -> list[Row]:
    curve = case.validation if name == "validation" else case.original
    pairs = zip(curve.lam.tolist(), curve.error.tolist(), strict=True)
    return [Row(CURVE + name, "kendall", error, lam) for lam, error in pairs]


def _reliability(case: Case) -> list[Row]:
    found = reliability(case)._asdict()
    return [
        Row(RELIABILITY, metric, value, number / BINS)
        for metric, values in found.items()
        for number, value in enumerate(values.tolist())
    ]


def _drawn(trial: Trial, scores: FloatArray | None) -> Sample:
    source = find_data(trial.setting.data)
    given = {"scores": scores} if source.needs_scores else {}
    return source.sample(trial.number, {**given, **trial.setting.parameters})


BINS = 10
SHARE = 0.25  # of the papers there is room for


class Reliability(NamedTuple):
    """Papers by their probability, in bins of equal width."""

    papers: FloatArray  # how many
    expected: FloatArray  # sum of their probabilities
    inside: FloatArray  # how many are truly among the best


def reliability(case: Case) -> Reliability:
    """Compare the posterior's probabilities with the papers' true places."""
    quality = case.quality
    room = round(SHARE * quality.size)
    probability = case.posterior.p_top(room).sort("paper")["probability"].to_numpy()
    best = np.zeros(quality.size)
    best[np.argsort(-quality, kind="stable")[:room]] = 1.0
    place = np.minimum((probability * BINS).astype(np.int64), BINS - 1)
    counts, expected, inside = (
        np.bincount(place, weights=weights, minlength=BINS).astype(np.float64)
        for weights in (np.ones(quality.size), probability, best)
    )
    return Reliability(counts, expected, inside)


SECONDS = "seconds"  # a metric of its own: what a method took
WARM_UP = 12  # papers of a first conference, so that compiling is not measured


class OutOfTime(BaseException):
    """A method's time is up. No method may catch it, so that it is no Exception."""


def seconds_of(method: str, setting: Setting, trial: int, limit: float) -> float | None:
    """Return the process time from tables to scores, of all threads; None if it exceeds the limit."""
    source = find_data(setting.data)
    find_method(method).estimate(
        _case(setting, source.sample(trial, {**setting.parameters, "papers": WARM_UP}))
    )
    case = _case(setting, source.sample(trial, setting.parameters))
    start = process_time()
    try:
        with stopping_after(limit):
            find_method(method).estimate(case)
    except OutOfTime:
        return None
    taken = process_time() - start
    return taken if taken <= limit else None


def _case(setting: Setting, sample: Sample) -> Case:
    return Case(sample, epsilon=setting.epsilon, conflicts=setting.conflicts)


@contextmanager
def stopping_after(seconds: float | None) -> Iterator[None]:
    """Raise OutOfTime in the code inside when the process has used so many seconds; None: never.

    Compiled code is not interrupted, and where there is no such alarm (other systems, other threads
    than the main one) nothing is: the caller must look at the clock as well.
    """
    if seconds is None or not _has_alarm():
        yield
        return
    end = process_time() + seconds

    def stop(number: int, frame: FrameType | None) -> None:
        left = end - process_time()
        if left <= 0.0:
            raise OutOfTime
        signal.setitimer(signal.ITIMER_PROF, left)  # the alarm's clock ran ahead

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)


def _has_alarm() -> bool:
    in_main = threading.current_thread() is threading.main_thread()
    return in_main and hasattr(signal, "setitimer")
