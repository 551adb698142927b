"""A console whose server, workers, database, disk and descriptors fail at random moments."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import httpx2

from tests.console.hosting import waited_for
from tests.console.postgres import DURABLE, Server, new_database, running_server
from tests.console.sample import make_sample
from tests.faults.cases import UNROUND
from tests.faults.results import stray_files
from tests.faults.tally import Tally
from unround.console.storage.backup import read_manifest
from unround.console.storage.uploads import PENDING

PATIENCE = 180.0
ENDED = ("done", "failed", "refused", "cancelled")
ACTIVITIES = ("upload", "check", "run", "view")
PASSING = (429, 503, 507)  # statuses that say that it is not the client's fault, and passes


class Site:
    """One console with its data, and what it has promised so far."""

    def __init__(self, tally: Tally, kind: str, data: Path, database: str | None) -> None:
        self.tally, self.kind, self.data, self.database = tally, kind, data, database
        self.log = data.with_name(f"{data.name}.log")  # standard error of all servers and workers
        self.process: subprocess.Popen[str] | None = None
        self.client = httpx2.Client(timeout=60)
        self.conference, self.run, self.view = "", "", b""
        self.files: list[str] = []
        self.promised_files: dict[str, bytes] = {}
        self.promised_jobs: set[tuple[str, str]] = set()

    def start(self) -> None:
        """Start the server and enter by its link."""
        arguments = ["serve", "--port", "0", "--data", str(self.data)]
        arguments += ["--database", self.database] if self.database else []
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*UNROUND, *arguments], stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout is not None
        line = next((one for one in self.process.stdout if "/enter#" in one), None)
        assert line is not None, "the server did not start"
        address, secret = line.strip().split("/enter#")
        self.client.close()
        self.client = httpx2.Client(base_url=address, headers={"X-Unround": "1"}, timeout=60)
        assert self.client.post("/api/enter", json={"secret": secret}).status_code == 204

    def ask(self, path: str, method: str = "GET") -> httpx2.Response:
        """Ask the server; a connection that it has closed meanwhile is made again."""
        for _ in range(20):
            with suppress(httpx2.TransportError):
                return self.client.request(method, path)
            time.sleep(0.5)
        return self.client.request(method, path)

    def settle(self) -> None:
        """Make a conference with a finished run, to be found the same after every fault."""
        made = self.client.post("/api/conferences", json={"name": "Faults"})
        self.conference = made.json()["id"]
        self.files = [self.upload(*file).json()["id"] for file in make_sample().files.items()]
        self.run = self.begin("runs")
        assert self.end(("runs", self.run)) == "done"
        self.promised_jobs.clear()
        self.view = self._view()

    def upload(self, name: str, content: bytes) -> httpx2.Response:
        """Add a file to the conference."""
        path = f"/api/conferences/{self.conference}/files"
        return self.client.post(path, params={"name": name}, content=content)

    def begin(self, kind: str, lam: str = "4") -> str:
        """Start a check or a run; return its id, or nothing where the server refused."""
        wanted: dict[str, Any] = {"files": self.files, "method": {"conflicts": "scores"}}
        if kind == "runs":
            wanted |= {"name": "a run", "lam": lam}
        answer = self.client.post(f"/api/conferences/{self.conference}/{kind}", json=wanted)
        if answer.status_code != 202:
            self._check_passing("start", answer)
            return ""
        self.promised_jobs.add((kind, answer.json()["id"]))
        return str(answer.json()["id"])

    def act(self, activity: str, random: Random) -> None:
        """Do one thing; a connection that breaks is no promise."""
        with suppress(httpx2.HTTPError):
            if activity == "upload":
                self._promise_file(random.randbytes(2_000_000))
            elif activity == "view":
                for _ in range(5):
                    answer = self.client.get(f"/api/runs/{self.run}/view")
                    if answer.status_code == 200 and answer.content != self.view:
                        self.tally.breach(self.kind, "a view with other bytes")
                    self._check_passing("view", answer)
            else:
                self.begin(f"{activity}s")

    def _promise_file(self, content: bytes) -> None:
        answer = self.upload("a.bin", content)
        if answer.status_code == 201:
            self.promised_files[answer.json()["id"]] = hashlib.sha256(content).digest()
        else:
            self._check_passing("upload", answer)

    def _check_passing(self, what: str, answer: httpx2.Response) -> None:
        if answer.status_code >= 400 and answer.status_code not in PASSING:
            self.tally.breach(self.kind, f"{what}: {answer.status_code} {answer.text[:200]}")

    def end(self, job: tuple[str, str]) -> str:
        """Wait until a job has ended; return how."""
        return waited_for(lambda: self._ended(job), PATIENCE) or "without an end"

    def _ended(self, job: tuple[str, str]) -> str:
        with suppress(httpx2.HTTPError):
            answer = self.client.get(f"/api/{job[0]}/{job[1]}")
            if answer.status_code == 404:
                return "lost"
            if answer.status_code == 200 and answer.json()["status"] in ENDED:
                return str(answer.json()["status"])
        return ""

    def check(self, fault: str) -> None:
        """Compare everything with what was promised."""
        outcomes = [self._check_job(fault, job) for job in sorted(self.promised_jobs)]
        self.promised_jobs.clear()
        listed = self.ask(f"/api/conferences/{self.conference}").json()
        self._check_unfinished(fault, listed)
        self._check_files(fault, {one["id"]: one["sha256"] for one in listed["files"]})
        if self._view() != self.view:
            self.tally.breach(fault, "the finished run has another view")
        self._check_folder(fault, listed)
        told = f"jobs {', '.join(sorted(set(outcomes)))}" if outcomes else "all there"
        self.tally.note(fault, told)

    def _view(self) -> bytes:
        """Return the view of the finished run; one that is being made is asked for again."""
        while (answer := self.ask(f"/api/runs/{self.run}/view")).status_code == 503:
            time.sleep(0.5)
        return answer.content

    def _check_folder(self, fault: str, conference: dict[str, Any]) -> None:
        """Every file of the data folder belongs to something, and the log has no traceback.

        Where the database did not answer a commit, the next start decides on the file.
        """
        files = [one["id"] for one in conference["files"]]
        if fault.startswith(("database", "disk of PostgreSQL")):
            notes = [path.name for path in (self.data / "uploads").glob(f"*{PENDING}")]
            files += [*notes, *(name.removesuffix(PENDING) for name in notes)]
        # A worker that has just ended takes its folder along.
        if not waited_for(lambda: not stray_files(self.data, files), 15):
            self.tally.breach(fault, f"left in the data folder: {stray_files(self.data, files)}")
        log = self.log.read_text()
        if "Traceback" in log:
            self.tally.breach(fault, f"a traceback: {log[-1500:]}")
        self.log.write_text("")

    def _check_job(self, fault: str, job: tuple[str, str]) -> str:
        how = self.end(job)
        if how in ("lost", "without an end"):
            self.tally.breach(fault, f"a job was {how}")
        if job[0] == "runs":
            status = self.ask(f"/api/runs/{job[1]}/view").status_code
            if (status == 200) != (how == "done"):
                self.tally.breach(fault, f"a run that is {how} has a view of status {status}")
        if how == "failed" and not self.ask(f"/api/{job[0]}/{job[1]}").json()["reason"]:
            self.tally.breach(fault, "a job failed without a reason")
        return how

    def _check_unfinished(self, fault: str, conference: dict[str, Any]) -> None:
        """Rows that nobody was promised end as well."""
        for run in conference["runs"]:
            if run["status"] not in ENDED and self.end(("runs", run["id"])) not in ENDED:
                self.tally.breach(fault, "a run without an end")

    def _check_files(self, fault: str, listed: dict[str, str]) -> None:
        for id in self.promised_files:
            if id not in listed:
                self.tally.breach(fault, "an uploaded file is lost")
        for id, sha256 in listed.items():
            path = self.data / "uploads" / id
            if not path.exists() or hashlib.sha256(path.read_bytes()).hexdigest() != sha256:
                self.tally.breach(fault, "an uploaded file is not whole")
        for id in [*self.promised_files]:
            if len(self.promised_files) > 3:  # so that the disk does not fill up
                self.ask(f"/api/conferences/{self.conference}/files/{id}", "DELETE")
                del self.promised_files[id]

    def workers(self) -> list[int]:
        """Return the processes that work on jobs."""
        assert self.process is not None
        children = []
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            with suppress(OSError):
                children += [int(one) for one in (task / "children").read_text().split()]
        return [one for one in children if _works(one)]

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            assert self.process.stdout is not None
            self.process.stdout.close()
        self.client.close()


def _works(process: int) -> bool:
    with suppress(OSError):
        return b"unround.console.jobs.worker" in Path(f"/proc/{process}/cmdline").read_bytes()
    return False


def strike_during(site: Site, activity: str, random: Random, strike: Callable[[], None]) -> None:
    """Strike at a random moment of an activity."""
    acting = threading.Thread(target=site.act, args=(activity, random))
    acting.start()
    time.sleep(random.random() * (4.0 if activity in ("check", "run") else 0.3))
    strike()
    acting.join(PATIENCE)


def kill_servers_and_workers(site: Site, kills: int, random: Random) -> None:
    """Kill in turn the server and a worker, during each activity."""
    for number in range(kills):
        activity = ACTIVITIES[number % len(ACTIVITIES)]
        if number % 3 == 0 and activity in ("check", "run"):
            site.act(activity, random)
            kill_worker(site, random.random())
            site.check(f"worker killed during {activity} ({site.kind})")
            continue
        how = random.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGTERM))
        strike_during(site, activity, random, lambda how=how: kill_server(site, how))
        site.start()
        site.check(f"server killed during {activity} ({site.kind})")


def kill_worker(site: Site, seconds: float = 0.0) -> None:
    """Kill a worker, some seconds after there is one."""
    found = waited_for(site.workers, PATIENCE)
    if not found:
        site.tally.breach(site.kind, "there was no worker to kill")
        return
    time.sleep(seconds)
    with suppress(ProcessLookupError):
        os.kill(found[0], signal.SIGKILL)


def kill_server(site: Site, how: signal.Signals) -> None:
    """End the server by a signal; after SIGTERM it must end well."""
    assert site.process is not None
    site.process.send_signal(how)
    code = site.process.wait(60)
    if how == signal.SIGTERM and code != 0:
        site.tally.breach(site.kind, f"ended with {code} after SIGTERM")
    assert site.process.stdout is not None
    site.process.stdout.close()


def kill_backups(site: Site, kills: int, random: Random) -> None:
    """Kill `unround backup` at random moments while files and runs come; a repeated one is whole."""
    database = ["--database", site.database] if site.database else []
    file = site.data.with_name(f"{site.data.name}.backup")
    command = [*UNROUND, "backup", str(file), "--data", str(site.data), *database]
    for _ in range(kills):
        site.act(random.choice(("upload", "run")), random)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        with suppress(subprocess.TimeoutExpired):
            process.wait(random.random() * 3.0)
        process.kill()
        process.communicate()
        site.check(f"backup killed under load ({site.kind})")
    site.act("run", random)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    if drafts := list(file.parent.glob(f".{file.name}*")):
        site.tally.breach(site.kind, f"drafts beside the backup: {drafts}")
    site.check(f"backup under load ({site.kind})")
    _check_restored(site, file)


def _check_restored(site: Site, file: Path) -> None:
    """Restore a backup into the other database, back that up, and compare row by row."""
    target = site.data.with_name(f"{site.data.name}-restored")
    again = target.with_suffix(".backup")
    with ExitStack() as stack:
        words = ["--data", str(target)]
        if site.database is None:
            server = stack.enter_context(running_server(DURABLE))
            words += ["--database", new_database(server.address)]
        for command in (("restore", str(file)), ("backup", str(again))):
            subprocess.run([*UNROUND, *command, *words], check=True, stdout=subprocess.DEVNULL)
    if read_manifest(file)["members"] != read_manifest(again)["members"]:
        site.tally.breach(site.kind, "a restored backup has other rows or uploads")
    site.tally.note(f"backup of {site.kind} restored into the other database", "the same rows")


def stop_database(site: Site, server: Server, rounds: int, random: Random) -> None:
    """Stop PostgreSQL in order and by a crash during each activity, and start it again."""
    for mode, activity in [*product(("fast", "immediate"), ACTIVITIES)] * rounds:
        strike_during(site, activity, random, lambda mode=mode: server.stop(mode))
        time.sleep(random.random())
        until_ready(site, server)
        site.check(f"database stopped ({mode}) during {activity}")
    kill_server(site, signal.SIGTERM)
    site.start()
    site.check("server started again")


def until_ready(site: Site, server: Server) -> None:
    """Wait for the console; start the database where a fault has ended it, as an operator would."""

    def is_ready() -> bool:
        if not server.is_running():
            server.start()
        with suppress(httpx2.HTTPError):
            return site.client.get("/readyz").status_code == 200
        return False

    if not waited_for(is_ready, PATIENCE):
        site.tally.breach(site.kind, "the server was not ready after its database")


@contextmanager
def _limited(site: Site, kind: int, limit: int) -> Iterator[None]:
    """Lower a limit of the living server; workers that it starts inherit it."""
    assert site.process is not None
    before = resource.prlimit(site.process.pid, kind)
    resource.prlimit(site.process.pid, kind, (limit, before[1]))
    try:
        yield
    finally:
        resource.prlimit(site.process.pid, kind, before)


def fill_disk(
    site: Site, rounds: int, random: Random, activities: Sequence[str] = ACTIVITIES
) -> None:
    """Let no file grow beyond 400 kB: as a full disk, for uploads and results."""
    for activity in [*activities] * rounds:
        with _limited(site, resource.RLIMIT_FSIZE, 400_000):
            site.act(activity, random)
            for job in sorted(site.promised_jobs):
                site.end(job)
        site.check(f"disk full during {activity} ({site.kind})")


def use_up_descriptors(
    site: Site, rounds: int, random: Random, activities: Sequence[str] = ACTIVITIES
) -> None:
    """Leave the server no descriptor but those that are open."""
    assert site.process is not None
    for activity in [*activities] * rounds:
        highest = max(map(int, os.listdir(f"/proc/{site.process.pid}/fd")))
        with _limited(site, resource.RLIMIT_NOFILE, highest + 1):
            site.act(activity, random)
            time.sleep(1)
        site.check(f"descriptors used up during {activity} ({site.kind})")
