"""What runs the sessions of a run: by its kind."""

from tatc.evaluation.cascade import CascadeRunner
from tatc.evaluation.instances.runner import InstanceRunner
from tatc.evaluation.one import Runner
from tatc.evaluation.options import TATC, Options

AnyRunner = Runner | InstanceRunner
"""Each has `run(job, opened)`, which raises nothing, and `close()`."""


def runner_for(options: Options) -> AnyRunner:
    """Return what runs these sessions.

    Raises:
        BadInput: something that the options name cannot be loaded.

    """
    if options.kind != TATC:
        return InstanceRunner(options)
    return CascadeRunner(options) if options.cascaded else Runner(options)
