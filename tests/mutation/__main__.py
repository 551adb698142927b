"""Mutate packages and run their tests: python -m tests.mutation [PACKAGE ..] [--mutants 120] [--seed 0].

Each package is mutated in a copy of the tree, in a process of its own. Prints the survivors and, for each
package, the share of mutants that tests kill.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutation.packages import PACKAGES

ROOT = Path(__file__).parents[2]
COPIED = ("src", "tests", "conftest.py", "pyproject.toml", "examples", "studies")


def main() -> int:
    """Mutate the packages one after the other; return 1 if too few mutants of one are killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument(
        "packages", nargs="*", help=f"of {', '.join(PACKAGES)}; all if none is named"
    )
    parser.add_argument("--mutants", type=int, default=120, help="mutants of each package")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same mutants")
    parser.add_argument("--least", type=float, default=0.85, help="share that must be killed")
    parser.add_argument("--results", type=Path, default=ROOT / "out" / "mutants", help="folder")
    parser.add_argument("--again", action="store_true", help="only the survivors of the last time")
    options = parser.parse_args()
    return max(_mutate(name, options) for name in options.packages or PACKAGES)


def _mutate(name: str, options: argparse.Namespace) -> int:
    results = options.results.absolute()
    results.mkdir(parents=True, exist_ok=True)
    words = ["--mutants", options.mutants, "--seed", options.seed, "--least", options.least]
    words += ["--record", results / f"{name}.json", *(["--again"] if options.again else [])]
    with TemporaryDirectory(prefix=f"mutants-{name}-") as copy:
        for part in COPIED:
            _copy(ROOT / part, Path(copy) / part)
        environment = {**os.environ, "PYTHONPATH": f"{copy}/src", "PYTHONDONTWRITEBYTECODE": ""}
        environment["POLARS_MAX_THREADS"] = "1"
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # plugins take as long as the tests
        if PACKAGES[name].interpreted:
            environment["NUMBA_DISABLE_JIT"] = "1"
        command = [sys.executable, "-m", "tests.mutation.packages", name, *map(str, words)]
        return subprocess.run(command, cwd=copy, env=environment).returncode


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)  # with the compiled kernels
    else:
        shutil.copy2(source, target)


if __name__ == "__main__":
    sys.exit(main())
