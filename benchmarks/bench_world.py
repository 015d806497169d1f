"""How fast the embedded world runs: loading, moves, a mix of actions, going back.

With recorded games the mix is what a person did in the first kitchen among them, each
interaction at the pose where it was made; without, it is random in a shipped kitchen.
Either way one action in five is an interaction.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter

from tatc.actions import INTERACTIONS, MOTIONS, Action, Click, Role
from tatc.records import find_games, read_game, read_start
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.sim.rooms import load_room, room_names, start_state
from tatc.state import RoomKind, Scene, Snapshot

Row = tuple[str, float, str]
MOVES, MIX, LOADS = 20_000, 5_000, 20
BETWEEN = 4
"""Motions for each interaction."""


def run(games: Path | None = None) -> Iterator[Row]:
    """Yield name, value and unit of each measure; `games` is a file or a folder."""
    game = _first_kitchen(games)
    scene = _shipped_kitchen() if game is None else read_start(game).scene
    sim = EmbeddedSimulator()
    took = _seconds(lambda: [sim.reset(scene) for _ in range(LOADS)])
    yield f"loading {len(scene.start.objects)} objects", took / LOADS * 1e3, "ms"
    rng = random.Random(0)
    moves = _moves(rng, MOVES)
    took = _seconds(lambda: _play(sim, moves))
    yield "moves and turns", MOVES / took, "1/s"
    kept = sim.reset(scene)
    mix = _random_mix(rng) if game is None else _recorded_mix(sim, game, rng)
    took = _seconds(lambda: _play_from(sim, mix))
    yield "mix, a fifth interactions", sum(len(acts) for _, acts in mix) / took, "1/s"
    took = _seconds(lambda: [_there_and_back(sim, kept, move) for move in moves[:MIX]])
    yield "a move and back again", MIX / took, "1/s"


def _seconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return perf_counter() - start


def _play(sim: EmbeddedSimulator, actions: Sequence[Action]) -> None:
    for action in actions:
        sim.step(Role.FOLLOWER, action)


Mix = list[tuple[Snapshot | None, list[Action]]]
"""Actions to play in turn, each run of them from a state, or from where it stands."""


def _play_from(sim: EmbeddedSimulator, mix: Mix) -> None:
    for state, actions in mix:
        if state is not None:
            sim.restore(state)
        _play(sim, actions)


def _there_and_back(sim: EmbeddedSimulator, kept: Snapshot, move: Action) -> None:
    sim.step(Role.FOLLOWER, move)
    sim.restore(kept)


def _moves(rng: random.Random, n: int) -> list[Action]:
    return [Action(rng.choice(MOTIONS)) for _ in range(n)]


def _random_mix(rng: random.Random) -> Mix:
    def click() -> Action:
        return Action(rng.choice(INTERACTIONS), Click(rng.random(), rng.random()))

    runs = range(MIX // (BETWEEN + 1))
    return [(None, [click(), *_moves(rng, BETWEEN)]) for _ in runs]


def _recorded_mix(sim: EmbeddedSimulator, game: Path, rng: random.Random) -> Mix:
    """Return the game's interactions with the states they were made in."""
    mix: Mix = []
    for done in read_game(game).interactions:
        if done.role is not Role.FOLLOWER:
            continue
        action = Action(done.verb, done.click)
        if done.verb in INTERACTIONS:
            mix.append((sim.snapshot(), [action, *_moves(rng, BETWEEN)]))
        if done.verb in (*INTERACTIONS, *MOTIONS):
            sim.step(Role.FOLLOWER, action)
    return mix * max(MIX // ((BETWEEN + 1) * max(len(mix), 1)), 1)


def _first_kitchen(games: Path | None) -> Path | None:
    for path in find_games([games]) if games is not None else ():
        if read_start(path).scene.kind is RoomKind.KITCHEN:
            return path
    return None


def _shipped_kitchen() -> Scene:
    name = next(name for name in room_names() if name.startswith("kitchen"))
    return start_state(load_room(name), 1)
