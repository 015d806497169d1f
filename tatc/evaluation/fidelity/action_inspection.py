"""One recorded action in detail: what was tried, what the click meets, what each world answers."""

from collections.abc import Iterator

from tatc.base.errors import BadInput
from tatc.evaluation.fidelity.replay_passes import apply_recorded_step
from tatc.home.actions import Click, Role
from tatc.home.state import ObjectState, Snapshot
from tatc.session.records import Game
from tatc.session.records.recorded_steps import (
    ObjectSubstitutes,
    RecordedAttempt,
    RecordedResult,
    recorded_steps,
)
from tatc.sim.embedded.simulator import EmbeddedSimulator


def inspect_action(sim: EmbeddedSimulator, game: Game, index: int) -> list[str]:
    """Return the lines that explain one recorded action, by its index in the game."""
    sim.reset(game.scene)
    stand_ins = ObjectSubstitutes()
    for question, recorded in recorded_steps(game):
        sim.put_follower(question.agent)
        wanted = recorded.object_id and stand_ins.object_id_in(recorded.object_id, sim.snapshot())
        if question.index == index:
            return list(_description_lines(sim, question, recorded, wanted))
        apply_recorded_step(sim, (question, recorded), wanted)
    fix = "name the index of a translation or an interaction of the Follower's"
    raise BadInput(f"there is no such action: {index}", where=game.game_id, fix=fix)


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
        yield f"  click      {question.click.x:.4f}, {question.click.y:.4f}"
        yield f"  ray meets  {_describe_hit(sim, before, question.click)}"
        yield f"  it means   {_describe_object_id(before, sim.resolve_target_id(question.action))}"
    answer = "succeeded" if recorded.success else "was refused"
    yield f"  recorded   {answer} {recorded.object_id or ''}".rstrip()
    if wanted is not None:
        yield f"  that is    {_describe_object_id(before, wanted)}"
    result = sim.step(Role.FOLLOWER, question.action)
    answer = "succeeds" if result.success else "is refused"
    yield f"  here       {answer}: {result.message}"


def _describe_hit(sim: EmbeddedSimulator, world: Snapshot, click: Click) -> str:
    met = sim.first_hit(click)
    if met is None:
        return "nothing"
    return f"{_describe_object_id(world, met[0])} at {_format_point(met[1])}"


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
