"""`chorale serve`: the playground, a page to try sentences and pictures on."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

from typer import Option

from chorale.cli.loading import one_model
from chorale.cli.options import ModelDomain, ModelName, Run
from chorale.cli.output import say
from chorale.errors import ChoraleError

NEEDED = ("fastapi", "uvicorn")


def serve(
    run: Run = None,
    host: Annotated[
        str,
        Option(
            help="The address to listen at; 127.0.0.1 is for this machine alone, 0.0.0.0 for anybody who can reach it."
        ),
    ] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, help="The port to listen at; 0 takes any free port.")] = 8000,
    allowed_host: Annotated[
        list[str] | None,
        Option(metavar="NAME", help="Answer to this name, too, for use behind a proxy; may be given several times."),
    ] = None,
    no_open: Annotated[bool, Option("--no-open", help="Do not open the page in a browser.")] = False,
    model: ModelName = None,
    domain: ModelDomain = None,
) -> None:
    """Serve the playground: one page, and an HTTP API.

    On the page a sentence is typed, a context is given (a picture is built, uploaded or invented), and the answer
    follows at once, with what each part of the program returns. Nothing is fetched from elsewhere.

    Example: chorale serve --port 8001
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise ChoraleError(
            f"chorale serve needs {' and '.join(missing)}; install the extra: pip install 'chorale[playground]'"
        )
    from chorale.playground import server  # noqa: PLC0415 - an extra

    named = one_model(run, model)
    place = server.Place(host, port, tuple(allowed_host or ()))
    server.serve(place, None if named is None else str(named), domain, open_page=not no_open, say=say)
