"""What can be typed: every word does what it says, or says why not."""

from pathlib import Path

import pytest
from PIL import Image

from tatc.actions import Role, Verb
from tatc.debugger.control import Debugger
from tatc.debugger.prompt import PICTURE, Prompt
from tatc.debugger.sight import Sight
from tatc.errors import BadInput
from tests.debugger.sessions import live


@pytest.fixture
def debugger() -> Debugger:
    return live()


@pytest.fixture
def prompt(debugger: Debugger) -> Prompt:
    return Prompt(debugger, Sight(debugger.branch.timeline.opening.scene))


@pytest.mark.parametrize("line", ["turn left", "Turn Left", "turnleft", "TurnLeft"])
def test_a_motion_is_done_however_it_is_written(
    debugger: Debugger, prompt: Prompt, line: str
):
    assert prompt.obey(line).told.endswith("Turn Left: done")
    done = debugger.moment.interaction
    assert done.verb is Verb.TURN_LEFT and done.role is Role.FOLLOWER


def test_a_thing_in_view_is_clicked_on_by_its_name(debugger: Debugger, prompt: Prompt):
    picked = debugger.run_to_pickup() if hasattr(debugger, "run_to_pickup") else None
    assert picked is None
    prompt.obey("until object Mug.isPickedUp=True")
    debugger.jump(10_000)
    at = next(
        m.index
        for m in debugger.moments
        if m.interaction and m.interaction.verb is Verb.PICKUP and m.interaction.success
    )
    thing = debugger.moments[at].interaction.object_id
    debugger.jump(at - 1)
    assert debugger.moment.snapshot.held() is None
    told = prompt.obey(f"pickup {thing.partition('|')[0].lower()}").told
    assert told.endswith("Pickup: done")
    assert debugger.moment.snapshot.held() is not None


def test_a_refusal_is_told_as_the_world_words_it(prompt: Prompt):
    assert "Place: refused: " in prompt.obey("place 0.5 0.5").told


def test_both_agents_can_be_spoken_for(debugger: Debugger, prompt: Prompt):
    prompt.obey("follower: I am lost.")
    prompt.obey("check")
    prompt.obey("Commander: TurnLeft TurnLeft")
    debugger.forward()
    done = [m.interaction for m in debugger.moments[1:]]
    assert [(d.role, d.verb) for d in done] == [
        (Role.FOLLOWER, Verb.TEXT),
        (Role.COMMANDER, Verb.OPEN_PROGRESS_CHECK),
        (Role.COMMANDER, Verb.TEXT),
        (Role.FOLLOWER, Verb.TURN_LEFT),
    ]


def test_going_finding_and_comparing(debugger: Debugger, prompt: Prompt):
    prompt.obey("to 12")
    assert debugger.at == 12
    assert prompt.obey("find mug").find == "mug"
    prompt.obey("since 5")
    assert debugger.since == 5
    until = prompt.obey("until goal gained").run_until
    assert until is not None and until.text == "goal gained"


def test_breakpoints_are_made_and_changed(debugger: Debugger, prompt: Prompt):
    assert prompt.obey("break failed Pickup").told == "breakpoint: failed Pickup"
    assert prompt.obey("off 1").told == "off: failed Pickup"
    assert prompt.obey("on 1").told == "on: failed Pickup"
    assert prompt.obey("delete 1").told == "deleted: failed Pickup"
    assert debugger.breakpoints.all == ()


def test_the_view_is_written_as_a_picture(prompt: Prompt, tmp_path: Path):
    path = tmp_path / "view.png"
    assert str(path) in prompt.obey(f"png {path}").told
    with Image.open(path) as picture:
        assert picture.size == (PICTURE, PICTURE)


def test_a_fork_is_saved(debugger: Debugger, prompt: Prompt, tmp_path: Path):
    prompt.obey("turn left")
    path = tmp_path / "fork.game.json"
    assert prompt.obey(f"save {path}").told == f"record: {path}"
    assert path.exists()


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("fly", "unknown word 'fly'"),
        ("pickp mug", "unknown word 'pickp'.*'pickup'"),
        ("pickup", "Pickup what"),
        ("pickup unicorn", "no unicorn is in view"),
        ("place 0.5 1.5", "outside the frame"),
        ("turn left twice", "takes nothing more"),
        ("commander:", "nothing to say"),
        ("to there", "'there' is no number"),
        ("since 900", "there are 0 steps so far"),
        ("save", "where to"),
        ("case fork.py", "pytest finds test_"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(
    debugger: Debugger, prompt: Prompt, line: str, why: str
):
    with pytest.raises(BadInput, match=why):
        prompt.obey(line)
    assert len(debugger.branches) == 1
