"""The decorators of kernels: Numba compiles them and keeps the machine code on disk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a kernel when it is first called; it runs without the interpreter's lock."""
    return _cached(function, inline="never")


def inlined(function: Function) -> Function:
    """Compile a kernel into every kernel that calls it."""
    return _cached(function, inline="always")


def _cached(function: Function, inline: Literal["never", "always"]) -> Function:
    try:
        kernel = njit(cache=True, nogil=True, inline=inline)(function)
    except RuntimeError:  # no folder for the cache can be written: each process compiles for itself
        kernel = njit(nogil=True, inline=inline)(function)
    return cast(Function, kernel)
