"""Sessions for the text world's tests: drawn in shipped rooms, and played at random."""

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

from tatc.home.actions import Role
from tatc.home.body import ALFRED
from tatc.session.start import SessionStart, start_from_room
from tatc.session.tool_session import ToolSession
from tatc.sim.rooms import load_room
from tatc.tdl.task_library import shipped_library

Call = tuple[str, dict[str, Any]]


@cache
def opening(task: str = "coffee", room: str = "kitchen-01", seed: int = 1) -> SessionStart:
    library = shipped_library()
    return start_from_room(load_room(room), library, library.find(task), (), seed)


def in_alfreds_body(start: SessionStart) -> SessionStart:
    home = start.scene.initial
    home = replace(home, follower=replace(home.follower, body=ALFRED))
    return replace(start, scene=replace(start.scene, initial=home))


def random_call(session: ToolSession, rng: Random) -> Call:
    """Return a call of the Follower as a model might make it: mostly on what is in view."""
    seen = [each.handle for each in session.follower_interface.seen]
    if not seen or rng.random() < 0.5:
        return rng.choice(
            [
                ("move", {"direction": rng.choice(("forward", "left", "right", "backward"))}),
                ("turn", {"direction": rng.choice(("left", "right"))}),
                ("look", {"direction": rng.choice(("up", "down"))}),
                ("ask", {}),
            ]
        )
    name = rng.choice(("go_to", "open", "pick_up", "place", "switch_on", "switch_off", "pour"))
    return name, {"object": rng.choice(seen[:12])}


def play_at_random(session: ToolSession, seed: int, calls: int) -> list[Call]:
    """Play a session as Follower and return the calls."""
    rng, made = Random(seed), list[Call]()
    for _ in range(calls):
        made.append(random_call(session, rng))
        session.call(Role.FOLLOWER, *made[-1])
    return made
