"""Put back what rounding took out of review scores.

Solve:    dequantize, check, select_lambda, update
How sure: posterior, calibrate, stability
Does it help: compare
Files:    read, load; a result has save(folder), report(path) and plot()
Values:   Tables, Result, Certificate, Selection, Update, Issue, Kind,
          Scale, Policy, Unranked, Posterior, Calibration, Stability, ComparisonResult
Engines:  Dask
Errors:   UnroundError, UsageError, ImportRefused, InputRefused, NotSolved, NotMixed
Modules:  baselines, metrics, simulate, audit, lab

These names are public and stay; every other module is internal.

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
    from unround import audit as audit
    from unround import baselines as baselines
    from unround import lab as lab
    from unround import metrics as metrics
    from unround import simulate as simulate
    from unround.certificate import Certificate as Certificate
    from unround.errors import InputRefused as InputRefused
    from unround.errors import NotSolved as NotSolved
    from unround.errors import UnroundError as UnroundError
    from unround.errors import UsageError as UsageError
    from unround.formats.model import ImportRefused as ImportRefused
    from unround.issues import Issue as Issue
    from unround.issues import Kind as Kind
    from unround.lab.compare import ComparisonResult as ComparisonResult
    from unround.lab.compare import compare as compare
    from unround.pipeline import Selection as Selection
    from unround.pipeline import dequantize as dequantize
    from unround.pipeline import select_lambda as select_lambda
    from unround.preparation import check as check
    from unround.result import Result as Result
    from unround.reviews.tables import Tables as Tables
    from unround.runs.inputs import read as read
    from unround.runs.saved import load as load
    from unround.scale import Scale as Scale
    from unround.settings import Policy as Policy
    from unround.settings import Unranked as Unranked
    from unround.solver.dask_engine import Dask as Dask
    from unround.uncertainty.calibration import Calibration as Calibration
    from unround.uncertainty.calibration import calibrate as calibrate
    from unround.uncertainty.posterior import NotMixed as NotMixed
    from unround.uncertainty.posterior import Posterior as Posterior
    from unround.uncertainty.posterior import posterior as posterior
    from unround.uncertainty.stability import Stability as Stability
    from unround.uncertainty.stability import stability as stability
    from unround.updates import Update as Update
    from unround.updates import update as update

__version__ = "1.0.0"

# Where the public names live; nothing heavy is loaded before it is asked for.
_HOMES = {
    "": "audit baselines lab metrics simulate",
    "certificate": "Certificate",
    "errors": "InputRefused NotSolved UnroundError UsageError",
    "formats.model": "ImportRefused",
    "issues": "Issue Kind",
    "lab.compare": "ComparisonResult compare",
    "pipeline": "Selection dequantize select_lambda",
    "preparation": "check",
    "result": "Result",
    "reviews.tables": "Tables",
    "runs.inputs": "read",
    "runs.saved": "load",
    "scale": "Scale",
    "settings": "Policy Unranked",
    "solver.dask_engine": "Dask",
    "uncertainty.calibration": "Calibration calibrate",
    "uncertainty.posterior": "NotMixed Posterior posterior",
    "uncertainty.stability": "Stability stability",
    "updates": "Update update",
}
_HOME = {name: home for home, names in _HOMES.items() for name in names.split()}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'unround' has no attribute {name!r}")
    home = _HOME[name]
    found = import_module(f"unround.{home or name}")
    globals()[name] = getattr(found, name) if home else found
    return globals()[name]


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
