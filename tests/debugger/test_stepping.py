"""Steps of every unit: there and back again, and where each stops."""

from itertools import pairwise

import pytest

from tatc.debugger.control import Debugger
from tatc.debugger.stepping import Unit, stops
from tests.debugger.sessions import live


@pytest.fixture(scope="module")
def whole() -> Debugger:
    debugger = live()
    debugger.jump(10_000)
    return debugger


@pytest.mark.parametrize("unit", Unit)
def test_back_goes_where_forward_came_from(whole: Debugger, unit: Unit):
    whole.jump(0)
    forth = [0]
    while True:
        stop = whole.forward(unit)
        if stop.why:
            break
        forth.append(stop.at)
    whole.jump(forth[-1])
    back = [forth[-1]]
    while back[-1]:
        back.append(whole.back(unit).at)
    assert len(forth) > 2
    assert back == forth[::-1]


def test_each_unit_stops_where_something_of_it_begins(whole: Debugger):
    moments = whole.moments
    at = {
        unit: [i for i in range(1, len(moments)) if stops(unit, moments, i)]
        for unit in Unit
    }
    assert at[Unit.ACTION] == list(range(1, len(moments)))
    assert all(moments[i].said is not None for i in at[Unit.UTTERANCE])
    assert all(moments[i].primitive for i in at[Unit.PRIMITIVE])
    assert set(at[Unit.KEY]) <= set(at[Unit.UTTERANCE])
    assert set(at[Unit.SKILL]) <= set(at[Unit.UTTERANCE])
    keys = [moments[i].decision for i in at[Unit.KEY]]
    for one, other in pairwise(keys):
        assert one is not None and other is not None
        assert one.problem_key != other.problem_key


def test_ends_are_told_in_words(whole: Debugger):
    whole.jump(10_000)
    assert whole.forward().why == "the end: success"
    whole.jump(0)
    assert whole.back().why == "this is the start"
    assert whole.at == 0


def test_a_session_goes_no_farther_than_it_must():
    debugger = live()
    debugger.forward()
    assert debugger.branch.last == 1
    debugger.jump(12)
    assert (debugger.at, debugger.branch.last) == (12, 12)
    debugger.back(Unit.UTTERANCE)
    assert debugger.branch.last == 12
