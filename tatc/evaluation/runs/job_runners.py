"""The runner for the jobs of a run, by the kind of the run."""

from typing import Any

from tatc.evaluation.runs.cascade import CascadeRunner
from tatc.evaluation.runs.eval_options import TATC, EvalOptions
from tatc.evaluation.runs.instance_runner import InstanceRunner
from tatc.evaluation.runs.session_runner import (
    JobRunner,
    SessionRunner,
)
from tatc.evaluation.runs.subgoal_runner import SubgoalRunner


def runner_for(options: EvalOptions) -> JobRunner[Any]:
    """Return the runner for these options."""
    if options.kind != TATC:
        return InstanceRunner(options)
    if options.subgoals:
        return SubgoalRunner(options)
    return CascadeRunner(options) if options.cascaded else SessionRunner(options)
