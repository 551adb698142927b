"""SciPy's OpenBLAS takes a buffer when it is first called, and where memory does not suffice tries for ever.

Called here when there is room for it, it keeps the buffer, and need not ask again.
"""

from __future__ import annotations

from functools import cache

_BUFFER = 1 << 26  # bytes: twice what OpenBLAS asks for


@cache
def take_buffer() -> None:
    """Have OpenBLAS take its buffer. Raise MemoryError where there is no room for it."""
    from scipy.linalg.lapack import dpotrf

    bytearray(_BUFFER)
    dpotrf([[1.0]])
