"""How many threads a kernel is launched with: always the same, so that sums have one fixed order."""

from __future__ import annotations

from typing import Any

from numba import config as untyped_config
from numba import cuda as untyped

cuda: Any = untyped
# Kernels that combine a few numbers are small on purpose.
config: Any = untyped_config
config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
CardArray = Any  # an array in the card's memory

# Numba's simulator runs every thread of a block as a thread of Python: a few are enough there.
SIMULATED = bool(getattr(config, "ENABLE_CUDASIM", False))
THREADS = 16 if SIMULATED else 128
# Threads of the one block that combines what the blocks of a reduction found.
GATHERING = 16 if SIMULATED else 512
# Blocks of a reduction: enough to fill a large card, few enough to combine at once. No power of two: the
# steps of a thread would then fall on the same channels of the memory again and again.
MOST_BLOCKS = 2 if SIMULATED else 1056


def for_each(kernel: Any, count: int, *arguments: Any) -> None:
    """Launch one thread per item."""
    if count > 0:
        kernel[(count + THREADS - 1) // THREADS, THREADS](*arguments)


def blocks_of(count: int) -> int:
    """Return the number of blocks of a reduction over so many items."""
    return max(1, min(MOST_BLOCKS, (count + THREADS - 1) // THREADS))


def on_card(function: Any) -> Any:
    """Compile a function of the CPU's kernels for the card."""
    return cuda.jit(device=True)(getattr(function, "py_func", function))


def memory_free() -> float:
    """Return the free bytes of the card's memory."""
    return float(cuda.current_context().get_memory_info()[0])
