"""What a Follower that perceives is shown of an instance's history."""

from dataclasses import replace
from pathlib import Path

import pytest

from tatc.evaluation.instances import play_instance as play_instance_module
from tatc.evaluation.instances.build_instances import InstanceDocument
from tatc.evaluation.instances.instance_players import FollowerPlayer
from tatc.evaluation.instances.play_instance import play_instance
from tatc.home.actions import Verb
from tatc.home.percepts import PerceptionLevel
from tatc.home.state import Snapshot
from tatc.session.records import Instance, parse_instance
from tatc.session.start import start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.command_line import run_tatc
from tests.evaluation.instances.perceiving_followers import Watcher, past_actions

WATCHER = "tests.evaluation.instances.perceiving_followers:Watcher"


def parsed(edh: tuple[InstanceDocument, ...]) -> list[Instance]:
    return [parse_instance(each, str(each["instance_id"])) for each in edh]


@pytest.mark.parametrize("level", list(PerceptionLevel))
def test_views_of_the_past_come_one_for_each_action_in_one_frame(
    edh: tuple[InstanceDocument, ...], played_game: Path, level: PerceptionLevel
) -> None:
    start = start_from_game(played_game, shipped_library(), None, (), 1)
    for instance in parsed(edh):
        watcher, sim = Watcher(), EmbeddedSimulator()
        player = FollowerPlayer(watcher)
        played = play_instance(sim, start.scene, instance, start.task, player, perception=level)
        assert played.stopped
        actions, now = past_actions(watcher.events), watcher.first_view
        assert len(watcher.views) == len(actions) > 0
        assert now is not None and {view.level for view in (*watcher.views, now)} == {level}
        assert watcher.views[0].body.position == (0.0, 0.0, 0.0)
        numbers = {each.number for each in actions} - {None}
        seen = {each.number for view in (*watcher.views, now) for each in view.percepts}
        assert numbers <= seen if level is PerceptionLevel.TRUTH else not numbers


class _Mistaken:
    """Takes every object of a history for one and the same."""

    def object_id_in(self, object_id: str, snapshot: Snapshot) -> str:
        return next(obj.objectId for obj in snapshot.objects if not obj.isPickedUp)


def test_what_was_taken_last_is_what_the_hand_holds(
    edh: tuple[InstanceDocument, ...], played_game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play_instance_module, "ObjectSubstitutes", _Mistaken)
    start = start_from_game(played_game, shipped_library(), None, (), 1)
    whole = max(parsed(edh), key=lambda each: len(each.history))
    last = max(k for k, each in enumerate(whole.history) if each.verb is Verb.PICKUP)
    instance = replace(whole, history=whole.history[: last + 1])
    watcher = Watcher()
    player = FollowerPlayer(watcher)
    sim, level = EmbeddedSimulator(), PerceptionLevel.TRUTH
    play_instance(sim, start.scene, instance, start.task, player, perception=level)
    *before, taken = [each for each in past_actions(watcher.events) if each.object_type]
    assert taken.verb is Verb.PICKUP
    assert before and taken.number not in {each.number for each in before}


def test_the_level_is_part_of_the_run(cut: Path, played_game: Path, tmp_path: Path) -> None:
    given = ["eval", str(cut), "--kind", "edh", "--games", str(played_game)]
    given += ["--follower", WATCHER, "--out", str(tmp_path / "run")]
    done = run_tatc(*given)
    assert done.exit_code == 0, done.stderr
    assert "perception truth" in done.stdout  # the default of one that perceives
    done = run_tatc(*given, "--perception", "masks")
    assert done.exit_code == 2 and "another run" in done.stderr
