"""A stretch in the making: steps, and the home as they should leave it.

A draft predicts from boxes and rules alone, never by trying: where the Follower will
stand, what it will hold, what will be open, on and out of sight.  What it cannot
predict (where a thing comes to rest) is *uncertain*, and a skill that needs it ends
the stretch there, so that the next is planned from what then is so.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Protocol

from tatc.actions import Verb
from tatc.affordances import affords
from tatc.camera.doors import opened, shut_box
from tatc.camera.rays import EYE_HEIGHT, Eye
from tatc.commander.knowledge import Knowledge
from tatc.commander.memory import Try
from tatc.commander.trouble import Reason, Trouble
from tatc.language import Step
from tatc.planners.viewpoints import Viewpoint, find
from tatc.state import ObjectState, Pose, Vec3

MAX_STEPS = 60
"""Primitives after which a stretch is long enough."""
HORIZONS = (-30.0, 0.0, 30.0, 60.0)
_VIEWS = 6  # standing places tried past those refused before

Prefer = Callable[[Vec3], float]
"""Scores a point to click on; higher is better, below zero is out of the question."""


class Skill(Protocol):
    """One physical routine: see `tatc.commander.skills`."""

    def plan(self, draft: "Draft") -> Trouble | None:
        """Add the missing steps to the draft; None where all of them could be."""
        ...


Plan = tuple[Skill, ...]
"""Skills to carry out one after the other."""


class Draft:
    """Steps to say next, and what they should lead to."""

    def __init__(self, known: Knowledge) -> None:
        """Start from the home as it is; an earlier draft's guesses are forgotten."""
        known.wake()
        self.known = known
        self.steps: list[Step] = []
        self.targets: list[Try | None] = []
        self.poses: list[Pose] = []
        self.points: list[Vec3 | None] = []
        self.pose: Pose = known.pose
        held = known.snapshot.held()
        self.held: str = held.objectId if held else ""
        self._changed: dict[str, ObjectState] = {}
        self._shown: dict[str, ObjectState | None] = {}
        self._uncertain: set[str] = set()

    def get(self, object_id: str) -> ObjectState | None:
        """Return an object as it should be after the steps so far."""
        return self._changed.get(object_id) or self.known.snapshot.get(object_id)

    def now(self, thing: ObjectState) -> ObjectState:
        """Return this object as it should be after the steps so far."""
        return self._changed.get(thing.objectId, thing)

    def placed(self, object_id: str) -> bool:
        """Whether the steps so far put this object somewhere."""
        return object_id in self._uncertain

    def do(
        self, verb: Verb, object_id: str, *, prefer: Prefer | None = None
    ) -> Trouble | None:
        """Add the walk to where `verb` can be clicked on an object, and the click.

        Returns:
            None where that worked, else the trouble; then nothing was added.

        """
        thing = self.get(object_id)
        if thing is None:
            return Trouble(Reason.NONE_EXISTS, object_id)
        if object_id in self._uncertain:
            return Trouble(Reason.UNCERTAIN, object_id)
        if len(self.steps) >= MAX_STEPS:
            return Trouble(Reason.TOO_LONG)
        attempt = self.attempt(verb, thing)
        if attempt in self.known.memory.ruled_out:
            return Trouble(Reason.REFUSED, object_id)
        # From where a thing can be clicked does not depend on where the body is, and
        # hardly on what the hand has taken away.
        moved = (name for name, shown in self._shown.items() if shown is not None)
        search = (verb, object_id, frozenset(moved))
        if search in self.known.hidden:
            return Trouble(Reason.NO_VIEW, object_id)
        view = self._view(attempt, prefer)
        if view is None:
            self.known.hidden.add(search)
            return Trouble(Reason.NO_VIEW, object_id)
        for move in self.known.paths(self.pose).to(view.pose):
            self._add(Step(move), None, self.pose, None)
        hit = self.known.geometry.first(self._eye(view.pose), view.click)
        point = None if hit is None else hit.point
        self._add(Step(verb, thing.objectType, view.click), attempt, view.pose, point)
        self.pose = view.pose
        self._predict(verb, thing, point)
        return None

    def run(self, plan: Plan) -> Trouble | None:
        """Plan skills one after the other; a plan in trouble leaves no trace.

        A trouble that only asks to wait keeps what was planned before it.
        """
        before = self._saved()
        for skill in plan:
            if trouble := skill.plan(self):
                if not trouble.passes:
                    self._restore(before)
                return trouble
        return None

    def first(self, options: Iterable[Skill], otherwise: Trouble) -> Trouble | None:
        """Plan the first option that can be planned; those before leave no trace.

        Returns:
            None, or a trouble that only asks to wait, where an option worked; else
            the last option's trouble (`otherwise` without options).

        """
        last = otherwise
        for option in options:
            trouble = self.run((option,))
            if trouble is None or trouble.passes:
                return trouble
            last = trouble
        return last

    def _saved(self) -> "_Saved":
        return _Saved(
            len(self.steps),
            self.pose,
            self.held,
            dict(self._changed),
            dict(self._shown),
            set(self._uncertain),
        )

    def _restore(self, saved: "_Saved") -> None:
        del self.steps[saved.steps :], self.targets[saved.steps :]
        del self.poses[saved.steps :], self.points[saved.steps :]
        self.pose, self.held = saved.pose, saved.held
        self._changed, self._uncertain = saved.changed, saved.uncertain
        if self._shown != saved.shown:
            self._shown = saved.shown
            self.known.wake()
            for object_id, thing in self._shown.items():
                self._imagine(object_id, thing)

    def attempt(self, verb: Verb, thing: ObjectState) -> Try:
        """Return what the memory knows a step by."""
        inside = self.known.contents(thing) if verb is Verb.PLACE else ()
        return verb, thing.objectId, self.held, tuple(t.objectId for t in inside)

    def _view(self, attempt: Try, prefer: Prefer | None) -> Viewpoint | None:
        verb, object_id = attempt[:2]
        known, snapshot = self.known, self.known.snapshot

        def accepts(i: int) -> bool:
            return affords(verb, self.now(snapshot.objects[i]))

        views = find(
            known.geometry,
            snapshot.objects,
            snapshot.roster.index[object_id],
            accepts,
            known.paths(self.pose).poses_by_cost(HORIZONS),
            snapshot.follower.position[1],
            prefer=prefer,
        )
        refused = known.memory.views
        fresh = (v for v in views if (attempt, v.pose) not in refused)
        return next(islice(fresh, _VIEWS), None)

    def _add(
        self, step: Step, attempt: Try | None, pose: Pose, point: Vec3 | None
    ) -> None:
        self.steps.append(step)
        self.targets.append(attempt)
        self.poses.append(pose)
        self.points.append(point)

    def _predict(self, verb: Verb, thing: ObjectState, point: Vec3 | None) -> None:
        match verb:
            case Verb.PICKUP:
                self._take(thing)
            case Verb.PLACE:
                self._put(thing)
            case Verb.OPEN:
                self._open(thing, point)
            case Verb.CLOSE:
                self._close(thing)
            case Verb.TOGGLE_ON | Verb.TOGGLE_OFF:
                self._change(replace(thing, isToggled=verb is Verb.TOGGLE_ON))
            case Verb.SLICE:
                self._uncertain.add(thing.objectId)
            case Verb.POUR:
                self._pour(thing)
            case _:
                pass

    def _take(self, thing: ObjectState) -> None:
        self.held = thing.objectId
        for inside in self.known.contents(thing):
            self._hide(inside)
            self._uncertain.add(inside.objectId)
        self._hide(thing)
        self._change(replace(thing, isPickedUp=True, parentReceptacles=()))

    def _open(self, thing: ObjectState, point: Vec3 | None) -> None:
        """Let a door stand out and a drawer come out with what lies in it."""
        if point is None or shut_box(thing) is None:
            self._show(replace(thing, isOpen=True))
            return
        swung = opened(thing, point)
        dx, dy, dz = (
            b - a for a, b in zip(thing.position, swung.position, strict=True)
        )
        self._show(swung)
        if (dx, dy, dz) != (0.0, 0.0, 0.0):
            for inside in self.known.contents(thing):
                inside = self.now(inside)
                self._show(replace(inside, box=inside.box.moved(dx, dy, dz)))

    def _close(self, thing: ObjectState) -> None:
        """Let a container shut; where what came out with it goes is seen later."""
        self._change(replace(thing, isOpen=False))
        self._uncertain.update(t.objectId for t in self.known.contents(thing))

    def _eye(self, pose: Pose) -> Eye:
        y = self.known.snapshot.follower.position[1] + EYE_HEIGHT
        return Eye((pose.x, y, pose.z), pose.yaw, pose.horizon)

    def _put(self, receptacle: ObjectState) -> None:
        thing = self.get(self.held)
        self.held = ""
        if thing is not None:
            parents = (receptacle.objectId,)
            self._change(replace(thing, isPickedUp=False, parentReceptacles=parents))
            self._uncertain.add(thing.objectId)
            if receptacle.affordances.pickupable:
                # What lies in a bowl may be where the bowl was to be clicked.
                self._uncertain.add(receptacle.objectId)

    def _pour(self, target: ObjectState) -> None:
        held = self.get(self.held)
        if held is not None:
            self._change(replace(held, isFilledWithLiquid=False))
        if target.affordances.canFillWithLiquid:
            self._change(replace(target, isFilledWithLiquid=True))

    def _change(self, thing: ObjectState) -> None:
        self._changed[thing.objectId] = thing

    def _show(self, thing: ObjectState) -> None:
        self._change(thing)
        self._shown[thing.objectId] = thing
        self._imagine(thing.objectId, thing)

    def _hide(self, thing: ObjectState) -> None:
        self._shown[thing.objectId] = None
        self._imagine(thing.objectId, None)

    def _imagine(self, object_id: str, thing: ObjectState | None) -> None:
        self.known.imagine(self.known.snapshot.roster.index[object_id], thing)


@dataclass(frozen=True, slots=True)
class _Saved:
    steps: int
    pose: Pose
    held: str
    changed: dict[str, ObjectState]
    shown: dict[str, ObjectState | None]
    uncertain: set[str]
