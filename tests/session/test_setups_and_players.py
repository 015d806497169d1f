"""What a setup makes of its names: worlds, maps, limits, and the models that play."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tatc.base.errors import BadInput
from tatc.follower.listener.follower import ListenerFollower
from tatc.home.actions import Action, Click, Role, Verb
from tatc.home.percepts import PerceptionLevel
from tatc.language.llm import ModelSettings
from tatc.language.llm.recorded_calls import ModelCallEnd, RecordedModelCall
from tatc.language.understanding import understand
from tatc.language.understanding.alfred.directive_goal import DirectiveReader
from tatc.language.understanding.named_goals import NamedGoal, NamedGoals, write_goals
from tatc.session import worlds
from tatc.session.agents.agents import check_recalls, current_folder_importable, follower_factory
from tatc.session.agents.session_setup import (
    AgentOverrides,
    SessionSetup,
    check_goals,
    find_follower,
    models_that_play,
    recorded_settings,
    resolve_agents,
    with_model_for_players,
    with_reading,
)
from tatc.session.agents.settings import file_label
from tatc.session.loop import Session
from tatc.session.play import (
    DirectiveCommander,
    check_world_of_start,
    make_simulator,
    prepare,
    run_from_start,
    session_from_start,
)
from tatc.session.records import Interaction, SessionEnd
from tatc.session.records.trajectory import KEY_SEPARATOR, Annotation
from tatc.session.session_types import AgentNotes, new_model_calls
from tatc.session.start import AnnotatedLanguage, SessionStart
from tatc.session.text_world.model_agents import RecordedAnswers
from tatc.session.transcript import short_task_title
from tatc.session.worlds import (
    THOR_WORLD,
    check_world,
    load_map_for,
    load_recorded_map,
    thor_client,
)
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.protocol import DEFAULT_BUILD, ThorBuild
from tatc.tdl import shipped_library
from tests.language.understanding.written_dialogues import spoken
from tests.session.test_loop import Scripted, text
from tests.sim.box_kitchen import kitchen

MODEL = ModelSettings("m", "http://localhost:9/v1")
COFFEE = shipped_library().compile("Coffee")
OF_ALFRED: Any = object()  # what counts is that there is one

RULE, LISTENER, FORGETFUL = map(follower_factory, ("rule", "listener", "listener-no-memory"))


def goals_file(folder: Path, *names: str) -> str:
    said = spoken("make a coffee")
    goal = understand(said).goal
    assert goal is not None
    write_goals(
        NamedGoals(tuple(NamedGoal(name, said, goal.content) for name in names)),
        folder / "mine.jsonl",
    )
    return str(folder / "mine.jsonl")


def _start(**changes: Any) -> SessionStart:
    return replace(SessionStart(COFFEE, kitchen(), 3), **changes)


def _typed(name: str) -> str:
    """Return a text of its own, as what a user types is."""
    return "".join([*name])


def test_trajectories_run_in_tatcs_world_alone() -> None:
    check_world_of_start(_start(), SessionSetup(sim=THOR_WORLD))
    check_world_of_start(_start(alfred_task=OF_ALFRED), SessionSetup())
    with pytest.raises(BadInput, match="ALFRED's trajectories run in tatc's own world alone"):
        check_world_of_start(_start(alfred_task=OF_ALFRED), SessionSetup(sim=THOR_WORLD))


def test_a_trajectory_ends_after_ten_failures_and_other_sessions_after_thirty() -> None:
    in_vain = [Action(Verb.OPEN, Click(0.0, 0.0))]
    for start, failures in ((_start(), 30), (_start(alfred_task=OF_ALFRED), 10)):
        overrides = AgentOverrides(None, lambda: Scripted([*in_vain]))
        result, _ = run_from_start(start, prepare(SessionSetup(), overrides))
        assert (result.end, result.failures) == (SessionEnd.FAILURE_LIMIT, failures)


def test_a_resumed_turn_of_the_commander_is_as_long_as_any() -> None:
    sim, scene = EmbeddedSimulator(), kitchen()
    start = sim.reset(scene)
    cast = Scripted([Action(Verb.OPEN_PROGRESS_CHECK)]), Scripted([Action(Verb.TURN_LEFT)])
    session = Session(sim, COFFEE, *cast)
    session.resume_after(start, [Interaction(Role.FOLLOWER, Verb.TEXT, 0.1, True, text="done?")])
    for _ in range(8):
        assert session.turn is Role.COMMANDER
        session.step()
    assert session.turn is Role.FOLLOWER and session.last_result is None
    session.step()
    assert session.last_result is not None and session.last_result.success
    session.act_for(Role.COMMANDER, Action(Verb.TURN_LEFT))
    assert session.interactions[-1].role is Role.COMMANDER


def test_a_follower_perceives_in_tatcs_world_alone() -> None:
    assert resolve_agents(SessionSetup(sim=THOR_WORLD)).setup.perception is None
    listens = SessionSetup(follower="listener", sim=_typed("embedded"))
    assert resolve_agents(listens).setup.perception is PerceptionLevel.TRUTH
    with pytest.raises(BadInput, match="listener perceives in tatc's own world alone"):
        resolve_agents(SessionSetup(follower="listener", sim=THOR_WORLD))
    with pytest.raises(BadInput, match="the Follower rule does not perceive"):
        resolve_agents(SessionSetup(perception=PerceptionLevel.TRUTH))


def test_a_follower_reads_directives_as_such_where_an_annotation_is_read_out() -> None:
    setup = SessionSetup(follower="listener")
    assert find_follower(setup) is ListenerFollower
    told = find_follower(replace(setup, language=AnnotatedLanguage.STEPS))
    assert isinstance(told, partial) and isinstance(told.keywords["read"], DirectiveReader)


def test_directives_are_read_out_once() -> None:
    reader: Any = DirectiveCommander(Annotation("brew", ("walk",)), AnnotatedLanguage.GOAL, "x")
    assert [reader.act(None) for _ in range(3)] == [text("brew."), *[Action(Verb.STOP)] * 2]
    reader.begin(None, COFFEE)
    assert reader.act(None) == text("brew.")


def test_a_commander_that_is_given_leads_unless_an_annotation_is_read_out() -> None:
    directives = Annotation("brew coffee", ())

    def first_words(setup: SessionSetup, commander: Scripted | None) -> str:
        sim, start = EmbeddedSimulator(), _start(directives=directives)
        session, *_ = session_from_start(sim, start, prepare(setup), commander=commander)
        session.start(start.scene)
        for _ in range(5):
            session.step()
        said = [e.text for e in session.interactions if e.role is Role.COMMANDER and e.text]
        return said[0]

    mine = Scripted([text("as I say")])
    assert first_words(SessionSetup(), mine) == "as I say"
    assert first_words(SessionSetup(), None) not in ("", "as I say")
    reading = SessionSetup(language=AnnotatedLanguage.GOAL)
    assert first_words(reading, mine) == first_words(reading, None) == "brew coffee."


@pytest.fixture
def nothing_kept() -> Iterator[None]:
    """Forget maps and clients that were made, and those that the test makes."""
    for forget in (load_recorded_map.cache_clear, thor_client.cache_clear):
        forget()
    yield
    for forget in (load_recorded_map.cache_clear, thor_client.cache_clear):
        forget()


@pytest.mark.usefixtures("nothing_kept")
def test_a_map_is_read_once_and_leaves_out_the_sessions_own_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[Path] = []
    stub = SimpleNamespace(without_games=lambda game: f"without {game}")

    def note(path: Path) -> Any:
        read.append(path)
        return stub

    monkeypatch.setattr(worlds, "read_recorded_map", note)
    assert load_map_for("a.map", "kitchen-01", None) is stub
    assert load_map_for("a.map", "kitchen-01", "1234_5678") == "without 1234_5678"
    key = f"a task{KEY_SEPARATOR}trial_7"
    assert load_map_for("a.map", "FloorPlan1", key) == "without trial_7"
    assert read == [Path("a.map")]
    assert load_map_for(_typed("boxes"), "FloorPlan1", "1234_5678") is None


@pytest.mark.usefixtures("nothing_kept")
def test_the_client_of_ai2_thor_is_made_once_for_a_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tatc.sim.thor.ThorClient", lambda build: SimpleNamespace(build=build))
    assert thor_client(DEFAULT_BUILD) is thor_client(DEFAULT_BUILD)
    assert thor_client(ThorBuild(commit="abc")) is not thor_client(DEFAULT_BUILD)


@pytest.mark.usefixtures("nothing_kept")
def test_ai2_thor_goes_on_between_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[str] = []
    client = SimpleNamespace(stop=lambda: stopped.append("stopped"))
    monkeypatch.setattr("tatc.sim.thor.ThorClient", lambda build: client)
    sim, _ = make_simulator(_start(), SessionSetup(sim=_typed("thor")))
    sim.close()
    assert not stopped


def test_names_that_are_typed_mean_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[ThorBuild] = []
    monkeypatch.setattr("tatc.sim.thor.client.check_build", checked.append)
    check_world(_typed("thor"), _typed("boxes"), DEFAULT_BUILD)
    assert checked == [DEFAULT_BUILD]
    usual, made = SessionSetup(wording=_typed("actions")), Scripted([text("hi")])
    assert resolve_agents(usual, AgentOverrides(lambda: made)).make_commander() is made
    assert "wording" not in dict(recorded_settings(usual))


@pytest.mark.parametrize(
    ("params", "title"),
    [
        ((), "Coffee"),
        (("a",), "Coffee (a)"),
        (("a", "b", "c"), "Coffee (a, b, c)"),
        (("a", "b", "c", "d"), "Coffee"),
    ],
)
def test_a_short_title_has_at_most_three_parameters(params: tuple[str, ...], title: str) -> None:
    task: Any = SimpleNamespace(name="Coffee", params=params)
    assert short_task_title(task) == title


def test_a_named_module_is_pythons_where_the_current_folder_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "colorsys").mkdir()  # without files
    (tmp_path / "__hello__.py").write_text("HERE = True")  # Python has one, built in
    for name in ("colorsys", "symtable", "__hello__"):
        monkeypatch.delitem(sys.modules, name, raising=False)
        with current_folder_importable(name):
            found = __import__(name)
        assert hasattr(found, "HERE") == (name == "__hello__")
        assert found.__file__ is not None
        monkeypatch.delitem(sys.modules, name, raising=False)


def _call(role: Role, model: str = "m", request: str = "r") -> RecordedModelCall:
    return RecordedModelCall(role=role, model=model, request=request, end=ModelCallEnd.ANSWERED)


def _choosers_of(setup: SessionSetup) -> list[tuple[Any, ...]]:
    """Return the arguments of the choosers of both agents: role, model, client, play, answers."""
    agents: Any = resolve_agents(setup)
    return [make.args[0].args for make in (agents.make_commander, agents.make_follower)]


def test_each_player_asks_the_model_of_its_name_or_of_the_setup() -> None:
    setup = SessionSetup(commander="llm:a", follower="llm", model=MODEL)
    assert [each.model for each in models_that_play(setup)] == ["a", "m"]
    assert [each.model for each in models_that_play(replace(setup, commander="llm"))] == ["m"]
    assert models_that_play(SessionSetup()) == ()
    assert with_model_for_players(setup) is setup
    assert with_model_for_players(SessionSetup(model=MODEL)) == SessionSetup()
    choosers = _choosers_of(setup)
    assert [model for _, model, *_ in choosers] == ["a", "m"]
    assert all(client is not None for _, _, client, *_ in choosers)


def test_without_a_model_recorded_answers_play() -> None:
    setup = SessionSetup(commander="llm", follower="llm")
    for role in ("Commander", "Follower"):
        other = replace(setup, **{"commander" if role == "Follower" else "follower": "rule"})
        with pytest.raises(BadInput, match=f"the {role} llm needs a model to ask"):
            resolve_agents(other)
    answers = RecordedAnswers((_call(Role.COMMANDER, "c"), _call(Role.FOLLOWER, "f")))
    assert _choosers_of(replace(setup, recorded_answers=answers)) == [
        (Role.COMMANDER, "c", None, setup.play, answers),
        (Role.FOLLOWER, "f", None, setup.play, answers),
    ]


def test_a_style_is_for_simulated_users() -> None:
    setup = SessionSetup(commander="speaker", follower="listener").with_settings(speaker_seed=3)
    commander: Any = resolve_agents(setup).make_commander
    assert isinstance(commander, partial)
    assert commander.keywords == {"speaker_seed": 3, "typos": 0.0}
    with pytest.raises(BadInput, match="the Commander rule is no simulated user"):
        resolve_agents(replace(setup, commander="rule"))


def test_a_model_that_plays_recalls_no_names(tmp_path: Path) -> None:
    setup = SessionSetup(follower="llm", model=MODEL)
    assert find_follower(setup)
    with pytest.raises(BadInput, match="--goals: the Follower llm reads no dialogue that could"):
        find_follower(setup.with_settings(goals=goals_file(tmp_path, "brew")))


def test_who_recalls_names_takes_a_memory() -> None:
    check_recalls(LISTENER, "it", "--goals")
    for made in (RULE, FORGETFUL):
        with pytest.raises(BadInput, match="--goals: the Follower rule reads no dialogue that"):
            check_recalls(made, "rule", "--goals")


def test_a_follower_stays_as_it_is_without_anything_to_read_by() -> None:
    assert with_reading(LISTENER, "listener", None) is LISTENER
    assert with_reading(RULE, "rule", None, directives=True) is RULE
    assert with_reading(LISTENER, "listener", None, directives=True) is not LISTENER


def test_a_memory_is_named_by_its_file_and_a_hash(tmp_path: Path) -> None:
    check_goals(None)
    assert file_label(None) == ""
    with pytest.raises(BadInput, match="there is no such memory"):
        check_goals(str(tmp_path / "none.jsonl"))
    one = file_label(goals_file(tmp_path, "brew"))
    other = file_label(goals_file(tmp_path, "tea"))
    assert one != other and [len(each) for each in one.split()] == [len("mine.jsonl"), 12]
    assert file_label(goals_file(tmp_path, "brew")) == one


def test_calls_of_each_agent_are_noted_once() -> None:
    leader = AgentNotes(model_calls=(_call(Role.COMMANDER, request="a"),))
    follower = AgentNotes(
        model_calls=(_call(Role.FOLLOWER, request="x"), _call(Role.FOLLOWER, request="y"))
    )
    first = new_model_calls((leader, follower), (), 3)
    assert [(each.request, each.step) for each in first] == [("a", 3), ("x", 3), ("y", 3)]
    assert new_model_calls((leader, follower), first, 4) == ()
    leader = AgentNotes(model_calls=(*leader.model_calls, _call(Role.COMMANDER, request="b")))
    assert [each.request for each in new_model_calls((leader, follower), first, 5)] == ["b"]
    assert new_model_calls((AgentNotes(), AgentNotes()), first, 5) == ()
