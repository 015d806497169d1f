"""The library of task definitions: the shipped ones, and those of further folders.

A folder's definition replaces an earlier one with the same id and the same name, so that a
folder of TEACh's own files can replace tatc's.  A definition that shares only its id or only
its name with another is a fault, as are two with the same id and name in one folder.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from tatc.base.arguments import texts
from tatc.base.errors import TaskFormatError, UnknownName, os_errors_as
from tatc.tdl import linking, parameters
from tatc.tdl.definition import TaskDefinition
from tatc.tdl.task import Task
from tatc.tdl.task_files import TaskDraft, read_task_file

SHIPPED_TASKS_FOLDER = Path(__file__).parent / "tasks"

_MAX_COMPILED_TASKS = 4096  # cached; a benchmark needs a few hundred


class TaskLibrary:
    """Task definitions by name, and a cache of the tasks compiled from them."""

    def __init__(self, definitions: Iterable[TaskDefinition]) -> None:
        """Store the definitions in the order of their ids."""
        in_order = sorted(definitions, key=lambda definition: definition.id)
        self._by_name = {definition.name: definition for definition in in_order}
        self._by_typed_name: dict[str, TaskDefinition] = {}
        for definition in in_order:
            self._by_typed_name[_normalize_name(definition.name)] = definition
            self._by_typed_name[str(definition.id)] = definition
        for definition in in_order:
            for alias in definition.aliases:
                self._by_typed_name.setdefault(_normalize_name(alias), definition)
        self._compiled: dict[tuple[str, tuple[str, ...]], Task] = {}

    def names(self) -> tuple[str, ...]:
        """Return the names of all tasks in the order of their ids."""
        return tuple(self._by_name)

    def definitions(self) -> tuple[TaskDefinition, ...]:
        """Return all definitions in the order of their ids."""
        return tuple(self._by_name.values())

    def find(self, typed: str) -> TaskDefinition:
        """Return the task that a person means by a name, an alias or an id.

        Case, a leading "make" or "prepare", dashes and underscores do not count; else UnknownName.
        """
        plain = _normalize_name(typed)
        for form in (plain, re.sub(r"^(make|prepare) (an? )?", "", plain)):
            if form in self._by_typed_name:
                return self._by_typed_name[form]
        known = (*self._by_name, *(name for one in self.definitions() for name in one.aliases))
        raise UnknownName("task", typed, known, fix="tatc tasks lists them all")

    def compile(self, name: str, params: Sequence[str] = ()) -> Task:
        """Return the task of a name (see `find`), parameters filled in; equal calls share it."""
        key = (name, tuple(params))
        task = self._compiled.get(key)
        if task is None:
            definition = self.find(name)
            parameters.validate_params(definition, params)
            task = Task(linking.expand_macros(definition, params))
            if len(self._compiled) >= _MAX_COMPILED_TASKS:
                self._compiled.clear()
            self._compiled[key] = task
        return task


def load_library(folders: Sequence[str | Path] = ()) -> TaskLibrary:
    """Return the library of the shipped definitions and the `*.json` files in more folders."""
    more = [*map(Path, texts(folders, "--tasks DIR"))]
    return _load_folders((SHIPPED_TASKS_FOLDER, *more)) if more else shipped_library()


@cache
def shipped_library() -> TaskLibrary:
    """Return the library of only the shipped definitions, the same at every call."""
    return _load_folders((SHIPPED_TASKS_FOLDER,))


def _load_folders(folders: Sequence[Path]) -> TaskLibrary:
    drafts: dict[str, TaskDraft] = {}
    for folder in folders:
        _add_folder(drafts, folder)
    return TaskLibrary(linking.link_definitions(drafts))


def _add_folder(drafts: dict[str, TaskDraft], folder: Path) -> None:
    fix = "give a folder of task files"
    with os_errors_as(TaskFormatError, "cannot be read", folder, fix=fix):
        paths = sorted(each for each in folder.iterdir() if each.suffix == ".json")
    if not paths:
        fix = "their names end in .json"
        raise TaskFormatError("holds no task files", where=str(folder), fix=fix)
    before = dict(drafts)
    for path in paths:
        draft = read_task_file(path)
        _check_conflict(draft, drafts, before)
        replaced = before.get(draft.name)
        if replaced is not None and replaced.parameter_count == draft.parameter_count:
            draft = draft.with_descriptions_of(replaced)
        drafts[draft.name] = draft


def _check_conflict(
    draft: TaskDraft, drafts: Mapping[str, TaskDraft], before: Mapping[str, TaskDraft]
) -> None:
    for other in drafts.values():
        same_name, same_id = other.name == draft.name, other.id == draft.id
        replaces = same_name and same_id and before.get(other.name) is other
        if replaces or not (same_name or same_id):
            continue
        field = "task_name" if same_name else "task_id"
        value = repr(draft.name) if same_name else draft.id
        raise TaskFormatError(
            f"{value} is taken by {other.source}",
            where=f"{draft.source}: {field}",
            fix="use another, or replace that task by taking its id and its name",
        )


def _normalize_name(typed: str) -> str:
    return re.sub(r"[\s_-]+", " ", typed).strip().lower()
