"""Kernels compiled by Numba, kept on disk from one process to the next.

What is kept is a convenience: files that are damaged, or that cannot be read or written, cost a
compilation and nothing else.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from numba import config as untyped_config
from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.runtime.nrt import rtsys

Function = TypeVar("Function", bound=Callable[..., Any])
config: Any = untyped_config
DIGEST = hashlib.sha256().digest_size
# Every kernel of the modules that were imported.
KERNELS: list[Any] = []


def compiled(function: Function) -> Function:
    """Compile a kernel when it is first called; it runs without the interpreter's lock."""
    kernel: Function = _kept(njit(nogil=True)(function))
    return kernel


def inlined(function: Function) -> Function:
    """Compile a kernel into every kernel that calls it."""
    kernel: Function = _kept(njit(nogil=True, inline="always")(function))
    return kernel


def _kept(kernel: Any) -> Any:
    if config.DISABLE_JIT:  # kernels are then plain functions, as on Numba's simulator of a GPU
        return kernel
    # Without a folder to keep files in (a read-only system, no home), each process compiles its own.
    with suppress(RuntimeError, OSError):
        kernel._cache = _KernelCache(kernel.py_func)
    KERNELS.append(kernel)
    return kernel


class _KernelCache(FunctionCache):
    """The files of one kernel."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._files = _CheckedFiles(self._cache_path, self._impl.filename_base, stamp)
        self._cache_file = self._files

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the kernel for a signature; None, so that it is compiled, if its files are no good."""
        # Numba's own way prepares the whole compiler first, which takes longer than all else here.
        # Code that is compiled already needs nothing of it but the part that counts references.
        rtsys.initialize(target_context)
        try:
            with self._guard_against_spurious_io_errors():
                return self._load_overload(sig, target_context)
        except Exception:
            self._files.discard()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a kernel, if the disk takes it."""
        try:
            super().save_overload(sig, data)
        except Exception:
            self._files.discard()


class _CheckedFiles(IndexDataCacheFile):
    """Files that end with the hash of what they hold: object code that was cut or changed can crash."""

    def discard(self) -> None:
        """Remove the index: nothing that it names is loaded again."""
        with suppress(OSError):
            Path(self._index_path).unlink()

    def _dump(self, obj: Any) -> bytes:
        data: bytes = super()._dump(obj)
        return data + hashlib.sha256(data).digest()

    def _load_index(self) -> Any:
        path = Path(self._index_path)
        if path.is_file():
            content = io.BytesIO(path.read_bytes())
            pickle.load(content)  # noqa: S301  # the version, which is not in the hash
            _check(content.read())
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        _check(Path(self._data_path(name)).read_bytes())
        return super()._load_data(name)


def _check(content: bytes) -> None:
    if hashlib.sha256(content[:-DIGEST]).digest() != content[-DIGEST:]:
        raise ValueError("a file of the compiler's cache is damaged")
