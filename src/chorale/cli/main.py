"""The command line: `chorale COMMAND`. One file per command; each parses arguments, calls one function and prints.

A command's file is imported when the command is called. Until then its name and its line of help are enough, so help
is quick, and a command pays for what it needs and no more.
"""

from __future__ import annotations

import gc
import inspect
import signal
import sys
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from chorale.cli.output import reported

COMMANDS = {
    # data
    "download": "Download a data set from its authors, and check that it is what they published.",
    "check": "Look through data files and list every problem with file, line and field.",
    "synthesize": "Write a synthetic corpus: train, dev and test as .jsonl.gz, in NLVR's format with the known program "
    "added.",
    "pairs": "Find related utterances: pairs that share a phrase, with its tokens in both.",
    # languages
    "run": "Run a program on every context of a data file, or a whole file of programs.",
    "simplify": "Print the shortest program of the same meaning that is found, and how it is known to be the same.",
    "actions": "Print the actions that build a program, one a line, in the order a parser takes them.",
    "grammar": "Print the grammar of a language: its productions with their ids, or the texts it allows.",
    "abstract": "Show a sentence with slots and its programs, or check the abstract examples against labelled data.",
    "draw": "Draw one example of a data file, or a context of your own, and what each part of a program returns on it.",
    "see": "Read the scene off a picture, boxes as seen, and print it as NLVR's JSON.",
    "search": "Find the programs that fit each utterance's labels, best first.",
    # parsers
    "recipes": "List the recipes that ship with Chorale; `train` and `sweep` know them by these names.",
    "train": "Train a parser. The same command goes on where an earlier one was stopped or killed.",
    "evaluate": "Give accuracy and consistency of a trained parser on labelled data.",
    "predict": "Predict the answer for every context of a data file, which needs no labels.",
    "ask": "Ask a table questions: the answer, the program behind it in plain words and as SQL, and how sure it is.",
    "parse": "Turn a sentence into programs, the best first, and say what they mean for a context, such as a picture.",
    "explain": "Explain how a sentence is read: in plain words, step by step on a context, and what speaks for other "
    "readings.",
    "mark": "Keep the right answer for a sentence and a context in a data file, which `teach` learns from.",
    "teach": "Teach a model what sentences mean, by right answers for contexts of your own; it changes as little as "
    "it can.",
    # many of them
    "sweep": "Train every recipe with every seed, each in a process of its own. The same command goes on where it "
    "stopped.",
    "folds": "Train a recipe on folds of train, and give accuracy and consistency on what each fold has held out.",
    "compare": "Compare two systems: mean and deviation over seeds, bootstrap over utterances, almost stochastic "
    "order.",
    "reproduce": "Train every row of the results table and set it beside what was published: tables, and one page with "
    "plots.",
    "demo": "Walk through a program's life, from a sentence to what it sees.",
    # what there is
    "runs": "List the runs and taught models in a folder: how far each is, its recipe and seed, its figures on dev, "
    "and when.",
    "report": "Write one page about runs: how far they are, how they learned, what they get wrong, and what is "
    "hardest.",
    "models": "List the models that ship with Chorale, by the names that every command knows, or show the card of one.",
    "serve": "Serve the playground: one page, and an HTTP API.",
}
"""Each is a function in a file of the same name; its line here is the first paragraph of its docstring."""


class Commands(TyperGroup):
    """Lists its commands as they are registered, by their lines; imports the one that is called or completed."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, _, rest = super().resolve_command(ctx, args)
        return name, None if name is None else load(name), rest


def load(name: str) -> Any:
    """The command of this name, imported."""
    command = getattr(import_module(f"chorale.cli.{name}"), name)
    if not gc.isenabled():
        gc.freeze()  # modules stay: no need to look through them over and over
        gc.enable()
    # Paragraphs without line breaks of their own, so that they fill lines of any width.
    paragraphs = (inspect.getdoc(command) or "").split("\n\n")
    alone = typer.Typer(add_completion=False)
    alone.command(name, help="\n\n".join(" ".join(text.split()) for text in paragraphs))(reported(command))
    return get_command(alone)


app = typer.Typer(
    name="chorale",
    cls=Commands,
    help="Sentences in, programs out, learned from true/false alone.",
    epilog="Each command explains itself: chorale run --help",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for listed, line in COMMANDS.items():
    app.command(listed, help=line)(lambda: None)


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
    gc.disable()  # while modules are imported, which brings no garbage; a tenth of the time a short command takes
    signal.signal(signal.SIGTERM, _terminate)  # so that half-written files are cleared away
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app(prog_name="chorale")
    except KeyboardInterrupt:  # typer sees to it later on; this is for the first moments
        sys.exit(130)
    finally:
        gc.freeze()  # the process ends, and its memory with it
