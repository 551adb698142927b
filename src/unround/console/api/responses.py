"""Responses that many routes share: files, and the errors that the API's description lists."""

from __future__ import annotations

import gzip
from typing import Any
from urllib.parse import quote

from fastapi import Response

from unround.console.errors import Absent
from unround.console.schemas.base import ErrorBody


def error_responses(*codes: int) -> dict[int | str, dict[str, Any]]:
    """Describe the errors that every route can give, and these."""
    return {code: {"model": ErrorBody} for code in (401, 404, 422, 503, *codes)}


def attachment(content: bytes, name: str, media_type: str) -> Response:
    """Return a file to be saved, never opened in the console's own origin."""
    plain = "".join(letter if letter.isascii() else "-" for letter in name)
    headers = {"Content-Disposition": f'attachment; filename="{plain}"'}
    if plain != name:
        headers["Content-Disposition"] += f"; filename*=UTF-8''{quote(name)}"
    return Response(content, media_type=media_type, headers=headers)


def packed_csv_response(packed: bytes | None, name: str) -> Response:
    """Return a stored CSV file, or raise 404 where there is none."""
    if packed is None:
        raise Absent
    return attachment(gzip.decompress(packed), name, "text/csv")


def csv_responses() -> dict[int | str, dict[str, Any]]:
    """Describe the responses of a route that gives a CSV file."""
    return {**error_responses(), 200: {"content": {"text/csv": {"schema": {"type": "string"}}}}}
