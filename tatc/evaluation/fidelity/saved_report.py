"""Reads the report that `tatc fidelity` saved, for those that show it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput
from tatc.base.file_limits import FIDELITY_REPORT
from tatc.base.file_reading import FINITE_NUMBERS, read_json
from tatc.base.json_fields import FieldError, as_integer, as_mapping, as_number, get_text
from tatc.evaluation.fidelity.agreement_counts import FIDELITY_MEASURES


def read_saved_report(path: Path) -> Mapping[str, Any]:
    """Return a saved report; what no report of a run shows is not checked."""
    raw: Any = read_json(path, FIDELITY_REPORT, FINITE_NUMBERS)
    try:
        saved = as_mapping(raw, "")
        as_integer(saved.get("games"), "games")
        get_text(saved, "map")
        for name in FIDELITY_MEASURES:
            _check_rate(saved, name)
    except FieldError as fault:
        raise BadInput(str(fault), where=str(path), fix=FIDELITY_REPORT.fix) from fault
    return saved


def _check_rate(saved: Mapping[str, Any], name: str) -> None:
    found = saved
    for part in name.split("."):
        found = as_mapping(found.get(part), name)
    as_integer(found.get("n"), f"{name}.n")
    if "rate" not in found:
        raise FieldError(f"{name}.rate", "is missing")
    if found["rate"] is not None:
        as_number(found["rate"], f"{name}.rate")
