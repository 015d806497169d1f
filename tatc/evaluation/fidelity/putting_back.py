"""The world put back onto the recorded course after it answered an action."""

from tatc.records.course import Step
from tatc.sim.embedded.world import EmbeddedSimulator


def put_back(sim: EmbeddedSimulator, step: Step, wanted: str | None) -> None:
    """Put a world back onto the recorded course after an action was answered.

    `wanted` is the object that stands for the recorded one, None if it was refused.
    Where a thing was cut is taken from the recorded end, where it still lies.
    """
    question, recorded = step
    if question.moves:
        return
    if wanted is not None and recorded.lay is not None:
        sim.lay(wanted, recorded.lay.position, recorded.lay.rotation)
    sim.impose(question.action, wanted)
