"""What is kept of a comparison of dialogue is read back, and nothing else is."""

from pathlib import Path

from tatc.evaluation.dialogue_worth import DialogueCondition, KeptMeasures, SessionMeasures
from tatc.evaluation.runs.eval_options import EvalOptions
from tatc.evaluation.runs.session_selection import SessionSelection
from tatc.session.agents.session_setup import SessionSetup


def test_kept_measures_with_impossible_fields_are_measured_again(tmp_path: Path) -> None:
    options = EvalOptions(rooms=("kitchen-01",), tasks=("coffee",))
    selection = SessionSelection((), ())
    kept = KeptMeasures(tmp_path, options, selection, SessionSetup(), DialogueCondition.SILENT)
    good = SessionMeasures("a", "g", steps=3, errors=(("other", 2),), crash="ValueError: no")
    kept.add(good)
    kept.add(SessionMeasures("b", "g", skipped="no room"))
    (path,) = tmp_path.iterdir()
    line = path.read_text()
    wrong = [('"steps":3', '"steps":-1'), ('"other"', '"odd"'), ('"success":false', '"success":1')]
    path.write_text(line + "".join(line.replace('"a"', '"c"').replace(*each) for each in wrong))
    assert kept.by_key() == {"a": good}
