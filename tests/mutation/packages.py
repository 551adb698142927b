"""The packages that are mutated, and the tests that should notice."""

from __future__ import annotations

from dataclasses import dataclass


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
