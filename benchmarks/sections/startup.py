"""Section: what a process pays before its first score: import, compilation, loading kernels."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.cases.conferences import published, with_stated_pairs, write
from benchmarks.harness.bench import Bench
from benchmarks.harness.fresh import Fresh
from benchmarks.harness.plan import (
    FIRST_CALL_TARGET,
    IMPORT_TARGET,
    LATER_CALL_TARGET,
    Plan,
)
from benchmarks.harness.progress import Steps
from benchmarks.harness.report import Section, Table, seconds, verdict
from benchmarks.harness.timing import best_of

TITLE = "Starting up"
HEAD = ("fresh process", "time", "target", "met")
HEAVY = ("numba", "polars", "scipy", "numpy", "narwhals")
METHOD = """\
Wall time of a whole process, interpreter included and nothing subtracted. Python's bytecode is
compiled beforehand, as in an installed package. A call reads 240 reviews from disk and runs
`dequantize(lam="auto")`. "First ever" starts with an empty Numba cache each time; "later" finds the
kernels there. Stated pairs need the kernels for posets besides those for rankings."""
LOADED = "import sys, unround; print(*[name for name in {names!r} if name in sys.modules])"


def steps(plan: Plan) -> int:
    return 6


def measure(bench: Bench) -> Section:
    plan, fresh, progress = bench.plan, bench.fresh, bench.progress
    ranked = published(60)
    rows = [
        _row("an interpreter that does nothing", _Program(fresh, "pass"), plan.repeats, progress),
        _row(
            "`import unround`",
            _Program(fresh, "import unround"),
            plan.repeats,
            progress,
            IMPORT_TARGET,
        ),
    ]
    for name, conference in (("rankings", ranked), ("stated pairs", with_stated_pairs(ranked))):
        write(conference, fresh.folder / name)
        call = _Call(fresh, name)
        first, later = f"first ever call, {name}", f"later call, {name}"
        often = plan.repeats_of_first_call
        rows.append(_row(first, call.first, often, progress, FIRST_CALL_TARGET))
        rows.append(_row(later, call.later, plan.repeats, progress, LATER_CALL_TARGET))
    return Section(TITLE, (METHOD, Table(HEAD, rows), _loaded(fresh)))


def _row(
    name: str,
    work: Callable[[], object],
    repeats: int,
    progress: Steps,
    target: float | None = None,
) -> tuple[str, ...]:
    progress.start(name)
    best = best_of(repeats, work).seconds
    progress.done()
    if target is None:
        return name, seconds(best), "", ""
    return name, seconds(best), seconds(target), verdict(best, target)


class _Program:
    """A line of Python in a fresh interpreter."""

    def __init__(self, fresh: Fresh, code: str) -> None:
        self._fresh, self._code = fresh, code

    def __call__(self) -> str:
        return self._fresh.run(["-c", self._code])


class _Call:
    """`dequantize` in a fresh interpreter, its Numba cache empty or that of the last call."""

    def __init__(self, fresh: Fresh, tables: str) -> None:
        self._fresh, self._tables, self._caches = fresh, tables, 0

    def first(self) -> object:
        self._caches += 1
        return self.later()

    def later(self) -> object:
        cache = f"cache of {self._tables}, {self._caches}"
        return self._fresh.probe("one_call", self._fresh.folder / self._tables, numba_cache=cache)


def _loaded(fresh: Fresh) -> str:
    loaded = fresh.run(["-c", LOADED.format(names=HEAVY)]).split()
    kept_out = [name for name in HEAVY if name not in loaded]
    return (
        f"Loaded by `import unround` alone, of {', '.join(HEAVY)}: {', '.join(loaded) or 'none'}; "
        f"left until first use: {', '.join(kept_out) or 'none'}."
    )
