"""Lists as people type them: names separated by commas, numbers and their ranges."""

import re
from collections.abc import Sequence

from tatc.base.errors import BadInput
from tatc.base.plain_text import whole_number
from tatc.session.records import floor_plan_room_kind

_MAX_RANGE_LENGTH = 100_000
_PLAN_NAME = re.compile(r"[A-Za-z][\w-]*")
_PLANS_HINT = "write numbers, as 3,16,205, or names, as FloorPlan3"


def parse_names(given: Sequence[str] | None) -> tuple[str, ...]:
    """Return the names in options that repeat or hold several by commas."""
    parts = (part.strip() for text in given or () for part in text.split(","))
    return tuple(part for part in parts if part)


def parse_plans(given: Sequence[str] | None, option: str) -> tuple[str, ...]:
    """Return the floor plans in an option, by numbers or by names; none if not given."""
    found = parse_names(given)
    for name in found:
        number = whole_number(name)
        known = _PLAN_NAME.fullmatch(name) if number is None else floor_plan_room_kind(number)
        if known is None:
            raise BadInput(f"{name!r} is no floor plan", where=option, fix=_PLANS_HINT)
    if given and not found:
        raise BadInput("names no floor plan", where=option, fix=_PLANS_HINT)
    return found


def parse_numbers(text: str, option: str) -> tuple[int, ...]:
    """Return the numbers of a list like "1,2,5" or "9001-9004", each once."""
    found: dict[int, None] = {}
    for part in parse_names([text]):
        first, dash, last = part.partition("-")
        start, end = whole_number(first), whole_number(last if dash else first)
        if start is None or end is None or end < start:
            fix = "write it like 1,2,5 or 9001-9004"
            raise BadInput(f"{part!r} is no number or range", where=option, fix=fix)
        if end - start > _MAX_RANGE_LENGTH:
            raise BadInput(f"{part!r} is too many", where=option, fix="name fewer")
        found.update(dict.fromkeys(range(start, end + 1)))
    if not found:
        raise BadInput("names no number", where=option, fix="write it like 1,2,5")
    return tuple(found)


def parse_shard(text: str) -> tuple[int, int]:
    """Return i and n of a shard "i/n"."""
    i, n = map(whole_number, text.partition("/")[::2])
    if i is None or n is None or not 1 <= i <= n:
        fix = "write i/n with i from 1 to n, as 1/4"
        raise BadInput(f"{text!r} is no shard", where="--shard", fix=fix)
    return i, n
