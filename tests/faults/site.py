"""A console that faults happen to, and what it has promised before each."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import httpx2

from tests.console.client import ENDED, Visitor
from tests.console.hosting import UnroundServer, waited_for
from tests.console.sample import make_sample
from tests.faults.results import stray_files
from unround.console.storage.uploads import PENDING

PATIENCE = 180.0  # seconds for a job, while others are killed
ACTIVITIES = ("upload", "check", "run", "view")
PASSING = (429, 503, 507)  # statuses that say that it is not the client's fault, and passes


class Site:
    """One console with a conference and a finished run, which are found the same after every fault."""

    def __init__(self, kind: str, data: Path, database: str | None) -> None:
        self.kind, self.data = kind, data
        self.log = data.with_name(f"{data.name}.log")
        self.server = UnroundServer(data, database=database, log=self.log)
        self.promised_files = set[str]()
        self.promised_jobs = set[tuple[str, str]]()
        self.start()
        self.conference = self.client.new_conference("Faults")
        self.files = self.client.upload(self.conference, make_sample().files)
        self.run = self.begin("runs")
        assert self.end(("runs", self.run)) == "done"
        self.promised_jobs.clear()
        self.view = self._view()

    def start(self) -> None:
        """Start the server and enter by its link."""
        self.server.start()
        self.client = Visitor(self.server.url, 60).enter(self.server.link)

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """End the server by a signal; after SIGTERM it must end well."""
        self.client.close()
        code = self.server.end(how)
        assert how != signal.SIGTERM or code == 0

    def ask(self, path: str, method: str = "GET") -> httpx2.Response:
        """Ask the server; a connection that it has closed meanwhile is made again."""
        for _ in range(20):
            with suppress(httpx2.TransportError):
                return self.client.request(method, path)
            time.sleep(0.5)
        return self.client.request(method, path)

    def begin(self, kind: str, **options: Any) -> str:
        """Start a check or a run; return its id, or nothing where the server refused."""
        wanted = {"files": self.files, "method": {"conflicts": "scores"}, **options}
        if kind == "runs":
            wanted = {"name": "a run", "lam": "4", **wanted}
        answer = self.client.post(f"/api/conferences/{self.conference}/{kind}", json=wanted)
        if answer.status_code != 202:
            _check_passing(answer)
            return ""
        self.promised_jobs.add((kind, answer.json()["id"]))
        return str(answer.json()["id"])

    def act(self, activity: str, random: Random) -> None:
        """Do one thing; a connection that breaks is no promise."""
        with suppress(httpx2.HTTPError):
            if activity == "upload":
                path = f"/api/conferences/{self.conference}/files"
                content = random.randbytes(2_000_000)
                answer = self.client.post(path, params={"name": "a.bin"}, content=content)
                _check_passing(answer)
                if answer.status_code == 201:
                    self.promised_files.add(answer.json()["id"])
            elif activity == "view":
                for _ in range(5):
                    answer = self.client.get(f"/api/runs/{self.run}/view")
                    _check_passing(answer)
                    assert answer.status_code != 200 or answer.content == self.view
            else:
                self.begin(f"{activity}s")

    def act_during(self, activity: str, random: Random, strike: Callable[[], None]) -> None:
        """Do one thing, and strike at a random moment of it."""
        acting = threading.Thread(target=self.act, args=(activity, random))
        acting.start()
        time.sleep(random.random() * (4.0 if activity in ("check", "run") else 0.3))
        strike()
        acting.join(PATIENCE)

    def end(self, job: tuple[str, str]) -> str:
        """Wait until a job has ended; return how."""

        def ended() -> str:
            with suppress(httpx2.HTTPError):
                answer = self.client.get(f"/api/{job[0]}/{job[1]}")
                assert answer.status_code != 404, "a job is lost"
                if answer.status_code == 200 and answer.json()["status"] in ENDED:
                    return str(answer.json()["status"])
            return ""

        how = waited_for(ended, PATIENCE)
        assert how, "a job is without an end"
        return how

    def check(self, *, database_failed: bool = False) -> str:
        """Compare everything with what was promised; return how jobs have ended."""
        outcomes = {self._check_job(job) for job in sorted(self.promised_jobs)}
        self.promised_jobs.clear()
        listed = self.ask(f"/api/conferences/{self.conference}").json()
        for run in listed["runs"]:  # also those whose answer did not come
            self.end(("runs", run["id"]))
        self._check_files({one["id"]: one["sha256"] for one in listed["files"]})
        assert self._view() == self.view, "the finished run has another view"
        self._check_folder(listed, database_failed)
        log = self.log.read_text()
        assert "Traceback" not in log, log[-1500:]
        self.log.write_text("")
        return f"jobs {', '.join(sorted(outcomes))}" if outcomes else "all there"

    def _view(self) -> bytes:
        """Return the view of the finished run; one that is being made is asked for again."""
        while (answer := self.ask(f"/api/runs/{self.run}/view")).status_code == 503:
            time.sleep(0.5)
        return answer.content

    def _check_job(self, job: tuple[str, str]) -> str:
        how = self.end(job)
        if job[0] == "runs":
            assert (self.ask(f"/api/runs/{job[1]}/view").status_code == 200) == (how == "done")
        assert how != "failed" or self.ask(f"/api/{job[0]}/{job[1]}").json()["reason"]
        return how

    def _check_files(self, listed: dict[str, str]) -> None:
        assert self.promised_files <= listed.keys(), "an uploaded file is lost"
        for id, sha256 in listed.items():
            content = (self.data / "uploads" / id).read_bytes()
            assert hashlib.sha256(content).hexdigest() == sha256, "an uploaded file is not whole"
        while len(self.promised_files) > 3:  # so that the disk does not fill up
            id = self.promised_files.pop()
            self.ask(f"/api/conferences/{self.conference}/files/{id}", "DELETE")

    def _check_folder(self, conference: dict[str, Any], database_failed: bool) -> None:
        """Check that every file of the data folder belongs to something.

        Where the database did not answer a commit, the next start decides on the file.
        """
        files = [one["id"] for one in conference["files"]]
        if database_failed:
            notes = [path.name for path in (self.data / "uploads").glob(f"*{PENDING}")]
            files += [*notes, *(name.removesuffix(PENDING) for name in notes)]
        # A worker that has just ended takes its folder along.
        waited_for(lambda: not stray_files(self.data, files), 15)
        assert stray_files(self.data, files) == []

    def workers(self) -> list[int]:
        """Return the processes that work on jobs."""
        children = []
        for task in Path(f"/proc/{self.server.process.pid}/task").iterdir():
            with suppress(OSError):
                children += [int(one) for one in (task / "children").read_text().split()]
        return [one for one in children if _works(one)]

    def kill_worker(self, seconds: float = 0.0) -> None:
        """Kill a worker, some seconds after there is one."""
        found = waited_for(self.workers, PATIENCE)
        assert found, "there was no worker to kill"
        time.sleep(seconds)
        with suppress(ProcessLookupError):
            os.kill(found[0], signal.SIGKILL)

    @contextmanager
    def limited(self, kind: int, limit: int) -> Iterator[None]:
        """Lower a limit of the living server; workers that it starts inherit it."""
        process = self.server.process.pid
        before = resource.prlimit(process, kind)
        resource.prlimit(process, kind, (limit, before[1]))
        try:
            yield
        finally:
            resource.prlimit(process, kind, before)

    def close(self) -> None:
        self.kill()


def _works(process: int) -> bool:
    with suppress(OSError):
        return b"unround.console.jobs.worker" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


def _check_passing(answer: httpx2.Response) -> None:
    assert answer.status_code < 400 or answer.status_code in PASSING, answer.text[:200]
