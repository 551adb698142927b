"""Whether estimates can be trusted: do chains mix, and does rounding hide how reviewers differ."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from unround.arrays import FloatArray

AT_ONCE = 1024  # quantities whose autocorrelations are held in memory together
# In units of the smallest level spacing. Reviewers of a paper who differ by less mostly give it the same
# score, and are off together: 90% intervals that rest on their differences then hold less than 85%.
LEAST_SPREAD = 0.36
HIDDEN_BY_ROUNDING = (
    "reviewers agree more closely than the scale can show: this leaves rounding out, and its intervals "
    "are too narrow here"
)


def split_rhat(draws: NDArray[np.floating]) -> FloatArray:
    """Return the split R-hat of each quantity. `draws` is chains × draws × quantities.

    Each chain is cut in two, so that a chain that drifts is seen too. 1 means that the halves agree.
    """
    return np.concatenate([_rhat(block) for block in _blocks(_halves(draws))])


def effective_draws(draws: NDArray[np.floating]) -> FloatArray:
    """Return how many independent draws would tell each quantity's mean as well (Geyer's sequence)."""
    return np.concatenate([_effective(block) for block in _blocks(_halves(draws))])


def _halves(draws: NDArray[np.floating]) -> NDArray[np.floating]:
    chains, length, quantities = draws.shape
    half = length // 2
    return draws[:, : 2 * half].reshape(chains * 2, half, quantities)


def _blocks(draws: NDArray[np.floating]) -> Iterator[FloatArray]:
    for first in range(0, max(draws.shape[2], 1), AT_ONCE):
        yield draws[:, :, first : first + AT_ONCE].astype(np.float64)


def _rhat(draws: FloatArray) -> FloatArray:
    within, pooled = _variances(draws)
    still = within <= 0.0
    ratio: FloatArray = np.sqrt(pooled / np.where(still, 1.0, within))
    return np.where(still, np.where(pooled > 0.0, np.inf, 1.0), ratio)


def _variances(draws: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The mean variance inside chains, and the variance over all, which chains apart enlarge."""
    length = draws.shape[1]
    within: FloatArray = draws.var(axis=1, ddof=1).mean(axis=0)
    between: FloatArray = draws.mean(axis=1).var(axis=0, ddof=1)
    return within, within * (length - 1) / length + between


def _effective(draws: FloatArray) -> FloatArray:
    chains, length, _ = draws.shape
    within, pooled = _variances(draws)
    pooled = np.where(pooled > 0.0, pooled, 1.0)
    covariance = _autocovariances(draws).mean(axis=0)
    correlation = 1.0 - (within - covariance) / pooled
    correlation[0] = 1.0
    # Sums of neighbouring correlations are positive and fall for a reversible chain: where the
    # estimates stop doing so, only noise is left.
    pairs = correlation[: length - length % 2].reshape(-1, 2, draws.shape[2]).sum(axis=1)
    pairs = np.minimum.accumulate(np.where(np.cumprod(pairs > 0.0, axis=0), pairs, 0.0), axis=0)
    time = np.maximum(2.0 * pairs.sum(axis=0) - 1.0, 1.0 / np.log10(chains * length))
    effective: FloatArray = chains * length / time
    return effective


def _autocovariances(draws: FloatArray) -> FloatArray:
    length = draws.shape[1]
    centred = draws - draws.mean(axis=1, keepdims=True)
    spectrum = np.fft.rfft(centred, 2 * length, axis=1)
    product = np.fft.irfft(spectrum * spectrum.conj(), 2 * length, axis=1)[:, :length]
    covariance: FloatArray = product / length * (length / (length - 1))
    return covariance


def is_hidden_by_rounding(spread: float, spacing: float) -> bool:
    """Return whether reviewers, this far apart around a paper, are hidden by rounding."""
    return spread < LEAST_SPREAD * spacing
