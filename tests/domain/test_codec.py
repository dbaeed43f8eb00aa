"""Codecs: contexts from files and JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.people import TableCodec

from chorale.domain import Codec
from chorale.errors import ChoraleError
from chorale.nlvr.domain import Nlvr

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@given(JSON)
def test_contexts_that_are_json_are_what_their_file_holds(tmp_path_factory: pytest.TempPathFactory, value: Any) -> None:
    path = tmp_path_factory.mktemp("codec") / "context.json"
    path.write_text(json.dumps(Codec().to_json(value)))
    assert Codec().read_file(path) == Codec().from_json(value) == value


def test_a_codec_of_ones_own_reads_files_by_what_it_reads_json_by(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text('[{"pet": "cat"}]')
    assert TableCodec().read_file(path) == ({"pet": "cat"},)
    path.write_text('{"pet": "cat"}')
    with pytest.raises(ChoraleError, match=r"table\.json: expected a table"):
        TableCodec().read_file(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"nonsense", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"9" * 5000, "not JSON"),
        (b"\xff", "1: not UTF-8"),
        (b'{"a": 1}\n{"a": 2}', "several examples; draw one of them"),
    ],
)
def test_a_file_that_holds_no_context_is_told(tmp_path: Path, content: bytes, said: str) -> None:
    path = tmp_path / "context.json"
    path.write_bytes(content)
    with pytest.raises(ChoraleError, match=rf"context\.json:.*{said}"):
        Codec().read_file(path)


class Careless(Codec):
    """A codec that does not look at what it is given."""

    def from_json(self, value: Any) -> Any:
        return value["rows"][0] / 1


@pytest.mark.parametrize("value", [None, [], {}, {"rows": []}, {"rows": ["a"]}, {"rows": 3}])
def test_what_a_careless_codec_raises_is_told_in_words(tmp_path: Path, value: Any) -> None:
    with pytest.raises(ChoraleError, match=r"this is not a context: .*; found "):
        Careless().decoded(value)
    (tmp_path / "context.json").write_text(json.dumps(value))
    with pytest.raises(ChoraleError, match=r"context\.json: this is not a context"):
        Careless().read_file(tmp_path / "context.json")
    assert Careless().decoded({"rows": [3]}) == 3


def test_contexts_that_are_no_pictures_cannot_be_seen() -> None:
    with pytest.raises(ChoraleError, match="not pictures"):
        Codec().see(b"")


def test_scenes_are_read_from_pictures_and_json(tmp_path: Path) -> None:
    domain = Nlvr()
    [scene] = domain.variants(None, 1, 3)
    (tmp_path / "scene.PNG").write_bytes(domain.drawing.draw(scene, "png"))
    (tmp_path / "scene.json").write_text(json.dumps(domain.codec.to_json(scene)))
    (tmp_path / "example.json").write_text(json.dumps(domain.data_line("1-0", "?", scene, True)))
    for name in ("scene.json", "example.json"):
        assert domain.codec.read_file(tmp_path / name) == scene
    seen = domain.codec.read_file(tmp_path / "scene.PNG")
    assert [sorted(map(repr, box)) for box in seen.boxes] == [sorted(map(repr, box)) for box in scene.boxes]
