"""tatc's Followers behind TEACh's model interface (spec section 6.1).

    tatc eval edh/ --kind edh --follower tatc.evaluation.instances.teach_model:TeachModel
        --model-args "--follower et:models/latest.pth"

TEACh's own server takes it too, by `--model_module` and `--model_class`.  It gets frames only, so
that a Follower that clicks on masks clicks without them there.
"""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np
from PIL import Image

from tatc.base.errors import BadInput
from tatc.evaluation.instances.instance_players import FollowerPlayer, PastSight
from tatc.home import agent_traits, observation
from tatc.session.agents.agents import follower_factory
from tatc.session.records import parse_instance


class TeachModel:
    """A Follower with TEACh's model interface, which is told that each of its actions succeeded."""

    uses_segments = True

    def __init__(self, process_index: int, num_processes: int, model_args: Sequence[str]) -> None:
        """Take the arguments of a command line: --follower NAME."""
        parser = ArgumentParser("TeachModel", allow_abbrev=False)
        parser.add_argument("--follower", default="et", metavar="NAME")
        name = parser.parse_args(model_args).follower
        follower = follower_factory(name)()
        traits = agent_traits.traits_of(follower)
        if traits.perceives:
            why = f"the Follower {name} perceives, and TEACh's interface has frames alone"
            raise BadInput(why, fix="name it with --follower, without TeachModel")
        self.uses_images = traits.draws
        self.segments: Callable[[int], observation.SegmentationFrame | None] | None = None
        self._player = FollowerPlayer(follower)

    def start_new_edh_instance(
        self,
        edh_instance: Mapping[str, Any],
        edh_history_images: Sequence[Image.Image] | None,
        edh_name: str | None = None,
    ) -> bool:
        """Start an instance; the name may be that of the instance's file."""
        name = edh_name or str(edh_instance["instance_id"])
        name = PurePosixPath(name).name.removesuffix(".json")
        frames = [np.asarray(image) for image in edh_history_images or ()]
        self._player.begin(parse_instance(edh_instance, name), PastSight(lambda: frames))
        return True

    def get_next_action(
        self,
        img: Image.Image | None,
        edh_instance: Mapping[str, Any],
        prev_action: Mapping[str, Any] | None,
        img_name: str | None = None,
        edh_name: str | None = None,
    ) -> tuple[str, tuple[float, float] | None]:
        """Return the name of the next action, and its click as (row, column)."""
        last = None if prev_action is None else observation.ObservedResult(True)
        frame = None if img is None else np.asarray(img)
        action = self._player.act(observation.Observation((), last, lambda: frame, self.segments))
        click = action.click
        return action.verb.value, None if click is None else (click.y, click.x)
