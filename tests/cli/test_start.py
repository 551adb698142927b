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


def test_a_run_loads_nothing_that_it_does_not_need(conference, tmp_path):
    program = (
        "import sys\nfrom unround.cli import commands\n"
        "try:\n    commands(sys.argv[1:])\nexcept SystemExit as ended:\n    assert not ended.code\n"
        f"print(*[name for name in {HEAVY!r} if name in sys.modules])"
    )
    options = (
        "--rankings",
        conference / "rankings.csv",
        "--quiet",
        "--force",
        "-o",
        tmp_path / "out",
    )
    command = [sys.executable, "-c", program, "run", conference / "reviews.csv", *options]
    for _ in ("compiles what no run compiled before", "loads it"):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
