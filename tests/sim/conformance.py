"""What every simulator backend must do, as a class of tests to inherit.

A backend's test module makes a subclass with one method, `make`, that returns a
simulator; everything else is inherited.  The scene is the little kitchen of
`tests.sim.box_kitchen`.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator

import pytest

from tatc.base.errors import UsageError
from tatc.home.actions import Action, ActionResult, Click, Role, Verb
from tatc.home.camera.clicks import eye_of
from tatc.home.refusals import RefusalCode
from tatc.home.state import ABSENT, Box, ObjectState, Scene, Snapshot, Vec3
from tatc.sim.protocol import Simulator
from tests.sim.box_kitchen import kitchen

TURNS_TO_HEADING = {
    "north": (),
    "east": (Verb.TURN_RIGHT,),
    "west": (Verb.TURN_LEFT,),
    "south": (Verb.TURN_RIGHT, Verb.TURN_RIGHT),
}


class SimulatorDriver:
    """Drives a simulator by words: where to look, what to do to which kind."""

    def __init__(self, sim: Simulator, scene: Scene | None = None) -> None:
        self.sim = sim
        self.sim.reset(scene or kitchen())
        self.heading = "north"

    def face(self, heading: str) -> None:
        turns = (*reversed(TURNS_TO_HEADING[self.heading]), *TURNS_TO_HEADING[heading])
        back = {Verb.TURN_RIGHT: Verb.TURN_LEFT, Verb.TURN_LEFT: Verb.TURN_RIGHT}
        undone = len(TURNS_TO_HEADING[self.heading])
        for i, verb in enumerate(turns):
            done = self.sim.step(Role.FOLLOWER, Action(back[verb] if i < undone else verb))
            assert done.success
        self.heading = heading

    def do_to_type(
        self, verb: Verb, kind: str, rise: float = 0.0, aside: float = 0.0
    ) -> ActionResult:
        """Click on the first object of a kind, metres above or east of its middle."""
        x, y, z = self.first_of_type(kind).box.center
        return self.click(verb, (x + aside, y + rise, z))

    def click(self, verb: Verb, point: Vec3) -> ActionResult:
        eye = eye_of(self.sim.snapshot().follower)
        across, down, depth = eye.project(point)
        assert depth > 0 and 0 <= across < 1 and 0 <= down < 1, "not in view"
        return self.sim.step(Role.FOLLOWER, Action(verb, Click(across, down)))

    def do_successfully(self, verb: Verb, kind: str, rise: float = 0.0, aside: float = 0.0) -> str:
        """Click as `do_to_type` does; return the id of the object that it was done to."""
        result = self.do_to_type(verb, kind, rise, aside)
        assert result.success and result.object_id, f"{verb} {kind}: {result.message}"
        return result.object_id

    def open_drawer(self) -> None:
        """Click on the front of the drawer, which is all that shows of it."""
        drawer = self.first_of_type("Drawer").box
        x, y, z = drawer.center
        result = self.click(Verb.OPEN, (x, y - 0.05, z - drawer.size[2] / 2))
        assert result.success, result.message

    def first_of_type(self, kind: str) -> ObjectState:
        found = self.sim.snapshot().of_type(kind)
        return next(o for o in found if not o.isSliced and not o.isPickedUp)

    def object_by_id(self, object_id: str) -> ObjectState:
        obj = self.sim.snapshot().get(object_id)
        assert obj is not None
        return obj

    def take_from_table(self, kind: str) -> str:
        self.face("south")
        return self.do_successfully(Verb.PICKUP, kind)


class SimulatorConformance(ABC):
    """Inherit, and give `make`."""

    @abstractmethod
    def make(self) -> Simulator: ...

    @pytest.fixture
    def sim(self) -> Iterator[Simulator]:
        sim = self.make()
        yield sim
        sim.close()

    def comparable(self, snapshot: Snapshot) -> Snapshot:
        """Return a snapshot with what restoring is allowed to change set aside."""
        return snapshot

    @pytest.fixture
    def hand(self, sim: Simulator) -> SimulatorDriver:
        return SimulatorDriver(sim)

    # The life of a session

    def test_nothing_works_before_reset(self, sim: Simulator):
        for call in (
            lambda: sim.step(Role.FOLLOWER, Action(Verb.FORWARD)),
            sim.snapshot,
            sim.capture,
            sim.reachable,
        ):
            with pytest.raises(UsageError):
                call()

    def test_reset_gives_every_object_its_classes(self, sim: Simulator):
        start = sim.reset(kitchen())
        mug = start.of_type("Mug")[0]
        assert isinstance(mug.simbotObjectClass, tuple)
        assert {"Mug", "Drinkware"} <= set(mug.simbotObjectClass)
        assert all(o.simbotObjectClass is not ABSENT for o in start.objects)
        assert sim.snapshot() == start

    def test_reset_forgets_the_session_before(self, hand: SimulatorDriver):
        start = hand.sim.snapshot()
        hand.do_successfully(Verb.PICKUP, "Mug")
        hand.sim.step(Role.FOLLOWER, Action(Verb.TURN_LEFT))
        assert hand.sim.reset(kitchen()) == start

    def test_restore_puts_everything_back(self, hand: SimulatorDriver):
        hand.do_successfully(Verb.PICKUP, "Knife")
        kept = hand.sim.snapshot()
        hand.face("south")
        hand.do_successfully(Verb.SLICE, "Bread")
        assert hand.sim.snapshot() != kept
        hand.sim.restore(kept)
        assert self.comparable(hand.sim.snapshot()) == self.comparable(kept)
        hand.heading = "north"
        hand.face("south")
        assert hand.do_to_type(Verb.SLICE, "Bread").success

    def test_a_snapshot_never_changes(self, hand: SimulatorDriver):
        kept = hand.sim.snapshot()
        before = kept.objects, kept.follower
        hand.do_successfully(Verb.PICKUP, "Mug")
        hand.sim.step(Role.FOLLOWER, Action(Verb.TURN_LEFT))
        assert (kept.objects, kept.follower) == before
        assert kept.held_object() is None

    def test_a_session_can_be_had_again_after_close(self, sim: Simulator):
        start = sim.reset(kitchen())
        sim.close()
        assert sim.reset(kitchen()) == start

    # Motion

    def test_the_body_walks_where_it_can_stand(self, hand: SimulatorDriver):
        reachable = hand.sim.reachable()
        assert (0.0, 0.0) in {(pose.x, pose.z) for pose in reachable}
        assert list(reachable) == sorted(reachable, key=lambda p: (p.x, p.z))
        assert all(pose.yaw == pose.horizon == 0.0 for pose in reachable)
        blocked = [hand.sim.step(Role.FOLLOWER, Action(Verb.FORWARD)) for _ in range(8)][-1]
        assert blocked.refusal_code is RefusalCode.PATH_BLOCKED and blocked.hint
        here = hand.sim.snapshot().follower.pose
        assert (here.x, here.z) in {(pose.x, pose.z) for pose in reachable}

    def test_turns_and_looks(self, hand: SimulatorDriver):
        for verb in (Verb.TURN_RIGHT, Verb.LOOK_DOWN):
            assert hand.sim.step(Role.FOLLOWER, Action(verb)).success
        follower = hand.sim.snapshot().follower
        assert (follower.yaw, follower.horizon) == (90.0, 60.0)
        assert not hand.sim.step(Role.FOLLOWER, Action(Verb.LOOK_DOWN)).success

    def test_the_commander_moves_its_camera_and_nothing_else(self, hand: SimulatorDriver):
        before = hand.sim.snapshot()
        assert hand.sim.step(Role.FOLLOWER, Action(Verb.STOP)).success
        assert hand.sim.snapshot() == before, "to stop is to do nothing"
        for verb in (Verb.FORWARD, Verb.LOOK_UP, Verb.TURN_RIGHT):
            assert hand.sim.step(Role.COMMANDER, Action(verb)).success
        after = hand.sim.snapshot()
        assert after.commander.position == pytest.approx((0.0, 2.15, 0.25))
        assert (after.commander.yaw, after.commander.horizon) == (90.0, 30.0)
        assert (after.objects, after.follower) == (before.objects, before.follower)
        middle = Click(0.5, 0.5)
        assert not hand.sim.step(Role.COMMANDER, Action(Verb.PICKUP, middle)).success

    @pytest.mark.parametrize("verb", [Verb.MOVE_UP, Verb.TEXT, Verb.PICKUP])
    def test_unknown_verbs_and_clicks_without_a_place_fail_as_values(
        self, hand: SimulatorDriver, verb: Verb
    ):
        result = hand.sim.step(Role.FOLLOWER, Action(verb))
        assert not result.success and result.message

    # The eight interactions, and one wrong case of each

    def test_pickup(self, hand: SimulatorDriver):
        mug = hand.do_successfully(Verb.PICKUP, "Mug")
        held = hand.sim.snapshot().held_object()
        assert held is not None and held.objectId == mug
        assert held.objectType == "Mug" and held.parentReceptacles is None
        assert held.simbotPickedUp == 1 and held.simbotLastParentReceptacle is None

    def test_a_full_hand_takes_nothing_and_an_empty_mug_pours_nothing(self, hand: SimulatorDriver):
        hand.do_successfully(Verb.PICKUP, "Mug")
        kept = hand.sim.snapshot()
        assert not hand.do_to_type(Verb.PICKUP, "Plate").success
        assert not hand.do_to_type(Verb.POUR, "SinkBasin").success
        assert hand.sim.snapshot() == kept

    def test_what_stands_on_a_thing_comes_along(self, hand: SimulatorDriver):
        hand.take_from_table("Tomato")
        hand.face("north")
        hand.do_successfully(Verb.PLACE, "Plate")
        plate = hand.do_successfully(Verb.PICKUP, "Plate", aside=0.1)
        tomato = hand.first_of_type("Tomato")
        assert tomato.parentReceptacles == (plate,)
        hand.face("west")
        start = hand.first_of_type("Tomato").position
        hand.face("south")
        assert hand.first_of_type("Tomato").position != start
        assert hand.do_to_type(Verb.PLACE, "DiningTable", 0.3).success
        table = hand.first_of_type("DiningTable").objectId
        assert set(hand.first_of_type("Tomato").parentReceptacles or ()) == {plate, table}

    def test_place_needs_something_in_hand(self, hand: SimulatorDriver):
        refused = hand.do_to_type(Verb.PLACE, "CounterTop")
        assert refused.refusal_code is RefusalCode.HAND_EMPTY and refused.hint

    def test_place_keeps_teachs_books(self, hand: SimulatorDriver):
        mug = hand.do_successfully(Verb.PICKUP, "Mug")
        counter = hand.do_successfully(Verb.PLACE, "CounterTop")
        assert hand.object_by_id(mug).simbotLastParentReceptacle == counter
        assert hand.object_by_id(mug).parentReceptacles == (counter,)
        assert hand.object_by_id(counter).simbotIsReceptacleOf == (mug,)
        hand.do_successfully(Verb.PICKUP, "Mug")
        assert hand.object_by_id(counter).simbotIsReceptacleOf == ()

    def test_too_much_does_not_fit(self, hand: SimulatorDriver):
        hand.take_from_table("Bread")
        hand.face("east")
        refused = hand.do_to_type(Verb.PLACE, "CoffeeMachine")
        no_room = (RefusalCode.NO_FREE_POSITION, RefusalCode.TYPE_NOT_ACCEPTED)
        assert refused.refusal_code in no_room and refused.hint

    def test_a_shut_case_takes_nothing_and_hides_what_is_in_it(self, hand: SimulatorDriver):
        assert not hand.do_to_type(Verb.PICKUP, "SaltShaker").success
        hand.do_successfully(Verb.PICKUP, "Mug")
        hand.face("west")
        refused = hand.do_to_type(Verb.PLACE, "Microwave")
        assert refused.refusal_code is RefusalCode.RECEPTACLE_CLOSED

    def test_open_and_close(self, hand: SimulatorDriver):
        hand.face("west")
        hand.do_successfully(Verb.OPEN, "Microwave")
        assert hand.first_of_type("Microwave").isOpen
        again = hand.do_to_type(Verb.OPEN, "Microwave")
        assert again.refusal_code is RefusalCode.NO_FITTING_TARGET and again.hint
        hand.do_successfully(Verb.CLOSE, "Microwave")
        assert not hand.first_of_type("Microwave").isOpen

    def test_a_running_microwave_stays_shut_and_an_open_one_off(self, hand: SimulatorDriver):
        hand.face("west")
        hand.do_successfully(Verb.TOGGLE_ON, "Microwave")
        refused = hand.do_to_type(Verb.OPEN, "Microwave")
        assert refused.refusal_code is RefusalCode.MUST_BE_OFF
        hand.do_successfully(Verb.TOGGLE_OFF, "Microwave")
        hand.do_successfully(Verb.OPEN, "Microwave")
        assert not hand.do_to_type(Verb.TOGGLE_ON, "Microwave").success

    def test_switches_act_once_and_a_knob_heats_its_burner(self, hand: SimulatorDriver):
        hand.do_successfully(Verb.TOGGLE_ON, "Faucet")
        assert hand.first_of_type("Faucet").isToggled
        assert not hand.do_to_type(Verb.TOGGLE_ON, "Faucet").success
        hand.do_successfully(Verb.TOGGLE_OFF, "Faucet")
        assert not hand.do_to_type(Verb.TOGGLE_OFF, "Faucet").success
        hand.face("east")
        hand.do_successfully(Verb.TOGGLE_ON, "StoveKnob")
        assert "Hot" in hand.first_of_type("StoveBurner").ObjectTemperature
        hand.do_successfully(Verb.TOGGLE_OFF, "StoveKnob")
        assert "Hot" not in hand.first_of_type("StoveBurner").ObjectTemperature

    def test_slicing_needs_a_knife(self, hand: SimulatorDriver):
        hand.face("south")
        refused = hand.do_to_type(Verb.SLICE, "Bread")
        assert refused.refusal_code is RefusalCode.NO_KNIFE
        hand.take_from_table("Egg")
        assert not hand.do_to_type(Verb.SLICE, "Bread").success

    def test_slicing(self, hand: SimulatorDriver):
        hand.do_successfully(Verb.PICKUP, "Knife")
        hand.face("south")
        bread = hand.do_successfully(Verb.SLICE, "Bread")
        whole = hand.object_by_id(bread)
        assert whole.isSliced and whole.simbotObjectClass is ABSENT
        slices = hand.sim.snapshot().of_type("BreadSliced")
        assert len(slices) >= 4
        for piece in slices:
            assert piece.objectId.startswith(f"{bread}|BreadSliced_")
            assert piece.affordances.pickupable and not piece.affordances.sliceable
            assert isinstance(piece.simbotObjectClass, tuple)
            assert "BreadSliced" not in piece.simbotObjectClass

    def test_what_is_far_is_out_of_reach(self, hand: SimulatorDriver):
        refused = hand.do_to_type(Verb.PICKUP, "Cup")
        assert refused.refusal_code is RefusalCode.TARGET_TOO_FAR and refused.hint

    # What the rules of water, coffee and heat make of it

    def test_running_water_rinses_and_fills(self, hand: SimulatorDriver):
        mug = hand.do_successfully(Verb.PICKUP, "Mug")
        hand.do_successfully(Verb.PLACE, "SinkBasin", -0.05)
        assert hand.object_by_id(mug).simbotIsFilledWithWater is ABSENT
        hand.do_successfully(Verb.TOGGLE_ON, "Faucet")
        assert hand.object_by_id(mug).isFilledWithLiquid
        assert hand.object_by_id(mug).simbotIsFilledWithWater == 1

    def test_a_dirty_plate_comes_clean(self, hand: SimulatorDriver):
        hand.do_successfully(Verb.TOGGLE_ON, "Faucet")
        plate = hand.do_successfully(Verb.PICKUP, "Plate")
        assert hand.object_by_id(plate).isDirty
        hand.do_successfully(Verb.PLACE, "SinkBasin", -0.05)
        assert not hand.object_by_id(plate).isDirty
        assert hand.object_by_id(plate).simbotIsFilledWithWater is ABSENT

    def test_water_can_be_poured_on(self, hand: SimulatorDriver):
        mug = hand.do_successfully(Verb.PICKUP, "Mug")
        hand.do_successfully(Verb.PLACE, "SinkBasin", -0.05)
        hand.do_successfully(Verb.TOGGLE_ON, "Faucet")
        hand.do_successfully(Verb.TOGGLE_OFF, "Faucet")
        hand.do_successfully(Verb.PICKUP, "Mug")
        hand.face("south")
        hand.do_successfully(Verb.POUR, "HousePlant")
        assert hand.first_of_type("HousePlant").isFilledWithLiquid
        assert hand.first_of_type("HousePlant").simbotIsFilledWithWater is ABSENT
        assert not hand.object_by_id(mug).isFilledWithLiquid
        assert hand.object_by_id(mug).simbotIsFilledWithWater == 1
        assert hand.object_by_id(mug).simbotIsFilledWithCoffee is False

    def test_coffee(self, hand: SimulatorDriver):
        mug = hand.do_successfully(Verb.PICKUP, "Mug")
        hand.face("east")
        hand.do_successfully(Verb.PLACE, "CoffeeMachine", -0.1)
        assert hand.object_by_id(mug).simbotIsFilledWithCoffee is ABSENT
        hand.do_successfully(Verb.TOGGLE_ON, "CoffeeMachine", 0.1)
        assert hand.object_by_id(mug).isFilledWithLiquid
        assert hand.object_by_id(mug).simbotIsFilledWithCoffee is True

    def test_a_mug_of_water_does_not_become_coffee(self, sim: Simulator):
        hand = SimulatorDriver(sim, kitchen(Mug={"isFilledWithLiquid": True}))
        mug = hand.do_successfully(Verb.PICKUP, "Mug")
        hand.face("east")
        hand.do_successfully(Verb.PLACE, "CoffeeMachine", -0.1)
        hand.do_successfully(Verb.TOGGLE_ON, "CoffeeMachine", 0.1)
        assert hand.object_by_id(mug).simbotIsFilledWithCoffee is ABSENT

    def test_toast(self, hand: SimulatorDriver):
        hand.do_successfully(Verb.PICKUP, "Knife")
        hand.face("south")
        hand.do_successfully(Verb.SLICE, "Bread")
        hand.face("north")
        hand.do_successfully(Verb.PLACE, "CounterTop", aside=0.55)
        toast = hand.take_from_table("BreadSliced")
        hand.face("east")
        hand.do_successfully(Verb.PLACE, "Toaster", 0.09)
        assert not hand.object_by_id(toast).isCooked
        hand.do_successfully(Verb.TOGGLE_ON, "Toaster")
        done = hand.object_by_id(toast)
        assert done.isCooked and done.simbotIsCooked is True and done.simbotIsBoiled is ABSENT

    @pytest.mark.parametrize(("wet", "boiled"), [(True, True), (False, ABSENT)])
    def test_a_potato_boils_on_a_hot_burner_in_water_alone(
        self, sim: Simulator, wet: bool, boiled: object
    ):
        hand = SimulatorDriver(sim, kitchen(Pot={"isFilledWithLiquid": wet}))
        hand.face("east")
        hand.do_successfully(Verb.PICKUP, "Pot")
        hand.do_successfully(Verb.PLACE, "StoveBurner")
        potato = hand.take_from_table("Potato")
        hand.face("east")
        hand.do_successfully(Verb.PLACE, "Pot", -0.05)
        assert not hand.object_by_id(potato).isCooked
        hand.do_successfully(Verb.TOGGLE_ON, "StoveKnob")
        cooked = hand.object_by_id(potato)
        assert cooked.isCooked and cooked.simbotIsCooked is True
        assert cooked.simbotIsBoiled is boiled

    def test_rules_run_after_a_refusal_too(self, sim: Simulator):
        hand = SimulatorDriver(sim, kitchen())
        before = sim.snapshot()
        assert not hand.do_to_type(Verb.SLICE, "Mug").success
        assert sim.snapshot() == before

    def test_capture_runs_the_rules_without_a_state_before(self, sim: Simulator):
        [mug], [machine] = (kitchen().initial.of_type(kind) for kind in ("Mug", "CoffeeMachine"))
        x, y, z = machine.box.center
        at = (x, y - machine.box.size[1] / 2 + 0.06 + mug.box.size[1] / 2, z)
        inside = {"position": at, "box": Box(at, mug.box.size), "isFilledWithLiquid": True}
        inside["parentReceptacles"] = (machine.objectId,)
        captured = sim.reset(kitchen(Mug=inside, CoffeeMachine={"isToggled": True}))
        assert captured.of_type("Mug")[0].simbotIsFilledWithCoffee is True

    def test_segments_show_types_and_not_which_object(self, sim: Simulator):
        sim.reset(kitchen())
        seen = sim.segments(Role.FOLLOWER, 48)
        if seen is None:
            pytest.skip("this backend has no segmentation camera")
        assert seen.pixels.shape == (48, 48)
        shown = [n for n in seen.pixels.ravel().tolist() if n >= 0]
        assert list(dict.fromkeys(shown)) == list(range(len(seen.types)))
        assert {t.objectType for t in sim.snapshot().objects} >= set(seen.types)
