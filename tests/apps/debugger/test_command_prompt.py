"""What can be typed: every word does what it says, or says why not."""

from contextlib import nullcontext
from io import StringIO
from pathlib import Path

import pytest
from PIL import Image

from tatc.apps.debugger.breakpoints import Breakpoints
from tatc.apps.debugger.command_prompt import CommandPrompt, _parse_new_path
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.follower_camera import FollowerCamera
from tatc.apps.debugger.suspended_screen import PICTURE_PIXELS
from tatc.base.errors import BadInput, OutputError
from tatc.home.actions import Role, Verb
from tests.apps.debugger.debug_sessions import start_debugger


@pytest.fixture
def debugger() -> Debugger:
    return start_debugger()


@pytest.fixture
def prompt(debugger: Debugger) -> CommandPrompt:
    return CommandPrompt(debugger, FollowerCamera(debugger.branch.session.start.scene))


@pytest.mark.parametrize("line", ["turn left", "Turn Left", "turnleft", "TurnLeft"])
def test_a_motion_is_done_however_it_is_written(
    debugger: Debugger, prompt: CommandPrompt, line: str
):
    assert prompt.execute(line).message.endswith("Turn Left: done")
    done = debugger.moment.interaction
    assert done.verb is Verb.TURN_LEFT and done.role is Role.FOLLOWER


def test_a_thing_in_view_is_clicked_on_by_its_name(debugger: Debugger, prompt: CommandPrompt):
    prompt.execute("until object Mug.isPickedUp=True")
    debugger.go_to(10_000)
    done = [m.interaction for m in debugger.moments]
    at = next(i for i, d in enumerate(done) if d and d.verb is Verb.PICKUP and d.success)
    obj = done[at].object_id
    debugger.go_to(at - 1)
    assert debugger.moment.snapshot.held_object() is None
    told = prompt.execute(f"pickup {obj.partition('|')[0].lower()}").message
    assert told.endswith("Pickup: done")
    assert debugger.moment.snapshot.held_object() is not None
    assert "Pickup: refused: " in prompt.execute("pickup 0.5 0.5").message  # in the world's words


def test_both_agents_can_be_spoken_for(debugger: Debugger, prompt: CommandPrompt):
    prompt.execute("follower: I am lost.")
    prompt.execute("check")
    prompt.execute("Commander: TurnLeft TurnLeft")
    debugger.forward()
    done = [m.interaction for m in debugger.moments[1:]]
    assert [(d.role, d.verb) for d in done] == [
        (Role.FOLLOWER, Verb.TEXT),
        (Role.COMMANDER, Verb.OPEN_PROGRESS_CHECK),
        (Role.COMMANDER, Verb.TEXT),
        (Role.FOLLOWER, Verb.TURN_LEFT),
    ]


def test_going_finding_and_comparing(debugger: Debugger, prompt: CommandPrompt):
    prompt.execute("to 12")
    assert debugger.at == 12
    assert prompt.execute("find mug").object_search == "mug"
    prompt.execute("since 5")
    assert debugger.since == 5
    until = prompt.execute("until goal gained").run_until
    assert until is not None and until.text == "goal gained"


def test_breakpoints_are_made_and_changed(debugger: Debugger, prompt: CommandPrompt):
    made = prompt.execute("break global failed Pickup").message
    assert made == "breakpoint: failed Pickup (all sessions)"
    assert prompt.execute("off 1").message == "off: failed Pickup"
    assert prompt.execute("on 1").message == "on: failed Pickup"
    assert prompt.execute("delete 1").message == "deleted: failed Pickup"
    assert debugger.breakpoints.all == ()


@pytest.mark.parametrize("command", ["break", "until"])
def test_a_policy_that_does_not_exist_is_refused(prompt: CommandPrompt, command: str):
    with pytest.raises(BadInput, match=r"unknown policy 'isDitry' \(did you mean 'isDirty'"):
        prompt.execute(f"{command} policy isDitry")
    assert prompt.execute("until policy pddl").run_until


def test_a_python_prompt_and_a_large_picture_take_the_terminal(
    debugger: Debugger,
    prompt: CommandPrompt,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    prompt.execute("to 3")
    lines = "print(key.property_name, known.snapshot.follower == snapshot.follower)\n"
    lines += "print(len(policy(key, known)) > 0, moment.index)\nexit()\n"
    monkeypatch.setattr("sys.stdin", StringIO(lines))
    for line, shown in (("python", "simbotIsFilledWithCoffee True"), ("picture", "Enter goes")):
        taken = prompt.execute(line).on_terminal
        assert taken is not None
        taken(nullcontext)
        assert shown in capsys.readouterr().out


def test_the_view_is_written_as_a_picture(prompt: CommandPrompt, tmp_path: Path):
    path = tmp_path / "view.png"
    assert str(path) in prompt.execute(f"png {path}").message
    with Image.open(path) as picture:
        assert picture.size == (PICTURE_PIXELS, PICTURE_PIXELS)


def test_a_fork_is_saved(debugger: Debugger, prompt: CommandPrompt, tmp_path: Path):
    prompt.execute("turn left")
    path = tmp_path / "fork.game.json"
    assert prompt.execute(f"save {path}").message == f"record: {path}"
    before = path.read_bytes()
    prompt.execute("turn left")
    with pytest.raises(BadInput, match=r"there is a file already \(name another\)"):
        prompt.execute(f"save {path}")
    assert path.read_bytes() == before


def test_a_change_that_is_refused_leaves_no_fork(debugger: Debugger, prompt: CommandPrompt):
    debugger.go_to(3)
    with pytest.raises(BadInput, match="no language model plays"):
        prompt.execute("message Look in the fridge.")
    assert len(debugger.branches) == 1 and debugger.branch.name == "session"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("fly", "unknown word 'fly'"),
        ("pickp mug", "unknown word 'pickp'.*'pickup'"),
        ("pickup", "Pickup needs an object"),
        ("pickup unicorn", "no unicorn is in view"),
        ("pickup the unicorn", "no unicorn is in view"),
        ("place 0.5 1.5", "outside the frame"),
        ("turn left twice", "takes no object"),
        ("commander:", "no words to say"),
        ("to there", "'there' is not a number"),
        ("since 900", "the last step so far is 0"),
        ("save", "a file name is missing"),
        ("case fork.py", "pytest finds test_"),
    ],
)
def test_what_cannot_be_done_is_refused_in_words(
    debugger: Debugger, prompt: CommandPrompt, line: str, why: str
):
    with pytest.raises(BadInput, match=why):
        prompt.execute(line)
    assert len(debugger.branches) == 1


def test_a_name_that_is_too_long_is_no_file_yet() -> None:
    name = "x" * 300
    assert _parse_new_path("~nobody-of-this-name/x", "record a.json").name == "x"
    assert str(_parse_new_path(name, "record a.json")) == name
    breakpoints = Breakpoints(Path(name))  # nothing is there to read
    with pytest.raises(OutputError, match=name[:40]):
        breakpoints.add("failed")
