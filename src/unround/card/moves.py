"""Move numbers between two orders on a card."""

from __future__ import annotations

from unround.card.launch import CardArray, cuda


@cuda.jit
def take(places: CardArray, values: CardArray, taken: CardArray) -> None:
    """Write, for each place, the value that stands there."""
    k = cuda.grid(1)
    if k < places.size:
        taken[k] = values[places[k]]


@cuda.jit
def put(places: CardArray, values: CardArray, placed: CardArray) -> None:
    """Write each value to its place."""
    k = cuda.grid(1)
    if k < places.size:
        placed[places[k]] = values[k]
