"""Disclosure: what kind of numbers an area chair gets. The chair chooses one per conference."""

from __future__ import annotations

from typing import Literal, get_args

# order   the order of the run among the papers in scope, as far as no hidden score shows; no distances
# scoped  computed anew from what is in scope
# exact   the numbers of the run
Disclosure = Literal["order", "scoped", "exact"]
DISCLOSURES: tuple[Disclosure, ...] = get_args(Disclosure)
DEFAULT: Disclosure = "order"
