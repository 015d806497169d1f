"""One instance played: its history is replayed, then a player acts until an end.

The limits are those of TEACh's inference (spec section 6.4): 1,000 steps and 30 failed actions;
every call of a model counts as a step, its Stop too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from tatc.base import files
from tatc.evaluation.instances.instance_players import InstancePlayer, PastSight
from tatc.evaluation.instances.source_games import is_world_action, replay_history
from tatc.evaluation.scoring.scores import GoalConditionCounts
from tatc.home import actions, observation, percepts
from tatc.home.state import Scene, Snapshot
from tatc.language.object_names import words_for_type
from tatc.session import agent_answers, loop, records, session_types, watched_home
from tatc.session.records.game import ObjectSubstitutes
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.perception import Perception, observed_result
from tatc.tdl import ProblemKey, Progress, Task

MAX_WISHES = 3  # what one answer asks for, at most: people do not list everything either
_WORDS: dict[str, Any] = files.package_table("tatc.evaluation.instances", "feedback.toml")
ALL_DONE, NOT_YET = str(_WORDS["all_done"]), str(_WORDS["not_yet"])
Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True)
class InstanceResult:
    """The result of an instance; if its history could not be replayed, nothing else was done.

    `interactions` are those of history and player.  `steps` counts the player's, with Stop and
    failed ones.  `stopped` says whether the player ended the instance itself.
    """

    history_replayed: bool
    before: GoalConditionCounts
    progress: Progress
    final: Snapshot
    interactions: tuple[records.Interaction, ...]
    steps: int
    failures: int
    stopped: bool
    end: records.SessionEnd


def play_instance(
    sim: EmbeddedSimulator,
    scene: Scene,
    instance: records.Instance,
    task: Task,
    player: InstancePlayer,
    limits: session_types.SessionLimits = session_types.TATC_LIMITS,
    perception: percepts.PerceptionLevel | None = None,
    feedback: int = 0,
) -> InstanceResult:
    """Play an instance from its game's scene; what the player raises is its AgentCrash.

    A simulated user answers the player `feedback` times; what it says after that ends the instance.
    """
    body = sim.reset(scene).follower
    side = player.view_side_pixels
    sight = None if perception is None else Perception(sim, perception, body, side)
    started = replay_history(sim, instance.history)
    before = task.check(sim.capture())
    game = _InstancePlay(sim, instance, task, player, limits, sight, feedback)
    if started:
        game.run(scene)
    final = sim.capture()
    progress = task.check(final)
    counts = GoalConditionCounts(0, 0)
    if started and instance.expected is not None:
        counts = GoalConditionCounts(*instance.expected)
    elif started:
        counts = GoalConditionCounts.of(before)
    return InstanceResult(
        history_replayed=started,
        before=counts,
        progress=progress,
        final=final,
        interactions=tuple(game.log),
        steps=game.steps,
        failures=game.failures,
        stopped=game.stopped,
        end=records.SessionEnd.SUCCESS if started and progress.success else game.end,
    )


@dataclass(eq=False)
class _InstancePlay:
    _sim: EmbeddedSimulator
    _instance: records.Instance
    _task: Task
    _player: InstancePlayer
    _limits: session_types.SessionLimits
    _perception: Perception | None
    _answers_left: int

    def __post_init__(self) -> None:
        self._is_answered = self._answers_left > 0
        self._heard: tuple[actions.Utterance, ...] = ()
        self._home = watched_home.WatchedHome(self._sim)
        self._last: actions.ActionResult | None = None
        self.log: list[records.Interaction] = list(self._instance.history)
        self._time = self.log[-1].time if self.log else 0.0
        self.steps = self.failures = 0
        self.stopped = False
        self.end = records.SessionEnd.GAVE_UP

    def run(self, scene: Scene) -> None:
        with self._home.asking(actions.Role.FOLLOWER):
            self._player.begin(self._instance, self._past_sight(scene))
        while True:
            if end := self._limits.end_at(self.steps, self.failures):
                self.end = end
                return
            seen = observation.Observation(
                self._heard,
                self._last and observed_result(self._last, self._perception),
                *self._home.senses(self._perception),
            )
            with self._home.asking(actions.Role.FOLLOWER):
                action = agent_answers.check_action(self._player.act(seen), actions.Role.FOLLOWER)
            self.steps += 1
            self._heard = ()
            if action.verb is actions.Verb.TEXT and self._is_answered:
                self._log_words(actions.Role.FOLLOWER, action.text or "")
                if self._answers_left:
                    self._answers_left -= 1
                    answer = feedback_words(self._task.check(self._sim.snapshot()))
                    self._heard = (self._log_words(actions.Role.COMMANDER, answer),)
                    continue
                action = actions.Action(actions.Verb.STOP)
            if action.verb is actions.Verb.STOP:
                self.stopped = True
                return
            self._apply(action)

    def _apply(self, action: actions.Action) -> None:
        moves = action.verb in actions.MOTION_VERBS
        if moves or (action.verb in actions.FOLLOWER_VERBS and action.click is not None):
            result = self._sim.step(actions.Role.FOLLOWER, action)
            more: dict[str, Any] = {"click": action.click, "object_id": result.object_id}
            if moves:
                more = {"pose": records.logged_pose(self._sim.snapshot().follower)}
            self._log(actions.Role.FOLLOWER, action.verb, result.success, **more)
        else:
            result = actions.ActionResult(False, f"{action.verb} is no action of a Follower")
        self._last = result
        self.failures += not result.success

    def _log(self, role: actions.Role, verb: actions.Verb, success: bool, **more: Any) -> None:
        self._time = round(self._time + loop.SECONDS_PER_ACTION, 6)
        self.log.append(records.Interaction(role, verb, self._time, success, **more))

    def _log_words(self, role: actions.Role, text: str) -> actions.Utterance:
        self._log(role, actions.Verb.TEXT, True, text=text)
        return actions.Utterance(role, text, self._time)

    def _past_sight(self, scene: Scene) -> PastSight:
        sight, substitutes = self._perception, ObjectSubstitutes()

        def frames() -> Sequence[observation.Frame]:
            return self._draw_history(scene, lambda: self._sim.frame(actions.Role.FOLLOWER))

        if sight is None:
            return PastSight(watched_home.hidden(frames))
        here = self._sim.snapshot()
        held = here.held_object()
        history = self._instance.history
        taken = [each.object_id for each in history if each.verb is actions.Verb.PICKUP]

        def number_of(name: str) -> int | None:
            # The hand holds what the replay took, which may be another slice than people took.
            if held is not None and taken[-1:] == [name]:
                return sight.number_of(held.objectId)
            return sight.number_of(substitutes.object_id_in(name, here))

        views = watched_home.hidden(lambda: self._draw_history(scene, sight.view))
        return PastSight(watched_home.hidden(frames), views, watched_home.hidden(number_of))

    def _draw_history(self, scene: Scene, draw_now: Callable[[], Drawn | None]) -> list[Drawn]:
        here, drawn = self._sim.snapshot(), list[Drawn]()

        def draw(done: records.Interaction) -> None:
            if is_world_action(done) and (seen := draw_now()) is not None:
                drawn.append(seen)

        self._sim.reset(scene)
        replay_history(self._sim, self._instance.history, draw)
        self._sim.restore(here)
        return drawn


def feedback_words(progress: Progress) -> str:
    """Return what a progress check finds missing as requests, each different one once.

    HELPER's runs with feedback did this too (Sarch et al. 2023, section 4.3): when the agent takes
    itself for done, the answer comes from the task's progress check.  The words are tatc's own.
    """
    if progress.success:
        return ALL_DONE
    wishes = dict.fromkeys(_wish(key) for key in progress.problem_keys())
    return " ".join([*wishes][:MAX_WISHES]) or NOT_YET


def _wish(key: ProblemKey) -> str:
    name, wanted = key.property_name, str(key.desired)
    if name == "objectType" and not wanted.endswith("Sliced"):
        return NOT_YET
    on, opened = ("on", "open") if key.desired else ("off", "close")
    thing, place = words_for_type(key.object_type), words_for_type(wanted)
    return _WORDS["wishes"].get(name, NOT_YET).format(thing=thing, place=place, on=on, open=opened)
