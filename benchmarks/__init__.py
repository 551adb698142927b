"""Benchmarks: how fast unround is, how much memory it takes, and how both grow.

python -m benchmarks            everything, written to benchmarks/RESULTS.md
python -m benchmarks --quick    a small version in under a minute, on the screen only
"""
