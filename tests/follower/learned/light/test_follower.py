"""The light Follower in the protocol: asks, acts, reports, stops; and its files."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch
from safetensors import safe_open
from safetensors.torch import save_file

from tatc.base.errors import BadInput, MissingExtra, UnknownName
from tatc.follower import learned
from tatc.follower.learned import InputMode
from tatc.follower.learned.learned_followers import (
    input_mode_of,
    learned_follower_factory,
    summarize_checkpoint,
)
from tatc.follower.learned.light.checkpoint import (
    new_light_model,
    read_light_checkpoint,
    write_light_checkpoint,
)
from tatc.follower.learned.light.light_follower import LightFollower
from tatc.follower.learned.light.network import LanguageBatch, StepBatch
from tatc.follower.learned.light.network_inputs import (
    MAX_ACTIONS_PER_UTTERANCE,
    NETWORK_VERBS,
    action_history,
    encode_text,
)
from tatc.home.actions import INTERACTION_VERBS, FailureReport, Role, Utterance, Verb
from tatc.home.observation import Observation, ObservedResult, SegmentationFrame
from tatc.home.refusals import RefusalCode
from tatc.language import InstructionRequest, TaskDone, hear, say
from tatc.session.agents.agent_names import is_learned_name

OK = ObservedResult(True)


def light(width: int = 8):
    torch.manual_seed(1)
    found = new_light_model(("mug", "walk"), ("Fork", "Mug"), width=width, feed=8)
    found.network.eval()
    return found


def see(text: str = "", last: ObservedResult | None = None, sensor=None) -> Observation:
    told = (Utterance(Role.COMMANDER, text, 0.0),) if text else ()
    return Observation(told, last, None, sensor)


def biased(verb: int):
    found = light()
    with torch.no_grad():
        found.network.next_action.weight.zero_()
        found.network.next_action.bias.zero_()
        found.network.next_action.bias[verb] = 9.0
    return found


def test_it_asks_when_nobody_has_spoken_and_stops_when_all_is_done():
    follower = LightFollower(light())
    assert hear(follower.act(see()).text or "") == InstructionRequest()
    assert follower.act(see(say(TaskDone()))).verb is Verb.STOP


def test_it_does_something_before_it_says_that_it_is_done():
    follower = LightFollower(biased(0))
    assert follower.act(see("walk one step")).verb is not Verb.TEXT
    assert hear(follower.act(see(last=OK)).text or "") == InstructionRequest()


def test_it_asks_when_an_utterance_takes_too_many_actions():
    follower = LightFollower(biased(1))
    acts = [follower.act(see("walk one step"))]
    acts += [follower.act(see(last=OK)) for _ in range(MAX_ACTIONS_PER_UTTERANCE - 1)]
    assert [a.verb is Verb.TEXT for a in acts] == [False] * (MAX_ACTIONS_PER_UTTERANCE - 1) + [True]


def test_it_reports_what_failed_and_waits():
    follower = LightFollower(biased(1))
    verb = follower.act(see("walk one step")).verb
    heard = hear(follower.act(see(last=ObservedResult(False, RefusalCode.PATH_BLOCKED))).text or "")
    assert isinstance(heard, FailureReport)
    assert (heard.step.verb, heard.reason) == (verb, "path blocked")
    assert hear(follower.act(see()).text or "") == InstructionRequest()


def test_a_full_hand_picks_nothing_up_and_an_empty_one_puts_nothing_down():
    follower = LightFollower(biased(NETWORK_VERBS.index(Verb.PICKUP)))
    assert follower.act(see("pick up the mug")).verb is Verb.PICKUP
    assert follower.act(see(last=OK)).verb is not Verb.PICKUP
    follower = LightFollower(biased(NETWORK_VERBS.index(Verb.PLACE)))
    assert follower.act(see("put the mug on the desk")).verb is Verb.PLACE
    assert follower.act(see(last=OK)).verb not in (Verb.PLACE, Verb.POUR)


@pytest.mark.parametrize("form", list(InputMode))
def test_it_clicks_in_view_unless_it_sees_nothing(form: InputMode):
    asked: list[int] = []

    def sensor(size: int) -> SegmentationFrame:
        asked.append(size)
        pixels = torch.full((size, size), -1, dtype=torch.int32).numpy()
        pixels[: size // 2, : size // 2] = 0
        return SegmentationFrame(pixels, ("Mug",))

    pickup = NETWORK_VERBS.index(Verb.PICKUP)
    found = biased(pickup)
    with torch.no_grad():
        found.network.next_class.bias[3] = 99.0  # a mug
    follower = LightFollower(found, form)
    action = follower.act(see("pick up the mug", sensor=sensor))
    assert action.verb in INTERACTION_VERBS and action.click is not None
    looks = {InputMode.FRAME_BLANK: 1, InputMode.LANGUAGE_ONLY: 0}
    assert len(asked) == looks.get(form, 2)
    if form is not InputMode.LANGUAGE_ONLY:
        assert action.click.x < 0.5 and action.click.y < 0.5


def test_the_same_is_decided_step_by_step_and_at_once():
    """The Follower keeps what it has seen; a batch sees all: both score alike."""
    network = light().network
    told = encode_text("walk one step, mug", {"mug": 3, "walk": 4})
    words = told.words, told.phrases, told.positions, told.repeat_counts
    language = LanguageBatch(*(torch.tensor([row]) for row in words))
    done = action_history([Verb.FORWARD, Verb.FORWARD, Verb.TURN_LEFT])
    maps = torch.randint(0, 4, (1, 4, 32, 32))
    rows = [torch.tensor([r]) for r in (done.actions, done.runs, done.repeats)]
    whole = network(language, StepBatch(*rows, maps))
    part = network(language, StepBatch(*(r[:, :2] for r in rows), maps[:, :2]))
    assert torch.allclose(whole.actions[:, :2], part.actions, atol=1e-5)
    assert torch.allclose(whole.cells[:, :2], part.cells, atol=1e-5)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file of a network."""
    path = tmp_path / "a.safetensors"
    write_light_checkpoint(light(), path)
    return path


def test_a_network_is_written_with_the_same_bytes_each_time(path: Path) -> None:
    network, written = light(), {path.read_bytes()}
    for _ in range(7):  # the library's own order of five texts is the same once in 120 times
        write_light_checkpoint(network, path)
        written.add(path.read_bytes())
    assert len(written) == 1


def test_what_is_written_is_read_again(path: Path):
    found, wanted = read_light_checkpoint(path), light().network.state_dict()
    assert (found.words, found.classes) == (("mug", "walk"), ("Fork", "Mug"))
    for name, value in wanted.items():
        assert torch.equal(found.network.state_dict()[name], value)
    write_light_checkpoint(light(), path, half_precision=True)
    half = read_light_checkpoint(path).network.state_dict()
    for name, value in wanted.items():
        assert torch.allclose(half[name], value, atol=2e-3)


def test_a_file_that_is_cut_off_is_refused(path: Path):
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(BadInput, match="it is no safetensors file"):
        read_light_checkpoint(path)


Header = dict[str, str]
Tensors = dict[str, torch.Tensor]


def rewrite(path: Path, change: Callable[[Header, Tensors], object]) -> None:
    with safe_open(path, framework="pt") as file:
        header = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}
    change(header, tensors)
    save_file(tensors, path, header)


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("sizes", {"layers": 65}, "sizes.layers is not from 1 to 64"),
        ("sizes", {"readers": 65}, "sizes.readers is not from 1 to 64"),
        ("sizes", {"width": 200_000}, "sizes.width is not from 1 to 65536"),
        ("sizes", {"width": 65_536}, "has the shape .* in place of"),
        ("sizes", {"feed": 65_536}, "has the shape .* in place of"),
        ("sizes", {"layers": 64}, "weights are missing"),
        ("sizes", {"heads": 0}, "sizes.heads is not"),
        ("sizes", {"heads": 3}, "no multiple of sizes.heads"),
        ("sizes", {"width": -8}, "sizes.width is not"),
        ("sizes", {"width": "8"}, "sizes.width is not"),
        ("sizes", {"width": 8.0}, "sizes.width is not"),
        ("sizes", {"width": True}, "sizes.width is not"),
        ("sizes", {"recalls": 1}, "sizes.recalls is not true or false"),
        ("sizes", {"more": 1}, "no sizes of a light network"),
        ("sizes", "[]", "no sizes of a light network"),
        ("sizes", "[" * 900 + "]" * 900, "nested deeper than"),
        ("sizes", "[" * 100_000, "header is damaged: sizes"),
        ("sizes", "NaN", "no sizes of a light network"),
        ("words", '"mug"', "words is no list"),
        ("words", "[1, 2]", "words holds what is no short text"),
        ("words", '["mug"]', "vocabulary does not match"),
        ("words", json.dumps(["a", "b" * 2000]), "words holds what is no short text"),
        ("classes", "{}", "classes is no list"),
        ("classes", "[null, []]", "classes holds what is no short text"),
        ("card", "5", "card is no list"),
        ("card", '[["a"]]', "card holds what is no pair"),
        ("card", '[["a", 1]]', "card holds what is no short text"),
        ("deeds", '{"a": 1}', "deeds is no list"),
        ("deeds", "[5]", "deeds holds what is no pair"),
    ],
)
def test_a_wrong_entry_of_the_header_is_named(
    name: str, value: str | dict[str, object], why: str, path: Path
):
    def change(header: Header, _: Tensors) -> None:
        text = value if isinstance(value, str) else json.dumps(json.loads(header[name]) | value)
        header[name] = text

    rewrite(path, change)
    with pytest.raises(BadInput, match=why) as caught:
        read_light_checkpoint(path)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", ["format", "sizes", "words", "classes", "card"])
def test_a_header_without_an_entry_is_refused(name: str, path: Path):
    rewrite(path, lambda header, _: header.pop(name))
    with pytest.raises(BadInput, match=rf"{name} is missing|of another kind"):
        read_light_checkpoint(path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            lambda tensors: tensors.pop("habit.bias"),
            r"1 weights are missing, the first habit\.bias",
        ),
        (lambda tensors: tensors.update(more=torch.zeros(1)), "1 weights are too many, .* more"),
    ],
)
def test_weights_that_are_missing_or_too_many_are_named(
    change: Callable[[Tensors], object], why: str, path: Path
):
    rewrite(path, lambda _, tensors: change(tensors))
    with pytest.raises(BadInput, match=why):
        read_light_checkpoint(path)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda value: torch.zeros(()), r"has the shape \(\) in place of \(8,\)"),
        (lambda value: value[None], r"has the shape \(1, 8\) in place of \(8,\)"),
        (lambda value: value[:0], r"has the shape \(0,\) in place of \(8,\)"),
        (lambda value: value.long(), "is of the type I64"),
        (lambda value: value.bool(), "is of the type BOOL"),
        (lambda value: value * float("nan"), "holds NaN or an infinite number"),
        (lambda value: value + float("inf"), "holds NaN or an infinite number"),
        (lambda value: value.double() + 1e300, "holds NaN or an infinite number"),
    ],
)
def test_a_wrong_tensor_is_named(
    spoil: Callable[[torch.Tensor], torch.Tensor], why: str, path: Path
):
    name = "coming.bias"
    rewrite(path, lambda _, tensors: tensors.update({name: spoil(tensors[name])}))
    with pytest.raises(BadInput, match=rf"coming\.bias {why}"):
        read_light_checkpoint(path)


@pytest.mark.parametrize("at", range(3))
def test_a_file_with_wrong_bits_is_read_or_refused(at: int, path: Path):
    random, whole = Random(at), path.read_bytes()
    for _ in range(20):
        damaged = bytearray(whole)
        for _ in range(random.choice((1, 9))):
            damaged[random.randrange(random.choice((9, 5000, len(damaged))))] ^= (
                1 << random.randrange(8)
            )
        path.write_bytes(damaged)
        with suppress(BadInput):
            summarize_checkpoint(path)


def test_only_regular_files_are_read(tmp_path: Path):
    fifo = tmp_path / "a.safetensors"
    os.mkfifo(fifo)
    for read in (read_light_checkpoint, lambda path: learned_follower_factory(f"et:{path}")):
        with pytest.raises(BadInput, match="no regular file"):
            read(fifo)


def test_names_say_file_and_form(path: Path):
    assert input_mode_of("et") is input_mode_of("et:a.pth") is InputMode.FULL
    assert input_mode_of("et-frame-blank:a") is InputMode.FRAME_BLANK
    assert input_mode_of("et-language-only") is InputMode.LANGUAGE_ONLY
    assert is_learned_name("et-x") and not is_learned_name("eta") and not is_learned_name("rule")
    with pytest.raises(UnknownName):
        learned_follower_factory("et-blind")
    with pytest.raises(BadInput, match="no such file"):
        learned_follower_factory(f"et:{path.parent / 'none.safetensors'}")
    assert isinstance(learned_follower_factory(f"et:{path}")(), LightFollower)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(learned, "REQUIRED_PACKAGES", ("torch", "no_such_package"))
    with pytest.raises(MissingExtra, match="learned"):
        learned_follower_factory("et")
