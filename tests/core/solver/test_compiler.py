"""Kernels are compiled once and kept on disk, or compiled by each process where nothing can be kept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = """
from unround.compiler import compiled

@compiled
def doubled(value: float) -> float:
    return 2 * value

print(doubled(3.0), doubled.stats.cache_hits.total() if doubled.stats.cache_path else "not kept")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kernel.py").write_text(SOURCE)
    return tmp_path


def doubled(folder: Path, **environment: str) -> str:
    """Call the kernel in a process of its own."""
    done = subprocess.run(
        [sys.executable, "kernel.py"],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.slow
def test_a_kernel_is_compiled_once(folder):
    for hits in (0, 1):
        assert doubled(folder, NUMBA_CACHE_DIR=str(folder / "cache")) == f"6.0 {hits}"


@pytest.mark.slow
def test_without_a_folder_for_it_each_process_compiles(folder):
    """Neither beside the module nor in the user's folder can anything be written."""
    (folder / "__pycache__").touch()
    nowhere = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"), "/proc/nowhere")
    for _ in range(2):
        assert doubled(folder, **nowhere) == "6.0 not kept"
