"""The API, one file a subject."""

from __future__ import annotations
