"""Progress of long work: the types of progress functions, and a progress bar."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from unround.wording import STAGES

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

# The name of the stage, how much of it is done, and how much there is.
StageProgress = Callable[[str, int, int], None]
# How much is done, and how much there is.
StepProgress = Callable[[int, int], None]

SECONDS_PER_LINE = 10.0


class ProgressBar:
    """Bars on standard error or in a notebook, one per stage.

    Where standard error goes to a file there are none; with `lines`, a line every ten seconds instead, as in
    a notebook without ipywidgets.
    """

    def __init__(self, *, quiet: bool = False, lines: bool = False) -> None:
        self._progress = None if quiet or not _may_be_seen() else _bars()
        self._lines = (lines or _in_notebook()) and not quiet and self._progress is None
        self._last_line = time.monotonic()
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> ProgressBar:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage has come."""
        if self._lines and time.monotonic() >= self._last_line + SECONDS_PER_LINE:
            self._last_line = time.monotonic()
            sys.stderr.write(f"{stage}: {done:,} of {total:,}\n")
        if self._progress is None:
            return
        if stage not in self._tasks:
            title = STAGES[stage].title if stage in STAGES else stage.capitalize()
            self._tasks[stage] = self._progress.add_task(title, total=total)
        self._progress.update(self._tasks[stage], completed=done, total=total)


def _may_be_seen() -> bool:
    """Return whether Rich might show a bar; otherwise it need not be loaded."""
    return sys.stderr.isatty() or "IPython" in sys.modules or "FORCE_COLOR" in os.environ


def _in_notebook() -> bool:
    """Return whether a notebook shows what is written."""
    return "ipykernel" in sys.modules


def _bars() -> Progress | None:
    """Return bars; None in a notebook without ipywidgets, which Rich needs there."""
    if _in_notebook() and find_spec("ipywidgets") is None:
        return None
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True, highlight=False, emoji=False)
    return Progress(
        TextColumn("{task.description:<18}", markup=False),
        BarColumn(bar_width=32),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not (console.is_terminal or console.is_jupyter),
    )


@contextmanager
def open_progress(progress: StageProgress | bool | None) -> Iterator[StageProgress]:
    """Yield a progress function: the caller's own, a bar for True, or one that does nothing."""
    if progress and not callable(progress):
        with ProgressBar() as bar:
            yield bar
    else:
        yield progress or no_progress


@contextmanager
def open_steps(progress: StepProgress | bool | None, stage: str) -> Iterator[StepProgress]:
    """Yield a progress function for one stage: the caller's own, a bar for True, or one that does nothing."""
    if callable(progress):
        yield progress
    else:
        with open_progress(progress) as report:
            yield partial(report, stage)


def no_progress(_stage: str, _done: int, _total: int) -> None:
    """Report nothing."""
