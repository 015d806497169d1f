"""Subgoal policies: what to do about one problem key, one file a property.

A policy is a function from a problem key and what is known to plans, best first.  A
plan is a tuple of skills; a policy returns data and neither acts, speaks nor loops.
Importing this package loads its files in name order; `policy_of` finds a policy by the
property's name.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import import_module
from pkgutil import iter_modules

from tatc.commander.knowledge import Knowledge
from tatc.commander.plan_builder import SkillPlan
from tatc.errors import UsageError
from tatc.tdl import ProblemKey

Policy = Callable[[ProblemKey, Knowledge], tuple[SkillPlan, ...]]
"""Plans for a problem key, best first; none where nothing can be done."""

_POLICIES: dict[str, Policy] = {}


def policy(property_name: str, *, override: bool = False) -> Callable[[Policy], Policy]:
    """Register the decorated function as the policy of a property.

    With `override` it takes the place of one that there is already; a file that is
    loaded again takes the place of what it registered before.

    Raises:
        UsageError: the property has a policy already, and `override` is not given.

    """

    def register(function: Policy) -> Policy:
        known = _POLICIES.get(property_name)
        if known is not None and not override and not _is_same_function(known, function):
            raise UsageError(f"two policies are registered for {property_name}")
        _POLICIES[property_name] = function
        return function

    return register


def _is_same_function(one: Policy, other: Policy) -> bool:
    """Whether two functions are one function of one module, loaded twice."""
    places = ((f.__module__, getattr(f, "__qualname__", "")) for f in (one, other))
    return len(set(places)) == 1


def policy_of(property_name: str) -> Policy | None:
    """Return the policy of a property, or None where there is none."""
    return _POLICIES.get(property_name)


@contextmanager
def temporary_policies() -> Generator[None]:
    """Forget at the end which policies were registered in between."""
    before = dict(_POLICIES)
    try:
        yield
    finally:
        _POLICIES.clear()
        _POLICIES.update(before)


def properties_with_policy() -> tuple[str, ...]:
    """Return the properties that have a policy, in name order."""
    return tuple(sorted(_POLICIES))


for _module in sorted(module.name for module in iter_modules(__path__)):
    import_module(f"{__name__}.{_module}")
