"""The settings of a session, as a user names them: one table for everything that says them.

Options of commands, the setup of a session, the identity of a run, records, rows, reports and
printed commands are made from `SETTINGS`.  To add a setting of agents, add it to `settings.toml`,
name it in the `settings` of the traits of the agents that take it (`tatc.home.agent_traits`), and
test it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from os.path import isfile  # unlike Path's, it bears a name that is too long
from pathlib import Path
from typing import Any

from tatc.base import files
from tatc.base.json_fields import FieldError, as_integer, as_mapping, as_number, short_repr
from tatc.home.actions import Role

SettingValue = str | int | float
Settings = tuple[tuple[str, SettingValue], ...]
"""Names and values of what a user gave, in the order of the table."""

AGENTS, WORLD = "Agents", "World"  # headings of `--help`


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting: how it is asked for, who takes it, and how it is told afterwards."""

    name: str  # its name in options, setups, records and rows
    help: str
    kind: type[str] | type[int] | type[float] | type[Path] = str
    default: Any = None
    """What an option has where the user says nothing; None leaves it to the agents."""
    heading: str = AGENTS
    flag: str = ""  # the option; by default `--` and the name
    metavar: str | None = None
    least: float | None = None
    most: float | None = None
    repeats: bool = False  # whether the option may be given more than once
    help_in_compare: str = ""
    """The help where several Followers are compared; "" where that takes no such option."""
    in_setup: bool = True
    """Whether it is a part of a session's setup; else the command makes something else of it."""
    role: Role | None = None  # whose setting it is: naming another agent of this role drops it
    is_argument: bool = False  # whether agents take it by keyword: those whose traits name it
    lacking: str = ""  # what a refusal says of an agent that does not take it
    fix: str = "leave it out"
    in_record: bool = True
    always_in_record: bool = False
    in_row: bool = True
    null_in_identity: bool = False  # whether an identity says that it was not given
    group: str = ""  # under which an identity has it, with others; see `_USUAL_IN_GROUPS`
    key: str = ""  # its key in the group
    phrase: str = ""  # what a report says of it, with {} for the value

    @property
    def option(self) -> str:
        """How a user gives it: `--speaker-seed`."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def is_file(self) -> bool:
        """Whether it names a file, of which records and rows say the name and a hash."""
        return self.kind is Path

    def check(self, value: object, field: str = "") -> SettingValue:
        """Return the value that JSON holds, or raise a FieldError."""
        field = field or self.name
        if self.kind is int:
            found: SettingValue = as_integer(value, field)
        elif self.kind is float:
            found = as_number(value, field)
        else:
            if not isinstance(value, str) or not value:
                raise FieldError(field, f"should be a text, is {short_repr(value)}")
            return value.encode("utf-8", "backslashreplace").decode()  # so that it can be printed
        low = found if self.least is None else self.least
        high = found if self.most is None else self.most
        if not low <= found <= high:
            raise FieldError(field, f"is impossible: {short_repr(value)}")
        return found

    def label(self, value: Any) -> Any:
        """Return a value as records, rows and identities say it."""
        return file_label(value) if self.is_file else getattr(value, "value", value)


def file_label(file: str | None) -> str:
    """Return the name of a file and a hash of it, "" for none."""
    if file is None:
        return ""
    path = Path(file)
    held = path.read_bytes() if isfile(path) else b""
    return f"{path.name} {sha256(held).hexdigest()[:12]}"


_USUAL_IN_GROUPS: dict[str, dict[str, SettingValue]] = {
    "speaking": {"seed": 0, "partial": 0.3, "typo_rate": 0.0}
}
"""Where one setting of a group is given, the others are as is usual."""
_KINDS = {"str": str, "int": int, "float": float, "file": Path}


def _read_setting(name: str, raw: dict[str, Any]) -> Setting:
    given: dict[str, Any] = {"role": None, "kind": "str", **raw}
    given["kind"] = _KINDS[given["kind"]]
    given["role"] = given["role"] and Role[given["role"]]
    return Setting(name=name, **given)


SETTINGS = {
    name: _read_setting(name, dict(raw))
    for name, raw in files.package_table("tatc.session.agents", "settings.toml").items()
}
"""The settings by name, in the order of `--help`."""

FIELD_NAMES = tuple("floor_map commander follower noise wording sim perception language".split())
"""The settings that a session itself reads: fields of `SessionSetup`, in their order."""


def settings_in_order() -> list[Setting]:
    """Return the settings of a setup as records and commands name them: its fields come first."""
    return [*(SETTINGS[name] for name in FIELD_NAMES), *agent_settings()]


def agent_settings() -> list[Setting]:
    """Return the settings that a session hands on to its agents, and does not read itself."""
    return [each for each in SETTINGS.values() if each.in_setup and each.name not in FIELD_NAMES]


def group_of(setting: Setting) -> list[Setting]:
    """Return the settings that stand together with this one, itself among them."""
    if not setting.group:
        return [setting]
    return [each for each in SETTINGS.values() if each.group == setting.group]


def given_settings(given: Mapping[str, Any]) -> Settings:
    """Return the agents' settings that are not None, with the usual others of their groups."""
    found: dict[str, SettingValue] = {}
    for each in agent_settings():
        value = given.get(each.name)
        if value is None and any(given.get(mate.name) is not None for mate in group_of(each)):
            value = _USUAL_IN_GROUPS[each.group][each.key]
        if value is not None:
            found[each.name] = str(value) if isinstance(value, Path) else value
    return tuple(found.items())


def read_settings(raw: Mapping[str, Any], *, files: bool = False) -> Settings:
    """Return the settings of agents in a record's options or a row, or raise a FieldError.

    Files stand there as labels, which cannot be opened: they are left out without `files`.
    """
    found: dict[str, Any] = {}
    for each in agent_settings():
        if each.name not in raw or (each.is_file and not files):
            continue
        if raw[each.name] != ("" if each.is_file else None):
            found[each.name] = each.check(raw[each.name], each.name)
    return given_settings(found)


def row_json(settings: Settings) -> dict[str, SettingValue | None]:
    """Return the settings of agents as a row has them, those too that were not given."""
    values = dict(settings)
    return {
        each.name: values.get(each.name, "" if each.is_file else None)
        for each in agent_settings()
        if each.in_row
    }


def identity_json(settings: Settings) -> dict[str, Any]:
    """Return the agents' settings as an identity has them: a file by its label and its path."""
    found, values = dict[str, Any](), dict(settings)
    for each in agent_settings():
        value = values.get(each.name)
        name = each.group or each.name
        if value is None:
            if each.null_in_identity:
                found.setdefault(name, None)
        elif not each.group:
            found[name] = each.label(value)
            if each.is_file:
                found[f"{name}_file"] = value
        else:
            found[name] = {
                **_USUAL_IN_GROUPS[each.group],
                **(found.get(name) or {}),
                each.key: value,
            }
    return found


def value_in_identity(each: Setting, setup: Mapping[str, Any]) -> Any:
    """Return a setting's value in an identity's setup, None where it holds none."""
    if each.group:
        held: Mapping[str, Any] = setup.get(each.group) or {}
        return held.get(each.key)
    return setup.get(each.name)


def check_identity(setup: Mapping[str, Any]) -> None:
    """Raise a FieldError for the settings of agents in an identity that are impossible."""
    for each in agent_settings():
        key = each.group or each.name
        if setup.get(key) is None:
            continue
        if not each.group:
            each.check(value_in_identity(each, setup))
        else:
            each.check(as_mapping(setup[key], key).get(each.key), f"{key}.{each.key}")


def settings_in_identity(setup: Mapping[str, Any]) -> Settings:
    """Return the settings of agents in an identity that was checked; files are their paths."""
    values = {each.name: value_in_identity(each, setup) for each in agent_settings()}
    files = {each.name: setup.get(f"{each.name}_file") for each in agent_settings() if each.is_file}
    return given_settings(values | files)


def phrases_of_identity(setup: Mapping[str, Any]) -> dict[str, str]:
    """Return what a report says of the settings in an identity, by name."""
    values = {each.name: (each, value_in_identity(each, setup)) for each in settings_in_order()}
    return {
        name: each.phrase.format(f"{value:g}" if isinstance(value, float) else value)
        for name, (each, value) in values.items()
        if each.phrase and value not in (None, "")
    }


def command_words(
    setup: Mapping[str, Any], names: Iterable[str] | None = None, *, default_of: Mapping[str, Any]
) -> list[str]:
    """Return the options that give a command an identity's settings other than the defaults.

    `names` are those to give, None for all; `default_of` are a setup's own defaults.
    """
    words: list[str] = []
    for each in settings_in_order():
        value = value_in_identity(each, setup)
        if each.is_file and value:  # the runs of before 0.2 hold no path
            value = setup.get(f"{each.name}_file") or value.rpartition(" ")[0]
        in_group = _USUAL_IN_GROUPS[each.group] if each.group else None
        usual = default_of.get(each.name) if in_group is None else in_group[each.key]
        if value in (None, "", usual) or (names is not None and each.name not in names):
            continue
        words += [each.option, f"{value:g}" if isinstance(value, float) else str(value)]
    return words
