"""The rule agents with a fault each, which begins at a known step and can be healed at another.

An agent is sound until its fault has had `onset` occasions, and sound again once it has done
`most` faulty steps.  `faulty` has the steps (indices of interactions) at which it did otherwise.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from tatc.commander import RuleCommander
from tatc.commander.oracle import CommanderView, Oracle
from tatc.follower import RuleFollower
from tatc.home import actions
from tatc.home.actions import Action, Click, PrimitiveStep, Verb
from tatc.home.observation import Observation
from tatc.home.state import ObjectState, Snapshot
from tatc.language import GiveUp, Stretch, TaskDone, hear, say
from tatc.tdl import ProblemKey, Progress, Task
from tatc.tdl.progress import Subgoal

_UNTIL_HEALED = 10**9


@dataclass
class Fault:
    """When a fault acts: counts its occasions, and notes its steps."""

    kind: str
    onset: int
    most: int = _UNTIL_HEALED

    def __post_init__(self) -> None:
        """Begin before the first occasion; `now` is set once there is a session."""
        self.faulty: list[int] = []
        self.now: Callable[[], int] = lambda: 0
        self.occasions = 0

    def acts(self) -> bool:
        """Return whether the fault acts at this occasion, and note the step if it does."""
        self.occasions += 1
        if self.occasions <= self.onset or len(self.faulty) >= self.most:
            return False
        self.faulty.append(self.now())
        return True

    def goes_on(self) -> None:
        """Note a step that follows from the fault, if it has begun and is not healed."""
        if self.faulty and len(self.faulty) < self.most:
            self.faulty.append(self.now())


class PlantedFollower:
    """The rule Follower with a fault."""

    def __init__(self, fault: Fault) -> None:
        """Take a fault of a kind that begins with "follower"."""
        self._fault, self._sound = fault, RuleFollower()
        self._fault_of = FOLLOWER_FAULTS[fault.kind]
        self.before = Action(Verb.STOP)
        """What it did last."""
        self.wanted: Action | None = None
        """What the sound Follower wants to do now, once it was asked."""

    def begin(self) -> None:
        """Begin a session."""
        self._sound.begin()

    def act(self, observation: Observation) -> Action:
        """Act as the rule Follower does, or by the fault."""
        self.wanted = None
        taken = self._fault_of(self, observation)
        if taken is None or not self._fault.acts():
            taken = self.wanted or self._sound.act(observation)
        if taken.verb is Verb.OPEN_PROGRESS_CHECK:
            raise RuntimeError("planted")
        self.before = taken
        return taken

    def did(self, verb: Verb, observation: Observation) -> bool:
        """Whether the last action was of this kind, and succeeded."""
        result = observation.last_result
        return self.before.verb is verb and result is not None and result.success

    def next_action(self, observation: Observation) -> Action | None:
        """Let the sound Follower act; return its next primitive, None for words or the end."""
        self.wanted = self._sound.act(observation)
        return self.wanted if self.wanted.verb in actions.PRIMITIVE_VERBS else None


def _wrong_click(agent: PlantedFollower, seen: Observation) -> Action | None:
    wanted = agent.next_action(seen)
    if wanted is None or wanted.click is None:
        return None
    return replace(wanted, click=_mirrored(wanted.click))


def _mirrored(click: Click) -> Click:
    return actions.round_click(Click(0.98 - click.x * 0.97, 0.98 - click.y * 0.97))


FollowerFault = Callable[[PlantedFollower, Observation], Action | None]
FOLLOWER_FAULTS: dict[str, FollowerFault] = {
    "follower stops too early": lambda agent, seen: Action(Verb.STOP),
    "follower crashes": lambda agent, seen: Action(Verb.OPEN_PROGRESS_CHECK),
    "follower turns instead of doing it": lambda agent, seen: (
        Action(Verb.TURN_LEFT) if agent.next_action(seen) is not None else None
    ),
    "follower clicks elsewhere": _wrong_click,
    "follower wanders": lambda agent, seen: (
        Action(Verb.TURN_LEFT) if agent.before.verb is not Verb.TEXT else None
    ),
    "follower drops what it took": lambda agent, seen: (
        replace(agent.before, verb=Verb.PLACE) if agent.did(Verb.PICKUP, seen) else None
    ),
    "follower shuts what it opened": lambda agent, seen: (
        replace(agent.before, verb=Verb.CLOSE) if agent.did(Verb.OPEN, seen) else None
    ),
    "follower repeats what is refused": lambda agent, seen: (
        Action(Verb.POUR, Click(0.5, 0.5)) if agent.before.verb is not Verb.TEXT else None
    ),
}


class PlantedCommander(RuleCommander):
    """The rule Commander with a fault."""

    def __init__(self, fault: Fault, rng: Random) -> None:
        """Take a fault of a kind that begins with "commander", and what draws its objects."""
        super().__init__()
        self._fault, self._rng = fault, rng
        self._swaps: dict[str, str] = {}
        # PDDL plans for the true task, whatever the policies are asked for.
        self.uses_fallback = fault.kind not in _PLANS

    def begin(self, oracle: Oracle, task: Task) -> None:
        """Begin a session."""
        self._oracle = oracle
        super().begin(oracle, task)

    def act(self, view: CommanderView) -> Action:
        """Act as the rule Commander does, or by the fault."""
        kind, progress = self._fault.kind, view.progress
        if progress is None or self.has_ended or progress.success:
            return super().act(view)
        if kind in _PLANS and (changed := self._changed(progress)) is not None:
            return super().act(replace(view, progress=changed) if self._fault.acts() else view)
        if kind in _ENDS:
            if not self._fault.acts():
                return super().act(view)
            self.has_ended = kind in ("commander says done too early", "commander gives up")
            action = _ENDS[kind]
            if action.verb is Verb.FORWARD:
                raise RuntimeError("planted")
            return action
        action = super().act(view)
        if self.has_ended:  # it gives up because of its own fault
            self._fault.goes_on()
        said = hear(action.text or "")
        if kind not in _WORDS or not isinstance(said, Stretch):
            return action
        steps = tuple(_WORDS[kind](said.steps))
        if steps == said.steps or not self._fault.acts():
            return action
        return Action(Verb.TEXT, text=say(Stretch(steps)))

    def _changed(self, progress: Progress) -> Progress | None:
        """Return a progress check as the fault reads it, None where it reads it rightly."""
        kind, keys = self._fault.kind, progress.problem_keys()
        shown = self._oracle.snapshot()
        if kind == "commander skips an object":
            first = self._swaps.setdefault("", keys[0].object_id if keys else "")
            left = tuple(each for each in keys if each.object_id != first)
            changed = None if left == keys else left
        elif kind in ("commander cuts what should stay whole", "commander cooks what to boil"):
            name, desired = _IRREVERSIBLE[kind]
            wanted = [key for key in keys if _can_be_spoilt(shown.get(key.object_id))]
            changed = tuple(
                ProblemKey(key.object_id, key.object_type, "a", name, desired) for key in wanted[:1]
            )
            changed = changed or None
        else:
            where = "parentReceptacles" if kind == "commander names a wrong place" else ""
            changed = tuple(map(self._swapped_place if where else self._swapped_object, keys))
            changed = None if changed == keys else changed
        if changed is None:
            return None
        subgoal = (Subgoal(not changed, 1, 0, problem_keys=changed),)
        return replace(progress, success=not changed, make_subgoals=lambda: subgoal)

    def _swapped_object(self, key: ProblemKey) -> ProblemKey:
        if key.object_id not in self._swaps:
            others = (
                each for each in self._oracle.snapshot().objects if each.affordances.pickupable
            )
            wrong = [each for each in others if each.objectType != key.object_type]
            self._swaps[key.object_id] = self._rng.choice(wrong).objectId
        found = self._oracle.snapshot().get(self._swaps[key.object_id])
        if found is None:
            return key
        return replace(key, object_id=found.objectId, object_type=found.objectType)

    def _swapped_place(self, key: ProblemKey) -> ProblemKey:
        if key.property_name != "parentReceptacles":
            return key
        shown = self._oracle.snapshot().objects
        able = [(each, each.affordances) for each in shown if each.objectType != key.desired]
        places = [
            t for t, can in able if can.receptacle and not can.pickupable and not can.openable
        ]
        wrong = self._swaps.setdefault(key.object_id, self._rng.choice(places).objectId)
        place = self._oracle.snapshot().get(wrong)
        return key if place is None else replace(key, targets=(wrong,), desired=place.objectType)


def _can_be_spoilt(obj: ObjectState | None) -> bool:
    return bool(obj and obj.affordances.sliceable and not obj.isSliced and not obj.isCooked)


def _with_echo(done: Verb, undone: Verb, steps: tuple[PrimitiveStep, ...]) -> list[PrimitiveStep]:
    """Return steps with another one after each of a kind, at the same click."""
    pairs = ([each, replace(each, verb=undone)] if each.verb is done else [each] for each in steps)
    return [each for pair in pairs for each in pair]


_PLANS = (
    "commander names a wrong object", "commander names a wrong place", "commander skips an object",
    "commander cuts what should stay whole", "commander cooks what to boil",
)  # fmt: skip
_IRREVERSIBLE: dict[str, tuple[str, str | bool]] = {
    "commander cuts what should stay whole": ("objectType", "PotatoSliced"),
    "commander cooks what to boil": ("isCooked", True),
}
_ENDS = {
    "commander says done too early": Action(Verb.TEXT, text=say(TaskDone())),
    "commander gives up": Action(Verb.TEXT, text=say(GiveUp("nothing works"))),
    "commander stops without a word": Action(Verb.STOP),
    "commander crashes": Action(Verb.FORWARD),
    "commander talks of something else": Action(Verb.TEXT, text="The weather is fine."),
    "commander wastes steps": Action(Verb.TEXT, text="TurnLeft " * 19 + "TurnRight"),
}
_WORDS: dict[str, Callable[[tuple[PrimitiveStep, ...]], list[PrimitiveStep]]] = {
    "commander clicks elsewhere": lambda steps: [
        each if each.click is None else replace(each, click=_mirrored(each.click)) for each in steps
    ],
    "commander has it shut again": lambda steps: _with_echo(Verb.OPEN, Verb.CLOSE, steps),
}
KINDS = (*FOLLOWER_FAULTS, *_ENDS, *_WORDS, *_PLANS)
"""All kinds; the first word says whose fault it is."""
TASKS_OF_KIND = {
    "commander cuts what should stay whole": ("Boil X", "Put All X On Y", "Put All X In One Y"),
    "commander cooks what to boil": ("Boil X",),
}
"""The tasks in which a kind can occur, where these are not all."""


def can_occur(kind: str, task: Task, start: Snapshot) -> bool:
    """Return whether a fault of this kind could lose a task from this start."""
    if kind not in TASKS_OF_KIND:
        return True
    wanted = start.of_type(task.params[0])
    is_food = bool(wanted) and all(each.affordances.sliceable for each in wanted)
    return is_food and (task.name != "Boil X" or len(wanted) == 1)
