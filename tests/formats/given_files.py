"""Files given to the readers: written, refused, and what a hostile one may cost in memory.

Time is not measured here: pytest's timeout ends what hangs.
"""

import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import xlsxwriter

from tests.formats.promises import keep_promises
from unround import Tables
from unround.formats.files.source import Source
from unround.formats.importer import import_files
from unround.formats.model import Context, FileContent, ImportRefused, Options, Sheet
from unround.formats.registry import recognise

MEGABYTES = 200


def written(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a file, a text as it is: with its own line ends."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def workbook(path: Path, **sheets: list[list[object]]) -> Path:
    """Write an XLSX file with these rows in each of its sheets."""
    with xlsxwriter.Workbook(path) as book:
        for name, rows in sheets.items():
            page = book.add_worksheet(name)
            for number, row in enumerate(rows):
                page.write_row(number, 0, row)
    return path


def rows_of(sheet: Sheet | None, *columns: str) -> list[tuple[object, ...]]:
    """Return the rows of a sheet, which has these columns and perhaps the time of changes."""
    assert sheet is not None
    table = sheet.table.drop("modified", strict=False)
    assert table.columns == list(columns)
    return table.rows()


def read_as(
    name: str, path: Path, context: Context | None = None, **options: object
) -> FileContent:
    """Read a file with the reader that recognises it, which must be this one."""
    source = Source(path)
    reader = recognise(source)
    assert reader.name == name
    return named(reader.read(source, Options(**options), context))


def named(content: FileContent) -> FileContent:
    """Return a content whose sentences name the file, as people read them."""
    notes = tuple(f"{content.file}: {note}" for note in content.notes)
    return replace(content, recognised=content.described, notes=notes)


def places(sheet: Sheet | None) -> list[str]:
    """Return where each row of a sheet stands."""
    assert sheet is not None
    return [sheet.place(row) for row in range(sheet.table.height)]


def imported(
    folder: Path, reviews: str, ranks: str = "", name: str = "t.csv", **options: object
) -> Tables:
    """Import a table of reviews, and one of ranks where there is any; what a refusal offers must lead on."""
    rankings = [written(folder, "ranks.csv", ranks)] if ranks else []
    files = [written(folder, name, reviews)]
    try:
        return import_files(files, rankings, Options(**options))
    except ImportRefused as refusal:
        keep_promises(files, rankings, Options(**options), str(refusal))
        raise


def refused(words: str) -> AbstractContextManager[pytest.ExceptionInfo[ImportRefused]]:
    """Expect an import to be refused in words that match this pattern."""
    return pytest.raises(ImportRefused, match=words)


@contextmanager
def within_bounds(megabytes: int = MEGABYTES) -> Iterator[None]:
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < megabytes * 1_000_000


def assert_refused(path: Path, words: str) -> None:
    """Check that reading the file is refused in these words, without filling the memory."""
    with within_bounds(), refused(words):
        import_files([path])


# The process's own peak: getrusage would count that of the process that started it.
STATUS = Path("/proc/self/status")
needs_proc = pytest.mark.skipif(not STATUS.exists(), reason="measured as Linux tells it")
MEASURE = """
import re, sys
from pathlib import Path
from unround.formats.importer import import_files
imported = import_files([Path(name) for name in sys.argv[1:]])
peak = re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text()).group(1)
print(imported.reviews.height, int(peak) // 1000)
"""


def read_apart(*paths: Path) -> tuple[int, int]:
    """Return the number of reviews in files and the megabytes that a process took to read them."""
    command = [sys.executable, "-c", MEASURE, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=280)
    reviews, megabytes = map(int, done.stdout.split())
    return reviews, megabytes
