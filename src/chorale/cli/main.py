"""The command line: `chorale COMMAND`. One file per command; each parses arguments, calls one function and prints.

Nothing heavy is imported here. Commands load numpy, pillow and the languages when they run, so help is quick.
"""

from __future__ import annotations

import inspect
import signal
import sys
from typing import Annotated, NoReturn

import typer

from chorale.cli.abstract import abstract
from chorale.cli.actions import actions
from chorale.cli.check import check
from chorale.cli.compare import compare
from chorale.cli.demo import demo
from chorale.cli.download import download
from chorale.cli.draw import draw
from chorale.cli.evaluate import evaluate
from chorale.cli.grammar import grammar
from chorale.cli.output import reported
from chorale.cli.pairs import pairs
from chorale.cli.parse import parse
from chorale.cli.predict import predict
from chorale.cli.recipes import recipes
from chorale.cli.reproduce import reproduce
from chorale.cli.run import run
from chorale.cli.search import search
from chorale.cli.see import see
from chorale.cli.sweep import sweep
from chorale.cli.synthesize import synthesize
from chorale.cli.train import train

app = typer.Typer(
    name="chorale",
    help="Sentences in, programs out, learned from true/false alone.",
    epilog="Each command explains itself: chorale run --help",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
_DATA = (download, check, synthesize, pairs)
_LANGUAGE = (run, actions, grammar, abstract, draw, see, search)
_PARSERS = (recipes, train, evaluate, predict, parse, sweep, compare, reproduce, demo)
for command in (*_DATA, *_LANGUAGE, *_PARSERS):
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
    app(prog_name="chorale")
