"""Every regular expression of tatc takes work that grows with a text no faster than its length.

The texts of an expression are made of its own parts: a beginning that it matches, then something
that it repeats, or matches in whole, over and over, then an end that it may not match.  Work is
counted in steps of a matcher, not in seconds.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import product
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

import tatc
from tests.counting_matcher import CountingMatcher, TooManySteps, repeated_parts

ROOT = Path(tatc.__file__).parent
SHORTEST = 24  # characters; texts of twice and four times the length follow
MOST_GROWTH = 3.0  # of the steps that are added from length to length: 2 is linear, 4 quadratic
MOST_TEXTS = 40  # of one expression, of each of two kinds
AT_START = {"match", "fullmatch"}
METHODS = {"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer"}
NEEDING_EXTRAS = {"inspect_ai", "openenv", "torch", "mcp", "gymnasium"}


def growth(
    matcher: CountingMatcher, begin: str, unit: str, end: str, *, at_start: bool, length: int
) -> float:
    """Return by what the added steps grow when what is added to the text is doubled."""
    times = length // len(unit) + 1
    texts = [begin + unit * (times << doubled) + end for doubled in range(3)]
    try:
        short, middle, long = (matcher.count(text, at_start=at_start) for text in texts)
    except TooManySteps:
        return inf
    return (long - middle) / max(middle - short, length)


def adverse_texts(matcher: CountingMatcher) -> list[tuple[str, str, str]]:
    """Return beginnings, units to repeat, and ends; none for what repeats nothing."""
    bodies = list(repeated_parts(matcher.tree))
    if not bodies:
        return []
    items = list(matcher.tree)
    begins = [text for n in range(len(items) + 1) for text in matcher.samples(items[:n])[:2]]
    wholes = [text for text in (*begins, *matcher.samples(items)) if text]
    repeated = [text for body in bodies for text in matcher.samples(body)[:4] if text]
    begins, ends = _distinct(["", *begins]), ("", "\0", "\na")
    others = [f"{text}{gap}" for text in wholes for gap in ("", " ")]
    found = list[tuple[str, str, str]]()
    for units in (repeated, others):
        every = list(product(begins, _distinct(units), ends))
        Random(0).shuffle(every)
        found += every[:MOST_TEXTS]
    return found


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def worst_growth(pattern: re.Pattern[str], *, at_start: bool) -> tuple[float, tuple[str, ...]]:
    """Return the greatest growth found, and its text."""
    matcher, worst = CountingMatcher(pattern), (0.0, ())
    for text in adverse_texts(matcher):
        # What seems slow in short texts may only be uneven: longer ones decide.
        for length in (SHORTEST, 4 * SHORTEST):
            grown = growth(matcher, *text, at_start=at_start, length=length)
            if grown <= MOST_GROWTH:
                break
        else:
            return grown, text
        worst = max(worst, (grown, text))
    return worst


def expressions() -> Iterator[tuple[str, re.Pattern[str], bool]]:
    """Yield all expressions of tatc, with their place, and whether they match at a start alone."""
    trees = {path: ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))}
    methods = defaultdict[str, set[str]](set)
    for tree in trees.values():
        for name, method in _method_calls(tree):
            methods[name].add(method)
    for path, tree in trees.items():
        place = path.relative_to(ROOT).as_posix()
        calls = [node for node in ast.walk(tree) if _is_call_of_re(node)]
        for call in calls:
            if call.func.attr in METHODS:
                pattern = call.args[0]
                assert isinstance(pattern, ast.Constant), f"{place}: name it with re.compile"
                at_start = call.func.attr in AT_START
                yield f"{place}:{call.lineno}", re.compile(pattern.value), at_start
        if any(call.func.attr == "compile" for call in calls):
            yield from _compiled_in(place, tree, methods)


def _method_calls(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield the names on which methods are called; what goes through a constant has its name."""
    constants = {
        target.id: node.iter.id
        for node in ast.walk(tree)
        if isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Name)
        for target in ast.walk(node.target)
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            name = getattr(node.value, "id", getattr(node.value, "attr", ""))
            yield constants.get(name, name), node.attr


def _is_call_of_re(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.")


def _compiled_in(
    place: str, tree: ast.Module, methods: dict[str, set[str]]
) -> Iterator[tuple[str, re.Pattern[str], bool]]:
    name = place.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    needed = {
        alias.name.split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    try:
        module = import_module(f"tatc.{name}")
    except ImportError:
        assert needed & NEEDING_EXTRAS, name
        return
    for constant, value in vars(module).items():
        for pattern in _patterns_in(value):
            yield f"{place} {constant}", pattern, set() < methods[constant] <= AT_START


def _patterns_in(value: Any) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        yield from _patterns_in(tuple(value.values()))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _patterns_in(each)
    elif isinstance(pattern := getattr(value, "name_pattern", None), re.Pattern):
        yield pattern


def test_no_expression_takes_more_than_linear_work() -> None:
    found = {(pattern, at_start): place for place, pattern, at_start in expressions()}
    assert len(found) > 100
    slow = {
        f"{place}: {pattern.pattern}": text
        for (pattern, at_start), place in found.items()
        for grown, text in [worst_growth(pattern, at_start=at_start)]
        if grown > MOST_GROWTH
    }
    assert slow == {}


@pytest.mark.parametrize(
    ("pattern", "at_start"),
    [
        (r"```(?:json)?\s*(.*?)```", False),
        (r"(\w+)=(?:'([^']*)'|(True|False))", False),
        (r"([A-Za-z]+)((?:\|[-+.\w]*)+)", False),
        (r"\bput\b.*\baway\b", False),
        (r"(?=.*sink).*\bwash", False),
        (r"on (.+?)\W*", True),
        (r"(a+)+b", True),
        (r"x*+y", False),
    ],
)
def test_expressions_of_more_than_linear_work_are_found(pattern: str, at_start: bool) -> None:
    grown, _ = worst_growth(re.compile(pattern), at_start=at_start)
    assert grown > MOST_GROWTH


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("a+(?=b)|a{1,2}?", "aaac"),
        (r"(?:ab|a)*c?$", "ababaa"),
        (r"\b(x|xy)+?z", "xyxxyz"),
        (r"(?<!a)b{2,3}+b?", "bbbb"),
        (r"[^\W\d]+(?!1)", "ab1"),
        ("(?i)(?>ab?)*B", "abAb"),
        (r"(|a)+\Z", "aa"),
    ],
)
def test_the_matcher_that_counts_matches_as_re_does(pattern: str, text: str) -> None:
    found = re.match(pattern, text)
    matcher = CountingMatcher(re.compile(pattern))
    assert next(matcher.ends(text, 0), None) == (None if found is None else found.end())
    assert matcher.steps >= len(text[: found.end()] if found else "")
