"""Name the code that was measured, and say whether it changed during the run."""

from __future__ import annotations

import sys
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "unround"


class Sources:
    """Every module of the package as it was when this was made, before any was imported."""

    def __init__(self) -> None:
        found = find_spec(PACKAGE)
        assert found is not None
        assert found.submodule_search_locations is not None
        self._root = Path(found.submodule_search_locations[0])
        self._before = {path: _digest(path) for path in sorted(self._root.rglob("*.py"))}

    def describe(self) -> str:
        """A fingerprint of the modules that the run used, and those that changed meanwhile."""
        used = sorted(path for path in _imported() if path in self._before)
        whole = sha256("".join(self._before[path] for path in used).encode()).hexdigest()
        changed = [
            path for path in used if not path.exists() or _digest(path) != self._before[path]
        ]
        if not changed:
            return f"SHA-256 of the modules used: {whole[:16]}"
        names = ", ".join(path.relative_to(self._root).as_posix() for path in changed)
        return f"**changed during the run ({names}): figures of one report may be of two programs**"


def _imported() -> set[Path]:
    modules = [m for name, m in sys.modules.items() if name.partition(".")[0] == PACKAGE]
    return {Path(module.__file__) for module in modules if module.__file__ is not None}


def _digest(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()
