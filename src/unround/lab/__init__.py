"""The lab: experiments as data, run in parallel, resumed where they stopped, reported.

A researcher's file registers methods and data sets with the decorators below and lists its studies
in STUDIES (docs/adding-a-method.md); `unround reproduce FILE` runs it like the paper's own.
"""

from __future__ import annotations

from unround.lab.registry import data, method, metric
from unround.lab.study import Study
from unround.lab.trials.case import Answer, Case
from unround.lab.trials.sample import Sample

__all__ = ["Answer", "Case", "Sample", "Study", "data", "method", "metric"]
