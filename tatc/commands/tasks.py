"""`tatc tasks`: the tasks, and what each one requires."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from tatc.commands.options import shared_options
from tatc.commands.text.output import print_json, print_lines, print_table

if TYPE_CHECKING:
    from tatc.tdl import Parameter, TaskDefinition
    from tatc.tdl.definition import Component, Relation


@shared_options.with_option_groups
def tasks(
    name: Annotated[str | None, typer.Argument(autocompletion=shared_options.complete_task)] = None,
    folders: shared_options.TaskFoldersOption = None,
    as_json: shared_options.JsonLinesOption = False,
) -> None:
    """List the tasks, or explain one of them."""
    from tatc.tdl import load_library, task_json

    library = load_library(folders or ())
    wanted = library.definitions() if name is None else (library.find(name),)
    if as_json:
        for definition in wanted:
            print_json(task_json.task_file_json(definition))
    elif name is None:
        rows = [(e.id, e.name, _parameter_names(e.parameters), e.summary) for e in wanted]
        print_table(("id", "task", "parameters", "done when"), rows)
    else:
        print_lines(_explanation_lines(wanted[0]))


def _parameter_names(parameters: "tuple[Parameter, ...]") -> str:
    names = " ".join(parameter.name for parameter in parameters)
    return names if len(names) <= 40 else f"{len(parameters)}, from {names.split()[0]}"


def _explanation_lines(definition: "TaskDefinition") -> Iterator[str]:
    from tatc.tdl import ParameterKind, linking

    shown = linking.expand_macros(definition, [f"<{each.name}>" for each in definition.parameters])
    aliases = f" (also: {', '.join(definition.aliases)})" if definition.aliases else ""
    yield f"{definition.id}  {definition.name}{aliases}"
    yield shown.description
    if definition.summary != definition.description:
        yield f"Done when {definition.summary.rstrip('.')}."
    if definition.parameters:
        yield from ("", "Parameters")
        for each in definition.parameters:
            yield f"  {each.name:<17} {each.kind.value:<12} {each.meaning}"
            if each.choices and each.kind not in (ParameterKind.PREPOSITION, ParameterKind.WORD):
                source = "one of" if each.allowed == "choices" else "drawn from"
                yield f"  {'':<30} {source} {', '.join(each.choices)}"
    yield from ("", "Components")
    for key, component in shown.components:
        count = "one" if component.determiner == "a" else str(component.determiner)
        yield f"  {key:<17} {count:<12} {_describe_component(component)}"
    if shown.relations:
        yield from ("", "Relations")
        yield from (f"  {_describe_relation(each)}" for each in shown.relations)
    yield from ("", "Example", f"  {_example_command(definition)}")


def _describe_component(component: "Component") -> str:
    from tatc.tdl.definition import AtomicComponent

    if not isinstance(component, AtomicComponent):
        params = f" ({', '.join(component.params)})" if component.params else ""
        return f"task {component.task.name}{params}"
    shown = ", ".join(f"{name} {want}" for name, want in component.conditions)
    return f"{shown} (shared)" if component.is_shareable else shown


def _describe_relation(relation: "Relation") -> str:
    heads = ", ".join(f"{key} ({number})" for key, number in relation.heads)
    article = "one and the same" if relation.tail_determiner == "the" else "any"
    return f"{heads} in {article} {relation.tail}"


def _example_command(definition: "TaskDefinition") -> str:
    words = [
        f"--param {each.name}={each.choices[0] if each.choices else each.kind.value}"
        for each in definition.parameters
    ]
    return " ".join([f"tatc run --task '{definition.name.lower()}'", *words])
