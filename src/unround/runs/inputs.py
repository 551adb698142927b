"""Files -> Tables, for the command line, the console and Python."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from numbers import Real
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from unround.errors import UsageError
from unround.formats.importer import import_files, joined
from unround.formats.live import live_address, token_for
from unround.formats.model import FormatName, Options
from unround.formats.registry import system_module
from unround.progress import StageProgress, no_progress
from unround.reviews.frames import as_polars, open_frame
from unround.reviews.tables import Tables
from unround.settings import checked_path, checked_switch, checked_text

VENUE = "openreview:"
OPENREVIEW = "https://api2.openreview.net"
PathLike = str | os.PathLike[str]
Given = PathLike | Any  # a path or a dataframe
Missing = str | float | Iterable[str | float]


@dataclass(frozen=True)
class InputFiles:
    """The files to read, and how."""

    reviews: Sequence[Path]
    rankings: Sequence[Path] = ()
    options: Options = field(default_factory=Options)
    notes: tuple[str, ...] = ()  # on what was fetched before reading

    def read(self, progress: StageProgress = no_progress) -> Tables:
        """Read all files; fetch what is at an address first."""
        if any(live_address(path) for path in self.reviews):
            with TemporaryDirectory(prefix="unround-") as folder:
                return self._downloaded(Path(folder)).read(progress)
        venues = [str(path) for path in self.reviews if str(path).startswith(VENUE)]
        if not venues:
            reading = partial(progress, "reading")
            tables = import_files(self.reviews, self.rankings, self.options, reading)
            return replace(tables, notes=(*self.notes, *tables.notes))
        if len(self.reviews) > 1 or self.rankings:
            raise UsageError(f"{venues[0]} has rankings of its own: give no other file")
        from unround.formats.systems.openreview import fetch

        contents = fetch(venues[0].removeprefix(VENUE), openreview_client(), self.options)
        return joined(contents, options=self.options)

    def _downloaded(self, folder: Path) -> InputFiles:
        """Return the same with files in place of addresses; ranks are fetched unless rankings are given."""
        files: list[Path] = []
        rankings, notes = list(self.rankings), self.notes
        for path in self.reviews:
            address = live_address(path)
            if address is None:
                files.append(path)
                continue
            download = system_module(address.system).download
            token = token_for(address.system)
            found = download(address, token, folder, with_rankings=not self.rankings)
            files += found.reviews
            rankings += found.rankings
            notes = (*notes, *found.notes)
        return InputFiles(files, rankings, self.options, notes)


def openreview_client() -> Any:
    """Connect with the account in OPENREVIEW_USERNAME and OPENREVIEW_PASSWORD."""
    from unround.formats.systems.openreview import connect

    account = [os.environ.get(f"OPENREVIEW_{name}") for name in ("BASEURL", "USERNAME", "PASSWORD")]
    return connect(account[0] or OPENREVIEW, account[1], account[2])


def read(
    *paths: Given | Iterable[Given],
    rankings: Given | Iterable[Given] = (),
    format: FormatName = "auto",
    columns: Mapping[str, str] | None = None,
    missing: Mapping[str, Missing] | None = None,
    fields: str | Sequence[str] = (),
    ranker: str | None = None,
    duplicates: Literal["refuse", "newest", "first", "mean"] = "refuse",
    match_ids: Literal["certain", "always", "never"] = "certain",
    count_drafts: bool = False,
    keep_withdrawn: bool = False,
    encoding: str = "",
) -> Tables:
    r"""Read reviews and rankings: tables, exports of a conference system, or dataframes.

    Parameters
    ----------
    *paths : path or dataframe, or iterable of them
        Files or folders with reviews; they may hold rankings and papers too. A venue of OpenReview
        is written "openreview:VENUE", a running HotCRP "hotcrp+https://host/conference". A dataframe
        is read as a file with its columns, by the same options.
    rankings : path or dataframe, or iterable of them
        Files that must hold rankings.
    format : str
        Where the files come from, one of `unround.wording.SYSTEMS`; "auto" goes by their content.
    columns : mapping of str to str, optional
        The files' names for our columns, such as {"score": "Merit"}; "(none)" for a column that
        the files do not have, "(sheet)" or "(file)" for the name of the sheet or file.
    missing : mapping, optional
        Values of reviewer, paper, score or rank that mean "none", such as {"score": 0} or, for
        several, {"rank": [0, 99]}; "" if every value counts.
    fields : str or sequence of str
        Score fields; the first one with a value counts.
    ranker : str, optional
        Whose ranking a HotCRP file without names is.
    duplicates : str
        Which review counts if a reviewer has several of one paper; "refuse" leaves them to `check`.
    match_ids : str
        Whether ids that files write in different ways, such as 6 and Paper 6, are matched.
    count_drafts : bool
        Whether HotCRP's review forms count that are not marked as submitted.
    keep_withdrawn : bool
        Whether papers count that were withdrawn or desk-rejected, as far as the files say.
    encoding : str
        The encoding of text files that are not UTF-8, such as "cp1252".

    Returns
    -------
    Tables
        What `dequantize` and `check` take in place of dataframes.

    Examples
    --------
    >>> import pathlib, tempfile, unround
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "reviews.csv")
    ...     _ = path.write_text("reviewer,paper,score\nann,1,4\nann,2,5\n")
    ...     tables = unround.read(path)
    >>> tables.reviews.height, tables.recognised[0].partition(":")[0]
    (2, 'reviews.csv')
    """
    options = Options(
        format=checked_text("format", format),
        columns=_choices("columns", columns, partial(checked_text, "a column")),
        missing=_choices("missing", missing, _values),
        score_fields=_fields(fields),
        ranker=None if ranker is None else checked_text("ranker", ranker),
        duplicates=checked_text("duplicates", duplicates),
        match_ids=checked_text("match_ids", match_ids),
        count_drafts=checked_switch("count_drafts", count_drafts),
        keep_withdrawn=checked_switch("keep_withdrawn", keep_withdrawn),
        encoding=checked_text("encoding", encoding),
    )
    with TemporaryDirectory(prefix="unround-") as scratch:
        folder = Path(scratch)
        reviews = [path for group in paths for path in _paths(group, folder, "reviews")]
        if not reviews:
            raise UsageError("name at least one file of reviews")
        tables = InputFiles(reviews, _paths(rankings, folder, "rankings"), options).read()
        made = {path.name for path in folder.iterdir()}
    files = tuple(path for path in tables.files if path.parent != folder)
    hashes = tuple(one for one in tables.hashes if one[0] not in made)
    return replace(tables, files=files, hashes=hashes)


def _choices(
    name: str, given: Mapping[str, Any] | None, checked: Callable[[Any], str]
) -> dict[str, str]:
    """Return choices by our names; refuse what is no mapping."""
    if given is not None and not isinstance(given, Mapping):
        raise UsageError(
            f'{name} maps our names, as in {name}={{"score": ..}}, and is no {given!r}'
        )
    return {str(role): checked(one) for role, one in (given or {}).items()}


def _fields(given: object) -> tuple[str, ...]:
    """Return the names of score fields, one or several."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        given = [given]
    return tuple(checked_text("a field", name) for name in given)


def _values(given: Missing) -> str:
    """Return the values that mean "none" as on the command line, between commas."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        given = [given]
    values: list[Any] = list(given)
    if any(isinstance(one, bool) or not isinstance(one, str | Real) for one in values):
        raise UsageError(
            f'missing takes numbers or text, as in missing={{"score": 0}}, no {given!r}'
        )
    return ",".join(map(str, values))


def _paths(group: Given | Iterable[Given], folder: Path, name: str) -> list[Path]:
    """Return the paths of a group. What holds a dataframe is written into the folder."""
    if hasattr(group, "read"):
        raise UsageError("read takes paths, no open files: save the content, and give its path")
    one_alone = isinstance(group, str | os.PathLike) or hasattr(group, "columns")
    if one_alone or not isinstance(group, Iterable):
        group = [group]
    paths: list[Path] = []
    for one in group:
        if hasattr(one, "columns"):
            paths.append(_written(one, folder, name))
            continue
        path = checked_path("a file", one)
        if str(path).startswith(("http:/", "https:/")):
            raise UsageError(
                f"{path} is a web address: download the file, and give its path; a running HotCRP is "
                "written hotcrp+https://host/conference"
            )
        paths.append(path)
    return paths


def _written(frame: object, folder: Path, name: str) -> Path:
    """Write a dataframe as a file, whose name is what sentences call the dataframe."""
    earlier = len(list(folder.glob(f"{name}*")))
    path = folder / (f"{name} {earlier + 1}" if earlier else name)
    as_polars(open_frame(frame, name).to_native()).write_parquet(path)
    return path
