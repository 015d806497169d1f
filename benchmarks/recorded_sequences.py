"""Recordings with the state after each action: agreement field by field.

A file has AI2-THOR's `controller_action_list`, whose actions name objects and have no clicks, and
an event with all objects for each in `event_list`.  The Follower is placed where it was recorded.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from tatc.base import files, json_fields
from tatc.evaluation.fidelity.agreement_counts import AgreementCounts, Disagreement
from tatc.home.actions import INTERACTION_VERBS, Action
from tatc.home.metadata import get_vector, read_object
from tatc.home.state import AgentState, ObjectState, RoomKind, Scene, Snapshot
from tatc.session.records import file_search, trajectory_plan
from tatc.sim.embedded.simulator import EmbeddedSimulator

COMPARED_FIELDS = tuple(
    "isOpen isToggled isPickedUp parentReceptacles ObjectTemperature isSliced isCooked "
    "isDirty isFilledWithLiquid".split()
)
"""The fields of every object that are compared after every action."""

SEQUENCE_FILES = file_search.FileKind(
    "recordings", re.compile(r"\.json(\.gz)?$"), "*.json or *.json.gz"
)
"""Recordings with the state after each action."""
_ACTIONS_KEY, _EVENTS_KEY = "controller_action_list", "event_list"
_SUCCESS_KEY = "lastActionSuccess"
_FIX = "name recordings with controller_action_list and event_list"


def measure_sequence(path: Path) -> AgreementCounts:
    """Count the agreement of every object with the recording after each action."""
    document = files.read_json(path, files.METADATA_DUMP)
    with file_search.field_faults_in(path):
        raw = json_fields.as_mapping(document, "")
        actions = json_fields.as_list(raw.get(_ACTIONS_KEY), _ACTIONS_KEY)
        events = json_fields.as_list(raw.get(_EVENTS_KEY), _EVENTS_KEY, files.MAX_INTERACTIONS)
        if len(actions) != len(events) or not events:
            raise json_fields.FieldError(_EVENTS_KEY, "should hold an event an action", _FIX)
        asked = json_fields.read_each(actions, _read_action, _ACTIONS_KEY)
        found = json_fields.read_each(events, _read_event, _EVENTS_KEY)
        place = json_fields.get_text(_content_of(events[0]), "sceneName").partition("_")[0]
        scene = Scene(place, RoomKind.KITCHEN, found[0][1])
    tally, sim = AgreementCounts(), EmbeddedSimulator()
    sim.reset(scene)
    for index in range(1, len(found)):
        name, target = asked[index]
        done, state = found[index]
        sim.put_follower(state.follower)
        verb = trajectory_plan.VERB_BY_ACTION.get(name)
        if verb is not None and verb in INTERACTION_VERBS:
            sim.apply_recorded_effect(Action(verb), target if done else None)
        elif name == "DropHandObject" and done:
            sim.drop_held_object()
        for each in _compare_objects(sim.snapshot(), state, name, tally):
            tally.disagreements.append(Disagreement(*each, game=str(path), index=index))
    return tally


def _compare_objects(
    here: Snapshot, there: Snapshot, action: str, counts: AgreementCounts
) -> Iterator[tuple[str, str, str, str, str]]:
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
    kinds = sorted(each.partition("|")[0] for each in cast(frozenset[str], value))
    return "in " + (" and ".join(kinds) or "nothing")


def _read_action(raw: object) -> tuple[str, str | None]:
    action = json_fields.as_mapping(raw, "")
    target = json_fields.get_text(action, "objectId") if action.get("objectId") else None
    return json_fields.get_text(action, "action"), target


def _content_of(raw: object) -> Mapping[str, Any]:
    event = json_fields.as_mapping(raw, "")
    return json_fields.as_mapping(event.get("metadata", event), "metadata")


def _read_event(raw: object) -> tuple[bool, Snapshot]:
    event = _content_of(raw)
    done = _SUCCESS_KEY not in event or json_fields.get_flag(event, _SUCCESS_KEY)
    entries = json_fields.as_list(event.get("objects"), "objects", files.MAX_STATE_OBJECTS)
    objects = json_fields.read_each(entries, read_object, "objects")
    agent = json_fields.as_mapping(event.get("agent"), "agent")
    horizon = json_fields.as_number(agent.get("cameraHorizon"), "cameraHorizon")
    body = AgentState(get_vector(agent, "position"), get_vector(agent, "rotation")[1], horizon)
    return done, Snapshot.from_objects(objects, body, body)
