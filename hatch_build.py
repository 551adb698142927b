"""Build the front end into the package before a wheel is made, where Node is found.

`pip install .` and `python -m build` run this; `pip install -e .` does not need it, and works without
Node. A package without the front end computes everything; `unround run` then writes no report.html
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
    """Runs before files are collected for a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build web/ into src/unround/static, unless it is there and newer than its source."""
        web, built = Path(self.root, "web"), Path(self.root, "src/unround/static/.built")
        if version == "editable" or not web.is_dir() or _is_fresh(web, built):
            return
        npm, found = which("npm"), _node_version()
        if npm is None or found < LEAST_NODE:
            self.app.display_warning(f"Node {LEAST_NODE} or newer was not found: {WITHOUT}")
            return
        for command in ([npm, "install", "--no-save"], [npm, "run", "build"]):
            done = subprocess.run(command, cwd=web, capture_output=True, text=True, check=False)
            if done.returncode:
                self.app.display_warning(done.stdout + done.stderr)
                self.app.display_warning(f"`{' '.join(command)}` failed in web/: {WITHOUT}")
                return
        built.touch()


def _is_fresh(web: Path, built: Path) -> bool:
    sources = [*web.glob("*.*"), *web.glob("public/*"), *web.glob("src/**/*")]
    newest = max(path.stat().st_mtime for path in sources if path.is_file())
    return built.is_file() and built.stat().st_mtime >= newest


def _node_version() -> int:
    """Return the major version of Node; 0 where there is none."""
    if which("node") is None:
        return 0
    done = subprocess.run(["node", "--version"], capture_output=True, text=True, check=False)
    major = done.stdout.strip().removeprefix("v").partition(".")[0]
    return int(major) if major.isdigit() else 0
