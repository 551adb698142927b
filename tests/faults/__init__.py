"""Kills, stops and shortages: what an operator meets sooner or later. One module for each promise.

`make test` strikes a few times. `make faults KILLS=n` strikes that often and on both databases, and writes
benchmarks/FAULTS.md.
"""

import os

KILLS = int(os.environ.get("FAULTS_KILLS", "0"))
ROUNDS = max(KILLS // 100, 1)  # of stops and shortages
