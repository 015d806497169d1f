"""How likely a thing is in a closed container, by the types of both: a table written by hand."""

import json
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any, cast

_OTHER_WEIGHT = 0.3  # of a container that the table does not name


def container_weight(container_type: str, wanted_types: Iterable[str]) -> float:
    """Return how likely a container holds one of some types, against others; 0.3 for any type."""
    table = _table()
    base = float(table["containers"].get(container_type, _OTHER_WEIGHT))
    factors = [_factor(table, container_type, kind) for kind in sorted(wanted_types)]
    return base * max(factors, default=1.0)


def _factor(table: dict[str, Any], container_type: str, kind: str) -> float:
    for name in ("liked", "unliked"):
        if kind in table[name].get(container_type, ()):
            return float(table[f"{name}_factor"])
    return 1.0


@cache
def _table() -> dict[str, Any]:
    text = files("tatc.follower.listener").joinpath("place_priors.json").read_text("utf-8")
    return cast(dict[str, Any], json.loads(text))
