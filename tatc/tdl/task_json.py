"""Writes definitions as JSON: as task files, and as the tasks of game files."""

from typing import Any

from tatc.tdl import definition as definitions


def game_task_json(definition: definitions.TaskDefinition) -> dict[str, Any]:
    """Return an expanded definition as TEACh stores it in a game file (spec 4.2)."""
    return {
        "task_id": definition.id,
        "task_name": definition.name,
        "task_params": list(definition.params or ()),
        "task_nparams": len(definition.params or ()),
        "task_anchor_object": definition.anchor,
        "desc": definition.description,
        "components": {
            key: _component_json(part, expanded=True) for key, part in definition.components
        },
        "relations": [_relation_json(relation) for relation in definition.relations],
        "comments": "",
    }


def task_file_json(definition: definitions.TaskDefinition) -> dict[str, Any]:
    """Return a definition as in a task file, with nested tasks by name."""
    return {
        "task_id": definition.id,
        "task_name": definition.name,
        "aliases": list(definition.aliases),
        "summary": definition.summary,
        "task_nparams": len(definition.parameters),
        "parameters": [_parameter_json(each) for each in definition.parameters],
        "task_anchor_object": definition.anchor,
        "desc": definition.description,
        "components": {key: _component_json(part) for key, part in definition.components},
        "relations": [_relation_json(relation) for relation in definition.relations],
    }


def _parameter_json(parameter: definitions.Parameter) -> dict[str, Any]:
    has_kind = parameter.kind in (
        definitions.ParameterKind.PREPOSITION,
        definitions.ParameterKind.WORD,
    )
    return {
        "name": parameter.name,
        **({"kind": parameter.kind.value} if has_kind else {}),
        "meaning": parameter.meaning,
        **({"choices": list(parameter.choices)} if parameter.choices else {}),
        **({"follows": parameter.follows} if parameter.follows else {}),
        **({"allowed": parameter.allowed} if parameter.allowed else {}),
    }


def _component_json(component: definitions.Component, *, expanded: bool = False) -> dict[str, Any]:
    if isinstance(component, definitions.AtomicComponent):
        return {
            "determiner": component.determiner,
            "primary_condition": component.primary_property,
            "instance_shareable": component.is_shareable,
            "conditions": dict(component.conditions),
            "condition_failure_descs": dict(component.failure_texts),
        }
    return {
        "determiner": component.determiner,
        "task_name": component.task.name,
        "task_params": list(component.params),
        **({"task": game_task_json(component.task) | {"episodes": []}} if expanded else {}),
    }


def _relation_json(relation: definitions.Relation) -> dict[str, Any]:
    return {
        "property": "parentReceptacles",
        **({"same": True} if relation.is_same else {}),
        "tail_entity_list": [relation.tail],
        "tail_determiner_list": [relation.tail_determiner],
        "head_entity_list": [key for key, _ in relation.heads],
        "head_determiner_list": [determiner for _, determiner in relation.heads],
        "failure_desc": relation.failure_text,
    }
