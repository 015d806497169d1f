"""TEACh's replay of recorded games in rooms imported from them, through the `ai2thor` client.

An episode is replayed as TEACh's EpisodeReplay does (spec 4.6): only what succeeded when it was
recorded, by its click, and on the recorded object where the click does not do the same.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from typer.testing import CliRunner

from tatc.apps.thorserver import executable
from tatc.cli import app
from tatc.commands.text.output import progress_counter
from tatc.home.actions import INTERACTION_VERBS, Action, Click, Role, Verb
from tatc.session.records import Interaction, find_games, read_game
from tatc.sim.protocol import ThorBuild
from tatc.sim.teach_effects import bookkeeping_effects, run_effect_rules, slice_inheritance_effects
from tatc.sim.thor import ThorClient, ThorSimulator
from tatc.sim.thor.simulator import MOTION_CALLS, interaction_call
from tatc.tdl import load_library

TEACH_FRAME_PIXELS = 900
_NAMES = {
    "motions": "motions that succeed again",
    "interactions": "interactions that succeed again by their click",
    "objects": "clicks that mean the same object",
    "helped": "interactions that succeed by their click or on the object",
    "tasks": "tasks done at the end",
}


@dataclass
class ReplayCounts:
    """How often AI2-THOR's answers in recordings came again; `faults` says where they did not."""

    asked: Counter[str] = field(default_factory=Counter[str])
    agreed: Counter[str] = field(default_factory=Counter[str])
    faults: list[str] = field(default_factory=list[str])

    def count(self, name: str, agrees: bool, fault: str) -> None:
        """Count one answer."""
        self.asked[name] += 1
        self.agreed[name] += agrees
        if not agrees:
            self.faults.append(f"{name}: {fault}")

    def rate(self, name: str) -> float:
        """Return the share of answers that agree."""
        return self.agreed[name] / self.asked[name]


def run(games: Path | None, count: int = 10) -> Iterator[tuple[str, float, str]]:
    """Yield how many of the recorded answers of `count` games, evenly spread, come again."""
    if games is None:
        return
    found, counts = find_games([games]), ReplayCounts()
    paths = [*islice(found[:: max(1, len(found) // max(1, count))], count)]
    with progress_counter(len(paths), "replaying games") as done:
        for path in paths:
            replay_game(path, [path], counts)
            done(path.name)
    for fault in counts.faults:
        print(f"  {fault}")  # noqa: T201
    for name, words in _NAMES.items():
        yield words, counts.agreed[name], f"of {counts.asked[name]}"


def replay_game(
    path: Path,
    room_games: Iterable[Path],
    counts: ReplayCounts,
    frame_pixels: int = TEACH_FRAME_PIXELS,
) -> None:
    """Replay a game in the room that `tatc rooms import` makes of some games; count the answers.

    `frame_pixels` is the side of the frames in which clicks find their objects.
    """
    game = read_game(path)
    with TemporaryDirectory() as folder:
        words = ["rooms", "import", *map(str, room_games), "--out", folder]
        made = CliRunner().invoke(app, words)
        assert made.exit_code == 0, made.output
        client = ThorClient(ThorBuild(executable(Path(folder))), frame_size=frame_pixels)
        simulator = ReplaySimulator(client)
        try:
            simulator.reset(game.scene)
            for index, logged in enumerate(game.interactions):
                if logged.success and logged.role is Role.FOLLOWER:
                    _repeat(simulator, logged, f"{game.game_id} {index}", counts)
            task = load_library().compile(game.task_name, game.task_params)
            done = task.check(simulator.capture()).success
            counts.count("tasks", done, f"{game.game_id} {game.task_name}")
        finally:
            simulator.close()


def _repeat(
    simulator: "ReplaySimulator", logged: Interaction, name: str, counts: ReplayCounts
) -> None:
    """Do a logged action again; count its answer."""
    action = Action(logged.verb, logged.click)
    if logged.verb in MOTION_CALLS:
        result = simulator.step(Role.FOLLOWER, action)
        counts.count("motions", result.success, f"{name} {logged.verb}: {result.message}")
    elif logged.verb in INTERACTION_VERBS and logged.click and logged.object_id:
        result = simulator.step(Role.FOLLOWER, action)
        meant = result.object_id if result.success else simulator.target_id(action)
        done, fault = result.success, f"{name} {logged.verb} {logged.object_id}: "
        counts.count("interactions", done, fault + result.message)
        counts.count("objects", meant == logged.object_id, f"{fault} means {meant}")
        if not done or meant != logged.object_id:
            done = simulator.force(action, logged.click, logged.object_id) or done
        counts.count("helped", done, fault)


class ReplaySimulator(ThorSimulator):
    """AI2-THOR with what only TEACh's replay asks of it."""

    def target_id(self, action: Action) -> str | None:
        """Return the object that an action's click means, None for none."""
        assert action.click is not None
        target = self._resolve_target(action.verb, action.click, self.snapshot())
        return target and target.objectId

    def force(self, action: Action, click: Click, object_id: str) -> bool:
        """Do an interaction on an object, wherever it is; return whether it succeeds."""
        before = self.snapshot()
        target, held = before.get(object_id), before.held_object()
        if target is None:
            return False
        if action.verb is Verb.POUR:
            reply = self._perform_interaction(action.verb, target, click, held)
        else:
            call = interaction_call(action.verb, object_id, click)
            reply = self._perform({**call, "forceAction": True})
        if reply.success:
            effects = bookkeeping_effects(action.verb, target, held, self.snapshot())
            self._apply_effects(effects)
            self._apply_effects(slice_inheritance_effects(self.snapshot()))
        run_effect_rules(self.snapshot, self._apply_effects, before)
        return reply.success
