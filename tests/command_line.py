"""The `tatc` command in this process, as a person would type it."""

from typer.testing import CliRunner, Result

from tatc.cli import app


def run_tatc(*words: object, input: str | bytes | None = None) -> Result:
    """Run `tatc WORDS` and return what came of it; `input` is what is typed."""
    return CliRunner().invoke(app, [*map(str, words)], input=input)
