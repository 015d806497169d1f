"""How often the world's states agree with recordings that have AI2-THOR's after each step.

--games names a folder of recordings, as AI2-THOR's controller gives them.
"""

from collections.abc import Iterator
from pathlib import Path

from benchmarks import recorded_sequences
from tatc.evaluation.fidelity.agreement_counts import AgreementCounts, group_disagreements
from tatc.session.records import find_files

MAX_LISTED = 10


def run(games: Path | None = None) -> Iterator[tuple[str, float, str]]:
    """Yield the share of each field that agrees, then how often the first disagreements occur."""
    total = AgreementCounts()
    for path in find_files([games], recorded_sequences.SEQUENCE_FILES) if games else ():
        total.add(recorded_sequences.measure_sequence(path))
    total.compared["all"], total.agreed["all"] = total.compared.total(), total.agreed.total()
    for name, rate in total.rates(("all", *recorded_sequences.COMPARED_FIELDS)).items():
        if rate["n"]:
            yield f"{name}, {rate['n']} values", 100 * rate["rate"], "%"
    for found, count in group_disagreements(total.disagreements)[:MAX_LISTED]:
        yield f"{found.measure} of {found.target} after {found.verb}: {found.reason}", count, ""
