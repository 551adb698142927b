"""Dataframes of any kind in, the same kind out. Only this module uses narwhals.

A forked process has none of its parent's threads, and polars waits for its own in most methods of a
frame (`select`, `with_columns`, `sort`, ..). Frames are taken apart and put together by column here,
which needs no threads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from os import PathLike
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
# How frames that are not computed yet give one that is.
LAZY = ("collect", "compute", "to_polars", "to_pandas", "to_arrow", "toPandas")


def open_frame(native: object, name: str) -> Frame:
    """Open a dataframe of any eager kind (pandas, polars, pyarrow, ..)."""
    try:
        frame: Frame = nw.from_native(native, eager_only=True)
        names = frame.columns
        if any(not isinstance(column, str) for column in names):
            raise UsageError(_odd_names(name, names))
        return frame if len(set(names)) == len(names) else frame.select(*names)
    except nw.exceptions.DuplicateError as error:
        raise UsageError(f"{name} has two columns of the same name: {error}") from None
    except TypeError:
        kind = type(native).__name__
        raise UsageError(
            f"{name} must be a dataframe (pandas, polars, pyarrow, ..), not {kind}"
            + _way_to_a_frame(native, name)
        ) from None


def own_copy(native: Any) -> Any:
    """Return a copy of a dataframe, so that the caller may change theirs; anything else as it is."""
    try:
        frame = nw.from_native(native, eager_only=True, pass_through=True)
        return frame.clone().to_native() if isinstance(frame, nw.DataFrame) else native
    except nw.exceptions.DuplicateError:
        return native  # refused in words by `open_frame`


def _odd_names(name: str, columns: Sequence[object]) -> str:
    """Return what to do about column names that are no text."""
    if any(isinstance(column, tuple) for column in columns):
        return (
            f"{name} has column names of several levels, such as {columns[0]!r}; join them first: "
            f'{name}.columns = ["_".join(filter(None, map(str, c))) for c in {name}.columns]'
        )
    odd = next(column for column in columns if not isinstance(column, str))
    return (
        f"{name} has the column name {odd!r}, which is not text; name the columns first: "
        f"{name}.columns = [str(c) for c in {name}.columns]"
    )


def _way_to_a_frame(native: object, name: str) -> str:
    """Return the line that makes a dataframe of something else; empty if there is none."""
    kind = type(native).__name__
    if kind == "LazyFrame":
        return "; call .collect() first"
    if kind == "DuckDBPyRelation":
        return f"; pass {name}.pl() or {name}.df()"
    if isinstance(native, list) and native and all(isinstance(row, Mapping) for row in native):
        return f" of dicts; pass polars.DataFrame({name}) or pandas.DataFrame({name})"
    if isinstance(native, Mapping):
        return f"; pass polars.DataFrame({name}) or pandas.DataFrame({name})"
    if isinstance(native, str | PathLike):
        return "; read the file first, with unround.read or with your dataframe library"
    lazy = next((way for way in LAZY if hasattr(native, way)), None)
    return f"; pass {name}.{lazy}()" if lazy else ""


def index_names(frame: Frame) -> tuple[object, ...]:
    """Return the names of a pandas index."""
    index = nw.maybe_get_index(frame)
    return () if index is None else tuple(index.names)


def categories_of(column: nw.Series[Any]) -> tuple[Any, ...] | None:
    """Return the categories of an ordered type (Enum, ordered Categorical), lowest first."""
    dtype = column.dtype
    if isinstance(dtype, nw.Enum):
        return tuple(_plain(category) for category in dtype.categories)
    native = column.to_native()
    if getattr(getattr(native, "type", None), "ordered", False) is True:  # a pyarrow dictionary
        chunks = getattr(native, "unify_dictionaries", lambda: native)().chunks
        return tuple(chunks[0].dictionary.to_pylist()) if chunks else None
    return None


def values_of(column: nw.Series[Any]) -> NDArray[Any]:
    """Return a column as a numpy array: numbers as numbers, everything else as Python objects."""
    if column.dtype.is_decimal():
        column = column.cast(nw.Float64)
    if column.dtype.is_numeric() and column.dtype not in (nw.Int128, nw.UInt128):
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
    """Return a copy of the frame with columns of numbers or text added at its end, or replaced."""
    backend, polars = nw.get_native_namespace(frame), frame.implementation.is_polars()
    new = {
        # Without rows, polars cannot tell that a column is text.
        name: nw.new_series(
            name,
            values,
            nw.String() if polars and values.dtype == object else None,
            backend=backend,
        )
        for name, values in columns.items()
    }
    if polars:
        return nw.from_dict({**{name: frame[name] for name in frame.columns}, **new})
    return frame.with_columns(*new.values()).clone()


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
