"""The world set back to the recorded course after it answered an action."""

from tatc.session.records.recorded_steps import RecordedStep
from tatc.sim.embedded.simulator import EmbeddedSimulator


def apply_recorded_step(sim: EmbeddedSimulator, step: RecordedStep, wanted: str | None) -> None:
    """Give the world the recorded effect of an action that it has answered.

    `wanted` is the object that stands for the recorded one, None if the recorded action
    failed.  Slices get the poses that they have in the recorded final state.
    """
    question, recorded = step
    if question.is_translation:
        return
    if wanted is not None and recorded.sliced_pose is not None:
        sim.move_object(wanted, recorded.sliced_pose.position, recorded.sliced_pose.rotation)
    sim.apply_recorded_effect(question.action, wanted)
