"""Who asks: a chair, who sees everything, or an area chair of one conference."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from unround.console.schemas import Role


@dataclass(frozen=True)
class Who:
    """The one whom a session belongs to."""

    role: Role
    link: str
    label: str  # for the log
    expires: datetime | None
    conference: str | None = None  # an area chair's
    area_chair: str | None = None
    name: str | None = None

    @property
    def is_chair(self) -> bool:
        """Whether they see everything."""
        return self.role == "chair"

    def belongs_to(self, conference: str) -> bool:
        """Whether a conference is theirs to look at."""
        return self.is_chair or self.conference == conference
