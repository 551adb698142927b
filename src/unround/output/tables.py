"""Write tables as CSV and XLSX that a spreadsheet shows but never runs, and read this CSV back."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from io import BytesIO
from pathlib import Path

import polars as pl

# A text cell that starts like this would be taken for a formula, after a separator too: a spreadsheet may
# split cells at another one than the comma. One that looks shielded already gets another apostrophe, so that
# `unshielded` gives back what was there.
RISKY = r"^'*([\t\r\n]|[\s\x{feff},;|]*[=+\-@])"
SHIELDED = r"^'('*([\t\r\n]|[\s\x{feff},;|]*[=+\-@]))"
# Workbooks carry a date: a fixed one keeps the same input giving the same bytes.
FIXED_DATE = datetime(2000, 1, 1)
# Enough to be quick, few enough that what is made of them on the way out takes little memory.
ROWS_AT_A_TIME = 250_000


def shielded(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table with an apostrophe before every text that a spreadsheet would run."""
    text = pl.col(pl.String)
    return table.with_columns(
        pl.when(text.str.contains(RISKY)).then(pl.lit("'") + text).otherwise(text).name.keep()
    )


def unshielded(table: pl.DataFrame) -> pl.DataFrame:
    """Return the table as it was before `shielded`."""
    return table.with_columns(pl.col(pl.String).str.replace(SHIELDED, "${1}"))


def write_csv(table: pl.DataFrame, path: Path) -> None:
    """Write a CSV: UTF-8, LF, quotation marks where needed, every number to its last digit."""
    with path.open("wb") as file:
        for first in range(0, max(table.height, 1), ROWS_AT_A_TIME):
            some = shielded(table.slice(first, ROWS_AT_A_TIME))
            some.write_csv(file, include_header=first == 0)


def read_own_csv(path: Path | bytes, text: Collection[str] = ()) -> pl.DataFrame:
    """Read a CSV that `write_csv` wrote, from a file or its bytes. Columns named in `text` stay text."""
    header = pl.read_csv(path, n_rows=0, infer_schema=False).columns
    kinds = {name: pl.String for name in header if name in text}
    return unshielded(pl.read_csv(path, infer_schema_length=None, schema_overrides=kinds))


def write_xlsx(sheets: Mapping[str, pl.DataFrame], path: Path) -> None:
    """Write one worksheet per table: header frozen, numbers as numbers, text as text."""
    import xlsxwriter

    # In memory: where the disk is full, a workbook that writes to it complains once more at its end.
    content = BytesIO()
    plain_text = {
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(content, plain_text) as book:
        book.set_properties({"created": FIXED_DATE, "author": "unround"})
        for name, table in sheets.items():
            table.write_excel(
                book,
                name,
                freeze_panes=(1, 0),
                autofit=True,
                dtype_formats={pl.Float64: "0.0000", pl.Int64: "0"},
                table_style="Table Style Light 1",
            )
    path.write_bytes(content.getvalue())
