"""The viewer of a request: the server's owner, a chair or an area chair of one conference, a reviewer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from unround.console.schemas import Role


@dataclass(frozen=True)
class Viewer:
    """The person behind a session."""

    role: Role
    link: str
    label: str  # for the log
    expires: datetime | None
    conference: str | None = None  # None: the server's owner
    area_chair: str | None = None
    name: str | None = None
    ballot: str | None = None  # of a reviewer, who may open this and nothing else

    @property
    def is_chair(self) -> bool:
        """Whether the viewer sees everything of the conferences that they may open."""
        return self.role == "chair"

    @property
    def is_owner(self) -> bool:
        """Whether the viewer may open every conference."""
        return self.is_chair and self.conference is None
