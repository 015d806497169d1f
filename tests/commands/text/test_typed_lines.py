"""A person as the Commander: what is typed, when it is heard, and how the session ends."""

from collections.abc import Iterable

import pytest

from tatc.commander import CommanderView, InterjectingCommander
from tatc.commands.text.typed_lines import PersonCommander
from tatc.home.actions import Action, Role, Verb
from tatc.home.observation import Observation
from tatc.session.loop import run_session
from tatc.session.session_types import SessionResult
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.sim.box_kitchen import kitchen

ASKED = CommanderView((), None)


class Lines:
    """Lines for the Commander's turns, and others that come before an action of the Follower."""

    def __init__(self, turns: Iterable[str | None], between: Iterable[str | None] = ()) -> None:
        self._turns, self._between = iter(turns), iter(between)

    def wait_for_line(self) -> str | None:
        return next(self._turns, None)

    def take_line(self) -> str | None:
        return next(self._between, "")


class Walker:
    """A Follower that asks once, turns right eight times and stops; it keeps what it hears."""

    def begin(self) -> None:
        self.heard: list[tuple[str, ...]] = []

    def act(self, observation: Observation) -> Action:
        self.heard.append(tuple(each.text for each in observation.utterances))
        if len(self.heard) == 1:
            return Action(Verb.TEXT, text="What now?")
        return Action(Verb.STOP if len(self.heard) > 9 else Verb.TURN_RIGHT)


def _play(lines: Lines) -> tuple[SessionResult, Walker]:
    walker, task = Walker(), shipped_library().compile("Coffee")
    person = PersonCommander(lines)
    return run_session(EmbeddedSimulator(), kitchen(), task, person, walker), walker


def test_what_is_typed_is_heard_before_the_next_primitive() -> None:
    result, walker = _play(Lines(["turn"], ["", "", "", "", "stop turning", ""]))
    assert walker.heard[1] == ("turn",)
    when = next(k for k, heard in enumerate(walker.heard) if heard == ("stop turning",))
    said = [each.text or each.verb for each in result.interactions]
    assert said[: when + 2] == [
        "What now?",
        "turn",
        *[Verb.TURN_RIGHT] * (when - 1),
        "stop turning",
    ]
    assert 1 < when < 9


def test_a_check_is_typed_too_and_tells_the_follower_nothing() -> None:
    result, walker = _play(Lines(["?", "go"], ["", "?"]))
    assert [each.verb for each in result.interactions].count(Verb.OPEN_PROGRESS_CHECK) == 2
    assert [heard for heard in walker.heard if heard] == [("go",)]
    roles = [each.role for each in result.interactions if each.verb is Verb.TEXT]
    assert roles == [Role.FOLLOWER, Role.COMMANDER]


@pytest.mark.parametrize(
    "lines", [Lines([None]), Lines([]), Lines(["go"], ["", "", "", None]), Lines([""] * 5000)]
)
def test_the_end_of_the_lines_ends_the_session(lines: Lines) -> None:
    result, walker = _play(lines)
    assert result.end == "gave_up" and len(walker.heard) < 9


def test_spaces_around_a_line_are_not_said() -> None:
    person = PersonCommander(Lines(["  ", " make coffee \n"]))
    assert person.act(ASKED) == Action(Verb.TEXT, text="make coffee")
    assert isinstance(person, InterjectingCommander) and person.interject() is None
