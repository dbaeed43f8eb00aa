"""The server: what is in the way is said before anything is started, and then where it is and who can reach it."""

import json
import socket
import threading
import urllib.error
import urllib.request

import pytest
from fastapi.testclient import TestClient
from tests.playground.conftest import Inline, serving

from chorale.errors import ChoraleError
from chorale.playground.answering import Answering
from chorale.playground.app import application
from chorale.playground.server import Place, _listen, _name


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


@pytest.mark.parametrize(
    ("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("::1", "[::1]"), ("localhost", "localhost"), ("127.9.9.9",) * 2]
)
def test_a_server_for_this_machine_says_where_it_is(host: str, shown: str) -> None:
    place = Place(host, 0)
    assert place.is_local
    assert place.told(8001) == [f"The playground is at http://{shown}:8001/ (Ctrl-C ends it)"]


@pytest.mark.parametrize(
    ("host", "shown", "listens"),
    [
        ("0.0.0.0", "127.0.0.1", "0.0.0.0:8001, that is on every address of this machine"),
        ("::", "[::1]", "[::]:8001, that is on every address of this machine"),
        ("10.1.2.3", "10.1.2.3", "10.1.2.3:8001, that is on this address"),
        ("chorale.example", "chorale.example", "chorale.example:8001, that is on this address"),
    ],
)
def test_a_server_for_others_says_who_can_reach_it(host: str, shown: str, listens: str) -> None:
    place = Place(host, 0)
    assert not place.is_local
    where, who = place.told(8001)
    assert where == f"The playground is at http://{shown}:8001/ (Ctrl-C ends it)"
    assert who.startswith(f"It listens on {listens}: whoever can reach it may use it, without a password")


def test_a_server_behind_a_proxy_is_not_for_this_machine_alone() -> None:
    place = Place("127.0.0.1", 0, ("one.example", "other.example"))
    assert not place.is_local
    assert place.told(1)[1:] == ["It answers to one.example, other.example, too."]


@pytest.mark.parametrize("given", ["", "https://chorale.example", "chorale.example:443", "*", "a/b", "a, b"])
def test_what_is_no_name_of_a_host_is_refused(given: str) -> None:
    with pytest.raises(ChoraleError, match="--allowed-host"):
        _name(given)
    assert _name("Chorale.Example.org") == "chorale.example.org"


@pytest.mark.parametrize("is_local", [True, False])
def test_the_page_is_told_whether_others_can_ask(answering: Answering, is_local: bool) -> None:
    client = TestClient(application(Inline(answering), "best", names=["testserver"], is_local=is_local))
    assert client.get("/api/about").json()["local"] is is_local


@pytest.mark.slow
def test_a_server_answers_after_the_worst_request_and_ends_at_once_with_work_under_way() -> None:
    with serving() as address:
        deep = b'{"program": "x", "scene": ' + b"[" * 494 + b"]" * 494 + b"}"
        assert _asked(address, "run", deep) == (400, "bad_request")
        assert urllib.request.urlopen(f"{address}api/ready").status == 200
        mark = {"sentence": "A box has nothing but blue items", "scene": [[], [], []], "answer": False}
        teach = json.dumps({"marks": [mark]}).encode()
        threading.Thread(target=_asked, args=(address, "teach", teach), daemon=True).start()  # takes some seconds
    # It was interrupted once, and ended in good order.


def _asked(address: str, what: str, body: bytes) -> tuple[int, str] | None:
    request = urllib.request.Request(f"{address}api/{what}", body, {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request):
            return None
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)["error"]["code"]
    except OSError:  # the server has ended
        return None
