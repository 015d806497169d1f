"""`tatc fidelity --steps`: recordings that have the state after each step."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tatc.base.errors import BadInput
from tatc.commands.options.input_files import InputFiles
from tatc.commands.text.output import print_json, print_line, print_table

_MAX_LISTED = 10


def compare_steps(given: Sequence[Path], *, as_json: bool) -> None:
    """Print how far the world's states agree with recorded ones, field by field.

    Raises:
        BadInput: none of the recorded steps can be compared.

    """
    from tatc.evaluation.fidelity.agreement_counts import AgreementCounts, group_disagreements
    from tatc.evaluation.fidelity.recorded_sequences import (
        COMPARED_FIELDS,
        SEQUENCE_FILES,
        measure_sequence,
    )
    from tatc.evaluation.page_templates import format_share
    from tatc.session.records import find_files

    inputs, total = InputFiles(find_files(given, SEQUENCE_FILES)), AgreementCounts()
    for one in inputs.read(measure_sequence, "comparing steps"):
        total.add(one)
    if not total.compared:
        fix = f"name {SEQUENCE_FILES.noun} as AI2-THOR's controller gives them"
        raise BadInput("none of these steps can be compared", fix=fix)
    total.compared["all"], total.agreed["all"] = (total.compared.total(), total.agreed.total())
    rates: dict[str, Any] = total.rates(("all", *COMPARED_FIELDS))
    if as_json:
        print_json(rates)
    else:
        rows = [(name, r["n"], format_share(r["rate"])) for name, r in rates.items()]
        print_table(("field", "n", "agree"), rows)
        print_line()
        kinds = [
            (n, e.measure, e.verb, e.target, e.reason, e.game, e.index)
            for e, n in group_disagreements(total.disagreements)[:_MAX_LISTED]
        ]
        columns = ("n", "field", "action", "object", "here", "first in", "step")
        print_table(columns, kinds)
    inputs.finish()
