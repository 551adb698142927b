"""When rounding hides how much reviewers differ, and what follows from their differences with it."""

from __future__ import annotations

# In units of the smallest level spacing. Reviewers of a paper who differ by less mostly give it the same
# score, and are off together: 90% intervals that rest on their differences then hold less than 85%.
LEAST_SPREAD = 0.36
WORDS = (
    "reviewers agree more closely than the scale can show: this leaves rounding out, and its intervals "
    "are too narrow here"
)


def is_hidden(spread: float, spacing: float) -> bool:
    """Return whether reviewers, this far apart around a paper, are hidden by rounding."""
    return spread < LEAST_SPREAD * spacing
