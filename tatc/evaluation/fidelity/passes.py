"""Three passes over a recorded session, and what is compared in each.

- One by one: each action is answered from the recorded course, and counted; then the
  world is put back onto that course.
- By clicks: bodies stand where they were logged, all else is as this world answers.
- Helped: the same with the recorded object in place of what the click means.
"""

from tatc.actions import Role
from tatc.evaluation.fidelity.causes import cause_of
from tatc.evaluation.fidelity.putting_back import put_back
from tatc.evaluation.fidelity.tally import Disagreement, Tally
from tatc.records import Game
from tatc.records.course import Question, Step
from tatc.records.stand_ins import StandIns
from tatc.sim.embedded.world import EmbeddedSimulator
from tatc.state import ObjectState, Snapshot
from tatc.tdl import Task

FLAGS = (
    "isOpen",
    "isToggled",
    "isPickedUp",
    "isSliced",
    "isCooked",
    "isDirty",
    "isFilledWithLiquid",
)
"""What is compared of the objects' ends, beside where they are."""
_ME = Role.FOLLOWER


def one_by_one(sim: EmbeddedSimulator, game: Game, steps: tuple[Step, ...]) -> Tally:
    """Return how the world answers each action from the recorded course."""
    sim.reset(game.scene)
    tally, stand_ins = Tally(), StandIns()
    for question, recorded in steps:
        sim.put_follower(question.body)
        before = sim.snapshot()
        wanted = recorded.object_id and stand_ins.of(recorded.object_id, before)
        if question.moves:
            _ask_move(sim, question, recorded.success, tally)
        elif recorded.success:
            _ask_done(sim, question, wanted, before, tally)
        else:
            _ask_failed(sim, question, before, tally)
        sim.restore(before)
        put_back(sim, (question, recorded), wanted)
    return tally


def by_clicks(sim: EmbeddedSimulator, game: Game, steps: tuple[Step, ...]) -> Snapshot:
    """Return the end when all clicks mean what they mean here."""
    sim.reset(game.scene)
    for question, _ in steps:
        if not question.moves:
            sim.put_follower(question.body)
            sim.step(_ME, question.action)
    return sim.capture()


def helped(sim: EmbeddedSimulator, game: Game, steps: tuple[Step, ...]) -> Snapshot:
    """Return the end when clicks mean the recorded objects.

    What has no recorded object is left out, as TEACh's own replay leaves it out.
    """
    sim.reset(game.scene)
    stand_ins = StandIns()
    for question, recorded in steps:
        if recorded.object_id is not None:
            sim.put_follower(question.body)
            wanted = stand_ins.of(recorded.object_id, sim.snapshot())
            if wanted is not None:
                sim.step_on(_ME, question.action, wanted)
    return sim.capture()


def compare_ends(
    name: str, end: Snapshot, game: Game, task: Task | None, tally: Tally
) -> None:
    """Count whether the task is done at an end, and how far objects are as recorded.

    A game whose recorded end does not pass is not asked.
    """
    if task is not None and task.check(game.final).success:
        passed = task.check(end).success
        tally.count(f"ends.{name}", passed)
        if not passed:
            why = "the task is not done at the end"
            each = Disagreement(f"ends.{name}", "-", "-", game.task_name, why)
            tally.apart.append(each)
    for thing in game.final.objects:
        here = end.get(thing.objectId)
        if here is None:
            continue
        for flag in FLAGS:
            same = getattr(here, flag) == getattr(thing, flag)
            tally.count(f"objects.{name}.{flag}", same)
        if thing.affordances.pickupable:
            same = _parents(here) == _parents(thing)
            tally.count(f"objects.{name}.parentReceptacles", same)


def _ask_move(
    sim: EmbeddedSimulator, question: Question, accepted: bool, tally: Tally
) -> None:
    result = sim.step(_ME, question.action)
    name = "moves.accepted" if accepted else "moves.refused"
    tally.count(name, result.success is accepted)
    if result.success is not accepted:
        held, blocker = sim.snapshot().held(), result.message.partition(" is blocking")
        target = _type(blocker[0]) if blocker[1] else "-"
        why = "is blocking" if blocker[1] else "nothing is in the way"
        tally.apart.append(_apart(name, question, held, target, why))


def _ask_done(
    sim: EmbeddedSimulator,
    question: Question,
    wanted: str | None,
    before: Snapshot,
    tally: Tally,
) -> None:
    """Count a recorded success: what the click means, and whether it succeeds."""
    meant = sim.meant(question.action)
    tally.count("clicks", meant is not None and meant == wanted)
    result = sim.step(_ME, question.action)
    tally.count("interactions.succeeded", result.success)
    tally.count(f"succeeded.{question.verb}", result.success)
    held, target = before.held(), _type(wanted or "-")
    if meant != wanted or wanted is None:
        why = f"means {_type(meant)}" if meant else "means nothing"
        tally.apart.append(_apart("clicks", question, held, target, why))
    if not result.success:
        why = reason(result.message)
        name = "interactions.succeeded"
        tally.apart.append(_apart(name, question, held, target, why))


def _ask_failed(
    sim: EmbeddedSimulator, question: Question, before: Snapshot, tally: Tally
) -> None:
    """Count a recorded failure."""
    cause = cause_of(before, question)
    result = sim.step(_ME, question.action)
    tally.count("interactions.failed", not result.success)
    tally.count(f"failed.{question.verb}", not result.success)
    tally.count(f"causes.{cause}", not result.success)
    if result.success:
        target, why = _type(result.object_id or "-"), f"succeeds; cause {cause}"
        name = "interactions.failed"
        tally.apart.append(_apart(name, question, before.held(), target, why))


def _apart(
    name: str, question: Question, held: ObjectState | None, target: str, why: str
) -> Disagreement:
    kind = "-" if held is None else held.objectType
    return Disagreement(
        name, str(question.verb), kind, target, why, index=question.index
    )


def reason(message: str) -> str:
    """Return a refusal without the names and places of single objects."""
    return " ".join(_type(word) for word in message.split(" at (")[0].split())


def _type(word: str) -> str:
    """Return the type in an object id, other words as they are."""
    kind, *rest = word.split("|")
    if len(rest) > 3:
        return rest[3].partition("_")[0]
    return kind


def _parents(thing: ObjectState) -> frozenset[str]:
    return frozenset(thing.parentReceptacles or ())
