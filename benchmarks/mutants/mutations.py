"""The mutants of a folder, by cosmic-ray's operators, and those known to be equivalent.

Left out are mutants of annotations, which nothing evaluates once a module is imported, and what
does not compile.
"""

import ast
import difflib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

import parso.python.tree  # noqa: F401  # cosmic-ray's operators import parso.tree too early
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names

EQUIVALENT_FILE = Path(__file__).with_name("equivalent.json")
_NO_MUTATION = "core/NoOp"
Key = tuple[str, str, str, str]
"""File, definition, lines before and lines after."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One place at which one operator changes a file; `line` is counted from 1."""

    file: str
    operator: str
    occurrence: int
    line: int


@dataclass(frozen=True, slots=True)
class Mutant:
    """A mutation with the source that it makes.

    `definition` is the qualified name of the function or class around it, "" for the module.
    `before` and `after` are the lines that differ, without indentation.
    """

    mutation: Mutation
    source: str
    definition: str
    before: str
    after: str
    diff: str

    @property
    def key(self) -> Key:
        """What names the mutant whatever happens elsewhere in its file."""
        return self.mutation.file, self.definition, self.before, self.after


def list_mutations(root: Path, folder: str) -> list[Mutation]:
    """Return all mutations of the Python files of a folder (or of one file), in a fixed order."""
    path = root / folder
    files = [path] if path.is_file() else sorted(path.rglob("*.py"))
    return [each for file in files for each in _mutations_of(root, file)]


def draw_mutants(
    root: Path, mutations: Sequence[Mutation], seed: int, count: int | None
) -> Iterator[Mutant]:
    """Yield so many mutants in an order that the seed draws; all of them for a count of None.

    A larger count with the same seed yields the same mutants and more.
    """
    drawn = list(mutations)
    Random(seed).shuffle(drawn)
    equivalent = read_equivalent()
    yielded = 0
    for mutation in drawn:
        if yielded == count:
            return
        mutant = make_mutant(root, mutation)
        if mutant is not None and equivalent.isdisjoint(_entries_for(mutant)):
            yielded += 1
            yield mutant


def make_mutant(root: Path, mutation: Mutation) -> Mutant | None:
    """Return the mutant that a mutation makes, None where it does not compile."""
    source = (root / mutation.file).read_text("utf-8")
    mutated = mutate_code(source, get_operator(mutation.operator)(), mutation.occurrence)
    if mutated is None or not _is_another_program(source, mutated):
        return None
    old, new = source.splitlines(), mutated.splitlines()
    lines = list(difflib.unified_diff(old, new, mutation.file, mutation.file, n=3, lineterm=""))
    changed = lines[3:]  # after both names and the line numbers
    before = "\n".join(line[1:].strip() for line in changed if line.startswith("-"))
    after = "\n".join(line[1:].strip() for line in changed if line.startswith("+"))
    name = _definition_at(source, mutation.line)
    return Mutant(mutation, mutated, name, before, after, "\n".join(lines) + "\n")


@cache
def read_equivalent() -> frozenset[Key]:
    """Return the keys of the mutants that behave as the original does.

    File and definition "*" stand for all.
    """
    entries = json.loads(EQUIVALENT_FILE.read_text("utf-8"))
    return frozenset(
        (each["file"], each["definition"], each["before"], each["after"]) for each in entries
    )


def _entries_for(mutant: Mutant) -> tuple[Key, Key]:
    """Return the two entries of the list that would hold a mutant."""
    return mutant.key, ("*", "*", mutant.before, mutant.after)


def _mutations_of(root: Path, file: Path) -> Iterator[Mutation]:
    source = file.read_text("utf-8")
    nodes = list(ast_nodes(get_ast(source)))
    annotations = _annotation_spans(source)
    name = file.relative_to(root).as_posix()
    for operator_name in operator_names():
        operator_class = get_operator(operator_name)
        if operator_name == _NO_MUTATION or operator_class.arguments():
            continue
        operator = operator_class()
        positions = (span for node in nodes for span in operator.mutation_positions(node))
        for occurrence, (start, _) in enumerate(positions):
            if not any(low <= start < high for low, high in annotations):
                yield Mutation(name, operator_name, occurrence, start[0])


def _annotation_spans(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return where annotations begin and end: line from 1, column from 0."""
    found: list[ast.expr | None] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arg | ast.AnnAssign):
            found.append(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.append(node.returns)
    return [
        ((each.lineno, each.col_offset), (each.end_lineno or 0, each.end_col_offset or 0))
        for each in found
        if each is not None
    ]


def _is_another_program(source: str, mutated: str) -> bool:
    try:
        return ast.dump(ast.parse(source)) != ast.dump(ast.parse(mutated))
    except SyntaxError:
        return False


def _definition_at(source: str, line: int) -> str:
    names: list[str] = []
    body: Sequence[ast.AST] = ast.parse(source).body
    while body:
        inside = [each for each in body if _first_line(each) <= line <= _last_line(each)]
        body = list(ast.iter_child_nodes(inside[0])) if inside else []
        if inside and isinstance(inside[0], ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(inside[0].name)
    return ".".join(names)


def _first_line(node: ast.AST) -> int:
    lines = [getattr(each, "lineno", 1 << 30) for each in getattr(node, "decorator_list", ())]
    return min([*lines, getattr(node, "lineno", 1 << 30)])


def _last_line(node: ast.AST) -> int:
    return getattr(node, "end_lineno", 0)
