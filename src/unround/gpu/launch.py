"""Launches of kernels, and whole arrays beside them: CuPy's, or NumPy's under Numba's simulator (`xp`).

Kernels of numba-cuda and functions of CuPy work on the same arrays and on the same stream, so that neither
copies anything for the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import config as untyped_config
from numba import cuda as untyped_cuda

cuda: Any = untyped_cuda
config: Any = untyped_config
# Kernels that combine a few numbers are small on purpose.
config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
GpuArray = Any  # an array of `xp`

SIMULATED = bool(getattr(config, "ENABLE_CUDASIM", False))
xp: Any = np
if not SIMULATED and cuda.is_available():  # where there is no GPU, modules can still be loaded
    import cupy

    xp = cupy

# Numba's simulator runs every thread of a block as a thread of Python: a few are enough there.
THREADS = 16 if SIMULATED else 128
# Blocks of a kernel whose threads take many items each: enough to fill a large GPU. No power of two: the
# steps of a thread would then fall on the same channels of the memory again and again.
MOST_BLOCKS = 2 if SIMULATED else 1056


def for_each(kernel: Any, count: int, *arguments: Any) -> None:
    """Launch one thread per item."""
    if count > 0:
        kernel[(count + THREADS - 1) // THREADS, THREADS](*map(kernel_argument, arguments))


def in_strides(kernel: Any, count: int, *arguments: Any) -> None:
    """Launch a kernel whose threads take every n-th item, n being the number of threads."""
    if count > 0:
        blocks = min(MOST_BLOCKS, (count + THREADS - 1) // THREADS)
        kernel[blocks, THREADS](*map(kernel_argument, arguments))


def kernel_argument(value: Any) -> Any:
    """Return what a kernel takes for an array, or for a NamedTuple of arrays; other values as they are.

    Launches do this by themselves; it takes some 30 µs for each array.
    """
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(kernel_argument, value))
    if isinstance(value, xp.ndarray) and not SIMULATED:
        # Both libraries use the default stream: there is nothing to wait for.
        return cuda.as_cuda_array(value, sync=False)
    return value


def to_host(array: GpuArray) -> Any:
    """Return a NumPy array of the same numbers."""
    return array if SIMULATED else xp.asnumpy(array)


def compiled_for_gpu(function: Any) -> Any:
    """Compile a function of the CPU's kernels for kernels of the GPU."""
    return cuda.jit(device=True)(getattr(function, "py_func", function))


def memory_free() -> float:
    """Return the free bytes of the GPU's memory, those included that CuPy keeps for its next arrays."""
    free = float(cuda.current_context().get_memory_info()[0])
    return free if SIMULATED else free + float(xp.get_default_memory_pool().free_bytes())
