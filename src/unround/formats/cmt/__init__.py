"""Placeholder."""

from unround.formats.model import Reader

READERS: tuple[Reader, ...] = ()
