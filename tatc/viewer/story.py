"""One session as the page shows it: a timeline as JSON, each thing said once.

A moment is what was done and how things stand after it.  What repeats - progress
checks, decisions, pictures - stands in lists of its own, and moments name it by index.
"""

from collections.abc import Callable, Hashable
from typing import Any

from tatc.actions import Role, Verb
from tatc.records import Decision, Interaction
from tatc.records.own import decision_json
from tatc.sim.embedded.motion import Floor
from tatc.state import Snapshot
from tatc.tdl import Progress
from tatc.timeline import Moment, Timeline
from tatc.viewer.plan import Tracks, body_json, floor_json
from tatc.viewer.shelf import Entry


def story(entry: Entry, timeline: Timeline) -> dict[str, Any]:
    """Return a session as JSON, for the page."""
    tracks, teller = Tracks(), _Teller()
    moments: list[dict[str, Any]] = []
    for moment in timeline.moments:
        tracks.follow(moment.index, moment.snapshot)
        moments.append(teller.tell(moment, tracks))
    return heading(entry) | {
        "description": timeline.moments[0].progress.description,
        "end": timeline.end.value if timeline.end else "",
        "floor": floor_json(Floor.of(timeline.opening.scene).reachable()),
        "things": tracks.things,
        "moments": moments,
        "checks": teller.checks.values,
        "decisions": teller.decisions.values,
    }


def heading(entry: Entry) -> dict[str, Any]:
    """Return what the page's head says of a session."""
    return {
        "id": entry.id,
        "source": entry.source,
        "key": entry.key,
        "task": entry.task,
        "params": list(entry.params),
        "place": entry.place,
        "game": entry.game,
        "seed": entry.seed,
        "commander": entry.agents[0],
        "follower": entry.agents[1],
        "again": entry.path is None,
    }


def check_json(progress: Progress, index: Callable[[str], int | None]) -> Any:
    """Return a progress check, its objects named by their indices too."""
    told = progress.to_json()
    for subgoal in told["subgoals"]:
        for step in subgoal["steps"]:
            step["thing"] = index(step["objectId"])
    return told | counts_json(progress)


def counts_json(progress: Progress) -> dict[str, int]:
    """Return how many goal conditions are met, never more than there are."""
    total = progress.goal_conditions_total
    return {"met": min(progress.goal_conditions_satisfied, total), "total": total}


class _Values:
    """Values each kept once; moments hold their indices."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._known: dict[Hashable, int] = {}

    def place(self, key: Hashable, make: Callable[[], Any]) -> int:
        """Return the index of what has this key; it is made where it is new."""
        if key not in self._known:
            self._known[key] = len(self.values)
            self.values.append(make())
        return self._known[key]


class _Teller:
    """Tells moment after moment."""

    def __init__(self) -> None:
        self.checks, self.decisions = _Values(), _Values()
        self._picture = 0
        self._before: Snapshot | None = None

    def tell(self, moment: Moment, tracks: Tracks) -> dict[str, Any]:
        """Return a moment as JSON, without what says nothing."""
        snapshot, progress = moment.snapshot, moment.progress
        if self._before is None or not _looks_same(self._before, snapshot):
            self._picture = moment.index
        self._before = snapshot
        held = snapshot.held()
        told: dict[str, Any] = {
            "follower": body_json(snapshot.follower),
            "commander": body_json(snapshot.commander),
            "held": None if held is None else tracks.index(held.objectId),
            "check": self._check(progress, tracks),
            "decision": self._decision(moment.decision),
            "picture": self._picture,
        }
        if moment.interaction is not None:
            told |= done_json(moment.interaction, tracks.index)
        if moment.result is not None and not moment.result.success:
            told["why"] = moment.result.hint or moment.result.message
        if moment.departs:
            told["departs"] = moment.departs
        return {name: value for name, value in told.items() if value is not None}

    def _check(self, progress: Progress, tracks: Tracks) -> int:
        return self.checks.place(
            id(progress), lambda: check_json(progress, tracks.index)
        )

    def _decision(self, decision: Decision | None) -> int | None:
        if decision is None:
            return None
        return self.decisions.place(decision.step, lambda: decision_json(decision))


def done_json(
    done: Interaction, index: Callable[[str | None], int | None]
) -> dict[str, Any]:
    """Return what an agent did, as the page tells it."""
    told: dict[str, Any] = {
        "who": "commander" if done.role is Role.COMMANDER else "follower",
        "verb": done.verb.value,
        "time": round(done.time, 1),
        "ok": done.success,
        "thing": index(done.object_id),
    }
    if done.click is not None:
        told["click"] = [round(done.click.x, 3), round(done.click.y, 3)]
    if done.text or done.verb is Verb.TEXT:
        told["text"] = done.text
    return told


def _looks_same(one: Snapshot, other: Snapshot) -> bool:
    bodies = one.follower == other.follower and one.commander == other.commander
    a, b = one.objects, other.objects
    same = len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))
    return bodies and same
