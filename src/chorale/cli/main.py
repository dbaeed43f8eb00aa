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
    "download": "Download a data set from its authors and verify that every file is what they published.",
    "check": "Check data files and report every problem with file, line and field.",
    "synthesize": "Write a synthetic corpus: train, dev and test as .jsonl.gz, with the program that each sentence "
    "means.",
    "pairs": "Find related utterances: pairs that share a phrase, and where the phrase stands in both.",
    # languages
    "run": "Run a program, or a whole file of programs, on every context of a data file.",
    "simplify": "Find the shortest program with the same meaning, and say how that is known.",
    "actions": "Print the actions that build a program, one per line, in the order in which a parser takes them.",
    "grammar": "Print the grammar of a language: a table of productions, JSON, or a Lark grammar.",
    "abstract": "Show the abstract form of a sentence and its programs, or check the abstract examples against "
    "labelled data.",
    "draw": "Draw an example of a data file, or a context of your own, and what each part of a program returns on it.",
    "see": "Read the scene off an NLVR picture and print it as JSON.",
    "search": "Find the programs that fit each utterance's labels, best first.",
    # parsers
    "recipes": "List the recipes that ship with Chorale. `train` and `sweep` take their names.",
    "train": "Train a parser. If training was interrupted, the same command resumes it.",
    "evaluate": "Measure accuracy and consistency of a trained parser on labelled data.",
    "predict": "Predict an answer for every context of a data file. Labels are not needed.",
    "ask": "Ask a table questions: the answer, the program behind it in plain words and as SQL, and how sure it is.",
    "parse": "Turn a sentence into programs, best first, and run them on a context such as a picture.",
    "explain": "Explain how a sentence is read: in plain words, step by step on a context, and why not otherwise.",
    "mark": "Keep the right answer for a sentence and a context in a data file, which `teach` learns from.",
    "teach": "Teach a model what sentences mean, by right answers for contexts of your own; it changes as little as "
    "it can.",
    # many of them
    "sweep": "Train several recipes with several seeds, each run in a process of its own. The same command resumes.",
    "folds": "Train a recipe on folds of the training split, and measure it on what each fold holds out.",
    "compare": "Compare two systems: mean and deviation over seeds, a bootstrap over utterances, almost stochastic "
    "order.",
    "reproduce": "Train every row of a results table and print it beside the published figures.",
    "demo": "Tell the story in three minutes: programs that are right by accident, what helps, and questions to a "
    "table.",
    # what there is
    "runs": "List the runs and taught models in a folder, with their progress, recipe, seed and figures on dev.",
    "report": "Write one page about runs: progress, learning curves, mistakes and the hardest utterances.",
    "models": "List the models that ship with Chorale, or show the card of one.",
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
    help="Sentences in, programs out, learned from right answers alone.",
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
