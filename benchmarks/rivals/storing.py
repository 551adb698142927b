"""Save and load matrices, so that the process that solves loads nothing of unround."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from benchmarks.rivals.matrices import Matrices


def save(matrices: Matrices, file: Path) -> None:
    """One .npz file, not compressed."""
    np.savez(
        file,
        reviews=matrices.reviews,
        linear=matrices.linear,
        need=matrices.need,
        least=matrices.least,
        most=matrices.most,
        **_parts("quadratic", matrices.quadratic),
        **_parts("rows", matrices.rows),
    )


def load(file: Path) -> Matrices:
    """What `save` wrote."""
    with np.load(file) as stored:
        return Matrices(
            reviews=int(stored["reviews"]),
            quadratic=_matrix("quadratic", stored),
            linear=stored["linear"],
            rows=_matrix("rows", stored),
            need=stored["need"],
            least=stored["least"],
            most=stored["most"],
        )


def _parts(name: str, matrix: sparse.csc_matrix) -> dict[str, object]:
    return {
        f"{name}_data": matrix.data,
        f"{name}_indices": matrix.indices,
        f"{name}_indptr": matrix.indptr,
        f"{name}_shape": matrix.shape,
    }


def _matrix(name: str, stored: np.lib.npyio.NpzFile) -> sparse.csc_matrix:
    data, indices, indptr = (stored[f"{name}_{part}"] for part in ("data", "indices", "indptr"))
    return sparse.csc_matrix((data, indices, indptr), tuple(stored[f"{name}_shape"]))
