"""`go_to`: over floor that was seen, to where a thing can be reached."""

import pytest

from tatc.home.actions import INTERACTION_REACH_METRES, MOTION_VERBS, Role
from tatc.session.tool_session import ToolSession
from tests.session.text_world.sessions import opening

NOT_FOR_HANDS = {"Floor", "Mirror", "Painting", "Window"}


def look_around(session: ToolSession) -> list[str]:
    """Return the names of what is seen all around, at three heights."""
    names: dict[str, None] = {}
    for direction in ("down", "up", "up"):
        for _ in range(4):
            session.call(Role.FOLLOWER, "turn", {"direction": "left"})
            names |= dict.fromkeys(e.handle for e in session.follower_interface.seen)
        session.call(Role.FOLLOWER, "look", {"direction": direction})
    return [name for name in names if name.split("_")[0] not in NOT_FOR_HANDS]


@pytest.mark.parametrize("room", ["kitchen-04", "kitchen-20"])
def test_what_was_seen_all_around_can_be_walked_to(room: str) -> None:
    session = ToolSession(opening("coffee", room), plays=tuple(Role))
    names, reached = look_around(session)[::3], 0
    for name in names:
        session.call(Role.FOLLOWER, "go_to", {"object": name})
        seen = {each.handle: each for each in session.follower_interface.seen}
        reached += name in seen and seen[name].metres <= INTERACTION_REACH_METRES
    assert reached >= 0.9 * len(names)
    done = session.result().interactions
    assert all(each.verb in MOTION_VERBS for each in done)
    assert all(each.success for each in done), "no step should be refused on floor that was seen"


def test_a_walk_ends_where_the_floor_that_was_seen_does() -> None:
    """The next walk goes on from there, over what has come into view since."""
    session = ToolSession(opening("coffee", "kitchen-20"), plays=tuple(Role))
    far = session.follower_interface.seen[-1].handle
    first = session.call(Role.FOLLOWER, "go_to", {"object": far})
    assert f"Last: go_to {far}: nearer, as far as the floor" in first
    assert f"Last: go_to {far}: done" in session.call(Role.FOLLOWER, "go_to", {"object": far})
