"""Links task drafts (nested tasks, no cycles, kinds of parameters), and fills macros (spec 3.2)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import TypeVar

from tatc.base import errors, plain_text
from tatc.base.files import MAX_TASK_DEPTH, MAX_TASK_PARTS, MAX_TASK_TEXT
from tatc.home.type_facts import PIECE_SUFFIXES
from tatc.tdl.definition import (
    AtomicComponent,
    Component,
    DesiredValue,
    Determiner,
    NestedTask,
    Parameter,
    ParameterKind,
    Relation,
    TaskDefinition,
)
from tatc.tdl.task_files import NestedTaskDraft, TaskDraft


def link_definitions(drafts: Mapping[str, TaskDraft]) -> Iterator[TaskDefinition]:
    """Yield the definitions of all drafts, given by name; TaskFormatError for a bad link."""
    joiner = _Linker(drafts)
    for name in drafts:
        yield joiner.link(name)


class _Linker:
    def __init__(self, drafts: Mapping[str, TaskDraft]) -> None:
        self.drafts = drafts
        self.linked: dict[str, TaskDefinition] = {}
        self.in_progress: list[str] = []
        self.depths: dict[str, int] = {}
        self.sizes: dict[str, int] = {}

    def link(self, name: str) -> TaskDefinition:
        if name not in self.linked:
            self.in_progress.append(name)
            if len(self.in_progress) > MAX_TASK_DEPTH:
                raise _nested_too_deeply(self.drafts[name])
            self.linked[name] = self._link_draft(self.drafts[name])
            self._measure(self.drafts[name])
            self.in_progress.pop()
        return self.linked[name]

    def _measure(self, draft: TaskDraft) -> None:
        """Note and limit a linked task's depth and size; nested tasks count at each use."""
        parts = [part for _, part in draft.components]
        inner = [part.task_name for part in parts if isinstance(part, NestedTaskDraft)]
        self.depths[draft.name] = depth = 1 + max((self.depths[name] for name in inner), default=0)
        if depth > MAX_TASK_DEPTH:
            raise _nested_too_deeply(draft)
        own = sum(map(_part_count, parts))
        own += sum(1 + len(each.heads) for each in draft.relations)
        self.sizes[draft.name] = size = own + sum(self.sizes[name] for name in inner)
        if size > MAX_TASK_PARTS:
            why = f"has {size} parts with those of its nested tasks, more than {MAX_TASK_PARTS}"
            raise errors.TaskFormatError(why, where=draft.source, fix="nest fewer tasks")

    def _link_draft(self, draft: TaskDraft) -> TaskDefinition:
        components: tuple[tuple[str, Component], ...] = tuple(
            (key, part)
            if isinstance(part, AtomicComponent)
            else (key, self._link_nested(draft, key, part))
            for key, part in draft.components
        )
        for i, relation in enumerate(draft.relations):
            _check_anchors(draft, i, relation, dict(components))
        return TaskDefinition(
            id=draft.id,
            name=draft.name,
            description=draft.description,
            anchor=draft.anchor,
            components=components,
            relations=draft.relations,
            parameters=_link_parameters(draft, components),
            summary=draft.summary or draft.description,
            aliases=draft.aliases,
        )

    def _link_nested(self, draft: TaskDraft, key: str, part: NestedTaskDraft) -> NestedTask:
        where = f"{draft.source}: components.{key}"
        if part.task_name not in self.drafts:
            near = get_close_matches(part.task_name, self.drafts, n=1)
            raise errors.TaskFormatError(
                f"there is no task {part.task_name!r}",
                where=f"{where}.task_name",
                fix=f"did you mean {near[0]!r}?" if near else "add its file",
            )
        if part.task_name in self.in_progress:
            ring = (*self.in_progress[self.in_progress.index(part.task_name) :], part.task_name)
            why = f"the task contains itself: {' > '.join(ring)}"
            raise errors.TaskFormatError(why, where=f"{where}.task_name", fix="break the ring")
        number = self.drafts[part.task_name].parameter_count
        if len(part.params) != number:
            why = f"{len(part.params)} parameters, {part.task_name!r} takes {number}"
            raise errors.TaskFormatError(why, where=f"{where}.task_params")
        return NestedTask(part.determiner, self.link(part.task_name), part.params)


def _part_count(part: AtomicComponent | NestedTaskDraft) -> int:
    if isinstance(part, NestedTaskDraft):
        return 1 + len(part.params)
    return 1 + len(part.conditions) + len(part.failure_texts)


def _nested_too_deeply(draft: TaskDraft) -> errors.TaskFormatError:
    why = f"tasks are nested more than {MAX_TASK_DEPTH} deep"
    return errors.TaskFormatError(why, where=draft.source, fix="nest fewer tasks")


def _check_anchors(
    draft: TaskDraft, i: int, relation: Relation, components: Mapping[str, Component]
) -> None:
    """Reject a relation over a task without an anchor, which has no object to relate."""
    for key in (relation.tail, *(key for key, _ in relation.heads)):
        part = components[key]
        if isinstance(part, NestedTask) and part.task.anchor is None:
            raise errors.TaskFormatError(
                f"{key!r} is the task {part.task.name!r}, which has no anchor",
                where=f"{draft.source}: relations[{i}]",
                fix="only a task with a task_anchor_object can be put anywhere",
            )


def _link_parameters(
    draft: TaskDraft, components: tuple[tuple[str, Component], ...]
) -> tuple[Parameter, ...]:
    kinds = infer_parameter_kinds(components, draft.parameter_count)
    described = draft.parameters or tuple(Parameter(str(k), kind) for k, kind in enumerate(kinds))
    return tuple(
        each if kind is ParameterKind.WORD else replace(each, kind=kind)
        for kind, each in zip(kinds, described, strict=True)
    )


_KIND_BY_PROPERTY = {
    "objectType": ParameterKind.TYPE,
    "simbotObjectClass": ParameterKind.CLASS,
    "parentReceptacles": ParameterKind.CLASS,
}
_KIND_PRECEDENCE = (
    *(ParameterKind.COUNT, ParameterKind.TYPE, ParameterKind.CLASS, ParameterKind.FLAG),
    ParameterKind.WORD,
)


def infer_parameter_kinds(
    components: Iterable[tuple[str, Component]], parameter_count: int
) -> tuple[ParameterKind, ...]:
    """Return each parameter's kind, by its uses; one that is used only in texts is a word."""
    found = {f"#{k}": {ParameterKind.WORD} for k in range(parameter_count)}
    for _, component in components:
        for macro, kind in _macro_uses(component):
            found.setdefault(macro, set()).add(kind)
    return tuple(
        next(kind for kind in _KIND_PRECEDENCE if kind in found[f"#{k}"])
        for k in range(parameter_count)
    )


def _macro_uses(component: Component) -> Iterator[tuple[str, ParameterKind]]:
    """Yield the macros of a component, each with the kind of what it stands for."""
    yield str(component.determiner), ParameterKind.COUNT
    if isinstance(component, AtomicComponent):
        for name, want in component.conditions:
            if isinstance(want, str):
                macro = want
                for suffix in PIECE_SUFFIXES:
                    macro = macro.removesuffix(suffix)
                yield macro, _KIND_BY_PROPERTY.get(name, ParameterKind.FLAG)
        return
    for macro, parameter in zip(component.params, component.task.parameters, strict=True):
        yield macro, parameter.kind


ValueT = TypeVar("ValueT")


def expand_macros(definition: TaskDefinition, params: Sequence[str]) -> TaskDefinition:
    """Return the definition with every macro filled, in nested tasks too, or ParameterError."""
    check_parameter_count(definition, params)
    values = tuple(params)
    return replace(
        definition,
        description=fill_macros(definition.description, values),
        anchor=None if definition.anchor is None else fill_macros(definition.anchor, values),
        components=_fill_pairs(definition.components, values, _fill_component),
        relations=tuple(_fill_relation(each, values) for each in definition.relations),
        params=values,
    )


def check_parameter_count(definition: TaskDefinition, params: Sequence[object]) -> None:
    """Raise ParameterError unless a task takes this many parameters."""
    expected = [parameter.name for parameter in definition.parameters]
    if len(params) != len(expected):
        raise errors.ParameterError(
            f"{len(params)} parameters given, {len(expected)} needed",
            where=f"task {definition.name!r}",
            fix=f"give, in order: {', '.join(expected)}" if expected else "give none",
        )


def fill_macros(text: str, params: Sequence[str]) -> str:
    """Return `text` with `#k` replaced by parameter k, the highest k first."""
    for k in range(len(params) - 1, -1, -1):
        text = text.replace(f"#{k}", params[k])
        if len(text) > MAX_TASK_TEXT:
            why = f"parameters make a text longer than {MAX_TASK_TEXT} characters"
            raise errors.ParameterError(why, where=f"{text[:40]}...", fix="give shorter ones")
    return text


def _fill_pairs(
    pairs: Iterable[tuple[str, ValueT]],
    params: Sequence[str],
    fill_value: Callable[[ValueT, Sequence[str]], ValueT],
) -> tuple[tuple[str, ValueT], ...]:
    """Fill keys and values, equal keys once; as in TEACh, a changed key moves to the end."""
    filled = dict(pairs)
    for key in tuple(filled):
        new_key = fill_macros(key, params)
        value = fill_value(filled[key], params)
        if new_key != key:
            del filled[key]
        filled[new_key] = value
    return tuple(filled.items())


def _fill_component(component: Component, params: Sequence[str]) -> Component:
    determiner = _fill_determiner(component.determiner, params)
    if isinstance(component, NestedTask):
        inner = tuple(fill_macros(value, params) for value in component.params)
        return NestedTask(determiner, expand_macros(component.task, inner), inner)
    return AtomicComponent(
        determiner,
        fill_macros(component.primary_property, params),
        component.is_shareable,
        _fill_pairs(component.conditions, params, _fill_desired_value),
        _fill_pairs(component.failure_texts, params, fill_macros),
    )


def _fill_relation(relation: Relation, params: Sequence[str]) -> Relation:
    return Relation(
        fill_macros(relation.tail, params),
        relation.tail_determiner,
        tuple(
            (fill_macros(key, params), _fill_determiner(determiner, params))
            for key, determiner in relation.heads
        ),
        fill_macros(relation.failure_text, params),
        relation.is_same,
    )


def _fill_desired_value(desired: DesiredValue, params: Sequence[str]) -> DesiredValue:
    """Fill a wanted value; a result of digits alone becomes a number."""
    if not isinstance(desired, str):
        return desired
    filled = fill_macros(desired, params)
    number = plain_text.whole_number(filled)
    return filled if number is None else number


def _fill_determiner(determiner: Determiner, params: Sequence[str]) -> Determiner:
    return fill_macros(determiner, params) if isinstance(determiner, str) else determiner
