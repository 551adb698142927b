"""Benchmarks: how fast unround is, how much memory it takes, and how both grow.

python -m benchmarks                    everything, written to benchmarks/RESULTS.md
python -m benchmarks --only growth      some sections, printed
python -m benchmarks --quick            small sizes, printed
"""
