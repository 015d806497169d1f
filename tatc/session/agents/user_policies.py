"""Subgoal policies of the user's own: folders of policy files.

Each file is imported by its path, in the order of names, and registers its policies by
`@policy("isDirty")`, as those of tatc do.  A policy that replaces another says so:
`@policy("isDirty", override=True)`.
"""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

from tatc.base.errors import BadInput, TatcError, os_errors_as
from tatc.base.file_reading import POLICY, check_file
from tatc.commander.policies import temporary_policies


@contextmanager
def user_policies(folders: Sequence[Path]) -> Generator[None]:
    """Add the policies of these folders while the block runs; without folders, change nothing."""
    if not folders:
        yield
        return
    with temporary_policies():
        for folder in folders:
            for path in _policy_files(folder):
                _load_policy_file(path)
        yield


def _policy_files(folder: Path) -> list[Path]:
    with os_errors_as(BadInput, "cannot be read", folder, fix="give a folder of policy files"):
        files = sorted(each for each in folder.iterdir() if each.suffix == ".py")
    if not files:
        fix = "their names end in .py"
        raise BadInput("holds no policy files", where=str(folder), fix=fix)
    return files


def _load_policy_file(path: Path) -> None:
    check_file(path, POLICY)
    spec = spec_from_file_location(f"tatc_own_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadInput("cannot be imported", where=str(path), fix="name it *.py")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except TatcError as fault:
        where = fault.where or str(path)
        raise BadInput(fault.what, where=where, fix=fault.fix) from fault
    except Exception as fault:  # whatever a user's file may raise
        why = f"cannot be imported: {type(fault).__name__}: {fault}"
        raise BadInput(why, where=str(path), fix="mend the file") from fault
