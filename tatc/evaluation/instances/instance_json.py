"""What an instance says of its session: dialogue, actions, subgoals."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tatc.evaluation.instances.edh_segments import SPEECH_VERBS
from tatc.home.actions import ACTION_TABLE, SPEC_BY_VERB, ActionType, Role
from tatc.session.records import Interaction
from tatc.tdl.edh import type_of_object_id

_ACTION_INDEX = {spec.verb: i for i, spec in enumerate(ACTION_TABLE)}
_TEACH_ROLE_NAMES = {Role.COMMANDER: "Commander", Role.FOLLOWER: "Driver"}
_MOTION_TYPES = (ActionType.MOTION, ActionType.MAP_GOAL)


def dialogue_json(logged: Sequence[Mapping[str, Any]], done: Sequence[Interaction]) -> Any:
    """Return the dialogue up to here in TEACh's three forms, each under its field's name.

    The forms are the words as typed, the words as corrected, and the words as typed with their
    dialogue acts as a third entry.
    """
    said = [
        (_TEACH_ROLE_NAMES[each.role], each.text, raw)
        for raw, each in zip(logged, done, strict=True)
        if each.verb in SPEECH_VERBS
    ]
    return {
        "dialog_history": [[who, text] for who, text, _ in said],
        "dialog_history_cleaned": [
            [who, raw.get("corrected_utterance") or text] for who, text, raw in said
        ],
        "dialog_history_with_das": [[who, text, _dialogue_acts(raw)] for who, text, raw in said],
    }


def _dialogue_acts(raw: Mapping[str, Any]) -> list[str]:
    metadata: Any = raw.get("da_metadata") or {}
    return [act for act in metadata.get("das", ()) if act]


def action_json(done: Interaction) -> dict[str, Any]:
    """Return an action as an instance lists it (spec section 4.3)."""
    spec = SPEC_BY_VERB[done.verb]
    click = done.click
    return {
        "action_id": spec.action_id,
        "action_idx": _ACTION_INDEX[done.verb],
        "action_name": done.verb.value,
        "time_start": done.time,
        "obj_interaction_action": int(spec.type is ActionType.INTERACTION),
        "oid": done.object_id,
        "x": None if click is None else click.x,
        "y": None if click is None else click.y,
    }


def image_name(done: Interaction) -> str:
    """Return the name of the Follower's frame right before an action (spec section 4.6)."""
    return f"driver.frame.{done.time}.jpeg"


def subgoals_json(done: Iterable[Interaction]) -> list[str]:
    """Return actions and objects in turns; a walk is "Navigate" to the next object."""
    found: list[str] = []
    walked = False
    for each in done:
        if SPEC_BY_VERB[each.verb].type in _MOTION_TYPES:
            walked = True
            continue
        if each.object_id is None:
            continue
        kind = type_of_object_id(each.object_id)
        if walked:
            found += ["Navigate", kind]
        found += [each.verb.value, kind]
        walked = False
    return found
