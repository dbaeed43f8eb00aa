"""The server: one address, one model, until somebody presses Ctrl-C."""

from __future__ import annotations

import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from chorale.errors import ChoraleError
from chorale.model import DEFAULT, load
from chorale.playground.app import application
from chorale.playground.workers import Workers

_CONNECTIONS = 200  # at the same time; uvicorn refuses more


def serve(
    host: str, port: int, model: str | None, domain: str | None, *, open_page: bool, say: Callable[[str], None]
) -> None:
    """Serve the playground; `say` is told where it is."""
    stage = load(model, domain).domain.stage  # complains before anything is started
    listening = _listen(host, port)
    address = f"http://{_shown(host)}:{listening.getsockname()[1]}/"

    def ready() -> None:
        say(f"The playground is at {address} (Ctrl-C ends it)")
        if open_page:
            webbrowser.open(address)

    app = application(Workers(model, domain), str(model or DEFAULT), names=[host], stage=stage, when_ready=ready)
    config = uvicorn.Config(app, log_level="warning", server_header=False, limit_concurrency=_CONNECTIONS)
    with suppress(KeyboardInterrupt):  # uvicorn has ended everything in good order
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """A socket at the address, or an error that says what is in the way."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError) as error:
        raise ChoraleError(f"--host {host}: there is no such address: {error}") from None
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
    except OSError as error:
        listening.close()
        raise ChoraleError(
            f"{host}:{port} cannot be listened at: {error.strerror}; "
            "choose another port, as in --port 8001, or any free one with --port 0"
        ) from None
    return listening


def _shown(host: str) -> str:
    if host in {"0.0.0.0", "::"}:
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
