"""The parts around a session: limits, what agents hear, crashes, agents by name, setups."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tatc.base.errors import (
    AgentCrash,
    BadInput,
    GameFormatError,
    MissingProgram,
    ParameterError,
    UnknownName,
    UsageError,
)
from tatc.commander import RuleCommander
from tatc.follower import RuleFollower
from tatc.home.actions import Role, Utterance, Verb
from tatc.language import Wording
from tatc.session.agents.agents import (
    INSTANCE_ABLATIONS,
    ablation_names,
    commander_factory,
    commander_with_planner,
    current_folder_importable,
    follower_factory,
    import_target,
    user_policies,
    wording_for_follower,
)
from tatc.session.agents.session_setup import (
    AgentOverrides,
    SessionSetup,
    agent_maker,
    agent_name,
    resolve_agents,
)
from tatc.session.loop import ActionLog
from tatc.session.play import (
    find_session_start,
    make_simulator,
    prepare,
    run_from_start,
)
from tatc.session.records import Interaction, Record, SessionEnd, read_record
from tatc.session.records.record_io import content_hash
from tatc.session.session_record import make_record, save_record, save_record_in
from tatc.session.session_types import (
    SessionLimits,
    SessionResult,
    crash_place,
    crashes_blamed_on,
    describe_crash,
    original_error,
)
from tatc.session.start import SessionStart, start_from_game
from tatc.session.worlds import load_recorded_map, map_name_and_hash, with_noise
from tatc.sim.embedded.simulator import EmbeddedSimulator
from tatc.sim.noisy_simulator import NoisySimulator
from tatc.sim.protocol import ThorBuild
from tatc.tdl import shipped_library
from tests.session.records.conftest import game_file as game_file
from tests.session.records.sample_record import sample_final, sample_interactions, sample_record
from tests.sim.box_kitchen import kitchen

COFFEE = shipped_library().compile("Coffee")


@pytest.mark.parametrize(
    ("counts", "end"),
    [
        ((0, 0, 0), None),
        ((4, 2, 1), None),
        ((5, 0, 0), SessionEnd.STEP_LIMIT),
        ((6, 3, 2), SessionEnd.STEP_LIMIT),
        ((4, 3, 0), SessionEnd.FAILURE_LIMIT),
        ((4, 4, 2), SessionEnd.FAILURE_LIMIT),
        ((0, 0, 2), SessionEnd.GAVE_UP),
        ((0, 0, 3), SessionEnd.GAVE_UP),
    ],
)
def test_a_limit_ends_a_session_when_it_is_reached(
    counts: tuple[int, int, int], end: SessionEnd | None
) -> None:
    assert SessionLimits(steps=5, failures=3, utterances=2).end_at(*counts) is end
    assert SessionLimits() == SessionLimits(1000, 30, 1000), "those of the benchmark"
    assert SessionLimits(utterances=1).end_at(0, 0) is None
    assert SessionLimits(utterances=0).end_at(0, 0) is SessionEnd.GAVE_UP


def _interaction(utterance: Utterance) -> Interaction:
    return Interaction(utterance.speaker, Verb.TEXT, utterance.time, True, text=utterance.text)


def _say(log: ActionLog, utterances: Sequence[Utterance]) -> None:
    for each in utterances:
        log.add(each.speaker, Verb.TEXT, True, text=each.text)


def test_each_agent_hears_the_other_once() -> None:
    you, me = Role.COMMANDER, Role.FOLLOWER
    said = [
        Utterance(role, str(i), round(0.1 + 0.1 * i, 1))
        for i, role in enumerate((me, you, you, me))
    ]
    heard = ActionLog()
    assert heard.take_unheard(me) == ()
    _say(heard, said)
    assert (heard.utterance_count, heard.take_unheard(me)) == (4, tuple(said[1:3]))
    assert heard.take_unheard(you) == (said[0], said[3])
    assert heard.take_unheard(you) == heard.take_unheard(me) == ()


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_of_earlier_words_only_the_last_are_heard(count: int) -> None:
    before = [Utterance(Role.FOLLOWER, str(i), 0.1) for i in range(count)]
    resumed = ActionLog()
    resumed.resume_after([*map(_interaction, before)])
    assert resumed.utterance_count == count
    assert resumed.take_unheard(Role.COMMANDER) == tuple(before[-1:])
    assert resumed.take_unheard(Role.FOLLOWER) == ()
    fresh = ActionLog()
    fresh.resume_after(())
    _say(fresh, [Utterance(Role.FOLLOWER, str(i), 0) for i in range(2)])
    assert [each.text for each in fresh.take_unheard(Role.COMMANDER)] == ["0", "1"]


def test_what_an_agent_raises_is_its_crash_with_the_line_of_its_own_code() -> None:
    def divide() -> float:
        return 1 / 0

    with pytest.raises(AgentCrash, match="the Follower crashed: ZeroDivisionError") as caught:
        with crashes_blamed_on(Role.FOLLOWER):
            divide()
    place = f"{__file__}:{divide.__code__.co_firstlineno + 1}"
    assert caught.value.where == place
    assert isinstance(original_error(caught.value), ZeroDivisionError)
    assert describe_crash(caught.value) == f"ZeroDivisionError: division by zero ({place})"
    with pytest.raises(ZeroDivisionError) as deep:
        [each() for each in [lambda: divide()]]
    assert crash_place(deep.value) == place
    with pytest.raises(UsageError), crashes_blamed_on(Role.COMMANDER):
        raise UsageError("too early", fix="wait")
    bare = ValueError("two\n  lines")
    assert (crash_place(bare), describe_crash(bare)) == ("", "ValueError: two lines")
    assert original_error(bare) is bare
    named = BadInput("is no mug", where="a.py", fix="take one")
    assert describe_crash(named) == "a.py: is no mug (take one)"
    crash = AgentCrash("the Follower crashed")
    assert original_error(crash) is crash


def test_a_crash_within_tatc_names_the_callers_line_and_one_of_tatcs_alone_its_own() -> None:
    def call() -> Any:
        return COFFEE.check(None)  # type: ignore[arg-type]

    with pytest.raises(AttributeError) as caught:
        call()
    assert crash_place(caught.value).startswith(__file__)
    fault = caught.value
    inner = fault.__traceback__
    while inner is not None and "tatc/tdl" not in inner.tb_frame.f_code.co_filename:
        inner = inner.tb_next
    assert "tatc/tdl" in crash_place(fault.with_traceback(inner))


def test_the_planner_chooses_the_rule_commander() -> None:
    assert commander_with_planner("shifted", "policies") == "shifted"
    for planner in ("pddl", "policies-only", "fast-downward"):
        assert commander_with_planner("rule", planner) == planner
        assert commander_with_planner(planner, planner) == planner
        with pytest.raises(BadInput, match="--planner is for the rule Commander, not for shifted"):
            commander_with_planner("shifted", planner)
    with pytest.raises(UnknownName, match=r"'pdl'.*'pddl'"):
        commander_with_planner("rule", "pdl")


def test_a_wording_is_for_commanders_that_have_one() -> None:
    assert commander_factory("rule") is RuleCommander
    assert isinstance(commander_factory("rule", "goals")(), RuleCommander)
    with pytest.raises(BadInput, match="--wording is for the rule Commander, not for shifted"):
        commander_factory("shifted", "steps")
    assert commander_factory("shifted", "actions")
    with pytest.raises(UnknownName, match="unknown wording 'gaols'"):
        commander_factory("rule", "gaols")
    with pytest.raises(UnknownName, match=r"unknown Commander 'rul'.*'rule'"):
        commander_factory("rul")
    with pytest.raises(UnknownName, match=r"unknown Follower 'randm'.*'random'"):
        follower_factory("randm")
    assert follower_factory("tatc.follower:RuleFollower") is RuleFollower


def test_fast_downward_must_be_there_for_the_commander_that_plans_with_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def find_none() -> None:
        raise MissingProgram("Fast Downward", "install it")

    monkeypatch.setattr("tatc.session.agents.agents.find_fast_downward", find_none)
    # A text of its own, as a user types it.
    with pytest.raises(MissingProgram):
        commander_factory("-".join(["fast", "downward"]))
    for name in ("rule", "pddl", "never-opens"):
        assert commander_factory(name)
    with pytest.raises(BadInput, match="cannot be imported"):
        commander_factory("a_module:Class")


def test_ablations_are_of_learned_followers() -> None:
    assert ablation_names("rule") == ablation_names("ether:a") == ()
    own = ("et-no-words", "et-no-memory", "et-no-map", "et-no-geometry")
    assert ablation_names("et") == ablation_names("et", INSTANCE_ABLATIONS) == own
    assert ablation_names("et:a.pth") == ("et-frame-blank:a.pth", "et-language-only:a.pth")
    assert ablation_names("et:a.pth", INSTANCE_ABLATIONS) == (
        "et-language-only:a.pth",
        "et-vision-only:a.pth",
    )
    assert wording_for_follower("et-blank:a") is Wording.STEPS
    assert wording_for_follower("rule:et") is Wording.ACTIONS


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("tatc.follower:Nobody", "cannot be imported: .*Nobody"),
        ("tatc.no_such:X", "cannot be imported: No module named"),
        (":X", "cannot be imported: Empty module name"),
        ("tatc.follower:", "cannot be imported"),
    ],
)
def test_what_cannot_be_imported_is_named(target: str, why: str) -> None:
    with pytest.raises(BadInput, match=rf"^{target}: {why}.*name it as module:Class"):
        import_target(target)


def test_a_class_is_an_agent_if_it_begins_and_acts() -> None:
    with pytest.raises(BadInput, match="is no Follower: it lacks `begin` or `act`"):
        follower_factory("pathlib:Path")
    with pytest.raises(BadInput, match="is no Commander"):
        commander_factory("pathlib:Path.exists")
    assert import_target("tatc.follower:RuleFollower.act") is RuleFollower.act


def test_only_the_named_module_is_first_found_in_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("colorsys", "own_agent", "own_help", "symtable"):
        (tmp_path / f"{name}.py").write_text("HERE = True")
        monkeypatch.delitem(sys.modules, name, raising=False)
    before = list(sys.path), list(sys.meta_path)
    with current_folder_importable("own_agent.part"):
        import colorsys
        import symtable

        import own_agent  # pyright: ignore[reportMissingImports]
        import own_help  # pyright: ignore[reportMissingImports]

        assert own_agent.HERE and own_help.HERE
        assert not hasattr(colorsys, "HERE") and not hasattr(symtable, "HERE")
        assert sys.path[-1] == str(tmp_path)
    assert (sys.path, sys.meta_path) == before
    monkeypatch.delitem(sys.modules, "colorsys")
    with current_folder_importable("colorsys.part"):
        assert __import__("colorsys").HERE, "the named one comes first"
    (tmp_path / "empty_folder").mkdir()
    with current_folder_importable("empty_folder"), pytest.raises(ImportError):
        from empty_folder import nothing  # noqa: F401
    for name in ("colorsys", "own_agent", "own_help", "symtable", "empty_folder"):
        monkeypatch.delitem(sys.modules, name, raising=False)


class _Agent:
    def begin(self, *given: object) -> None: ...
    def act(self, seen: object) -> None: ...


class _NoAgent:
    begin = 3


def test_agents_are_made_of_classes_functions_and_instances() -> None:
    assert agent_maker("rule", "Follower") is None
    instance = _Agent()
    made = agent_maker(instance, "Follower")
    assert made is not None and made() is instance
    for maker in (agent_maker(_Agent, "Follower"), agent_maker(lambda: _Agent(), "Follower")):
        assert maker is not None and isinstance(maker(), _Agent)
    for wrong in (_NoAgent, _NoAgent(), 3, None):
        with pytest.raises(BadInput, match="is no Follower: it lacks"):
            agent_maker(wrong, "Follower")
    late = agent_maker(lambda: _NoAgent(), "Commander")
    assert late is not None
    with pytest.raises(BadInput, match="_NoAgent: is no Commander"):
        late()
    assert agent_name("rule") == "rule"
    assert agent_name(_Agent) == agent_name(instance) == f"{__name__}:_Agent"


def test_makers_take_the_place_of_names() -> None:
    commander, follower = resolve_agents(
        SessionSetup(follower="random"), AgentOverrides(_Agent, None)
    ).make()
    assert isinstance(commander, _Agent) and not isinstance(follower, RuleFollower)
    commander, follower = resolve_agents(SessionSetup(), AgentOverrides(None, _Agent)).make()
    assert isinstance(commander, RuleCommander) and isinstance(follower, _Agent)
    with pytest.raises(BadInput, match="a wording is for the rule Commander"):
        resolve_agents(SessionSetup(wording="goals"), AgentOverrides(_Agent))

    class Broken(_Agent):
        def __init__(self) -> None:
            raise ValueError("no legs")

    for overrides, who in (
        (AgentOverrides(Broken), "Commander"),
        (AgentOverrides(None, Broken), "Follower"),
    ):
        with pytest.raises(AgentCrash, match=f"the {who} crashed: ValueError: no legs"):
            resolve_agents(SessionSetup(), overrides).make()


@pytest.mark.parametrize("noise", [-0.01, 1.01])
def test_noise_is_a_probability(noise: float) -> None:
    with pytest.raises(BadInput, match="noise: should be a number from 0 to 1"):
        prepare(SessionSetup(noise=noise))
    for fine in (0.0, 0.5, 1.0):
        prepare(SessionSetup(noise=fine))


@pytest.mark.parametrize(
    ("setup", "why"),
    [
        (SessionSetup(sim="embeded"), "unknown world 'embeded'"),
        (SessionSetup(sim="thor", floor_map="a.map"), "a map is for tatc's own world"),
        (SessionSetup(thor=ThorBuild(commit="abc")), "a build of AI2-THOR is for AI2-THOR"),
        (SessionSetup(floor_map="no-such.map"), "no-such.map"),
        (SessionSetup(follower="nobody"), "unknown Follower"),
    ],
)
def test_a_setup_names_what_exists(setup: SessionSetup, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        prepare(setup)


def _start(**changes: Any) -> SessionStart:
    return replace(SessionStart(COFFEE, kitchen(), 3, room="a-little-kitchen"), **changes)


def test_noise_is_added_only_where_there_is_some() -> None:
    sim = EmbeddedSimulator()
    assert with_noise(sim, _start(), 0.0) is sim
    assert isinstance(with_noise(sim, _start(), 0.1), NoisySimulator)
    assert load_recorded_map("".join([*"boxes"])) is None
    assert map_name_and_hash(None) == ("boxes", "")


def test_a_session_runs_from_a_start_in_the_world_that_is_named() -> None:
    seen: list[object] = []
    result, recorded_map = run_from_start(_start(), prepare(SessionSetup()), watch=seen.append)
    assert result.success and recorded_map is None
    assert len(seen) == len(result.interactions)
    _, other = make_simulator(_start(), SessionSetup(noise=0.5))
    assert other is None
    assert isinstance(make_simulator(_start(), SessionSetup())[0], EmbeddedSimulator)


def test_a_record_of_ai2_thor_names_its_client() -> None:
    pytest.importorskip("ai2thor", reason="needs the extra: thor")
    record = make_record(_start(), _result(), None, SessionSetup(sim="thor"))
    assert record.world.startswith("ai2thor ")


def _find_start(**known: Any) -> SessionStart:
    given: dict[str, Any] = {"task": "coffee", "room": None, "game": None, "params": (), "seed": 1}
    return find_session_start(**(given | {"task_folders": ()} | known))


@pytest.mark.parametrize(
    ("known", "why"),
    [
        ({"task": None}, "there is nothing to do"),
        ({"game": Path("a"), "room": "kitchen-01"}, "a game brings its own room .leave out --room"),
        ({"game": Path("a"), "scene": "F"}, "a game brings its own room .leave out --scene"),
        ({"room": "kitchen-01", "scene": "FloorPlan1"}, "a scene is a room"),
        ({"room": "kitchen-1"}, "kitchen-1"),
    ],
)
def test_places_that_do_not_go_together_are_refused(known: dict[str, Any], why: str) -> None:
    with pytest.raises(BadInput, match=why):
        _find_start(**known)


def test_without_a_room_the_first_that_can_hold_the_task_is_taken() -> None:
    start = _find_start()
    assert (start.room, start.game_id, start.human_actions) == ("kitchen-01", None, None)
    assert (start.place, start.session_id) == ("kitchen-01", "kitchen-01_coffee_1")
    assert not start.task.check(start.scene.initial).success


def test_a_room_that_cannot_hold_the_task_is_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tatc.session.start.room_names", lambda: ("kitchen-01", "bathroom-01"))
    assert _find_start(task="candles").room == "bathroom-01"
    monkeypatch.setattr("tatc.session.start.room_names", lambda: ("bathroom-01",))
    with pytest.raises(BadInput, match="no shipped room can hold 'Coffee'"):
        _find_start()
    with pytest.raises(ParameterError):
        _find_start(task="boil x", params=("Dishware",))


def test_a_game_may_be_given_another_task_that_its_start_allows(game_file: Path) -> None:
    library = shipped_library()
    own = start_from_game(game_file, library, None, (), 5)
    assert (own.task.name, own.seed, own.human_actions) == ("Coffee", 5, 10)
    assert own.game_id == own.place == own.session_id == "0123456789abcdef_0123"
    with pytest.raises(ParameterError, match="is one too many"):
        start_from_game(game_file, library, None, ("Mug",), 5)
    with pytest.raises(BadInput, match="'Water Plant' cannot be done"):
        start_from_game(game_file, library, "water plant", (), 5)
    unknown = game_file.with_name("unknown.game.json")
    unknown.write_text(game_file.read_text().replace('"Coffee"', '"Cofee"'))
    with pytest.raises(GameFormatError, match=r"tasks\[0\]: unknown task 'Cofee'"):
        start_from_game(unknown, library, None, (), 5)
    switch = ("on", "1", "CoffeeMachine")
    other = start_from_game(game_file, library, "toggle x all y", switch, 5)
    assert (other.task.name, other.task.params) == ("Toggle X All Y", switch)
    with pytest.raises(BadInput, match="cannot be done: something that it needs is not there"):
        start_from_game(game_file, library, "boil x", ("Potato",), 5)
    with pytest.raises(BadInput, match="is done already"):
        start_from_game(game_file, library, "toggle x all y", ("off", "0", "CoffeeMachine"), 5)


def _result(**changes: Any) -> SessionResult:
    end = sample_final()
    made = SessionResult(
        SessionEnd.GAVE_UP, COFFEE.check(end), kitchen().initial, end, sample_interactions(), (), 1
    )
    return replace(made, **changes)


def test_a_result_counts_each_agents_actions() -> None:
    assert _result().count_actions(Role.FOLLOWER) == 6
    assert _result().count_actions(Role.COMMANDER) == 4
    assert not _result().success and _result(end=SessionEnd.SUCCESS).success


def test_a_record_has_the_options_that_are_not_the_usual_ones() -> None:
    usual = make_record(_start(), _result(), None, SessionSetup())
    assert usual.options == (("commander", "rule"), ("follower", "rule"))
    assert (usual.world, usual.floor_map, usual.map_hash) == ("embedded", "boxes", "")
    assert (usual.seed, usual.game_id, usual.end) == (3, None, SessionEnd.GAVE_UP)
    assert usual.gc_total == _result().progress.goal_conditions_total
    assert usual.gc_satisfied == _result().progress.goal_conditions_satisfied
    setup = SessionSetup(noise=0.25, wording="goals", follower="et:/home/me/a.safetensors")
    record = make_record(_start(game_id="abc"), _result(), None, setup)
    options = dict(record.options)
    assert (options["noise"], options["wording"]) == (0.25, "goals")
    assert "/home/me" not in str(options["follower"])
    assert record.game_id == "abc"


def test_records_are_saved_under_place_seed_and_hash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    record: Record = sample_record("kitchen-03")
    path = save_record(record, None, force=False)
    assert path.name == f"kitchen-03_7_{content_hash(record)[:12]}.game.json"
    assert path.parent.parent == tmp_path / "data" / "tatc" / "records"
    assert save_record(record, None, force=False) == path
    assert content_hash(read_record(path)) == content_hash(record)
    game = save_record(sample_record(), None, force=False)
    assert game.name.startswith("0123456789abcdef_0123_7_")
    named = tmp_path / "mine.game.json"
    assert save_record(record, named, force=False) == named
    assert content_hash(read_record(named)) == content_hash(record)


def test_a_record_saved_in_a_folder_is_named_by_task_place_and_content(tmp_path: Path) -> None:
    in_plan, in_game = sample_record(game_id=None), sample_record(game_id="a-game")
    paths = [save_record_in(each, tmp_path / "made") for each in (in_plan, in_plan, in_game)]
    assert paths[0] == paths[1] and len(set((tmp_path / "made").iterdir())) == 2
    for path, place in zip(paths[1:], (in_plan.scene.place, "a-game"), strict=True):
        _, named, rest = path.name.rsplit("_", 2)
        assert named == place and len(rest) == 12 + len(".game.json")
        assert read_record(path).scene == in_plan.scene


def test_policy_files_are_the_python_files_of_a_folder(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("not Python")
    with pytest.raises(BadInput, match="holds no policy files"), user_policies([tmp_path]):
        pass
    (tmp_path / "b.py").write_text("import sys; sys.loaded.append('b')")
    (tmp_path / "a.py").write_text("import sys; sys.loaded = ['a']")
    with user_policies([tmp_path]):
        assert sys.loaded == ["a", "b"]  # type: ignore[attr-defined]
    del sys.loaded  # type: ignore[attr-defined]
    (tmp_path / "c.py").write_text(
        "from tatc.base.errors import UsageError\nraise UsageError('no')"
    )
    with pytest.raises(BadInput, match=r"c\.py: no"), user_policies([tmp_path]):
        pass
    (tmp_path / "c.py").write_text("1 / 0")
    why = r"c\.py: cannot be imported: ZeroDivisionError: division by zero"
    with pytest.raises(BadInput, match=why), user_policies([tmp_path]):
        pass
