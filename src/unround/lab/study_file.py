"""Load a researcher's Python file or package, and say where in it something failed."""

from __future__ import annotations

import hashlib
import inspect
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from unround.errors import UsageError


def load_file(path: Path) -> ModuleType:
    """Run a researcher's file once, which registers its data sets, methods and metrics.

    `__init__.py` stands for its folder, a package whose modules may import one another.
    """
    return _loaded(path.resolve(), file_digest(path))


def file_digest(path: Path) -> str:
    """Return the SHA-256 of a file, or of all modules of the package whose `__init__.py` it is."""
    digest = hashlib.sha256()
    try:
        for part in sorted(path.parent.glob("*.py")) if _is_package(path) else [path]:
            digest.update(part.read_bytes())
        return digest.hexdigest()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error


@contextmanager
def blaming(kind: str, name: str, function: Callable[..., Any]) -> Iterator[None]:
    """Say which of a researcher's functions failed, and where; errors in our own pass through."""
    try:
        yield
    except Exception as error:
        if function.__module__.startswith("unround."):
            raise
        code = inspect.unwrap(function).__code__
        raise UsageError(
            _failed(f"the {kind} {name!r}", error, code.co_filename, code.co_firstlineno)
        ) from error


@cache
def _loaded(path: Path, digest: str) -> ModuleType:
    name = f"unround_study_{digest[:12]}"
    inside = [str(path.parent)] if _is_package(path) else None
    spec = spec_from_file_location(name, path, submodule_search_locations=inside)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path.name} is not a Python file")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise UsageError(_failed("the file", error, str(path), 1)) from error
    return module


def _is_package(path: Path) -> bool:
    return path.name == "__init__.py"


def _failed(what: str, error: Exception, file: str, first: int) -> str:
    """Return what failed, the last line of its file that was reached, and why."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [first, *(frame.lineno for frame in frames if frame.filename == file)]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines.append(error.lineno)
    why = str(error) if isinstance(error, UsageError) else f"{type(error).__name__}: {error}"
    return f"{what} failed at {Path(file).name}, line {lines[-1]}: {why}"
