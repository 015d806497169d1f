"""A definition as JSON: as a task file, and as the task of a game file."""

from typing import Any

from tatc.tdl.definition import (
    Atomic,
    Component,
    Kind,
    Parameter,
    Relation,
    TaskDefinition,
)


def write_definition(definition: TaskDefinition) -> dict[str, Any]:
    """Return an expanded definition as TEACh stores it in a game file (spec 4.2)."""
    return {
        "task_id": definition.id,
        "task_name": definition.name,
        "task_params": list(definition.params or ()),
        "task_nparams": len(definition.params or ()),
        "task_anchor_object": definition.anchor,
        "desc": definition.description,
        "components": {
            key: _write_expanded(part) for key, part in definition.components
        },
        "relations": [_write_relation(relation) for relation in definition.relations],
        "comments": "",
    }


def write_task(definition: TaskDefinition) -> dict[str, Any]:
    """Return a definition as a task file holds it, nested tasks by name."""
    return {
        "task_id": definition.id,
        "task_name": definition.name,
        "aliases": list(definition.aliases),
        "summary": definition.summary,
        "task_nparams": len(definition.parameters),
        "parameters": [_write_parameter(each) for each in definition.parameters],
        "task_anchor_object": definition.anchor,
        "desc": definition.description,
        "components": {key: _write(part) for key, part in definition.components},
        "relations": [_write_relation(relation) for relation in definition.relations],
    }


def _write_parameter(parameter: Parameter) -> dict[str, Any]:
    told = parameter.kind in (Kind.PREPOSITION, Kind.WORD)
    return {
        "name": parameter.name,
        **({"kind": parameter.kind.value} if told else {}),
        "meaning": parameter.meaning,
        **({"choices": list(parameter.choices)} if parameter.choices else {}),
        **({"follows": parameter.follows} if parameter.follows else {}),
    }


def _write(component: Component) -> dict[str, Any]:
    if isinstance(component, Atomic):
        return {
            "determiner": component.determiner,
            "primary_condition": component.primary,
            "instance_shareable": component.shareable,
            "conditions": dict(component.conditions),
            "condition_failure_descs": dict(component.failure_texts),
        }
    return {
        "determiner": component.determiner,
        "task_name": component.task.name,
        "task_params": list(component.params),
    }


def _write_expanded(component: Component) -> dict[str, Any]:
    written = _write(component)
    if not isinstance(component, Atomic):
        written["task"] = write_definition(component.task) | {"episodes": []}
    return written


def _write_relation(relation: Relation) -> dict[str, Any]:
    return {
        "property": "parentReceptacles",
        "tail_entity_list": [relation.tail],
        "tail_determiner_list": [relation.tail_determiner],
        "head_entity_list": [key for key, _ in relation.heads],
        "head_determiner_list": [determiner for _, determiner in relation.heads],
        "failure_desc": relation.failure_text,
    }
