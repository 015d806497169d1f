"""Our Followers behind TEACh's model interface, in process and over HTTP."""

import json
from email.parser import BytesParser
from email.policy import HTTP
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch
from PIL import Image

from tatc.evaluation.instances.instance_players import InstancePlayer, history_events, player_named
from tatc.evaluation.instances.play_instance import InstanceResult, play_instance
from tatc.evaluation.instances.teach_model import TeachModel
from tatc.follower import PastAction
from tatc.follower.learned.et.checkpoint import write_checkpoint
from tatc.follower.learned.et.network import ET, ETSettings
from tatc.follower.learned.et.vocabulary import OFFICIAL_VARIANT, build_vocabulary
from tatc.session.records import read_instance
from tatc.session.session_types import SessionLimits
from tatc.session.start import start_from_game
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.tdl import edh_task, shipped_library
from tests.command_line import run_tatc
from tests.evaluation.instances.http_server import QuietHandler, serve_in_background

MODEL = "tatc.evaluation.instances.teach_model:TeachModel"


@pytest.fixture(scope="module")
def official(first: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a synthetic checkpoint in the official layout."""
    torch.manual_seed(1)
    words = build_vocabulary([read_instance(first).dialogue])
    actions = len(OFFICIAL_VARIANT.actions)
    network = ET(ETSettings(len(words.words), actions, width=24, heads=12, feed_forward_width=24))
    path = tmp_path_factory.mktemp("et") / "latest.pth"
    write_checkpoint(network, words, path, {"epoch": 1.0})
    return path


def _play_four_steps(first: Path, game: Path, player: InstancePlayer) -> InstanceResult:
    """Play the beginning of an instance: four steps of it."""
    instance = read_instance(first)
    opening = start_from_game(game, shipped_library(), None, (), 1)
    assert instance.state_changes is not None
    task = edh_task(instance.state_changes)
    sim = EmbeddedSimulator()
    return play_instance(sim, opening.scene, instance, task, player, SessionLimits(steps=4))


def _actions(played: InstanceResult) -> list[tuple[Any, ...]]:
    return [(done.verb, done.click, done.success) for done in played.interactions]


def test_an_instance_is_played_alike_as_a_follower_and_as_a_model(
    first: Path, played_game: Path, official: Path
) -> None:
    name = f"et-frame-blank:{official}"
    words = ["--follower", name]
    one = _play_four_steps(first, played_game, player_named(name, (), 60.0))
    two = _play_four_steps(first, played_game, player_named(MODEL, words, 60.0))
    assert one.history_replayed and one.steps > 0
    assert _actions(one) == _actions(two)


def test_a_command_plays_it_by_its_module(
    first: Path, played_game: Path, tmp_path: Path, official: Path
) -> None:
    words = ["eval", str(first), "--kind", "edh", "--games", str(played_game)]
    words += ["--follower", MODEL, "--json"]
    words += ["--model-args", f"--follower et-language-only:{official}"]
    done = run_tatc(*words, "--out", tmp_path)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["crashed"] == 0


def test_history_reaches_it_as_what_was_said_and_done(first: Path) -> None:
    instance = read_instance(first)
    events = history_events(instance)
    interactions = [event for event in events if isinstance(event, PastAction)]
    assert len(interactions) == len(instance.document["driver_action_history"])
    assert len(events) - len(interactions) == len(instance.dialogue)


def test_it_takes_frames_and_answers_row_and_column(first: Path, official: Path) -> None:
    document = json.loads(first.read_text())
    model = TeachModel(0, 1, ["--follower", f"et-frame-blank:{official}"])
    history = [Image.new("RGB", (9, 9)) for _ in document["driver_image_history"]]
    assert model.start_new_edh_instance(document, history, str(first)) is True
    name, click = model.get_next_action(Image.new("RGB", (9, 9)), document, None)
    assert name in (*OFFICIAL_VARIANT.actions, "Stop")
    assert click is None or len(click) == 2
    with pytest.raises(SystemExit):
        TeachModel(0, 1, ["--folower", "et"])


class _TeachModelServer(QuietHandler):
    """TEACh's server around a model (spec 6.5)."""

    model: TeachModel

    def do_POST(self) -> None:
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        body = self.rfile.read(int(self.headers["Content-Length"]))
        form = BytesParser(policy=HTTP).parsebytes(head + body)
        images: list[Image.Image] = []
        fields: dict[str, Any] = {}
        for part in form.iter_parts():
            name = part.get_param("name", header="content-disposition")
            data = part.get_payload(decode=True)
            if name in ("img", "edh_history_images"):
                images.append(Image.open(BytesIO(data)))
            else:
                fields[name] = data.decode()
        document = json.loads(fields["edh_instance"])
        if self.path == "/start_new_edh_instance":
            self.model.start_new_edh_instance(document, images, fields["edh_name"])
            self.send_answer(b"success")
        else:
            before = json.loads(fields.get("prev_action", "null"))
            name, at = self.model.get_next_action(images[0], document, before)
            answer = {"action": name, "obj_relative_coord": at}
            self.send_answer(json.dumps(answer).encode())


def test_an_official_checkpoint_plays_over_http(
    first: Path, played_game: Path, official: Path
) -> None:
    name = f"et-language-only:{official}"
    model = TeachModel(0, 1, ["--follower", name])
    handler = type("_Serves", (_TeachModelServer,), {"model": model})
    with serve_in_background(handler) as address:
        served = _play_four_steps(first, played_game, player_named(address, (), 60.0))
    here = _play_four_steps(first, played_game, player_named(name, (), 60.0))
    assert served.steps > 0 and _actions(served) == _actions(here)
