"""`chorale run`: one program or a file of them, on every image."""

import gzip
import json
import os
import stat

import pytest

from chorale.evaluation.denotations import Denotations

YELLOW = "object_exists(yellow(all_objects))"


@pytest.fixture
def programs(tmp_path):
    path = tmp_path / "programs.txt"
    path.write_text(f"# two programs\n\n{YELLOW}\n  object_exists(black)(all_objects)  \n")
    return path


def test_each_image_gets_its_denotation_in_the_order_of_the_data(chorale, data, scenes):
    lines = chorale("run", YELLOW, data=data).out.splitlines()
    expected = [any(thing.color == "yellow" for thing in scene.objects) for scene in scenes]
    assert lines[0] == "0-0\ttrue"
    assert [line.split("\t")[1] == "true" for line in lines] == expected
    assert [line.split("\t")[0] for line in lines] == [f"{n // 4}-{n % 4}" for n in range(len(scenes))]


def test_packed_data_gives_the_same(chorale, data):
    packed = data.with_suffix(".json.gz")
    packed.write_bytes(gzip.compress(data.read_bytes()))
    assert chorale("run", YELLOW, data=packed).out == chorale("run", YELLOW, data=data).out


def test_json_has_program_identifiers_and_denotations(chorale, data, scenes):
    record = chorale("run", YELLOW, "--json", data=data).json()
    assert record["program"] == YELLOW
    assert len(record["identifiers"]) == len(record["denotations"]) == len(scenes)
    assert "accuracy" not in record


def test_a_program_that_says_what_the_labels_say_scores_one(chorale, data):
    record = chorale("run", YELLOW, "--against-labels", "--json", data=data).json()
    assert (record["accuracy"], record["consistency"]) == (1.0, 1.0)
    called = chorale("run", YELLOW, "--against-labels", data=data)
    assert "12 of 12 pairs" in called.out
    assert "3 of 3 groups" in called.out


def test_one_wrong_label_costs_a_pair_and_a_group(chorale, data):
    lines = data.read_text().split("\n")
    record = json.loads(lines[0])
    lines[0] = json.dumps({**record, "label": "false"})
    data.write_text("\n".join(lines))
    called = chorale("run", YELLOW, "--against-labels", data=data)
    assert "11 of 12 pairs" in called.out
    assert "2 of 3 groups" in called.out


def test_labels_may_be_missing_unless_they_are_asked_about(chorale, data):
    data.write_text(data.read_text().replace('"label"', '"other"'))
    assert chorale("run", YELLOW, data=data).status == 0
    called = chorale("run", YELLOW, "--against-labels", data=data)
    assert called.status == 2
    assert "label: missing" in called.err


def test_the_macro_language_is_spoken(chorale, data):
    program = "object_count_greater_equals(yellow(all_objects), 1)"
    assert chorale("run", program, data=data).status == 2
    assert chorale("run", program, data=data, language="macro").out == chorale("run", YELLOW, data=data).out


def test_a_file_of_programs_becomes_json_lines(chorale, data, programs, tmp_path):
    out = tmp_path / "out.jsonl"
    called = chorale("run", programs=programs, data=data, out=out)
    assert (called.status, called.out) == (0, "")
    records = [json.loads(line) for line in out.read_text().splitlines()]
    assert [list(record) for record in records] == [["program", "denotations"]] * 2
    assert [record["program"] for record in records] == [YELLOW, "object_exists(black)(all_objects)"]
    for record in records:
        assert record["denotations"] == chorale("run", record["program"], "--json", data=data).json()["denotations"]


def test_scores_join_the_lines_when_labels_are_asked_about(chorale, data, programs):
    lines = chorale("run", "--against-labels", programs=programs, data=data, out="-").out.splitlines()
    first, second = map(json.loads, lines)
    assert first["accuracy"] == first["consistency"] == 1.0
    assert second["accuracy"] < 1.0


def test_programs_and_results_may_be_packed(chorale, data, programs, tmp_path):
    packed, out = tmp_path / "programs.gz", tmp_path / "out.jsonl.gz"
    packed.write_bytes(gzip.compress(programs.read_bytes()))
    assert chorale("run", programs=packed, data=data, out=out).status == 0
    assert gzip.decompress(out.read_bytes()).decode() == chorale("run", programs=programs, data=data).out


def test_programs_are_read_from_standard_input(chorale, data, programs):
    piped = chorale("run", programs="-", data=data, stdin=programs.read_text())
    assert piped.out == chorale("run", programs=programs, data=data).out


def test_all_bad_programs_are_listed_with_line_and_caret_and_nothing_is_written(chorale, data, tmp_path):
    programs, out = tmp_path / "programs.txt", tmp_path / "out.jsonl"
    programs.write_text(f"{YELLOW}\nobject_exists(yelow(all_objects))\n\nyellow(all_objects)\n")
    out.write_text("from an earlier run")
    before = sorted(tmp_path.iterdir())
    called = chorale("run", programs=programs, data=data, out=out)
    assert called.status == 2
    assert f"{programs}:2: unknown name `yelow`; did you mean `yellow`?" in called.err
    assert "  object_exists(yelow(all_objects))\n                ^ column 15" in called.err
    assert f"{programs}:4: a program is a bool, but this is a Set[Object]" in called.err
    assert f"{programs}:1:" not in called.err
    assert out.read_text() == "from an earlier run"
    assert sorted(tmp_path.iterdir()) == before


def test_a_failure_while_writing_leaves_nothing_behind(chorale, data, programs, tmp_path, monkeypatch):
    def interrupted(self, program):
        raise KeyboardInterrupt

    monkeypatch.setattr(Denotations, "of", interrupted)
    before = sorted(tmp_path.iterdir())
    assert chorale("run", programs=programs, data=data, out=tmp_path / "out.jsonl").status == 130
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["no/such/folder/out.jsonl", "."])
def test_an_out_that_cannot_be_written_is_told_by_its_own_name(chorale, data, programs, tmp_path, name):
    called = chorale("run", programs=programs, data=data, out=tmp_path / name)
    assert called.status == 2
    assert called.err.startswith(f"error: {tmp_path / name}: ")


def test_a_device_is_written_to_and_not_replaced(chorale, data, programs, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    assert chorale("run", programs=programs, data=data, out=pipe).status == 0
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert os.read(reader, 1 << 16).count(b"\n") == 2
    os.close(reader)


def test_a_link_stays_a_link(chorale, data, programs, tmp_path):
    real, link = tmp_path / "real.jsonl", tmp_path / "link.jsonl"
    link.symlink_to(real)
    assert chorale("run", programs=programs, data=data, out=link).status == 0
    assert link.is_symlink()
    assert real.read_text().count("\n") == 2


@pytest.mark.parametrize("words", [[], [YELLOW, "--programs", "x"], [YELLOW, "--out", "x"]])
def test_either_a_program_or_a_file_of_them(chorale, data, words, tmp_path):
    called = chorale("run", *words, data=data)
    assert called.status == 2
    assert "programs" in called.err


@pytest.mark.parametrize("content", [b"\xff\xfe", b"\x1f\x8b damaged"])
def test_a_file_of_programs_that_is_no_text_is_told(chorale, data, tmp_path, content):
    programs = tmp_path / "programs.txt"
    programs.write_bytes(content)
    called = chorale("run", programs=programs, data=data)
    assert called.status == 2
    assert str(programs) in called.err


def test_broken_data_is_told_with_line_and_field(chorale, data):
    data.write_text(data.read_text().replace('"Yellow"', '"Green"'))
    called = chorale("run", YELLOW, data=data)
    assert called.status == 2
    assert f"{data}:1: structured_rep[0][0].color: unknown colour 'Green'" in called.err
