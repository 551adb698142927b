"""`make clean` leaves nothing that the other targets made, and what is not theirs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
# A console's data are its owner's.
STAYS = "unround-data"


@pytest.mark.skipif(shutil.which("make") is None, reason="no make")
def test_clean_removes_all_that_git_ignores(tmp_path: Path) -> None:
    for name in ("Makefile", ".gitignore"):
        shutil.copyfile(CHECKOUT / name, tmp_path / name)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "module.py").touch()
    patterns = [line for line in (CHECKOUT / ".gitignore").read_text().splitlines() if line]
    for pattern in patterns:
        name = pattern.replace("*", "made").replace("[cod]", "c").rstrip("/")
        for parent in (tmp_path, tmp_path / "src" / "deep"):
            if parent != tmp_path and "/" not in name and name not in ("__pycache__", "made.pyc"):
                continue  # only compiled files lie everywhere
            made = tmp_path / name if "/" in name else parent / name
            made.parent.mkdir(parents=True, exist_ok=True)
            if pattern.endswith("/"):
                made.mkdir(exist_ok=True)
                (made / "file").touch()
            else:
                made.touch()
    (tmp_path / "web").mkdir(exist_ok=True)
    (tmp_path / "node_modules").rename(tmp_path / "web" / "node_modules")
    subprocess.run(["make", "--silent", "clean"], cwd=tmp_path, check=True)
    left = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    ours = {"Makefile", ".gitignore", "src", "src/module.py"}
    assert left == ours | {STAYS, f"{STAYS}/file"}
