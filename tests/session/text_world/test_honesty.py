"""The text tells what is in view and can be seen, and nothing else."""

import re
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from tatc.home.actions import Click, Role
from tatc.home.camera.views import eye_of_role
from tatc.home.observation import ObservedResult
from tatc.home.state import ObjectState, Snapshot
from tatc.session.text_world import follower_interface
from tatc.session.text_world.follower_interface import MAX_OBJECTS
from tatc.session.text_world.seen_objects import SeenObject, number_of_handle
from tatc.session.text_world.wording import wording
from tatc.session.tool_session import ToolSession
from tatc.sim.embedded.snapshot_renderer import ImageKind, SnapshotRenderer
from tests.session.text_world.sessions import opening, random_call

# Of TEACh's frame, every fifth pixel: those of the view that the text is made from.
SIDE = 180
DIRECTION = r"(?:ahead|\d+ left|\d+ right)(?: upper| lower)?"
WORDS = r"(?:, ((?:open|closed|on|off|sliced|filled|, )+))?"
LINE = re.compile(
    rf"(?:^|: |; )([A-Z]\w*_\d+) (?:\d+ m (?:ahead|left|right)|{DIRECTION}){WORDS}", re.M
)


def shown_objects(renderer: SnapshotRenderer, snapshot: Snapshot) -> np.ndarray:
    eye = eye_of_role(Role.FOLLOWER, snapshot)
    images = renderer.draw(snapshot, eye, SIDE, (ImageKind.IDS,))
    assert images.ids is not None
    return images.ids


def false_words(obj: ObjectState) -> set[str]:
    """Return the words that are not true of an object."""
    return {
        "closed" if obj.isOpen else "open",
        "off" if obj.isToggled else "on",
        *(() if obj.isFilledWithLiquid else ("filled",)),
    }


@pytest.mark.parametrize(
    ("task", "room", "seed"),
    [
        ("coffee", "kitchen-01", 1),
        ("coffee", "kitchen-07", 2),
        ("put all x on y", "bathroom-03", 3),
    ],
)
def test_the_follower_reads_of_what_the_renderer_shows_alone(
    task: str, room: str, seed: int
) -> None:
    start = opening(task, room, seed)
    session, rng = ToolSession(start), Random(seed)
    renderer = SnapshotRenderer(start.scene)
    allowed = {row["words"] for row in wording()["states"]} | {"sliced"}
    object_of_handle: dict[str, str] = {}
    for _ in range(30):
        changes = session.call(Role.FOLLOWER, *random_call(session, rng))
        gone = re.findall(r"^No longer in view: (.*)", changes, re.M)
        in_view = {each.handle for each in session.follower_interface.seen}
        assert not in_view.intersection(", ".join(gone).split(", "))
        snapshot = session.snapshot()
        ids = shown_objects(renderer, snapshot)
        read = LINE.findall(session.text(Role.FOLLOWER))
        told = session.follower_interface.seen[:MAX_OBJECTS]
        assert len(read) == len(told)
        for seen, (handle, words) in zip(told, read, strict=True):
            column, row = (int(at * SIDE) for at in (seen.click.x, seen.click.y))
            obj = snapshot.objects[ids[row, column]]
            assert ids[row, column] >= 0
            assert handle.startswith(f"{obj.objectType}_")
            assert object_of_handle.setdefault(handle, obj.objectId) == obj.objectId
            states = set(words.split(", ")) if words else set[str]()
            assert states <= allowed
            assert not states & false_words(obj)
    assert len(set(object_of_handle.values())) == len(object_of_handle)


def test_liquid_is_read_of_only_where_a_picture_shows_it() -> None:
    """Without the liquid the frame would look otherwise."""
    start = opening("coffee", "kitchen-04", 1)
    session, rng = ToolSession(start), Random(2)
    renderer = SnapshotRenderer(start.scene)
    told = set[tuple[str, float]]()
    for _ in range(45):
        session.call(Role.FOLLOWER, *random_call(session, rng))
        filled = [s for s in session.follower_interface.seen if "filled" in s.states]
        for seen in filled:
            if (seen.handle, seen.metres) in told:
                continue
            told.add((seen.handle, seen.metres))
            snapshot = session.snapshot()
            ids = shown_objects(renderer, snapshot)
            index = ids[int(seen.click.y * SIDE), int(seen.click.x * SIDE)]
            objects = list(snapshot.objects)
            objects[index] = replace(objects[index], isFilledWithLiquid=False)
            empty = replace(snapshot, objects=tuple(objects))
            full = renderer.frame(snapshot, Role.FOLLOWER, SIDE)
            assert (full != renderer.frame(empty, Role.FOLLOWER, SIDE)).any()
    assert len(told) > 1, "the test must see full vessels"


def test_no_text_holds_an_id_of_the_simulator() -> None:
    session, rng = ToolSession(opening()), Random(3)
    ids = {obj.objectId for obj in session.snapshot().objects}
    for _ in range(25):
        text = session.call(Role.FOLLOWER, *random_call(session, rng))
        assert "|" not in text
        assert not any(name in text for name in ids)


def test_what_is_in_view_and_not_listed_is_not_said_to_be_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(follower_interface, "MAX_OBJECTS", 2)
    mug, cup, pan = (
        SeenObject(number, kind, number / 10, 0.0, (), Click(0.5, 0.5), (0.0, 0.0, 1.0))
        for number, kind in enumerate(("Mug", "Cup", "Pan"), 1)
    )

    def lines_of(seen: list[SeenObject]) -> follower_interface.ViewLines:
        return follower_interface.ViewLines({each.handle: each for each in seen})

    text = follower_interface.FollowerText()
    text.show(lines_of([mug, pan]))
    text.begin_call(None)
    text.show(lines_of([mug, cup, pan]))
    assert "No longer" not in text.changes and "Cup_2" in text.changes
    text.show(lines_of([mug]))
    assert "No longer in view: Pan_3" in text.changes


def test_handles_are_numbered_by_first_sight() -> None:
    session = ToolSession(opening())
    first = [number_of_handle(each.handle) for each in session.follower_interface.seen]
    assert sorted(first) == list(range(1, len(first) + 1))
    session.call(Role.FOLLOWER, "turn", {"direction": "left"})
    session.call(Role.FOLLOWER, "turn", {"direction": "right"})
    assert [number_of_handle(e.handle) for e in session.follower_interface.seen] == first


def test_what_was_met_in_place_of_what_was_named_is_told() -> None:
    side = ToolSession(opening()).follower_interface
    named, met = side.seen[:2]
    for number, ending in ((met.number, f": done, on {met.handle}"), (named.number, ": done")):
        assert side.call("pick_up", {"object": named.handle}) is None
        side.next_action()
        side.take_result(ObservedResult(True, number=number))
        assert any(line.endswith(ending) for line in str(side.text).splitlines())


def test_the_commander_reads_the_same_whatever_the_follower_perceives() -> None:
    """Two Followers end at the same pose, with other names for things and another result."""
    texts: list[list[str]] = []
    for way in (
        [("turn", {"direction": "left"}), ("turn", {"direction": "right"})],
        [
            ("turn", {"direction": "right"}),
            ("turn", {"direction": "left"}),
            ("open", {"object": "X_9"}),
        ],
    ):
        session = ToolSession(opening(), plays=tuple(Role))
        for name, arguments in way:
            session.call(Role.FOLLOWER, name, arguments)
        session.call(Role.FOLLOWER, "say", {"words": "What now?"})
        texts.append(
            [
                session.call(Role.COMMANDER, *call)
                for call in (("check", {}), ("search", {"type": "Mug"}), ("map", {}))
            ]
        )
    assert texts[0] == texts[1]
    assert not any("|" in text for text in texts[0])
