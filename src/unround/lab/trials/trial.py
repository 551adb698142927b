"""Run one trial: every method on one drawn conference, and what was measured."""

from __future__ import annotations

import hashlib
import json
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import process_time
from types import FrameType
from typing import Any

import numpy as np

from unround.arrays import FloatArray
from unround.lab.catalogue.metrics import INTERVALS
from unround.lab.registry import file_digest, find_data, find_method, find_metric, load_file
from unround.lab.study import Setting, Study
from unround.lab.trials.case import Case, Sample
from unround.lab.trials.versions import code_digest, versions
from unround.uncertainty.posterior import NotMixed

CURVE = "curve: "
RELIABILITY = CURVE + "reliability"
RANKS = CURVE + "ranks"
REFUSED = "refused"  # a metric: no number, because chains did not mix or time was up


@dataclass(frozen=True)
class Measurement:
    """One number: a method's value by one metric, and the λ behind it or its place along a curve."""

    method: str
    metric: str
    value: float
    lam: float | None = None


@dataclass(frozen=True)
class Trial:
    """What to run: a study, one of its settings, and the number of the trial."""

    study: Study
    setting: Setting
    number: int
    sources: tuple[Path, ...] = ()  # the researcher's files, loaded wherever the trial runs

    def key(self, scores_digest: str) -> str:
        """Return the digest of everything that the result depends on."""
        study = self.study
        parts: list[Any] = [
            self.setting.identity,
            self.number,
            *map(list, (study.methods, study.metrics, study.curves, study.intervals)),
            study.limit,
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
class TrialResult:
    """The measurements of a finished trial, and the seed of its conference."""

    seed: int
    rows: tuple[Measurement, ...]


def run_trial(trial: Trial, scores: FloatArray | None) -> TrialResult:
    """Draw the conference, run every method, measure."""
    for path in trial.sources:
        load_file(path)
    study = trial.study
    if study.limit is not None and not study.metrics:
        times = (_time(name, trial.setting, trial.number, study.limit) for name in study.methods)
        return TrialResult(trial.number, tuple(times))
    sample = _draw(trial, scores)
    case = _case(trial.setting, sample)
    rows: list[Measurement] = []
    for name in study.methods:
        rows += _unless_refused(name, partial(_measure, case, name, study))
    for name in study.intervals:
        rows += _unless_refused(name, partial(_coverage, case, name))
    for name in study.curves:
        rows += _unless_refused(CURVE + name, partial(_curve, case, name))
    return TrialResult(sample.seed, tuple(rows))


def _unless_refused(name: str, measure: Callable[[], list[Measurement]]) -> list[Measurement]:
    """Return what was measured, or a mark that the method gave up: it is then left out, and counted."""
    try:
        return measure()
    except (NotMixed, OutOfTime):
        return [Measurement(name, REFUSED, 1.0)]


def _measure(case: Case, name: str, study: Study) -> list[Measurement]:
    with stopping_after(study.limit):
        estimate = find_method(name).estimate(case)
    return [
        Measurement(name, metric, find_metric(metric).value(case, estimate), estimate.lam)
        for metric in study.metrics
    ]


def _coverage(case: Case, name: str) -> list[Measurement]:
    intervals = INTERVALS[name](case)
    return [
        Measurement(name, "coverage", intervals.coverage),
        Measurement(name, "width", intervals.width),
    ]


def _curve(case: Case, name: str) -> list[Measurement]:
    if name == "reliability":
        return [
            Measurement(RELIABILITY, metric, value, number / BINS)
            for metric, values in reliability(case).items()
            for number, value in enumerate(values.tolist())
        ]
    if name == "ranks":
        counts = enumerate(ranks_of_truth(case).tolist())
        return [Measurement(RANKS, "papers", count, bin_ / BINS) for bin_, count in counts]
    curve = case.validation if name == "validation" else case.original
    pairs = zip(curve.lam.tolist(), curve.error.tolist(), strict=True)
    return [Measurement(CURVE + name, "kendall", error, lam) for lam, error in pairs]


def _draw(trial: Trial, scores: FloatArray | None) -> Sample:
    source = find_data(trial.setting.data)
    given = {"scores": scores} if source.needs_scores else {}
    return source.sample(trial.number, {**given, **trial.setting.parameters})


def _case(setting: Setting, sample: Sample) -> Case:
    return Case(sample, epsilon=setting.epsilon, conflicts=setting.conflicts)


BINS = 10
SHARE = 0.25  # of the papers there is room for


def reliability(case: Case) -> dict[str, FloatArray]:
    """Compare the posterior's probabilities with the papers' true places, in bins of equal width.

    Return how many papers each bin holds, the sum of their probabilities, and how many are truly inside.
    """
    quality = case.quality
    room = round(SHARE * quality.size)
    probability = case.posterior.p_top(room).sort("paper")["probability"].to_numpy()
    best = np.zeros(quality.size)
    best[np.argsort(-quality, kind="stable")[:room]] = 1.0
    place = np.minimum((probability * BINS).astype(np.int64), BINS - 1)
    weighted = {"papers": np.ones(quality.size), "expected": probability, "inside": best}
    return {
        name: np.bincount(place, weights=weights, minlength=BINS).astype(np.float64)
        for name, weights in weighted.items()
    }


def ranks_of_truth(case: Case) -> FloatArray:
    """Count the papers by the share of the posterior's draws below their true quality, in ten bins.

    Where truth and data come from the model, all bins hold equally many on average.
    """
    below = case.posterior.share_below(case.quality)
    bins = np.minimum((below * BINS).astype(np.int64), BINS - 1)
    return np.bincount(bins, minlength=BINS).astype(np.float64)


SECONDS = "seconds"  # a metric: the process time of a method
WARM_UP = 12  # papers of a first conference, so that compiling is not measured


class OutOfTime(BaseException):
    """A method's time is up; not an Exception, so that no method catches it."""


def _time(method: str, setting: Setting, trial: int, limit: float) -> Measurement:
    """Measure the process time of all threads from tables to scores, or mark that it exceeds the limit."""
    source, estimate = find_data(setting.data), find_method(method).estimate
    estimate(_case(setting, source.sample(trial, {**setting.parameters, "papers": WARM_UP})))
    case = _case(setting, source.sample(trial, setting.parameters))
    start = process_time()
    with suppress(OutOfTime), stopping_after(limit):
        estimate(case)
    taken = process_time() - start
    return Measurement(method, *((SECONDS, taken) if taken <= limit else (REFUSED, 1.0)))


@contextmanager
def stopping_after(seconds: float | None) -> Iterator[None]:
    """Raise OutOfTime inside the block after so many seconds of process time; None: never.

    Compiled code is not interrupted, nor is anything on systems without interval timers or outside
    the main thread: the caller must check the time as well.
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
