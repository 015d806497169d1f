"""What runs the sessions of a run: by its kind."""

from tatc.evaluation.cascade import CascadeRunner
from tatc.evaluation.eval_options import TATC, EvalOptions
from tatc.evaluation.instance_runner import InstanceRunner
from tatc.evaluation.session_runner import SessionRunner

AnyRunner = SessionRunner | InstanceRunner
"""Each has `run(job, opened)`, which raises nothing, and `close()`."""


def runner_for(options: EvalOptions) -> AnyRunner:
    """Return what runs these sessions.

    Raises:
        BadInput: something that the options name cannot be loaded.

    """
    if options.kind != TATC:
        return InstanceRunner(options)
    return CascadeRunner(options) if options.cascaded else SessionRunner(options)
