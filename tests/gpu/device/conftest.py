"""The engine "gpu" on whatever GPU Numba sees: a real one, or the simulator that stands in for it.

On a GPU: python -m pytest tests/gpu/device. Without one: tests/gpu/test_simulated.py runs the same files
in a process where Numba simulates a GPU.
"""

import sys

from numba import config, cuda

collect_ignore_glob = [] if cuda.is_available() else ["test_*.py"]
# A million reviews are for a real GPU.
collect_ignore = ["test_large.py"] if config.ENABLE_CUDASIM else []
if config.ENABLE_CUDASIM:
    # The simulator's own thread looks without pause whether the threads of a block have ended, and they
    # cannot end until it gives way.
    sys.setswitchinterval(0.0001)
