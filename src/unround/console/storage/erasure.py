"""Replacing the names of a person wherever the database holds them: text, JSON and packed files.

Every column of every table is looked at, so that a table that is added later is not overlooked.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import JSON, LargeBinary, Table, Text, or_, select, update
from sqlalchemy.orm import Session

from unround.console.storage.orm import Base, RunRow

# Names that end at another word's letters are other names: "Ada" is not in "Adam" or "ada@x.org".
START, END = r"(?<![\w@.+-])", r"(?![\w@+-]|\.\w)"


@dataclass
class Erasure:
    """Names of one person and what stands for them from now on; counts what was replaced."""

    names: Sequence[str]
    stand_in: str
    counts: Counter[str] = field(default_factory=Counter)  # values per table
    conferences: set[str] = field(default_factory=set)  # where the person was named

    def __post_init__(self) -> None:
        forms = sorted({form for name in self.names for form in _forms(name)}, key=len)
        words = "|".join(re.escape(form) for form in reversed(forms))
        self._pattern = re.compile(f"{START}(?:{words}){END}", re.IGNORECASE)

    def apply(self, session: Session) -> None:
        """Replace the names in every table."""
        for table in Base.metadata.sorted_tables:
            for column in table.columns:
                if isinstance(column.type, JSON | LargeBinary):
                    self._replace_values(session, table, column)
                elif isinstance(column.type, Text):  # ids and hashes are of other types
                    self._replace_texts(session, table, column)

    def text(self, value: str) -> str:
        """Return a text without the names."""
        return self._pattern.sub(self.stand_in, value)

    def _replace_texts(self, session: Session, table: Table, column: Any) -> None:
        """Replace texts that are equal at once: a reviewer stands in thousands of rows."""
        holds = or_(*(column.icontains(name, autoescape=True) for name in self.names))
        for old in session.scalars(select(column).where(holds).distinct()).all():
            new = self.text(old)
            if new == old:
                continue
            self._note_conferences(session, table, column == old)
            done: Any = session.execute(update(table).where(column == old).values({column: new}))
            self.counts[table.name] += done.rowcount

    def _replace_values(self, session: Session, table: Table, column: Any) -> None:
        """Replace inside JSON and packed files, one row at a time: they may be large."""
        keys = list(table.primary_key.columns)
        for row in session.execute(select(*keys).where(column.is_not(None))).all():
            this = [key == value for key, value in zip(keys, row, strict=True)]
            old = session.scalar(select(column).where(*this))
            new = self._packed(old) if isinstance(old, bytes) else self._json(old)
            if new == old:
                continue
            self._note_conferences(session, table, *this)
            session.execute(update(table).where(*this).values({column: new}))
            self.counts[table.name] += 1

    def _packed(self, packed: bytes) -> bytes:
        old = gzip.decompress(packed).decode("utf-8")
        new = self.text(old)
        return packed if new == old else gzip.compress(new.encode("utf-8"), mtime=0)

    def _json(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._json(one) for one in value]
        if isinstance(value, dict):
            return {self.text(key): self._json(one) for key, one in value.items()}
        return value

    def _note_conferences(self, session: Session, table: Table, *where: Any) -> None:
        """Remember the conferences of rows that name the person."""
        if "conference" in table.columns:
            query = select(table.columns.conference).where(*where)
        elif "run" in table.columns:
            runs = select(table.columns.run).where(*where)
            query = select(RunRow.conference).where(RunRow.id.in_(runs))
        else:
            return
        self.conferences |= {id for id in session.scalars(query.distinct()) if id is not None}


def _forms(name: str) -> set[str]:
    """Return a name as texts, JSON and CSV files write it."""
    return {
        name,
        json.dumps(name)[1:-1],
        json.dumps(name, ensure_ascii=False)[1:-1],
        name.replace('"', '""'),
    }
