"""View -> one HTML file that needs nothing else: no server, no network, no other file.

Script and style are built from web/ into the package. The script is compressed, to a third of its
size; what the viewer may see is plain JSON. The page's Content-Security-Policy allows this script and
this style only, and no connection to any host.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

from unround.disclosure.model import View
from unround.disclosure.view import encoded
from unround.errors import UsageError

Bundle = Traversable | Path
BUNDLE: Bundle = files("unround").joinpath("static", "report")
SCRIPT, STYLE = "report.js", "report.css"
# Larger pages are slow to open in a browser.
MOST_REVIEWS = 200_000

_UNPACK = """(async () => {
  const packed = atob(document.getElementById("script").textContent);
  const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.body.append(script);
})().catch(() => {
  document.getElementById("root").textContent =
    "This browser is too old for this report: open it with one of 2023 or later.";
});"""
# Marks of a Template: $title $policy $style $view $script $unpack.
_PAGE = Template("""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="$policy">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title</title>
<style>$style</style>
</head>
<body>
<noscript>This report is drawn by a script in this file: allow scripts to read it.</noscript>
<div id="root"></div>
<script type="application/json" id="view">$view</script>
<script type="text/plain" id="script">$script</script>
<script>$unpack</script>
</body>
</html>
""")


class PageNotBuilt(UsageError):
    """The front end is missing: wheels contain it, a checkout must build it."""

    def __init__(self) -> None:
        super().__init__(
            "the report's page is not in this installation; with Node 20 or newer, `pip install .` in "
            "the checkout brings it (after `pip install -e .`, `make web` does)"
        )


def page(shown: View | bytes, *, bundle: Bundle | None = None) -> bytes:
    """Return the page of a View, given as it is or as JSON. `bundle` holds the script and the style."""
    view = shown if isinstance(shown, bytes) else encoded(shown)
    built = bundle or BUNDLE
    script, style = _read(built, SCRIPT), _style(_read(built, STYLE))
    policy = (
        f"default-src 'none'; script-src '{_digest(_UNPACK)}' '{_digest(script)}'; "
        f"style-src '{_digest(style)}'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    text = _PAGE.substitute(
        title="Review scores" if isinstance(shown, bytes) else html.escape(_title(shown)),
        policy=html.escape(policy, quote=False),
        style=style,
        view=_json(view.decode()),
        script=_packed(script),
        unpack=_UNPACK,
    )
    return text.encode()


def write_page(shown: View | bytes, path: Path, *, bundle: Bundle | None = None) -> None:
    """Write the page of a View."""
    path.write_bytes(page(shown, bundle=bundle))


def is_built(bundle: Bundle | None = None) -> bool:
    """Return whether the front end is there."""
    return all((bundle or BUNDLE).joinpath(name).is_file() for name in (SCRIPT, STYLE))


def _title(shown: View) -> str:
    who = shown["viewer"]["name"]
    return " · ".join(part for part in (shown["conference"], shown["name"], who) if part)


def _read(bundle: Bundle, name: str) -> str:
    """Return a file as text with LF line ends, as a browser reads it from a page."""
    try:
        text = bundle.joinpath(name).read_text("utf-8")
    except OSError as error:
        raise PageNotBuilt from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _json(text: str) -> str:
    """Escape JSON so that it cannot close its element or end a line of script."""
    text = text.replace("<", "\\u003c")
    return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@lru_cache(maxsize=1)  # the pages of all area chairs have the same script
def _packed(script: str) -> str:
    return base64.b64encode(gzip.compress(script.encode(), mtime=0)).decode()


def _style(text: str) -> str:
    """Escape a style sheet so that none of its strings looks like a closing tag."""
    return text.replace("</", "<\\/")


def _digest(text: str) -> str:
    """Return the hash by which the policy allows an inline script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
