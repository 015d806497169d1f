"""A soak of the AI2-THOR server: hostile actions, with the world's invariants after each of them.

Rounds of 500 actions, on a drawn room with one to three agents, go through the server's own loop
without a client in between: any action of the table, forced or not, with arguments that suit it,
wrong ones and nonsense.  After each action ids, boxes, states, hands and receptacles agree, no
agent stands in another or where it has no room, and the server has not failed.  With `first`, a
soak goes on after the rounds of an earlier one.
"""

from collections.abc import Iterator
from pathlib import Path
from time import process_time

from benchmarks.soak.invariants import BrokenInvariant
from benchmarks.soak.thor_actions import ROUND_ACTIONS, play_thor_round
from tatc.base.errors import TatcError
from tatc.commands.text.output import progress_counter

DEFAULT_ACTIONS = 5_000


def run(
    games: Path | None = None, *, seed: int = 1, count: int = DEFAULT_ACTIONS, first: int = 0
) -> Iterator[tuple[str, float, str]]:
    """Yield how much was done, and how quickly.

    Args:
        games: not used: the rooms are those that the server has.
        seed: draws rooms and actions.
        count: how many actions to run, rounded down to whole rounds.
        first: the number of the first round.

    Raises:
        TatcError: an invariant did not hold; names the seed, the round and the action.

    """
    start, succeeded, rounds = process_time(), 0, count // ROUND_ACTIONS
    with progress_counter(rounds, "rounds") as done:
        for number in range(first, first + rounds):
            try:
                succeeded += play_thor_round(seed, number)
            except BrokenInvariant as fault:
                raise TatcError(f"an invariant is broken: {fault}") from fault
            done(f"round {number}")
    actions = rounds * ROUND_ACTIONS
    yield "hostile actions with all checks", actions, ""
    if actions:
        yield "actions that succeeded", 100 * succeeded / actions, "%"
        yield "actions", actions / (process_time() - start), "per s of processor time"
