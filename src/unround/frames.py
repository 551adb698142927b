"""The door for dataframes: any kind in, the same kind out. Only here is narwhals used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from unround.arrays import BoolArray, IntArray
from unround.errors import UsageError

Frame = nw.DataFrame[Any]


def open_frame(native: object, name: str) -> Frame:
    """A dataframe of any eager kind (pandas, polars, pyarrow, ..)."""
    try:
        return nw.from_native(native, eager_only=True)
    except TypeError:
        kind = type(native).__name__
        raise UsageError(
            f"{name} must be a dataframe (pandas, polars, pyarrow, ..), not {kind}"
            + ("; call .collect() first" if kind == "LazyFrame" else "")
        ) from None


def values_of(column: nw.Series[Any]) -> NDArray[Any]:
    """A column as a numpy array: numbers as numbers, everything else as Python objects."""
    if column.dtype.is_numeric() and not column.dtype.is_decimal():
        return np.asarray(column.to_numpy())
    array = np.empty(len(column), dtype=object)
    array[:] = column.to_list()
    return array


def missing_in(column: nw.Series[Any]) -> BoolArray:
    """Which entries are null, or NaN in a column of decimals."""
    missing = np.asarray(column.is_null().to_numpy(), dtype=np.bool_)
    if column.dtype.is_float():
        values = np.asarray(column.to_numpy(), dtype=np.float64)
        missing = missing | np.isnan(values)
    return missing


def with_columns(frame: Frame, columns: Mapping[str, NDArray[Any]]) -> Frame:
    """The frame with columns added at its end, or replaced."""
    backend = nw.get_native_namespace(frame)
    return frame.with_columns(
        *(nw.new_series(name, values, backend=backend) for name, values in columns.items())
    )


def rows_of(frame: Frame, rows: IntArray) -> Frame:
    """Some of a frame's rows, in the order asked for."""
    return frame[rows.tolist(), :]


def frame_like(frame: Frame, columns: Mapping[str, NDArray[Any]]) -> Any:
    """A new dataframe of the caller's kind."""
    return nw.from_dict(dict(columns), backend=nw.get_native_namespace(frame)).to_native()
