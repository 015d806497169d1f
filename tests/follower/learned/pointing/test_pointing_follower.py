"""The pointing Follower: what it remembers of a home, its map, and its turns."""

import heapq
from collections import Counter
from dataclasses import replace
from math import dist

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.base.errors import BadInput
from tatc.follower.learned import InputMode
from tatc.follower.learned.pointing import (
    decision,
    floor_map,
    instance_memory,
    network,
    policy,
    way_ahead,
)  # fmt: skip
from tatc.follower.learned.pointing.checkpoint import PointingModel, new_model
from tatc.follower.learned.pointing.network_inputs import NETWORK_VERBS, encode_text
from tatc.follower.learned.pointing.pointing_follower import MAX_BUMPS, PointingFollower
from tatc.home.actions import (
    TRANSLATION_VERBS,
    Action,
    Click,
    FailureReport,
    Role,
    Utterance,
    Verb,
)
from tatc.home.assets import known_object_types
from tatc.home.observation import Observation, ObservedResult
from tatc.home.percepts import PerceptionLevel, View
from tatc.home.refusals import RefusalCode
from tatc.language import InstructionRequest, TaskDone, hear, say
from tatc.session.agents.session_setup import level_for_follower
from tatc.session.start import start_from_room
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.perception import Perception
from tatc.sim.rooms import load_room
from tatc.tdl import shipped_library

TYPES = tuple(sorted(known_object_types()))
IDS = {name: i for i, name in enumerate(TYPES, decision.FIRST_TYPE)}
TURNS = [Verb.TURN_RIGHT] * 4
OK, BLOCKED = ObservedResult(True), ObservedResult(False, RefusalCode.PATH_BLOCKED)


class Home:
    """A kitchen, and what a body in it sees, from its start or from another pose."""

    def __init__(self, *pose: float) -> None:
        start = start_from_room(load_room("kitchen-01"), shipped_library(),
                                shipped_library().find("Coffee"), (), 1)  # fmt: skip
        self.sim = EmbeddedSimulator()
        initial = start.scene.initial
        if pose:
            x, z, yaw, horizon = pose
            at = (x, initial.follower.position[1], z)
            body = replace(initial.follower, position=at, yaw=yaw, horizon=horizon)
            initial = replace(initial, follower=body)
        first = self.sim.reset(replace(start.scene, initial=initial))
        self._perception = Perception(self.sim, PerceptionLevel.MASKS, first.follower, 150)

    def view(self) -> View:
        found = self._perception.view()
        assert found is not None
        return found

    def walk(self, *verbs: Verb):
        for verb in verbs:
            yield self.sim.step(Role.FOLLOWER, Action(verb)).success, self.view()


@pytest.fixture
def home() -> Home:
    return Home()


def memory_of(home: Home, *verbs: Verb, mode: InputMode = InputMode.FULL):
    memory = decision.SessionMemory(IDS, mode)
    seen = memory.look(home.view())
    for _, view in home.walk(*verbs):
        seen = memory.look(view)
    return memory, seen


def test_instances_are_where_things_are_and_stay_themselves_after_a_turn(home: Home):
    memory, first = memory_of(home)
    before = list(memory.ordered[: first.in_view])
    for _, view in home.walk(*TURNS):
        last = memory.look(view)
    after = memory.ordered[: last.in_view]
    assert len(set(before) & set(after)) >= 0.9 * len(before)
    assert len(memory.instances.instances) > len(before)
    small = [each for each in after if each.size < 0.3]
    origin, snapshot = home.sim.snapshot().follower, home.sim.snapshot()
    assert origin.yaw % 90 == 0 and small
    frame = home._perception._frame
    for each in small:
        middle = frame.point_in_world(tuple(map(float, each.middle)))
        of_type = snapshot.of_type(each.object_type)
        assert min(dist(middle, obj.box.center) for obj in of_type) < 0.35


def test_what_is_no_longer_there_is_forgotten_and_the_box_in_a_view_is_its_own(home: Home):
    memory, seen = memory_of(home)
    small = [e for e in memory.ordered[: seen.in_view] if e.size < 0.3 and e.seen]
    chosen = max(small, key=lambda each: each.seen.pixel_count if each.seen else 0)
    view, gone = home.view(), chosen.seen.percept if chosen.seen else -1
    pixels, depth = view.pixels.copy(), view.depth.copy()
    pixels[view.pixels == gone], depth[view.pixels == gone] = -1, 9.0
    memory.look(replace(view, pixels=pixels, depth=depth))
    assert chosen not in memory.instances.instances
    rows, columns = np.nonzero(view.pixels == gone)
    assert chosen in small and len(rows) > 0 and columns.min() >= 0


def test_a_click_is_on_the_mask_and_a_refused_point_is_not_clicked_again(home: Home):
    memory, seen = memory_of(home)
    for each in memory.ordered[: seen.in_view]:
        crop = memory.instances.crop(each)
        cell = int(np.argmax(crop[0]))
        for off_border in (True, False):
            click = memory.instances.click_in(each, cell, off_border=off_border)
            row, column = int(click.y * 150), int(click.x * 150)
            assert each.seen and home.view().pixels[row, column] == each.seen.percept
    table = max(memory.ordered[: seen.in_view], key=lambda each: each.size)
    cell = int(np.argmax(memory.instances.crop(table)[0]))
    click = memory.instances.click_in(table, cell, off_border=True)
    memory.act(Verb.PLACE, table, click)
    assert memory.note_result(False) == (Verb.PLACE, table, click)
    memory.begin_utterance("again")
    again = memory.look(home.view())
    place = memory.ordered.index(table)
    assert memory.instances.crop(table)[0].flat[cell] == 0.0 and memory.failed is False
    assert again.features[place, 16] == 0.5


def test_numbers_say_what_is_held_done_and_told_again(home: Home):
    memory, _ = memory_of(home)
    mug = next(e for e in memory.ordered if e.seen)
    memory.begin_utterance("do it")
    memory.act(Verb.PICKUP, mug, memory.instances.click_in(mug, 27, off_border=True))
    memory.note_result(True)
    for _ in range(2):
        memory.act(Verb.FORWARD)
        memory.note_result(True)
    part = {k: v.tolist() for k, v in zip(decision.NUMBERS, [
        memory.look(home.view()).numbers[where] for where in decision.NUMBERS.values()
    ], strict=True)}  # fmt: skip
    assert part["held"] == [IDS[mug.object_type]] and part["count"] == [3]
    assert (part["run"], part["repeat"], part["told"]) == ([2], [2], [0])
    assert part["past_outcomes"][0] == 3 and part["recent"][-1] == NETWORK_VERBS.index(Verb.FORWARD)
    memory.begin_utterance("do it")
    numbers = memory.look(home.view()).numbers
    assert numbers[decision.NUMBERS["told"]] == [1] and numbers[decision.NUMBERS["run"]] == [0]
    assert numbers[decision.NUMBERS["past_outcomes"]][0] == 1


def test_the_map_turns_with_the_body_and_knows_where_it_was_blocked(home: Home):
    memory, first = memory_of(home)
    middle = floor_map.MIDDLE
    assert first.window[middle, middle] & floor_map.VISITED
    assert (first.window & floor_map.FLOOR_SEEN > 0).any()
    assert (first.window & floor_map.BLOCKED > 0).sum() > 10
    ((_, view),) = home.walk(Verb.TURN_RIGHT)
    turned = np.rot90(memory.look(view).window, -1)  # as it was before
    known = first.window > 0
    assert (turned[known] & first.window[known] == first.window[known]).mean() > 0.95
    for _ in range(40):
        ((success, view),) = home.walk(Verb.FORWARD)
        memory.act(Verb.FORWARD)
        failed = memory.note_result(success)
        seen = memory.look(view)
        if failed is not None:
            break
    assert seen.window[middle - 1, middle] & floor_map.BUMPED
    assert memory.is_bumped(Verb.FORWARD) and not memory.is_bumped(Verb.BACKWARD)


def test_depth_blocks_a_way_unless_the_body_has_been_there_and_was_not_refused_since():
    window = np.zeros((floor_map.WINDOW_SIDE,) * 2, np.uint8)
    window[floor_map.MIDDLE, floor_map.MIDDLE + 1] = floor_map.BLOCKED
    ways = [v for v in TRANSLATION_VERBS if floor_map.is_blocked_towards(window, v)]
    assert ways == [Verb.PAN_RIGHT]
    window |= floor_map.VISITED
    assert not any(floor_map.is_blocked_towards(window, v) for v in TRANSLATION_VERBS)
    window |= floor_map.BUMPED
    assert all(floor_map.is_blocked_towards(window, v) for v in TRANSLATION_VERBS)


def opened(home: Home):
    """Return a memory, and the drawer or door in view that it opened; None if it can open none."""
    memory, seen = memory_of(home)
    for each in memory.ordered[: seen.in_view]:
        if each.object_type in ("Cabinet", "Drawer", "Fridge"):
            click = memory.instances.click_in(each, 27, off_border=True)
            if home.sim.step(Role.FOLLOWER, Action(Verb.OPEN, click)).success:
                memory.act(Verb.OPEN, each, click)
                memory.note_result(True)
                return memory, each
    return None


def test_what_it_opened_stays_itself_and_blocks_until_it_is_closed(home: Home):
    poses = [
        (at.x, at.z, yaw, 30.0)
        for at in home.sim.reachable()[::5]
        for yaw in (0.0, 90.0, 180.0, 270.0)
    ]
    tried = ((there, opened(there)) for there in map(lambda pose: Home(*pose), poses))
    kinds = set[str]()
    for there, found in tried:
        if found is None or found[1].object_type in kinds:
            continue
        memory, each = found
        kinds.add(each.object_type)
        window = memory.look(there.view()).window
        assert each.seen is not None and (window & floor_map.BUMPED).any()
        share, away, _ = memory.instances.crop(each)
        nearest = int(np.where(share > 0.5, away, np.inf).argmin())
        click = memory.instances.click_in(each, nearest, off_border=True)
        assert there.sim.step(Role.FOLLOWER, Action(Verb.CLOSE, click)).success
        memory.floor.bump(memory.instances.view, Verb.BACKWARD)
        memory.act(Verb.CLOSE, each, click)
        memory.note_result(True)
        window = memory.look(there.view()).window
        assert each.seen is not None and not (window & floor_map.BUMPED).any()
        if len(kinds) == 3:
            break
    assert kinds == {"Cabinet", "Drawer", "Fridge"}


def test_a_door_that_leaves_its_box_when_it_opens_is_no_second_thing():
    there = Home(-0.75, -1.0, 180.0, 0.0)
    found = opened(there)
    assert found is not None and found[1].object_type == "Fridge"
    memory, fridge = found
    memory.look(there.view())
    assert [e for e in memory.instances.instances if e.object_type == "Fridge"] == [fridge]


def test_it_knows_which_ways_it_has_looked_here(home: Home):
    memory, first = memory_of(home)
    where = decision.NUMBERS["looked"]
    assert first.numbers[where].tolist() == [1, 0, 0, 0]
    ((_, view),) = home.walk(Verb.TURN_RIGHT)
    assert memory.look(view).numbers[where].tolist() == [1, 0, 0, 1]


def test_what_does_not_fit_is_not_done_again_before_something_else_is(home: Home):
    memory, _ = memory_of(home)
    one, other = [each for each in memory.ordered if each.seen][:2]
    click = memory.instances.click_in(one, 27, off_border=True)
    memory.act(Verb.OPEN, one, click)
    memory.note_result(False, fits=False)
    assert memory.is_futile(Verb.OPEN, one)
    assert not memory.is_futile(Verb.CLOSE, one) and not memory.is_futile(Verb.OPEN, other)
    memory.act(Verb.CLOSE, one, click)
    memory.note_result(True)
    assert not memory.is_futile(Verb.OPEN, one)
    assert memory.is_futile(Verb.CLOSE, one), "it is closed now"


def test_what_is_opened_counts_by_itself_what_is_taken_by_its_place_and_other_deeds_by_type(
    home: Home,
):
    memory, _ = memory_of(home)
    kinds = Counter(each.object_type for each in memory.ordered)
    kind = next(name for name, count in kinds.items() if count >= 3)
    first, second, third = [e for e in memory.ordered if e.object_type == kind][:3]
    for each in (first, first, second):
        for verb in (Verb.OPEN, Verb.PICKUP, Verb.SLICE):
            memory.act(verb, each, Click(0.5, 0.5))
    for verb, wanted in ((Verb.OPEN, [1, 0, 0]), (Verb.PICKUP, [1, 0, 0]), (Verb.SLICE, [2, 2, 2])):
        assert [memory.repeats(verb, each) for each in (first, second, third)] == wanted
    again = replace(first, last_verb=Verb.PLACE)
    assert memory.repeats(Verb.PICKUP, again) == 1, "it was put back"


def test_things_of_one_type_share_their_weight_and_the_aim_is_kept(home: Home):
    memory, seen = memory_of(home)
    kinds = Counter(each.object_type for each in memory.ordered)
    kind = next(name for name, count in kinds.items() if count >= 3)
    equal = [i for i, each in enumerate(memory.ordered) if each.object_type == kind]
    other = next(i for i, each in enumerate(memory.ordered) if each.object_type != kind)
    logits = torch.full((2 + len(memory.ordered),), -9.0)
    logits[2 + other] = 2.0
    logits[[2 + i for i in equal]] = torch.tensor([1.2 + 0.1 * (i % 3) for i in equal])
    assert policy.choose_aim(logits, memory, seen, ()) == 2 + other, "each for itself"
    memory.begin_utterance("words")
    nearest, farthest = equal[1], equal[2]
    seen.features[equal, 15], seen.features[nearest, 15] = 2.0, 1.0
    assert policy.choose_aim(logits, memory, seen, {kind}) == 2 + nearest
    memory.aim = memory.ordered[farthest]
    assert policy.choose_aim(logits, memory, seen, {kind}) == 2 + farthest, "as before"
    memory.ordered[farthest].refused_points = [np.zeros(3, np.float32)] * 4
    assert policy.choose_aim(logits, memory, seen, {kind}) != 2 + farthest, "it refuses clicks"


def test_the_head_is_not_turned_beyond_its_limit_again(home: Home):
    memory, _ = memory_of(home)
    memory.act(Verb.LOOK_DOWN)
    memory.note_result(False)
    assert memory.is_at_limit(Verb.LOOK_DOWN) and not memory.is_at_limit(Verb.LOOK_UP)
    ((_, view),) = home.walk(Verb.LOOK_UP)
    memory.look(view)
    assert not memory.is_at_limit(Verb.LOOK_DOWN)


def test_motions_lose_what_the_way_gets_longer_by():
    side, middle = floor_map.WINDOW_SIDE, floor_map.MIDDLE
    window = np.full((side, side), floor_map.FLOOR_SEEN, np.uint8)

    def losses(right: float, ahead: float) -> dict[Verb, int]:
        features = np.zeros((1, instance_memory.FEATURE_COUNT), np.float16)
        features[0, [2, 4, 5, 7]] = right / 2, ahead / 2, 0.2, 0.2
        numbers = np.zeros(0, np.int16)
        return way_ahead.losses(decision.Decision(features, numbers, 1, window, numbers), 0)

    ahead, right, there = losses(0, 2), losses(2, 0), losses(0, 0.5)
    assert ahead[Verb.FORWARD] == 0 and ahead[Verb.BACKWARD] == 2 == ahead[Verb.TURN_LEFT]
    assert right[Verb.PAN_RIGHT] == 0 == right[Verb.TURN_RIGHT] and right[Verb.FORWARD] > 0
    assert losses(0, -2)[Verb.BACKWARD] == 0 == losses(0, -2)[Verb.TURN_LEFT]
    assert min(there.values()) > 0, "it is there"
    window[middle - 1, middle] = floor_map.BLOCKED
    around = losses(0, 2)
    assert around[Verb.FORWARD] == way_ahead.MAX_LOSS
    assert around[Verb.PAN_LEFT] == 0 == around[Verb.PAN_RIGHT]
    window[:] = floor_map.BLOCKED
    none = np.zeros(0, np.int16)
    nowhere = decision.Decision(np.zeros((0, 1), np.float16), none, 0, window, none)
    assert way_ahead.losses(nowhere, None) == {}, "no floor is left to see"


def test_path_lengths_are_the_shortest_over_the_map():
    rng = np.random.default_rng(1)
    shape = (3, floor_map.WINDOW_SIDE, floor_map.WINDOW_SIDE)
    windows = rng.choice([0, 1, 2, 6, 8], shape, p=[0.2, 0.2, 0.4, 0.1, 0.1]).astype(np.uint8)
    costs, ends = floor_map.step_costs(windows), np.full(shape, floor_map.FAR)
    ends[:, 9, 9] = 0
    found = floor_map.path_lengths(costs, ends)
    for own, cost in zip(found, costs.astype(int), strict=True):
        best, queue = {(9, 9): 0}, [(0, 9, 9)]
        while queue:
            length, i, j = heapq.heappop(queue)
            for cell in ((i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)):
                if all(0 <= at < floor_map.WINDOW_SIDE for at in cell):
                    more = length + cost[cell]
                    if more < min(best.get(cell, 99), floor_map.FAR):
                        best[cell] = more
                        heapq.heappush(queue, (more, *cell))
        wanted = np.full(own.shape, floor_map.FAR)
        for cell, length in best.items():
            wanted[cell] = length
        assert (wanted[wanted < 40] == own[wanted < 40]).all()


def test_a_batch_scores_as_one_by_one_and_names_teach_unknown_types(home: Home):
    torch.manual_seed(1)
    model = new_model(("mug", "walk"), TYPES, width=8)
    memory, one = memory_of(home)
    ((_, view),) = home.walk(Verb.TURN_LEFT)
    two = memory.look(view)
    net = model.network.eval()
    texts = [encode_text(t, {"mug": 3, "walk": 4}) for t in ("walk one step, mug", "mug")]
    with torch.no_grad():
        both = network.make_batch(texts, [0, 1], [one, two])
        found = net.point(both)
        verbs, _ = net.act(both, found, found.logits.argmax(-1))
        for i, seen in enumerate((one, two)):
            single = network.make_batch(texts[i : i + 1], [0], [seen])
            own = net.point(single)
            count = own.logits.shape[1]
            assert torch.allclose(own.logits[0], found.logits[i, :count], atol=1e-4)
            alone, _ = net.act(single, own, own.logits.argmax(-1))
            assert torch.allclose(alone[0], verbs[i], atol=1e-4)


def model(verb: Verb | None = None) -> PointingModel:
    torch.manual_seed(1)
    made = new_model(("mug", "walk"), TYPES, width=8)
    made.network.eval()
    if verb is not None:
        with torch.no_grad():
            made.network.verb[-1].weight.zero_()
            made.network.verb[-1].bias.zero_()
            made.network.verb[-1].bias[NETWORK_VERBS.index(verb)] = 9.0
            made.network.no_instance.fill_(-9.0)
    return made


def told(home: Home, text: str = "", last: ObservedResult | None = None) -> Observation:
    said = (Utterance(Role.COMMANDER, text, 0.0),) if text else ()
    return Observation(said, last, None, None, home.view)


def test_it_asks_when_nobody_has_spoken_and_stops_when_all_is_done(home: Home):
    follower = PointingFollower(model())
    assert hear(follower.act(told(home)).text or "") == InstructionRequest()
    assert follower.act(told(home, say(TaskDone()))).verb is Verb.STOP


def test_it_does_something_before_it_says_that_it_is_done(home: Home):
    follower = PointingFollower(model(Verb.TEXT))
    assert follower.act(told(home, "walk one step")).verb is not Verb.TEXT
    assert hear(follower.act(told(home, last=OK)).text or "") == InstructionRequest()


def test_it_asks_when_an_utterance_takes_too_many_actions(home: Home):
    follower = PointingFollower(model(Verb.TURN_LEFT), InputMode.NO_REPEATS)
    acts = [follower.act(told(home, "walk one step"))]
    acts += [follower.act(told(home, last=OK)) for _ in range(decision.MAX_ACTIONS)]
    assert [a.verb is Verb.TEXT for a in acts] == [False] * decision.MAX_ACTIONS + [True]


def test_it_bears_a_few_blocked_steps_and_reports_a_refused_click_at_once(home: Home):
    follower = PointingFollower(model(Verb.TURN_LEFT))
    act = follower.act(told(home, "turn left"))
    for _ in range(MAX_BUMPS):
        act = follower.act(told(home, last=BLOCKED))
        assert act.verb is Verb.TURN_LEFT
    heard = hear(follower.act(told(home, last=BLOCKED)).text or "")
    assert isinstance(heard, FailureReport) and heard.step.verb is Verb.TURN_LEFT
    assert hear(follower.act(told(home)).text or "") == InstructionRequest()
    follower = PointingFollower(model(Verb.PICKUP), InputMode.NO_REACH)
    act = follower.act(told(home, "pick up the mug"))
    if act.verb is Verb.PICKUP:
        refused = ObservedResult(False, RefusalCode.NOT_PICKUPABLE)
        heard = hear(follower.act(told(home, last=refused)).text or "")
        assert isinstance(heard, FailureReport) and heard.step.click is not None


def test_what_is_given_can_be_switched_off(home: Home):
    def first(verb: Verb, mode: InputMode) -> Verb:
        follower = PointingFollower(model(verb), mode)
        return follower.act(told(home, "go on")).verb

    assert first(Verb.PLACE, InputMode.FULL) is not Verb.PLACE  # the hand is empty
    assert first(Verb.PLACE, InputMode.NO_REACH) is not Verb.PLACE
    follower = PointingFollower(model(Verb.FORWARD))
    follower.act(told(home, "walk"))
    assert follower.act(told(home, last=BLOCKED)).verb is not Verb.FORWARD
    follower = PointingFollower(model(Verb.FORWARD), InputMode.NO_BUMPS)
    follower.act(told(home, "walk"))
    assert follower.act(told(home, last=BLOCKED)).verb is Verb.FORWARD
    at_limit = ObservedResult(False, RefusalCode.LOOK_LIMIT)
    for mode, again in ((InputMode.FULL, False), (InputMode.NO_BUMPS, True)):
        follower = PointingFollower(model(Verb.LOOK_DOWN), mode)
        follower.act(told(home, "look down"))
        assert (follower.act(told(home, last=at_limit)).verb is Verb.LOOK_DOWN) is again


@pytest.mark.parametrize(
    ("text", "mode", "walks"),
    [
        ("walk two steps left", InputMode.FULL, True),
        ("open the fridge", InputMode.FULL, False),
        ("open the fridge", InputMode.NO_PATHS, True),
    ],
)
def test_words_that_tell_the_way_go_before_its_own_map(
    home: Home, text: str, mode: InputMode, walks: bool
):
    made = model(Verb.PAN_LEFT)
    with torch.no_grad():
        made.network.verb[-1].bias /= 4
    follower = PointingFollower(made, mode)
    assert (follower.act(told(home, text)).verb is Verb.PAN_LEFT) is walks


LASTING = (RefusalCode.MUST_BE_OFF, RefusalCode.NO_FITTING_TARGET, RefusalCode.ALREADY_OPEN)
PASSING = (RefusalCode.TARGET_TOO_FAR, RefusalCode.OCCLUDED, RefusalCode.BY_CHANCE)


@pytest.mark.parametrize("code", [*LASTING, *PASSING])
def test_what_another_place_or_moment_may_lift_is_tried_again(code: RefusalCode, home: Home):
    follower = PointingFollower(model())
    follower.memory.look(home.view())
    shown = next(each for each in follower.memory.ordered if each.seen)
    click = follower.memory.instances.click_in(shown, 27, off_border=True)
    follower.memory.act(Verb.OPEN, shown, click)
    follower.act(told(home, last=ObservedResult(False, code)))
    assert follower.memory.is_futile(Verb.OPEN, shown) is (code in LASTING)


def test_what_was_done_already_in_one_place_becomes_less_likely_and_nothing_is_undone(home: Home):
    follower = PointingFollower(model(Verb.TURN_LEFT))
    verbs = [follower.act(told(home, "turn left")).verb]
    verbs += [follower.act(told(home, last=OK)).verb for _ in range(12)]
    assert verbs[:8] == [Verb.TURN_LEFT] * 8 and verbs[-1] is not Verb.TURN_LEFT
    for mode, undoes in ((InputMode.FULL, False), (InputMode.NO_UNDOING, True)):
        follower = PointingFollower(model(Verb.TURN_LEFT), mode)
        follower.memory.begin_utterance("x")
        follower.read("turn")
        follower.memory.look(home.view())
        follower.memory.act(Verb.TURN_RIGHT)
        assert (follower.act(told(home, last=OK)).verb is Verb.TURN_LEFT) is undoes


@pytest.mark.parametrize("mode", [*InputMode][4:])
def test_each_form_plays_and_lacks_what_it_says(mode: InputMode, home: Home):
    torch.manual_seed(1)
    follower = PointingFollower(model(), mode)
    act, last = follower.act(told(home, "walk two steps, pick up the mug")), OK
    for _ in range(4):
        if act.verb is Verb.TEXT:
            act = follower.act(told(home, "walk two steps"))
            continue
        last = ObservedResult(home.sim.step(Role.FOLLOWER, act).success)
        act = follower.act(told(home, last=last))
    seen = follower.memory.look(home.view())
    if mode is InputMode.NO_MEMORY:
        assert seen.in_view == len(seen.types)
    if mode in (InputMode.NO_MAP, InputMode.NO_GEOMETRY):
        assert not seen.window.any()
    if mode is InputMode.NO_GEOMETRY:
        assert not seen.features[:, 1:].any() and seen.types.any()


def test_it_perceives_masks_alone():
    masks, truth = PerceptionLevel.MASKS, PerceptionLevel.TRUTH
    assert level_for_follower(None, PointingFollower, "et") is masks
    assert level_for_follower(masks, PointingFollower, "et") is masks
    with pytest.raises(BadInput, match="perceives masks alone"):
        level_for_follower(truth, PointingFollower, "et")
