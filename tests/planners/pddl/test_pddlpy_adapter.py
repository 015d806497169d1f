"""PDDL by pddlpy: plans replayed, and the traps that we stay out of."""

import pytest
from pddlpy.diagnostics import diagnose
from pddlpy.pddl import Atom, DomainProblem
from pddlpy.planning import atom_tuple

from benchmarks.plan_validation import parse, validate_plan
from tatc.base.errors import UsageError
from tatc.planners.pddl.pddlpy_adapter import ground_task, to_domain_problem
from tatc.planners.pddl.planner import solve_problem
from tatc.planners.pddl.problem import PddlNames, SearchVerdict, domain_text
from tests.planners.pddl.household_problems import (
    PROBLEMS,
    TOAST_PROBLEM,
    make_problem,
    parse_steps,
)

VALID_PLANS = {
    "mug": "take-out other machine, put-down other, pick-up mug, put mug sink, "
    "switch-on tap, fill mug sink tap, take mug sink, pour-out mug sink, "
    "put-in mug machine, brew mug machine",
    "toast": "open-door fridge, take loaf fridge, put-down loaf, pick-up knife, slice loaf "
    "knife, put-down knife, take-piece slice loaf, put-in slice toaster, toast slice "
    "toaster, take-out slice toaster, put slice plate",
    "boil": "take-out pot burner, put pot sink, switch-on tap, fill pot sink tap, "
    "take pot sink, put-in pot burner, pick-up potato, put-in-water potato pot, "
    "boil potato pot burner knob",
    "egg": "pick-up knife, crack-in egg yolk knife pan, cook-on-burner yolk pan burner knob",
    "plant": "switch-on tap, fill mug sink tap, take mug sink, pour-into mug plant",
}
INVALID_PLANS = {
    "a full hand picks nothing up": (
        "mug",
        "pick-up mug, take-out other machine",
        "step 2: (take-out other machine) needs hand-free",
    ),
    "a machine takes one mug": (
        "mug",
        "pick-up mug, put-in mug machine",
        "step 2: (put-in mug machine) needs vacant machine",
    ),
    "a dry tap fills nothing": (
        "mug",
        "pick-up mug, put mug sink, fill mug sink tap",
        "step 3: (fill mug sink tap) needs on tap",
    ),
    "coffee goes into an empty mug": (
        "mug",
        "take-out other machine, put-down other, pick-up mug, put mug sink, "
        "switch-on tap, fill mug sink tap, take mug sink, put-in mug machine, "
        "brew mug machine",
        "step 9: (brew mug machine) needs empty mug",
    ),
    "a dirty mug with coffee is not done": (
        "mug",
        "take-out other machine, put-down other, pick-up mug, put-in mug machine, brew mug machine",
        "at the end: clean mug does not hold",
    ),
    "a closed fridge gives nothing": (
        "toast",
        "take loaf fridge",
        "step 1: (take loaf fridge) needs reachable fridge",
    ),
    "a bare hand slices nothing": (
        "toast",
        "open-door fridge, take loaf fridge, put-down loaf, slice loaf knife",
        "step 4: (slice loaf knife) needs holding knife",
    ),
    "a whole loaf has no slices to take": (
        "toast",
        "take-piece slice loaf",
        "step 1: (take-piece slice loaf) needs cut loaf",
    ),
    "what is not held is not placed": (
        "toast",
        "put slice plate",
        "step 1: (put slice plate) needs holding slice",
    ),
    "nothing goes where it does not fit": (
        "toast",
        "pick-up knife, put knife plate",
        "step 2: there is no action (put knife plate)",
    ),
    "a potato goes into water only": (
        "boil",
        "pick-up potato, put-in-water potato pot",
        "step 2: (put-in-water potato pot) needs wet pot",
    ),
    "an empty mug waters nothing": (
        "plant",
        "take mug sink, pour-into mug plant",
        "step 2: (pour-into mug plant) needs full mug",
    ),
    "no plan is too short": ("egg", "", "at the end: cooked yolk does not hold"),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_valid_plan_is_accepted(name):
    assert validate_plan(PROBLEMS[name].pddl_text(), parse_steps(VALID_PLANS[name])).is_valid


@pytest.mark.parametrize(("name", "plan", "why"), INVALID_PLANS.values(), ids=INVALID_PLANS)
def test_invalid_plan_is_rejected_with_reason(name, plan, why):
    result = validate_plan(PROBLEMS[name].pddl_text(), parse_steps(plan))
    assert not result.is_valid
    assert result.reason == why


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_valid_plan_needs_each_of_its_steps(name):
    plan = parse_steps(VALID_PLANS[name])
    for i in range(len(plan)):
        assert not validate_plan(PROBLEMS[name].pddl_text(), plan[:i] + plan[i + 1 :]).is_valid


@pytest.mark.parametrize("name", PROBLEMS)
def test_conversion_equals_parsing(name):
    ours, read = to_domain_problem(PROBLEMS[name]), parse(PROBLEMS[name].pddl_text())
    assert ours.worldobjects() == read.worldobjects()
    for facts in ("initialstate", "goals"):
        mine, its = getattr(ours, facts)(), getattr(read, facts)()
        assert sorted(map(atom_tuple, mine)) == sorted(map(atom_tuple, its))
    assert [a.step for a in ground_task(ours).actions] == [
        a.step for a in ground_task(read).actions
    ]


@pytest.mark.parametrize("name", PROBLEMS)
def test_pddlpy_accepts_our_pddl(name, tmp_path):
    domain, written = tmp_path / "domain.pddl", tmp_path / "problem.pddl"
    domain.write_text(domain_text(), "utf-8")
    written.write_text(PROBLEMS[name].pddl_text(), "utf-8")
    assert diagnose(str(domain), str(written))["valid"]
    read = DomainProblem(str(domain), str(written))
    assert read.requirements() == {":strips", ":typing"}


def test_preconditions_are_plain_conjunctions_and_parameters_have_types():
    """Anything else makes pddlpy ground thirty times slower."""
    for action in parse(TOAST_PROBLEM.pddl_text()).domain.operators.values():
        assert action.simple_conjunction
        assert not action.precondition_neg
        assert not action.effect_tree.features()
        # An untyped parameter would take untyped objects alone.
        assert None not in action.variable_list.values()


def test_pddlpy_would_read_a_negative_goal_as_positive_and_or_as_and():
    text = TOAST_PROBLEM.pddl_text().replace("(cooked slice)", "(not (raw slice))")
    assert ("raw", "slice") in {atom_tuple(goal) for goal in parse(text).goals()}
    text = TOAST_PROBLEM.pddl_text().replace("(:goal (and", "(:goal (or")
    assert len(parse(text).goals()) == 2


def test_atoms_hash_by_identity():
    assert Atom(["open", "fridge"]) != Atom(["open", "fridge"])


def test_actions_are_in_name_order_whatever_order_pddlpy_has():
    names = [str(action.step) for action in ground_task(to_domain_problem(TOAST_PROBLEM)).actions]
    assert names == sorted(names)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("(:goal (and", "(:goal (and (", "no PDDL"),
        ("(hand-free)", "(hand-fre)", "'hand-fre' is no predicate"),
        ("(aside knife)", "(aside knive)", "'knive' is not among the objects"),
        ("knife - knife", "Knife|+01.0 - knife", "no PDDL"),
    ],
)
def test_error_ignored_by_pddlpy_is_raised(old, new, why):
    text = TOAST_PROBLEM.pddl_text()
    assert old in text
    with pytest.raises(ValueError, match=why.replace("|", r"\|")):
        parse(text.replace(old, new, 1))


def test_names_are_identifiers_and_map_back():
    names = PddlNames()
    first = names.name_of("Mug|+01.00|-00.50|+02.00", "Mug")
    assert (first, names.name_of("Mug|x", "Mug")) == ("mug-1", "mug-2")
    assert names.name_of("Mug|+01.00|-00.50|+02.00", "Mug") == "mug-1"
    assert dict(names.name_id_pairs())["mug-2"] == "Mug|x"
    with pytest.raises(UsageError, match="PDDL name"):
        names.name_of("x", "Mug|1")


def test_a_problem_without_a_goal_is_solved_by_nothing():
    done = make_problem("mug:vessel", "hand-free, clean mug", "clean mug")
    solution = solve_problem(done)
    assert (solution.verdict, solution.steps) == (SearchVerdict.PLAN_FOUND, ())
