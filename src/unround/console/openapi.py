"""`python -m unround.console.openapi`: write the API's OpenAPI document."""

from __future__ import annotations

import json
import sys

from unround.console.app import api


def document() -> str:
    """Return the OpenAPI document with sorted keys, so that equal code gives equal text."""
    return json.dumps(api().openapi(), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(document())
