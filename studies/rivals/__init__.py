"""Other people's methods beside ours, on the same conferences: `unround reproduce studies/rivals`.

Each method takes Evidence and scores reviews or papers. Methods that score reviews are compared by the
order of reviews, all methods by the order of papers and by what they accept. `conflicts` is "scores" in
every study: contradicted scores are kept.
"""

from . import (
    additive,
    ailon,
    btl_binomial,
    choix_models,
    counting,
    figures,
    hotcrp,
    isotonic,
    least_squares,
    mallows_binomial,
    recovered,
    report,
)

__all__ = [
    "additive",
    "ailon",
    "btl_binomial",
    "choix_models",
    "counting",
    "figures",
    "hotcrp",
    "isotonic",
    "least_squares",
    "mallows_binomial",
    "recovered",
    "report",
]
