"""Every layer contract fails when an import that it forbids is put into a copy of the package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT = "from importlinter.cli import lint_imports_command; lint_imports_command()"
TOOLS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
CONTRACTS = [contract["name"] for contract in TOOLS["importlinter"]["contracts"]]
# Contract: a module, and an import that it must not have.
FORBIDDEN = {
    "Data flows one way": ("arrays.py", "import unround.cli"),
    "The console's requests come in at the top and end in storage": (
        "console/storage/ids.py",
        "import unround.console.api.middleware",
    ),
    "The certificate cannot lean on the solver": (
        "certificate/bound.py",
        "import unround.problem.build",
    ),
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The package and its contracts, in a folder of their own."""
    ignored = shutil.ignore_patterns("static", "__pycache__")
    shutil.copytree(ROOT / "src" / "unround", tmp_path / "unround", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LINT, "--no-cache"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_copy_itself_keeps_every_contract(copy: Path) -> None:
    done = lint(copy)
    assert done.returncode == 0, done.stdout
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in done.stdout


@pytest.mark.parametrize("contract", CONTRACTS)
def test_a_forbidden_import_breaks_its_contract(contract: str, copy: Path) -> None:
    module, line = FORBIDDEN[contract]
    with (copy / "unround" / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    done = lint(copy)
    assert done.returncode == 1, done.stdout
    assert f"{contract} BROKEN" in done.stdout
    assert f"Contracts: {len(CONTRACTS) - 1} kept, 1 broken." in done.stdout
