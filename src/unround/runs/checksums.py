"""SHA256SUMS: what the files of a run folder held when they were written (`sha256sum -c` checks them)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from unround.formats.files.fingerprints import sha256_of
from unround.formats.model import ImportRefused

CHECKSUMS = "SHA256SUMS"


def write_sums(folder: Path) -> None:
    """Write the hash of every file of a folder."""
    lines = [f"{sha256_of(path)}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / CHECKSUMS).write_text("".join(lines), "utf-8")


def read_checked(folder: Path, names: Sequence[str]) -> dict[str, bytes]:
    """Return what those of the files hold that are there.

    A folder in which one of them was changed, cut off or removed since it was written is refused.
    Runs of earlier versions have no hashes.
    """
    contents = {name: (folder / name).read_bytes() for name in names if (folder / name).is_file()}
    for name, digest in _sums(folder).items():
        if name in names and (
            name not in contents or hashlib.sha256(contents[name]).hexdigest() != digest
        ):
            raise ImportRefused(
                f"{folder / name} is not what `unround run` wrote: it was changed, cut off or removed; "
                "do `unround run` again"
            )
    return contents


def _sums(folder: Path) -> dict[str, str]:
    """Return the hash of each file by its name."""
    if not (folder / CHECKSUMS).is_file():
        return {}
    lines = (folder / CHECKSUMS).read_text("utf-8").splitlines()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}
