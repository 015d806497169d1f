"""Reads the files that `torch.save` wrote, without running anything in them.

`torch.load(weights_only=True)` refuses to call what is not on its list of names.  That
list alone does not limit memory: it holds `bytearray` and the tensor classes, which take
a size, so that a file of 300 bytes could ask for a terabyte.  The list can be
lengthened, not shortened.  So the names in a file are compared with a shorter list
first, and the file is then mapped into memory: a tensor of a mapped file cannot be made
larger than the bytes that it has there.
"""

import collections
import pickle
import pickletools
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import torch
from torch.serialization import safe_globals

from tatc.errors import BadInput


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

_ALLOWED_NAMES = frozenset(
    (
        *_STAND_INS,
        *(f"{module}.set" for module in ("builtins", "__builtin__")),
        # Python 2's name for builtins, which files of protocol 2 spell.
        *(f"__builtin__.{name}" for name in ("int", "list", "dict")),
        *("collections.OrderedDict", "collections.Counter", "torch.Size"),
        *("torch._utils._rebuild_tensor_v2", "torch._utils._rebuild_parameter"),
        *(
            f"torch.{kind}Storage"
            for kind in ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Bool", "Byte")
        ),
    )
)


def string_keyed(held: Any) -> dict[str, Any]:
    """Return the items of a dictionary, keys as text; {} for anything else."""
    if not isinstance(held, dict):
        return {}
    items = cast("dict[Any, Any]", held).items()
    return {str(name): value for name, value in items}


def read_pickled(path: Path) -> Any:
    """Return what a file that `torch.save` wrote holds, its tensors on the CPU.

    The tensors are views of the file, mapped into memory.

    Raises:
        BadInput: there is no such file, `torch.save` did not write it, it is damaged, it
            names what could run code or take memory, or a tensor is larger than its
            bytes.  Nothing in it was run, and no memory was taken for it.

    """
    _check_archive(path)
    try:
        _check_names(path)
        with safe_globals([(kind, name) for name, kind in _STAND_INS.items()]):
            return torch.load(path, map_location="cpu", mmap=True, weights_only=True)
    except pickle.UnpicklingError as fault:
        why = str(fault).partition("\n")[0]
        raise _bad_pickle(path, f"{why}; nothing of it was run") from fault
    except Exception as fault:  # damaged bytes can raise anything
        raise _bad_pickle(path, f"it is damaged ({type(fault).__name__})") from fault


def _check_archive(path: Path) -> None:
    """Refuse what is no archive of `torch.save`'s, from the archive's directory alone."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except FileNotFoundError as fault:
        fix = "name a checkpoint"
        raise BadInput("there is no such file", where=str(path), fix=fix) from fault
    except (OSError, zipfile.BadZipFile) as fault:
        raise _bad_pickle(path, "it is no file that torch.save writes, or is cut off") from fault
    names = [entry.filename.rpartition("/")[2] for entry in entries]
    if "data.pkl" not in names or "constants.pkl" in names:
        raise _bad_pickle(path, "it holds a program, or no tensors")
    if any(entry.compress_type != zipfile.ZIP_STORED for entry in entries):
        raise _bad_pickle(path, "it is compressed, which torch.save never does")


def _check_names(path: Path) -> None:
    """Refuse any name that the pickle would look up and that does more than hold values.

    The pickle comes from torch's own reader, so that `torch.load` reads the same bytes.

    Raises:
        UnpicklingError: it looks up another name.

    """
    reader: Any = torch._C.PyTorchFileReader(str(path))  # pyright: ignore
    for opcode, argument, _ in pickletools.genops(reader.get_record("data.pkl")):
        name = str(argument).replace(" ", ".")
        if opcode.name == "GLOBAL" and name not in _ALLOWED_NAMES:
            raise pickle.UnpicklingError(f"it names {name}")


def _bad_pickle(path: Path, why: str) -> BadInput:
    fix = "name a checkpoint of TEACh's E.T. or one that tatc wrote"
    return BadInput(f"cannot be read: {why}", where=str(path), fix=fix)
