"""What a run does not load: most of a small run is loading."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "numba.np.npyimpl",  # Numba's compiler, which kept kernels do not need
    "ssl",
    "urllib.request",
    "scipy.linalg",
    "scipy.special",
    "scipy.sparse",
    "rich.progress",
    "matplotlib",
    "joblib",
    "pandas",
    "pyarrow",
    "sqlalchemy",
    "fastapi",
)


SOLVER = ("numba", "llvmlite", "scipy")
PROGRAM = """
import sys
from unround.cli import commands
try:
    commands(sys.argv[1:])
except SystemExit as ended:
    assert not ended.code
print("loaded:", *[name for name in {names!r} if name in sys.modules])
"""


def loaded(names: tuple[str, ...], *arguments: object) -> list[str]:
    """Return which modules a process has loaded when a command ends."""
    command = [sys.executable, "-c", PROGRAM.format(names=names), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()[1:]


def test_a_run_loads_nothing_that_it_does_not_need(files, tmp_path):
    for _ in ("compiles what no run compiled before", "loads it"):
        found = loaded(HEAVY, "run", *files, "--quiet", "--force", "-o", tmp_path / "out")
    assert found == []


def test_a_check_does_without_the_solver(files):
    assert loaded(SOLVER, "check", *files) == []


def test_help_does_without_the_solver():
    assert loaded(SOLVER, "--help") == []
