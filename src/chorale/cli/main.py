"""The command line: `chorale COMMAND`. One file per command; each parses arguments, calls one function and prints.

Nothing heavy is imported here. Commands load numpy, pillow and the languages when they run, so help is quick.
"""

from __future__ import annotations

import inspect
import signal
import sys
from importlib import import_module
from typing import Annotated

import typer

from chorale.cli.output import reported

COMMANDS = {
    **dict.fromkeys(("download", "check", "synthesize"), "data"),
    "pairs": "sentences",
    **dict.fromkeys(("run", "actions", "grammar"), "programs"),
    "abstract": "sentences",
    **dict.fromkeys(("draw", "see"), "pictures"),
    "search": "search",
    **dict.fromkeys(("recipes", "train"), "train"),
    **dict.fromkeys(("evaluate", "predict", "parse"), "parsers"),
    **{name: name for name in ("sweep", "compare", "reproduce", "demo")},
}
"""Each is a function in one of the files beside this one."""

app = typer.Typer(
    name="chorale",
    help="Sentences in, programs out, learned from true/false alone.",
    epilog="Each command explains itself: chorale run --help",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for name, file in COMMANDS.items():
    command = getattr(import_module(f"chorale.cli.{file}"), name)
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


def main() -> None:
    """Run the command that the arguments name."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))  # so that half-written files go
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    app(prog_name="chorale")
