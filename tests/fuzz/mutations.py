"""Ways in which real files go wrong: cells, headers, rows, columns, encodings, truncation."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

Rows = list[list[str]]
CELLS = (
    *("", " ", "-", "N/A", "TBD", "77", "-3", "0", "1e5", "3.5", "3,5", "8/10", "Accept (8)", "A"),
    *("Score: 8", "5.0", "005", "#5", "1.7999999999999998", "inf", "nan", "2021-03-01", "1,234"),
    *("\u00a05", "５", "5\u200b", "=1+1", "#REF!", '"', "a\nb", "x" * 300, "No entry", "6: good"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, 0, -1, 77, 3.5, 1e300, "", "6", "6: good", "3,5", "No entry", [], {}, [6]),
    *({"value": 7}, {"value": None}, {"value": "5: ok"}, "x" * 300, 2**70, "\ud800"),
)


@dataclass(frozen=True)
class Table:
    """A table to be written, and how."""

    rows: Rows
    header: int = 0  # the header's row
    delimiter: str = ","
    line_end: str = "\n"
    encoding: str = "utf-8"
    quoting: int = csv.QUOTE_MINIMAL

    def data(self) -> bytes:
        """Return the file's bytes."""
        text = io.StringIO(newline="")
        writer = csv.writer(
            text, delimiter=self.delimiter, lineterminator=self.line_end, quoting=self.quoting
        )
        writer.writerows(self.rows)
        return text.getvalue().encode(self.encoding, "replace")


def _changed(table: Table, rows: Rows, header: int | None = None) -> Table:
    return replace(table, rows=rows, header=table.header if header is None else header)


def _cell(table: Table, random: Random) -> Table:
    rows = [list(row) for row in table.rows]
    row = random.choice(rows[table.header + 1 :] or rows)
    if row:
        row[random.randrange(len(row))] = random.choice(CELLS)
    return _changed(table, rows)


def _title(table: Table, random: Random) -> Table:
    rows = [list(row) for row in table.rows]
    header = rows[table.header]
    at = random.randrange(len(header))
    name = header[at]
    other = random.choice(header)
    header[at] = random.choice((name.upper(), f" {name} ", name + "s", "", other, "Score", "rank"))
    return _changed(table, rows)


def _row(table: Table, random: Random) -> Table:
    rows = [list(row) for row in table.rows]
    at = random.randrange(table.header + 1, len(rows) + 1)
    other = random.choice(rows)
    kind = random.randrange(6)
    if kind == 0:
        rows.insert(at, list(other))  # given twice, the header too
    elif kind == 1:
        rows.insert(at, [""] * len(other))
    elif kind == 2 and len(rows) > table.header + 2:
        del rows[-1]
    elif kind == 3:
        other.append("more")
    elif kind == 4 and other:
        other.pop()
    else:
        rows.insert(at, ["Total", *[""] * (len(other) - 1)])
    return _changed(table, rows)


def _column(table: Table, random: Random) -> Table:
    width = min(map(len, table.rows), default=0)
    if width < 2:
        return table
    one, other = random.sample(range(width), 2)
    rows = [list(row) for row in table.rows]
    kind = random.randrange(4)
    for row in rows:
        if kind == 0:
            row[one], row[other] = row[other], row[one]
        elif kind == 1:
            row.insert(other, row[one])
        elif kind == 2:
            del row[one]
        else:
            row.insert(one, "")
    return _changed(table, rows)


def _above(table: Table, random: Random) -> Table:
    title = random.choice((["A title"], [], ["sep=;"], ["Exported, on", "Monday"], [""]))
    return _changed(table, [title, *table.rows], table.header + 1)


def _written(table: Table, random: Random) -> Table:
    return replace(
        table,
        line_end=random.choice(("\n", "\r\n", "\r")),
        encoding=random.choice(("utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1")),
        quoting=random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL)),
    )


def _delimited(table: Table, random: Random) -> Table:
    return replace(table, delimiter=random.choice(",;\t|"))


_TABLE: tuple[Callable[[Table, Random], Table], ...] = (
    *(_cell, _cell, _cell, _title, _row, _row, _column, _above, _written, _delimited),
)


def changed_table(table: Table, random: Random) -> Table:
    """Change a table in one to three ways."""
    for _ in range(random.randint(1, 3)):
        table = random.choice(_TABLE)(table, random)
    return table


def changed_json(document: Any, random: Random) -> Any:
    """Change a JSON document, which is a copy of its own, in one to three ways."""
    for _ in range(random.randint(1, 3)):
        _change_somewhere(document, random)
    return document


def _change_somewhere(value: Any, random: Random) -> None:
    """Walk down a random path and change what is there."""
    while True:
        keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
        if not keys:
            return
        key = random.choice(keys)
        inner = value[key]
        if isinstance(inner, dict | list) and inner and random.random() < 0.85:
            value = inner
            continue
        _change_here(value, key, random)
        return


def _change_here(value: Any, key: Any, random: Random) -> None:
    kind = random.randrange(4)
    if kind == 0:
        del value[key]
    elif kind == 1 and isinstance(value, list):
        value.append(deepcopy(value[key]))
    elif kind == 1:
        value[f"{key}_2"] = value.pop(key)
    else:
        value[key] = deepcopy(random.choice(VALUES))


def damaged_at_times(data: bytes, random: Random) -> bytes:
    """Damage one file in five."""
    return changed_bytes(data, random) if random.random() < 0.2 else data


def changed_bytes(data: bytes, random: Random) -> bytes:
    """Damage a file: cut it off, or drop, repeat or put in some bytes."""
    at, to = sorted((random.randrange(len(data) + 1), random.randrange(len(data) + 1)))
    kind = random.randrange(5)
    if kind == 0:
        return data[:to]
    if kind == 1:
        return data[:at] + data[min(to, at + 8) :]
    if kind == 2:
        return data[:to] + data[at:]
    if kind == 3:
        return (
            data[:at]
            + random.choice((b"\x00", b"\xff", b'"', b"\n", b",", b"\xef\xbb\xbf"))
            + data[at:]
        )
    return data[:at] + random.randbytes(3) + data[at:]
