"""A progress bar that is drawn between measurements and never during one."""

from __future__ import annotations

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn


class Steps:
    """Counts measurements. It draws only when told to: no thread runs beside what is timed."""

    def __init__(self, total: int) -> None:
        self._progress = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            auto_refresh=False,
        )
        self._task = self._progress.add_task("starting", total=total)

    def __enter__(self) -> Steps:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def start(self, what: str) -> None:
        """Say what is measured next."""
        self._progress.update(self._task, description=what)
        self._progress.refresh()

    def done(self) -> None:
        """One measurement is complete."""
        self._progress.advance(self._task)
        self._progress.refresh()
