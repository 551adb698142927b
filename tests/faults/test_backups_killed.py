"""A backup that is killed leaves the console as it was; a whole one restores into the other database."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from random import Random

import pytest

from tests.console.postgres import DURABLE, new_database, running_server
from tests.faults import KILLS
from tests.faults.conftest import Noted
from tests.faults.site import Site
from unround.console.storage.backup import read_manifest

UNROUND = (sys.executable, "-m", "unround")


@pytest.mark.slow
def test_at_any_moment(site: Site, tmp_path: Path, random: Random, noted: Noted):
    file = tmp_path / "whole.backup"
    database = ["--database", site.server.database] if site.server.database else []
    command = [*UNROUND, "backup", str(file), "--data", str(site.data), *database]
    for _ in range(KILLS // 8):
        site.act(random.choice(("upload", "run")), random)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with suppress(subprocess.TimeoutExpired):
            process.wait(random.random() * 3.0)
        process.kill()
        process.communicate()
        noted(f"backup killed under load ({site.kind})", site.check())
    site.act("run", random)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert list(file.parent.glob(f".{file.name}*")) == []
    noted(f"backup under load ({site.kind})", site.check())
    again = _restored_and_backed_up(file, tmp_path / "restored", into_sqlite=bool(database))
    assert read_manifest(file)["members"] == read_manifest(again)["members"]
    noted(f"backup of {site.kind} restored into the other database", "the same rows")


def _restored_and_backed_up(file: Path, data: Path, *, into_sqlite: bool) -> Path:
    again, words = data.with_suffix(".backup"), ["--data", str(data)]
    with ExitStack() as stack:
        if not into_sqlite:
            server = stack.enter_context(running_server(DURABLE))
            words += ["--database", new_database(server.address)]
        for command in (("restore", str(file)), ("backup", str(again))):
            subprocess.run([*UNROUND, *command, *words], check=True, stdout=subprocess.DEVNULL)
    return again
