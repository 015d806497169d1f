"""The worlds in which a session can run: tatc's own, and AI2-THOR; either with noise."""

from functools import lru_cache
from typing import TYPE_CHECKING

from tatc.base.errors import BadInput, UnknownName
from tatc.session.floor_maps import MAP_FROM_BOXES
from tatc.session.start import SessionStart
from tatc.sim.noisy_simulator import NoisySimulator
from tatc.sim.protocol import Simulator
from tatc.sim.thor_build import DEFAULT_BUILD, ThorBuild

if TYPE_CHECKING:
    from tatc.sim.thor import ThorClient

EMBEDDED_WORLD, THOR_WORLD = "embedded", "thor"
"""The simulators in which a session can run, as a user names them."""


def check_world(sim: str, floor_map: str, thor: ThorBuild) -> None:
    """Check that there is a simulator of this name, and that map and build are for it.

    Raises:
        BadInput: there is none, or the options do not go together.
        MissingExtra: AI2-THOR's client is not installed.
        ThorError: the executable of AI2-THOR's build does not exist.

    """
    if sim not in (EMBEDDED_WORLD, THOR_WORLD):
        fix = f"name {EMBEDDED_WORLD} or {THOR_WORLD}"
        raise UnknownName("world", sim, (EMBEDDED_WORLD, THOR_WORLD), fix=fix)
    if sim == THOR_WORLD:
        if floor_map != MAP_FROM_BOXES:
            raise BadInput(
                "a map is for tatc's own world: AI2-THOR knows its floor", fix="leave out --map"
            )
        from tatc.sim.thor.client import check_build

        check_build(thor)
    elif thor != DEFAULT_BUILD:
        raise BadInput("a build of AI2-THOR is for AI2-THOR", fix="add --sim thor")


@lru_cache(maxsize=1)
def thor_client(build: ThorBuild) -> "ThorClient":
    """Return the client of this process's AI2-THOR, which is kept between sessions."""
    from tatc.sim.thor import ThorClient

    return ThorClient(build)


def with_noise(sim: Simulator, start: SessionStart, noise: float) -> Simulator:
    """Return the simulator with noise added, or unchanged if there is none."""
    if not noise:
        return sim
    words = (start.place, start.task.name, *start.task.params, start.seed)
    return NoisySimulator(sim, noise, " ".join(map(str, words)))
