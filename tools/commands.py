"""Writes docs/commands.md: every command with its arguments and options, from what `--help` says.

python tools/commands.py > docs/commands.md
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from chorale.cli.main import COMMANDS, load

_GROUPS = {
    "Ask and explain": ("ask", "parse", "explain", "serve", "demo"),
    "Teach": ("mark", "teach"),
    "Train": ("recipes", "train", "sweep", "folds", "reproduce", "runs", "models"),
    "Measure": ("evaluate", "predict", "compare", "report"),
    "Data": ("download", "check", "synthesize", "pairs", "draw", "see"),
    "Programs and languages": ("run", "simplify", "actions", "grammar", "abstract", "search"),
}


def page() -> str:
    """The whole page."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield "# Commands"
    yield ""
    yield "After this page you know what each command does and which options it takes. `chorale COMMAND --help` says"
    yield "the same. Wrong input ends with a message and exit status 2."
    yield ""
    yield "*This page is generated: `python tools/commands.py > docs/commands.md`.*"
    yield ""
    for title, names in _grouped():
        yield f"**{title}:** {', '.join(f'[`{name}`](#{name})' for name in names)}"
        yield ""
    for _, names in _grouped():
        for name in names:
            yield from _command(name)


def _grouped() -> Iterator[tuple[str, list[str]]]:
    """The commands there are, by group; those that no group names come last."""
    named = {name for names in _GROUPS.values() for name in names}
    for title, names in [*_GROUPS.items(), ("Others", tuple(name for name in COMMANDS if name not in named))]:
        if found := [name for name in names if name in COMMANDS]:
            yield title, found


def _command(name: str) -> Iterator[str]:
    command = load(name)
    context = typer.Context(command, info_name=f"chorale {name}")
    yield f"## {name}"
    yield ""
    *paragraphs, usage = (command.help or "").split("\n\n"), " ".join(command.collect_usage_pieces(context))
    for paragraph in paragraphs[0]:
        if example := re.fullmatch(r"Example: (.*)", paragraph):
            yield f"    {example[1]}"
        else:
            yield _escaped(paragraph)
        yield ""
    yield f"Usage: `chorale {name} {usage}`"
    yield ""
    yield "| argument or option | what it is |"
    yield "|---|---|"
    yield from filter(None, (_row(parameter, context) for parameter in command.params))
    yield ""


def _row(parameter: Any, context: typer.Context) -> str:
    """The line of an argument or option."""
    record = parameter.get_help_record(context)
    if record is None or parameter.hidden:
        return ""
    what, text = record
    return f"| `{what.replace('|', chr(92) + '|')}` | {_escaped(text).replace('|', chr(92) + '|')} |"


def _escaped(text: str) -> str:
    """Text whose stars and angle brackets stand for themselves."""
    return re.sub(r"([*<>])", r"\\\1", " ".join(text.split()))


if __name__ == "__main__":
    print(page(), end="")
