"""The command line: `chorale COMMAND`. One file per command; each parses arguments, calls one function and prints.

Nothing heavy is imported here. Commands load numpy, pillow and the languages when they run, so help is quick.
"""

from __future__ import annotations

import inspect
import signal
import sys
from importlib import import_module
from typing import Annotated, NoReturn

import typer

from chorale.cli.output import reported

COMMANDS = (
    *("download", "check", "synthesize", "pairs"),  # data
    *("run", "simplify", "actions", "grammar", "abstract", "draw", "see", "search"),  # languages
    *("recipes", "train", "evaluate", "predict", "parse", "explain", "mark", "teach"),  # parsers
    *("sweep", "folds", "compare", "reproduce", "demo"),  # many of them
    *("runs", "report", "models"),  # what there is
    "serve",
)
"""Each is a function in a file of the same name."""

app = typer.Typer(
    name="chorale",
    help="Sentences in, programs out, learned from true/false alone.",
    epilog="Each command explains itself: chorale run --help",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name in COMMANDS:
    command = getattr(import_module(f"chorale.cli.{name}"), name)
    # Paragraphs without line breaks of their own, so that they fill lines of any width.
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    app.command(help="\n\n".join(" ".join(text.split()) for text in paragraphs))(reported(command))


def _show_version(wanted: bool) -> None:
    if wanted:
        import chorale  # noqa: PLC0415 - looks up the installed package

        typer.echo(f"chorale {chorale.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def _terminate(number: int, _frame: object) -> NoReturn:
    sys.exit(128 + number)


def main() -> None:
    """Run the command that the arguments name."""
    signal.signal(signal.SIGTERM, _terminate)  # so that half-written files are cleared away
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app(prog_name="chorale")
    except KeyboardInterrupt:  # typer sees to it later on; this is for the first moments
        sys.exit(130)
