"""Mutate packages and run their tests: python -m tests.mutation [PACKAGE ..] [--mutants 120] [--seed 0].

Each package is mutated in a copy of the tree, in a process of its own. Prints the survivors and, for each
package, the share of mutants that tests kill.
"""

from __future__ import annotations

import argparse
import difflib
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from scipy.stats import binomtest

from tests.mutation.mutants import Mutant, mutants_of, sample
from tests.mutation.packages import FROZEN, PACKAGES
from tests.mutation.trial import Coverage, load_libraries, measure, notices

MOST_TESTS = 30  # so many tests, the quickest, are tried
ROOT = Path(__file__).parents[2]
COPIED = (
    "src",
    "tests",
    "conftest.py",
    "pyproject.toml",
    "examples",
    "studies",
    "web/openapi.json",
)


def main() -> int:
    """Mutate the packages one after the other; return 1 if too few mutants of one are killed."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument(
        "packages", nargs="*", help=f"of {', '.join(PACKAGES)}; all if none is named"
    )
    parser.add_argument("--mutants", type=int, default=120, help="mutants of each package")
    parser.add_argument("--seed", type=int, default=0, help="same seed, same mutants")
    parser.add_argument("--least", type=float, default=0.85, help="share that must be killed")
    parser.add_argument("--here", action="store_true", help="in the working folder, not in a copy")
    options = parser.parse_args()
    mutate = _mutate if options.here else _mutate_copy
    return max(mutate(name, options) for name in options.packages or PACKAGES)


def _mutate_copy(name: str, options: argparse.Namespace) -> int:
    with TemporaryDirectory(prefix=f"mutants-{name}-") as copy:
        Path(copy, "web").mkdir()
        for part in COPIED:
            take = shutil.copytree if (ROOT / part).is_dir() else shutil.copy2
            take(ROOT / part, Path(copy) / part)  # with the compiled kernels
        environment = {**os.environ, "PYTHONPATH": f"{copy}/src", "PYTHONDONTWRITEBYTECODE": ""}
        environment["POLARS_MAX_THREADS"] = "1"
        environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # plugins take as long as the tests
        if PACKAGES[name].interpreted:
            environment["NUMBA_DISABLE_JIT"] = "1"
        command = [sys.executable, "-m", "tests.mutation", name, "--here"]
        command += [f"--{one}={getattr(options, one)}" for one in ("mutants", "seed", "least")]
        return subprocess.run(command, cwd=copy, env=environment).returncode


def _mutate(name: str, options: argparse.Namespace) -> int:
    """Mutate one package of the tree in the working folder; return 1 if too few mutants are killed."""
    package = PACKAGES[name]
    folder = Path("src/unround").absolute() / package.folder
    modules = [path for path in sorted(folder.rglob("*.py")) if path.name not in package.without]
    found = {path: mutants_of(path) for path in modules}
    chosen = [one for one in sample(found, options.mutants, options.seed) if one.is_python()]
    total, tried = sum(map(len, found.values())), len(chosen)
    print(f"{name}: {tried:,} of {total:,} mutants", flush=True)
    left_out = "not postgres and not slow"
    tests = [FROZEN, *package.tests, str(folder.relative_to(Path.cwd())), "-m", left_out]
    load_libraries()
    covered = measure(tests, folder)
    outcomes: Counter[str] = Counter()
    for number, mutant in enumerate(chosen, start=1):
        outcome = _outcome(mutant, tests, covered)
        outcomes[outcome] += 1
        print(f"{name} {number}/{tried} {outcome}", flush=True)
        if outcome == "survived":
            print(f"  {mutant.name}\n{_difference(mutant)}", flush=True)
    killed = outcomes["killed"] + outcomes["timeout"]
    print(f"{name}: {_score(killed, tried)}, {outcomes['timeout']} by time; {total:,} in all")
    return 0 if killed >= options.least * tried else 1


def _outcome(mutant: Mutant, tests: list[str], covered: Coverage) -> str:
    """Try the tests that reach the mutant, the quickest first; all tests if it acts on import."""
    reaching = covered.reaching(mutant.path, mutant.lines)[:MOST_TESTS]
    limit = 15.0 + 5.0 * sum(covered.seconds[test] for test in reaching or covered.seconds)
    original = mutant.path.read_text()
    mutant.path.write_text(mutant.code())
    try:
        return notices(reaching or tests, limit)
    finally:
        mutant.path.write_text(original)


def _difference(mutant: Mutant) -> str:
    before, after = mutant.path.read_text().splitlines(), mutant.code().splitlines()
    lines = list(difflib.unified_diff(before, after, n=0, lineterm=""))
    return "\n".join(f"    {line}" for line in lines[2:])


def _score(killed: int, tried: int) -> str:
    """Return the share that is killed, with Wilson's interval for the share of all mutants."""
    if not tried:
        return "nothing to kill"
    low, high = binomtest(killed, tried).proportion_ci(method="wilson")
    return (
        f"{killed} of {tried} killed, {killed / tried:.1%} (95% interval {low:.1%} to {high:.1%})"
    )


if __name__ == "__main__":
    sys.exit(main())
