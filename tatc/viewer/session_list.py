"""The list of sessions as JSON for the page: columns and rows, to keep it small."""

from collections.abc import Sequence
from typing import Any

from tatc.viewer.session_index import SessionEntry

LIST_COLUMNS = (
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


def session_list_json(entries: Sequence[SessionEntry], *, live: bool) -> dict[str, Any]:
    """Return the list; `live` says that a server answers, so that one can play."""
    return {"live": live, "columns": LIST_COLUMNS, "rows": [_entry_row(each) for each in entries]}


def _entry_row(entry: SessionEntry) -> list[Any]:
    return [
        entry.id,
        entry.kind.value,
        entry.source,
        entry.key,
        entry.task,
        ", ".join(entry.params),
        entry.place,
        entry.room_kind,
        entry.game,
        entry.seed,
        *entry.agents,
        entry.end,
        entry.met,
        entry.total,
        entry.actions,
        entry.failed,
        entry.why,
        entry.pair_key,
        entry.can_open,
        entry.error,
    ]
