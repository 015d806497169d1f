"""Steps of every unit: there and back again, and where each stops."""

from itertools import pairwise

import pytest

from tatc.apps.debugger.debugger import Debugger, StepUnit, is_step_start
from tests.apps.debugger.debug_sessions import start_debugger


@pytest.fixture(scope="module")
def whole() -> Debugger:
    debugger = start_debugger()
    debugger.go_to(10_000)
    return debugger


@pytest.mark.parametrize("unit", StepUnit)
def test_back_goes_where_forward_came_from(whole: Debugger, unit: StepUnit):
    whole.go_to(0)
    forth = [0]
    while True:
        stop = whole.forward(unit)
        if stop.reason:
            break
        forth.append(stop.index)
    whole.go_to(forth[-1])
    back = [forth[-1]]
    while back[-1]:
        back.append(whole.backward(unit).index)
    assert len(forth) > 2
    assert back == forth[::-1]


def test_each_unit_stops_where_something_of_it_begins(whole: Debugger):
    moments = whole.moments
    at = {
        unit: [i for i in range(1, len(moments)) if is_step_start(unit, moments, i)]
        for unit in StepUnit
    }
    assert at[StepUnit.ACTION] == list(range(1, len(moments)))
    assert all(moments[i].utterance is not None for i in at[StepUnit.UTTERANCE])
    assert all(moments[i].is_primitive for i in at[StepUnit.PRIMITIVE])
    assert set(at[StepUnit.PROBLEM_KEY]) <= set(at[StepUnit.UTTERANCE])
    assert set(at[StepUnit.SKILL]) <= set(at[StepUnit.UTTERANCE])
    keys = [moments[i].decision for i in at[StepUnit.PROBLEM_KEY]]
    for one, other in pairwise(keys):
        assert one is not None and other is not None
        assert one.problem_key != other.problem_key


def test_ends_are_told_in_words(whole: Debugger):
    whole.go_to(10_000)
    assert whole.forward().reason == "the end: success"
    whole.go_to(0)
    assert whole.backward().reason == "this is the start"
    assert whole.at == 0


def test_a_session_goes_no_farther_than_it_must():
    debugger = start_debugger()
    debugger.forward()
    assert debugger.branch.last == 1
    debugger.go_to(12)
    assert (debugger.at, debugger.branch.last) == (12, 12)
    debugger.backward(StepUnit.UTTERANCE)
    assert debugger.branch.last == 12
