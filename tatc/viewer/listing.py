"""The list of all sessions as the page gets it: columns and rows, quick to read."""

from collections.abc import Sequence
from typing import Any

from tatc.viewer.shelf import Entry

COLUMNS = (
    "id",
    "kind",
    "source",
    "key",
    "task",
    "params",
    "place",
    "room",
    "game",
    "seed",
    "commander",
    "follower",
    "end",
    "met",
    "total",
    "actions",
    "failed",
    "why",
    "pair",
    "opens",
    "error",
)


def listing(entries: Sequence[Entry], *, live: bool) -> dict[str, Any]:
    """Return the list; `live` where a server answers, so that one can play."""
    return {"live": live, "columns": COLUMNS, "rows": [_row(each) for each in entries]}


def _row(entry: Entry) -> list[Any]:
    return [
        entry.id,
        entry.kind.value,
        entry.source,
        entry.key,
        entry.task,
        ", ".join(entry.params),
        entry.place,
        entry.room,
        entry.game,
        entry.seed,
        *entry.agents,
        entry.end,
        entry.met,
        entry.total,
        entry.actions,
        entry.failed,
        entry.why,
        entry.pair,
        entry.opens,
        entry.error,
    ]
