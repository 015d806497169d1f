"""The speed of the embedded world: loading, moves, a mix of actions, restoring states.

With recorded games the mix is what a person did in the first kitchen among them, each interaction
at the pose at which it was made.  Without games it is random in a shipped kitchen.  In both, one
action in five is an interaction.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter

from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Click, Role
from tatc.home.state import RoomKind, Scene, Snapshot
from tatc.session.records import find_games, read_game, read_start
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.rooms import load_room, room_names, start_state

Figure = tuple[str, float, str]
MOVE_COUNT, MIX_COUNT, LOAD_COUNT = 20_000, 5_000, 20
MOTIONS_PER_INTERACTION = 4
"""The motions for each interaction."""


def run(games: Path | None = None) -> Iterator[Figure]:
    """Yield name, value and unit of each measure; `games` is a file or a folder."""
    game = _first_kitchen(games)
    scene = _shipped_kitchen() if game is None else read_start(game).scene
    sim = EmbeddedSimulator()
    took = _seconds(lambda: [sim.reset(scene) for _ in range(LOAD_COUNT)])
    yield f"loading {len(scene.initial.objects)} objects", took / LOAD_COUNT * 1e3, "ms"
    rng = random.Random(0)
    moves = _moves(rng, MOVE_COUNT)
    took = _seconds(lambda: _play(sim, moves))
    yield "moves and turns", MOVE_COUNT / took, "1/s"
    kept = sim.reset(scene)
    mix = _random_mix(rng) if game is None else _recorded_mix(sim, game, rng)
    took = _seconds(lambda: _play_from(sim, mix))
    yield "mix, a fifth interactions", sum(len(acts) for _, acts in mix) / took, "1/s"
    took = _seconds(lambda: [_move_and_restore(sim, kept, move) for move in moves[:MIX_COUNT]])
    yield "a move and back again", MIX_COUNT / took, "1/s"


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _play(sim: EmbeddedSimulator, actions: Sequence[Action]) -> None:
    for action in actions:
        sim.step(Role.FOLLOWER, action)


ActionMix = list[tuple[Snapshot | None, list[Action]]]
"""Groups of actions to play in turn, each from a state, or from the present one if None."""


def _play_from(sim: EmbeddedSimulator, mix: ActionMix) -> None:
    for state, actions in mix:
        if state is not None:
            sim.restore(state)
        _play(sim, actions)


def _move_and_restore(sim: EmbeddedSimulator, kept: Snapshot, move: Action) -> None:
    sim.step(Role.FOLLOWER, move)
    sim.restore(kept)


def _moves(rng: random.Random, n: int) -> list[Action]:
    return [Action(rng.choice(MOTION_VERBS)) for _ in range(n)]


def _random_mix(rng: random.Random) -> ActionMix:
    def click() -> Action:
        return Action(rng.choice(INTERACTION_VERBS), Click(rng.random(), rng.random()))

    runs = range(MIX_COUNT // (MOTIONS_PER_INTERACTION + 1))
    return [(None, [click(), *_moves(rng, MOTIONS_PER_INTERACTION)]) for _ in runs]


def _recorded_mix(sim: EmbeddedSimulator, game: Path, rng: random.Random) -> ActionMix:
    """Return the game's interactions with the states in which they were made."""
    mix: ActionMix = []
    for done in read_game(game).interactions:
        if done.role is not Role.FOLLOWER:
            continue
        action = Action(done.verb, done.click)
        if done.verb in INTERACTION_VERBS:
            mix.append((sim.snapshot(), [action, *_moves(rng, MOTIONS_PER_INTERACTION)]))
        if done.verb in (*INTERACTION_VERBS, *MOTION_VERBS):
            sim.step(Role.FOLLOWER, action)
    return mix * max(MIX_COUNT // ((MOTIONS_PER_INTERACTION + 1) * max(len(mix), 1)), 1)


def _first_kitchen(games: Path | None) -> Path | None:
    for path in find_games([games]) if games is not None else ():
        if read_start(path).scene.kind is RoomKind.KITCHEN:
            return path
    return None


def _shipped_kitchen() -> Scene:
    name = next(name for name in room_names() if name.startswith("kitchen"))
    return start_state(load_room(name), 1)
