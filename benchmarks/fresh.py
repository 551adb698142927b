"""Fresh interpreters: what a process costs from its start, and the most memory it ever holds."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Fresh:
    """Starts interpreters with their own bytecode and Numba caches, inside `folder`.

    Bytecode is shared by all of them, as in an installed package; nothing is written to the
    checkout.
    """

    folder: Path

    def run(self, arguments: list[str], numba_cache: str = "numba") -> str:
        """What `python ARGUMENTS` prints."""
        environment = {
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        }
        environment["PYTHONPYCACHEPREFIX"] = str(self.folder / "bytecode")
        environment["NUMBA_CACHE_DIR"] = str(self.folder / numba_cache)
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.stdout

    def probe(self, tables: Path, numba_cache: str = "numba") -> dict[str, float]:
        """Run `dequantize` on the tables of a folder in a process of its own; see probe.py."""
        printed = self.run(["-m", "benchmarks.probe", str(tables)], numba_cache)
        found: dict[str, float] = json.loads(printed)
        return found


def peak_megabytes() -> float:
    """The most memory this process ever held.

    Linux hands a parent's peak on to its child's `ru_maxrss`, but not to VmHWM, which starts anew
    with each program.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="utf-8").splitlines():
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024.0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
