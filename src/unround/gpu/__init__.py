"""Everything that runs on an NVIDIA GPU: the engine "gpu", and conferences as arrays there.

Kernels are numba-cuda's; sorting, numbering, sums and random numbers are CuPy's.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

from unround.errors import UsageError
from unround.solver.engine import Engine

INSTALL = "install what a GPU needs with: pip install 'unround[gpu]'"


def open_gpu() -> Engine:
    """Return the engine of this machine's GPU. Raise UsageError if there is none that works."""
    try:
        from numba import cuda as untyped
    except ImportError as error:
        raise UsageError(f"Numba cannot use a GPU here ({error}); {INSTALL}") from error
    cuda: Any = untyped
    if not cuda.is_available():
        raise UsageError(
            "there is no NVIDIA GPU with a driver that works: `unround run` and the engine 'local' compute "
            f"on this machine's processor; {INSTALL}"
        )
    check_versions()
    try:
        from unround.gpu.solver import GpuEngine
    except ImportError as error:
        raise UsageError(f"the GPU cannot be used here ({error}); {INSTALL}") from error
    return GpuEngine()


def check_versions() -> None:
    """Refuse a NumPy with which numba-cuda compiles no kernel."""
    try:
        numba_cuda = version("numba-cuda")
    except PackageNotFoundError:
        return
    # numba-cuda looks for it when it compiles the first kernel; NumPy 2.5 has taken it away.
    if not hasattr(np, "row_stack"):
        raise UsageError(
            f"numba-cuda {numba_cuda} does not work with NumPy {np.__version__}; install an earlier "
            "NumPy: pip install 'numpy<2.5'"
        )
