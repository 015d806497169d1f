"""Problems written from a kitchen: what matters is in them, and no more."""

import re
from dataclasses import replace
from importlib.resources import files

import pytest

from benchmarks.plan_validation import validate_plan
from tatc.home.actions import Verb
from tatc.planners.pddl.goal_selection import select_goals
from tatc.planners.pddl.planner import solve_problem
from tatc.planners.pddl.problem import SearchVerdict
from tatc.planners.pddl.problem_writer import save_pddl, write_problem
from tatc.planners.snapshot_view import PlanningView, RefusedInteraction
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import shipped_library
from tests.sim.box_kitchen import kitchen

TASKS = [
    ("Coffee", ()),
    ("Clean All X", ("Dishware",)),
    ("Water Plant", ()),
    ("Toast", ()),
    ("Omelette", ()),
    ("Poach Egg", ()),
    ("Boil X", ("Potato",)),
    ("Cooked Slice Of X", ("Potato",)),
    ("N Slices Of X In Y", ("3", "Tomato", "on", "Plate")),
    ("Plate Of Toast", ()),
    ("Put All X On Y", ("Mug", "in", "Fridge")),
    ("Put All X In One Y", ("SaltShaker", "on", "Tables")),
    ("Toggle X All Y", ("on", "1", "Faucet")),
    ("heat", ("Mug", "CounterTop")),
    ("cool", ("Tomato", "CounterTop")),
    ("clean", ("Plate", "CounterTop")),
    ("movable", ("SaltShaker", "Bowl", "DiningTable")),
    ("look", ("Mug", "DeskLamp")),
]


DOMAIN = re.sub(r";.*", "", files("tatc.planners.pddl").joinpath("domain.pddl").read_text())
MARKS = dict.fromkeys(
    "wasCleaned wasCooled wasHeated simbotIsBoiled simbotIsCooked simbotIsFilledWithCoffee "
    "simbotIsFilledWithWater isFilledWithLiquid".split(),
    True,
)
"""What may hold of any object, fixtures too: a faucet is under its own water."""
FIXTURES = "sink faucet knob burner microwave toaster coffeemachine fridge".split()
PARENTS = {"item": "object", "fixture": "object", "solid": "item", "vessel": "item"}
PARENTS |= {"knife": "solid", "basin": "sink", **dict.fromkeys(FIXTURES, "fixture")}


def is_a(kind, wanted):
    return kind == wanted or (kind in PARENTS and is_a(PARENTS[kind], wanted))


@pytest.mark.parametrize(("name", "params"), TASKS)
def test_every_fact_has_the_types_that_the_domain_declares(name, params):
    declared = DOMAIN[DOMAIN.index("(:predicates") : DOMAIN.index("(:action")]
    predicates = re.findall(r"\(([a-z-]+)((?: \?\w+ - [a-z]+)*)\)", declared)
    types_by_predicate = {name: re.findall(r"- (\w+)", rest) for name, rest in predicates}
    view = view_for(name)
    selection = goals_for(view, name, *params)
    objects = [replace(obj, **MARKS) for obj in view.snapshot.objects]
    marked = PlanningView(replace(view.snapshot, objects=tuple(objects)), ())
    for problem in (write_problem(view, selection), write_problem(marked, selection)):
        kinds = dict(problem.objects)
        for predicate, *names in (*problem.init, *problem.goal):
            for each, wanted in zip(names, types_by_predicate[predicate], strict=True):
                assert is_a(kinds[each], wanted), (predicate, each)


def view_for(name):
    """Return the kitchen, which has a lamp in place of the faucet where the task needs one."""
    lamp = {"Faucet": {"objectType": "DeskLamp"}} if name == "look" else {}
    return snapshot_view(**lamp)


def snapshot_view(*refused, **changes):
    return PlanningView(EmbeddedSimulator().reset(kitchen(**changes)), refused)


def goals_for(view, name, *params, before=None):
    return select_goals(shipped_library().compile(name, params).definition, view, before)


def problem_for(view, name, *params):
    selection = goals_for(view, name, *params)
    assert not selection.unavailable
    return write_problem(view, selection)


@pytest.mark.parametrize(("name", "params"), TASKS)
def test_task_becomes_solvable_problem(name, params):
    problem = problem_for(view_for(name), name, *params)
    solution = solve_problem(problem)
    assert solution.verdict is SearchVerdict.PLAN_FOUND, solution.reason
    assert validate_plan(problem.pddl_text(), solution.steps).is_valid


@pytest.mark.parametrize("number", [0, 4, 6, 15])
def test_unified_planning_reads_what_is_saved_and_accepts_our_plan(number, tmp_path):
    shortcuts = pytest.importorskip("unified_planning.shortcuts", reason="needs the extra: dev")
    from unified_planning.io import PDDLReader

    name, params = TASKS[number]
    view, task = view_for(name), shipped_library().compile(name, params)
    save_pddl(task, view.snapshot, tmp_path, force=False)
    problem = PDDLReader().parse_problem(tmp_path / "domain.pddl", tmp_path / "problem.pddl")
    steps = solve_problem(problem_for(view, name, *params)).steps
    plan = PDDLReader().parse_plan_string(problem, "\n".join(map(str, steps)))
    with shortcuts.PlanValidator(name="sequential_plan_validator") as validator:
        assert validator.validate(problem, plan)


@pytest.mark.parametrize(("name", "params"), TASKS)
def test_every_name_leads_back_to_one_object_or_piece(name, params):
    view = view_for(name)
    problem = problem_for(view, name, *params)
    ids = dict(problem.ids)
    assert len(set(ids.values())) == len(ids)
    assert {name for name, _ in problem.objects} == set(ids)
    for object_id in ids.values():
        assert view.get(object_id) is not None or "|?" in object_id
    steps = solve_problem(problem).steps
    assert problem.steps_with_names(problem.steps_with_ids(steps)) == steps


def test_the_same_home_gives_the_same_text_without_irrelevant_objects():
    view = snapshot_view()
    problem = problem_for(view, "Coffee")
    assert problem.pddl_text() == problem_for(snapshot_view(), "Coffee").pddl_text()
    kinds = {name.rsplit("-", 1)[0] for name, _ in problem.objects}
    assert "coffeemachine" in kinds
    assert not kinds & {"tomato", "bread", "toaster", "houseplant", "stoveburner"}
    assert len(problem.objects) < len(view.snapshot.objects) / 2


def test_satisfied_goal_needs_no_plan():
    view = snapshot_view(Faucet={"isToggled": True})
    problem = problem_for(view, "Toggle X All Y", "on", "1", "Faucet")
    assert solve_problem(problem).steps == ()


@pytest.mark.parametrize("kind", ["CoffeeMachine", "Faucet", "Mug"])
def test_refused_interaction_makes_goal_unreachable(kind):
    view = snapshot_view(Mug={"isDirty": True})
    [obj] = view.find_objects(kind)[:1]
    refused = [
        RefusedInteraction(Verb.PLACE, obj.objectId, view.find_objects("Mug")[0].objectId),
        RefusedInteraction(Verb.TOGGLE_ON, obj.objectId),
        *(RefusedInteraction(Verb.PICKUP, mug.objectId) for mug in view.find_objects("Mug")),
    ]
    if kind != "Mug":
        refused = refused[:2]
    worse = PlanningView(view.snapshot, refused)
    selection = goals_for(worse, "Coffee")
    if not selection.unavailable:
        solution = solve_problem(write_problem(worse, selection))
        assert solution.verdict is SearchVerdict.UNSOLVABLE
        assert solution.unreachable_goals


def test_refused_object_is_replaced():
    view = snapshot_view()
    first = goals_for(view, "Sliced X", "Tomato")
    whole = first.pieces[0].whole_id
    worse = PlanningView(view.snapshot, [RefusedInteraction(Verb.SLICE, whole, "knife")])
    second = goals_for(worse, "Sliced X", "Tomato")
    assert second.unavailable or second.pieces[0].whole_id != whole


def test_an_earlier_choice_is_kept():
    view = snapshot_view()
    task = ("Put All X On Y", "Knife", "in", "Tables")
    assert goals_for(view, *task).choices == goals_for(view, *task).choices
    tables = [t for t in view.find_objects() if "Tables" in (t.simbotObjectClass or ())]
    knife = view.find_objects("Knife")[0].objectId
    for table in tables:
        before = {f"{knife}>": table.objectId}
        kept = dict(goals_for(view, *task, before=before).choices)
        assert kept[f"{knife}>"] == table.objectId


def test_slices_are_cut_first_and_dishes_laid_before_they_are_served():
    selection = goals_for(snapshot_view(), "N Slices Of X In Y", "2", "Tomato", "on", "Plate")
    assert [group[0][0] for group in selection.agenda] == ["cut", "clean", "in", "in"]
    assert len({piece.token for piece in selection.pieces}) == 2
    assert {atom for group in selection.agenda for atom in group} == set(selection.goal)


def test_too_few_objects_are_reported():
    selection = goals_for(snapshot_view(), "N Slices Of X In Y", "99", "Tomato", "on", "Plate")
    assert selection.unavailable == ("too few TomatoSliced that could serve",)
