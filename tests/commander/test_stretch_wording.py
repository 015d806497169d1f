"""The Commander's three grains, heard by the rule Follower, in whole sessions."""

import pytest

from tatc.api import run
from tatc.base.errors import BadInput, UnknownName
from tatc.home.actions import Role, Verb
from tatc.language import CannotSee, GoalStretch, PhraseStretch, Stretch, hear
from tatc.session.agents.agents import commander_factory
from tatc.session.records import Record


def utterances_of(record: Record, role: Role):
    texts = (d for d in record.interactions if d.role is role and d.verb is Verb.TEXT)
    return [hear(done.text or "") for done in texts]


@pytest.mark.parametrize("wording", ["steps", "goals"])
@pytest.mark.parametrize("task", ["coffee", "salad"])
def test_rule_agents_succeed_with_every_wording(task: str, wording: str):
    record = run(task, wording=wording)
    assert record.gc_satisfied == record.gc_total
    heard = utterances_of(record, Role.COMMANDER)
    asked = [m for m in utterances_of(record, Role.FOLLOWER) if isinstance(m, CannotSee)]
    answers = [m for m in heard if isinstance(m, Stretch)]
    assert len(answers) == len(asked) > 0
    if wording == "steps":  # the answer ends with the one click that needs sight
        clicks = [[step.click is not None for step in each.steps] for each in answers]
        assert all(each.count(True) == 1 and each[-1] for each in clicks)
    grain = PhraseStretch if wording == "steps" else GoalStretch
    assert any(isinstance(m, grain) for m in heard)
    assert dict(record.options)["wording"] == wording


def test_only_the_rule_commander_chooses_its_words():
    with pytest.raises(BadInput, match="--wording is for the rule Commander"):
        commander_factory("shifted", "steps")
    with pytest.raises(UnknownName):
        commander_factory("rule", "stepps")
