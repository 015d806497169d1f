"""Recordings with the state after each action: agreement field by field.

Such a file holds AI2-THOR's `controller_action_list` and, for each of its actions, an event with
all objects in `event_list`.  Actions name their objects; there are no clicks.  The Follower
is placed where it was recorded.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from tatc.base.file_reading import MAX_INTERACTIONS, MAX_STATE_OBJECTS, METADATA_DUMP, read_json
from tatc.base.json_fields import (
    FieldError,
    as_list,
    as_mapping,
    as_number,
    get_flag,
    get_text,
    read_each,
)
from tatc.evaluation.fidelity.agreement_counts import AgreementCounts, Disagreement
from tatc.home.actions import Action, Verb
from tatc.home.metadata import get_vector, read_object
from tatc.home.state import AgentState, ObjectState, RoomKind, Scene, Snapshot
from tatc.session.records.file_search import FileKind
from tatc.session.records.json_files import field_faults_in
from tatc.sim.embedded.simulator import EmbeddedSimulator

COMPARED_FIELDS = (
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
"""The fields of every object that are compared after every action."""

_VERB_BY_THOR_ACTION = {
    "PickupObject": Verb.PICKUP,
    "PutObject": Verb.PLACE,
    "OpenObject": Verb.OPEN,
    "CloseObject": Verb.CLOSE,
    "ToggleObjectOn": Verb.TOGGLE_ON,
    "ToggleObjectOff": Verb.TOGGLE_OFF,
    "SliceObject": Verb.SLICE,
}
SEQUENCE_FILES = FileKind("recordings", re.compile(r"\.json(\.gz)?$"), "*.json or *.json.gz")
"""Recordings with the state after each action."""
_DROP_ACTION = "DropHandObject"
_ACTIONS_KEY, _EVENTS_KEY = "controller_action_list", "event_list"
_SUCCESS_KEY = "lastActionSuccess"
_FIX = "name recordings with controller_action_list and event_list"


def measure_sequence(path: Path) -> AgreementCounts:
    """Count the agreement of every object with the recording after each action."""
    document = read_json(path, METADATA_DUMP)
    with field_faults_in(path):
        raw = as_mapping(document, "")
        actions = as_list(raw.get(_ACTIONS_KEY), _ACTIONS_KEY)
        events = as_list(raw.get(_EVENTS_KEY), _EVENTS_KEY, MAX_INTERACTIONS)
        if len(actions) != len(events) or not events:
            raise FieldError(_EVENTS_KEY, "should hold an event an action", _FIX)
        asked = read_each(actions, _read_action, _ACTIONS_KEY)
        done = read_each(events, _read_success, _EVENTS_KEY)
        states = read_each(events, _read_state, _EVENTS_KEY)
        scene = Scene(_read_place(events[0]), RoomKind.KITCHEN, states[0])
    tally, sim = AgreementCounts(), EmbeddedSimulator()
    sim.reset(scene)
    for index in range(1, len(states)):
        name, target = asked[index]
        sim.put_follower(states[index].follower)
        _apply_action(sim, name, target, done=done[index])
        for each in _compare_objects(sim.snapshot(), states[index], name, tally):
            tally.disagreements.append(Disagreement(*each, game=str(path), index=index))
    return tally


def _apply_action(sim: EmbeddedSimulator, name: str, target: str | None, *, done: bool) -> None:
    verb = _VERB_BY_THOR_ACTION.get(name)
    if verb is not None:
        sim.apply_recorded_effect(Action(verb), target if done else None)
    elif name == _DROP_ACTION and done:
        sim.drop_held_object()


def _compare_objects(
    here: Snapshot, there: Snapshot, action: str, counts: AgreementCounts
) -> Iterator[tuple[str, str, str, str, str]]:
    """Count all fields of all objects; yield the disagreements."""
    for obj in there.objects:
        ours = here.get(obj.objectId)
        for name in COMPARED_FIELDS if ours is not None else ():
            wanted, found = _field_value(obj, name), _field_value(ours, name)
            counts.count(name, found == wanted)
            if found != wanted:
                why = f"{_format_value(found)}, not {_format_value(wanted)}"
                yield name, action, "-", obj.objectType, why


def _field_value(obj: ObjectState | None, name: str) -> object:
    value = getattr(obj, name)
    return frozenset(value or ()) if name == "parentReceptacles" else value


def _format_value(value: object) -> str:
    if not isinstance(value, frozenset):
        return str(value)
    ids = cast(frozenset[str], value)
    kinds = sorted(each.partition("|")[0] for each in ids)
    return "in " + (" and ".join(kinds) or "nothing")


def _read_action(raw: object) -> tuple[str, str | None]:
    """Return the name of an action and of its object; None if it names no object."""
    action = as_mapping(raw, "")
    target = get_text(action, "objectId") if action.get("objectId") else None
    return get_text(action, "action"), target


def _read_success(raw: object) -> bool:
    """Return whether an action succeeded; it did if its event does not say."""
    event = _read_event(raw)
    return _SUCCESS_KEY not in event or get_flag(event, _SUCCESS_KEY)


def _read_event(raw: object) -> Mapping[str, Any]:
    """Return the content of an event, which may lie under `metadata`."""
    event = as_mapping(raw, "")
    return as_mapping(event.get("metadata", event), "metadata")


def _read_state(raw: object) -> Snapshot:
    event = _read_event(raw)
    entries = as_list(event.get("objects"), "objects", MAX_STATE_OBJECTS)
    objects = read_each(entries, read_object, "objects")
    agent = as_mapping(event.get("agent"), "agent")
    body = AgentState(
        get_vector(agent, "position"),
        get_vector(agent, "rotation")[1],
        as_number(agent.get("cameraHorizon"), "cameraHorizon"),
    )
    return Snapshot.from_objects(objects, body, body)


def _read_place(raw: object) -> str:
    return get_text(_read_event(raw), "sceneName").partition("_")[0]
