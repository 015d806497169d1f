"""The Commander's three grains, heard by the rule Follower, in whole sessions."""

import pytest

from tatc.actions import Role, Verb
from tatc.agents import commander_named
from tatc.api import run
from tatc.errors import BadInput, UnknownName
from tatc.language import Aims, Stretch, Told, Unseen, hear
from tatc.records import Record


def said(record: Record, role: Role):
    texts = (d for d in record.interactions if d.role is role and d.verb is Verb.TEXT)
    return [hear(done.text or "") for done in texts]


@pytest.mark.parametrize("wording", ["steps", "goals"])
@pytest.mark.parametrize("task", ["coffee", "salad"])
def test_the_rule_pair_succeeds_at_every_grain(task: str, wording: str):
    record = run(task, wording=wording)
    assert record.gc_satisfied == record.gc_total
    heard = said(record, Role.COMMANDER)
    asked = [m for m in said(record, Role.FOLLOWER) if isinstance(m, Unseen)]
    assert sum(isinstance(m, Stretch) for m in heard) == len(asked) > 0
    grain = Told if wording == "steps" else Aims
    assert any(isinstance(m, grain) for m in heard)
    assert dict(record.options)["wording"] == wording


def test_a_step_that_needs_sight_is_answered_with_one_click():
    record = run("coffee", wording="steps")
    for meaning in said(record, Role.COMMANDER):
        if isinstance(meaning, Stretch):
            assert [s.click is not None for s in meaning.steps].count(True) == 1
            assert meaning.steps[-1].click is not None


def test_only_the_rule_commander_chooses_its_words():
    with pytest.raises(BadInput, match="--wording is for the rule Commander"):
        commander_named("shifted", "steps")
    with pytest.raises(UnknownName):
        commander_named("rule", "stepps")
