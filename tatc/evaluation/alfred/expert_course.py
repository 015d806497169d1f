"""What tatc's pair does for a trajectory's goal, as an expert's actions with masks, in subgoals.

The subgoals are ALFRED's.  A walk is a GotoLocation.  What is put into a microwave that then runs,
a fridge that is then closed, or a basin of a sink whose faucet then runs, and is taken out again,
is one HeatObject, CoolObject or CleanObject.  Doors belong to the subgoal that needs them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tatc.home.actions import Action, Role, Verb
from tatc.home.camera.clicks import eye_of
from tatc.home.state import ObjectState, Pose, Snapshot
from tatc.home.type_facts import FLOOR_TYPE
from tatc.session.agents.session_setup import SessionSetup
from tatc.session.alfred.named_actions import NamedActions
from tatc.session.play import prepare, run_from_start
from tatc.session.records import record, trajectory_plan
from tatc.session.start import SessionStart
from tatc.sim.embedded.simulator import EmbeddedSimulator

NAME_BY_VERB = {verb: name for name, verb in trajectory_plan.VERB_BY_ACTION.items()}
"""ALFRED's name of each verb that its agent has."""
_CHANGES = {
    "Microwave": ("HeatObject", Verb.TOGGLE_ON, "Microwave"),
    "Fridge": ("CoolObject", Verb.CLOSE, "Fridge"),
    "SinkBasin": ("CleanObject", Verb.TOGGLE_ON, "Faucet"),
}
"""What a stay in a receptacle of a type is: the subgoal, the verb that does it, and on what."""
_DOORS = (Verb.OPEN, Verb.CLOSE)
_SPOKEN = (Verb.TEXT, Verb.STOP)


@dataclass(frozen=True, slots=True)
class ExpertStep:
    """One action that succeeded.

    `target` is what it was done to, as it was before, None for a motion; `held` is what was in the
    hand before, None for nothing.  `mask` has the target's pixels in the frame before, `pose` is
    the agent's before, and `place` is what the target lay in, None for nothing.
    """

    verb: Verb
    target: ObjectState | None
    held: ObjectState | None
    mask: trajectory_plan.MaskRuns
    pose: Pose
    place: ObjectState | None


def expert_course(start: SessionStart) -> tuple[ExpertStep, ...] | str:
    """Return what the rule pair does from a start, without failures, or why it shows nothing."""
    result, _ = run_from_start(start, prepare(SessionSetup()))
    if not result.success:
        return f"the pair did not solve it: {result.end}"
    log = [done for done in result.interactions if done.role is Role.FOLLOWER]
    done = [each for each in log if each.success and each.verb not in _SPOKEN]
    if any(each.verb not in NAME_BY_VERB for each in done):
        return "ALFRED has no such action"
    steps = tuple(_retrace(start, done))
    if any(step.target is not None and not step.mask for step in steps):
        return "an object that was acted on cannot be acted on by its name"
    return steps


def _retrace(start: SessionStart, log: Sequence[record.Interaction]) -> Iterator[ExpertStep]:
    """Yield the steps of a log, done again to see their masks; what is refused now has none."""
    sim = EmbeddedSimulator()
    sim.reset(start.scene)
    named = NamedActions(sim)
    for each in log:
        now = sim.snapshot()
        target = None if each.object_id is None else now.get(each.object_id)
        mask = () if target is None else _mask_of(target, now, sim)
        place = None if target is None else _place_of(target, now)
        if target is None:
            sim.step(Role.FOLLOWER, Action(each.verb))
        elif not named.act(each.verb, target.objectId).success:
            mask = ()
        yield ExpertStep(each.verb, target, now.held_object(), mask, now.follower.pose, place)


def _place_of(obj: ObjectState, now: Snapshot) -> ObjectState | None:
    """Return what an object that can be carried lies in; None on the bare floor."""
    parents = obj.parentReceptacles or () if obj.affordances.pickupable else ()
    found = (parent for parent in map(now.get, parents) if parent is not None)
    return next((parent for parent in found if parent.objectType != FLOOR_TYPE), None)


def _mask_of(obj: ObjectState, now: Snapshot, sim: EmbeddedSimulator) -> trajectory_plan.MaskRuns:
    agent = now.follower
    ids, _ = sim.geometry.trace_objects(eye_of(agent), agent.body.frame_pixels)
    shown = np.concatenate(([0], ids.ravel() == now.object_index.by_id[obj.objectId], [0]))
    edges = np.flatnonzero(np.diff(shown.astype(np.int8)))
    starts, ends = edges[::2].tolist(), edges[1::2].tolist()
    return tuple((a, b - a) for a, b in zip(starts, ends, strict=True))


@dataclass(frozen=True, slots=True)
class ExpertSubgoal:
    """A subgoal: its kind, its actions, and the one that it is about (for a walk, the next)."""

    kind: str
    steps: tuple[ExpertStep, ...]
    main: ExpertStep


def divide(course: Sequence[ExpertStep]) -> tuple[ExpertSubgoal, ...]:
    """Return the subgoals of a course, in order; each action is in exactly one.

    A door opened before a walk belongs to what is done after it, the end of a course to its last
    subgoal.
    """
    found: list[ExpertSubgoal] = []
    i = 0
    while i < len(course):
        left = range(i, len(course))
        main = next((k for k in left if course[k].target and course[k].verb not in _DOORS), None)
        if main is None:
            if found:
                last = found.pop()
                found.append(replace(last, steps=(*last.steps, *course[i:])))
            break
        walked = next(k for k in left if course[k].target is not None)
        # ALFRED's rewards look for the PutObject two subgoals after these.
        if walked > i or (found and found[-1].kind in ("HeatObject", "CoolObject")):
            found.append(ExpertSubgoal("GotoLocation", tuple(course[i:walked]), course[main]))
        kind, end = _kind_and_end(course, main)
        found.append(ExpertSubgoal(kind, tuple(course[walked:end]), course[main]))
        i = end
    return tuple(found)


def _kind_and_end(course: Sequence[ExpertStep], main: int) -> tuple[str, int]:
    step = course[main]
    name, end = NAME_BY_VERB[step.verb], main + 1
    kind = "ToggleObject" if name.startswith("ToggleObject") else name
    in_type = "" if step.target is None else step.target.objectType
    if step.verb is Verb.PLACE and in_type in _CHANGES:
        changed, verb, device = _CHANGES[in_type]
        if (out := _taken_out(course, main, verb, device)) is not None:
            kind, end = changed, out + 1
    while end < len(course) and course[end].verb is Verb.CLOSE:
        end += 1
    return kind, end


def _taken_out(course: Sequence[ExpertStep], put: int, verb: Verb, device: str) -> int | None:
    """Return the index of the pick-up that ends a change begun by a Place; None for none."""
    held, acted = course[put].held, False
    for k in range(put + 1, len(course)):
        step = course[k]
        if step.target is None:
            continue
        acted = acted or (step.verb is verb and step.target.objectType == device)
        if step.verb is Verb.PICKUP:
            same = held is not None and step.target.objectId == held.objectId
            return k if same and acted else None
    return None
