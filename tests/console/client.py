"""What people do through the API, over any HTTP client: within a test's process, or to a server that runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Self

import httpx2

from tests.console.hosting import waited_for

HEADERS = {"X-Unround": "1"}  # which our pages send
PATIENCE = 240.0  # seconds for a job on a busy machine
ENDED = ("done", "failed", "refused", "cancelled")  # statuses of jobs


def secret_of(link: str) -> str:
    return link.rsplit("#", 1)[1]


class Client:
    """The API in words, mixed into an HTTP client."""

    get: Callable[..., Any]
    post: Callable[..., Any]

    def enter(self, link: str) -> Self:
        answer = self.post("/api/enter", json={"secret": secret_of(link)})
        assert answer.status_code == 204, answer.text
        return self

    def read(self, path: str) -> Any:
        answer = self.get(path)
        assert answer.status_code == 200, (path, answer.text)
        return answer.json()

    def made(self, path: str, body: Any = None, status: int = 201, **more: Any) -> Any:
        answer = self.post(path, json=body, **more)
        assert answer.status_code == status, (path, answer.text)
        return answer.json()

    def new_conference(self, name: str = "A conference") -> str:
        return str(self.made("/api/conferences", {"name": name})["id"])

    def upload(self, conference: str, files: Mapping[str, bytes]) -> list[str]:
        """Upload files by name and content; return their ids."""
        return [self.upload_one(conference, *file).json()["id"] for file in files.items()]

    def upload_one(self, conference: str, name: str, content: bytes, status: int = 201) -> Any:
        path = f"/api/conferences/{conference}/files"
        answer = self.post(path, params={"name": name}, content=content)
        assert answer.status_code == status, answer.text
        return answer

    def assign(
        self, conference: str, content: bytes | None = None, *, name: str = "a.csv", run: str = ""
    ) -> dict[str, Any]:
        """Import area chairs from a table or a run: ask first, then confirm."""
        path = f"/api/conferences/{conference}/area-chairs" + (f"/from-run/{run}" if run else "")
        params = {} if content is None else {"name": name}
        planned = self.made(path, status=200, params=params, content=content)
        if not planned["issues"]:
            params |= {"edition": planned["edition"]}
            planned = self.made(path, status=200, params=params, content=content)
        return dict(planned)

    def start(self, conference: str, files: list[str], **options: Any) -> str:
        wanted = {"files": files, "name": "a run", "lam": "4", **options}
        return str(self.made(f"/api/conferences/{conference}/runs", wanted, 202)["id"])

    def finished(self, run: str) -> dict[str, Any]:
        """Wait until a run is done."""
        path = f"/api/runs/{run}"
        waited_for(lambda: self.read(path)["status"] in ENDED, PATIENCE)
        known = self.read(path)
        assert known["status"] == "done", known
        return dict(known)


class Visitor(Client, httpx2.Client):
    """Somebody who sends requests to a server that runs."""

    def __init__(self, url: str, seconds: float = PATIENCE) -> None:
        httpx2.Client.__init__(self, base_url=url, headers=HEADERS, timeout=seconds)
