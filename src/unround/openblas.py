"""SciPy's OpenBLAS takes buffers when it is loaded and called, and where memory has no room tries for ever.

Loaded and called here when there is room, it keeps its buffers, and need not ask again.
"""

from __future__ import annotations

import os
from functools import cache

_BUFFER = 1 << 26  # bytes: twice what OpenBLAS asks for, once per thread and once per caller


@cache
def take_buffer() -> None:
    """Have OpenBLAS take its buffer. Raise MemoryError where there is no room for it."""
    import numpy

    del numpy  # another OpenBLAS, which ends the process where it finds no room
    bytearray(_BUFFER * (1 + (os.cpu_count() or 1)))
    from scipy.linalg.lapack import dpotrf

    dpotrf([[1.0]])
