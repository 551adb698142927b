"""Problem + λ -> scores, by sweeps that stop on a proven bound.

A sweep pulls every score towards its paper's centre, projects each component onto its
constraints, and moves the centres to the means. It shrinks the largest distance between any two
sets of centres by 1/(1+λ) (docs/mathematics.md), so that a sweep that moves no centre by more
than d proves its scores right to d/λ.
"""
