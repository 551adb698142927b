"""A stage never changes what it was given: values are frozen, all but a few that grow while they are made."""

import ast
from pathlib import Path

import unround

GROWING = {
    # Filled line by line while files are read.
    *("Copies", "Field", "FilesToRead", "Form", "OpenReviewPaper", "Ranking"),
    # Gathered or counted piece by piece.
    *("ComponentBuilder", "Erasure", "Forgotten"),
    # What a running process keeps.
    *("Console", "Shard", "Site", "_TrackedJob"),
}


def is_dataclass(decorator):
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id == "dataclass"


def test_dataclasses_are_frozen():
    unfrozen = set()
    for path in Path(unround.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for decorator in filter(is_dataclass, getattr(node, "decorator_list", ())):
                if "frozen=True" not in ast.unparse(decorator):
                    unfrozen.add(node.name)
    assert unfrozen - GROWING == set()
