"""The choice of λ: quantization validation ("auto", the paper's) or simulation ("auto+")."""

from __future__ import annotations

from unround.progress import StepProgress
from unround.reviews.review_set import ReviewSet
from unround.selection.curve import Curve
from unround.selection.simulation import AUTO_PLUS, simulated
from unround.selection.validation import validate
from unround.settings import Settings
from unround.solver.engine import ON_THIS_MACHINE, Engine


def choose(
    reviews: ReviewSet,
    settings: Settings,
    progress: StepProgress | None = None,
    engine: Engine = ON_THIS_MACHINE,
) -> Curve:
    """Compute the curve that "auto" (quantization validation) or "auto+" (simulation) chooses λ from."""
    if settings.lam == AUTO_PLUS:
        return simulated(reviews, settings, progress=progress, engine=engine)
    return validate(reviews, epsilon=settings.epsilon, progress=progress, engine=engine)
