"""Reads task files into drafts, which name nested tasks; errors name the file and the field."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn, cast

from tatc.base import errors, files, plain_text
from tatc.home.metadata import AFFORDANCE_FIELDS
from tatc.tdl.definition import AtomicComponent, DesiredValue, Parameter, ParameterKind, Relation
from tatc.tdl.properties import CONDITION_PROPERTIES

_MAX_KEY = 60  # characters of a key that errors show


@dataclass(frozen=True, slots=True)
class JsonField:
    """A value in a JSON file and its path ("" for the root); a wrong kind is a TaskFormatError."""

    file: str
    path: str
    value: Any

    def fail(self, why: str, fix: str = "") -> NoReturn:
        """Raise a TaskFormatError that names this field."""
        where = f"{self.file}: {self.path}" if self.path else self.file
        raise errors.TaskFormatError(why, where=where, fix=fix)

    def has(self, key: str) -> bool:
        """Return whether the object has a key."""
        return key in self.as_object()

    def required(self, key: str) -> "JsonField":
        """Return the field of an object under a key that must exist."""
        table = self.as_object()
        if key not in table:
            self.fail(f"has no {key!r}", "add it")
        return self._child(key, table[key])

    def as_object(self) -> Mapping[str, Any]:
        """Return the value, which must be an object."""
        value = self.value
        if not isinstance(value, dict):
            self.fail(f"should be an object, is {_shorten(value)}")
        return cast(dict[str, Any], value)

    def members(self) -> list[tuple[str, "JsonField"]]:
        """Return the fields of an object in order."""
        return [(key, self._child(key, value)) for key, value in self.as_object().items()]

    def elements(self) -> list["JsonField"]:
        """Return the elements of a list."""
        value = self.value
        if not isinstance(value, list):
            self.fail(f"should be a list, is {_shorten(value)}")
        return [
            JsonField(self.file, f"{self.path}[{i}]", each)
            for i, each in enumerate(cast(list[Any], value))
        ]

    def as_text(self, *, empty: bool = False) -> str:
        """Return the value, which must be a string, blank only if `empty` is given."""
        if not isinstance(self.value, str) or not plain_text.is_encodable(self.value):
            self.fail(f"should be a text, is {_shorten(self.value)}", "write it in quotes")
        if not self.value.strip() and not empty:
            self.fail("is empty")
        if len(self.value) > files.MAX_TASK_TEXT:
            self.fail(f"is longer than {files.MAX_TASK_TEXT} characters")
        return self.value

    def as_integer(self, minimum: int, maximum: int) -> int:
        """Return the value, which must be a whole number between two bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int):
            why = f"should be a whole number, is {_shorten(self.value)}"
            self.fail(why, "write digits alone, without quotes")
        if not minimum <= self.value <= maximum:
            self.fail(f"should be from {minimum} to {maximum}, is {_shorten(self.value)}")
        return self.value

    def as_boolean(self) -> bool:
        """Return the value, which must be true or false."""
        if not isinstance(self.value, bool):
            why = f"should be true or false, is {_shorten(self.value)}"
            self.fail(why, "write one of the two, without quotes")
        return self.value

    def as_texts(self) -> tuple[str, ...]:
        """Return the value, which must be a list of strings, none of them blank."""
        return tuple(item.as_text() for item in self.elements())

    def _child(self, key: str, value: Any) -> "JsonField":
        before = f"{self.path}." if self.path else ""
        return JsonField(self.file, before + key[:_MAX_KEY], value)


def read_json_file(path: Path) -> JsonField:
    """Return the root field of a JSON file."""
    return JsonField(str(path), "", files.read_json(path, files.TASK, _DECODER))


def _reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        [(twice, _)] = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"it has the key {_shorten(twice)} twice in one object")
    return table


_DECODER = json.JSONDecoder(
    object_pairs_hook=_reject_duplicate_keys,
    parse_float=files.FINITE_NUMBERS.parse_float,
    parse_constant=files.FINITE_NUMBERS.parse_constant,
)


def _shorten(value: Any) -> str:
    shown = json.dumps(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}..."


_MACRO_PATTERN = re.compile(r"#(\d+)")
_TYPE_OR_MACRO_PATTERN = re.compile(r"([A-Za-z]|#[0-9])[A-Za-z0-9_]*")
_TYPE_PROPERTIES = (
    "objectType",
    "simbotObjectClass",
    "parentReceptacles",
    "simbotLastParentReceptacle",
)
_NUMBER_PROPERTIES = ("mass", "simbotPickedUp", "simbotIsFilledWithWater")
_TRUTH_PATTERN = re.compile(r"is[A-Z]|was[A-Z]|simbotIs(Boiled|Cooked|FilledWithCoffee)")
_TRUTH_PROPERTIES = {*AFFORDANCE_FIELDS, *filter(_TRUTH_PATTERN.match, CONDITION_PROPERTIES)}
_MAX_DETERMINER = 1000  # more objects than any room has
_MAX_PARAMETERS = 100


@dataclass(frozen=True, slots=True)
class NestedTaskDraft:
    """A component that is another task, given by its name."""

    determiner: str
    task_name: str
    params: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """The content of a task file, checked by itself but not against other files.

    `source` is the file's path; `parameters` is None if the file does not describe them.  A
    parameter whose kind is to be inferred has the kind "word".
    """

    source: str
    id: int
    name: str
    description: str
    anchor: str | None
    components: tuple[tuple[str, AtomicComponent | NestedTaskDraft], ...]
    relations: tuple[Relation, ...]
    parameters: tuple[Parameter, ...] | None
    parameter_count: int
    summary: str
    aliases: tuple[str, ...]

    def with_descriptions_of(self, other: "TaskDraft") -> "TaskDraft":
        """Return this draft, with the parameters, summary and aliases of `other` if it has none."""
        return replace(
            self,
            parameters=self.parameters or other.parameters,
            summary=self.summary or other.summary,
            aliases=self.aliases or other.aliases,
        )


def read_task_file(path: Path) -> TaskDraft:
    """Return the draft of one task file."""
    task = read_json_file(path)
    number = task.required("task_nparams").as_integer(0, _MAX_PARAMETERS)
    for field in ("desc", "components", "relations"):
        _check_macros(task.required(field), number)
    parts = task.required("components")
    components = tuple((key, _read_component(part)) for key, part in parts.members())
    if not components:
        parts.fail("is empty", "name at least one component")
    keys, anchor = dict(components), task.required("task_anchor_object")
    return TaskDraft(
        source=task.file,
        id=task.required("task_id").as_integer(0, 10**9),
        name=task.required("task_name").as_text(),
        description=task.required("desc").as_text(),
        anchor=None if anchor.value is None else _read_component_key(anchor, keys),
        components=components,
        relations=tuple(
            _read_relation(each, keys) for each in task.required("relations").elements()
        ),
        parameter_count=number,
        parameters=_read_parameters(task, number),
        summary=task.required("summary").as_text() if task.has("summary") else "",
        aliases=task.required("aliases").as_texts() if task.has("aliases") else (),
    )


def _check_macros(field: JsonField, parameter_count: int) -> None:
    """Reject macros beyond the task's parameters, in keys and in values."""
    value = field.value
    if isinstance(value, str):
        _check_macro(field, value, parameter_count)
    elif isinstance(value, dict):
        for key, inner in field.members():
            _check_macro(inner, key, parameter_count)
            _check_macros(inner, parameter_count)
    elif isinstance(value, list):
        for inner in field.elements():
            _check_macros(inner, parameter_count)


def _check_macro(field: JsonField, text: str, parameter_count: int) -> None:
    if len(text) > files.MAX_TASK_TEXT:
        field.fail(f"is longer than {files.MAX_TASK_TEXT} characters")
    for found in _MACRO_PATTERN.findall(text):
        number = plain_text.whole_number(found)
        if number is None or number >= parameter_count:
            why = f"uses #{found:.20}, but the task has {parameter_count} parameters"
            field.fail(why, "they count from #0; raise task_nparams or use another")


def _read_component_key(field: JsonField, keys: Iterable[str]) -> str:
    key = field.as_text()
    if key not in keys:
        known = ", ".join(repr(each) for each in keys)
        field.fail(f"names no component: {key!r}", f"components are {known}")
    return key


def _read_component(field: JsonField) -> AtomicComponent | NestedTaskDraft:
    determiner = _read_determiner(field.required("determiner"))
    if field.has("task_name"):
        if determiner == "all":
            why = "'all' cannot be asked of a component that is a task"
            field.required("determiner").fail(why, "give a number")
        name = field.required("task_name").as_text()
        return NestedTaskDraft(determiner, name, field.required("task_params").as_texts())
    conditions = tuple(
        (_read_property(each, name), _read_desired_value(each, name))
        for name, each in field.required("conditions").members()
    )
    names = [name for name, _ in conditions]
    primary = field.required("primary_condition")
    if primary.as_text() not in names:
        why = f"is no condition of this component: {primary.as_text()!r}"
        primary.fail(why, f"its conditions are {', '.join(names)}")
    texts = field.required("condition_failure_descs")
    for name, each in texts.members():
        if name not in names:
            each.fail("belongs to no condition of this component")
    return AtomicComponent(
        determiner,
        primary.as_text(),
        field.required("instance_shareable").as_boolean(),
        conditions,
        tuple((name, each.as_text(empty=True)) for name, each in texts.members()),
    )


def _read_property(field: JsonField, name: str) -> str:
    if "#" not in name and name not in CONDITION_PROPERTIES:
        near = get_close_matches(name, CONDITION_PROPERTIES, n=1)
        field.fail("is no property", f"did you mean {near[0]!r}?" if near else "")
    return name


def _read_desired_value(field: JsonField, name: str) -> DesiredValue:
    value = field.value
    if value is not None and not isinstance(value, str | int | float | bool):
        field.fail("should be a text, a number, true, false or null")
    if isinstance(value, float) and not isfinite(value):
        field.fail("is a number that no file can hold")
    if name in _TYPE_PROPERTIES and value is not None:
        # TEACh takes 1 for "any", which every object with a class would meet.
        if not isinstance(value, str) or not _TYPE_OR_MACRO_PATTERN.fullmatch(value):
            field.fail(f"should name a type or class of objects, is {value!r:.60}")
    if "#" in name and not isinstance(value, str):
        field.fail("should be a text, because TEACh drops others under a macro")
    if isinstance(value, str) and _MACRO_PATTERN.fullmatch(value):
        return value
    if name in _TRUTH_PROPERTIES and value not in (0, 1):
        why = f"should be 0, 1, true, false or '#k', is {_shorten(value)}"
        field.fail(why, "write numbers and truth values without quotes")
    if name in _NUMBER_PROPERTIES and (not isinstance(value, int | float) or value < 0):
        why = f"should be a number from 0 on or '#k', is {_shorten(value)}"
        field.fail(why, "write numbers without quotes")
    return value


def _read_determiner(field: JsonField) -> str:
    text = field.as_text()
    number = plain_text.whole_number(text)
    is_count = number is not None and number <= _MAX_DETERMINER
    if number == 0:
        field.fail(f"asks for none, is {text!r:.60}", "ask for 1 or more, or leave the part out")
    if text in ("a", "all") or _MACRO_PATTERN.fullmatch(text) or is_count:
        return text
    numbers = f"a whole number from 1 to {_MAX_DETERMINER}"
    field.fail(f"should be 'a', 'all', '#k' or {numbers} in quotes, is {text!r:.60}")


def _read_relation(
    field: JsonField, components: dict[str, AtomicComponent | NestedTaskDraft]
) -> Relation:
    if field.required("property").as_text() != "parentReceptacles":
        field.required("property").fail("should be 'parentReceptacles', the only one known")
    tails, heads = (field.required("tail_entity_list"), field.required("head_entity_list"))
    determiners = field.required("head_determiner_list").elements()
    tail_determiners = field.required("tail_determiner_list").elements()
    if len(tails.elements()) != 1:
        tails.fail("should hold exactly one component")
    if len(tail_determiners) != 1 or tail_determiners[0].value not in ("a", "the"):
        field.required("tail_determiner_list").fail('should be ["a"] or ["the"]')
    if not heads.elements():
        heads.fail("is empty")
    if len(heads.elements()) != len(determiners):
        why = "should be as long as head_entity_list"
        field.required("head_determiner_list").fail(why, "give one determiner a head")
    return Relation(
        _read_component_key(tails.elements()[0], components),
        tail_determiners[0].as_text(),
        tuple(
            (_read_component_key(head, components), _read_determiner(each))
            for head, each in zip(heads.elements(), determiners, strict=True)
        ),
        field.required("failure_desc").as_text(empty=True),
        field.has("same") and field.required("same").as_boolean(),
    )


def _read_parameters(task: JsonField, parameter_count: int) -> tuple[Parameter, ...] | None:
    """Return the descriptions of the parameters, or None if the file has none."""
    if not task.has("parameters"):
        return None
    field = task.required("parameters")
    if len(field.elements()) != parameter_count:
        field.fail(f"has {len(field.elements())} entries, task_nparams is {parameter_count}")
    drafts = tuple(_read_parameter(each) for each in field.elements())
    names = [draft.name for draft in drafts]
    for draft, each in zip(drafts, field.elements(), strict=True):
        if names.count(draft.name) > 1:
            each.required("name").fail(f"is used twice: {draft.name!r}")
        leader = next((other for other in drafts if other.name == draft.follows), None)
        if draft.follows and (leader is None or len(leader.choices) != len(draft.choices)):
            each.required("follows").fail("should name a parameter with as many choices")
    return drafts


def _read_parameter(field: JsonField) -> Parameter:
    kind = field.required("kind").as_text() if field.has("kind") else ParameterKind.WORD
    if kind not in (ParameterKind.PREPOSITION, ParameterKind.WORD):
        field.required("kind").fail("should be 'preposition' or 'word'", "other kinds are inferred")
    return Parameter(
        field.required("name").as_text(),
        ParameterKind(kind),
        field.required("meaning").as_text(),
        field.required("choices").as_texts() if field.has("choices") else (),
        field.required("follows").as_text() if field.has("follows") else None,
        _read_allowed(field) if field.has("allowed") else "",
    )


def _read_allowed(parameter: JsonField) -> str:
    field = parameter.required("allowed")
    allowed = field.as_text()
    if allowed == "choices" and not parameter.has("choices"):
        field.fail("needs choices", "add them")
    if allowed != "choices" and allowed not in AFFORDANCE_FIELDS:
        field.fail(f"should be 'choices' or an affordance: {', '.join(sorted(AFFORDANCE_FIELDS))}")
    return allowed
