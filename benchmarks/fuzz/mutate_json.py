"""Damage to JSON that stays JSON: wrong types, huge values, keys removed, doubled or renamed."""

import json
from collections.abc import Callable, ItemsView
from random import Random
from typing import Any, cast

Container = dict[str, Any] | list[Any]
Slot = tuple[Container, Any]
"""A list or object, and an index or key in it."""

_HUGE_INTEGER = "\x00huge integer\x00"  # json refuses to write so many digits
_HUGE_DIGITS = "9" * 5000
_DESCENT_ENDS = 0.15  # of the walks from the root, at each level
_MAX_REPEATED_BYTES = 200_000


def _nest(depth: int, *, lists: bool) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value] if lists else {"a": value}
    return value


_HOSTILE_VALUES: tuple[Callable[[], Any], ...] = (
    *(lambda value=value: value for value in (None, True, False, 0, -1, 2, 1e308, -1e308, 1e30)),
    *(lambda value=value: value for value in (float("nan"), float("inf"), 1e-320, 0.5, -0.0)),
    *(lambda value=value: value for value in (2**31, 2**63, 2**64 + 1, -(2**63), 10**400)),
    *(lambda value=value: value for value in ("", " ", "1", "-1", "true", "None", "NaN", "\n")),
    *(lambda value=value: value for value in ("\ud800", "a\udfffb", "\x00", "\x1b[31mred\x1b[0m")),
    *(lambda value=value: value for value in ("../../../../etc/passwd", "/dev/zero", "a|b|c|d")),
    *(lambda value=value: value for value in ("x" * 100_000, "=1+1", "{0.__class__}", "%s%n")),
    *(lambda value=value: value for value in ("evil:X", "os:system", "#0", "#99", "\u202e", "٣")),
    *(lambda value=value: value for value in ("{}", "[]", "Mug|1|2|3", "FloorPlan1", "\ufeff")),
    lambda: _HUGE_INTEGER,
    list,
    dict,
    lambda: [[]],
    lambda: [None],
    lambda: {"": None},
    lambda: [0] * 3000,
    lambda: [1.0, 2.0],
    lambda: {"x": "1", "y": None, "z": []},
    lambda: _nest(12, lists=True),
    lambda: _nest(60, lists=False),
    lambda: _nest(500, lists=True),
)


def mutate_json(value: Any, rng: Random) -> bytes:
    """Return a JSON value damaged in one to four places, as bytes that are mostly valid JSON."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        value = _mutate_once(value, rng)
    return encode_json(value, rng)


def encode_json(value: Any, rng: Random) -> bytes:
    """Return JSON; surrogates either escaped or, which is no UTF-8, as they are."""
    text = json.dumps(value, ensure_ascii=rng.random() < 0.7)
    text = text.replace(json.dumps(_HUGE_INTEGER), _HUGE_DIGITS)
    return text.encode("utf-8", "surrogatepass")


def _mutate_once(value: Any, rng: Random) -> Any:
    slot = _draw_slot(value, rng)
    if slot is None or rng.random() < 0.01:
        return rng.choice(_HOSTILE_VALUES)()
    rng.choice(_SLOT_MUTATORS)(value, slot, rng)
    return value


def _draw_slot(root: Any, rng: Random) -> Slot | None:
    """Return a slot: of all slots with one probability, or at the end of a walk from the root.

    A walk meets the keys near the root more often than the many alike ones further down.
    """
    if not isinstance(root, dict | list) or not root:
        return None
    if rng.random() < 0.4:
        return rng.choice(_all_slots(cast(Container, root)))
    at: Container = root
    while True:
        key = rng.choice(list(at)) if isinstance(at, dict) else rng.randrange(len(at))
        below = at[key]
        if not isinstance(below, dict | list) or not below or rng.random() < _DESCENT_ENDS:
            return at, key
        at = cast(Container, below)


def _all_slots(root: Container) -> list[Slot]:
    found: list[Slot] = []
    todo = [root]
    while todo:
        at = todo.pop()
        for key in at if isinstance(at, dict) else range(len(at)):
            found.append((at, key))
            if isinstance(at[key], dict | list):
                todo.append(at[key])
    return found


def _replace(root: Any, slot: Slot, rng: Random) -> None:
    at, key = slot
    at[key] = rng.choice(_HOSTILE_VALUES)()


def _remove(root: Any, slot: Slot, rng: Random) -> None:
    at, key = slot
    del at[key]


def _copy_other_value(root: Any, slot: Slot, rng: Random) -> None:
    other = _draw_slot(root, rng)
    if other is not None:
        # Through text, so that no value comes to hold itself.
        slot[0][slot[1]] = json.loads(json.dumps(other[0][other[1]]))


def _swap_values(root: Any, slot: Slot, rng: Random) -> None:
    at, key = slot
    keys = list(at) if isinstance(at, dict) else list(range(len(at)))
    other = rng.choice(keys)
    at[key], at[other] = at[other], at[key]


def _change_value(root: Any, slot: Slot, rng: Random) -> None:
    """Change a value into another of its own type, or into a near relative."""
    at, key = slot
    value = at[key]
    if isinstance(value, bool):
        at[key] = rng.choice((not value, int(value), str(value)))
    elif isinstance(value, int | float):
        at[key] = rng.choice((-value, value + 1, value - 1, value * 10**6, str(value), [value]))
    elif isinstance(value, str):
        at[key] = rng.choice(
            (
                value[:-1],
                value + "\ud83d",
                value.upper(),
                value[:1000] * 50,
                [value],
                value + "\x07",
            )
        )
    elif isinstance(value, list):
        at[key] = rng.choice((value[::-1], value[:1], {str(i): x for i, x in enumerate(value)}))
    else:
        at[key] = [value]


def _wrap(root: Any, slot: Slot, rng: Random) -> None:
    at, key = slot
    at[key] = [at[key]] if rng.random() < 0.5 else {"value": at[key]}


def _unwrap(root: Any, slot: Slot, rng: Random) -> None:
    at, key = slot
    value = at[key]
    if isinstance(value, dict | list) and value:
        at[key] = next(iter(value.values() if isinstance(value, dict) else value))


def _rename_key(root: Any, slot: Slot, rng: Random) -> None:
    at, key = slot
    if isinstance(at, dict):
        new = rng.choice((key + "x", key.upper(), "", "__class__", "\ud800", key[:-1], "x" * 9999))
        at[new] = at.pop(key)


def _double_key(root: Any, slot: Slot, rng: Random) -> None:
    """Write a key twice, with another value: JSON allows it, and the last one counts."""
    at, key = slot
    if isinstance(at, dict) and not isinstance(at, _DoubledKey):
        value = rng.choice((at[key], rng.choice(_HOSTILE_VALUES)()))
        doubled = _DoubledKey(at, key, value)
        if _put_in_place_of(root, at, doubled):
            return
        at[key] = value


def _repeat_element(root: Any, slot: Slot, rng: Random) -> None:
    at, key = slot
    if isinstance(at, list):
        size = len(json.dumps(at[key])) + 1
        times = min(rng.choice((1, 2, 100, 20_000)), max(_MAX_REPEATED_BYTES // size, 1))
        at[key:key] = [at[key]] * times


class _DoubledKey(dict[str, Any]):
    """An object that is written with one key twice."""

    def __init__(self, entries: dict[str, Any], key: str, value: Any) -> None:
        super().__init__(entries)
        self._second = (key, value)

    def items(self) -> ItemsView[str, Any]:
        return cast(ItemsView[str, Any], [*super().items(), self._second])


def _put_in_place_of(root: Any, old: Any, new: Any) -> bool:
    """Replace a container by another wherever it is in a document; False if it is the root."""
    for at, key in _all_slots(root):
        if at[key] is old:
            at[key] = new
            return True
    return False


_SLOT_MUTATORS = (
    *(_replace, _replace, _replace, _replace, _remove, _remove, _copy_other_value, _swap_values),
    *(_change_value, _change_value, _wrap, _unwrap, _rename_key, _double_key, _repeat_element),
)
