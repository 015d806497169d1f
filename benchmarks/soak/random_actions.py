"""Rounds of random actions from one start each, with the invariants checked after each action."""

import os
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

from benchmarks.soak.invariants import BrokenInvariant, check_shut_in, check_state, state_hash
from tatc.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Click, Role
from tatc.child_processes import python_command
from tatc.records import read_start
from tatc.rooms import load_room, room_names, start_state
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.state import Scene, Snapshot

ROUND_ACTIONS = 1000
"""The actions from one start."""
SHUT_IN_EVERY = 10_000
"""In one state of so many, what is shut in is looked for."""
_RESTORE_SHARE = 0.02
_INTERACTION_SHARE = 0.5
_AIMED_SHARE = 0.8
"""The share of the interactions that are aimed at an object, which a random click seldom meets."""
_CHECKOUT = Path(__file__).parents[2]
_HASH_CODE = (
    "import sys\n"
    "from pathlib import Path\n"
    "from benchmarks.soak.random_actions import play_round\n"
    "print(play_round(int(sys.argv[1]), int(sys.argv[2]), [Path(p) for p in sys.argv[3:]]))"
)


def play_round(seed: int, number: int, games: Sequence[Path]) -> str:
    """Do a round's actions and return a hash of all its states.

    Args:
        seed: with the round's number, draws the start and the actions.
        number: of the round.
        games: recorded games to start from in every other round; none for rooms alone.

    Raises:
        BrokenInvariant: an invariant does not hold; says after which action.

    """
    rng = Random(f"{seed}/{number}")
    sim, digest = EmbeddedSimulator(), sha256()
    start = kept = state = sim.reset(_draw_scene(rng, games))
    for step in range(ROUND_ACTIONS):
        if rng.random() < _RESTORE_SHARE:
            sim.restore(kept)
            if sim.snapshot() != kept or state_hash(sim.snapshot()) != state_hash(kept):
                raise BrokenInvariant(f"seed {seed}, round {number}, step {step}: not restored")
        act_at_random(sim, state, rng)
        state = sim.snapshot()
        if rng.random() < _RESTORE_SHARE:
            kept = state
        try:
            check_state(state, start)
            if (number * ROUND_ACTIONS + step + 1) % SHUT_IN_EVERY == 0:
                check_shut_in(state)
        except BrokenInvariant as fault:
            raise BrokenInvariant(f"seed {seed}, round {number}, step {step}: {fault}") from fault
        if step % 100 == 0:
            digest.update(state_hash(state).encode())
    digest.update(state_hash(state).encode())
    return digest.hexdigest()


def act_at_random(sim: EmbeddedSimulator, state: Snapshot, rng: Random) -> None:
    """Do one drawn action: a motion, a click anywhere, or an interaction with an object."""
    role = Role.FOLLOWER if rng.random() < 0.95 else Role.COMMANDER
    if role is Role.COMMANDER or rng.random() >= _INTERACTION_SHARE:
        sim.step(role, Action(rng.choice(MOTION_VERBS)))
        return
    click = Click(round(rng.random() * 0.999, 4), round(rng.random() * 0.999, 4))
    action = Action(rng.choice(INTERACTION_VERBS), click)
    if rng.random() < _AIMED_SHARE:
        sim.step_on_object(role, action, rng.choice(state.objects).objectId)
    else:
        sim.step(role, action)


def hash_in_other_process(seed: int, number: int, games: Sequence[Path], hash_seed: int) -> str:
    """Return the hash of a round's states, from a process with another seed of `hash()`."""
    done = subprocess.run(
        [*python_command(_HASH_CODE), str(seed), str(number), *map(str, games)],
        env=os.environ | {"PYTHONHASHSEED": str(hash_seed), "PYTHONPATH": str(_CHECKOUT)},
        stdout=subprocess.PIPE,
        stderr=sys.stderr,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def _draw_scene(rng: Random, games: Sequence[Path]) -> Scene:
    if games and rng.random() < 0.5:
        return read_start(rng.choice(games)).scene
    return start_state(load_room(rng.choice(room_names())), rng.randrange(10**6))
