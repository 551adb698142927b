"""How long work tells how far it has come: the shapes of a progress function, and a bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from unround.glossary import STAGES

if TYPE_CHECKING:
    from rich.progress import TaskID

# The name of the stage, how much of it is done, and how much there is.
StageProgress = Callable[[str, int, int], None]
# How much is done, and how much there is.
StepProgress = Callable[[int, int], None]


class ProgressBar:
    """Bars on standard error or in a notebook, one per stage; nothing where nobody would see them."""

    def __init__(self, *, quiet: bool = False) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
        )

        console = Console(stderr=True, highlight=False)
        self._progress = Progress(
            TextColumn("{task.description:<18}"),
            BarColumn(bar_width=32),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=quiet or not (console.is_terminal or console.is_jupyter),
        )
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> ProgressBar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        """Show how far a stage has come."""
        if stage not in self._tasks:
            title = STAGES[stage].title if stage in STAGES else stage.capitalize()
            self._tasks[stage] = self._progress.add_task(title, total=total)
        self._progress.update(self._tasks[stage], completed=done, total=total)


@contextmanager
def told_progress(progress: StageProgress | bool | None) -> Iterator[StageProgress]:
    """Yield a function to tell progress to: the caller's, a bar for True, or one that does nothing."""
    if progress is True:
        with ProgressBar() as bar:
            yield bar
    else:
        yield progress or _nothing


def _nothing(_stage: str, _done: int, _total: int) -> None:
    pass
