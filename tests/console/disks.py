"""A small disk that fills up, which only root may mount."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

MEGABYTES = 160
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount a disk")


@contextmanager
def small_disk() -> Iterator[Path]:
    """Mount a small disk, in memory."""
    with tempfile.TemporaryDirectory(prefix="unround-disk-") as name:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", name]
        subprocess.run(mount, check=True)
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", "-l", name], check=True)


@contextmanager
def filled(disk: Path) -> Iterator[None]:
    """Write until the disk takes no more; make room again in the end."""
    ballast = disk / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(65536)) == 65536:
            pass
    try:
        yield
    finally:
        ballast.unlink()
