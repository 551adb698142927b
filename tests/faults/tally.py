"""What happened, and what should not have."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass
class Tally:
    """Counts of faults by kind and outcome, and every breach in words."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    breaches: list[str] = field(default_factory=list)

    def note(self, fault: str, outcome: str) -> None:
        self.outcomes[fault, outcome] += 1
        print(f"{sum(self.outcomes.values()):5}  {fault}: {outcome}", flush=True)

    def breach(self, fault: str, what: str) -> None:
        self.breaches.append(f"{fault}: {what}")
        print(f"BREACH {fault}: {what}", flush=True)

    def report(self) -> str:
        """Return a table as Markdown."""
        lines = ["| fault | times | what came of it |", "|---|---|---|"]
        for fault in dict.fromkeys(fault for fault, _ in self.outcomes):
            found = {how: n for (one, how), n in self.outcomes.items() if one == fault}
            told = ", ".join(f"{how}: {number}" for how, number in sorted(found.items()))
            lines.append(f"| {fault} | {sum(found.values())} | {told} |")
        total = sum(self.outcomes.values())
        lines += ["", f"Faults: {total}. Breaches: {len(self.breaches)}.", ""]
        return "\n".join([*lines, *(f"- {breach}" for breach in self.breaches)])
