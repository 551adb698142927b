"""How long work tells how far it has come: the shapes of a progress function, used everywhere."""

from __future__ import annotations

from collections.abc import Callable

# The name of the stage, how much of it is done, and how much there is.
StageProgress = Callable[[str, int, int], None]
# How much is done, and how much there is.
StepProgress = Callable[[int, int], None]
