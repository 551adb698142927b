"""Ways in which real files go wrong: cells, headers, rows, columns, encodings, truncation."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
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


@dataclass
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


def _cell(table: Table, random: Random) -> None:
    row = random.choice(table.rows[table.header + 1 :] or table.rows)
    if row:
        row[random.randrange(len(row))] = random.choice(CELLS)


def _title(table: Table, random: Random) -> None:
    header = table.rows[table.header]
    at = random.randrange(len(header))
    name = header[at]
    other = random.choice(header)
    header[at] = random.choice((name.upper(), f" {name} ", name + "s", "", other, "Score", "rank"))


def _row(table: Table, random: Random) -> None:
    rows = table.rows
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


def _column(table: Table, random: Random) -> None:
    width = min(map(len, table.rows), default=0)
    if width < 2:
        return
    one, other = random.sample(range(width), 2)
    kind = random.randrange(4)
    for row in table.rows:
        if kind == 0:
            row[one], row[other] = row[other], row[one]
        elif kind == 1:
            row.insert(other, row[one])
        elif kind == 2:
            del row[one]
        else:
            row.insert(one, "")


def _above(table: Table, random: Random) -> None:
    title = random.choice((["A title"], [], ["sep=;"], ["Exported, on", "Monday"], [""]))
    table.rows.insert(0, list(title))
    table.header += 1


def _written(table: Table, random: Random) -> None:
    table.line_end = random.choice(("\n", "\r\n", "\r"))
    table.encoding = random.choice(("utf-8", "utf-8-sig", "utf-16", "cp1252", "latin-1"))
    table.quoting = random.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL))


def _delimited(table: Table, random: Random) -> None:
    table.delimiter = random.choice(",;\t|")


_TABLE: tuple[Callable[[Table, Random], None], ...] = (
    *(_cell, _cell, _cell, _title, _row, _row, _column, _above, _written, _delimited),
)


def changed_table(rows: Rows, delimiter: str, random: Random) -> Table:
    """Return a table changed in one to three ways."""
    table = Table(deepcopy(rows), delimiter=delimiter)
    for _ in range(random.randint(1, 3)):
        random.choice(_TABLE)(table, random)
    return table


def change_line(
    lines: list[str], random: Random, odd: Sequence[str], garbled: Callable[[str], str]
) -> None:
    """Drop, repeat, replace or garble one line of a text."""
    at = random.randrange(len(lines))
    kind = random.randrange(4)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(at, random.choice(lines))
    else:
        lines[at] = random.choice(odd) if kind == 2 else garbled(lines[at])


def changed_json(document: Any, random: Random) -> Any:
    """Change a JSON document, which is a copy of its own, in one to three ways."""
    for _ in range(random.randint(1, 3)):
        value = document
        while value:  # walk down a random path, and change what is there
            key = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
            inner = value[key]
            if not (isinstance(inner, dict | list) and inner and random.random() < 0.85):
                _change_here(value, key, random)
                break
            value = inner
    return document


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
    """Damage one file in five: cut it off, or drop, repeat or put in some bytes."""
    if random.random() >= 0.2:
        return data
    at, to = sorted((random.randrange(len(data) + 1), random.randrange(len(data) + 1)))
    kind = random.randrange(5)
    if kind == 0:
        return data[:to]
    if kind == 1:
        return data[:at] + data[min(to, at + 8) :]
    if kind == 2:
        return data[:to] + data[at:]
    if kind == 3:
        mark = random.choice((b"\x00", b"\xff", b'"', b"\n", b",", b"\xef\xbb\xbf"))
        return data[:at] + mark + data[at:]
    return data[:at] + random.randbytes(3) + data[at:]
