"""One instance played: its history done again, then a player until an end.

As TEACh's inference does it (spec section 6.4): up to 1,000 steps and 30 failures;
every call of a model counts as a step, its Stop too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tatc.actions import (
    FOLLOWER_VERBS,
    MOTIONS,
    Action,
    ActionResult,
    Frame,
    Observation,
    Role,
    Verb,
)
from tatc.evaluation.instances.course import replay
from tatc.evaluation.instances.players import Player
from tatc.evaluation.instances.segments import in_the_world
from tatc.records import End, Instance, Interaction, logged_pose
from tatc.scoring import Counts
from tatc.session import TATC_LIMITS, TICK, Limits
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import Scene, Snapshot
from tatc.tdl import Progress, Task

_ME = Role.FOLLOWER


@dataclass(frozen=True, slots=True)
class Played:
    """What came of an instance.

    `started` says whether the history could be done again; without it nothing else
    was.  `interactions` are the history's and the player's; `steps` counts the
    player's, Stop and refused ones included.  `stopped` says that it ended itself.
    """

    started: bool
    before: Counts
    progress: Progress
    final: Snapshot
    interactions: tuple[Interaction, ...]
    steps: int
    failures: int
    stopped: bool
    end: End


def play(
    sim: EmbeddedSimulator,
    scene: Scene,
    instance: Instance,
    task: Task,
    player: Player,
    limits: Limits = TATC_LIMITS,
) -> Played:
    """Play an instance from its game's scene; whatever the player raises comes out."""
    sim.reset(scene)
    started = replay(sim, instance.history)
    before = task.check(sim.capture())
    game = _Play(sim, instance, player, limits)
    if started:
        game.run(scene)
    final = sim.capture()
    progress = task.check(final)
    end = End.SUCCESS if started and progress.success else game.end
    counts = Counts(before.goal_conditions_total, before.goal_conditions_satisfied)
    if instance.expected is not None:
        counts = Counts(instance.expected.total, instance.expected.satisfied)
    return Played(
        started,
        counts if started else Counts(0, 0),
        progress,
        final,
        tuple(game.log),
        game.steps,
        game.failures,
        game.stopped,
        end,
    )


class _Play:
    def __init__(
        self,
        sim: EmbeddedSimulator,
        instance: Instance,
        player: Player,
        limits: Limits,
    ) -> None:
        self._sim, self._instance, self._player = sim, instance, player
        self._limits = limits
        self._last: ActionResult | None = None
        self._time = instance.history[-1].time if instance.history else 0.0
        self.log: list[Interaction] = list(instance.history)
        self.steps = self.failures = 0
        self.stopped = False
        self.end = End.GAVE_UP

    def run(self, scene: Scene) -> None:
        """Play to the end."""
        self._player.begin(self._instance, lambda: self._images(scene))
        while True:
            if self.steps >= self._limits.steps:
                self.end = End.STEP_LIMIT
                return
            if self.failures >= self._limits.failures:
                self.end = End.FAILURE_LIMIT
                return
            seen = Observation(
                (),
                self._last,
                lambda: self._sim.frame(_ME),
                lambda size: self._sim.segments(_ME, size),
            )
            action = self._player.act(seen)
            self.steps += 1
            if action.verb is Verb.STOP:
                self.stopped = True
                return
            self._do(action)

    def _do(self, action: Action) -> None:
        moves = action.verb in MOTIONS
        if moves or (action.verb in FOLLOWER_VERBS and action.click is not None):
            result = self._sim.step(_ME, action)
            self._log(action, result, moves)
        else:
            result = ActionResult(False, f"{action.verb} is no action of a Follower")
        self._last = result
        self.failures += not result.success

    def _log(self, action: Action, result: ActionResult, moves: bool) -> None:
        self._time = round(self._time + TICK, 6)
        pose = logged_pose(self._sim.snapshot().follower) if moves else None
        self.log.append(
            Interaction(
                _ME,
                action.verb,
                self._time,
                result.success,
                pose=pose,
                click=None if moves else action.click,
                object_id=None if moves else result.object_id,
            )
        )

    def _images(self, scene: Scene) -> Sequence[Frame]:
        """Draw what the Follower saw before each action of the history."""
        here, drawn = self._sim.snapshot(), list[Frame]()

        def draw(done: Interaction) -> None:
            frame = self._sim.frame(_ME)
            if in_the_world(done) and frame is not None:
                drawn.append(frame)

        self._sim.reset(scene)
        replay(self._sim, self._instance.history, draw)
        self._sim.restore(here)
        return drawn
