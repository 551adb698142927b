"""PostgreSQL on a disk of its own that fills up: a small one in memory, which only root can mount."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from random import Random

from tests.console.postgres import DURABLE, new_database, running_server
from tests.faults.console import ACTIVITIES, Site, until_ready
from tests.faults.tally import Tally

MEGABYTES = 160


def fill_database_disk(
    tally: Tally, scratch: Path, rounds: int, random: Random, activities: Sequence[str] = ACTIVITIES
) -> None:
    """Fill the disk of the database during each activity, make room again, and compare."""
    with small_disk() as disk:
        if disk is None:
            tally.note("disk of PostgreSQL full", "not tried: only root can mount a small disk")
            return
        with running_server(DURABLE, disk) as server:
            address = new_database(server.address)
            with closing(Site(tally, "PostgreSQL", scratch, address)) as site:
                site.start()
                site.settle()
                for activity in [*activities] * rounds:
                    with filled(disk):
                        site.act(activity, random)
                        time.sleep(2)
                    until_ready(site, server)
                    site.check(f"disk of PostgreSQL full during {activity}")


@contextmanager
def small_disk() -> Iterator[Path | None]:
    """Mount a small disk; None where that is not allowed."""
    with tempfile.TemporaryDirectory(prefix="unround-disk-") as name:
        words = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", name]
        if os.geteuid() or subprocess.run(words, check=False, capture_output=True).returncode:
            yield None
            return
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
