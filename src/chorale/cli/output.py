"""Results go to standard output, everything else to standard error.

Colour appears on a terminal only, and never when NO_COLOR is set. What a user wrote is printed as it is: nothing in it
is taken for markup. Data, recipes and servers may be a stranger's, so characters that a terminal would obey instead of
showing them are spelled out, and a text without end is cut.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import typer

from chorale.errors import ChoraleError

BAD_INPUT = 2
MOST_SAID = 500_000
"""The longest complaint that is printed, in characters."""

# All control characters but line ends and tabs, and those that turn the direction of writing.
_OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")

_OUT_OF_MEMORY = (
    "out of memory; what was written so far is kept. Give the command less at once: a smaller file, --beam or "
    "--jobs, or for a training a smaller batch"
)

_STYLES: dict[str, dict[str, Any]] = {
    "": {"reset": False},
    "bold": {"bold": True},
    "faint": {"dim": True},
    "green": {"fg": "green"},
    "red": {"fg": "red"},
    "error": {"fg": "red", "bold": True},
    "note": {"fg": "yellow", "bold": True},
}

P = ParamSpec("P")
T = TypeVar("T")


def say(text: str, style: str = "") -> None:
    """Print a result."""
    typer.echo(typer.style(printable(text), **_STYLES[style]), color=_wants_colour())


def complain(text: str, kind: str = "error") -> None:
    """Print a problem ("error") or something worth knowing ("note") on standard error."""
    text = text if len(text) <= MOST_SAID else f"{text[:MOST_SAID]} ... and {len(text) - MOST_SAID:,} more characters"
    typer.echo(typer.style(f"{kind}: ", **_STYLES[kind]) + printable(text), err=True, color=_wants_colour())


def complain_all(texts: Iterable[str], kind: str = "error") -> None:
    """Print many problems as fast as one."""
    complain(f"\n{kind}: ".join(texts), kind)


def printable(text: str) -> str:
    r"""The text as a terminal may have it: what it would obey is spelled out.

    >>> print(printable("red: \x1b[31m"))
    red: \x1b[31m
    """
    return _OBEYED.sub(lambda character: ascii(character.group())[1:-1], text)


def say_json(value: object) -> None:
    """Print a value as one line of JSON."""
    typer.echo(json.dumps(value))


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun: 1 pair, 2 pairs."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def duration(seconds: float) -> str:
    """A time for people: 40 s, 12 min, 2.5 h."""
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"


def progress(items: Iterable[T], doing: str, total: int | None = None) -> Iterable[T]:
    """The items one by one, with a bar on standard error if that is a terminal; what has no length needs a total."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console  # noqa: PLC0415 - no need to import it for a pipe
    from rich.progress import track  # noqa: PLC0415

    return track(items, doing, total, console=Console(stderr=True), transient=True)


def _wants_colour() -> bool | None:
    """Whether colour is forced on or off; None if it depends on where the output goes."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") in {"dumb", "unknown"}:
        return False
    return True if os.environ.get("FORCE_COLOR") else None


@contextmanager
def stoppable(ask: Callable[[int], None]) -> Iterator[None]:
    """Let Ctrl-C and a kill ask for a stop, instead of stopping at once."""
    before = {number: signal.signal(number, lambda it, _: ask(it)) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def stopped(number: int, kept: str = "") -> typer.Exit:
    """What a command ends with that a signal asked to stop; it says how to resume."""
    command = shlex.join(["chorale", *sys.argv[1:]])
    complain(f"stopped{kept}; to resume, run the same command again:\n  {command}", "note")
    return typer.Exit(128 + number)


def reported(command: Callable[P, None]) -> Callable[P, None]:
    """The command, with mistakes of the input reported as a message with status 2 instead of a traceback."""

    @wraps(command)
    def reporting(*args: P.args, **kwargs: P.kwargs) -> None:
        try:
            command(*args, **kwargs)
            sys.stdout.flush()  # a closed pipe is noticed here, not when the interpreter ends
        except ChoraleError as error:
            complain(str(error))
            raise typer.Exit(BAD_INPUT) from None
        except BrokenPipeError:  # the reader has seen enough, as in `chorale grammar | head`
            _forget_output()
            raise typer.Exit(BAD_INPUT) from None
        except OSError as error:
            name = error.filename or ("standard output" if _output_fails(error) else None)
            complain(f"{name}: {error.strerror or error}" if name is not None else str(error.strerror or error))
            raise typer.Exit(BAD_INPUT) from None
        except MemoryError:
            complain(_OUT_OF_MEMORY)
            raise typer.Exit(BAD_INPUT) from None
        except RuntimeError as error:
            if "can't allocate memory" not in str(error):  # what torch says
                raise
            complain(_OUT_OF_MEMORY)
            raise typer.Exit(BAD_INPUT) from None

    return reporting


def _output_fails(error: OSError) -> bool:
    """Whether it was standard output that could not be written; all other files are named by the error."""
    try:
        sys.stdout.flush()
    except OSError:
        _forget_output()
        return True
    return error.errno == errno.ENOSPC


def _forget_output() -> None:
    """Send what is still in the buffer nowhere, or the interpreter would complain once more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
