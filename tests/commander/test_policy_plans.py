"""Which plans each policy offers for a problem key, best first, in the little kitchen."""

from dataclasses import replace
from typing import Any

import pytest

from tatc.base.errors import PolicyError, UnknownName, UsageError
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.commander.policies import (
    plans_for_key,
    policy,
    policy_of,
    properties_with_policy,
    temporary_policies,
)
from tatc.commander.skills.appliances import (
    Empty,
    HeatIn,
    HeatOn,
    OpenClose,
    PourOn,
    Rinse,
    RinseIn,
    Switch,
)
from tatc.commander.skills.cut import Cut
from tatc.commander.skills.hold import Hold, PlaceIn, SetAside
from tatc.home.actions import Verb
from tatc.home.state import ObjectState, Scene, Snapshot
from tatc.planners.properties import PropertyFacts
from tatc.planners.snapshot_view import SnapshotView
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import ProblemKey
from tests.sim.box_kitchen import kitchen, make_object, with_parents


def known_of(*more: ObjectState, **changes: dict[str, Any]) -> Knowledge:
    """Return what is known of the kitchen with more objects in it."""
    whole = kitchen(**changes)
    start = whole.initial
    # Types are texts of their own, as those that a file brings.
    objects = [replace(obj, objectType="".join([*obj.objectType])) for obj in start.objects]
    kept = Snapshot.from_objects((*objects, *more), start.commander, start.follower)
    sim = EmbeddedSimulator()
    sim.reset(Scene(whole.place, whole.kind, kept))
    known = Knowledge(sim)
    known.refresh()
    return known


def id_of(known: Knowledge, kind: str) -> str:
    [found] = known.snapshot.of_type(kind)
    return found.objectId


def plans(
    known: Knowledge,
    kind: str,
    name: str,
    desired: Any,
    *,
    number: int = 0,
    determiner: str = "a",
    targets: tuple[str, ...] = (),
) -> list[SkillPlan]:
    """Return the plans for one object of a type, the nearest unless numbered."""
    obj = known.view.find_objects(kind)[number]
    key = ProblemKey(obj.objectId, "", determiner, name, desired, targets)
    found = plans_for_key(key, known)
    assert found is not None
    return list(found)


def mug(x: float, **fields: Any) -> ObjectState:
    return make_object("Mug", (x, 0.82, -1.0), (0.1, 0.1, 0.1), **fields)


def ids_of(known: Knowledge, kind: str) -> list[str]:
    """Return the ids of a type, nearest first."""
    return [obj.objectId for obj in known.view.find_objects(kind)]


def test_dirty_objects_are_rinsed_and_clean_ones_left():
    known = known_of(mug(-0.6, isDirty=True), Mug={"isDirty": True})
    near, far = ids_of(known, "Mug")
    assert plans(known, "Mug", "isDirty", 0) == [(Rinse(near),), (Rinse(far),)]
    assert plans(known, "Mug", "isDirty", 0, determiner="all") == [(Rinse(near),)]
    assert plans(known_of(), "Mug", "isDirty", 0) == []


@pytest.mark.parametrize("desired", [0, 1])
def test_only_what_is_the_other_way_is_opened_or_closed_and_switched(desired: int):
    other = make_object("Drawer", (0.9, 0.64, 0.75), (0.2, 0.16, 0.4), isOpen=not desired)
    known = known_of(other, Drawer={"isOpen": not desired}, Microwave={"isOpen": bool(desired)})
    expected = [(OpenClose(each, is_open=bool(desired)),) for each in ids_of(known, "Drawer")]
    assert plans(known, "Drawer", "isOpen", desired) == expected
    assert plans(known, "Microwave", "isOpen", desired) == []
    known = known_of(Faucet={"isToggled": not desired}, Toaster={"isToggled": bool(desired)})
    switched = [(Switch(id_of(known, "Faucet"), on=bool(desired)),)]
    assert plans(known, "Faucet", "isToggled", desired) == switched
    assert plans(known, "Toaster", "isToggled", desired) == []


def test_whole_objects_that_can_be_cut_are_cut():
    known = known_of(Bread={"isSliced": True})
    assert plans(known, "Tomato", "objectType", "TomatoSliced") == [(Cut(id_of(known, "Tomato")),)]
    assert plans(known, "Bread", "objectType", "BreadSliced") == []
    assert plans(known, "Mug", "objectType", "MugSliced") == []


def test_a_vessel_is_filled_in_a_sink_or_from_another_and_poured_out():
    known = known_of()
    own, bowl, cup, pot = (id_of(known, kind) for kind in ("Mug", "Bowl", "Cup", "Pot"))
    first, *others = plans(known, "Mug", "isFilledWithLiquid", 1)
    assert first == (Rinse(own),)
    assert set(others) == {(Rinse(each), PourOn(each, own)) for each in (bowl, cup, pot)}
    assert plans(known, "Mug", "isFilledWithLiquid", 0) == [(Empty(own),)]
    plant = id_of(known, "HousePlant")
    found = plans(known, "HousePlant", "isFilledWithLiquid", 1)
    assert set(found) == {(Rinse(each), PourOn(each, plant)) for each in (own, bowl, cup, pot)}


def test_an_object_that_is_gone_has_no_plan():
    known = known_of()
    for name in properties_with_policy():
        assert plans_for_key(ProblemKey("Mug|9|9|9", "", "a", name, 1), known) == ()


def test_bread_slices_are_toasted_and_the_rest_is_heated():
    known = known_of(make_object("BreadSliced", (0.3, 0.82, -1.1), (0.1, 0.1, 0.02)))
    bread, potato = id_of(known, "BreadSliced"), id_of(known, "Potato")
    assert plans(known, "BreadSliced", "isCooked", 1) == [(HeatIn(bread, id_of(known, "Toaster")),)]
    oven, pot, burner = (id_of(known, kind) for kind in ("Microwave", "Pot", "StoveBurner"))
    heated = [(HeatIn(potato, oven),), (PlaceIn(potato, pot), HeatOn(pot, burner))]
    assert plans(known, "Potato", "isCooked", 1) == heated
    assert plans(known, "Potato", "simbotIsCooked", 1) == heated


def test_food_is_boiled_in_water_unless_it_is_cooked():
    pot_full = known_of(Pot={"isFilledWithLiquid": True}, Bowl={"simbotIsFilledWithWater": True})
    potato, pot, bowl = (id_of(pot_full, kind) for kind in ("Potato", "Pot", "Bowl"))
    burner, oven = id_of(pot_full, "StoveBurner"), id_of(pot_full, "Microwave")
    assert set(plans(pot_full, "Potato", "simbotIsBoiled", 1)) == {
        (PlaceIn(potato, pot), HeatOn(pot, burner)),
        (PlaceIn(potato, bowl), HeatIn(bowl, oven)),
    }
    dry = known_of()
    found = plans(dry, "Potato", "simbotIsBoiled", 1)
    assert {(Rinse(pot),), (Rinse(bowl),)} <= set(found)
    assert not any(isinstance(skill, PlaceIn) for plan in found for skill in plan)
    assert plans(known_of(Potato={"isCooked": True}), "Potato", "simbotIsBoiled", 1) == []


def test_food_stays_in_its_vessel_and_goes_into_none_that_the_microwave_refused():
    full = {"simbotIsFilledWithWater": True}
    known = known_of(make_object("Bowl", (0.9, 0.9, 0.75), (0.18, 0.08, 0.18), **full), Bowl=full)
    near, far = ids_of(known, "Bowl")
    potato, oven = id_of(known, "Potato"), id_of(known, "Microwave")

    def heated() -> list[SkillPlan]:
        found = plans(known, "Potato", "simbotIsBoiled", 1)
        return [plan for plan in found if HeatIn(near, oven) in plan or HeatIn(far, oven) in plan]

    in_near, in_far = ((PlaceIn(potato, bowl), HeatIn(bowl, oven)) for bowl in (near, far))
    assert heated() == [in_near, in_far]
    now = known.snapshot
    moved = replace(now.get(potato), parentReceptacles=(far,))
    objects = [moved if obj.objectId == potato else obj for obj in now.objects]
    known.view = SnapshotView(Snapshot.from_objects(objects, now.commander, now.follower))
    assert heated() == [in_far, in_near], "it stays where it is"
    known.memory.ruled_out |= {(Verb.PLACE, oven, bowl, ()) for bowl in (near, far)}
    assert heated() == [(HeatIn(far, oven),)], "the other one would be refused too"


def coffee_plans(known: Knowledge) -> list[SkillPlan]:
    return plans(known, "Mug", "simbotIsFilledWithCoffee", 1)


@pytest.mark.parametrize(("field", "skill"), [("isDirty", Rinse), ("isFilledWithLiquid", Empty)])
def test_a_mug_is_washed_or_emptied_before_coffee(field: str, skill: Any):
    known = known_of(Mug={field: True})
    assert coffee_plans(known) == [(skill(id_of(known, "Mug")),)]


def test_coffee_is_made_in_the_mug_that_takes_fewest_actions():
    known = known_of(mug(-0.6))
    near, far = ids_of(known, "Mug")
    machine = id_of(known, "CoffeeMachine")
    assert coffee_plans(known) == [(HeatIn(near, machine),), (HeatIn(far, machine),)]
    dirty_near = known_of(mug(-0.6), Mug={"isDirty": True})
    assert coffee_plans(dirty_near) == [(HeatIn(far, machine),), (Rinse(near),)]
    # One that has coffee and is clean is done.
    done = known_of(mug(-0.6), Mug={"simbotIsFilledWithCoffee": True, "isFilledWithLiquid": True})
    assert coffee_plans(done) == [(HeatIn(far, machine),)]
    stale = known_of(mug(-0.6), Mug={"simbotIsFilledWithCoffee": True, "isDirty": True})
    assert coffee_plans(stale) == [(HeatIn(far, machine),), (Rinse(near),)]


@pytest.mark.parametrize(
    ("kind", "more", "inside_first"),
    [("CoffeeMachine", 0.4, True), ("CoffeeMachine", -0.4, False), ("Bowl", 0.4, False)],
)
def test_a_mug_in_the_machine_is_eight_actions_nearer(kind: str, more: float, inside_first: bool):
    base = known_of()
    [machine] = base.view.find_objects(kind)
    done = {"simbotIsFilledWithCoffee": True}
    dirty = make_object("Mug", (0.9, 0.95, 0.2), (0.1, 0.1, 0.1), isDirty=True)
    inside = with_parents(dirty, machine)
    # To wash and to empty it takes 14 and 9 actions; a step is 0.25 m.
    actions = base.view.effort_to_reach(inside) + 14 + 9 - 8 + more
    outside = make_object("Mug", (-actions / 4, 0.85, 0.0), (0.1, 0.1, 0.1))
    first, second = coffee_plans(known_of(inside, outside, Mug=done))
    assert (first == (Rinse(inside.objectId),)) is inside_first
    assert (second == (Rinse(inside.objectId),)) is not inside_first


def test_what_else_is_in_the_machine_is_set_aside():
    base = known_of()
    [machine] = base.view.find_objects("CoffeeMachine")
    inside = with_parents(make_object("Mug", (0.9, 0.95, 0.2), (0.1, 0.1, 0.1)), machine)
    known = known_of(inside)
    outside = next(each for each in ids_of(known, "Mug") if each != inside.objectId)
    assert coffee_plans(known) == [
        (HeatIn(inside.objectId, machine.objectId),),
        (SetAside(inside.objectId), HeatIn(outside, machine.objectId)),
    ]
    vase = with_parents(make_object("Vase", (0.9, 0.95, 0.2), (0.1, 0.1, 0.1)), machine)
    set_aside = (SetAside(vase.objectId), HeatIn(id_of(base, "Mug"), machine.objectId))
    assert coffee_plans(known_of(vase)) == [set_aside]


def test_alfreds_mark_of_the_clean_comes_from_the_basin_of_a_sink_alone():
    tub = make_object("BathtubBasin", (3.0, 0.2, 3.0), (1.5, 0.4, 0.7))
    known = known_of(tub, make_object("Faucet", (3.0, 0.7, 3.0), (0.1, 0.2, 0.1)))
    basin, mug = id_of(known, "SinkBasin"), id_of(known, "Mug")
    watered = {each.objectId for each in known.view.watered_sinks()}
    assert watered >= {basin, tub.objectId, id_of(known, "Sink")}
    assert plans(known, "Mug", "wasCleaned", 1) == [(RinseIn(mug, basin),)]


def put_plans(known: Knowledge, kind: str, desired: str, **key: Any) -> list[str]:
    """Return the ids of the places, best first."""
    own_text = "".join([*desired])
    found = plans(known, kind, "parentReceptacles", own_text, determiner="all", **key)
    [own] = {skill.object_id for [skill] in found}
    assert own == known.view.find_objects(kind)[0].objectId
    return [skill.receptacle_id for [skill] in found]


def test_a_place_is_of_the_wanted_type_or_class():
    known = known_of()
    assert put_plans(known, "Mug", "Fridge") == [id_of(known, "Fridge")]
    assert put_plans(known, "Mug", "CounterTop") == ids_of(known, "CounterTop")
    shelf = id_of(known, "Shelf")
    assert put_plans(known, "Mug", "CounterTop", targets=(shelf,)) == [shelf]
    tables = known.view.find_objects(where=lambda obj: "Tables" in (obj.simbotObjectClass or ()))
    assert len(tables) > 1
    assert put_plans(known, "Mug", "Tables") == [obj.objectId for obj in tables]
    assert plans(known, "Mug", "parentReceptacles", "Faucet") == []
    assert plans(known, "Mug", "parentReceptacles", "Mug") == []


def test_the_place_with_most_like_it_comes_first_unless_it_is_dirty():
    known = known_of()
    near, far = known.view.find_objects("CounterTop")
    crowd = [with_parents(mug(x), far) for x in (-0.7, -0.5)]
    for z in (0.1, 0.2, 0.3):  # which are not like it
        crowd.append(with_parents(make_object("Plate", (0.0, 0.82, z), (0.1, 0.02, 0.1)), near))
    crowded = known_of(*crowd, Mug={"parentReceptacles": (near.objectId,)})
    assert put_plans(crowded, "Mug", "CounterTop") == [far.objectId, near.objectId]
    other = make_object("Bowl", (-0.6, 0.82, -1.0), (0.2, 0.1, 0.2))
    nearer, farther = ids_of(known_of(other), "Bowl")
    assert put_plans(known_of(other), "Potato", "Bowl") == [nearer, farther]
    washed = {"isDirty": True} if nearer != other.objectId else {}
    known = known_of(replace(other, isDirty=not washed), Bowl=washed)
    assert put_plans(known, "Potato", "Bowl") == [farther, nearer]


@pytest.mark.parametrize(
    ("named", "target", "is_left"),
    [("Plate", "Bowl", True), ("Plate", "Plate", True), ("Mug", "Bowl", False)],
)
def test_slice_in_another_dish_of_the_task_or_in_its_place_is_left_there(named, target, is_left):
    plate_id = id_of(known_of(), "Plate")
    served = make_object(
        "PotatoSliced", (0.3, 0.92, 0.72), (0.1, 0.02, 0.1), parentReceptacles=(plate_id,)
    )
    thick = make_object("PotatoSliced", (0.3, 0.82, -1.1), (0.1, 0.06, 0.1))
    known = known_of(served, thick)
    known.task_kinds = frozenset(("PotatoSliced", "Bowl", named))
    found = plans(
        known,
        "PotatoSliced",
        "parentReceptacles",
        "Bowl",
        number=ids_of(known, "PotatoSliced").index(thick.objectId),
        targets=(id_of(known, target),),
    )
    taken = list(dict.fromkeys(skill.object_id for [skill] in found))  # type: ignore[attr-defined]
    assert taken == ([] if is_left else [served.objectId]) + [thick.objectId]


def test_second_slice_is_cooked_where_a_cooked_one_is_served_in_another_dish():
    plate_id = id_of(known_of(), "Plate")
    size = (0.1, 0.02, 0.1)
    cooked = {"isCooked": True, "simbotIsCooked": True}
    served = make_object(
        "PotatoSliced", (0.3, 0.92, 0.72), size, parentReceptacles=(plate_id,), **cooked
    )
    raw = make_object("PotatoSliced", (0.3, 0.82, -1.1), size)
    done = make_object("PotatoSliced", (-0.3, 0.82, -1.1), size, **cooked)
    offered: list[list[SkillPlan]] = []
    for others in ((raw,), (raw, done)):
        known = known_of(served, *others)
        known.task_kinds = frozenset(("PotatoSliced", "Plate", "Bowl"))
        number = ids_of(known, "PotatoSliced").index(served.objectId)
        offered.append(plans(known, "PotatoSliced", "parentReceptacles", "Bowl", number=number))
    oven, bowl = id_of(known_of(), "Microwave"), id_of(known_of(), "Bowl")
    assert offered[0][0] == (HeatIn(raw.objectId, oven),)
    assert offered[1] == [(PlaceIn(done.objectId, bowl),)]


def test_what_a_policy_returns_must_be_plans():
    known = known_of()
    key = ProblemKey(id_of(known, "Mug"), "", "a", "isDirty", 0)
    whole = (Hold(key.object_id),)
    for wrong in (None, 3, whole, ((Hold,),), ((3,),), ("ab",), {whole}, [[Hold("Mug")]]):
        with temporary_policies():

            @policy("isDirty", override=True)
            def broken(key, known, wrong=wrong):
                return wrong

            with pytest.raises(PolicyError, match=r"broken returned .*, which is no tuple") as why:
                plans_for_key(key, known)
            assert "test_policy_plans.py:" in str(why.value)
    for count, is_whole in ((58, True), (59, False)):  # and two quotes
        with temporary_policies():
            policy("isDirty", override=True)(lambda key, known, count=count: "x" * count)
            with pytest.raises(PolicyError) as why:
                plans_for_key(key, known)
        assert (f"returned {'x' * count!r}, which" in str(why.value)) is is_whole
    with temporary_policies():
        policy("isDirty", override=True)(lambda key, known: [whole])
        assert plans_for_key(key, known) == (whole,)
    assert plans_for_key(key, known) == ()
    assert plans_for_key(replace(key, property_name="isPurple"), known) is None


def test_a_policy_is_replaced_only_if_it_says_so_or_is_loaded_again():
    before = policy_of("isDirty")

    def other(key, known):
        return ()

    with temporary_policies():
        with pytest.raises(UsageError, match=r"two policies .* isDirty"):
            policy("isDirty")(other)
        assert policy_of("isDirty") is before
        with pytest.raises(TypeError):
            policy("isDirty", True)  # pyright: ignore[reportCallIssue]
        assert policy("isDirty", override=True)(other) is other
        assert policy_of("isDirty") is other
        policy("isDirty")(other)  # the file that has it is loaded again
        with pytest.raises(UsageError):
            policy("isDirty")(before)
    assert policy_of("isDirty") is before
    with pytest.raises(UnknownName, match="isDirt"):
        policy("isDirt")(other)


def test_facts_belong_to_the_property_of_their_policy():
    def hold(key, known):
        return ((Hold(key.object_id),),)

    assert policy_of("isUsedUp") is None
    with temporary_policies():
        for other in ("isBroken", "parentReceptacles"):
            with pytest.raises(UsageError, match=f"isUsedUp is given facts of {other}"):
                policy("isUsedUp", facts=PropertyFacts(other, rank=1))(hold)
        own_text = "".join([*"isUsedUp"])
        policy(own_text, facts=PropertyFacts("isUsedUp", rank=1))(hold)
        assert "isUsedUp" in properties_with_policy()
    assert properties_with_policy() == tuple(sorted(set(properties_with_policy())))
    assert policy_of("isUsedUp") is None


def test_water_is_not_poured_from_a_vessel_in_which_food_can_be_boiled():
    known = known_of(Pot={"isFilledWithLiquid": True})
    sources = {
        skill.vessel_id
        for plan in plans(known, "Potato", "simbotIsBoiled", 1)
        for skill in plan
        if isinstance(skill, PourOn)
    }
    assert sources and id_of(known, "Pot") not in sources
