"""python -m studies.peerread FOLDER -o FILE: the scores of a conference in PeerRead as a table."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from studies.peerread import convert
from unround.errors import UnroundError

parser = ArgumentParser(prog="python -m studies.peerread", description=__doc__)
parser.add_argument("folder", type=Path)
parser.add_argument("-o", "--output", type=Path, required=True)
given = parser.parse_args()
try:
    sys.stdout.write(convert(given.folder, given.output) + "\n")
except UnroundError as refused:
    parser.exit(1, f"{refused}\n")
