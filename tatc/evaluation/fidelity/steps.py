"""Recorded sequences with the state after each step: agreement field by field.

Such a file holds AI2-THOR's `controller_action_list` and, for each of its actions, an
event with all objects in `event_list`.  Actions name their objects; there are no
clicks.  Bodies stand where they were recorded.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from tatc.actions import Action, Verb
from tatc.evaluation.fidelity.tally import Disagreement, Tally
from tatc.fields import FieldFault, listing, mapping, number, text, vector
from tatc.metadata import read_object
from tatc.records.files import blamed_on, load_json
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import AgentState, ObjectState, RoomKind, Scene, Snapshot

FIELDS = (
    "isOpen",
    "isToggled",
    "isPickedUp",
    "parentReceptacles",
    "ObjectTemperature",
    "isSliced",
    "isCooked",
    "isDirty",
    "isFilledWithLiquid",
)
"""What is compared of every object after every step."""

_VERBS = {
    "PickupObject": Verb.PICKUP,
    "PutObject": Verb.PLACE,
    "OpenObject": Verb.OPEN,
    "CloseObject": Verb.CLOSE,
    "ToggleObjectOn": Verb.TOGGLE_ON,
    "ToggleObjectOff": Verb.TOGGLE_OFF,
    "SliceObject": Verb.SLICE,
}
_DROP = "DropHandObject"
_FIX = "name recordings with controller_action_list and event_list"


def find_steps(given: Sequence[Path]) -> list[Path]:
    """Return the files named, and the recordings in folders named, in name order."""
    found: dict[Path, None] = {}
    for path in given:
        inside = sorted(path.glob("*.json")) if path.is_dir() else [path]
        found.update(dict.fromkeys(inside))
    return list(found)


def measure_steps(path: Path) -> Tally:
    """Return how far objects are as recorded after each step of a sequence.

    Raises:
        BadInput: there is no such file, or it cannot be read.
        GameFormatError: it is no such recording.

    """
    document = load_json(path)
    with blamed_on(path):
        raw = mapping(document, "")
        actions = listing(raw.get("controller_action_list"), "controller_action_list")
        events = listing(raw.get("event_list"), "event_list")
        if len(actions) != len(events) or not events:
            raise FieldFault("event_list", "should hold an event an action", _FIX)
        states = [_state(event, i) for i, event in enumerate(events)]
        scene = Scene(_place(events[0]), RoomKind.KITCHEN, states[0])
    tally, sim = Tally(), EmbeddedSimulator()
    sim.reset(scene)
    for index, (action, state) in enumerate(zip(actions[1:], states[1:], strict=True)):
        sim.put_follower(state.follower)
        _do(sim, action)
        for each in _compare(sim.snapshot(), state, str(action["action"]), tally):
            tally.apart.append(Disagreement(*each, game=str(path), index=index + 1))
    return tally


def _do(sim: EmbeddedSimulator, action: Mapping[str, Any]) -> None:
    verb = _VERBS.get(action["action"])
    if verb is not None:
        sim.impose(Action(verb), action.get("objectId"))
    elif action["action"] == _DROP:
        sim.let_go()


def _compare(
    here: Snapshot, there: Snapshot, action: str, tally: Tally
) -> Iterator[tuple[str, str, str, str, str]]:
    """Count all fields of all objects; yield the parts of each disagreement."""
    for thing in there.objects:
        ours = here.get(thing.objectId)
        for name in FIELDS if ours is not None else ():
            wanted, found = _value(thing, name), _value(ours, name)
            tally.count(name, found == wanted)
            if found != wanted:
                why = f"{_shown(found)}, not {_shown(wanted)}"
                yield name, action, "-", thing.objectType, why


def _value(thing: ObjectState | None, name: str) -> object:
    value = getattr(thing, name)
    return frozenset(value or ()) if name == "parentReceptacles" else value


def _shown(value: object) -> str:
    if not isinstance(value, frozenset):
        return str(value)
    ids = cast(frozenset[str], value)
    kinds = sorted(each.partition("|")[0] for each in ids)
    return "in " + (" and ".join(kinds) or "nothing")


def _state(raw: object, index: int) -> Snapshot:
    try:
        event = mapping(raw, "")
        event = mapping(event.get("metadata", event), "metadata")
        things = [
            _object(thing, i)
            for i, thing in enumerate(listing(event.get("objects"), "objects"))
        ]
        agent = mapping(event.get("agent"), "agent")
        body = AgentState(
            vector(agent, "position"),
            vector(agent, "rotation")[1],
            number(agent.get("cameraHorizon"), "cameraHorizon"),
        )
        return Snapshot.of(things, body, body)
    except FieldFault as fault:
        raise fault.within(f"event_list[{index}]") from fault


def _object(raw: object, index: int) -> ObjectState:
    try:
        return read_object(mapping(raw, ""))
    except FieldFault as fault:
        raise fault.within(f"objects[{index}]") from fault


def _place(raw: object) -> str:
    event = mapping(raw, "event_list[0]")
    event = mapping(event.get("metadata", event), "event_list[0].metadata")
    return text(event, "sceneName").partition("_")[0]
