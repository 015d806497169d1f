"""Checkpoints of tatc's own networks: written, read again, and refused by what is wrong."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
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
from tatc.follower.learned.pointing.checkpoint import new_model, read_checkpoint, write_checkpoint
from tatc.follower.learned.pointing.people_follower import PeopleFollower
from tatc.follower.learned.pointing.pointing_follower import PointingFollower
from tatc.session.agents.agent_names import is_learned_name


def pointing(width: int = 8):
    torch.manual_seed(1)
    return new_model(("mug", "walk"), ("Fork", "Mug"), width=width)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the file of a network."""
    path = tmp_path / "a.safetensors"
    write_checkpoint(pointing(), path)
    return path


def test_a_network_is_written_with_the_same_bytes_each_time(path: Path) -> None:
    network, written = pointing(), {path.read_bytes()}
    for _ in range(7):  # the library's own order of five texts is the same once in 120 times
        write_checkpoint(network, path)
        written.add(path.read_bytes())
    assert len(written) == 1


def test_what_is_written_is_read_again(path: Path):
    model = pointing()
    wanted = model.network.state_dict()
    found = read_checkpoint(path)
    assert (found.words, found.classes) == (("mug", "walk"), ("Fork", "Mug"))
    for name, value in wanted.items():
        assert torch.equal(found.network.state_dict()[name], value)
    write_checkpoint(model, path, half_precision=True)
    half = read_checkpoint(path).network.state_dict()
    for name, value in wanted.items():
        assert torch.allclose(half[name], value, atol=2e-3)


def test_a_checkpoint_of_an_old_kind_and_a_form_that_it_has_not_are_refused(path: Path):
    with pytest.raises(BadInput, match="no form vision-only"):
        learned_follower_factory(f"et-vision-only:{path}")
    rewrite(path, lambda header, _: header.update(format="tatc-light-1"))
    for read in (summarize_checkpoint, lambda path: learned_follower_factory(f"et:{path}")):
        with pytest.raises(BadInput, match="file of tatc-light-1") as caught:
            read(path)
        assert "`tatc train` of this version" in caught.value.one_line


def test_people_teach_a_follower_that_goes_on_with_their_sessions(path: Path):
    write_checkpoint(replace(pointing(), is_of_people=True), path)
    assert isinstance(learned_follower_factory(f"et:{path}")(), PeopleFollower)
    assert summarize_checkpoint(path)["kind"] == "pointing, of people's games"


def test_a_file_that_is_cut_off_is_refused(path: Path):
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(BadInput, match="it is no safetensors file"):
        read_checkpoint(path)


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
        ("sizes", {"blocks": 65}, "sizes.blocks is not from 1 to 64"),
        ("sizes", {"width": 200_000}, "sizes.width is not from 1 to 65536"),
        ("sizes", {"width": 65_536}, "has the shape .* in place of"),
        ("sizes", {"blocks": 64}, "weights are missing"),
        ("sizes", {"heads": 0}, "sizes.heads is not"),
        ("sizes", {"heads": 3}, "no multiple of sizes.heads"),
        ("sizes", {"width": -8}, "sizes.width is not"),
        ("sizes", {"width": "8"}, "sizes.width is not"),
        ("sizes", {"width": 8.0}, "sizes.width is not"),
        ("sizes", {"width": True}, "sizes.width is not"),
        ("sizes", {"recalls": 1}, "no sizes of such a network"),
        ("sizes", {"more": 1}, "no sizes of such a network"),
        ("sizes", "[]", "no sizes of such a network"),
        ("sizes", "[" * 900 + "]" * 900, "nested deeper than"),
        ("sizes", "[" * 100_000, "header is damaged: sizes"),
        ("sizes", "NaN", "no sizes of such a network"),
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
        read_checkpoint(path)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", ["format", "sizes", "words", "classes", "card"])
def test_a_header_without_an_entry_is_refused(name: str, path: Path):
    rewrite(path, lambda header, _: header.pop(name))
    with pytest.raises(BadInput, match=rf"{name} is missing|of another kind"):
        read_checkpoint(path)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (
            lambda tensors: tensors.pop("held.bias"),
            r"1 weights are missing, the first held\.bias",
        ),
        (lambda tensors: tensors.update(more=torch.zeros(1)), "1 weights are too many, .* more"),
    ],
)
def test_weights_that_are_missing_or_too_many_are_named(
    change: Callable[[Tensors], object], why: str, path: Path
):
    rewrite(path, lambda _, tensors: change(tensors))
    with pytest.raises(BadInput, match=why):
        read_checkpoint(path)


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
        read_checkpoint(path)


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
    for read in (
        lambda path: read_checkpoint(path),
        lambda path: learned_follower_factory(f"et:{path}"),
    ):
        with pytest.raises(BadInput, match="no regular file"):
            read(fifo)


def test_names_say_file_and_form(path: Path):
    assert input_mode_of("et") is input_mode_of("et:a.pth") is InputMode.FULL
    assert input_mode_of("et-frame-blank:a") is InputMode.FRAME_BLANK
    assert input_mode_of("et-no-map") is InputMode.NO_MAP
    assert is_learned_name("et-x") and not is_learned_name("eta") and not is_learned_name("rule")
    with pytest.raises(UnknownName):
        learned_follower_factory("et-blind")
    with pytest.raises(BadInput, match="no such file"):
        learned_follower_factory(f"et:{path.parent / 'none.safetensors'}")
    assert isinstance(learned_follower_factory(f"et:{path}")(), PointingFollower)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(learned, "REQUIRED_PACKAGES", ("torch", "no_such_package"))
    with pytest.raises(MissingExtra, match="learned"):
        learned_follower_factory("et")
