"""`chorale draw` and `chorale see`, which undo each other."""

import json
from xml.etree import ElementTree

import pytest

YELLOW = "object_exists(yellow(all_objects))"


def seen(scene):
    """A scene with the objects of each box in a fixed order, as JSON."""
    return [sorted(map(json.dumps, box)) for box in scene]


def test_what_is_drawn_is_seen_again(chorale, data, scenes, tmp_path):
    picture = tmp_path / "picture.png"
    for number, identifier in ((0, "0-0"), (5, "1-1")):
        assert chorale("draw", data, identifier, out=picture).status == 0
        assert seen(chorale("see", picture).json()) == seen(scenes[number].to_json())


def test_a_scene_that_was_seen_can_be_drawn(chorale, data, tmp_path):
    first, second = tmp_path / "first.png", tmp_path / "second.png"
    chorale("draw", data, "2-3", out=first)
    for words in ((), ("--json",)):
        assert chorale("draw", "-", out=second, stdin=chorale("see", first, *words).out).status == 0
        assert second.read_bytes() == first.read_bytes()


def test_a_picture_can_be_drawn_again(chorale, data, tmp_path):
    first, second = tmp_path / "first.png", tmp_path / "second.png"
    chorale("draw", data, "2-3", out=first)
    assert chorale("draw", first, out=second).status == 0
    assert second.read_bytes() == first.read_bytes()
    assert chorale("draw", first, out=tmp_path / "trace.svg", program=YELLOW, title="Something <yellow>").status == 0
    assert "Something &lt;yellow&gt;" in (tmp_path / "trace.svg").read_text()


def test_parse_draws_the_trace_of_the_best_program(chorale, data, tmp_path):
    picture, trace = tmp_path / "picture.png", tmp_path / "trace.svg"
    chorale("draw", data, "0-0", out=picture)
    assert chorale("parse", "There is a yellow square", image=picture, draw=trace).status == 0
    shown = "".join(ElementTree.parse(trace).getroot().itertext())
    for text in ("There is a yellow square", "Is there a yellow square?", "true"):
        assert text in shown
    called = chorale("parse", "There is a yellow square", draw=trace)
    assert called.status == 2
    assert "nothing to draw" in " ".join(called.err.split())


def test_a_program_is_asked_of_a_picture(chorale, data, tmp_path):
    picture = tmp_path / "picture.png"
    chorale("draw", data, "0-0", out=picture)
    assert chorale("see", picture, program=YELLOW).out == "true\n"
    record = chorale("see", picture, "--json", program="object_exists(black(all_objects))").json()
    assert record["denotation"] is False
    assert len(record["structured_rep"]) == 3


def test_the_trace_of_a_program_is_drawn(chorale, data, tmp_path):
    for name in ("trace.svg", "trace.png"):
        called = chorale("draw", data, "0-0", "--json", out=tmp_path / name, program=YELLOW)
        assert called.status == 0
        texts = [step["text"] for step in called.json()["steps"]]
        assert texts == ["all_objects", "yellow(all_objects)", YELLOW]
    assert ElementTree.parse(tmp_path / "trace.svg").getroot().tag.endswith("svg")
    assert (tmp_path / "trace.png").read_bytes().startswith(b"\x89PNG")


def test_a_program_that_is_a_set_is_highlighted(chorale, data, tmp_path):
    picture = tmp_path / "set.svg"
    assert chorale("draw", data, "0-0", out=picture, program="yellow(all_objects)").status == 0
    assert "highlighted" in picture.read_text()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["9-9", "--out", "x.png"], "no example '9-9'"),
        (["--out", "x.png"], "several examples; draw one of them"),
        (["0-0", "--out", "x.gif"], ".png or .svg"),
        (["0-0", "--out", "x.png", "--program", "yellow"], "nothing to draw"),
        (["0-0", "--out", "x.png", "--program", "yelow"], "did you mean `yellow`"),
        (["0-0", "--out", "no/such/folder/x.png"], "cannot be written"),
        (["0-0", "--out", "x.png", "--scale", "0"], "scale"),
    ],
)
def test_draw_tells_what_is_wrong_and_writes_nothing(chorale, data, words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    called = chorale("draw", data, *words)
    assert called.status == 2
    assert message in called.err
    assert [path.name for path in tmp_path.iterdir()] == ["data.json"]


@pytest.mark.parametrize("content", ["[[], []]", "17", "{}", "nonsense", "[" * 100_000, ""])
def test_draw_tells_when_a_file_is_no_scene(chorale, tmp_path, content):
    path = tmp_path / "scene.json"
    path.write_text(content)
    called = chorale("draw", path, out=tmp_path / "x.png")
    assert called.status == 2
    assert str(path) in called.err


def test_see_tells_when_a_file_is_no_nlvr_picture(chorale, data, tmp_path):
    called = chorale("see", data)
    assert called.status == 2
    assert str(data) in called.err
    large = tmp_path / "large.png"
    chorale("draw", data, "0-0", out=large, scale=2)
    assert "800 x 200" in chorale("see", large).err
