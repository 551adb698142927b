"""Where the certificate is computed: on a card where there is one and the problem is large, or here."""

from __future__ import annotations

from unround.arrays import FloatArray
from unround.certificate.bound import Certificate, certify
from unround.problem.model import Problem

# Reviews from which a card pays: its kernels compile in the time in which a processor certifies so many.
LEAST_ON_CARD = 12_000_000


def certify_where_quickest(
    problem: Problem,
    lam: float,
    scores: FloatArray,
    *,
    card: bool,
    wanted: float = 0.0,
    sweeps: int = 0,
) -> Certificate:
    """Certify the scores; `card` says whether there is one."""
    if card and len(problem) >= LEAST_ON_CARD:
        from unround.certificate.on_card import certify_problem_on_card, fits_on_card

        if fits_on_card(problem):
            return certify_problem_on_card(problem, lam, scores, wanted=wanted, sweeps=sweeps)
    return certify(problem, lam, scores, wanted=wanted, sweeps=sweeps)
