"""The Python API; importing tatc stays cheap, and mistakes are named."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tatc
from tatc.base.errors import BadInput, UnknownName
from tatc.commander import RuleCommander
from tatc.follower import RuleFollower
from tatc.session.records import read_record, write_record


def test_what_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such"):
        _ = tatc.no_such  # type: ignore[attr-defined]


def test_a_policy_is_replaced_only_where_that_is_said(tmp_path: Path) -> None:
    text = """
from tatc.commander.policies import policy

@policy("isDirty"{override})
def leave_it(key, known):
    return ()
"""
    path = tmp_path / "is_dirty.py"
    path.write_text(text.format(override=""))
    with pytest.raises(BadInput, match=r"is_dirty\.py:4: two policies .*override=True"):
        tatc.run("clean all x", room="kitchen-01", policies=[tmp_path])
    path.write_text(text.format(override=", override=True"))
    assert "isDirty" not in _deciders(policies=[tmp_path])
    assert "isDirty" in _deciders(), "ours is back"


def _deciders(policies: Sequence[Path] = ()) -> set[str]:
    record = tatc.run("clean all x", room="kitchen-01", policies=policies)
    return {decision.policy for decision in record.decisions}


@pytest.mark.parametrize(
    ("content", "why"), [("import no_such_module", "ModuleNotFoundError"), ("1 +", "SyntaxError")]
)
def test_a_broken_policy_file_is_named(tmp_path: Path, content: str, why: str) -> None:
    (tmp_path / "mine.py").write_text(content)
    with pytest.raises(BadInput, match=rf"mine\.py: cannot be imported: {why}"):
        tatc.run("coffee", policies=[tmp_path])


def test_a_folder_without_policies_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds no policy files"):
        tatc.run("coffee", policies=[tmp_path])
    with pytest.raises(BadInput, match="cannot be read"):
        tatc.run("coffee", policies=[tmp_path / "none"])


class Silent(RuleFollower):
    """A Follower of the test's own, which takes what it says from an argument."""

    def __init__(self, note: str = "") -> None:
        super().__init__()
        self.note = note


def _silent() -> Silent:
    return Silent("made by a function")


@pytest.mark.parametrize(
    ("follower", "name"),
    [(Silent, "Silent"), (_silent, "_silent"), (Silent("given"), "Silent")],
    ids=["class", "factory", "instance"],
)
def test_an_agent_is_given_as_a_class_a_factory_or_an_instance(follower: Any, name: str) -> None:
    record = tatc.run("coffee", room="kitchen-01", follower=follower)
    assert record.success
    assert dict(record.options)["follower"] == f"{__name__}:{name}"


def test_a_commander_is_given_likewise() -> None:
    record = tatc.run("coffee", room="kitchen-01", commander=RuleCommander)
    by_name = tatc.run("coffee", room="kitchen-01")
    assert record.interactions == by_name.interactions
    with pytest.raises(BadInput, match="a wording is for the rule Commander"):
        tatc.run("coffee", commander=RuleCommander, wording="steps")


@pytest.mark.parametrize("follower", [Silent, _silent, Silent("given")])
def test_many_sessions_take_an_agent_of_any_form(follower: Any, tmp_path: Path) -> None:
    asked = {"rooms": "kitchen-01", "tasks": "coffee", "seeds": 1, "out": tmp_path / "run"}
    report = tatc.evaluate(**asked, follower=follower)
    assert [row.success for row in report.rows] == [True]
    if not isinstance(follower, type):  # no other process could find it
        with pytest.raises(BadInput, match="workers: an agent that is no class of a module"):
            tatc.evaluate(**asked, follower=follower, workers=2)


def test_agents_of_any_form_are_compared(tmp_path: Path) -> None:
    asked = {"rooms": "kitchen-01", "tasks": ("coffee",), "seeds": [1], "out": tmp_path}
    found = tatc.compare([Silent("given"), "rule"], **asked)
    assert found.pairs[0].paired.first_successes == found.pairs[0].paired.second_successes == 1
    with pytest.raises(BadInput, match="Silent: is the name of two agents"):
        tatc.compare([Silent("one"), Silent("two")], **asked)
    with pytest.raises(BadInput, match="a comparison takes two"):
        tatc.compare("rule", **asked)  # one text is one Follower, not four letters


@pytest.mark.parametrize("seed", [float("inf"), 1.5, True, "", "x/../../y", None, 10**400])
def test_a_seed_is_a_whole_number(seed: Any, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="seed: should be a whole number of at most 64 bits, is "):
        tatc.run("coffee", room="kitchen-01", seed=seed)
    for given in ({"seed": seed}, {"seeds": [1, seed]}):
        with pytest.raises(BadInput, match="should be a whole number of at most 64 bits, is "):
            tatc.evaluate(**given, rooms=["kitchen-01"], tasks=["coffee"], out=tmp_path)


@pytest.mark.parametrize("given", [7, Path, lambda: 7], ids=["number", "class", "factory"])
def test_what_is_no_agent_is_refused(given: Any) -> None:
    with pytest.raises(BadInput, match="is no Follower: it lacks `begin` or `act`"):
        tatc.run("coffee", room="kitchen-01", follower=given)


def test_errors_name_arguments_and_not_options() -> None:
    with pytest.raises(BadInput, match=r"^a game brings its own room \(leave out room=\)"):
        tatc.run(room="kitchen-01", game="coffee.game.json")
    with pytest.raises(BadInput, match=r"name another followers=, commanders=, policies= or"):
        tatc.compare()
    with pytest.raises(BadInput, match=r"^perception: the Follower .* another follower="):
        tatc.run("coffee", perception="masks")
    with pytest.raises(BadInput, match=r"needs a model to ask .*`tatc run --model`"):
        tatc.run("coffee", follower="llm")  # no argument names one
    with pytest.raises(BadInput, match=r"`tatc understand DIALOGUE --goals FILE"):
        tatc.run("coffee", goals="none")  # a command's options stay
    with pytest.raises(BadInput, match=r"^able: should be .*as in rule,rule"):
        tatc.blame("coffee.game.json", able=("rule",))


@pytest.mark.parametrize("name", ["task", "room", "game", "floor_map", "params", "policies"])
@pytest.mark.parametrize("given", [102.0, True])
def test_names_are_texts_paths_or_whole_numbers(name: str, given: Any) -> None:
    with pytest.raises(BadInput, match=rf"^{name}: should be a name, .*, is {given} \("):
        tatc.run(**{"task": None if name == "game" else "coffee", name: given})


def test_a_record_is_one_line() -> None:
    shown = repr(tatc.run("coffee", room="kitchen-01"))
    assert shown.startswith("<Record Coffee in kitchen-01: success, 3 of 3 goal conditions, ")
    assert "\n" not in shown


def test_the_api_is_listed_before_it_is_imported() -> None:
    code = "import sys, tatc; print(*dir(tatc)); print(*[m for m in sys.modules if 'tatc.' in m])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    listed, imported = done.stdout.splitlines()
    assert {"run", "evaluate", "compare", "load_game"} <= set(listed.split())
    assert imported == "tatc.base tatc.base.version"


def test_agents_of_ones_own_are_checked() -> None:
    with pytest.raises(BadInput, match="is no Follower"):
        tatc.run("coffee", follower="pathlib:Path")
    with pytest.raises(BadInput, match="did you mean"):
        tatc.run("coffee", commander="shift")


@pytest.mark.parametrize(
    ("name", "offer"),
    [
        ("kitchen01", "(did you mean 'kitchen-01'? fix)"),
        ("Kitchen_01", "(did you mean 'kitchen-01'? fix)"),
        ("bathrom-02", "(did you mean 'bathroom-02'? fix)"),
        ("nothing", "(fix)"),
    ],
)
def test_a_wrong_name_offers_what_is_meant(name: str, offer: str) -> None:
    known = ("kitchen-01", "kitchen-10", "kitchen-30", "bathroom-02")
    assert str(UnknownName("room", name, known, fix="fix")).endswith(offer)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"save_records": "failed"}, "'failed'.*name failures, all or none"),
        ({"follower": "RuleCommander"}, "unknown Follower 'RuleCommander'"),
    ],
)
def test_unknown_names_of_an_evaluation_are_refused(
    given: dict[str, str], why: str, tmp_path: Path
) -> None:
    with pytest.raises(UnknownName, match=why):
        tatc.evaluate(rooms=["kitchen-01"], tasks=["coffee"], out=tmp_path, **given)


def test_followers_are_compared(tmp_path: Path) -> None:
    watched: list[str] = []
    found = tatc.compare(
        ["rule", "random"],
        rooms=["kitchen-01"],
        tasks=["coffee"],
        out=tmp_path / "runs",
        watch=lambda contender, row: watched.append(contender.label),
    )
    assert watched == list(found.reports) == ["rule (actions)", "random (actions)"]
    [pair] = found.pairs
    assert pair.paired.sessions == 1 and pair.paired.difference == 1
    with pytest.raises(BadInput, match="a comparison takes two"):
        tatc.compare(["rule"], rooms=["kitchen-01"])


NUMBERS = {"task": np.int64(108), "seed": np.int16(3), "noise": np.float32(0.25)}


def test_numpys_numbers_are_numbers(tmp_path: Path) -> None:
    record = tatc.run(params=("count=1", "food=Tomato"), room="kitchen-01", **NUMBERS)
    write_record(record, tmp_path / "it.game.json")
    assert read_record(tmp_path / "it.game.json").seed == 3
    plain = {"task": 108, "seed": 3.0, "noise": 0.25}
    assert tatc.run(params=("count=1", "food=Tomato"), room="kitchen-01", **plain) == record
    record = tatc.run(108, params=[np.int64(1), "Tomato"], room="kitchen-01")
    assert record.definition["task_params"][:2] == ["1", "Tomato"]
    report = tatc.evaluate(
        rooms=["kitchen-01"],
        tasks=[102],
        seeds=np.arange(1, 3),
        limit=np.int8(1),
        out=tmp_path / "run",
    )
    assert report.rows[0].task == "Coffee"


@pytest.mark.parametrize("noise", [np.nan, -0.1, 1.5, np.float32(2), True, "0.1", None])
def test_a_noise_is_a_probability(noise: Any) -> None:
    with pytest.raises(BadInput, match=r"^noise: should be a number from 0 to 1"):
        tatc.run("coffee", room="kitchen-01", noise=noise)


@pytest.mark.parametrize("name", ["limit", "workers"])
@pytest.mark.parametrize("count", [0, -1, 1.5, True, "1"])
def test_limits_and_workers_are_counts(name: str, count: Any, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=rf"^{name}: should be"):
        tatc.evaluate(rooms=["kitchen-01"], tasks="coffee", **{name: count}, out=tmp_path)
