"""Recorded sequences with the state after each step: agreement field by field.

Such a file holds AI2-THOR's `controller_action_list` and, for each of its actions, an
event with all objects in `event_list`.  Actions name their objects; there are no
clicks.  Bodies stand where they were recorded.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from tatc.actions import Action, Verb
from tatc.evaluation.fidelity.tally import Disagreement, Tally
from tatc.fields import FieldFault, flag, listing, mapping, number, text, vector
from tatc.metadata import read_object
from tatc.records.files import blamed_on, load_json
from tatc.records.find import Sort
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
RECORDINGS = Sort("recordings", re.compile(r"\.json(\.gz)?$"), "*.json or *.json.gz")
"""Recorded sequences with the state after each step."""
_DROP = "DropHandObject"
_ACTIONS, _SUCCESS = "controller_action_list", "lastActionSuccess"
_FIX = "name recordings with controller_action_list and event_list"


def measure_steps(path: Path) -> Tally:
    """Return how far objects are as recorded after each step of a sequence.

    Raises:
        BadInput: there is no such file, or it cannot be read.
        GameFormatError: it is no such recording.

    """
    document = load_json(path)
    with blamed_on(path):
        raw = mapping(document, "")
        actions = listing(raw.get(_ACTIONS), _ACTIONS)
        events = listing(raw.get("event_list"), "event_list")
        if len(actions) != len(events) or not events:
            raise FieldFault("event_list", "should hold an event an action", _FIX)
        asked = [_asked(action, i) for i, action in enumerate(actions)]
        done = [_done(event, i) for i, event in enumerate(events)]
        states = [_state(event, i) for i, event in enumerate(events)]
        scene = Scene(_place(events[0]), RoomKind.KITCHEN, states[0])
    tally, sim = Tally(), EmbeddedSimulator()
    sim.reset(scene)
    for index in range(1, len(states)):
        name, target = asked[index]
        sim.put_follower(states[index].follower)
        _do(sim, name, target, done=done[index])
        for each in _compare(sim.snapshot(), states[index], name, tally):
            tally.apart.append(Disagreement(*each, game=str(path), index=index))
    return tally


def _do(sim: EmbeddedSimulator, name: str, target: str | None, *, done: bool) -> None:
    verb = _VERBS.get(name)
    if verb is not None:
        sim.impose(Action(verb), target if done else None)
    elif name == _DROP and done:
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


def _asked(raw: object, index: int) -> tuple[str, str | None]:
    """Return an action's name and the object that it names, if it names one."""
    try:
        action = mapping(raw, "")
        target = text(action, "objectId") if action.get("objectId") else None
        return text(action, "action"), target
    except FieldFault as fault:
        raise fault.within(f"{_ACTIONS}[{index}]") from fault


def _done(raw: object, index: int) -> bool:
    """Return whether an action was done; it was where its event does not say."""
    event = _event(raw, index)
    try:
        return _SUCCESS not in event or flag(event, _SUCCESS)
    except FieldFault as fault:
        raise fault.within(f"event_list[{index}]") from fault


def _event(raw: object, index: int) -> Mapping[str, Any]:
    """Return what an event says, which may lie under `metadata`."""
    event = mapping(raw, f"event_list[{index}]")
    return mapping(event.get("metadata", event), f"event_list[{index}].metadata")


def _state(raw: object, index: int) -> Snapshot:
    event = _event(raw, index)
    try:
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
    return text(_event(raw, 0), "sceneName").partition("_")[0]
