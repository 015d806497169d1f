"""Refusal codes: every message of the embedded world has one, and only one place gives them."""

import ast
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import tatc
from tatc.home.actions import ActionResult, Role
from tatc.home.refusals import MESSAGE_PATTERNS, RefusalCode, blocker_named_in, refusal_code_of
from tatc.sim.teach_effects import refusal_result

PACKAGE = Path(tatc.__file__).parent
EMBEDDED_FILES = (
    *sorted((PACKAGE / "sim/embedded").rglob("*.py")),
    PACKAGE / "sim/teach_effects.py",
    PACKAGE / "sim/noisy_simulator.py",
    PACKAGE / "session/loop.py",
)
NEVER_SEEN = {"Place: no receptacle"}  # the result of the ray takes its place


def messages_in(path: Path) -> Iterator[str]:
    """Yield the texts that a file's functions return or refuse with, ids filled in."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and _returns_text(node):
            yield from _texts(node)
        elif isinstance(node, ast.Call) and _name(node.func) in ("refusal_result", "ActionResult"):
            yield from (text for each in node.args for text in _rendered(each))
        elif isinstance(node, ast.Assign) and "MESSAGE" in ast.unparse(node.targets[0]):
            yield from _rendered(node.value)


def _returns_text(function: ast.FunctionDef) -> bool:
    words = "" if function.returns is None else ast.unparse(function.returns).split(" | ")
    names_message = function.name.endswith("_message") and function.name != "_success_message"
    refuses = "str" in words and len(words) > 1 and function.name != "resolve_target_id"
    return refuses or names_message


def _texts(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            yield from _rendered(node.value)


def _rendered(node: ast.expr) -> Iterator[str]:
    for each in (node.body, node.orelse) if isinstance(node, ast.IfExp) else (node,):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield each.value
        elif isinstance(each, ast.JoinedStr):
            yield from map("".join, product(*map(_texts_of_part, each.values)))


def _texts_of_part(part: ast.expr) -> list[str]:
    """Return the texts that a part of an f-string may stand for; an id is called "on"."""
    if isinstance(part, ast.Constant):
        return [str(part.value)]
    value = part.value if isinstance(part, ast.FormattedValue) else part
    return list(_rendered(value)) if isinstance(value, ast.IfExp) else ["on"]


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


ALL_MESSAGES = sorted({text for path in EMBEDDED_FILES for text in messages_in(path)} - NEVER_SEEN)


def test_messages_are_found_in_source() -> None:
    assert len(ALL_MESSAGES) >= 30
    assert "No valid positions to place object found" in ALL_MESSAGES
    assert "The action failed by chance" in ALL_MESSAGES


@pytest.mark.parametrize("message", ALL_MESSAGES)
def test_every_message_of_embedded_world_has_code(message: str) -> None:
    assert refusal_code_of(message) is not RefusalCode.UNKNOWN


@pytest.mark.parametrize(("fragments", "code"), MESSAGE_PATTERNS)
def test_every_pattern_is_reached(fragments: tuple[str, ...], code: RefusalCode) -> None:
    assert refusal_code_of(" ... ".join(fragments)) is code


def test_every_code_has_pattern() -> None:
    assert {code for _, code in MESSAGE_PATTERNS} | {RefusalCode.UNKNOWN} == set(RefusalCode)


def test_first_pattern_counts_of_which_all_fragments_occur() -> None:
    assert refusal_code_of("Object ID Mug is valid") is RefusalCode.UNKNOWN
    assert refusal_code_of("a held item will collide") is RefusalCode.UNKNOWN
    both = "it is occluded by something; Chair is blocking Agent 0"
    assert refusal_code_of(both) is RefusalCode.PATH_BLOCKED


def test_result_carries_code_of_its_message() -> None:
    assert ActionResult(True, "placed in Fridge").refusal_code is None
    assert refusal_result("Sink is NOT a receptacle!").refusal_code is RefusalCode.NOT_A_RECEPTACLE
    assert refusal_result("?").refusal_code is RefusalCode.UNKNOWN


def test_code_is_same_however_message_is_quoted_and_blocker_is_named() -> None:
    said = f"I could not Pickup Mug at 0.50 0.50: Agent {Role.FOLLOWER} is too far away to Pickup"
    assert refusal_code_of(said) is RefusalCode.TARGET_TOO_FAR
    assert blocker_named_in("Chair|1|0|2 is blocking Agent 0 from moving") == "Chair|1|0|2"
    assert blocker_named_in("can't look up beyond 30 degrees") is None


@pytest.mark.parametrize("code", list(RefusalCode))
def test_code_is_heard_in_the_report_that_says_it(code: RefusalCode) -> None:
    assert refusal_code_of(f"I could not Pickup Mug at 0.50 0.50: {code.value}") is code


def test_message_fragments_stand_in_one_file() -> None:
    """No other file looks for a fragment of a message in a text."""
    fragments = {fragment for row, _ in MESSAGE_PATTERNS for fragment in row}
    for path in PACKAGE.rglob("*.py"):
        if path.name == "refusals.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.In):
                looked_for = set(_rendered(node.left))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                looked_for = {text for each in node.args for text in _rendered(each)}
            else:
                continue
            assert not {t.strip() for t in looked_for} & fragments, f"{path}:{node.lineno}"
