"""The fidelity of one recorded game, and of many games in processes of this machine.

A game is compared action by action, from the recorded state before each; then played as a whole,
placing the Follower where it was logged: by clicks, and by the recorded objects in their place.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from math import dist
from pathlib import Path

from tatc.base import errors, process_pool
from tatc.evaluation.fidelity.agreement_counts import AgreementCounts, Disagreement
from tatc.home import actions, refusals, type_facts
from tatc.home.camera.clicks import affords, eye_of
from tatc.home.camera.rays import Eye
from tatc.home.state import Box, ObjectState, Snapshot, Vec3, type_in_id, yaw_sin_cos
from tatc.session import records, worlds
from tatc.session.records.game import (
    ObjectSubstitutes,
    RecordedAttempt,
    RecordedResult,
    RecordedStep,
    recorded_steps,
)
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.teach_effects import unmet_precondition
from tatc.tdl import Task, load_library

COMPARED_FLAGS = tuple(
    "isOpen isToggled isPickedUp isSliced isCooked isDirty isFilledWithLiquid".split()
)
"""The fields of the final objects that are compared, beside their positions."""
CLICK_SEARCH_FRACTION = 0.011
"""How far from a click its object may be, as a fraction of the frame (spec 2.4)."""
_CLICK_OFFSETS = tuple(
    (i * CLICK_SEARCH_FRACTION, j * CLICK_SEARCH_FRACTION) for i in (0, -1, 1) for j in (0, -1, 1)
)


class RefusalCause(StrEnum):
    """The likely cause of an interaction that AI2-THOR refused, which logs do not give.

    It is judged from the recorded course, TEACh's rules and plain boxes alone, so that agreement
    with the embedded world's shapes and placement can be counted for each cause.
    """

    WRONG_HANDS = "hands"
    NOTHING_THERE = "nothing there"
    TOO_FAR = "distance"
    CLOSED = "closed"
    NO_SPACE = "room"
    OTHER = "other"


PRECONDITION_CAUSES = (
    RefusalCause.WRONG_HANDS,
    RefusalCause.NOTHING_THERE,
    RefusalCause.TOO_FAR,
    RefusalCause.CLOSED,
)
"""Causes that are known before trying; the others depend on physics."""


@dataclass(frozen=True, slots=True)
class GameFidelity:
    """The result of one file; `skipped` says why the file is no game, "" if it is one."""

    path: str
    plan: str = ""
    game_id: str = ""
    counts: AgreementCounts = field(default_factory=AgreementCounts)
    skipped: str = ""


def map_label(floor_map: str) -> str:
    """Return the name of a map in reports: `boxes`, or the map's name and hash."""
    return " ".join(worlds.name_and_hash_of_named(floor_map)).rstrip()


def measure_game(path: Path, floor_map: str = worlds.SHIPPED_MAP) -> GameFidelity:
    """Compare the world's answers with those of a game, whose own cells are left out of the map."""
    try:
        game = records.read_game(path)
        counts = _count_agreement(game, floor_map)
        return GameFidelity(str(path), game.floor_plan, game.game_id, counts)
    except errors.BadInput as fault:
        return GameFidelity(str(path), skipped=fault.one_line)


def measure_games(
    paths: Sequence[Path], floor_map: str = worlds.SHIPPED_MAP, workers: int = 1
) -> Generator[GameFidelity]:
    """Yield the result of each game, in the order given."""
    measure = partial(measure_game, floor_map=floor_map)
    yield from process_pool.map_in_processes(
        measure, paths, workers, lambda p, why: GameFidelity(str(p), skipped=f"{p}: {why}")
    )


def world_for(game: records.Game, floor_map: str) -> EmbeddedSimulator:
    """Return a world whose map holds nothing of this game's own cells."""
    return EmbeddedSimulator(worlds.load_map_for(floor_map, game.floor_plan, game.game_id))


def _count_agreement(game: records.Game, floor_map: str) -> AgreementCounts:
    sim, steps, task = world_for(game, floor_map), recorded_steps(game), None
    with suppress(errors.BadInput):  # of the shipped tasks alone it is known when they are complete
        task = load_library().compile(game.task_name, game.task_params)
    tally = answer_each_action(sim, game, steps)
    _compare_final_states("clicks", replay_by_clicks(sim, game, steps), game, task, tally)
    _compare_final_states("helped", replay_by_recorded_objects(sim, game, steps), game, task, tally)
    tally.disagreements = [replace(each, game=str(game.path)) for each in tally.disagreements]
    return tally


def answer_each_action(
    sim: EmbeddedSimulator, game: records.Game, steps: tuple[RecordedStep, ...]
) -> AgreementCounts:
    """Count the answers to each action, given from the recorded state before it."""
    counts = AgreementCounts()
    for question, recorded, wanted, before in _recorded_course(sim, game, steps):
        if question.is_translation:
            _compare_move(sim, question, recorded.success, counts)
        elif recorded.success:
            _compare_success(sim, question, wanted, before, counts)
        else:
            _compare_refusal(sim, question, before, counts)
    return counts


def _recorded_course(
    sim: EmbeddedSimulator, game: records.Game, steps: tuple[RecordedStep, ...]
) -> Iterator[tuple[RecordedAttempt, RecordedResult, str | None, Snapshot]]:
    """Yield each step with the id of its object here, None for a failed one, and the state before.

    Whatever is done with the world then, the recorded effect is what comes of the step.
    """
    sim.reset(game.scene)
    stand_ins = ObjectSubstitutes()
    for question, recorded in steps:
        sim.put_follower(question.agent)
        before = sim.snapshot()
        wanted = recorded.object_id and stand_ins.object_id_in(recorded.object_id, before)
        yield question, recorded, wanted, before
        sim.restore(before)
        if wanted is not None and recorded.sliced_pose is not None:
            sim.move_object(wanted, *recorded.sliced_pose)
        if not question.is_translation:
            sim.apply_recorded_effect(question.action, wanted)


def replay_by_clicks(
    sim: EmbeddedSimulator, game: records.Game, steps: tuple[RecordedStep, ...]
) -> Snapshot:
    """Return the final state if each click means what it means in the embedded world."""
    sim.reset(game.scene)
    for question, _ in steps:
        if not question.is_translation:
            sim.put_follower(question.agent)
            sim.step(actions.Role.FOLLOWER, question.action)
    return sim.capture()


def replay_by_recorded_objects(
    sim: EmbeddedSimulator, game: records.Game, steps: tuple[RecordedStep, ...]
) -> Snapshot:
    """Return the final state if clicks mean the recorded objects; others are left out."""
    sim.reset(game.scene)
    stand_ins = ObjectSubstitutes()
    for question, recorded in steps:
        if recorded.object_id is not None:
            sim.put_follower(question.agent)
            wanted = stand_ins.object_id_in(recorded.object_id, sim.snapshot())
            if wanted is not None:
                sim.step_on_object(actions.Role.FOLLOWER, question.action, wanted)
    return sim.capture()


def _compare_final_states(
    name: str, end: Snapshot, game: records.Game, task: Task | None, counts: AgreementCounts
) -> None:
    if task is not None and task.check(game.final).success:
        passed = task.check(end).success
        counts.count(f"ends.{name}", passed)
        if not passed:
            why = "the task is not done at the end"
            counts.disagreements.append(Disagreement(f"ends.{name}", "-", "-", game.task_name, why))
    for obj in game.final.objects:
        here = end.get(obj.objectId)
        if here is None:
            continue
        for flag in COMPARED_FLAGS:
            same = getattr(here, flag) == getattr(obj, flag)
            counts.count(f"objects.{name}.{flag}", same)
        if obj.affordances.pickupable:
            same = {*(here.parentReceptacles or ())} == {*(obj.parentReceptacles or ())}
            counts.count(f"objects.{name}.parentReceptacles", same)


def _compare_move(
    sim: EmbeddedSimulator, question: RecordedAttempt, accepted: bool, counts: AgreementCounts
) -> None:
    result = sim.step(actions.Role.FOLLOWER, question.action)
    name = "moves.accepted" if accepted else "moves.refused"
    counts.count(name, result.success is accepted)
    if result.success is not accepted:
        blocker = refusals.blocker_named_in(result.message)
        why = "nothing is in the way" if blocker is None else "is blocking"
        _add_disagreement(counts, name, question, sim.snapshot(), blocker, why)


def _compare_success(
    sim: EmbeddedSimulator,
    question: RecordedAttempt,
    wanted: str | None,
    before: Snapshot,
    counts: AgreementCounts,
) -> None:
    meant = sim.resolve_target_id(question.action)
    counts.count("clicks", meant is not None and meant == wanted)
    result = sim.step(actions.Role.FOLLOWER, question.action)
    counts.count("interactions.succeeded", result.success)
    counts.count(f"succeeded.{question.verb}", result.success)
    if meant != wanted or wanted is None:
        why = f"means {type_in_id(meant)}" if meant else "means nothing"
        _add_disagreement(counts, "clicks", question, before, wanted, why)
    if not result.success:
        # The reason without the names and positions of single objects.
        why = " ".join(type_in_id(word) for word in result.message.split(" at (")[0].split())
        _add_disagreement(counts, "interactions.succeeded", question, before, wanted, why)


def _compare_refusal(
    sim: EmbeddedSimulator, question: RecordedAttempt, before: Snapshot, counts: AgreementCounts
) -> None:
    cause = refusal_cause(before, question)
    result = sim.step(actions.Role.FOLLOWER, question.action)
    for name in ("interactions.failed", f"failed.{question.verb}", f"causes.{cause}"):
        counts.count(name, not result.success)
    if result.success:
        why = f"succeeds; cause {cause}"
        _add_disagreement(counts, "interactions.failed", question, before, result.object_id, why)


def _add_disagreement(
    counts: AgreementCounts,
    name: str,
    question: RecordedAttempt,
    world: Snapshot,
    target_id: str | None,
    why: str,
) -> None:
    held, target = world.held_object(), type_in_id(target_id or "-")
    kind = "-" if held is None else held.objectType
    each = Disagreement(name, str(question.verb), kind, target, why, index=question.index)
    counts.disagreements.append(each)


def refusal_cause(world: Snapshot, question: RecordedAttempt) -> RefusalCause:
    """Return the likeliest cause of a recorded refusal."""
    verb, held, click = question.verb, world.held_object(), question.click
    if click is None or (verb is actions.Verb.PICKUP and held is not None):
        return RefusalCause.WRONG_HANDS
    if unmet_precondition(verb, held) is not None:
        return RefusalCause.WRONG_HANDS
    fitting = [o for o in world.objects if affords(verb, o) and not o.isPickedUp]
    met = _objects_hit(eye_of(question.agent), click, fitting)
    if not met:
        return RefusalCause.NOTHING_THERE
    distance, first = min(
        ((dist(point, question.agent.position), obj) for obj, point in met),
        key=lambda pair: pair[0],
    )
    if distance > actions.INTERACTION_REACH_METRES:
        return RefusalCause.TOO_FAR
    if verb is not actions.Verb.PLACE:
        return RefusalCause.OTHER
    may_open = first.objectType in type_facts.MUST_BE_OPEN_TYPES and first.affordances.openable
    return RefusalCause.CLOSED if may_open and not first.isOpen else RefusalCause.NO_SPACE


def _objects_hit(
    eye: Eye, click: actions.Click, objects: list[ObjectState]
) -> list[tuple[ObjectState, Vec3]]:
    found: list[tuple[ObjectState, Vec3]] = []
    (fx, fy, fz), (rx, ry, rz), (ux, uy, uz) = eye.axes
    rays: list[Vec3] = []
    for dx, dy in _CLICK_OFFSETS:
        a, b = 2 * (click.x + dx) - 1, 1 - 2 * (click.y + dy)
        rays.append((fx + a * rx + b * ux, fy + a * ry + b * uy, fz + a * rz + b * uz))
    x, y, z = eye.position
    for obj in objects:
        for ray in rays:
            time = _ray_box_entry(obj.box, eye.position, ray)
            if time is not None:
                found.append((obj, (x + time * ray[0], y + time * ray[1], z + time * ray[2])))
                break
    return found


def _ray_box_entry(box: Box, start: Vec3, ray: Vec3) -> float | None:
    """Return the distance at which a ray enters a box: 0 from inside, None if it misses."""
    sine, cosine = yaw_sin_cos(box.yaw)
    off = [start[i] - box.center[i] for i in range(3)]
    own = (off[0] * cosine - off[2] * sine, off[1], off[0] * sine + off[2] * cosine)
    path = (ray[0] * cosine - ray[2] * sine, ray[1], ray[0] * sine + ray[2] * cosine)
    enter, leave = 0.0, float("inf")
    for at, step, size in zip(own, path, box.size, strict=True):
        if abs(step) < 1e-12:
            if abs(at) > size / 2:
                return None
            continue
        a, b = (-size / 2 - at) / step, (size / 2 - at) / step
        enter, leave = max(enter, min(a, b)), min(leave, max(a, b))
    return enter if enter <= leave else None


def inspect_action(sim: EmbeddedSimulator, game: records.Game, index: int) -> list[str]:
    """Return the lines that explain one recorded action, by its index in the game."""
    for question, recorded, wanted, _ in _recorded_course(sim, game, recorded_steps(game)):
        if question.index == index:
            return list(_description_lines(sim, question, recorded, wanted))
    fix = "name the index of a translation or an interaction of the Follower's"
    raise errors.BadInput(f"there is no such action: {index}", where=game.game_id, fix=fix)


def _description_lines(
    sim: EmbeddedSimulator, question: RecordedAttempt, recorded: RecordedResult, wanted: str | None
) -> Iterator[str]:
    before, body = sim.snapshot(), question.agent
    held = before.held_object()
    yield f"{question.index}: {question.verb}"
    yield f"  body       {_format_point(body.position)} yaw {body.yaw:.0f}"
    yield f"  horizon    {body.horizon:.0f}"
    yield f"  holds      {_describe_object(held)}"
    if question.click is not None:
        hit, met = sim.first_hit(question.click), "nothing"
        if hit is not None:
            met = f"{_describe_object_id(before, hit[0])} at {_format_point(hit[1])}"
        yield f"  click      {question.click.x:.4f}, {question.click.y:.4f}"
        yield f"  ray meets  {met}"
        yield f"  it means   {_describe_object_id(before, sim.resolve_target_id(question.action))}"
    answer = "succeeded" if recorded.success else "was refused"
    yield f"  recorded   {answer} {recorded.object_id or ''}".rstrip()
    if wanted is not None:
        yield f"  that is    {_describe_object_id(before, wanted)}"
    result = sim.step(actions.Role.FOLLOWER, question.action)
    answer = "succeeds" if result.success else "is refused"
    yield f"  here       {answer}: {result.message}"


def _describe_object_id(world: Snapshot, object_id: str | None) -> str:
    return _describe_object(None if object_id is None else world.get(object_id))


def _describe_object(obj: ObjectState | None) -> str:
    if obj is None:
        return "nothing"
    size = " x ".join(f"{side:.2f}" for side in obj.box.size)
    parents = ", ".join(obj.parentReceptacles or ()) or "nothing"
    opened = ", open" if obj.isOpen else ""
    return f"{obj.objectId} around {_format_point(obj.box.center)}, {size} m{opened}, in {parents}"


def _format_point(point: tuple[float, float, float]) -> str:
    return "({})".format(", ".join(f"{value:.2f}" for value in point))
