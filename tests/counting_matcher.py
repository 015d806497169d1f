"""A matcher that tries what `re` tries, and counts the characters that it looks at.

So a test can say how an expression's work grows with a text, and measures no time.
"""

import re
from collections.abc import Callable, Iterator
from itertools import islice
from re import _compiler, _constants as ops, _parser
from typing import Any

Matcher = Callable[[str, int], Iterator[int]]
"""Yields where a part of an expression can end that begins at an index, in the order tried."""

REPEATS = (ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT)
SINGLES = (ops.LITERAL, ops.NOT_LITERAL, ops.IN, ops.ANY)
_CANDIDATES = "a0 A_~\n"
_MOST_SAMPLES = 10
_SMALL_REPEAT = 200
_FEW = 4
_MOST_STEPS = 100_000


class TooManySteps(Exception):
    """An expression has taken so many steps that they need not be counted to the end."""


class CountingMatcher:
    """An expression whose steps are counted."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.steps = 0
        self._flags = pattern.flags
        self.tree = _parser.parse(pattern.pattern, pattern.flags)
        self.ends: Matcher = self._sequence(self.tree)

    def count(self, text: str, *, at_start: bool) -> int:
        """Return the steps of `fullmatch`, or of finding all matches; or raise TooManySteps."""
        self.steps = 0
        if at_start:
            next((end for end in self.ends(text, 0) if end == len(text)), None)
            return self.steps
        at = 0
        while at <= len(text):
            at = max(at + 1, next(self.ends(text, at), 0))
        return self.steps

    def _step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS:
            raise TooManySteps

    def fitting(self, item: Any) -> re.Pattern[str]:
        """Return one part of the expression, compiled by itself."""
        return _compiler.compile(_parser.SubPattern(self.tree.state, [item]), self._flags)

    def _sequence(self, items: Any) -> Matcher:
        parts = [self._part(item) for item in items]
        if len(parts) == 1:
            return parts[0]

        def ends(text: str, at: int) -> Iterator[int]:
            stack = [parts[0](text, at)] if parts else []
            if not parts:
                yield at
            while stack:
                end = next(stack[-1], None)
                if end is None:
                    stack.pop()
                elif len(stack) == len(parts):
                    yield end
                else:
                    stack.append(parts[len(stack)](text, end))

        return ends

    def _part(self, item: Any) -> Matcher:
        op, value = item
        if op in SINGLES:
            return self._single(item)
        if op is ops.AT or (op in (ops.ASSERT, ops.ASSERT_NOT) and value[0] < 0):
            return self._anchor(self.fitting(item))
        if op in (ops.ASSERT, ops.ASSERT_NOT):
            ahead, wanted = self._sequence(value[1]), op is ops.ASSERT
            return lambda text, at: iter(
                (at,) if (next(ahead(text, at), None) is not None) is wanted else ()
            )
        if op in (ops.SUBPATTERN, ops.ATOMIC_GROUP):
            inner = self._sequence(value if op is ops.ATOMIC_GROUP else value[-1])
            return inner if op is ops.SUBPATTERN else _first_only(inner)
        if op is ops.BRANCH:
            branches = [self._sequence(each) for each in value[1]]
            return lambda text, at: (end for each in branches for end in each(text, at))
        assert op in REPEATS, f"{op} is not counted yet"
        least, most, body = value
        if most <= _SMALL_REPEAT:  # a constant, which texts as short as a test's do not show
            most = min(most, max(least, _FEW))
        inner, is_lazy = self._sequence(body), op is ops.MIN_REPEAT
        found = self._repeat(inner, least, most, is_lazy=is_lazy)
        return _first_only(found) if op is ops.POSSESSIVE_REPEAT else found

    def _single(self, item: Any) -> Matcher:
        compiled, known = self.fitting(item), dict[str, bool]()

        def ends(text: str, at: int) -> Iterator[int]:
            self._step()
            if at < len(text):
                fits = known.get(text[at])
                if fits is None:
                    fits = known[text[at]] = compiled.match(text[at]) is not None
                if fits:
                    yield at + 1

        return ends

    def _anchor(self, compiled: re.Pattern[str]) -> Matcher:
        def ends(text: str, at: int) -> Iterator[int]:
            self._step()
            if compiled.match(text, at):
                yield at

        return ends

    def _repeat(self, inner: Matcher, least: int, most: int, *, is_lazy: bool) -> Matcher:
        def ends(text: str, at: int) -> Iterator[int]:
            if is_lazy and not least:
                yield at
            stack = [(at, inner(text, at))]
            while stack:
                self._step()
                here, following = stack[-1]
                end = next(following, None) if len(stack) <= most else None
                if end is None:
                    stack.pop()
                    if not is_lazy and len(stack) >= least:
                        yield here
                elif end != here or len(stack) <= least:
                    if is_lazy and len(stack) >= least:
                        yield end
                    stack.append((end, inner(text, end)))

        return ends

    def samples(self, items: Any) -> list[str]:
        """Return texts that a part of the expression matches, each alternative in turn."""
        choices = [self._samples_of(item) for item in items]
        if not all(choices):
            return []
        found = ["".join(each[0] for each in choices)]
        for at, each in enumerate(choices):
            before = "".join(other[0] for other in choices[:at])
            behind = "".join(other[0] for other in choices[at + 1 :])
            found += (f"{before}{other}{behind}" for other in each[1:])
        return list(dict.fromkeys(found))[:_MOST_SAMPLES]

    def _samples_of(self, item: Any) -> list[str]:
        op, value = item
        if op in SINGLES:
            compiled = self.fitting(item)
            own = [chr(each) for each in _codes_in(value) if 0 <= each <= 0x10FFFF]
            fitting = (each for each in (*own, *_CANDIDATES) if compiled.match(each))
            return list(dict.fromkeys(fitting))[:3]
        if op in (ops.AT, ops.ASSERT, ops.ASSERT_NOT):
            return [""]
        if op in (ops.SUBPATTERN, ops.ATOMIC_GROUP):
            return self.samples(value if op is ops.ATOMIC_GROUP else value[-1])
        if op is ops.BRANCH:
            return [text for each in value[1] for text in self.samples(each)[:2]]
        least, _, body = value
        return [text * max(least, 1) for text in self.samples(body)]


def repeated_parts(items: Any) -> Iterator[Any]:
    """Yield the bodies of all repeats without a small limit, those within others too."""
    for op, value in items:
        if op in REPEATS:
            if value[1] > _SMALL_REPEAT:
                yield value[2]
            yield from repeated_parts(value[2])
        elif op is ops.BRANCH:
            for each in value[1]:
                yield from repeated_parts(each)
        elif op in (ops.SUBPATTERN, ops.ASSERT, ops.ASSERT_NOT):
            yield from repeated_parts(value[-1])
        elif op is ops.ATOMIC_GROUP:
            yield from repeated_parts(value)


def _first_only(matcher: Matcher) -> Matcher:
    return lambda text, at: islice(matcher(text, at), 1)


def _codes_in(value: Any) -> Iterator[int]:
    """Yield the characters that a set, or a single literal, names: of a range the first."""
    for each in value if isinstance(value, list) else (value,):
        code = each[1] if isinstance(each, tuple) else each
        first = code[0] if isinstance(code, tuple) else code
        if type(first) is int:
            yield first
