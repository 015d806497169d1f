"""Reads the files that `torch.save` wrote, without running anything in them.

`torch.load(weights_only=True)` refuses to call what is not on its list of names.  That list alone
does not limit memory: it holds `bytearray` and the tensor classes, which take a size, so that a
file of 300 bytes could ask for a terabyte.  The list can be lengthened, not shortened.  So the
names in a file are compared with a shorter list first, and the file is then mapped into memory: a
tensor of a mapped file cannot be made larger than the bytes that it has there.
"""

import collections
import pickle
import pickletools
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast
from warnings import catch_warnings

import torch
from torch import Tensor
from torch.serialization import safe_globals

from tatc.base import errors, files

_MAX_NAME = 100  # characters
_TORCH_REASON = "WeightsUnpickler error:"  # after advice to load the file all the same
_COST_PER_BYTE = 20
_FREE_COST = 100_000
_MARK = "MARK"
_GETS = ("GET", "BINGET", "LONG_BINGET")
_PUTS = ("PUT", "BINPUT", "LONG_BINPUT")
_CHANGES = ("APPEND", "APPENDS", "SETITEM", "SETITEMS", "ADDITEMS", "BUILD")
_CALLS = ("REDUCE", "NEWOBJ", "NEWOBJ_EX", "OBJ", "INST")
_TUPLES = ("EMPTY_TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "TUPLE")


class PickledObject:
    """Stands in for an object of a class that is not ours; its values are kept."""


def _plain_dict(*_arguments: Any) -> dict[Any, Any]:
    """Stand in for `defaultdict`, which torch does not fill."""
    return {}


_STAND_INS: Mapping[str, Callable[..., Any]] = {
    # Attributes land in the `__dict__`, which may differ from the items (spec 7.6).
    "alfred.utils.helper_util.AttrDict": collections.OrderedDict,
    "vocab.vocab.Vocab": PickledObject,
    "vocab.Vocab": PickledObject,
    "argparse.Namespace": PickledObject,
    "collections.defaultdict": _plain_dict,
    **{f"builtins.{kind.__name__}": kind for kind in (int, list, dict)},
}
_STORED_KINDS = ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Bool", "Byte")
_ALLOWED_NAMES = frozenset(
    (
        *_STAND_INS,
        *(f"{module}.set" for module in ("builtins", "__builtin__")),
        # Python 2's name for builtins, which files of protocol 2 spell.
        *(f"__builtin__.{name}" for name in ("int", "list", "dict")),
        *("collections.OrderedDict", "collections.Counter", "torch.Size"),
        *("torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter"),
        *(f"torch.{kind}Storage" for kind in _STORED_KINDS),
    )
)


def string_keyed(held: Any) -> dict[str, Any]:
    """Return the items of a dictionary whose keys are texts; {} for anything else."""
    if not isinstance(held, dict):
        return {}
    items = cast("dict[Any, Any]", held).items()
    return {name: value for name, value in items if isinstance(name, str)}


def read_pickled(path: Path) -> Any:
    """Return what a file of `torch.save`'s holds; its tensors are views of it, mapped to memory."""
    files.check_file(path, files.TORCH_FILE)
    _check_archive(path)
    try:
        # Python and torch warn of what is odd in a damaged pickle, before it is refused.
        stand_ins = safe_globals([(kind, name) for name, kind in _STAND_INS.items()])
        with catch_warnings(action="ignore"), stand_ins:
            _check_pickle(path)
            return torch.load(path, map_location="cpu", mmap=True, weights_only=True)
    except pickle.UnpicklingError as fault:
        _, found, reason = str(fault).partition(_TORCH_REASON)
        why = (reason if found else str(fault)).strip().partition("\n")[0]
        raise _bad_pickle(path, f"{why}; nothing of it was run") from fault
    except Exception as fault:  # damaged bytes can raise anything
        raise _bad_pickle(path, f"it is damaged ({type(fault).__name__})") from fault


def _check_archive(path: Path) -> None:
    """Refuse what is no archive of `torch.save`'s, from the archive's directory alone."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (OSError, zipfile.BadZipFile) as fault:
        raise _bad_pickle(path, "it is no file that torch.save writes, or is cut off") from fault
    names = [entry.filename.rpartition("/")[2] for entry in entries]
    if "data.pkl" not in names or "constants.pkl" in names:
        raise _bad_pickle(path, "it holds a program, or no tensors")
    if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
        raise _bad_pickle(path, "it is compressed, which torch.save never does")


def _check_pickle(path: Path) -> None:
    """Refuse names that do more than hold values, in the very bytes that `torch.load` will read."""
    reader: Any = torch._C.PyTorchFileReader(str(path))  # pyright: ignore
    pickled: bytes = reader.get_record("data.pkl")
    if len(pickled) > files.MAX_PICKLE_BYTES:
        raise pickle.UnpicklingError(f"its values take more than {files.MAX_PICKLE_BYTES} bytes")
    for opcode, argument, _ in pickletools.genops(pickled):
        if opcode.name != "GLOBAL":
            continue
        name = str(argument).replace(" ", ".")
        if name not in _ALLOWED_NAMES:
            raise pickle.UnpicklingError(f"it names {name[:_MAX_NAME]}")
    check_pickle_costs(pickled)


def check_weight(found: Tensor, wanted: Tensor) -> str:
    """Return what is wrong with a weight from a file, "" for nothing; no large copy is made.

    `wanted` is a tensor of the right shape and type, which may be on the meta device.
    """
    if found.layout is not torch.strided or found.is_quantized:
        return "is no plain tensor"
    if found.shape != wanted.shape:
        return f"has the shape {tuple(found.shape)}, not {tuple(wanted.shape)}"
    if found.is_floating_point() != wanted.is_floating_point() or found.is_complex():
        return f"is of the type {found.dtype}"
    if any(size > 1 and step == 0 for size, step in zip(found.shape, found.stride(), strict=True)):
        return "repeats the same bytes"
    if not found.isfinite().all():
        return "holds NaN or an infinite number"
    return ""


def find_overlap(tensors: Mapping[str, Tensor]) -> str | None:
    """Return the name of a tensor that shares some (not all) bytes with another, None for none."""
    spans = sorted(
        (each.data_ptr(), each.data_ptr() + _extent(each), name)
        for name, each in tensors.items()
        if each.numel()
    )
    for (start, end, _), (other_start, other_end, name) in pairwise(spans):
        if other_start < end and (start, end) != (other_start, other_end):
            return name
    return None


def _extent(tensor: Tensor) -> int:
    """Return from the first byte of a tensor how far it reaches."""
    steps = zip(tensor.shape, tensor.stride(), strict=True)
    return (1 + sum((size - 1) * step for size, step in steps)) * tensor.element_size()


def _bad_pickle(path: Path, why: str) -> errors.BadInput:
    fix = "name a checkpoint of TEACh's E.T. or one that tatc wrote"
    return errors.BadInput(f"cannot be read: {why}", where=str(path), fix=fix)


@dataclass(slots=True)
class _Value:
    """What the pickle builds: its own entries, and what a tuple holds if written out.

    `is_name` says that it is a class or a function, looked up by its name.
    """

    size: int = 0
    written_out: int = 1
    entries: Sequence["_Value"] = ()
    is_name: bool = False


def check_pickle_costs(pickled: bytes) -> None:
    """Check from a pickle's opcodes alone that building its values takes no more than it should.

    Names that may be called copy what they are given (`set`, `OrderedDict`, `Counter`,
    `torch.Size`), and what a pickle has built it can use again for two bytes.  So a file of a
    megabyte could copy a list thousands of times, or nest tuples whose hash takes 2^30 steps.  Here
    each call costs as much as it is given, and each tuple as much as it holds if written out.  Only
    names are called: torch's message about anything else would write out all that it holds, such as
    the numbers of a tensor.  What takes more, or is damaged, raises an UnpicklingError.
    """
    machine = _CostMachine()
    limit = _FREE_COST + _COST_PER_BYTE * len(pickled)
    for opcode, argument, _ in pickletools.genops(pickled):
        try:
            machine.step(opcode, argument)
        except (IndexError, KeyError, ValueError) as fault:
            raise pickle.UnpicklingError(f"it is damaged at {opcode.name}") from fault
        if machine.cost > limit:
            raise pickle.UnpicklingError("it takes more memory or time than its size")


class _CostMachine:
    """Follows the stack and the memo of the unpickler."""

    def __init__(self) -> None:
        self.cost = 0
        self._stack: list[_Value | None] = []  # None is a mark
        self._memo: dict[int, _Value] = {}

    def step(self, opcode: pickletools.OpcodeInfo, argument: Any) -> None:
        name = opcode.name
        if name == _MARK:
            self._stack.append(None)
        elif name in _GETS:
            self._stack.append(self._memo[int(argument)])
        elif name in _PUTS or name == "MEMOIZE":
            number = len(self._memo) if name == "MEMOIZE" else int(argument)
            self._memo[number] = self._top()
        elif name == "DUP":
            self._stack.append(self._top())
        else:
            self._build(name, self._pop(opcode), len(opcode.stack_after), argument)

    def _top(self) -> _Value:
        top = self._stack[-1]
        if top is None:
            raise ValueError("a mark")
        return top

    def _pop(self, opcode: pickletools.OpcodeInfo) -> list[_Value]:
        """Pop what an opcode takes, the lowest first; marks are left out."""
        wanted = list(opcode.stack_before)
        taken: list[_Value] = []
        if pickletools.markobject in wanted:
            while (value := self._stack.pop()) is not None:
                taken.append(value)
            wanted = wanted[: wanted.index(pickletools.markobject)]
        for _ in wanted:
            value = self._stack.pop()
            if value is None:
                raise ValueError("a mark")
            taken.append(value)
        return taken[::-1]

    def _build(self, name: str, taken: list[_Value], results: int, argument: Any) -> None:
        if name in _CHANGES:
            target, *more = taken
            target.size += sum(each.size for each in more) if name == "BUILD" else len(more)
            self._stack.append(target)
        elif name in _TUPLES:
            written_out = 1 + sum(each.written_out for each in taken)
            self.cost += written_out
            self._stack.append(_Value(len(taken), written_out, taken))
        elif name in _CALLS:
            if name != "INST" and not taken[0].is_name:
                raise ValueError("calls what is no name")
            size = sum(each.size + sum(e.size for e in each.entries) for each in taken)
            self.cost += 1 + size
            self._stack.append(_Value(size))
        else:
            size = len(argument) if isinstance(argument, str | bytes) else len(taken)
            self._stack += [_Value(size, is_name=name == "GLOBAL") for _ in range(results)]
