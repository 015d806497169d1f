"""Followers that perceive, for instances."""

from collections.abc import Sequence

from tatc.follower import FrameSource, HistoryEvent, PastAction, ViewSource
from tatc.home.actions import Action, Verb
from tatc.home.observation import Observation
from tatc.home.percepts import View
from tatc.tdl import Task


class Watcher:
    """Looks at the past and at the present, and stops."""

    perceives = True

    def begin(self) -> None:
        self.events: Sequence[HistoryEvent] = ()
        self.views: Sequence[View] = ()
        self.first_view: View | None = None

    def begin_after(
        self, events: Sequence[HistoryEvent], frames: FrameSource, views: ViewSource
    ) -> None:
        self.events, self.views = events, views()

    def act(self, observation: Observation) -> Action:
        if observation.percepts is not None:
            self.first_view = observation.percepts()
        return Action(Verb.STOP)


class Asker:
    """Says something in every turn, and keeps what it is told; it takes any goal."""

    def begin(self) -> None:
        self.heard: list[str] = []

    def take_goal(self, goal: Task) -> None:
        self.goal = goal

    def act(self, observation: Observation) -> Action:
        self.heard += [each.text for each in observation.utterances]
        return Action(Verb.TEXT, text="Is that all?")


def past_actions(events: Sequence[HistoryEvent]) -> list[PastAction]:
    return [each for each in events if isinstance(each, PastAction)]
