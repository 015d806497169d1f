"""What the panes say: what is missing and why, what is in view, what has changed."""

from itertools import pairwise

import pytest

from tatc.apps.debugger import pane_texts
from tatc.apps.debugger.debugger import Debugger
from tatc.apps.debugger.follower_camera import FollowerCamera
from tatc.apps.debugger.moment_lines import line_of_moment, lines_around, progress_lines
from tatc.apps.debugger.pane_texts import changes_between
from tatc.apps.debugger.terminal_drawing import draw_map, plan_of_moment
from tatc.apps.debugger.widgets import timeline_bar_text
from tatc.home.actions import Verb
from tatc.home.state import ShortNames
from tatc.session.timeline import remaining_steps_at
from tatc.sim.top_view.plan_model import PlanFloor


@pytest.fixture(scope="module")
def sight(whole: Debugger) -> FollowerCamera:
    return FollowerCamera(whole.branch.session.start.scene)


def test_what_is_missing_is_told_with_its_reason(whole: Debugger):
    start = whole.moments[0]
    lines = [(each.is_met, each.text) for each in progress_lines(start.progress, start.snapshot)]
    assert lines[0] == (False, "Make a cup of coffee in a clean mug. 2 of 3")
    fill = next(i for i, (_, text) in enumerate(lines) if text.startswith("Fill this"))
    met, why = lines[fill + 1]
    assert not met
    assert why.endswith(".simbotIsFilledWithCoffee is not set, should be yes")
    end = whole.moments[-1]
    assert all(line.is_met for line in progress_lines(end.progress, end.snapshot))


def test_names_are_short_and_each_objects_own(whole: Debugger):
    snapshot = whole.moments[-1].snapshot
    names = ShortNames(snapshot)
    short = [names.name_of(obj.objectId) for obj in snapshot.objects]
    assert len(set(short)) == len(short)
    mug = snapshot.of_type("Mug")[0].objectId
    assert names.shorten(f"Rinse(object_id='{mug}')") == f"Rinse({names.name_of(mug)})"
    assert names.shorten("Unicorn|+00.00|+01.00|+02.00 hides") == "Unicorn hides"


def test_changes_are_those_that_a_deed_makes(whole: Debugger):
    for before, after in pairwise(whole.moments):
        done = after.interaction
        changes = list(changes_between(before.snapshot, after.snapshot))
        found = {(each.object_name, each.property_name) for each in changes}
        if done.verb is Verb.TEXT:
            assert not found
        if done.verb is Verb.TURN_LEFT:
            assert ("Follower", "pose") in found
        if done.verb is Verb.TOGGLE_ON and done.success:
            name = ShortNames(after.snapshot).name_of(done.object_id)
            [change] = [each for each in changes if each.property_name == "isToggled"]
            assert change.object_name == name
            assert (change.before, change.after) == ("no", "yes")


def test_what_is_clicked_on_was_in_view(whole: Debugger, sight: FollowerCamera):
    for before, after in pairwise(whole.moments):
        done = after.interaction
        if done.click is None or not done.success:
            continue
        seen = {each.obj.objectId: each for each in sight.visible_objects(before.snapshot)}
        assert done.object_id in seen
        if done.click.x < 0.1 and seen[done.object_id].frame_fraction < 0.02:
            assert seen[done.object_id].side == "left"


def test_a_click_means_the_id_or_the_short_name_that_is_named(
    whole: Debugger, sight: FollowerCamera
):
    clicks = 0
    for moment in whole.moments[:: len(whole.moments) // 4]:
        names = ShortNames(moment.snapshot)
        for seen in sight.visible_objects(moment.snapshot):
            object_id = seen.obj.objectId
            for name in (object_id, f"the {names.name_of(object_id).lower()}"):
                click = sight.find_click(moment.snapshot, Verb.PICKUP, name)
                assert sight.object_id_at(moment.snapshot, click) == object_id
            clicks += 1
    assert clicks > 20


@pytest.mark.parametrize(("width", "height"), [(50, 30), (20, 7), (8, 1)])
def test_the_story_fits_and_shows_the_moment(whole: Debugger, width: int, height: int):
    for at in range(0, len(whole.moments), 5):
        rows = lines_around(whole.moments, at, width, height)
        assert len(rows) <= height
        assert any(here and line.moment_index == at for line, here in rows)
        assert all(len(line.text) <= max(width, 8) for line, _ in rows)
        indices = [line.moment_index for line, _ in rows]
        assert indices == sorted(indices)


def test_no_moment_is_left_out_of_the_story(whole: Debugger):
    last = len(whole.moments) - 1
    rows = lines_around(whole.moments, last, 400, 400)
    text = " ".join(line.text for line, _ in rows)
    names = ShortNames(whole.moments[last].snapshot)
    for moment in whole.moments:
        if moment.interaction is None or moment.utterance is not None:
            assert line_of_moment(moment, names).text in text
    walked = sum(m.interaction.verb is Verb.FORWARD for m in whole.moments[1:])
    shown = sum(
        int(part.partition(" x")[2] or 1)
        for line, _ in rows
        for part in line.text.split(", ")
        if part.partition(" x")[0] == "Forward"
    )
    assert shown == walked


@pytest.mark.parametrize("width", [20, 60, 150])
def test_the_timeline_marks_where_one_is(whole: Debugger, width: int):
    whole.go_to(0)
    assert len(timeline_bar_text(whole, width).plain) == width
    text = timeline_bar_text(whole, width)
    assert "reverse" in str(text.spans[0].style)
    assert "▲" in text.plain
    whole.go_to(10_000)
    assert "reverse" in str(timeline_bar_text(whole, width).spans[-1].style)


@pytest.mark.parametrize(("columns", "rows"), [(60, 24), (12, 5), (4, 2), (200, 60)])
def test_the_map_shows_both_agents_at_any_size(whole: Debugger, columns: int, rows: int):
    floor = PlanFloor.of_scene(whole.branch.session.start.scene)
    half = len(whole.moments) // 2
    moment, left = whole.moments[half], remaining_steps_at(whole.moments, half)
    canvas = draw_map(plan_of_moment(floor, whole.moments, half, left, ()), columns, rows)
    assert canvas.pixels.shape == (2 * rows, columns, 3)
    lines = ["".join(part.text for part in line) for line in canvas.segment_rows()]
    assert [len(line) for line in lines] == [columns] * rows
    arrow = "▲▶▼◀"[round(moment.snapshot.follower.yaw / 90) % 4]
    assert arrow in "".join(lines)


def test_every_pane_has_something_to_say_at_every_moment(whole: Debugger, sight: FollowerCamera):
    for at in range(0, len(whole.moments), 7):
        whole.go_to(at)
        for text in pane_texts.all_pane_texts(whole, sight):
            assert text.plain
        assert pane_texts.objects_text(whole, "mug", 40).plain.count("Mug") >= 1
    assert "no object matches" in pane_texts.objects_text(whole, "unicorn", 40).plain
