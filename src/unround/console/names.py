"""Names of uploaded files: for showing, and for messages that mention them."""

from __future__ import annotations

import re
import unicodedata

LONGEST = 120


def clean_name(given: str) -> str:
    r"""The last part of a name, with nothing in it that a file system or a page could take amiss.

    >>> clean_name("C:\\exports\\reviews (2).csv"), clean_name("../../etc/passwd"), clean_name("..")
    ('reviews (2).csv', 'passwd', 'file')
    """
    last = unicodedata.normalize("NFC", given).replace("\\", "/").rsplit("/", 1)[-1]
    kept = re.sub(r"[^\w .,()+@=~-]", "_", last).strip(" .")
    stem, dot, ending = kept.rpartition(".")
    if len(kept) > LONGEST and dot and len(ending) < 10:
        kept = f"{stem[: LONGEST - len(ending) - 1]}.{ending}"
    while len(kept[:LONGEST].encode()) > 240:  # a file system counts bytes
        kept = kept[1:]
    return kept[:LONGEST] or "file"
