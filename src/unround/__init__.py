"""unround puts back what rounding took out of review scores.

>>> import unround
>>> conference = unround.simulate.thurstone(seed=7)
>>> result = unround.dequantize(conference.reviews, conference.rankings)
>>> result.certificate.max_error < 1e-9
True
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unround import baselines, metrics, simulate
    from unround.certificate import Certificate
    from unround.errors import InputRefused, NotSolved, UnroundError, UsageError
    from unround.issues import Issue, Kind
    from unround.pipeline import Selection, check, dequantize, select_lambda
    from unround.result import Result
    from unround.scale import Scale
    from unround.settings import Policy, Unranked
    from unround.updates import Update, update

__version__ = "0.1.0"

# Where each public name lives; nothing heavy is loaded before it is asked for.
_HOME = {
    "Certificate": "certificate",
    "InputRefused": "errors",
    "Issue": "issues",
    "Kind": "issues",
    "NotSolved": "errors",
    "Policy": "settings",
    "Result": "result",
    "Scale": "scale",
    "Selection": "pipeline",
    "UnroundError": "errors",
    "Unranked": "settings",
    "Update": "updates",
    "UsageError": "errors",
    "baselines": "",
    "check": "pipeline",
    "dequantize": "pipeline",
    "metrics": "",
    "select_lambda": "pipeline",
    "simulate": "",
    "update": "updates",
}

__all__ = [
    "Certificate",
    "InputRefused",
    "Issue",
    "Kind",
    "NotSolved",
    "Policy",
    "Result",
    "Scale",
    "Selection",
    "Unranked",
    "UnroundError",
    "Update",
    "UsageError",
    "baselines",
    "check",
    "dequantize",
    "metrics",
    "select_lambda",
    "simulate",
    "update",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'unround' has no attribute {name!r}")
    home = _HOME[name]
    if not home:
        return import_module(f"unround.{name}")
    return getattr(import_module(f"unround.{home}"), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
