"""One session as JSON for its page.

A moment is an interaction and the state after it.  What repeats (progress checks,
decisions, images) stands in lists of its own, and moments refer to it by index.
"""

from collections.abc import Callable, Hashable
from typing import Any

from tatc.apps.viewer.belief_json import beliefs_json
from tatc.apps.viewer.page_roles import ROLE_NAMES
from tatc.apps.viewer.session_index import SessionEntry
from tatc.apps.viewer.top_view_json import ObjectTracks, agent_json, floor_json
from tatc.home.actions import Verb
from tatc.home.state import ShortNames, Snapshot
from tatc.language.skill_wording import explain
from tatc.session.records import Interaction, RecordedDecision
from tatc.session.records.tatc_key import decision_json
from tatc.session.timeline import Moment, Timeline
from tatc.session.timeline.moment import have_same_objects
from tatc.sim.top_view.plan_model import PlanFloor
from tatc.tdl import Progress


def timeline_json(entry: SessionEntry, timeline: Timeline) -> dict[str, Any]:
    """Return all that a session's page shows."""
    tracks, writer = ObjectTracks(), _MomentWriter()
    moments: list[dict[str, Any]] = []
    for moment in timeline.moments:
        names = [obj.objectId for obj in moment.snapshot.objects]
        tracks.add_step(moment.index, moment.snapshot, names)
        moments.append(writer.moment_json(moment, tracks))
    return (
        heading_json(entry)
        | beliefs_json(timeline.moments, tracks.index_of)
        | {
            "description": timeline.moments[0].progress.description,
            "end": timeline.end.value if timeline.end else "",
            "floor": floor_json(PlanFloor.of_scene(timeline.opening.scene)),
            "things": tracks.objects,
            "moments": moments,
            "checks": writer.checks.values,
            "decisions": writer.decisions.values,
        }
    )


def heading_json(entry: SessionEntry) -> dict[str, Any]:
    """Return what the head of a session's page shows."""
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


def progress_check_json(progress: Progress, index: Callable[[str], int | None]) -> Any:
    """Return a progress check; `index` adds the index of each step's object."""
    value = progress.to_json()
    for subgoal in value["subgoals"]:
        for step in subgoal["steps"]:
            step["thing"] = index(step["objectId"])
    return value | goal_counts_json(progress)


def goal_counts_json(progress: Progress) -> dict[str, int]:
    """Return how many goal conditions are met, at most the total, and the total."""
    total = progress.goal_conditions_total
    return {"met": min(progress.goal_conditions_satisfied, total), "total": total}


class _IndexedValues:
    """Values that moments refer to by index, each kept once."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._indices: dict[Hashable, int] = {}

    def index_of(self, key: Hashable, make: Callable[[], Any]) -> int:
        """Return the index of the value with this key; `make` makes it if it is new."""
        if key not in self._indices:
            self._indices[key] = len(self.values)
            self.values.append(make())
        return self._indices[key]


class _MomentWriter:
    """Turns the moments of a session into JSON, in their order."""

    def __init__(self) -> None:
        self.checks, self.decisions = _IndexedValues(), _IndexedValues()
        self._picture_step = 0
        self._last_snapshot: Snapshot | None = None

    def moment_json(self, moment: Moment, tracks: ObjectTracks) -> dict[str, Any]:
        """Return a moment as JSON; fields without a value are left out."""
        snapshot, progress = moment.snapshot, moment.progress
        if self._last_snapshot is None or not _is_same_view(self._last_snapshot, snapshot):
            self._picture_step = moment.index
        self._last_snapshot = snapshot
        held = snapshot.held_object()
        page_moment: dict[str, Any] = {
            "follower": agent_json(snapshot.follower),
            "commander": agent_json(snapshot.commander),
            "held": None if held is None else tracks.index_of(held.objectId),
            "check": self._check_index(progress, tracks),
            "decision": self._decision_index(moment.decision, snapshot),
            "picture": self._picture_step,
        }
        if moment.interaction is not None:
            page_moment |= page_interaction_json(moment.interaction, tracks.index_of)
        if moment.result is not None and not moment.result.success:
            why = moment.result.hint or moment.result.message
            page_moment["why"] = ShortNames(snapshot).shorten(why)
        if moment.divergence:
            page_moment["departs"] = moment.divergence
        return {name: value for name, value in page_moment.items() if value is not None}

    def _check_index(self, progress: Progress, tracks: ObjectTracks) -> int:
        return self.checks.index_of(
            id(progress), lambda: progress_check_json(progress, tracks.index_of)
        )

    def _decision_index(self, decision: RecordedDecision | None, now: Snapshot) -> int | None:
        if decision is None:
            return None
        return self.decisions.index_of(decision.step, lambda: _decision_in_words(decision, now))


def _decision_in_words(decision: RecordedDecision, now: Snapshot) -> dict[str, Any]:
    """Return a decision as JSON, its skills in plain English with short names."""
    names = ShortNames(now)
    return decision_json(decision) | {
        "skill": explain(names, decision.skill),
        "reason": explain(names, decision.reason),
        "alternatives": [explain(names, each) for each in decision.alternatives],
    }


def page_interaction_json(
    done: Interaction, index: Callable[[str | None], int | None]
) -> dict[str, Any]:
    """Return what an agent did; `index` gives the index of its object."""
    value: dict[str, Any] = {
        "who": ROLE_NAMES[done.role],
        "verb": done.verb.value,
        "time": round(done.time, 1),
        "ok": done.success,
        "thing": index(done.object_id),
    }
    if done.click is not None:
        value["click"] = [round(done.click.x, 3), round(done.click.y, 3)]
    if done.text or done.verb is Verb.TEXT:
        value["text"] = done.text
    return value


def _is_same_view(one: Snapshot, other: Snapshot) -> bool:
    return (
        one.follower == other.follower
        and one.commander == other.commander
        and have_same_objects(one, other)
    )
