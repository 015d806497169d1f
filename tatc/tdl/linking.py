"""Links drafts to definitions: resolves nested tasks, rejects cycles, infers kinds."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches

from tatc.base.errors import TaskFormatError
from tatc.base.files import MAX_TASK_DEPTH, MAX_TASK_PARTS
from tatc.home.type_facts import PIECE_SUFFIXES
from tatc.tdl.definition import (
    AtomicComponent,
    Component,
    NestedTask,
    Parameter,
    ParameterKind,
    Relation,
    TaskDefinition,
)
from tatc.tdl.task_files import NestedTaskDraft, TaskDraft


def link_definitions(drafts: Mapping[str, TaskDraft]) -> Iterator[TaskDefinition]:
    """Yield the definitions of all drafts."""
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
            raise TaskFormatError(why, where=draft.source, fix="nest fewer tasks")

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
            raise TaskFormatError(
                f"there is no task {part.task_name!r}",
                where=f"{where}.task_name",
                fix=f"did you mean {near[0]!r}?" if near else "add its file",
            )
        if part.task_name in self.in_progress:
            ring = (*self.in_progress[self.in_progress.index(part.task_name) :], part.task_name)
            why = f"the task contains itself: {' > '.join(ring)}"
            raise TaskFormatError(why, where=f"{where}.task_name", fix="break the ring")
        number = self.drafts[part.task_name].parameter_count
        if len(part.params) != number:
            why = f"{len(part.params)} parameters, {part.task_name!r} takes {number}"
            raise TaskFormatError(why, where=f"{where}.task_params")
        return NestedTask(part.determiner, self.link(part.task_name), part.params)


def _part_count(part: AtomicComponent | NestedTaskDraft) -> int:
    if isinstance(part, NestedTaskDraft):
        return 1 + len(part.params)
    return 1 + len(part.conditions) + len(part.failure_texts)


def _nested_too_deeply(draft: TaskDraft) -> TaskFormatError:
    why = f"tasks are nested more than {MAX_TASK_DEPTH} deep"
    return TaskFormatError(why, where=draft.source, fix="nest fewer tasks")


def _check_anchors(
    draft: TaskDraft, i: int, relation: Relation, components: Mapping[str, Component]
) -> None:
    """Reject a relation over a task without an anchor, which has no object to relate."""
    for key in (relation.tail, *(key for key, _ in relation.heads)):
        part = components[key]
        if isinstance(part, NestedTask) and part.task.anchor is None:
            raise TaskFormatError(
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
