"""The engine "gpu": the same sweeps on an NVIDIA GPU, with numba-cuda."""
