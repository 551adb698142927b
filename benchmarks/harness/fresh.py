"""Run fresh interpreters and measure their time from the start and their peak memory."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Fresh:
    """Starts interpreters with their own bytecode and Numba caches, inside `folder`.

    Bytecode is shared by all of them, as in an installed package; nothing is written to the
    checkout.
    """

    folder: Path

    def run(self, arguments: list[str], numba_cache: str = "numba", **variables: str) -> str:
        """What `python ARGUMENTS` prints, with these variables in its environment."""
        environment = {
            name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
        }
        environment["PYTHONPYCACHEPREFIX"] = str(self.folder / "bytecode")
        environment["NUMBA_CACHE_DIR"] = str(self.folder / numba_cache)
        environment.update(variables)
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        return done.stdout

    def tables(self, reviews: int, load: int | None) -> Path:
        """A folder with the tables of a conference, drawn by another process; see drawing.py."""
        folder = self.folder / f"{reviews} by {load}"
        if not folder.exists():
            self.run(["-m", "benchmarks.cases.drawing", str(folder), str(reviews), str(load or 0)])
        return folder

    def probe(
        self, program: str, *arguments: object, numba_cache: str = "numba", **variables: str
    ) -> dict[str, Any]:
        """What a program of benchmarks/probes prints as JSON."""
        command = ["-m", f"benchmarks.probes.{program}", *map(str, arguments)]
        found: dict[str, Any] = json.loads(
            self.run(command, numba_cache, **variables).splitlines()[-1]
        )
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
