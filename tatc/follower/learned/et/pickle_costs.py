"""Bounds what a pickle can build, from its opcodes alone: nothing is built.

Names that may be called copy what they are given (`set`, `OrderedDict`, `Counter`,
`torch.Size`), and what a pickle has built it can use again for two bytes.  So a file of a
megabyte could copy a list thousands of times, or nest tuples whose hash takes 2^30 steps.
Here each call costs as much as it is given, and each tuple as much as it holds if written out.
Only names are called: torch's message about anything else would write out all that it holds, such
as the numbers of a tensor.
"""

import pickle
import pickletools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_COST_PER_BYTE = 20
_FREE_COST = 100_000

_MARK = "MARK"
_GETS = ("GET", "BINGET", "LONG_BINGET")
_PUTS = ("PUT", "BINPUT", "LONG_BINPUT")
_CHANGES = ("APPEND", "APPENDS", "SETITEM", "SETITEMS", "ADDITEMS", "BUILD")
_CALLS = ("REDUCE", "NEWOBJ", "NEWOBJ_EX", "OBJ", "INST")
_TUPLES = ("EMPTY_TUPLE", "TUPLE1", "TUPLE2", "TUPLE3", "TUPLE")


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
    """Check that building a pickle's values takes no more than a file of its size should.

    Raises:
        UnpicklingError: it takes more, or the pickle is damaged.

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
