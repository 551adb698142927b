"""What commands do not load: most of a small run is loading."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

HEAVY = ("matplotlib", "joblib", "pandas", "pyarrow", "sqlalchemy", "fastapi")
SOLVER = ("numba", "llvmlite", "scipy")
PROGRAM = """
import sys
from unround.cli.group import commands
try:
    commands(sys.argv[1:])
except SystemExit as ended:
    assert not ended.code
print("loaded:", *[name for name in {names!r} if name in sys.modules])
"""


def loaded(names: tuple[str, ...], *arguments: object) -> list[str]:
    """Return which packages a process has loaded when a command ends."""
    command = [sys.executable, "-c", PROGRAM.format(names=names), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()[1:]


def test_commands_load_nothing_that_they_do_not_need(files, tmp_path):
    assert loaded(HEAVY, "run", *files, "--quiet", "-o", tmp_path / "out") == []
    assert loaded(SOLVER, "check", *files) == []
    assert loaded(SOLVER, "--help") == []
