"""Dataframes of any kind in, the same kind out. Only this module uses narwhals.

A forked process has none of its parent's threads, and polars waits for its own in most methods of a
frame (`select`, `with_columns`, `sort`, ..). Frames are taken apart and put together by column here,
which needs no threads.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from sys import intern
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from unround.arrays import BoolArray, IntArray
from unround.errors import UsageError

if TYPE_CHECKING:
    import polars as pl

Frame = nw.DataFrame[Any]
ROWS_AT_A_TIME = 100_000


def open_frame(native: object, name: str) -> Frame:
    """Open a dataframe of any eager kind (pandas, polars, pyarrow, ..)."""
    try:
        frame: Frame = nw.from_native(native, eager_only=True)
        names = frame.columns
        return frame if len(set(names)) == len(names) else frame.select(*names)
    except nw.exceptions.DuplicateError as error:
        raise UsageError(f"{name} has two columns of the same name: {error}") from None
    except TypeError:
        kind = type(native).__name__
        raise UsageError(
            f"{name} must be a dataframe (pandas, polars, pyarrow, ..), not {kind}"
            + ("; call .collect() first" if kind == "LazyFrame" else "")
        ) from None


def values_of(column: nw.Series[Any]) -> NDArray[Any]:
    """Return a column as a numpy array: numbers as numbers, everything else as Python objects."""
    if column.dtype.is_decimal():
        column = column.cast(nw.Float64)
    if column.dtype.is_numeric():
        return np.asarray(column.to_numpy())
    array = np.empty(len(column), dtype=object)
    for first in range(0, len(column), ROWS_AT_A_TIME):
        some = column[first : first + ROWS_AT_A_TIME].to_list()
        array[first : first + len(some)] = [_plain(value) for value in some]
    return array


def _plain(value: object) -> object:
    """Return a Python number for what numpy or decimal wrap, and one object for all equal texts."""
    if type(value) is str:
        return intern(value)
    if isinstance(value, np.generic):
        return value.item()
    return float(value) if isinstance(value, Decimal) else value


def missing_in(column: nw.Series[Any]) -> BoolArray:
    """Return which values are null, or NaN in a column of decimals."""
    if column.null_count():
        missing = np.asarray(column.is_null().to_numpy(), dtype=np.bool_)
    else:
        missing = np.zeros(len(column), dtype=np.bool_)
    if column.dtype.is_float():
        values = np.asarray(column.to_numpy(), dtype=np.float64)
        missing = missing | np.isnan(values)
    return missing


def with_columns(frame: Frame, columns: Mapping[str, NDArray[Any]]) -> Frame:
    """Return the frame with columns added at its end, or replaced."""
    backend = nw.get_native_namespace(frame)
    new = {name: nw.new_series(name, values, backend=backend) for name, values in columns.items()}
    if frame.implementation.is_polars():
        return nw.from_dict({**{name: frame[name] for name in frame.columns}, **new})
    return frame.with_columns(*new.values())


def rows_of(frame: Frame, rows: IntArray) -> Frame:
    """Return rows of a frame in the order asked for."""
    if frame.implementation.is_polars():
        return nw.from_dict({name: frame[name][rows] for name in frame.columns})
    return nw.maybe_reset_index(frame[rows, :])


def stacked(top: Frame, bottom: Frame) -> Frame:
    """Return the rows of two frames, one below the other, as the first one's kind."""
    if type(top.to_native()) is not type(bottom.to_native()):
        columns = {name: values_of(bottom[name]) for name in top.columns}
        bottom = nw.from_dict(columns, backend=nw.get_native_namespace(top))
    if top.implementation.is_polars():
        alike = nw.from_dict({name: bottom[name].cast(kind) for name, kind in top.schema.items()})
        return nw.from_native(top.to_native().vstack(alike.to_native()), eager_only=True)
    if top.schema != bottom.schema:
        bottom = bottom.select(nw.col(name).cast(kind) for name, kind in top.schema.items())
    return nw.maybe_reset_index(nw.concat([top, bottom], how="vertical"))


def frame_like(frame: Frame, columns: Mapping[str, NDArray[Any]]) -> Any:
    """Return a new dataframe of the caller's kind."""
    return nw.from_dict(dict(columns), backend=nw.get_native_namespace(frame)).to_native()


def as_polars(native: Any) -> pl.DataFrame:
    """Return a dataframe of any kind as a polars dataframe."""
    frame: Frame = nw.from_native(native, eager_only=True)
    return frame.to_polars()
