"""The engine "gpu" on whatever card Numba sees: a real one, or the simulator that stands in for it.

On a card: python -m pytest tests/gpu/card. Without one: tests/gpu/test_simulated.py runs the same files
in a process where Numba simulates a card.
"""

import sys

from numba import cuda

from unround.card.launch import SIMULATED

collect_ignore_glob = [] if cuda.is_available() else ["test_*.py"]
# A million reviews are for a real card.
collect_ignore = ["test_large.py"] if SIMULATED else []
if SIMULATED:
    # The simulator's own thread looks without pause whether the threads of a block have come to a barrier,
    # and they cannot come there until it gives way.
    sys.setswitchinterval(0.0001)
