"""Names of kept views.

A name is a hash of everything that the view depends on, the code that makes views included. So a file
that is found by it is right, also after a restored backup or under another version of unround.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

import unround
from unround.console.access.permissions import RunAccess
from unround.report.scope import Scope


def view_name(access: RunAccess, scope: Scope) -> str:
    """Return the name of a view's file: a hash of all that the view depends on."""
    run = access.run
    seen = (scope.area_chair, sorted(scope.papers), scope.stars, scope.names, scope.disclosure)
    told = (access.conference.name, run.id, run.name, run.finished and run.finished.isoformat())
    content = json.dumps([_code(), *told, *seen, scope.key.hex()])
    return hashlib.sha256(content.encode()).hexdigest()


@cache
def _code() -> str:
    """Return a hash of all of unround's code."""
    digest = hashlib.sha256()
    for path in sorted(Path(unround.__path__[0]).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
