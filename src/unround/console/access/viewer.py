"""The viewer of a request: a chair, who sees everything, or an area chair of one conference."""

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
    conference: str | None = None  # of an area chair
    area_chair: str | None = None
    name: str | None = None

    @property
    def is_chair(self) -> bool:
        """Whether the viewer sees everything."""
        return self.role == "chair"
