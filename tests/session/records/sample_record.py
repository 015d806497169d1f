"""A small session made by hand, as a record: what the tests read, spoil and compare."""

from dataclasses import replace
from typing import Any

from tatc.home.actions import Click, Role, Verb
from tatc.home.state import (
    Affordances,
    AgentState,
    Box,
    ObjectState,
    RoomKind,
    Scene,
    Snapshot,
    Vec3,
)
from tatc.session.records import (
    COMMANDER_POSE,
    Interaction,
    Record,
    RecordedDecision,
    SessionEnd,
    logged_pose,
)
from tatc.tdl import shipped_library

COMMANDER = AgentState((0.0, 1.9, 0.0), 90.0, 30.0)
FOLLOWER = AgentState((1.0, 0.9, -0.75), 270.0, 30.0)


def make_object(kind: str, at: Vec3, size: Vec3, able: str = "", **state: Any) -> ObjectState:
    """Return an object standing at a point; `able` names its affordances."""
    x, y, z = at
    box = Box((x, y + size[1] / 2, z), size)
    return ObjectState(
        objectId=f"{kind}|{x:+06.2f}|{y:+06.2f}|{z:+06.2f}",
        objectType=kind,
        name=f"{kind}_1",
        affordances=Affordances(**dict.fromkeys(able.split(), True)),
        position=at,
        rotation=(0.0, 0.0, 0.0),
        box=box,
        mass=0.5,
        simbotObjectClass=(kind,),
        **state,
    )


def sample_objects() -> tuple[ObjectState, ...]:
    """Return a kitchen of a few things, one of them turned."""
    counter = make_object("CounterTop", (0.0, 0.7, -1.5), (2.0, 0.2, 0.6), "receptacle")
    on = (counter.objectId,)
    mug = make_object(
        "Mug",
        (0.1, 0.91, -1.4),
        (0.1, 0.12, 0.08),
        "receptacle breakable canFillWithLiquid dirtyable pickupable",
        isDirty=True,
        parentReceptacles=on,
    )
    return (
        make_object("Floor", (0.0, -0.01, 0.0), (6.0, 0.01, 6.0), "receptacle"),
        counter,
        replace(mug, box=replace(mug.box, yaw=33.0)),
        make_object(
            "CoffeeMachine",
            (-0.5, 0.91, -1.5),
            (0.2, 0.35, 0.3),
            "receptacle toggleable moveable",
            parentReceptacles=on,
            salientMaterials=("Metal", "Plastic"),
        ),
    )


def sample_start() -> Snapshot:
    """Return the start of the session."""
    return Snapshot.from_objects(sample_objects(), COMMANDER, FOLLOWER)


def sample_final() -> Snapshot:
    """Return its end: the mug is clean, full of coffee and has been carried."""
    floor, counter, mug, machine = sample_objects()
    mug = replace(
        mug,
        isDirty=False,
        isFilledWithLiquid=True,
        simbotPickedUp=1,
        simbotLastParentReceptacle=None,
        simbotIsFilledWithCoffee=True,
    )
    machine = replace(machine, isToggled=True, simbotIsReceptacleOf=())
    turned = replace(FOLLOWER, yaw=0.0)
    return Snapshot.from_objects((floor, counter, mug, machine), COMMANDER, turned)


def sample_interactions() -> tuple[Interaction, ...]:
    """Return one interaction of each type that both agents log."""
    mug, machine = sample_objects()[2].objectId, sample_objects()[3].objectId
    pose = logged_pose(replace(FOLLOWER, yaw=0.0))
    you, me = Role.COMMANDER, Role.FOLLOWER
    return (
        Interaction(me, Verb.TEXT, 0.1, True, text="What should I do next?"),
        Interaction(you, Verb.OPEN_PROGRESS_CHECK, 0.2, False),
        Interaction(you, Verb.SEARCH_OBJECT, 0.3, None, text="mug"),
        Interaction(you, Verb.TEXT, 0.4, True, text="TurnRight Pickup Mug at 0.5 0.5"),
        Interaction(me, Verb.TURN_RIGHT, 0.5, True, pose=pose),
        Interaction(me, Verb.PICKUP, 0.6, True, click=Click(0.5, 0.5), object_id=mug),
        Interaction(me, Verb.PLACE, 0.7, False, click=Click(0.25, 0.75)),
        Interaction(me, Verb.TOGGLE_ON, 0.8, True, click=Click(0.3, 0.4), object_id=machine),
        Interaction(you, Verb.FORWARD, 0.9, True, pose=COMMANDER_POSE),
        Interaction(me, Verb.NAVIGATION, 1.0, True, goal=(0.1, 0.2, 0.3, 0.4)),
    )


def sample_record(place: str = "FloorPlan7", **changes: Any) -> Record:
    """Return the session's record."""
    made = Record(
        definition=shipped_library().compile("Coffee").definition_json(),
        scene=Scene(place, RoomKind.KITCHEN, sample_start()),
        final=sample_final(),
        interactions=sample_interactions(),
        decisions=(
            RecordedDecision(
                step=3,
                utterance="TurnRight Pickup Mug at 0.5 0.5",
                problem_key=(sample_objects()[2].objectId, "Mug", "isDirty", 0),
                policy="isDirty",
                skill="fetch",
                reason="the mug is dirty",
                alternatives=("stand elsewhere: too far",),
                cost=2,
            ),
            RecordedDecision(9, "We are done. Thank you!", None, "", "", "", (), None),
        ),
        end=SessionEnd.SUCCESS,
        gc_total=3,
        gc_satisfied=3,
        world="embedded",
        floor_map="boxes",
        seed=7,
        game_id="0123456789abcdef_0123" if place.startswith("FloorPlan") else None,
        options=(("commander", "rule"), ("steps", 1000), ("learned", False)),
    )
    return replace(made, **changes)
