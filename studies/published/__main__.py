"""python -m studies.published NAME PATH -o FOLDER: a published data set as two plain tables."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from pathlib import Path

from studies.published import DATA_SETS, convert
from unround.errors import UnroundError

parser = ArgumentParser(prog="python -m studies.published", description=__doc__)
parser.add_argument("name", choices=DATA_SETS)
parser.add_argument("path", type=Path)
parser.add_argument("-o", "--output", type=Path, required=True)
given = parser.parse_args()
try:
    sys.stdout.write(convert(given.name, given.path, given.output) + "\n")
except UnroundError as refused:
    parser.exit(1, f"{refused}\n")
