"""Subgoal policies: what to do about one problem key; `shipped` has one for each property.

A policy is a function from a problem key and the Commander's knowledge to plans, best first.  A
plan is a tuple of skills: a policy returns data and neither acts, speaks nor loops.  All else about
a property (its rank, its facts and costs in PDDL, what it needs at least) is in
`tatc.planners.properties`.  `policy_of` finds a policy by the property's name.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import fields
from importlib import import_module
from textwrap import shorten
from typing import Any, cast

from tatc.base.errors import PolicyError, UnknownName, UsageError
from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import Plans
from tatc.home.state import ObjectState
from tatc.planners.properties import PropertyFacts, register_property, temporary_properties
from tatc.tdl import ProblemKey

Policy = Callable[[ProblemKey, Knowledge], Plans]  # returns plans for a problem key
watchers: list[Callable[[ProblemKey, Knowledge, object], None]] = []
"""Called with what each policy was given, and what it returned."""
_PROPERTY_NAMES = tuple(field.name for field in fields(ObjectState))
_POLICIES: dict[str, Policy] = {}


def policy(
    property_name: str, *, override: bool = False, facts: PropertyFacts | None = None
) -> Callable[[Policy], Policy]:
    """Register the decorated function as the policy of a property.

    A file that is loaded again replaces what it registered; to replace any other policy (or facts)
    without `override` is a UsageError.  `facts` are what planners and scores must know of the
    property; those of the package are in `tatc.planners.properties`.
    """

    def register(function: Policy) -> Policy:
        where = _place_of(function)
        if property_name not in _PROPERTY_NAMES:
            fix = "name a property of objects, as tatc.home.state.ObjectState lists them"
            raise UnknownName("property", property_name, _PROPERTY_NAMES, where=where, fix=fix)
        before = _POLICIES.get(property_name)
        replaces = override or _name_of(before) == _name_of(function)  # or loaded twice
        if before is not None and not replaces:
            what = f"two policies are registered for {property_name}"
            fix = "give override=True to replace a policy"
            raise UsageError(what, where=where, fix=fix)
        if facts is not None:
            if facts.name != property_name:
                what = f"the policy of {property_name} is given facts of {facts.name}"
                raise UsageError(what, where=where, fix="give both the same name")
            register_property(facts, override=replaces)
        _POLICIES[property_name] = function
        return function

    return register


def _name_of(function: Policy | None) -> tuple[str, str] | None:
    return function and (function.__module__, getattr(function, "__qualname__", ""))


def policy_of(property_name: str) -> Policy | None:
    """Return the policy of a property, or None where there is none."""
    return _POLICIES.get(property_name)


def describe_policy(property_name: str) -> str:
    """Return a policy's name and place, "brew (coffee.py:6)"."""
    function = _POLICIES[property_name]
    return f"{getattr(function, '__name__', '')} ({_place_of(function).rpartition('/')[2]})"


def own_properties() -> tuple[str, ...]:
    """Return the properties whose policy is not one that comes with tatc."""
    modules = {name: getattr(own, "__module__", "") for name, own in _POLICIES.items()}
    return tuple(name for name, module in modules.items() if not module.startswith(__name__))


def plans_for_key(key: ProblemKey, known: Knowledge) -> Plans | None:
    """Return the plans of a key's policy, None without one; a PolicyError if they are not plans."""
    function = policy_of(key.property_name)
    if function is None:
        return None
    plans: Any = function(key, known)
    for watch in watchers:
        watch(key, known, plans)
    if not _are_plans(plans):
        name = getattr(function, "__qualname__", type(function).__name__)
        what = f"the policy {name} returned {shorten(repr(plans), 60)}, which is no tuple of plans"
        fix = "return a tuple of plans, each a tuple of skills: ((Hold(object_id),),)"
        raise PolicyError(what, where=_place_of(function), fix=fix)
    return tuple(plans)


def _are_plans(value: Any) -> bool:
    return isinstance(value, tuple | list) and all(
        isinstance(plan, tuple) and all(map(_is_skill, cast("tuple[object, ...]", plan)))
        for plan in cast("list[object]", value)
    )


def _is_skill(value: object) -> bool:
    return callable(getattr(value, "plan", None)) and not isinstance(value, type)


def _place_of(function: Policy) -> str:
    """Return "file:line" of a function, "" where it is no plain function."""
    code = getattr(function, "__code__", None)
    return "" if code is None else f"{code.co_filename}:{code.co_firstlineno}"


@contextmanager
def temporary_policies() -> Generator[None]:
    """Restore the registered policies and facts when the `with` block ends."""
    before = dict(_POLICIES)
    try:
        with temporary_properties():
            yield
    finally:
        _POLICIES.clear()
        _POLICIES.update(before)


def properties_with_policy() -> tuple[str, ...]:
    """Return the properties that have a policy, in name order."""
    return tuple(sorted(_POLICIES))


import_module(f"{__name__}.shipped")
