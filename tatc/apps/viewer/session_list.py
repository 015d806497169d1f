"""The list of sessions as JSON for the page: columns and rows, to keep it small."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from tatc.apps.viewer.session_index import SessionEntry

_COLUMNS: dict[str, Callable[[SessionEntry], Any]] = {
    "id": attrgetter("id"),
    "kind": attrgetter("kind"),
    "source": attrgetter("source"),
    "key": attrgetter("key"),
    "task": attrgetter("task"),
    "params": lambda entry: ", ".join(entry.params),
    "place": attrgetter("place"),
    "room": attrgetter("room_kind"),
    "game": attrgetter("game"),
    "seed": attrgetter("seed"),
    "commander": lambda entry: entry.agents[0],
    "follower": lambda entry: entry.agents[1],
    "end": attrgetter("end"),
    "met": attrgetter("met"),
    "total": attrgetter("total"),
    "actions": attrgetter("actions"),
    "failed": attrgetter("failed"),
    "why": attrgetter("why"),
    "pair": attrgetter("pair_key"),
    "opens": attrgetter("can_open"),
    "error": attrgetter("error"),
}


def session_list_json(entries: Sequence[SessionEntry], *, live: bool) -> dict[str, Any]:
    """Return the list; `live` says that a server answers, so that one can play."""
    rows = [[value_of(entry) for value_of in _COLUMNS.values()] for entry in entries]
    return {"live": live, "columns": list(_COLUMNS), "rows": rows}
