"""The machine and the versions that figures belong to, and how much others took of it."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = (
    "unround",
    "numpy",
    "scipy",
    "numba",
    "llvmlite",
    "polars",
    "narwhals",
    "cvxpy",
    "cvxopt",
    "clarabel",
    "highspy",
    "highspy-extras",
    "osqp",
    "piqp",
    "proxsuite",
    "distributed",
)
# Others that take more of a core than this disturb what is measured.
QUIET = 0.05


def pin_to_one_core() -> bool:
    """Put this process and its children on the last core it may use; False if that cannot be."""
    if not hasattr(os, "sched_setaffinity"):
        return False
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return True


def use_every_core() -> None:
    """Undo the above for this process and the children it will have."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))


@contextmanager
def every_core() -> Iterator[None]:
    """Give every core to the processes that are started in a block."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    use_every_core()
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def machine() -> list[tuple[str, str]]:
    """What matters of the hardware and the system; no name of the host."""
    return [
        ("CPU", f"{_cpu_model()}, {os.cpu_count()} cores"),
        ("memory", f"{_memory_bytes() / 2**30:.0f} GiB"),
        ("system", f"{platform.system()} {platform.machine()}"),
        ("Python", f"{platform.python_implementation()} {platform.python_version()}"),
    ]


def versions() -> str:
    """The packages in play."""
    return ", ".join(f"{name} {_version(name)}" for name in PACKAGES)


class Occupancy:
    """What others took of the machine, from its making until asked."""

    def __init__(self) -> None:
        self._wall, self._used, self._busy = time.perf_counter(), _own_seconds(), _busy_seconds()
        self._load = os.getloadavg()

    def describe(self) -> str:
        """Measured, in words."""
        wall = time.perf_counter() - self._wall
        return (
            f"The run took {wall:.0f} s. {self._others(wall)} Load average of the machine, "
            f"1 minute: {self._load[0]:.2f} before, {os.getloadavg()[0]:.2f} after."
        )

    def _others(self, wall: float) -> str:
        busy = _busy_seconds()
        if busy is None or self._busy is None:
            return "What other processes took of the machine is not known here."
        others = max(0.0, busy - self._busy - (_own_seconds() - self._used)) / wall
        verdict = (
            "the machine was this run's own."
            if others <= QUIET
            else "the machine was busy with other work, and times are longer than on a quiet one."
        )
        return f"Other processes took {100 * others:.0f}% of a core: {verdict}"


def _own_seconds() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


def _busy_seconds() -> float | None:
    """CPU time of all processes on all cores since the machine started."""
    counted = Path("/proc/stat")
    if not counted.exists():
        return None
    user, nice, system, _idle, _waiting, hard, soft, stolen = map(
        int, counted.read_text(encoding="utf-8").split()[1:9]
    )
    return (user + nice + system + hard + soft + stolen) / os.sysconf("SC_CLK_TCK")


def _cpu_model() -> str:
    listed = Path("/proc/cpuinfo")
    if listed.exists():
        for line in listed.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"
