"""Everything that a running console holds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Console:
    """The parts of a running console."""
