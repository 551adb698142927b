"""Files -> Tables, for the command line, the console and Python."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from unround.errors import UsageError
from unround.formats.importer import import_files, joined
from unround.formats.live import live_address, token_for
from unround.formats.model import FormatName, Options
from unround.formats.registry import system_module
from unround.progress import StageProgress, no_progress
from unround.reviews.tables import Tables
from unround.settings import checked_path

VENUE = "openreview:"
OPENREVIEW = "https://api2.openreview.net"
PathLike = str | os.PathLike[str]


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
    *paths: PathLike | Iterable[PathLike],
    rankings: PathLike | Iterable[PathLike] = (),
    format: FormatName = "auto",
    columns: Mapping[str, str] | None = None,
    missing: Mapping[str, str] | None = None,
    fields: Sequence[str] = (),
    ranker: str | None = None,
    duplicates: Literal["refuse", "newest", "first", "mean"] = "refuse",
    match_ids: Literal["certain", "always", "never"] = "certain",
    count_drafts: bool = False,
    keep_withdrawn: bool = False,
    encoding: str = "",
) -> Tables:
    r"""Read reviews and rankings from files: tables, or exports of a conference system.

    Parameters
    ----------
    *paths : path or iterable of paths
        Files or folders with reviews; they may hold rankings and papers too. A venue of OpenReview
        is written "openreview:VENUE", a running HotCRP "hotcrp+https://host/conference".
    rankings : path or iterable of paths
        Files that must hold rankings.
    format : str
        Where the files come from, one of `unround.wording.SYSTEMS`; "auto" goes by their content.
    columns : mapping of str to str, optional
        The files' names for our columns, such as {"score": "Merit"}; "(none)" for a column that
        the files do not have, "(sheet)" or "(file)" for the name of the sheet or file.
    missing : mapping of str to str, optional
        Values of reviewer, paper, score or rank that mean "none", such as {"score": "0"} or, for
        several, {"rank": "0,99"}; "" if every value counts.
    fields : sequence of str
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
        format=format,
        columns=dict(columns or {}),
        missing=dict(missing or {}),
        score_fields=tuple(fields),
        ranker=ranker,
        duplicates=duplicates,
        match_ids=match_ids,
        count_drafts=count_drafts,
        keep_withdrawn=keep_withdrawn,
        encoding=encoding,
    )
    reviews = tuple(path for group in paths for path in _paths(group))
    if not reviews:
        raise UsageError("name at least one file of reviews")
    return InputFiles(reviews, tuple(_paths(rankings)), options).read()


def _paths(group: PathLike | Iterable[PathLike]) -> Iterable[Path]:
    if hasattr(group, "columns"):
        raise UsageError("read takes files; give a dataframe to dequantize or check as it is")
    if hasattr(group, "read"):
        raise UsageError("read takes paths, no open files: save the content, and give its path")
    if isinstance(group, str | os.PathLike) or not isinstance(group, Iterable):
        group = [group]
    paths = [checked_path("a file", path) for path in group]
    for path in paths:
        if str(path).startswith(("http:/", "https:/")):
            raise UsageError(
                f"{path} is a web address: download the file, and give its path; a running HotCRP is "
                "written hotcrp+https://host/conference"
            )
    return paths
