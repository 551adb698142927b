"""What the engine "gpu" costs on this machine's card, into benchmarks/GPU.md: python -m benchmarks.gpu."""
