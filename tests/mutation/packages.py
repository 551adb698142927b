"""The packages that are mutated, the tests that should notice, and how many mutants they kill."""

from __future__ import annotations

import argparse
import difflib
import json
import math
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from tests.mutation.mutants import Mutant, mutants_of, sample
from tests.mutation.trial import Coverage, load_libraries, measure, notices


@dataclass(frozen=True)
class Package:
    """A folder of unround, and the tests that should notice its mutants."""

    folder: str
    tests: tuple[str, ...]
    interpreted: bool = False  # kernels are not compiled: Numba would keep those of the original
    without: tuple[str, ...] = ()  # modules that are left out


# Changes that act on import are met by all tests of a package, this one first.
FROZEN = "tests/core/api/test_frozen.py"
SOLVED = ("tests/core/solver/test_propositions.py", "tests/differential")
# Tests of the solver that take little time without compilation.
SWEPT = ("acceleration", "engine", "loop", "sweeps")
# Tests of stability solve parts of problems.
PARTS = "tests/core/uncertainty/test_stability.py"
PACKAGES = {
    "problem": Package("problem", ("tests/core/problem", PARTS, *SOLVED), True),
    "certificate": Package(
        "certificate", ("tests/core/certificate", "tests/core/problem/test_openings.py"), True
    ),
    "solver": Package(
        "solver",
        tuple(f"tests/core/solver/test_{name}.py" for name in SWEPT) + SOLVED,
        True,
        without=("dask_client.py", "dask_cluster.py"),  # their tests start a cluster
    ),
    "selection": Package(
        "selection", ("tests/core/selection", "tests/lab/test_simulation.py"), True
    ),
    "disclosure": Package("disclosure", ("tests/report",)),
    "access": Package("console/access", ("tests/console/access",)),
}
# At first so many tests, the quickest, are tried; `--again` tries all on the survivors.
MOST_TESTS = 30
SECONDS = count(1_000_000_000)


def main() -> int:
    """Mutate one package of the tree in the working folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation.packages")
    parser.add_argument("package", choices=PACKAGES)
    parser.add_argument("--mutants", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--least", type=float, required=True)
    parser.add_argument("--record", type=Path, required=True)
    parser.add_argument("--again", action="store_true")
    options = parser.parse_args()
    name, package = options.package, PACKAGES[options.package]
    folder = Path("src/unround").absolute() / package.folder
    modules = [path for path in sorted(folder.rglob("*.py")) if path.name not in package.without]
    found = {path: mutants_of(path) for path in modules}
    drawn = sample(found, options.mutants, options.seed)
    chosen = [mutant for mutant in drawn if mutant.is_python()]
    total, tried = sum(map(len, found.values())), len(chosen)
    outcomes: Counter[str] = Counter()
    if options.again:
        before = json.loads(options.record.read_text())
        outcomes = Counter(before["outcomes"]) - Counter(survived=len(before["survived"]))
        chosen = [mutant for mutant in chosen if mutant.name in before["survived"]]
    print(f"{name}: {len(chosen):,} of {total:,} mutants", flush=True)
    # Slow tests take minutes where kernels are interpreted.
    slow = options.again and not package.interpreted
    left_out = "not postgres" if slow else "not postgres and not slow"
    tests = [FROZEN, *package.tests, str(folder.relative_to(Path.cwd())), "-m", left_out]
    load_libraries()
    covered = measure(tests, folder)
    survivors = []
    for number, mutant in enumerate(chosen, start=1):
        began = time.monotonic()
        outcome = _outcome(mutant, tests, covered, None if options.again else MOST_TESTS)
        outcomes[outcome] += 1
        seconds = time.monotonic() - began
        print(f"{name} {number}/{len(chosen)} {outcome} {seconds:.1f} s", flush=True)
        if outcome == "survived":
            survivors.append(mutant.name)
            print(f"  {mutant.name}\n{_difference(mutant)}", flush=True)
    killed = outcomes["killed"] + outcomes["timeout"]
    print(f"{name}: {_score(killed, tried)}, {outcomes['timeout']} by time; {total:,} in all")
    options.record.write_text(
        json.dumps({"all": total, "outcomes": outcomes, "survived": survivors}, indent=1)
    )
    return 0 if killed >= options.least * tried else 1


def _outcome(mutant: Mutant, tests: list[str], covered: Coverage, most: int | None) -> str:
    """Try the tests that reach the mutant, the quickest first; all tests if it acts on import."""
    reaching = covered.reaching(mutant.path, mutant.lines)[:most]
    limit = 15.0 + 5.0 * sum(covered.seconds[test] for test in reaching or covered.seconds)
    original = mutant.path.read_text()
    mutant.path.write_text(mutant.code())
    # Byte code is kept by second and size: no two mutants may have both in common.
    second = next(SECONDS)
    os.utime(mutant.path, (second, second))
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
    z, share = 1.959964, killed / tried
    middle = share + z * z / (2 * tried)
    reach = z * math.sqrt(share * (1 - share) / tried + z * z / (4 * tried * tried))
    low, high = ((middle + side) / (1 + z * z / tried) for side in (-reach, reach))
    return f"{killed} of {tried} killed, {share:.1%} (95% interval {low:.1%} to {high:.1%})"


if __name__ == "__main__":
    sys.exit(main())
