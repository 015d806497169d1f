"""Drafts joined to definitions: nested tasks found, cycles refused, kinds inferred."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from tatc.errors import TaskFormatError
from tatc.tdl.definition import (
    Component,
    Kind,
    Nested,
    Parameter,
    Relation,
    TaskDefinition,
)
from tatc.tdl.kinds import infer_kinds
from tatc.tdl.reading import Draft, NestedDraft, ParameterDraft


def join(drafts: Mapping[str, Draft]) -> Iterator[TaskDefinition]:
    """Yield the definitions of all drafts.

    Raises:
        TaskFormatError: a nested task is unknown, takes other parameters, contains
            itself, or has no anchor where a relation needs one.

    """
    joiner = _Joiner(drafts)
    for name in drafts:
        yield joiner.definition(name)


class _Joiner:
    def __init__(self, drafts: Mapping[str, Draft]) -> None:
        self.drafts = drafts
        self.done: dict[str, TaskDefinition] = {}
        self.open: list[str] = []

    def definition(self, name: str) -> TaskDefinition:
        if name not in self.done:
            self.open.append(name)
            self.done[name] = self._join(self.drafts[name])
            self.open.pop()
        return self.done[name]

    def _join(self, draft: Draft) -> TaskDefinition:
        components: list[tuple[str, Component]] = []
        for key, part in draft.components:
            if isinstance(part, NestedDraft):
                components.append((key, self._nest(draft, key, part)))
            else:
                components.append((key, part))
        for i, relation in enumerate(draft.relations):
            _check_anchors(draft, i, relation, dict(components))
        return TaskDefinition(
            id=draft.id,
            name=draft.name,
            description=draft.description,
            anchor=draft.anchor,
            components=tuple(components),
            relations=draft.relations,
            parameters=_parameters(draft, tuple(components)),
            summary=draft.summary or draft.description,
            aliases=draft.aliases,
        )

    def _nest(self, draft: Draft, key: str, part: NestedDraft) -> Nested:
        where = f"{draft.source}: components.{key}"
        if part.task_name not in self.drafts:
            near = get_close_matches(part.task_name, self.drafts, n=1)
            raise TaskFormatError(
                f"there is no task {part.task_name!r}",
                where=f"{where}.task_name",
                fix=f"did you mean {near[0]!r}?" if near else "add its file",
            )
        if part.task_name in self.open:
            ring = (*self.open[self.open.index(part.task_name) :], part.task_name)
            raise TaskFormatError(
                f"the task contains itself: {' > '.join(ring)}",
                where=f"{where}.task_name",
                fix="break the ring",
            )
        number = self.drafts[part.task_name].number
        if len(part.params) != number:
            raise TaskFormatError(
                f"{len(part.params)} parameters, {part.task_name!r} takes {number}",
                where=f"{where}.task_params",
            )
        return Nested(part.determiner, self.definition(part.task_name), part.params)


def _check_anchors(
    draft: Draft, i: int, relation: Relation, components: Mapping[str, Component]
) -> None:
    """Refuse a relation over a task without an anchor: it has no object to look at."""
    for key in (relation.tail, *(key for key, _ in relation.heads)):
        part = components[key]
        if isinstance(part, Nested) and part.task.anchor is None:
            raise TaskFormatError(
                f"{key!r} is the task {part.task.name!r}, which has no anchor",
                where=f"{draft.source}: relations[{i}]",
                fix="only a task with a task_anchor_object can be put anywhere",
            )


def _parameters(
    draft: Draft, components: tuple[tuple[str, Component], ...]
) -> tuple[Parameter, ...]:
    kinds = infer_kinds(components, draft.number)
    said = draft.parameters or tuple(
        ParameterDraft(str(k), "") for k in range(draft.number)
    )
    return tuple(
        Parameter(
            each.name,
            each.kind if each.kind is not None and kind is Kind.WORD else kind,
            each.meaning,
            each.choices,
            each.follows,
        )
        for kind, each in zip(kinds, said, strict=True)
    )
