"""What is said of runs: failures in words that group them, and comparisons of Followers."""

from dataclasses import replace
from pathlib import Path

import pytest

from tatc.base.errors import BadInput
from tatc.evaluation.runs import failure_grouping
from tatc.evaluation.runs.follower_comparison import Contender, PairComparison, pairs_to_compare
from tatc.evaluation.runs.run_folder import RunFolder, find_runs
from tatc.evaluation.runs.run_report import read_report
from tatc.evaluation.scoring.scores import PairedOutcomes
from tatc.home.actions import PRIMITIVE_VERBS
from tatc.session.records import SessionEnd
from tatc.session.records.record import RecordedDecision
from tatc.session.session_types import SessionResult
from tatc.tdl import shipped_library
from tests.evaluation.runs.conftest import few_sessions, run
from tests.session.records.sample_record import sample_final, sample_interactions


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("Hold(object_id='Mug|+01.20|-00.50')", "Hold(Mug)"),
        ("Sink|+01.00|+00.90|SinkBasin: no room", "SinkBasin: no room"),
        ("Apple|1|2|3|AppleSliced_4: refused", "AppleSliced: refused"),
        ("Agent 1 is too far away at (0.25, 0.75)", "Agent # is too far away at (#, #)"),
    ],
)
def test_ids_and_numbers_make_no_difference(said: str, plain: str) -> None:
    assert failure_grouping.generalise_text(said) == plain


@pytest.mark.parametrize(
    ("reason", "why", "refusal"),
    [("", "Place was refused", ""), ("Mug|1|2|3: hand full", "Mug: hand full", "hand full")],
)
def test_a_failure_has_the_reason_given_or_the_last_refusal(
    reason: str, why: str, refusal: str
) -> None:
    key, state = ("Mug|1|2|3", "Mug", "isDirty", "False"), sample_final()
    decision = RecordedDecision(3, "wash it", key, "is_dirty", "Hold(Mug|1|2|3)", reason, (), None)
    progress = shipped_library().compile("Coffee").check(state)
    result = SessionResult(
        SessionEnd.GAVE_UP, progress, state, state, sample_interactions(), (decision,), 1
    )
    failure = failure_grouping.failure_of(result)
    assert (failure.problem, failure.skill) == ("Mug isDirty False", "Hold(Mug)")
    assert (failure.reason, failure.refusal, failure.step) == (why, refusal, 4)
    checks = tuple(each for each in result.interactions if each.verb not in PRIMITIVE_VERBS)
    assert any(each.success is False for each in checks)  # which is an answer, no refusal
    unrefused = replace(result, interactions=checks, decisions=())
    assert failure_grouping.failure_of(unrefused).reason == ""


def test_failures_are_grouped_with_a_command_for_one(tmp_path: Path) -> None:
    tasks = ("Water Plant", "Coffee")
    options = few_sessions("tests.evaluation.runs.agents:Stops", tasks=tasks, seeds=(1, 2))
    run(tmp_path, options)
    report = read_report([RunFolder(tmp_path)])
    groups = report.failure_groups()
    assert sum(each.count for each in groups) == 4
    assert [each.count for each in groups] == sorted((each.count for each in groups), reverse=True)
    assert {each.task for each in groups} == set(tasks)
    for each in groups:
        assert each.failure.problem
        assert each.command.startswith(f"tatc debug --record {tmp_path}/records/{each.key}")


def test_a_crash_is_opened_by_running_it_again(tmp_path: Path) -> None:
    run(tmp_path, few_sessions("tests.evaluation.runs.agents:Raises", tasks=("Coffee",)))
    [group] = read_report([RunFolder(tmp_path)]).failure_groups()
    assert group.failure.reason == "RuntimeError: no coffee"
    assert group.command == (
        "tatc debug --room kitchen-01 --task Coffee --seed 1 "
        "--commander tests.evaluation.runs.agents:Raises"
    )


def test_shards_are_joined(finished: Path, tmp_path: Path) -> None:
    for i in (1, 2):
        run(tmp_path / f"shard-{i}", few_sessions(seeds=(1, 2), shard=(i, 2)))
    runs = find_runs([tmp_path])
    joined, whole = read_report(runs), read_report([RunFolder(finished)])
    assert joined.rows == whole.rows and joined.expected_sessions == whole.expected_sessions
    assert joined.overall() == whole.overall()
    assert read_report(runs[:1]).expected_sessions < whole.expected_sessions


def test_other_runs_are_not_joined(finished: Path, tmp_path: Path) -> None:
    run(tmp_path, few_sessions(tasks=("Coffee",)))
    with pytest.raises(BadInput, match="options differ"):
        read_report(find_runs([finished, tmp_path]))
    with pytest.raises(BadInput, match="is no run and contains none"):
        find_runs([finished.parent / "nothing"])


def test_places_can_be_set_apart(finished: Path) -> None:
    report = read_report([RunFolder(finished)])
    (_, inside), (_, others) = report.scores_by_places({"kitchen-01"})
    assert (inside.sessions, others.sessions) == (len(report.executed_rows), 0)


RULE, ET = Contender("rule", "actions"), Contender("et", "steps")
BLANK = Contender("et-frame-blank", "steps", ablation_of="et (steps)")


def _pair(*counts: int) -> PairComparison:
    return PairComparison(RULE, ET, PairedOutcomes(*counts), (), ())


def test_ablations_are_compared_with_their_own_full_form() -> None:
    random = Contender("random", "actions")
    pairs = pairs_to_compare([RULE, ET, random, BLANK])
    assert pairs == [(RULE, ET), (RULE, random), (ET, BLANK)]
    assert pairs_to_compare([ET, BLANK]) == [(ET, BLANK)]


def test_the_verdict_is_one_sentence() -> None:
    assert _pair(11, 1, 0, 0).verdict() == (
        "rule (actions) solved 12 of 12, et (steps) 11 of 12: a difference of 8 points "
        "(-17 to 35), not significant: p = 1"
    )
    assert "of -100 points" in _pair(0, 0, 9, 0).verdict()
    assert _pair(0, 0, 9, 0).verdict().endswith(", significant: p = 0.0039")
    assert "no session in common" in _pair(0, 0, 0, 0).verdict()


def test_different_wordings_are_warned_of() -> None:
    pair = _pair(1, 0, 0, 0)
    assert "rule hears actions and et hears steps" in pair.first.wording_warning(pair.second)
    assert ET.wording_warning(BLANK) == ""
