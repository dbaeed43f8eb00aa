"""`chorale pairs`."""

import gzip
import json

import pytest


@pytest.fixture
def related(data):
    """The data file, with sentences of which the first two share a phrase."""
    text = data.read_text()
    for number, sentence in enumerate(["The base is black.", "A black block at the base", "Nothing"]):
        text = text.replace(f"Sentence {number}.", sentence)
    data.write_text(text)
    return data


def test_pairs_counts_and_shows_examples(chorale, related):
    called = chorale("pairs", data=related)
    assert (called.status, called.err) == (0, "")
    assert "2 pairs for 2 utterances of 3" in called.out
    assert "0: [the base is black]\n  1: a [black block at the base]" in called.out
    assert "     2  base\n     0  top\n" in called.out


def test_pairs_as_json_tells_the_same(chorale, related):
    told = chorale("pairs", "--json", data=related).json()
    assert (told["of"], told["utterances"], told["pairs"], told["matched"]["base"]) == (3, 2, 2, 2)
    assert told["examples"][0] == {
        "utterance": "0",
        "partner": "1",
        "span": [0, 4],
        "partner_span": [1, 6],
        "phrase": "the base is black",
        "other_fillers": False,
    }


@pytest.mark.parametrize(("name", "unpack"), [("pairs.jsonl", bytes), ("pairs.jsonl.gz", gzip.decompress)])
def test_pairs_are_written_as_json_lines(chorale, related, tmp_path, name, unpack):
    assert chorale("pairs", data=related, out=tmp_path / name).status == 0
    lines = [json.loads(line) for line in unpack((tmp_path / name).read_bytes()).splitlines()]
    assert [(line["utterance"], line["partner"]) for line in lines] == [("0", "1"), ("1", "0")]


def test_reference_matching_is_a_switch(chorale, related):
    assert chorale("pairs", "--json", data=related, matching="reference").json()["pairs"] == 0


def test_phrases_may_come_from_a_file(chorale, related, tmp_path):
    phrases = tmp_path / "mine.toml"
    phrases.write_text("[[set]]\nname = 'colour'\nphrases = ['COLOR']\n")
    told = chorale("pairs", "--json", data=related, phrases=phrases).json()
    assert (told["matched"], told["pairs"]) == ({"colour": 2}, 2)


def test_no_pairs_are_no_mistake(chorale, data):
    called = chorale("pairs", data=data)
    assert called.status == 0
    assert "0 pairs for 0 utterances of 3" in called.out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"phrases": "prnted"}, "prnted: no such file; shipped phrases are printed and run"),
        ({"matching": "letters"}, "letters"),
        ({"partners": 0}, "partners"),
        ({"data": "missing.json"}, "missing.json: no such file"),
    ],
)
def test_impossible_wishes_are_told(chorale, related, options, told):
    called = chorale("pairs", **{"data": related, **options})
    assert called.status == 2
    assert told in called.err


def test_a_broken_phrase_file_is_told_with_its_name(chorale, related, tmp_path):
    phrases = tmp_path / "broken.toml"
    phrases.write_text("[[set]]\nname = 'a'\nphrases = ['a SIZE box']\n")
    called = chorale("pairs", data=related, phrases=phrases)
    assert called.status == 2
    assert f"error: {phrases}:3: set.1.phrases.1: unknown slot SIZE" in called.err


def test_partners_with_other_fillers_can_be_asked_for(chorale, related):
    related.write_text(related.read_text().replace("Nothing", "The base is blue"))
    told = chorale("pairs", "--json", "--other-fillers", "1", data=related).json()
    assert told["pairs"] == 5
    assert {(it["utterance"], it["partner"]) for it in told["examples"] if it["other_fillers"]} >= {
        ("0", "2"),
        ("1", "2"),
    }
