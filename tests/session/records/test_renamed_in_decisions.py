"""The table of renamed skills leads to skills and arguments that exist."""

import json
from dataclasses import fields
from importlib import import_module
from importlib.resources import files
from pkgutil import iter_modules

from tatc.commander import skills

TABLE = json.loads(
    files("tatc.session.records").joinpath("renamed_in_decisions.json").read_text("utf-8")
)


def _skills() -> dict[str, tuple[str, ...]]:
    """Return each skill with its arguments."""
    modules = [import_module(f"{skills.__name__}.{m.name}") for m in iter_modules(skills.__path__)]
    classes = {name: cls for module in modules for name, cls in vars(module).items()}
    return {
        name: tuple(field.name for field in fields(cls))
        for name, cls in classes.items()
        if hasattr(cls, "plan") and hasattr(cls, "__dataclass_fields__")
    }


def test_new_names_exist_and_old_ones_do_not() -> None:
    known = _skills()
    assert set(TABLE["skills"].values()) <= known.keys()
    assert not TABLE["skills"].keys() & known.keys()
    for skill, arguments in TABLE["arguments"].items():
        assert set(arguments.values()) <= set(known[skill])
        assert not arguments.keys() & set(known[skill])
