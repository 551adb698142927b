"""Read the grades of TinyConf, a made-up system: the worked example of the recipe for a new one."""

from __future__ import annotations

from unround.formats.files.source import Source
from unround.formats.files.tables import read_table
from unround.formats.model import Context, FileContent, Gives, Options, Reader
from unround.formats.systems.exports import sheet_of

COLUMNS = {"reviewer": "Juror", "paper": "Contribution", "score": "Grade"}


def is_grades(source: Source) -> bool:
    """Return whether the header is that of TinyConf's grades."""
    return set(COLUMNS.values()) <= set(source.header)


def read_grades(source: Source, options: Options, context: Context) -> FileContent:
    """Read one review per row."""
    return FileContent(recognised="TinyConf grades", reviews=sheet_of(read_table(source), COLUMNS))


READERS = (
    Reader(
        "tinyconf-grades",
        "TinyConf grades (grades.csv)",
        Gives.REVIEWS,
        is_grades,
        read_grades,
    ),
)
