"""Describe experiments as data, run them in parallel, resume them, and report what they show.

A researcher's file registers methods and data sets with the decorators below and lists its studies
in STUDIES (docs/architecture.md); `unround reproduce FILE` runs it like the paper's own.
"""

from __future__ import annotations

from unround.lab.registry import data, method, metric, painter, section
from unround.lab.study import Study
from unround.lab.trials.case import Case, Estimate, Sample

__all__ = [
    "Case",
    "Estimate",
    "Sample",
    "Study",
    "data",
    "method",
    "metric",
    "painter",
    "section",
]
