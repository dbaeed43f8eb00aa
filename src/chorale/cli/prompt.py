"""The prompt of `chorale ask TABLE`: questions one after another, and a few commands about the last one.

What is typed can be called back with the arrow keys, as long as the prompt is open; nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from chorale.cli.ask import say_reply, say_sql
from chorale.cli.explain import say_readings, say_steps
from chorale.cli.output import complain, counted, say
from chorale.errors import ChoraleError, nearest
from chorale.explain.reply import Reply
from chorale.tables.table import Table

_PROMPT = "? "
_MOST_LETTERS = 60

HELP = {
    ":columns": "the columns, what they hold, and a few of their cells",
    ":sql": "the last answer as SQL",
    ":why": "the last answer step by step, and what else the question may mean",
    ":help": "this list",
    ":quit": "end; so do Ctrl-D and Ctrl-C",
}


class Prompt:
    """Asks for questions until there are none."""

    def __init__(self, answered: Callable[[str], Reply], path: Path, context: Any) -> None:
        self._answered, self._path, self._context = answered, path, context
        self._last: Reply | None = None

    def run(self) -> None:
        """Read, answer, print."""
        with suppress(ImportError):  # not everywhere
            import readline  # noqa: F401, PLC0415 - makes `input` edit lines and remember them
        say(self._about)
        while (line := _line()) is not None and line not in {":quit", ":q"}:
            if line:
                self._answer(line)

    @property
    def _about(self) -> str:
        size = ""
        if isinstance(self._context, Table):
            rows, columns = counted(len(self._context), "row"), counted(self._context.width, "column")
            size = f": {rows}, {columns}"
        return f"{self._path}{size}. Ask a question; :help lists what else there is."

    def _answer(self, line: str) -> None:
        try:
            if line.startswith(":"):
                self._obey(line)
            else:
                self._last = self._answered(line)
                say_reply(self._last)
        except ChoraleError as error:
            complain(str(error))
        except KeyboardInterrupt:
            say("stopped")
        say("")

    def _obey(self, command: str) -> None:
        match command:
            case ":help":
                for name, what in HELP.items():
                    say(f"{name:<9} {what}")
            case ":columns":
                _say_columns(self._context)
            case ":sql" | ":why" if self._last is None or self._last.best is None:
                say("there is no answer yet; ask a question first")
            case ":sql":
                assert self._last is not None
                say_sql(self._last)
            case ":why":
                assert self._last is not None
                explanation = self._last.explain()
                say_steps(explanation)
                say("")
                say_readings(explanation)
            case _:
                close = nearest(command, HELP)
                say(f"{command}: no such command; " + (f"did you mean {close}?" if close else ":help lists them"))


def _line() -> str | None:
    """What was typed; None at the end."""
    try:
        return input(_PROMPT).strip()
    except (EOFError, KeyboardInterrupt):
        say("")
        return None


def _say_columns(context: Any) -> None:
    """The columns of a table with their types and a few cells."""
    if not isinstance(context, Table):
        say("only tables have columns")
        return
    columns = context.columns[: context.width]
    width = max(len(column.name) for column in columns)
    for column in columns:
        cells = ", ".join(text for text in column.values.texts[:4] if text)
        cells = cells if len(cells) <= _MOST_LETTERS else f"{cells[: _MOST_LETTERS - 1]}…"
        say(f"{column.name:<{width}}  {column.type:<6}  {counted(len(column.values), 'value')}: {cells}")
