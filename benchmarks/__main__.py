"""Runs the benchmarks of this checkout and prints their figures.

    python -m benchmarks --list
    python -m benchmarks world
    python -m benchmarks --games games/ --json
    python -m benchmarks fuzz --seed 7 --count 20000

A benchmark is a file `benchmarks/bench_<name>.py` with a function
`run(games: Path | None) -> Iterator[tuple[str, float | None, str]]` that yields what was
measured, its value and its unit, as each figure comes.  Where the value is None, it could not be
measured here, and the unit says why.  `run` may take --seed, --count,
--case, --sessions, --first, --workers and --out as arguments of these names.  What is too long
for one file lies in a folder beside it.
"""

import sys
from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from inspect import signature
from pathlib import Path

from tatc.base.errors import BadInput, MissingExtra, TatcError, UnknownName
from tatc.base.interrupts import EXIT_INTERRUPTED, exit_on_interrupt, raise_on_interrupt
from tatc.base.plain_text import whole_number
from tatc.commands.text.output import EXIT_BAD_INPUT, print_json, print_line, remark

BENCHMARKS_FOLDER = Path(__file__).parent
OPTIONS = {
    "seed": "in blame, fuzz, interrupts and the soaks: draws what is done",
    "count": "how many cases, sessions, games or actions, as the benchmark's file says",
    "case": "in fuzz: repeat this case alone",
    "sessions": "how many sessions in soak, and live at a time in openenv",
    "first": "in the soaks: go on from this round and session",
    "workers": "in blame, fuzz and understanding: processes",
}

Figure = tuple[str, float | None, str]


def main(words: Sequence[str] | None = None) -> int:
    """Run the benchmarks that the command line names; return the exit status."""
    given = _parser().parse_args(words)
    names = (*OPTIONS, "out")
    options = {name: getattr(given, name) for name in names if getattr(given, name) is not None}
    try:
        wanted = _wanted(given.name)
        if given.list:
            for name in wanted:
                print_line(name)
            return 0
        if given.games is not None and not given.games.exists():
            raise BadInput(
                "there is no such file or folder",
                where=f"--games {given.games}",
                fix="name a folder with recorded TEACh games",
            )
        for name, path in wanted.items():
            try:
                _run_benchmark(name, path, given.games, options, given.json)
            except MissingExtra as missing:
                if given.name is not None:
                    raise
                remark(f"{name}: {missing}")
    except TatcError as error:
        remark(f"error: {error.one_line}")
        return EXIT_BAD_INPUT
    return 0


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="the benchmark to run (default: all of them)"
    )
    parser.add_argument(
        "--games", metavar="PATH", type=Path, help="recorded games, for the figures that need some"
    )
    parser.add_argument("--list", action="store_true", help="list the benchmarks and run none")
    parser.add_argument("--json", action="store_true", help="print a JSON object for each figure")
    out_help = "in blame: the folder to write the sessions to"
    parser.add_argument("--out", metavar="DIR", type=Path, help=out_help)
    for name, text in OPTIONS.items():
        parser.add_argument(f"--{name}", metavar="N", type=_count, help=text)
    return parser


def _count(text: str) -> int:
    number = whole_number(text)
    if number is None or number < 0:
        raise ArgumentTypeError(f"{text!r} is no whole number from 0 on")
    return number


def _wanted(name: str | None) -> dict[str, Path]:
    """Return the benchmarks to run by name, in name order."""
    paths = sorted(BENCHMARKS_FOLDER.glob("bench_*.py"))
    found = {path.stem.removeprefix("bench_"): path for path in paths}
    if name is None:
        return found
    if name not in found:
        raise UnknownName("benchmark", name, found, fix="`python -m benchmarks --list` lists them")
    return {name: found[name]}


def _run_benchmark(
    name: str, path: Path, games: Path | None, options: Mapping[str, int | Path], as_json: bool
) -> None:
    """Print the figures of one benchmark, or that it has none without games."""
    run, count = _load_benchmark(path), 0
    for option in options.keys() - signature(run).parameters.keys():
        raise BadInput(f"the benchmark {name} takes no --{option}", fix="leave it out")
    for what, value, unit in run(games, **options):
        count += 1
        if as_json:
            print_json({"benchmark": name, "figure": what, "value": value, "unit": unit})
        else:
            print_line(f"{f'{name}: {what}':<64} {_format_value(value):>12} {unit}".rstrip())
    if not count:
        remark(f"{name}: nothing to measure without --games PATH")


def _format_value(value: float | None) -> str:
    """Return a value with three significant digits; a large one as a whole number; "-" for none."""
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def _load_benchmark(path: Path) -> Callable[..., Iterator[Figure]]:
    """Import a benchmark from its file and return its `run`."""
    spec = spec_from_file_location(f"benchmarks.{path.stem}", path)
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


if __name__ == "__main__":
    exit_on_interrupt()
    try:
        with raise_on_interrupt():
            status = main()
    except KeyboardInterrupt:
        remark("interrupted")
        status = EXIT_INTERRUPTED
    sys.exit(status)
