"""The Commander's wordings, heard by the rule Follower, in whole sessions."""

from collections import deque
from dataclasses import replace
from itertools import pairwise

import pytest

from tatc.api import run
from tatc.apps.export.chat_demonstration import Player, SessionPlan, do_next
from tatc.base.errors import BadInput, UnknownName
from tatc.follower.rule_follower import RuleFollower
from tatc.home.actions import Action, Role, Verb
from tatc.home.observation import Observation
from tatc.language import (
    CannotSee,
    GoalStretch,
    InteractionPhrase,
    PhraseStretch,
    Stretch,
    hear,
    say,
)
from tatc.session.agents.agents import commander_factory
from tatc.session.records import Record
from tatc.session.start import start_from_room_name
from tatc.session.tool_session import ToolSession
from tatc.tdl import shipped_library


def utterances_of(record: Record, role: Role):
    texts = (d for d in record.interactions if d.role is role and d.verb is Verb.TEXT)
    return [hear(done.text or "") for done in texts]


@pytest.mark.parametrize("wording", ["steps", "bearings", "goals"])
@pytest.mark.parametrize("task", ["coffee", "salad"])
def test_rule_agents_succeed_with_every_wording(task: str, wording: str):
    record = run(task, wording=wording)
    assert record.gc_satisfied == record.gc_total
    heard = utterances_of(record, Role.COMMANDER)
    asked = [m for m in utterances_of(record, Role.FOLLOWER) if isinstance(m, CannotSee)]
    answers = [m for m in heard if isinstance(m, Stretch)]
    assert len(answers) == len(asked) > 0
    if wording != "goals":  # the answer ends with the one click that needs sight
        clicks = [[step.click is not None for step in each.steps] for each in answers]
        assert all(each.count(True) == 1 and each[-1] for each in clicks)
    grain = GoalStretch if wording == "goals" else PhraseStretch
    assert any(isinstance(m, grain) for m in heard)
    assert dict(record.options)["wording"] == wording


class Looker(RuleFollower):
    """A Follower that looks in vain for everything but what it is told in clicks."""

    def act(self, observation: Observation) -> Action:
        action = super().act(observation)
        asked = hear(action.text or "")
        if isinstance(asked, CannotSee) and isinstance(hear(asked.words), GoalStretch):
            return replace(action, text=say(replace(asked, needs_help=True)))
        return action


def test_a_follower_that_looked_in_vain_is_told_the_steps_of_that_goal_until_it_is_done():
    record = run("salad", wording="goals", follower=Looker)
    assert record.gc_satisfied == record.gc_total
    heard = utterances_of(record, Role.COMMANDER)
    asked = [m.words for m in utterances_of(record, Role.FOLLOWER) if isinstance(m, CannotSee)]
    goals = [say(m) for m in heard if isinstance(m, GoalStretch)]
    assert goals and all(each in asked for each in goals)
    assert len(goals) == len(set(goals)), "what was asked about is not told as a goal again"
    assert any(isinstance(m, PhraseStretch) for m in heard)


def test_only_the_rule_commander_chooses_its_words():
    with pytest.raises(BadInput, match="--wording is for the rule Commander"):
        commander_factory("shifted", "steps")
    with pytest.raises(UnknownName):
        commander_factory("rule", "stepps")


@pytest.mark.parametrize("room", ["kitchen-01", "kitchen-09", "FloorPlan5"])
def test_bearings_mean_one_of_the_objects_that_are_read_of(room: str):
    plan = SessionPlan(room, "Salad", ("1", "1", "0"), 1, "follower", "rule", "rule", "bearings")
    player, told = Player(plan, with_refusals=True), 0
    while player.goes_on and not player.expert.has_ended:
        player.call("ask", {})
        words = hear(player.expert.decisions[-1].utterance)
        phrases = words.phrases if isinstance(words, PhraseStretch) else ()
        deeds = iter([each for each in phrases if isinstance(each, InteractionPhrase)])
        queue = deque(player.expert.stretch)
        while queue and player.goes_on:
            deed = next(deeds, None) if queue[0].action_key else None
            if deed is not None and deed.bearing is not None and queue[0].action_key:
                seen = player.session.follower_interface.seen
                alike = [each for each in seen if each.object_type == deed.object_type]
                nearest = min(alike, key=lambda each: abs(each.degrees - deed.bearing))
                perception = player.session.loop.perception
                number = perception and perception.find_number(queue[0].action_key[1])
                meant = next(each for each in alike if each.number == number)
                told += 1
                # Pieces of one food lie beside each other, and any of them will do.
                slack = 15 if deed.object_type.endswith("Sliced") else 5
                assert abs(meant.degrees - nearest.degrees) <= slack, deed
            if do_next(player, queue):
                break
    assert told


def test_it_says_the_same_in_other_words_and_which_is_meant():
    session = ToolSession(start_from_room_name("kitchen-01", shipped_library(), "coffee", (), 1))

    def answer(question: str) -> str:
        session.call(Role.FOLLOWER, "ask", {"question": question} if question else {})
        said = [e for e in session.loop.interactions if e.role is Role.COMMANDER and e.text]
        return said[-1].text or ""

    first = answer("")
    assert first.startswith("open the lower left cabinet (60 degrees left), ")
    which = answer("Which mug?")
    assert "the lower left mug in the cabinet (65 degrees left)" in which
    others = [answer("") for _ in range(5)]
    words = [first, which, *others]
    assert all(one != other for one, other in pairwise(words))
