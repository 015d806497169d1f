"""`tatc bench`: timings and counts, by the benchmarks of a checkout.

A benchmark is a file `benchmarks/bench_<name>.py` with a function
`run(games: Path | None) -> Iterator[tuple[str, float, str]]` that yields what was
measured, its value and its unit, as each figure comes.  It may take --seed, --count,
--case, --sessions, --first and --workers as arguments of these names.  What is too long for one
file lies in a folder beside it.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from tatc.base.errors import BadInput, MissingExtra, UnknownName
from tatc.commands.options.shared_options import JsonLinesOption
from tatc.commands.text.output import examples_epilog, print_json, print_line, remark

EXAMPLES = examples_epilog(
    "tatc bench --list",
    "tatc bench world",
    "tatc bench --games games/ --json",
    "tatc bench fuzz --seed 7 --count 20000",
)

BENCHMARKS_FOLDER = Path(__file__).parents[2] / "benchmarks"

Figure = tuple[str, float, str]


def bench(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="The benchmark to run. Default: all of them."),
    ] = None,
    games: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Recorded TEACh games, for the figures that need some."),
    ] = None,
    listed: Annotated[
        bool, typer.Option("--list", help="List the benchmarks without running any.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="In fuzz and soak: draws what is done.")
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="How many cases in fuzz, and actions in soak."),
    ] = None,
    case: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="In fuzz: repeat this case alone.")
    ] = None,
    sessions: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="How many sessions in soak, and live at a time in openenv."
        ),
    ] = None,
    first: Annotated[
        int | None,
        typer.Option(min=0, metavar="N", help="In soak: go on from this round and session."),
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="In fuzz: processes. Default: one for each core."),
    ] = None,
    as_json: JsonLinesOption = False,
) -> None:
    """Run the benchmarks of a checkout and print their figures."""
    given = dict(seed=seed, count=count, case=case, sessions=sessions, first=first, workers=workers)
    options = {option: value for option, value in given.items() if value is not None}
    if games is not None and not games.exists():
        raise BadInput(
            "there is no such file or folder",
            where=f"--games {games}",
            fix="name a folder with recorded TEACh games",
        )
    found = _find_benchmarks(BENCHMARKS_FOLDER)
    if name is not None and name not in found:
        raise UnknownName("benchmark", name, found, fix="`tatc bench --list` lists them")
    wanted = found if name is None else {name: found[name]}
    if listed:
        for each in wanted:
            print_line(each)
        return
    for each, path in wanted.items():
        try:
            _run_benchmark(each, path, games, options, as_json)
        except MissingExtra as missing:
            if name is not None:
                raise
            remark(f"{each}: {missing}")


def _find_benchmarks(folder: Path) -> dict[str, Path]:
    """Return the benchmarks of a folder by name, in name order."""
    paths = sorted(folder.glob("bench_*.py"))
    if not paths:
        raise BadInput(
            "there are no benchmarks beside the installed package",
            where=str(folder),
            fix="run this from a checkout installed with `pip install -e .`",
        )
    return {path.stem.removeprefix("bench_"): path for path in paths}


def _run_benchmark(
    name: str, path: Path, games: Path | None, options: Mapping[str, int], as_json: bool
) -> None:
    """Print the figures of one benchmark, or that it has none without games."""
    from inspect import signature

    run, count = _load_benchmark(path), 0
    for option in options.keys() - signature(run).parameters.keys():
        raise BadInput(f"the benchmark {name} takes no --{option}", fix="leave it out")
    for what, value, unit in run(games, **options):
        count += 1
        if as_json:
            print_json({"benchmark": name, "figure": what, "value": value, "unit": unit})
        else:
            print_line(f"{f'{name}: {what}':<56} {_format_value(value):>12} {unit}".rstrip())
    if not count:
        remark(f"{name}: nothing to measure without --games PATH")


def _format_value(value: float) -> str:
    """Return a value with three significant digits; a large one as a whole number."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _load_benchmark(path: Path) -> Callable[..., Iterator[Figure]]:
    """Import a benchmark from its file and return its `run`."""
    import sys
    from importlib.util import module_from_spec, spec_from_file_location

    checkout = str(path.parents[1])
    if checkout not in sys.path:  # what benchmarks share is imported as `benchmarks.NAME`
        sys.path.append(checkout)
    spec = spec_from_file_location(f"tatc_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadInput("this cannot be imported", where=str(path))
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    if not callable(getattr(module, "run", None)):
        raise BadInput(
            "there is no function `run` in this benchmark",
            where=str(path),
            fix="see CONTRIBUTING.md on adding a benchmark",
        )
    return module.run
