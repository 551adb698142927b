"""Kernels are kept on disk; files that are damaged are thrown away and made again."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numba
import pytest

from unround.compiler import KERNELS

SOURCE = """
from unround.compiler import compiled

@compiled
def doubled(value: float) -> float:
    return 2 * value
"""


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], ModuleType]:
    """Import a module with a kernel as a new process would, with a cache of its own."""
    source = tmp_path / "kernel.py"
    source.write_text(SOURCE)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("unround.compiler.KERNELS", [])

    def imported() -> ModuleType:
        spec = importlib.util.spec_from_file_location("kernel", source)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    return imported


def kept(tmp_path: Path, ending: str) -> Path:
    [path] = (tmp_path / "cache").rglob(f"*.{ending}")
    return path


def hits(module: ModuleType) -> int:
    assert module.doubled(3.0) == 6.0
    return sum(module.doubled.stats.cache_hits.values())


def test_a_kernel_is_compiled_once(load, tmp_path):
    assert hits(load()) == 0
    assert hits(load()) == 1


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", ["empty", "cut", "zeros", "changed", "other"])
def test_a_damaged_file_is_made_again(load, tmp_path, ending, damage):
    assert hits(load()) == 0
    path = kept(tmp_path, ending)
    whole = path.read_bytes()
    half = len(whole) // 2
    path.write_bytes(
        {
            "empty": b"",
            "cut": whole[:half],
            "zeros": whole[:half] + bytes(len(whole) - half),
            "changed": whole[:half] + bytes([whole[half] ^ 1]) + whole[half + 1 :],
            "other": b"not a file of the compiler",
        }[damage]
    )
    assert hits(load()) == 0
    assert hits(load()) == 1


def test_a_cache_that_cannot_be_written_costs_a_compilation(load, tmp_path, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    module = load()
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile._save_data", full)
    assert hits(module) == 0
    monkeypatch.undo()


def test_without_a_folder_for_it_kernels_are_compiled_all_the_same(load, monkeypatch):
    monkeypatch.setattr(numba.config, "CACHE_DIR", "/proc/nowhere")
    monkeypatch.setattr("numba.core.caching.CacheImpl._locator_classes", [])
    module = load()
    assert module.doubled(3.0) == 6.0


def test_every_kernel_is_known():
    from unround.solver.kernels import chains

    assert chains.tighten_chains in KERNELS


TWO_KERNELS = """
import sys
import numpy as np
from unround.compiler import compiled

@compiled
def filled(size: int) -> object:
    found = np.zeros(size)
    found[:] = 2.0
    return found

@compiled
def doubled(size: int) -> float:
    return 2 * filled(size).sum()

"""


@pytest.mark.slow
def test_a_kept_kernel_needs_no_compiler_and_can_be_compiled_into_another(tmp_path):
    def run(calls: str) -> list[str]:
        source = tmp_path / "kernels.py"
        source.write_text(TWO_KERNELS)
        return subprocess.run(
            [sys.executable, "-c", f"import sys\nfrom kernels import *\n{calls}"],
            cwd=tmp_path,
            env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()

    run("filled(3)")
    shown = run(
        "print(filled(3).sum(), filled.stats.cache_hits.total(), 'numba.np.npyimpl' in sys.modules)\n"
        "print(doubled(3), doubled.stats.cache_hits.total(), 'numba.np.npyimpl' in sys.modules)"
    )
    assert shown == ["6.0", "1", "False", "12.0", "0", "True"]
