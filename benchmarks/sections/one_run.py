"""Section: what a process pays for `unround run` on a conference of usual size, part by part."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.harness.bench import Bench
from benchmarks.harness.fresh import Fresh
from benchmarks.harness.machine import every_core
from benchmarks.harness.plan import FIRST_RUN_TARGET, LATER_RUN_TARGET, Plan
from benchmarks.harness.report import Section, Table, seconds, verdict
from benchmarks.harness.timing import best_of

TITLE = "One `unround run`"
HEAD = ("process", "time", "target", "met")
PARTS_HEAD = ("part of a later run on every core", "time", "share")
REST = "interpreter, command line, end of the process"
METHOD = """\
Wall time of a whole process, interpreter included and nothing subtracted. It reads two CSV files of
8,000 reviews and their rankings and writes all files and the page. `unround warm` compiled the kernels
and Python its bytecode beforehand, as in an installed package. `unround --help` loads every command,
and `unround check` finds the issues of the same files.

The parts are those of a process that does the same work step by step; loading kernels is what the
first call of `dequantize` takes beyond the second. What is left of the whole process is the last line."""


def steps(plan: Plan) -> int:
    return 6


def measure(bench: Bench) -> Section:
    work = _Work(bench.fresh)
    rows = [
        _row(bench, "first `unround run` after `unround warm`", work.run, FIRST_RUN_TARGET, 1),
        _row(bench, "later `unround run`, on one core", work.run, LATER_RUN_TARGET),
    ]
    with every_core():
        later = _row(bench, "later `unround run`, on every core", work.run, LATER_RUN_TARGET)
        rows += [
            later,
            _row(bench, "`unround check`", work.check),
            _row(bench, "`unround --help`", work.help),
        ]
        parts = _parts(bench, work)
    return Section(
        TITLE, (METHOD, Table(HEAD, [cells for _, cells in rows]), _table(parts, later[0]))
    )


def _row(
    bench: Bench,
    name: str,
    work: Callable[[], object],
    target: float | None = None,
    repeats: int | None = None,
) -> tuple[float, tuple[str, ...]]:
    bench.progress.start(name)
    best = best_of(repeats or bench.plan.repeats, work).seconds
    bench.progress.done()
    told = ("", "") if target is None else (seconds(target), verdict(best, target))
    return best, (name, seconds(best), *told)


def _parts(bench: Bench, work: _Work) -> dict[str, float]:
    """Return the shortest time of each part."""
    bench.progress.start("parts of a run")
    measured = [work.parts() for _ in range(bench.plan.repeats)]
    bench.progress.done()
    return {name: min(one[name] for one in measured) for name in measured[0]}


def _table(parts: dict[str, float], whole: float) -> Table:
    every = {**parts, REST: max(whole - sum(parts.values()), 0.0)}
    total = sum(every.values())
    rows = [(name, seconds(time), f"{time / total:.0%}") for name, time in every.items()]
    return Table(PARTS_HEAD, rows)


class _Work:
    """Commands on the files of one conference, each in a fresh interpreter."""

    def __init__(self, fresh: Fresh) -> None:
        self._fresh = fresh
        files = fresh.folder / "conference"
        self._files = [files / "reviews.csv", files / "rankings.csv"]
        self._unround("simulate", "--papers", "2000", "--seed", "1", "-o", files)
        self._unround("warm", "--quiet")

    def run(self) -> None:
        """`unround run`, everything compiled by `unround warm`."""
        reviews, rankings = self._files
        out = self._fresh.folder / "run"
        self._unround("run", reviews, "--rankings", rankings, "--force", "--quiet", "-o", out)

    def check(self) -> None:
        """`unround check`."""
        reviews, rankings = self._files
        self._unround("check", reviews, "--rankings", rankings)

    def help(self) -> None:
        """`unround --help`."""
        self._unround("--help")

    def parts(self) -> dict[str, float]:
        """The seconds of each part of a run."""
        out = self._fresh.folder / "run"
        return self._fresh.probe("parts_of_a_run", *self._files, out, numba_cache="warm")

    def _unround(self, *arguments: object) -> None:
        self._fresh.run(["-m", "unround", *map(str, arguments)], numba_cache="warm")
