"""The server: one address, one model, until somebody presses Ctrl-C."""

from __future__ import annotations

import ipaddress
import socket
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import uvicorn

from chorale.errors import ChoraleError
from chorale.model import DEFAULT, load
from chorale.playground.app import application
from chorale.playground.connections import Connection
from chorale.playground.workers import workers_with

_WAITING = 100  # connections that the system keeps until they are taken in


@dataclass(frozen=True)
class Place:
    """Where the server listens, and by which names it may be called."""

    host: str
    port: int
    names: Sequence[str] = ()
    """Those that a proxy has for it."""

    @property
    def is_local(self) -> bool:
        """Whether nobody but this machine can ask."""
        return not self.names and _is_loopback(self.host)

    def told(self, port: int) -> list[str]:
        """What people should know about it; the port is the one that was found."""
        lines = [f"The playground is at http://{_shown(self.host)}:{port}/ (Ctrl-C ends it)"]
        if not _is_loopback(self.host):
            reach = "every address of this machine" if self.host in _EVERYWHERE else "this address"
            lines += [
                f"It listens on {_bracketed(self.host)}:{port}, that is on {reach}: whoever can reach it may use it, "
                "without a password and unencrypted."
            ]
        if self.names:
            lines += [f"It answers to {', '.join(self.names)}, too."]
        return lines


def serve(place: Place, model: str | None, domain: str | None, *, open_page: bool, say: Callable[[str], None]) -> None:
    """Serve the playground; `say` is told where it is."""
    names = [place.host, *map(_name, place.names)]
    stage = load(model, domain).domain.stage  # complains before anything is started
    listening = _listen(place.host, place.port)
    port = listening.getsockname()[1]

    def ready() -> None:
        for line in place.told(port):
            say(line)
        if open_page:
            webbrowser.open(f"http://{_shown(place.host)}:{port}/")

    workers, shown = workers_with(model, domain), str(model or DEFAULT)
    app = application(workers, shown, names=names, stage=stage, is_local=place.is_local, when_ready=ready)
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        log_level="error",
        server_header=False,
        proxy_headers=False,
        backlog=_WAITING,
    )
    with suppress(KeyboardInterrupt):  # uvicorn has ended everything in good order
        uvicorn.Server(config).run(sockets=[listening])


def _name(given: str) -> str:
    """The name of a host; a browser does not tell more in its header than may stand here."""
    name = given.strip().lower()
    if not name or any(letter in name for letter in "/:@*, "):
        raise ChoraleError(f"--allowed-host {given}: expected a name without a port, as in chorale.example.org")
    return name


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


_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}
"""Hosts that stand for all addresses of a machine, and where the machine itself finds them."""


def _shown(host: str) -> str:
    """The host in the address that a browser here can open."""
    return _EVERYWHERE.get(host, _bracketed(host))


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"
