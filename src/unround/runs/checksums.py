"""SHA256SUMS: what the files of a run folder held when they were written (`sha256sum -c` checks them)."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from unround.formats.files.fingerprints import sha256_of
from unround.formats.model import ImportRefused

CHECKSUMS = "SHA256SUMS"


def write_sums(folder: Path) -> None:
    """Write the hash of every file of a folder."""
    lines = [f"{sha256_of(path)}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / CHECKSUMS).write_text("".join(lines), "utf-8")


def check_sums(folder: Path, names: Collection[str]) -> None:
    """Refuse a folder in which one of these files was changed, cut off or removed since it was written.

    Runs of earlier versions have no hashes.
    """
    if not (folder / CHECKSUMS).is_file():
        return
    for line in (folder / CHECKSUMS).read_text("utf-8").splitlines():
        digest, _, name = line.partition("  ")
        if name in names and (not (folder / name).is_file() or sha256_of(folder / name) != digest):
            raise ImportRefused(
                f"{folder / name} is not what `unround run` wrote: it was changed, cut off or removed; "
                "do `unround run` again"
            )
