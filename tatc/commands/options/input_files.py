"""Read many input files; name and skip the bad ones."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TypeVar

import typer

from tatc.base.errors import BadInput
from tatc.commands.text.output import EXIT_INPUTS_SKIPPED, progress_bar, remark

Item = TypeVar("Item")


class InputFiles:
    """Reads files one after the other and counts those that had to be skipped."""

    def __init__(self, paths: Collection[Path]) -> None:
        """Take the files to read."""
        self._paths = paths
        self._skipped = 0

    def read(self, reader: Callable[[Path], Item], label: str) -> Iterator[Item]:
        """Yield what `reader` returns for each file; print a line for each bad one."""
        for path in progress_bar(self._paths, label):
            try:
                item = reader(path)
            except BadInput as fault:
                self._skipped += 1
                remark(f"skipped: {fault.one_line}")
            else:
                yield item

    def finish(self) -> None:
        """End the command with status 1 if a file was skipped."""
        if self._skipped:
            remark(f"{self._skipped} of {len(self._paths)} files were skipped")
            raise typer.Exit(EXIT_INPUTS_SKIPPED)
