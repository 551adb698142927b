"""Read tables in many Parquet files: folders of them, and files read by the workers of a cluster."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

from unround.formats.files.source import Source
from unround.formats.model import FileContent, ImportRefused, Options, Reader
from unround.formats.systems.plain import read_plain
from unround.wording import Audience, current_audience, written_for

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class ClusterMap(Protocol):
    """A function that works on every item, on many machines at a time."""

    def __call__(self, work: Callable[[Item], Answer], items: Sequence[Item]) -> list[Answer]:
        """Return the answers, in the order of the items."""


def partitions(folder: Path) -> list[Path]:
    """Return the files of a folder that holds nothing but Parquet files, part 10 after part 9."""
    try:
        # Those who write partitions leave marks such as _SUCCESS and .crc files beside them.
        seen = [path for path in folder.iterdir() if not path.name.startswith((".", "_"))]
    except OSError:  # a folder that cannot be listed: its reader says so
        return []
    if not all(path.is_file() and Source(path).is_parquet for path in seen):
        return []
    parts = {path: re.findall(r"(\D*)(\d*)", path.name) for path in seen}
    return sorted(seen, key=lambda path: [(text, int(one or 0)) for text, one in parts[path]])


def read_ahead(
    plans: Sequence[tuple[Reader, Source]], options: Options, cluster_map: ClusterMap
) -> dict[Path, FileContent]:
    """Return what several Parquet tables hold, by path, read by the workers of a cluster."""
    paths = [
        source.path for reader, source in plans if reader.system == "csv" and source.is_parquet
    ]
    if len(paths) < 2:
        return {}
    partitions = [Partition(path.absolute(), options) for path in paths]
    return dict(zip(paths, cluster_map(read_partition, partitions), strict=True))


@dataclass(frozen=True)
class Partition:
    """One file of a table, and how to read it."""

    path: Path
    options: Options
    audience: Audience = field(default_factory=current_audience)  # of its notes and errors


def read_partition(partition: Partition) -> FileContent:
    """Read one file of a table on a worker."""
    if not partition.path.is_file():
        raise ImportRefused(
            f"{partition.path} is not there for the cluster's workers: they must see the input "
            "under the same path, as on a shared disk"
        )
    with written_for(partition.audience):
        return read_plain(Source(partition.path), partition.options)
