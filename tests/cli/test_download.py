"""`chorale download`, from a server on this machine."""

import contextlib
import functools
import hashlib
import http.server
import io
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from chorale.cli import download
from chorale.cli.main import app
from chorale.plumbing import download as plumbing
from chorale.plumbing.download import DataSet, RemoteFile
from chorale.tables import download as tables


def chorale(*arguments: object) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


CONTENT = b"a line of data\n" * 5000


class Ranged(http.server.SimpleHTTPRequestHandler):
    """Serves a folder, and can begin in the middle of a file."""

    asked: list[str | None]

    def send_head(self):  # type: ignore[no-untyped-def]
        start = self.headers.get("Range")
        type(self).asked.append(start)
        if start is None:
            return super().send_head()
        skip = int(start.removeprefix("bytes=").rstrip("-"))
        content = Path(self.translate_path(self.path)).read_bytes()[skip:]
        self.send_response(206)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        return io.BytesIO(content)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server on this machine that has the data set `small`."""
    (tmp_path / "web" / "train").mkdir(parents=True)
    (tmp_path / "web" / "train" / "train.json").write_bytes(CONTENT)
    blob = hashlib.sha1(b"blob %d\0" % len(CONTENT) + CONTENT).hexdigest()
    files = (RemoteFile("train.json", "train/train.json", blob),)
    monkeypatch.setitem(download.DATA_SETS, "small", lambda: DataSet("http://nowhere.invalid", files, "ours"))
    Ranged.asked = []
    handler = functools.partial(Ranged, directory=str(tmp_path / "web"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as serving:
        threading.Thread(target=serving.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{serving.server_port}"
        serving.shutdown()


def test_download_fetches_checks_and_does_nothing_the_second_time(server: str, tmp_path: Path) -> None:
    for _ in range(2):
        result = chorale("download", "small", "--out", tmp_path / "data", "--base-url", server)
        assert result.exit_code == 0, result.output
    assert (tmp_path / "data" / "train.json").read_bytes() == CONTENT
    assert Ranged.asked == [None]


def test_download_goes_on_where_it_stopped(server: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train.json.part").write_bytes(CONTENT[:1234])
    result = chorale("download", "small", "--out", tmp_path / "data", "--base-url", server)
    assert result.exit_code == 0, result.output
    assert (tmp_path / "data" / "train.json").read_bytes() == CONTENT
    assert Ranged.asked == ["bytes=1234-"]


def test_download_refuses_other_content_and_keeps_other_files(server: str, tmp_path: Path) -> None:
    (tmp_path / "web" / "train" / "train.json").write_bytes(CONTENT[:-1] + b"!")
    result = chorale("download", "small", "--out", tmp_path / "data", "--base-url", server)
    assert result.exit_code == 2
    assert "not the file that was published" in result.output
    assert not (tmp_path / "data").exists()
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "train.json").write_text("mine")
    result = chorale("download", "small", "--out", tmp_path / "data", "--base-url", server)
    assert "there is another file of this name" in result.output
    assert (tmp_path / "data" / "train.json").read_text() == "mine"


def test_download_explains_itself_without_a_network(server: str, tmp_path: Path) -> None:
    result = chorale("download", "small", "--out", tmp_path / "new" / "data", "--base-url", "http://127.0.0.1:9")
    assert result.exit_code == 2
    assert "Is there a network?" in result.output
    assert not (tmp_path / "new").exists()
    missing = chorale("download", "small", "--out", tmp_path / "data", "--base-url", f"{server}/elsewhere")
    assert "the server says 404" in missing.output
    assert "did you mean 'nlvr'?" in chorale("download", "nlvrr").output


def test_download_knows_a_file_copied_by_hand(server: str, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    shutil.copy(tmp_path / "web" / "train" / "train.json", tmp_path / "data" / "train.json")
    result = chorale("download", "small", "--out", tmp_path / "data", "--base-url", "http://127.0.0.1:9")
    assert result.exit_code == 0, result.output


@pytest.fixture
def answering(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], str]]:
    """A server that answers with some bytes, whatever it is asked, and hangs up; gives its address."""
    files = (RemoteFile("train.json", "train/train.json", "0" * 40),)
    monkeypatch.setitem(download.DATA_SETS, "small", lambda: DataSet("http://nowhere.invalid", files, "ours"))
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve(content: bytes) -> str:
            def answer() -> None:
                connection, _ = listening.accept()
                with connection:
                    connection.recv(1 << 16)
                    with contextlib.suppress(OSError):  # the other side may hang up first
                        connection.sendall(content)

            threading.Thread(target=answer, daemon=True).start()
            return f"http://127.0.0.1:{listening.getsockname()[1]}"

        yield serve


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (OK + b"Transfer-Encoding: chunked\r\n\r\n1000\r\nabc", "the connection was cut"),
        (OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc", "the connection was cut"),
        (OK + b"Content-Length: 1000\r\n\r\nabc", "cut short after 3 of 1,000 bytes"),
        (OK + b"Content-Length: -5\r\n\r\nabc", "not the file that was published"),
        (OK + b"Content-Length: 1e9\r\n\r\nabc", "not the file that was published"),
        (OK + b"Content-Length: 1000000000000\r\n\r\nabc", "larger than 64 MiB"),
        (b"220 mail.example.org ESMTP\r\n", "this is not a web server"),
        (b"HTTP/1.1 abc\r\n\r\n", "this is not a web server"),
        (b"", "this is not a web server"),
        (b"HTTP/1.1 200 " + b"x" * 70_000, "this is not a web server"),
        (b"HTTP/1.1 500 \x1b]0;owned\x07" + b"x" * 5000 + b"\r\n\r\n", "the server says 500 \\x1b]0;owned\\x07"),
    ],
)
def test_whatever_a_server_says_is_told_in_words(
    answering: Callable[[bytes], str], tmp_path: Path, content: bytes, said: str
) -> None:
    result = chorale("download", "small", "--out", tmp_path / "data", "--base-url", answering(content))
    assert result.exit_code == 2, result.output
    assert said in result.output
    assert "\x1b" not in result.output
    assert len(result.output) < 600


def test_a_server_that_does_not_end_is_not_listened_to_for_ever(
    answering: Callable[[bytes], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plumbing, "MOST_BYTES", 1 << 20)
    address = answering(OK + b"\r\n" + b"x" * (4 << 20))
    result = chorale("download", "small", "--out", tmp_path / "data", "--base-url", address)
    assert "larger than 1 MiB" in result.output
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "base",
    [
        "",
        " ",
        "nowhere",
        "file:///etc",
        "ftp://host",
        "http://",
        "http://[::1",
        "http://h:port",
        "http://a b",
        "http://é",
    ],
)
def test_what_is_no_address_is_refused(server: str, tmp_path: Path, base: str) -> None:
    result = chorale("download", "small", "--out", tmp_path / "data", "--base-url", base)
    assert result.exit_code == 2
    assert "expected an address such as https://" in result.output


def test_a_file_with_another_sha256_is_refused(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    [file] = download.DATA_SETS["small"]().files
    for wanted, status in ((hashlib.sha256(CONTENT).hexdigest(), 0), ("0" * 64, 2)):
        changed = DataSet("", (replace(file, sha256=wanted),), "ours")
        monkeypatch.setitem(download.DATA_SETS, "small", lambda it=changed: it)
        result = chorale("download", "small", "--out", tmp_path / str(status), "--base-url", server)
        assert result.exit_code == status, result.output


def test_wtq_names_the_training_part_alone_and_where_the_authors_keep_it() -> None:
    data = tables.wtq()
    assert {file.path: file.name for file in data.files if file.name.endswith(".tsv")} == {
        "data/random-split-1-dev.tsv": "random-split-1-dev.tsv",
        "data/random-split-1-train.tsv": "random-split-1-train.tsv",
        "data/training.tsv": "training.tsv",
    }
    csv = [file for file in data.files if file.name.startswith("csv/")]
    assert len(csv) == 1_679 == len(data.files) - 3
    assert all(file.path == file.name and len(file.sha256 or "") == 64 for file in csv)
    assert "CC-BY-SA-4.0" in data.licence


def test_a_data_set_of_many_files_goes_into_folders_and_is_told_in_one_line(
    server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    web, contents = tmp_path / "web", {f"csv/{number}-csv/0.csv": b"a,b\n%d,2\n" % number for number in range(25)}
    for name, content in contents.items():
        (web / name).parent.mkdir(parents=True)
        (web / name).write_bytes(content)
    files = tuple(RemoteFile(it, it, sha256=hashlib.sha256(content).hexdigest()) for it, content in contents.items())
    monkeypatch.setitem(download.DATA_SETS, "small", lambda: DataSet("http://nowhere.invalid", files, "ours"))
    result = chorale("download", "small", "--out", tmp_path / "data", "--base-url", server)
    assert result.exit_code == 0, result.output
    assert {name: (tmp_path / "data" / name).read_bytes() for name in contents} == contents
    assert "complete and checked, 25 files (ours)" in " ".join(result.output.split())
    (web / "csv/7-csv/0.csv").write_bytes(b"other")
    (tmp_path / "data/csv/7-csv/0.csv").unlink()
    again = chorale("download", "small", "--out", tmp_path / "data", "--base-url", server)
    assert again.exit_code == 2
    assert "not the file that was published" in " ".join(again.output.split())
    assert not list((tmp_path / "data").rglob("*.part"))


@pytest.mark.wtq
def test_the_hashes_are_those_of_the_corpus(wtq: Path) -> None:
    for file in tables.wtq().files:
        assert hashlib.sha256((wtq / file.name).read_bytes()).hexdigest() == file.sha256, file.name
