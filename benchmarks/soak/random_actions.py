"""Rounds of random actions from one start each, with the invariants checked after each action."""

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

from benchmarks.soak.invariants import (
    BrokenInvariant,
    check_same,
    check_shut_in,
    check_state,
    given_in,
    state_hash,
)
from tatc.base.process_pool import python_command
from tatc.home.actions import INTERACTION_VERBS, MOTION_VERBS, Action, Click, Role
from tatc.home.state import Scene, Snapshot
from tatc.session.records import read_start
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.rooms import load_room, room_names, start_state

ROUND_ACTIONS = 1000
"""The actions from one start."""
SHUT_IN_EVERY = 10_000
"""In one state of so many, what is shut in is looked for."""
_RESTORE_SHARE = 0.02
_FOLLOWED_ACTIONS = 3  # done again after a state is restored
_INTERACTION_SHARE = 0.5
_AIMED_SHARE = 0.8
"""The share of the interactions that are aimed at an object, which a random click seldom meets."""
_CHECKOUT = Path(__file__).parents[2]
_HASH_CODE = (
    "import sys\n"
    "from pathlib import Path\n"
    "from benchmarks.soak.random_actions import play_round\n"
    "games = [Path(p) for p in sys.argv[3:]]\n"
    "print(play_round(int(sys.argv[1]), int(sys.argv[2]), games, hashed=True))"
)


@dataclass(frozen=True, slots=True)
class DrawnAction:
    """An action of one agent; with `target`, on the object of that id wherever the click goes."""

    role: Role
    action: Action
    target: str | None = None


def play_round(seed: int, number: int, games: Sequence[Path], *, hashed: bool = False) -> str:
    """Do a round's actions and return a hash of its states, "" if it is not wanted.

    Args:
        seed: with the round's number, draws the start and the actions.
        number: of the round.
        games: recorded games to start from in every other round; none for rooms alone.
        hashed: whether the hash is wanted.  It takes a sixth of the time.

    Raises:
        BrokenInvariant: an invariant does not hold; says after which action.

    """
    rng = Random(f"{seed}/{number}")
    sim, digest = EmbeddedSimulator(), sha256()
    start = kept = state = sim.reset(_draw_scene(rng, games))
    given, sound = given_in(start), None
    followed: list[tuple[DrawnAction, Snapshot]] = []
    is_following = True  # whether no state was restored since `kept`
    for step in range(ROUND_ACTIONS):
        try:
            if rng.random() < _RESTORE_SHARE:
                check_restored(sim, kept, followed)
                state, is_following = kept, False
            drawn = draw_action(state, rng)
            do_action(sim, drawn)
            state = sim.snapshot()
            if is_following and len(followed) < _FOLLOWED_ACTIONS:
                followed.append((drawn, state))
            if rng.random() < _RESTORE_SHARE:
                kept, followed, is_following = state, [], True
            check_state(state, given, sound=sound)
            sound = state
            if (number * ROUND_ACTIONS + step + 1) % SHUT_IN_EVERY == 0:
                check_shut_in(state)
        except BrokenInvariant as fault:
            raise BrokenInvariant(f"seed {seed}, round {number}, step {step}: {fault}") from fault
        if hashed and step % 100 == 0:
            digest.update(state_hash(state).encode())
    if not hashed:
        return ""
    digest.update(state_hash(state).encode())
    return digest.hexdigest()


def check_restored(
    sim: EmbeddedSimulator, kept: Snapshot, followed: Sequence[tuple[DrawnAction, Snapshot]]
) -> None:
    """Restore a state, and check that what followed it follows again; leave the state restored.

    A restored state that is only equal to the kept one could have another geometry behind it,
    or something else that no state shows.

    Raises:
        BrokenInvariant: the state, or one that an action leads to, is not the same.

    """
    sim.restore(kept)
    check_same(sim.snapshot(), kept)
    for drawn, state in followed:
        do_action(sim, drawn)
        check_same(sim.snapshot(), state)
    sim.restore(kept)


def draw_action(state: Snapshot, rng: Random) -> DrawnAction:
    """Draw a motion, a click anywhere, or an interaction with an object."""
    role = Role.FOLLOWER if rng.random() < 0.95 else Role.COMMANDER
    if role is Role.COMMANDER or rng.random() >= _INTERACTION_SHARE:
        return DrawnAction(role, Action(rng.choice(MOTION_VERBS)))
    click = Click(round(rng.random() * 0.999, 4), round(rng.random() * 0.999, 4))
    action = Action(rng.choice(INTERACTION_VERBS), click)
    aimed = rng.random() < _AIMED_SHARE
    return DrawnAction(role, action, rng.choice(state.objects).objectId if aimed else None)


def do_action(sim: EmbeddedSimulator, drawn: DrawnAction) -> None:
    """Do a drawn action."""
    if drawn.target is None:
        sim.step(drawn.role, drawn.action)
    else:
        sim.step_on_object(drawn.role, drawn.action, drawn.target)


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
