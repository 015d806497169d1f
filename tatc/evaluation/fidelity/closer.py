"""One recorded action looked at closely: what was tried, what was met, what we say."""

from collections.abc import Iterator

from tatc.actions import Click, Role
from tatc.errors import BadInput
from tatc.evaluation.fidelity.putting_back import put_back
from tatc.records import Game
from tatc.records.course import Question, Recorded, course_of
from tatc.records.stand_ins import StandIns
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import ObjectState, Snapshot


def look_at(sim: EmbeddedSimulator, game: Game, index: int) -> list[str]:
    """Return what a person wants to know of an action, in lines.

    Raises:
        BadInput: this is no translation and no interaction of the Follower's.

    """
    sim.reset(game.scene)
    stand_ins = StandIns()
    for question, recorded in course_of(game):
        sim.put_follower(question.body)
        wanted = recorded.object_id and stand_ins.of(recorded.object_id, sim.snapshot())
        if question.index == index:
            return list(_lines(sim, question, recorded, wanted))
        put_back(sim, (question, recorded), wanted)
    fix = "name the index of a translation or an interaction of the Follower's"
    raise BadInput(f"there is no such action: {index}", where=game.game_id, fix=fix)


def _lines(
    sim: EmbeddedSimulator, question: Question, recorded: Recorded, wanted: str | None
) -> Iterator[str]:
    before, body = sim.snapshot(), question.body
    held = before.held()
    yield f"{question.index}: {question.verb}"
    yield f"  body       {_point(body.position)} yaw {body.yaw:.0f}"
    yield f"  horizon    {body.horizon:.0f}"
    yield f"  holds      {_thing(held)}"
    if question.click is not None:
        yield f"  click      {question.click.x:.4f}, {question.click.y:.4f}"
        yield f"  ray meets  {_hit(sim, before, question.click)}"
        yield f"  it means   {_named(before, sim.meant(question.action))}"
    answer = "succeeded" if recorded.success else "was refused"
    yield f"  recorded   {answer} {recorded.object_id or ''}".rstrip()
    if wanted is not None:
        yield f"  that is    {_named(before, wanted)}"
    result = sim.step(Role.FOLLOWER, question.action)
    answer = "succeeds" if result.success else "is refused"
    yield f"  here       {answer}: {result.message}"


def _hit(sim: EmbeddedSimulator, world: Snapshot, click: Click) -> str:
    met = sim.met(click)
    return "nothing" if met is None else f"{_named(world, met[0])} at {_point(met[1])}"


def _named(world: Snapshot, object_id: str | None) -> str:
    return _thing(None if object_id is None else world.get(object_id))


def _thing(thing: ObjectState | None) -> str:
    if thing is None:
        return "nothing"
    size = " x ".join(f"{side:.2f}" for side in thing.box.size)
    parents = ", ".join(thing.parentReceptacles or ()) or "nothing"
    opened = ", open" if thing.isOpen else ""
    return (
        f"{thing.objectId} around {_point(thing.box.center)}, {size} m"
        f"{opened}, in {parents}"
    )


def _point(point: tuple[float, float, float]) -> str:
    return "({})".format(", ".join(f"{value:.2f}" for value in point))
