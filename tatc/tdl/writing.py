"""A definition as JSON: the form of task files, and of the task in a game file."""

from typing import Any

from tatc.tdl.definition import Atomic, Component, Relation, TaskDefinition


def write_definition(definition: TaskDefinition) -> dict[str, Any]:
    """Return an expanded definition as TEACh stores it in a game file (spec 4.2)."""
    return {
        "task_id": definition.id,
        "task_name": definition.name,
        "task_params": list(definition.params or ()),
        "task_nparams": len(definition.parameters),
        "task_anchor_object": definition.anchor,
        "desc": definition.description,
        "components": {key: _write(part) for key, part in definition.components},
        "relations": [_write_relation(relation) for relation in definition.relations],
        "comments": "",
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
        "task": write_definition(component.task) | {"episodes": []},
    }


def _write_relation(relation: Relation) -> dict[str, Any]:
    return {
        "property": "parentReceptacles",
        "tail_entity_list": [relation.tail],
        "tail_determiner_list": [relation.tail_determiner],
        "head_entity_list": [key for key, _ in relation.heads],
        "head_determiner_list": [determiner for _, determiner in relation.heads],
        "failure_desc": relation.failure_text,
    }
