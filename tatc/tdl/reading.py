"""Task files read: JSON to a draft definition, every fault named by file and field.

A draft still names its nested tasks; `tatc.tdl.library` joins them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path

from tatc.tdl.definition import Atomic, Kind, Relation, Want
from tatc.tdl.fields import Field, read_json
from tatc.tdl.properties import PROPERTIES

_MACRO = re.compile(r"#(\d+)")
_MOST = 1000  # of a determiner; more objects than any room has
_MOST_PARAMETERS = 100


@dataclass(frozen=True, slots=True)
class NestedDraft:
    """A component that is another task, by its name."""

    determiner: str
    task_name: str
    params: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ParameterDraft:
    """What a task file says of one parameter."""

    name: str
    meaning: str
    kind: Kind | None = None
    choices: tuple[str, ...] = ()
    follows: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """A task file's content, checked in itself."""

    source: str
    id: int
    name: str
    description: str
    anchor: str | None
    components: tuple[tuple[str, Atomic | NestedDraft], ...]
    relations: tuple[Relation, ...]
    parameters: tuple[ParameterDraft, ...] | None
    number: int
    summary: str
    aliases: tuple[str, ...]

    def described_as(self, other: "Draft") -> "Draft":
        """Return this draft with what `other` tells people, where it tells nothing."""
        return replace(
            self,
            parameters=self.parameters or other.parameters,
            summary=self.summary or other.summary,
            aliases=self.aliases or other.aliases,
        )


def read_task(path: Path) -> Draft:
    """Read one task file.

    Raises:
        TaskFormatError: it cannot be read or has a fault.

    """
    task = read_json(path)
    number = task.at("task_nparams").number(0, _MOST_PARAMETERS)
    for field in ("desc", "components", "relations"):
        _check_macros(task.at(field), number)
    components = tuple(
        (key, _read_component(part)) for key, part in task.at("components").pairs()
    )
    if not components:
        task.at("components").fail("is empty", "name at least one component")
    keys = dict(components)
    return Draft(
        source=task.file,
        id=task.at("task_id").number(0, 10**9),
        name=task.at("task_name").text(),
        description=task.at("desc").text(),
        anchor=_read_anchor(task.at("task_anchor_object"), keys),
        components=components,
        relations=tuple(
            _read_relation(each, keys) for each in task.at("relations").items()
        ),
        number=number,
        parameters=_read_parameters(task, number),
        summary=task.at("summary").text() if task.has("summary") else "",
        aliases=task.at("aliases").texts() if task.has("aliases") else (),
    )


def _check_macros(field: Field, number: int) -> None:
    """Refuse a macro beyond the task's parameters, in keys and values alike."""
    value = field.value
    if isinstance(value, str):
        _check_macro(field, value, number)
    elif isinstance(value, dict):
        for key, inner in field.pairs():
            _check_macro(inner, key, number)
            _check_macros(inner, number)
    elif isinstance(value, list):
        for inner in field.items():
            _check_macros(inner, number)


def _check_macro(field: Field, text: str, number: int) -> None:
    for found in _MACRO.findall(text):
        if int(found) >= number:
            field.fail(
                f"uses #{found}, but the task has {number} parameters",
                "they count from #0; raise task_nparams or use another",
            )


def _read_anchor(field: Field, keys: Iterable[str]) -> str | None:
    return None if field.value is None else _read_key(field, keys)


def _read_key(field: Field, keys: Iterable[str]) -> str:
    key = field.text()
    if key not in keys:
        known = ", ".join(repr(each) for each in keys)
        field.fail(f"names no component: {key!r}", f"components are {known}")
    return key


def _read_component(field: Field) -> Atomic | NestedDraft:
    determiner = _read_determiner(field.at("determiner"), allow_all=True)
    if field.has("task_name"):
        if determiner == "all":
            field.at("determiner").fail(
                "'all' cannot be asked of a component that is a task", "give a number"
            )
        name = field.at("task_name").text()
        return NestedDraft(determiner, name, field.at("task_params").texts())
    conditions = tuple(
        (_read_property(each, name), _read_want(each, name))
        for name, each in field.at("conditions").pairs()
    )
    names = [name for name, _ in conditions]
    primary = field.at("primary_condition")
    if primary.text() not in names:
        primary.fail(
            f"is no condition of this component: {primary.text()!r}",
            f"its conditions are {', '.join(names)}",
        )
    texts = field.at("condition_failure_descs")
    for name, each in texts.pairs():
        if name not in names:
            each.fail("belongs to no condition of this component")
    return Atomic(
        determiner,
        primary.text(),
        field.at("instance_shareable").flag(),
        conditions,
        tuple((name, each.text(empty=True)) for name, each in texts.pairs()),
    )


def _read_property(field: Field, name: str) -> str:
    if "#" not in name and name not in PROPERTIES:
        near = get_close_matches(name, PROPERTIES, n=1)
        field.fail("is no property", f"did you mean {near[0]!r}?" if near else "")
    return name


def _read_want(field: Field, name: str) -> Want:
    value = field.value
    if value is not None and not isinstance(value, str | int | float | bool):
        field.fail("should be a text, a number, true, false or null")
    if "#" in name and not isinstance(value, str):
        field.fail("should be a text, because TEACh drops others under a macro")
    return value


def _read_determiner(field: Field, *, allow_all: bool) -> str:
    text = field.text()
    if text == "a" or (text == "all" and allow_all) or _MACRO.fullmatch(text):
        return text
    if text.isdecimal() and int(text) <= _MOST:
        return text
    numbers = f"a whole number up to {_MOST}"
    field.fail(f"should be 'a', 'all', '#k' or {numbers} in quotes, is {text!r}")


def _read_relation(
    field: Field, components: dict[str, Atomic | NestedDraft]
) -> Relation:
    if field.at("property").text() != "parentReceptacles":
        field.at("property").fail("should be 'parentReceptacles', the only one known")
    tails, heads = field.at("tail_entity_list"), field.at("head_entity_list")
    determiners = field.at("head_determiner_list").items()
    tail_determiners = field.at("tail_determiner_list").items()
    if len(tails.items()) != 1:
        tails.fail("should hold exactly one component")
    if len(tail_determiners) != 1 or tail_determiners[0].value not in ("a", "the"):
        field.at("tail_determiner_list").fail('should be ["a"] or ["the"]')
    if not heads.items():
        heads.fail("is empty")
    if len(heads.items()) != len(determiners):
        field.at("head_determiner_list").fail(
            "should be as long as head_entity_list", "give one determiner a head"
        )
    return Relation(
        _read_key(tails.items()[0], components),
        tail_determiners[0].text(),
        tuple(
            (_read_key(head, components), _read_determiner(each, allow_all=True))
            for head, each in zip(heads.items(), determiners, strict=True)
        ),
        field.at("failure_desc").text(empty=True),
    )


def _read_parameters(task: Field, number: int) -> tuple[ParameterDraft, ...] | None:
    """Read what is said of the parameters, or return None where nothing is."""
    if not task.has("parameters"):
        return None
    field = task.at("parameters")
    if len(field.items()) != number:
        field.fail(f"has {len(field.items())} entries, task_nparams is {number}")
    drafts = tuple(_read_parameter(each) for each in field.items())
    names = [draft.name for draft in drafts]
    for draft, each in zip(drafts, field.items(), strict=True):
        if names.count(draft.name) > 1:
            each.at("name").fail(f"is there twice: {draft.name!r}")
        leader = next((other for other in drafts if other.name == draft.follows), None)
        if draft.follows and (
            leader is None or len(leader.choices) != len(draft.choices)
        ):
            each.at("follows").fail("should name a parameter with as many choices")
    return drafts


def _read_parameter(field: Field) -> ParameterDraft:
    kind = field.at("kind") if field.has("kind") else None
    if kind is not None and kind.text() not in (Kind.PREPOSITION, Kind.WORD):
        kind.fail("should be 'preposition' or 'word'", "other kinds are inferred")
    return ParameterDraft(
        field.at("name").text(),
        field.at("meaning").text(),
        Kind(kind.text()) if kind is not None else None,
        field.at("choices").texts() if field.has("choices") else (),
        field.at("follows").text() if field.has("follows") else None,
    )
