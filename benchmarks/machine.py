"""The machine and the versions that figures belong to, and how much of a core the run got."""

from __future__ import annotations

import os
import platform
import time
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
)
# Less of a core than this in CPU time means that others were using it.
QUIET = 0.95


def pin_to_one_core() -> bool:
    """Put this process and its children on the last core it may use; False if that cannot be."""
    if not hasattr(os, "sched_setaffinity"):
        return False
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return True


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
    """How much of one core this process and its children got, from its making until asked."""

    def __init__(self) -> None:
        self._wall, self._used = time.perf_counter(), _cpu_seconds()
        self._load = os.getloadavg()

    def describe(self) -> str:
        """Measured, in words."""
        wall = time.perf_counter() - self._wall
        share = (_cpu_seconds() - self._used) / wall
        verdict = (
            "The core was this run's own."
            if share >= QUIET
            else "The machine was busy with other work: times are longer than on a quiet one."
        )
        return (
            f"The run took {wall:.0f} s and got {100 * share:.0f}% of one core. {verdict} Load "
            f"average of the machine, 1 minute: {self._load[0]:.2f} before, "
            f"{os.getloadavg()[0]:.2f} after."
        )


def _cpu_seconds() -> float:
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


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
