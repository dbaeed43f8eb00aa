"""Files of phrase sets."""

import pytest

from chorale.errors import ChoraleError
from chorale.nlvr.english.phrases import parse_phrases, read_phrases


def test_slots_are_translated_on_reading():
    (phrases,) = parse_phrases("[[set]]\nname = 'a'\nphrases = ['a  COLOR1 SHAPE', 'SHAPE COLOR1']", "f.toml")
    assert phrases.phrases == ["a {color1} {shape}", "{shape} {color1}"]


def test_the_shipped_files_hold_11_and_17_sets():
    assert [len(read_phrases(name)) for name in ("printed", "run")] == [11, 17]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[set]\n", "f.toml: not TOML: .*line 1"),
        ("", r"f.toml: set: missing; expected tables \[\[set\]\] with name and phrases"),
        ("sets = 1", "f.toml:1: sets: there is no such key; did you mean 'set'?"),
        ("set = [1]", "f.toml: set.1: expected a table, found .*; expected tables"),
        ("[[set]]\nphrases = ['x']", "f.toml:1: set.1.name: missing"),
        ("[[set]]\nname = 'a'", "f.toml:1: set.1.phrases: missing"),
        ("[[set]]\nname = 'a'\nphrases = []", "f.toml:3: set.1.phrases: List should have at least 1 item"),
        (
            "[[set]]\nname = 'a'\nphrases = ['x', ' ']",
            "f.toml:3: set.1.phrases.2: expected text such as 'the base is COLOR'",
        ),
        ("[[set]]\nname = 'a'\nphrases = [1]", "f.toml:3: set.1.phrases.1: expected text"),
        (
            "[[set]]\nname = 'a'\nphrase = ['x']",
            "f.toml:3: set.1.phrase: there is no such key; did you mean 'phrases'?",
        ),
        ("[[set]]\nname = 'a'\nphrases = ['a COLOUR box']", "phrases.1: unknown slot COLOUR .*did you mean COLOR?"),
        ("[[set]]\nname = 'a'\nphrases = ['a COLOR box', 'box']", "phrase 2 has the slots none, but .* COLOR;"),
        ("[[set]]\nname = 'a'\nphrases = ['a box.']", "phrases.1: 'box.' in 'a box.' is not a plain word"),
        ("[[set]]\nname = 'a'\nphrases = ['x']\n" * 2, "f.toml: set 2: the name 'a' occurs twice"),
    ],
)
def test_a_broken_phrase_file_is_told_with_file_and_entry(text, told):
    with pytest.raises(ChoraleError, match=told):
        parse_phrases(text, "f.toml")


def test_files_that_cannot_be_read_are_told(tmp_path):
    with pytest.raises(ChoraleError, match=r"missing.toml: no such file; shipped phrases are printed and run"):
        read_phrases(tmp_path / "missing.toml")
    (tmp_path / "latin.toml").write_bytes(b"\xff")
    with pytest.raises(ChoraleError, match=r"latin.toml:1: not UTF-8"):
        read_phrases(tmp_path / "latin.toml")
