"""The server: what is in the way is said before anything is started."""

import socket

import pytest

from chorale.errors import ChoraleError
from chorale.playground.server import _listen, _shown


def test_a_port_that_is_taken_is_reported_with_a_way_out() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ChoraleError, match=rf"127\.0\.0\.1:{port} .* --port 0"):
            _listen("127.0.0.1", port)


def test_a_host_that_is_not_there_is_reported() -> None:
    with pytest.raises(ChoraleError, match=r"--host no\.such\.invalid"):
        _listen("no.such.invalid", 0)


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::1", "[::1]")])
def test_the_address_that_is_printed_can_be_opened(host: str, shown: str) -> None:
    assert _shown(host) == shown
