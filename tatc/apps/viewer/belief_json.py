"""What a Follower believes as JSON for the pages."""

from collections.abc import Callable, Sequence
from typing import Any

from tatc.apps.viewer.top_view_json import ObjectTracks, box_json, object_json
from tatc.home.actions import Cell
from tatc.home.state import ObjectState
from tatc.session.timeline import Moment, format_verb_runs
from tatc.session.timeline.belief_differences import Difference, DifferenceKind, find_differences
from tatc.session.timeline.belief_in_world import BeliefInWorld, BeliefPlacer
from tatc.session.timeline.belief_summary import GoalSummary, summarize_belief
from tatc.sim.top_view.plan_model import footprint_of, state_words


def beliefs_json(
    moments: Sequence[Moment], index: Callable[[str | None], int | None]
) -> dict[str, Any]:
    """Return all beliefs of a session; empty where there are none.

    `beliefs` has one for each moment from which the Follower acted, with that moment as `at`;
    `index` gives the index of an object of the world.  `believed` has the believed objects, each
    with its track as the world's objects have; `seen` has rows of x, z and the moment at which a
    cell of the grid was first seen.
    """
    placer, tracks = BeliefPlacer(moments[0].snapshot.follower), ObjectTracks()
    beliefs: list[dict[str, Any]] = []
    seen: dict[Cell, int] = {}
    objects: Sequence[ObjectState] = ()
    differing: Sequence[Difference] = ()
    for moment in moments:
        placed = None if moment.belief is None else placer.place_last(moments, moment.index)
        if placed is None:
            continue
        if placed.snapshot.objects is not objects:  # else neither they nor the world's changed
            objects, differing = placed.snapshot.objects, find_differences(placed)
            names = [obj.objectId for obj in placed.belief.snapshot.objects]
            tracks.add_step(moment.index, placed.snapshot, names)
        seen |= dict.fromkeys(sorted(placed.seen_cells - seen.keys()), moment.index)
        beliefs.append(_belief_json(placed, differing, index))
    if not beliefs:
        return {}
    cells = [[x, z, at] for (x, z), at in seen.items()]
    return {"beliefs": beliefs, "believed": tracks.objects, "seen": cells}


def present_belief_json(placed: BeliefInWorld) -> dict[str, Any]:
    """Return one belief by itself, with all cells and the things seen that can be carried."""
    things = [
        object_json(footprint_of(obj)) | {"state": [box_json(obj.box), state_words(obj), None]}
        for obj in placed.snapshot.objects
        if obj.affordances.pickupable and not obj.isPickedUp
    ]
    cells = [list(cell) for cell in sorted(placed.seen_cells)]
    told = _belief_json(placed, find_differences(placed), lambda object_id: None)
    return told | {"things": things, "seen": cells}


def _belief_json(
    placed: BeliefInWorld,
    differing: Sequence[Difference],
    index: Callable[[str | None], int | None],
) -> dict[str, Any]:
    """Return a belief in words, and the indices of the objects that differ in the world.

    `wrong` has pairs of an index, None where there is no such object, and what differs; `unseen`
    has indices alone.
    """
    found = summarize_belief(placed)
    unseen = [each for each in differing if each.kind is DifferenceKind.UNSEEN]
    wrong = [each for each in differing if each.kind is not DifferenceKind.UNSEEN]
    return {
        "at": placed.index,
        "goal": None if found.goal is None else _goal_json(found.goal),
        "open": list(found.open_questions),
        "hints": list(found.hints),
        "said": list(found.said),
        "left": found.utterances_left,
        "done": list(found.done),
        "doing": found.doing,
        "next": format_verb_runs(step.verb for step in found.next_steps),
        "todo": list(found.to_do),
        "end": found.end,
        "wrong": [[index(each.object_id), each.text] for each in wrong],
        "unseen": [index(each.object_id) for each in unseen],
    }


def _goal_json(goal: GoalSummary) -> dict[str, Any]:
    return {
        "task": goal.task,
        "source": goal.source.value,
        "lines": list(goal.lines),
        "evidence": [list(pair) for pair in goal.evidence],
        "confidence": goal.confidence,
        "met": goal.met,
        "total": goal.total,
    }
