"""Orders as boolean matrices, by their definitions: above[i, j] says that paper i is above paper j."""

import numpy as np


def transitive_closure(above):
    closed = above.copy()
    for middle in range(len(closed)):
        closed |= closed[:, middle, None] & closed[middle, None, :]
    return closed


def across_classes(above, alike):
    """The order in which papers that are about the same stand for each other."""
    same = transitive_closure(alike | alike.T | np.eye(len(alike), dtype=bool))
    return same @ above @ same


def longest_paths(above):
    """The most steps from i down to j in a closed order without cycles."""
    steps = above.astype(np.int64)
    for middle in range(len(steps)):
        first, then = steps[:, middle, None], steps[middle, None, :]
        steps = np.maximum(steps, np.where((first > 0) & (then > 0), first + then, 0))
    return steps


def covers(above):
    """The pairs of a closed order that follow from no others."""
    return above & ~(above @ above)


def components(above):
    """For each paper the first paper that it is tied to, directly or not."""
    joined = transitive_closure(above | above.T | np.eye(len(above), dtype=bool))
    return joined.argmax(axis=1)


def is_in_levels(above, component):
    """For each paper whether its component is levels, each wholly above the next."""
    together = component[:, None] == component
    better = above.sum(axis=0)
    odd = (((better[:, None] < better) & together) != (above & together)).any(axis=1)
    return ~(together & odd).any(axis=1)
