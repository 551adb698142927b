"""The mutants of a module: Cosmic Ray's operators, less the mutants that change nothing by their place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

# Numba's decorators: a kernel without them is slower and the same.
COMPILERS = ("compiled", "inlined")


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    path: Path
    operator: str
    occurrence: int
    line: int
    lines: range  # of the statement that it changes

    @property
    def name(self) -> str:
        """The file, line and kind of the change, with the number of the place in the file."""
        kind = self.operator.removeprefix("core/")
        return f"{self.path.name}:{self.line} {kind} {self.occurrence}"

    def code(self) -> str:
        """Return the file with the change."""
        from cosmic_ray.mutating import mutate_code
        from cosmic_ray.plugins import get_operator

        mutated = mutate_code(self.path.read_text(), get_operator(self.operator)(), self.occurrence)
        assert mutated is not None
        return str(mutated)

    def is_python(self) -> bool:
        """Whether the change can be compiled: Cosmic Ray takes the * of arguments for an operator."""
        try:
            ast.parse(self.code())
        except SyntaxError:
            return False
        return True


def mutants_of(path: Path) -> list[Mutant]:
    """Return the mutants of a file that can make a difference."""
    from cosmic_ray.ast import ast_nodes, get_ast  # installed by `make mutants` alone
    from cosmic_ray.plugins import get_operator, operator_names

    source = path.read_text()
    tree, parsed = ast.parse(source), get_ast(source)
    statements = list(_statements(tree))
    idle = list(_without_effect(tree))
    found = []
    for name in operator_names():
        operator = get_operator(name)
        if operator.arguments():
            continue
        places = (
            place for node in ast_nodes(parsed) for place in operator().mutation_positions(node)
        )
        for occurrence, (begin, _) in enumerate(places):
            if not any(first <= begin < last for first, last in idle):
                lines = next((span for span in statements if begin[0] in span), range(0))
                found.append(Mutant(path, name, occurrence, begin[0], lines))
    return found


def _statements(tree: ast.Module) -> Iterator[range]:
    """Yield the lines of each statement, of a compound one those of its head."""
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno
            yield range(node.lineno, max(node.lineno, last or 0) + 1)


def _without_effect(tree: ast.Module) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield where a change changes nothing: annotations, imports for them, decorators of kernels."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = (one for one in node.decorator_list if isinstance(one, ast.Name))
            # The place of a removed decorator begins at its @.
            yield from (
                ((one.lineno, one.col_offset - 1), (one.lineno, one.end_col_offset or 0))
                for one in names
                if one.id in COMPILERS
            )
            if node.returns is not None:
                yield _span(node.returns)
        elif isinstance(node, ast.arg | ast.AnnAssign) and node.annotation is not None:
            yield _span(node.annotation)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            yield _span(node)


def _span(node: ast.expr | ast.stmt) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def sample(mutants: dict[Path, list[Mutant]], size: int, seed: int) -> list[Mutant]:
    """Return so many mutants at random, from each file in proportion to what it has, in any order."""
    total = sum(map(len, mutants.values()))
    if size >= total:
        return [mutant for several in mutants.values() for mutant in several]
    chosen: list[Mutant] = []
    for path, several in sorted(mutants.items()):
        share = min(len(several), -(-size * len(several) // total))
        chosen += Random(f"{seed} {path.name}").sample(several, share)
    Random(seed).shuffle(chosen)
    return chosen
