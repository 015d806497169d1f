"""E.T.'s files: read as published, never run, and refused by their first fault."""

import collections
import io
import os
import pickle
import sys
import types
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the extra: learned")

import torch

from tatc.base.errors import BadInput, UnknownName
from tatc.follower.learned.et.checkpoint import (
    VOCABULARY_FILE,
    read_checkpoint,
    read_vocabulary,
    write_checkpoint,
)
from tatc.follower.learned.et.network import ET, ETSettings
from tatc.follower.learned.et.resnet import read_resnet
from tatc.follower.learned.et.safe_unpickling import read_pickled
from tatc.follower.learned.et.vocabulary import (
    CORRECTED_VARIANT,
    EDH_ACTIONS,
    OFFICIAL_VARIANT,
    Variant,
    Vocabulary,
    build_vocabulary,
    dialogue_tokens,
    variant_named,
)
from tatc.follower.learned.learned_followers import summarize_checkpoint
from tatc.home.actions import Role, Utterance

DIALOGUE = (
    Utterance(Role.FOLLOWER, "What should I do today?", 1.0),
    Utterance(Role.COMMANDER, "Please  make 2 cups of Coffee!", 2.0),
)
VOCABULARY_ITSELF = build_vocabulary([DIALOGUE])


@cache
def small(variant: Variant = OFFICIAL_VARIANT) -> ET:
    torch.manual_seed(1)
    words, actions = build_vocabulary([DIALOGUE], variant).words, variant.actions
    settings = ETSettings(len(words), len(actions), width=24, heads=12, feed_forward_width=24)
    return ET(settings).eval()


class Vocab:
    """As `vocab.Vocab` is pickled."""

    def __init__(self, words: tuple[str, ...]):
        self._index2word = list(words)
        self._word2index = {word: i for i, word in enumerate(words)}
        self.counts = collections.Counter(words)


class AttrDict(dict):
    """As `alfred.utils.helper_util.AttrDict` is pickled: its own attributes."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.__dict__ = self


@pytest.fixture(autouse=True)
def foreign(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let things be pickled as those of the modules that official files name."""
    for name, made in (("vocab.vocab", Vocab), ("alfred.utils.helper_util", AttrDict)):
        module = types.ModuleType(name)
        setattr(module, made.__name__, made)
        parts = name.split(".")
        for i in range(1, len(parts)):
            parent = types.ModuleType(".".join(parts[:i]))
            monkeypatch.setitem(sys.modules, parent.__name__, parent)
        monkeypatch.setitem(sys.modules, name, module)
        made.__module__ = name


@cache
def optimiser_state() -> dict[str, object]:
    return torch.optim.AdamW(small().parameters()).state_dict()


def official_file(
    folder: Path, weights: Mapping[str, object] | None = None, **changes: object
) -> Path:
    """Write a checkpoint with some weights and parts changed, and its vocabulary beside it."""
    held = {
        "metric": {"epoch": 19},
        "model": {**small().state_dict(), **(weights or {})},
        "optim": optimiser_state(),
        "args": AttrDict(lr=1e-4, data=AttrDict(train=["edh"])),
        "vocab_out": {"action_low": Vocab(tuple(verb.value for verb in EDH_ACTIONS))},
        "embs_ann": {"edh": len(VOCABULARY_ITSELF.words)},
    }
    torch.save({**held, **changes}, folder / "latest.pth")
    torch.save({"word": Vocab(VOCABULARY_ITSELF.words)}, folder / VOCABULARY_FILE)
    return folder / "latest.pth"


def test_a_checkpoint_in_the_official_layout_is_read(tmp_path: Path):
    path = official_file(tmp_path)
    checkpoint = read_checkpoint(path)
    assert checkpoint.variant == OFFICIAL_VARIANT
    assert checkpoint.actions == tuple(verb.value for verb in EDH_ACTIONS)
    assert dict(checkpoint.args)["lr"] == "0.0001"
    assert read_vocabulary(checkpoint, tmp_path / VOCABULARY_FILE) == VOCABULARY_ITSELF
    network, written = checkpoint.build_network(), small()
    for name, value in written.state_dict().items():
        assert torch.equal(network.state_dict()[name], value)
    found = summarize_checkpoint(path)
    assert found["kind"] == "E.T." and found["variant"] == "official"
    assert found["parameters"] == sum(p.numel() for p in written.parameters())


@pytest.mark.parametrize("name", ["official", "corrected", "stop+unknown"])
def test_what_is_written_is_read_again(name: str, tmp_path: Path):
    variant = variant_named(name)
    words = build_vocabulary([DIALOGUE], variant)
    path = tmp_path / "et.pth"
    write_checkpoint(small(variant), words, path, {"epoch": 1.0})
    checkpoint = read_checkpoint(path)
    assert checkpoint.variant == variant
    assert read_vocabulary(checkpoint, tmp_path / VOCABULARY_FILE) == words


def test_what_would_run_is_refused_and_not_run(tmp_path: Path):
    class Hostile:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "ran"),)

    path = tmp_path / "bad.pth"
    torch.save({"model": Hostile()}, path)
    with pytest.raises(BadInput, match=r"mkdir; nothing of it was run"):
        read_pickled(path)
    plain = tmp_path / "plain.pth"
    plain.write_bytes(pickle.dumps(Hostile()))
    old = tmp_path / "old.pth"
    torch.save({"model": Hostile()}, old, _use_new_zipfile_serialization=False)
    for other in (plain, old):
        with pytest.raises(BadInput, match=r"no file that torch\.save writes"):
            read_pickled(other)
    assert not (tmp_path / "ran").exists()


class Call:
    """Is pickled as a call."""

    def __init__(self, function: object, *arguments: object):
        self._call = function, arguments

    def __reduce__(self):
        return self._call


class FloatsOfRecord:
    """Is pickled as the first storage of a file, of this many numbers."""

    def __init__(self, count: int):
        self.count = count


class RecordPickler(pickle.Pickler):
    def persistent_id(self, obj: object):
        if isinstance(obj, FloatsOfRecord):
            return "storage", torch.FloatStorage, "0", "cpu", obj.count
        return None


def tensor_call(count: int, shape: tuple[int, ...], strides: tuple[int, ...]) -> Call:
    hooks: collections.OrderedDict[str, str] = collections.OrderedDict()
    arguments = FloatsOfRecord(count), 0, shape, strides, False, hooks
    return Call(torch._utils._rebuild_tensor_v2, *arguments)


def forged_file(path: Path, weight: object, compression: int = zipfile.ZIP_STORED) -> Path:
    """Write a file of one weight, whose storage has four numbers."""
    pickled = io.BytesIO()
    held = {"model": {"model.embs_ann.edh.weight": weight}, "vocab_out": {}}
    RecordPickler(pickled, 2).dump(held)
    with zipfile.ZipFile(path, "w", compression) as archive:
        archive.writestr("et/data.pkl", pickled.getvalue())
        archive.writestr("et/version", "3\n")
        archive.writestr("et/byteorder", "little")
        archive.writestr("et/data/0", bytes(16))
    return path


@pytest.mark.parametrize("function", [bytearray, torch.FloatTensor])
def test_a_call_that_takes_memory_is_refused_though_torch_allows_it(function: type, tmp_path: Path):
    path = forged_file(tmp_path / "et.pth", Call(function, 2**20))
    held = torch.load(path, mmap=True, weights_only=True)["model"].popitem()[1]
    assert len(held) == 2**20
    with pytest.raises(BadInput, match=rf"it names \w+\.{function.__name__}; nothing of it"):
        read_pickled(path)


@pytest.mark.parametrize(
    ("count", "shape", "strides"),
    [(4, (2**28, 2), (2, 1)), (2**29, (2**28, 2), (2, 1)), (4, (2, 1), (2**28, 1))],
    ids=["shape", "storage", "stride"],
)
def test_a_tensor_larger_than_its_bytes_in_the_file_is_refused(
    count: int, shape: tuple[int, int], strides: tuple[int, int], tmp_path: Path
):
    path = forged_file(tmp_path / "et.pth", tensor_call(count, shape, strides))
    with pytest.raises(BadInput, match="it is damaged"):
        read_pickled(path)


def test_a_weight_that_repeats_few_bytes_is_refused(tmp_path: Path):
    path = forged_file(tmp_path / "et.pth", tensor_call(4, (2**40, 768), (0, 0)))
    with pytest.raises(BadInput, match=f"would be {2**42 * 768} bytes, more than the file"):
        read_checkpoint(path)


NAME = "model.dec_action.bias"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda value: torch.zeros(()), r"has the shape \(\), not \(24,\)"),
        (lambda value: value[None, None], r"has the shape \(1, 1, 24\), not \(24,\)"),
        (lambda value: value[:0], r"has the shape \(0,\), not \(24,\)"),
        (lambda value: value.long(), r"is of the type torch\.int64"),
        (lambda value: value[:1].expand(value.shape), "repeats the same bytes"),
        (lambda value: value + float("nan"), "holds NaN or an infinite number"),
        (lambda value: value + float("inf"), "holds NaN or an infinite number"),
        (lambda value: "text", "is no tensor"),
    ],
)
def test_a_wrong_tensor_is_named(
    tmp_path: Path, change: Callable[[torch.Tensor], object], why: str
):
    path = official_file(tmp_path, {NAME: change(small().state_dict()[NAME])})
    with pytest.raises(BadInput, match=rf"model\.dec_action\.bias {why}"):
        read_checkpoint(path)


@pytest.mark.parametrize(
    ("gone", "more", "why"),
    [
        (NAME, {}, r"1 weights are missing, the first model\.dec_action\.bias"),
        ("model.emb_action.weight", {}, r"the first model\.emb_action\.weight"),
        ("", {"model.more": torch.zeros(1)}, r"1 weights are too many, the first model\.more"),
    ],
)
def test_weights_that_are_missing_or_too_many_are_named(
    tmp_path: Path, gone: str, more: dict[str, torch.Tensor], why: str
):
    kept = {name: value for name, value in small().state_dict().items() if name != gone}
    with pytest.raises(BadInput, match=why):
        read_checkpoint(official_file(tmp_path, model=kept | more))


EMBEDDING = "model.embs_ann.edh.weight"


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        *((EMBEDDING, shape) for shape in ((), (3,), (2, 2, 2), (0, 24), (24, 0))),
        ("model.emb_action.weight", (3,)),
        ("model.dec_object.linear.weight", (2, 2, 2)),
        ("model.encoder_vl.enc_transformer.layers.0.linear1.weight", (0, 24)),
    ],
)
def test_the_tensors_that_tell_the_sizes_are_checked_first(
    tmp_path: Path, name: str, shape: tuple[int, ...]
):
    path = official_file(tmp_path, {name: torch.zeros(shape)})
    with pytest.raises(BadInput, match=f"{name} has the shape".replace(".", r"\.")):
        read_checkpoint(path)


def test_tensors_that_overlap_are_refused(tmp_path: Path):
    shared = torch.zeros(40)
    parts = {NAME: shared[:24], "model.encoder_vl.enc_layernorm.bias": shared[8:32]}
    with pytest.raises(BadInput, match="overlaps another weight"):
        read_checkpoint(official_file(tmp_path, parts))


@pytest.mark.parametrize("name", ["a.b", "", "keys", "type", "1", "a" * 9 + "\n"])
def test_a_set_of_data_that_no_network_can_name_is_refused(tmp_path: Path, name: str):
    state = small().state_dict()
    state[f"model.embs_ann.{name}.weight"] = state.pop(EMBEDDING)
    with pytest.raises(BadInput, match="names no set of data"):
        read_checkpoint(official_file(tmp_path, model=state))


def test_layers_without_end_are_refused(tmp_path: Path):
    more = {f"model.encoder_vl.enc_transformer.layers.{i}.x": torch.zeros(1) for i in range(65)}
    with pytest.raises(BadInput, match="it has 65 layers"):
        read_checkpoint(official_file(tmp_path, more))


def doubled(value: Any, times: int) -> Any:
    """Return lists or tuples that hold each other twice: small in a file, 2^times written out."""
    for _ in range(times):
        value = type(value)([value, value])
    return value


@pytest.mark.parametrize("value", [doubled([1], 40), "a" * 100_000, 10**600], ids=type)
def test_values_that_grow_when_written_out_are_cut_short(tmp_path: Path, value: object):
    parts: dict[str, object] = {part: value for part in ("metric", "optim", "embs_ann")}
    for args in (value, {"variant": value}):
        found = summarize_checkpoint(official_file(tmp_path, **parts, args=args))
        assert len(str(found)) < 20_000


@pytest.mark.parametrize("words", [[1], [None], [["a"]], doubled([1], 40), 5, None])
def test_a_vocabulary_holds_words(tmp_path: Path, words: object):
    path = official_file(tmp_path, vocab_out={"action_low": {"_index2word": words}})
    with pytest.raises(BadInput, match=r"words that are no texts|no list of words"):
        read_checkpoint(path)


def test_a_pickle_that_copies_or_hashes_without_end_is_refused(tmp_path: Path):
    many = list(range(20_000))
    hashed = [doubled((1,), 40)]  # as a key, its hash takes 2^40 steps
    copied = [Call(set, many) for _ in range(300)]
    for hostile in (hashed, copied):
        path = forged_file(tmp_path / "a.pth", hostile)
        with pytest.raises(BadInput, match="more memory or time than its size"):
            read_pickled(path)


@pytest.mark.parametrize("file", ["latest.pth", VOCABULARY_FILE])
def test_only_regular_files_are_read(tmp_path: Path, file: str):
    path = tmp_path / file
    os.mkfifo(path)
    for read in (read_pickled, read_resnet):
        with pytest.raises(BadInput, match="no regular file"):
            read(path)
    path.unlink()
    path.mkdir()
    with pytest.raises(BadInput, match="is a folder"):
        read_pickled(path)


@pytest.mark.parametrize("at", range(4))
def test_a_file_with_wrong_bits_is_read_or_refused(tmp_path: Path, at: int):
    path = official_file(tmp_path)
    whole, random = path.read_bytes(), Random(at)
    for _ in range(6):
        damaged = bytearray(whole)
        for _ in range(random.choice((1, 9))):
            damaged[random.randrange(len(damaged))] ^= 1 << random.randrange(8)
        path.write_bytes(damaged)
        with suppress(BadInput):
            summarize_checkpoint(path)


def with_pickle(path: Path, saved: object, pickled: bytes) -> Path:
    """Save something, and put another pickle in place of its own."""
    torch.save(saved, path)
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, pickled if name.endswith("data.pkl") else data)
    return path


@pytest.mark.parametrize("call", [b")R", b")\x81"])  # a call, a new object
def test_only_names_are_called(tmp_path: Path, recwarn: pytest.WarningsRecorder, call: bytes):
    numbers = b"(X\x07\0\0\0storagectorch\nFloatStorage\nX\x01\0\0\x000X\x03\0\0\0cpuK\x03tQ"
    read = with_pickle(tmp_path / "a.pth", torch.zeros(3), b"\x80\x02" + numbers + b".")
    assert len(read_pickled(read)) == 3
    path = with_pickle(tmp_path / "b.pth", torch.zeros(3), b"\x80\x02" + numbers + call + b".")
    recwarn.clear()
    with pytest.raises(BadInput, match=r"it is damaged at (REDUCE|NEWOBJ); nothing of it was run"):
        read_pickled(path)
    assert not recwarn.list


def test_what_python_warns_of_in_a_damaged_pickle_stays_unsaid(
    tmp_path: Path, recwarn: pytest.WarningsRecorder
):
    path = with_pickle(tmp_path / "et.pth", "text", b"S'\\h'\n.")
    with pytest.raises(BadInput, match="cannot be read"):
        read_pickled(path)
    assert not recwarn.list


def test_a_compressed_file_or_a_program_is_refused(tmp_path: Path):
    path = forged_file(tmp_path / "et.pth", tensor_call(4, (2, 2), (2, 1)), zipfile.ZIP_DEFLATED)
    with pytest.raises(BadInput, match="it is compressed"):
        read_pickled(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("script/data.pkl", b"")
        archive.writestr("script/constants.pkl", b"")
    with pytest.raises(BadInput, match="it holds a program"):
        read_pickled(path)


def test_a_file_cut_off_or_absent_or_of_another_kind_is_refused(tmp_path: Path):
    path = official_file(tmp_path)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadInput, match="cut off"):
        read_checkpoint(path)
    with pytest.raises(BadInput, match="no such file"):
        read_checkpoint(tmp_path / "none.pth")
    torch.save({"state": torch.zeros(2)}, path)
    with pytest.raises(BadInput, match="no weights or no actions"):
        read_checkpoint(path)


def test_a_vocabulary_of_other_words_is_refused(tmp_path: Path):
    checkpoint = read_checkpoint(official_file(tmp_path))
    words = (*VOCABULARY_ITSELF.words, "tea")
    torch.save({"word": Vocab(words)}, tmp_path / VOCABULARY_FILE)
    with pytest.raises(BadInput, match=f"it has {len(words)} words"):
        read_vocabulary(checkpoint, tmp_path / VOCABULARY_FILE)
    torch.save({"word": Vocab(words[1:])}, tmp_path / VOCABULARY_FILE)
    with pytest.raises(BadInput, match="begins with <<pad>>"):
        read_vocabulary(checkpoint, tmp_path / VOCABULARY_FILE)
    path = official_file(tmp_path, vocab_out={"action_low": Vocab(("Stop", "Forward"))})
    with pytest.raises(BadInput, match="it knows 2 actions and has weights for 18"):
        read_checkpoint(path)


def test_tokens_are_lower_case_words_numbers_and_marks():
    assert dialogue_tokens(DIALOGUE) == (
        *("what", "should", "i", "do", "today", "?", "<<instr>>"),
        *("please", "make", "2", "cups", "of", "coffee", "!", "<<instr>>"),
        "<<stop>>",
    )
    kept = dialogue_tokens(DIALOGUE, CORRECTED_VARIANT)
    assert kept[0] == "<<driver>>" and kept[8] == "<<commander>>"


def test_an_unknown_word_is_padding_or_has_its_own_number():
    make = VOCABULARY_ITSELF.words.index("make")
    assert VOCABULARY_ITSELF.token_ids(("tea", "make")) == (0, make)
    kept = build_vocabulary([DIALOGUE], CORRECTED_VARIANT)
    assert kept.token_ids(("tea",)) == (kept.words.index("<<unk>>"),)


def test_a_variant_is_told_by_its_corrections():
    assert variant_named("corrected") == CORRECTED_VARIANT
    assert CORRECTED_VARIANT.name == "stop+speakers+unknown"
    assert CORRECTED_VARIANT.actions[:2] == ("<<pad>>", "Stop")
    assert OFFICIAL_VARIANT.actions[0] == "Stop"
    with pytest.raises(UnknownName):
        variant_named("stop+speaker")
    with pytest.raises(BadInput, match="begins with"):
        Vocabulary(("a",))
