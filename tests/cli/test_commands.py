"""`chorale check`, `actions`, `grammar` and `synthesize`."""

import gzip
import json

import pytest

from chorale.nlvr import Consistent, Macro

FIGURE_3 = "box_count_equals(1, box_filter(all_boxes, object_count_greater_equals(2)(yellow(square))))"


def test_check_counts_a_good_file(chorale, data):
    called = chorale("check", data)
    assert (called.status, called.err) == (0, "")
    assert "ok, 12 pairs in 3 groups" in called.out


def test_check_reads_packed_files(chorale, data, tmp_path):
    packed = tmp_path / "data.gz"
    packed.write_bytes(gzip.compress(data.read_bytes()))
    assert chorale("check", packed).status == 0


def test_check_lists_every_problem_of_every_file(chorale, data, tmp_path):
    broken = tmp_path / "broken.json"
    lines = data.read_text().split("\n")
    broken.write_text("\n".join(["{", *lines[1:], lines[1]]))
    called = chorale("check", broken, tmp_path / "missing.json", data)
    assert called.status == 2
    assert f"error: {broken}:1: not JSON" in called.err
    assert f"error: {broken}:13: identifier: '0-1' occurs twice" in called.err
    assert f"error: {tmp_path / 'missing.json'}: no such file" in called.err
    assert f"{data}: ok" in called.out


def test_check_as_json_tells_the_same(chorale, data, tmp_path):
    called = chorale("check", data, tmp_path / "missing.json", "--json")
    good, missing = called.json()
    assert called.status == 2
    assert (good["ok"], good["pairs"], good["groups"]) == (True, 12, 3)
    assert missing["ok"] is False
    assert "no such file" in missing["problems"][0]["message"]


def test_check_takes_other_white_space_in_a_group_for_a_note(chorale, data):
    data.write_text(data.read_text().replace("Sentence 0.", "Sentence  0.", 1))
    called = chorale("check", data)
    assert called.status == 0
    assert called.err.startswith("note: ")


def test_check_lets_labels_be_missing_when_told(chorale, data):
    data.write_text(data.read_text().replace('"label"', '"other"'))
    assert chorale("check", data).status == 2
    assert chorale("check", data, "--unlabelled").status == 0


@pytest.mark.nlvr
@pytest.mark.parametrize("name", ["train.json", "dev.json", "test.json"])
def test_check_finds_the_real_files_good(chorale, nlvr, name):
    assert chorale("check", nlvr / name).status == 0


def test_actions_are_those_of_the_papers_figure(chorale):
    actions = chorale("actions", FIGURE_3, "--json").json()
    assert len(actions) == 13
    assert actions[0] == "bool -> [<int,Set[Box]:bool>, int, Set[Box]]"
    assert actions[-1] == "<Set[Object]:Set[Object]> -> square"
    assert chorale("actions", FIGURE_3).out.splitlines() == actions


def test_actions_point_at_the_mistake(chorale):
    called = chorale("actions", "object_exists(yelow(all_objects))")
    assert called.status == 2
    assert "unknown name `yelow`; did you mean `yellow`?" in called.err
    assert "\n                ^ column 15" in called.err


def test_simplify_tells_the_shortest_program_and_how_it_is_known(chorale):
    idle = "box_exists(box_filter(all_boxes, object_exists(square(yellow(square)))))"
    said = chorale("simplify", idle, language="extended").out.splitlines()
    assert said == ["some_box(object_exists(yellow(square)))", "proved"]
    found = chorale("simplify", idle, "--json").json()
    assert found["program"] == "object_exists(yellow(square(all_objects)))"
    assert found["known"] == "agrees on 4,000 generated contexts"
    proved = chorale("simplify", idle, "--laws-only").out.splitlines()
    assert proved == ["box_exists(box_filter(all_boxes, object_exists(yellow(square))))", "proved"]


def test_simplify_says_the_program_in_plain_words(chorale):
    said = chorale(
        "simplify", "object_count_greater_equals(1, yellow(yellow(all_objects)))", "--laws-only", "--plain"
    ).out
    assert said.splitlines()[-1] == "Is there a yellow object?"


def test_a_domain_without_plain_words_is_told_so(chorale, tmp_path):
    (tmp_path / "table.json").write_text('[{"name": "anna", "city": "rome"}]')
    words = ("simplify", "count(everybody)", "--plain", "--domain", "tests.people:PeopleDomain")
    called = chorale(*words, context=tmp_path / "table.json")
    assert called.status == 2
    assert "has no plain words" in called.err
    assert "give it too: --context FILE" in chorale(*words).err


@pytest.mark.parametrize(("name", "language"), [("consistent", Consistent), ("macro", Macro)])
def test_grammar_shows_every_production(chorale, name, language):
    table = chorale("grammar", language=name).out
    assert all(str(production) in table for production in language.grammar.productions)
    as_json = chorale("grammar", "--format", "json", language=name).out
    assert all(json.dumps(str(production))[1:-1] in as_json for production in language.grammar.productions)
    assert chorale("grammar", "--json", language=name).out == as_json
    assert json.loads(as_json)


def test_grammar_as_lark_names_the_functions(chorale):
    called = chorale("grammar", "--format", "lark")
    assert called.status == 0
    assert '"box_filter"' in called.out


def test_synthesize_writes_a_corpus_that_checks(chorale, tmp_path):
    sizes = {"utterances": 3, "dev": 2, "test": 1}
    called = chorale("synthesize", "--json", out=tmp_path / "corpus", seed=5, noise=0.1, typos=0.1, **sizes)
    assert called.status == 0
    files = called.json()
    assert {split: files[split]["utterances"] for split in files} == {"train": 3, "dev": 2, "test": 1}
    reports = chorale("check", *(files[split]["file"] for split in files), "--json").json()
    assert [report["groups"] for report in reports] == [3, 2, 1]


def test_synthesize_writes_everyday_questions_that_check(chorale, tmp_path):
    called = chorale("synthesize", "--json", domain="tables", out=tmp_path, utterances=9, dev=1, test=0)
    assert called.status == 0
    report = chorale("check", called.json()["train"]["file"], domain="tables").out
    assert "ok, 9 pairs in 9 groups" in report
    called = chorale("synthesize", domain="tables", out=tmp_path, noise=0.1)
    assert (called.status, "nlvr" in called.err) == (2, True)


@pytest.mark.parametrize("option", [{"noise": 2}, {"typos": -1}, {"utterances": -1}, {"images": 0}, {"seed": "x"}])
def test_synthesize_refuses_impossible_knobs(chorale, tmp_path, option):
    called = chorale("synthesize", out=tmp_path / "corpus", **option)
    assert called.status == 2
    assert next(iter(option)) in called.err
    assert not (tmp_path / "corpus").exists()
