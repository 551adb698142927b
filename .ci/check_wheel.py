"""Use the wheel in dist/ as a newcomer would: in an empty environment of each given Python.

    python .ci/check_wheel.py [--newest] python3.11 python3.12 python3.13

Dependencies are those of dist/requirements.txt, by their hashes; with --newest, the newest that the
wheel allows. Then the example conference is run, the README's Python executed, and the demo opened.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
SHOWN = ("numba", "numpy", "polars", "scipy", "fastapi", "sqlalchemy")
VERSIONS = f"from importlib.metadata import version as v; print({{n: v(n) for n in {SHOWN}}})"


def main(arguments: list[str]) -> None:
    """Check every Python; the first failure ends it."""
    [wheel] = (ROOT / "dist").glob("*.whl")
    newest = "--newest" in arguments
    for python in (one for one in arguments if one != "--newest"):
        with tempfile.TemporaryDirectory(prefix="unround-wheel-") as folder:
            check(python, wheel, Path(folder), newest=newest)


def check(python: str, wheel: Path, folder: Path, *, newest: bool) -> None:
    """Install and use the wheel in one Python."""
    # Nothing of this checkout or this environment is seen.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    env |= {"HOME": str(folder), "NUMBA_CACHE_DIR": str(folder / "kernels")}

    def call(*words: str | Path) -> None:
        print("$", *words, flush=True)
        subprocess.run(words, check=True, cwd=folder, env=env)

    call(python, "-m", "venv", "venv")
    own = folder / "venv/bin/python"
    install = (own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    if newest:
        call(*install, f"{wheel}[console]")
    else:
        call(*install, "--require-hashes", "--no-deps", "-r", ROOT / "dist/requirements.txt")
        call(*install, "--no-deps", wheel)
    call(own, "-m", "pip", "check", "--disable-pip-version-check")
    call(own, "-c", VERSIONS)
    unround, files = folder / "venv/bin/unround", ROOT / "examples/conference"
    given = (files / "reviews.csv", "--rankings", files / "rankings.csv")
    call(unround, "run", *given, "-o", "results")
    assert (folder / "results/report.html").stat().st_size > 10_000
    call(own, "-m", "doctest", ROOT / "README.md")
    open_demo(unround, folder, env)
    print(f"{wheel.name} works in {python}", flush=True)


def open_demo(unround: Path, folder: Path, env: dict[str, str]) -> None:
    """Start the console with its demo, and get the page that its link opens."""
    words = (unround, "serve", "--demo", "--port", "0")
    with subprocess.Popen(words, cwd=folder, env=env, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            found = (re.search(r"(http://127\.0\.0\.1:\d+)/enter#", line) for line in server.stdout)
            address = next(match[1] for match in found if match)
            with urllib.request.urlopen(f"{address}/enter") as page:
                assert b"<script" in page.read()
            with urllib.request.urlopen(f"{address}/readyz") as ready:
                assert ready.status == 200
        finally:
            server.terminate()


if __name__ == "__main__":
    main(sys.argv[1:])
