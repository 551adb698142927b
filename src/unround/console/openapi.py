"""`python -m unround.console.openapi`: the API's description, the same for the same code."""

from __future__ import annotations

import json
import sys

from unround.console.app import api


def document() -> str:
    """The OpenAPI document, keys in order."""
    return json.dumps(api().openapi(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(document())
