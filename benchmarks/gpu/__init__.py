"""What the engine "gpu" costs on this machine's GPU, into benchmarks/GPU.md: python -m benchmarks.gpu."""
