"""`chorale download`, from a server on this machine."""

import functools
import hashlib
import http.server
import io
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from chorale.cli.main import app
from chorale.nlvr import download
from chorale.nlvr.download import DataSet, RemoteFile


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
    monkeypatch.setitem(download.DATA_SETS, "small", DataSet("http://nowhere.invalid", files, "ours"))
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
