"""Measure the process time of one method alone, and stop it when its time is up."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time
from types import FrameType

from unround.lab.registry import find_data, find_method
from unround.lab.study import Setting
from unround.lab.trials.case import Case
from unround.lab.trials.sample import Sample

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
