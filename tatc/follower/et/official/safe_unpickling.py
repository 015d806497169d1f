"""Reads torch's files without running anything that is in them.

A pickle names functions to call.  Here only those that make tensors and plain
containers may be named, and the two classes that official checkpoints hold, which are
read into stand-ins without behaviour; any other name ends the reading.
"""

import collections
import io
import pickle
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import torch

from tatc.errors import BadInput


class PickledObject:
    """Stands in for an object of a class that is not ours; its values are kept."""


class PickledDict(dict[str, Any]):
    """Stands in for a dictionary of a class that is not ours.

    Its items are what was pickled as items; what was pickled as attributes is in its
    own `__dict__`, and the two may differ (spec 7.6).
    """


_STAND_INS: Mapping[tuple[str, str], type] = {
    ("alfred.utils.helper_util", "AttrDict"): PickledDict,
    ("vocab.vocab", "Vocab"): PickledObject,
    ("vocab", "Vocab"): PickledObject,
    ("argparse", "Namespace"): PickledObject,
}

_SAFE_GLOBALS: Mapping[tuple[str, str], Any] = {
    ("collections", "OrderedDict"): collections.OrderedDict,
    ("collections", "defaultdict"): collections.defaultdict,
    ("collections", "Counter"): collections.Counter,
    ("builtins", "int"): int,
    ("builtins", "list"): list,
    ("builtins", "dict"): dict,
    ("builtins", "set"): set,
    ("torch", "Size"): torch.Size,
    ("torch._utils", "_rebuild_tensor_v2"): torch._utils._rebuild_tensor_v2,  # pyright: ignore
    ("torch._utils", "_rebuild_parameter"): torch._utils._rebuild_parameter,  # pyright: ignore
}

_STORAGE_TYPES = frozenset(
    f"{kind}Storage"
    for kind in ("Float", "Double", "Half", "BFloat16", "Long", "Int", "Bool", "Byte")
)


class _SafeUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """Return what a name stands for, if it is one of those that do nothing."""
        if module == "torch" and name in _STORAGE_TYPES:
            return getattr(torch, name)
        # Python 2's name for builtins, which protocol 2 files spell.
        found = module.replace("__builtin__", "builtins"), name
        if found in _STAND_INS:
            return _STAND_INS[found]
        if found in _SAFE_GLOBALS:
            return _SAFE_GLOBALS[found]
        raise pickle.UnpicklingError(f"it names {module}.{name}")


def _reject_legacy_format(file: io.IOBase, **options: Any) -> Any:
    raise pickle.UnpicklingError("it is in torch's old format")


_PICKLE_MODULE = ModuleType("tatc_plain_pickle", "Reads pickles as torch asks a module to.")
vars(_PICKLE_MODULE).update(Unpickler=_SafeUnpickler, load=_reject_legacy_format)


def string_keyed(held: Any) -> dict[str, Any]:
    """Return what a dictionary holds, by name; of anything else, nothing."""
    if not isinstance(held, dict):
        return {}
    items = cast("dict[Any, Any]", held).items()
    return {str(name): value for name, value in items}


def read_pickled(path: Path) -> Any:
    """Return what a file that `torch.save` wrote holds, on the CPU.

    Raises:
        BadInput: there is no such file, it is no such file, damaged, or it names what
            could run code; nothing of it has been run.

    """
    try:
        with zipfile.ZipFile(path) as archive:
            names = [name.rpartition("/")[2] for name in archive.namelist()]
    except FileNotFoundError as fault:
        fix = "name a checkpoint"
        raise BadInput("there is no such file", where=str(path), fix=fix) from fault
    except (OSError, zipfile.BadZipFile) as fault:
        raise _bad_pickle(path, "it is no file that torch.save writes, or is cut off") from fault
    if "data.pkl" not in names or "constants.pkl" in names:
        raise _bad_pickle(path, "it holds a program, or no tensors")
    try:
        return torch.load(
            path, map_location="cpu", pickle_module=_PICKLE_MODULE, weights_only=False
        )
    except pickle.UnpicklingError as fault:
        raise _bad_pickle(path, f"{fault}; nothing of it was run") from fault
    except Exception as fault:  # damaged bytes lead anywhere
        raise _bad_pickle(path, f"it is damaged ({type(fault).__name__})") from fault


def _bad_pickle(path: Path, why: str) -> BadInput:
    fix = "name a checkpoint of TEACh's E.T. or one that tatc wrote"
    return BadInput(f"cannot be read: {why}", where=str(path), fix=fix)
