"""The runner for the sessions of a run, by the kind of the run."""

from tatc.evaluation.cascade import CascadeRunner
from tatc.evaluation.eval_options import TATC, EvalOptions
from tatc.evaluation.instance_runner import InstanceRunner
from tatc.evaluation.session_runner import SessionRunner

AnyRunner = SessionRunner | InstanceRunner
"""Each has `run(job, on_start)`, which raises nothing, and `close()`."""


def runner_for(options: EvalOptions) -> AnyRunner:
    """Return the runner for these options.

    Raises:
        BadInput: something that the options name cannot be loaded.

    """
    if options.kind != TATC:
        return InstanceRunner(options)
    return CascadeRunner(options) if options.cascaded else SessionRunner(options)
