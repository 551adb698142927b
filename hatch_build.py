"""Build the front end into the package before an sdist or a wheel is made, where Node is found.

`pip install .` and `python -m build` run this in a checkout; `pip install -e .` does not need it, and
works without Node. An sdist always holds the built front end, and so installs without Node. A wheel
that is made from a checkout without Node computes everything; `unround run` then writes no report.html
and says so.
"""

from __future__ import annotations

import subprocess
from pathlib import Path
from shutil import which
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LEAST_NODE = 20
WITHOUT = "the package has no report page and no console"


class FrontEndHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before files are collected for an sdist or a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build web/ into src/unround/static, unless it is there and newer than its source."""
        web, built = Path(self.root, "web"), Path(self.root, "src/unround/static/.built")
        is_unpacked_sdist = Path(self.root, "PKG-INFO").is_file()
        if version == "editable" or is_unpacked_sdist or _is_fresh(web, built):
            return
        reason = self._why_not_built(web)
        if not reason:
            built.touch()
        elif self.target_name == "sdist":
            self.app.abort(f"An sdist must hold the built front end: {reason}")
        else:
            self.app.display_warning(f"{reason}: {WITHOUT}")

    def _why_not_built(self, web: Path) -> str:
        """Build the front end; return why that failed, or nothing."""
        npm, found = which("npm"), _node_version()
        if npm is None or found < LEAST_NODE:
            return f"Node {LEAST_NODE} or newer was not found"
        for command in ([npm, "install", "--no-save"], [npm, "run", "build"]):
            done = subprocess.run(command, cwd=web, capture_output=True, text=True, check=False)
            if done.returncode:
                self.app.display_warning(done.stdout + done.stderr)
                return f"`{' '.join(command)}` failed in web/"
        return ""


def _is_fresh(web: Path, built: Path) -> bool:
    sources = {*web.glob("*.*"), *web.glob("public/*"), *web.glob("src/**/*")}
    sources.discard(web / "src/api/schema.ts")  # made of openapi.json, and not in the pages
    newest = max(path.stat().st_mtime for path in sources if path.is_file())
    return built.is_file() and built.stat().st_mtime >= newest


def _node_version() -> int:
    """Return the major version of Node; 0 where there is none."""
    if which("node") is None:
        return 0
    done = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)
    major = done.stdout.strip().removeprefix("v").partition(".")[0]
    return int(major) if major.isdigit() else 0
