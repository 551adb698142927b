"""Find the files to read: a folder, a ZIP or a gzip file stands for the files that it holds."""

from __future__ import annotations

import gzip
import os
import re
import stat
import zlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from unround.formats.cells import counted, listed
from unround.formats.files.archives import (
    CHUNK,
    MOST_BYTES,
    MOST_FILES,
    MOST_TIMES,
    is_folder_archive,
    unpack,
)
from unround.formats.files.source import Source, Stamp, stamp_of
from unround.formats.model import ImportRefused, Options, Reader
from unround.formats.registry import find_reader, recognise
from unround.output.targets import refuse_full_disk

DEEPEST = 8
MOST_TABLES = 1_000  # plain tables in folders and archives
RESULTS = "run.json"  # a folder with this file holds the results of a run
# What systems leave beside files; the last by those who write tables in parts.
_IGNORED = re.compile(
    r"\.|~\$|__MACOSX$|Thumbs\.db$|desktop\.ini$|_(?:SUCCESS|committed|started)", re.IGNORECASE
)


@contextmanager
def find_inputs(
    reviews: Sequence[Path], rankings: Sequence[Path], options: Options
) -> Iterator[FileFinder]:
    """Find a reader for every file; unpacked files last as long as the block."""
    with TemporaryDirectory(prefix="unround-", ignore_cleanup_errors=True) as scratch:
        finder = FileFinder(Path(scratch), options, set(rankings))
        for path in dict.fromkeys((*reviews, *rankings)):  # one file may hold both
            finder.find(Path(path))
        yield finder


class FileFinder:
    """The files behind each path that the user named, and what was passed over."""

    def __init__(self, scratch: Path, options: Options, rankings: set[Path]) -> None:
        self.plans: list[tuple[Reader, Source]] = []
        self.stamps: dict[Path, Stamp] = {}  # of files, before they were opened
        self._passed_over: defaultdict[Path, list[str]] = defaultdict(list)  # by path as given
        self._scratch, self._options, self._rankings = scratch, options, rankings
        self._named = (*options.columns.values(), *options.score_fields)
        self._unpacked = 0
        self._files = self._tables = 0

    @property
    def notes(self) -> Iterator[str]:
        """Notes on the files that were passed over."""
        for given, names in self._passed_over.items():
            what = f"{counted(len(names), 'file')} passed over"
            yield f"{given.name}: {what}, not understood as reviews, rankings or papers: {listed(names)}"

    def find(self, path: Path) -> None:
        """Find the files behind a path that the user named; refuse what cannot be read."""
        _check_kind(path)
        source = self._source(path, path, path.name)
        folder = self._as_folder(source, path)
        if folder is None:
            self._add(self._uncompressed(source))
        elif (folder.path / RESULTS).is_file():
            raise ImportRefused(
                f"{path.name} holds the results of a run ({RESULTS}), not reviews: give the files that "
                "the run was computed from"
            )
        elif find_reader(folder, self._options.format) is not None:
            self._add(folder)
        else:
            self._find_in(folder.path, folder.path, path, 0)
            self._refuse_empty(path)

    def _source(self, path: Path, given: Path, label: str) -> Source:
        self.stamps.setdefault(path, stamp_of(path))
        return Source(path, label, self._options.encoding, given, given in self._rankings)

    def _add(self, source: Source) -> None:
        reader = recognise(source, self._options.format, self._named)
        self.plans.append((reader, source))

    def _find_in(self, folder: Path, root: Path, given: Path, depth: int) -> None:
        """Find files in a folder, by name; those that no reader knows are passed over."""
        for path in sorted(folder.iterdir(), key=_in_order):
            label = str(path.relative_to(root))
            if _IGNORED.match(path.name):
                continue
            _check_name(path)
            self._files += 1
            if self._files > MOST_FILES:
                raise ImportRefused(
                    f"{given.name} holds more than {MOST_FILES:,} files: name those that matter"
                )
            if path.is_dir():
                self._find_in_folder(path, root, given, depth, label)
            elif path.is_file():
                self._add_if_recognised(self._source(path, given, label), given, depth)

    def _find_in_folder(self, path: Path, root: Path, given: Path, depth: int, label: str) -> None:
        source = self._source(path, given, label)
        if (path / RESULTS).is_file() or depth >= DEEPEST:
            self._passed_over[given].append(f"{label}/")
        elif find_reader(source, self._options.format) is not None:
            self._add_if_recognised(source, given, depth)
        else:
            self._find_in(path, root, given, depth + 1)

    def _add_if_recognised(self, source: Source, given: Path, depth: int) -> None:
        """Plan to read a file found in a folder, if a reader knows it."""
        if not source.is_folder and (
            source.is_gzip or (source.is_zip and is_folder_archive(source.path))
        ):
            if source.path.is_relative_to(self._scratch):  # packed twice: it may be made to burst
                self._passed_over[given].append(source.name)
                return
            folder = self._as_folder(source, given)
            if folder is not None:
                self._find_in(folder.path, folder.path.parent, given, depth + 1)
                return
            source = self._uncompressed(source)
        reader = find_reader(source, self._options.format, self._named)
        if reader is None:
            self._passed_over[given].append(source.name)
        else:
            self._tables += reader.system == "csv" and not source.is_parquet
            if self._tables > MOST_TABLES:
                raise ImportRefused(
                    f"{given.name} holds more than {MOST_TABLES:,} tables: put their rows into one "
                    "table, or give the tables that matter"
                )
            self.plans.append((reader, source))

    def _refuse_empty(self, given: Path) -> None:
        if any(source.given == given for _, source in self.plans):
            return
        names = self._passed_over[given]
        what = "a folder" if given.is_dir() else "an archive"
        holds = f": {listed(names)}" if names else ""
        raise ImportRefused(
            f"{given.name} is {what} without anything that looks like reviews{holds}; give the files that "
            "the system exported, or save its table as .xlsx or CSV (UTF-8)"
        )

    def _as_folder(self, source: Source, given: Path) -> Source | None:
        """Return the folder that a path is, or that a ZIP file holds; None for any other file."""
        if source.is_folder:
            return source
        if not source.is_zip or not is_folder_archive(source.path):
            return None
        folder = unpack(source.path, self._new_folder() / source.path.stem)
        return self._source(folder, given, source.name)

    def _uncompressed(self, source: Source) -> Source:
        """Return the file inside a gzip file, or the file itself."""
        if not source.is_gzip:
            return source
        target = self._new_folder() / source.path.name.removesuffix(".gz")
        _gunzip(source, target)
        return replace(source, path=target, label=source.name)

    def _new_folder(self) -> Path:
        self._unpacked += 1
        folder = self._scratch / str(self._unpacked)
        folder.mkdir()
        return folder


def _check_kind(path: Path) -> None:
    """Refuse what is no file and no folder: a pipe would wait for ever, a device never end."""
    _check_name(path)
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        hint = "; standard input is not read: save it as a file" if path == Path("-") else ""
        raise ImportRefused(f"{path} does not exist{hint}") from None
    except OSError as error:
        raise ImportRefused(f"{path} cannot be read: {error.strerror}") from error
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise ImportRefused(
            f"{path} is neither a file nor a folder; a pipe, also <(…), cannot be read twice: save it as a "
            "file, and name that"
        )


def _check_name(path: Path) -> None:
    """Refuse a name that is not UTF-8, which no record could hold."""
    try:
        str(path).encode("utf-8")
    except UnicodeEncodeError:
        shown = os.fsencode(path).decode("utf-8", "backslashreplace")
        raise ImportRefused(f"{shown} is not a UTF-8 name; rename it") from None


def _gunzip(source: Source, target: Path) -> None:
    """Unpack a gzip file; refuse one that is broken or unpacks to too much."""
    most = min(MOST_BYTES, MOST_TIMES * source.path.stat().st_size)
    written = 0
    try:
        with gzip.open(source.path) as packed, target.open("wb") as file:
            while block := packed.read(CHUNK):
                written += len(block)
                if written > most:
                    raise ImportRefused(
                        f"{source.name} would unpack to more than {most / 1e6:,.0f} MB, more "
                        "than is read; unpack it yourself"
                    )
                file.write(block)
    except (OSError, EOFError, zlib.error) as error:
        refuse_full_disk(source.name, error)
        raise ImportRefused(f"{source.name} cannot be unpacked: {error}") from error


def _in_order(path: Path) -> list[tuple[str, int]]:
    """Return the key by which part 10 of a table follows part 9."""
    parts = re.findall(r"(\D*)(\d*)", path.name)
    return [(text, int(number or 0)) for text, number in parts]
