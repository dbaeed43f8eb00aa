"""Errors by kind of sentence."""

from chorale.domain import Unlabelled
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.scenes import Object, Scene
from chorale.report.kinds import kinds_table, parts, sentence_kinds, words

TOWER = Scene(((Object(40, 80, 20, "square", "black"),), (), ()))
SCATTER = Scene(((Object(3, 80, 10, "circle", "black"),), (), ()))
SAID = [
    Unlabelled("There is a black block", (TOWER,), "1"),
    Unlabelled("There is a blue block", (TOWER,), "2"),
    Unlabelled("There is a yellow item touching the wall of the box on the left side", (SCATTER,), "3"),
]
RIGHT = {"1": (True, False), "2": (True, True), "3": (False, False)}


def test_utterances_are_grouped_by_picture_by_length_and_by_what_train_has() -> None:
    groups = parts(Nlvr(), SAID, [])
    assert groups == {
        "all": [0, 1, 2],
        "scatter": [2],
        "towers": [0, 1],
        "not seen in train": [0, 1, 2],
        "1 to 6 words": [0, 1],
        "13 to 16 words": [2],
    }


def test_kinds_and_words_with_more_mistakes_than_others_are_listed() -> None:
    right = {**RIGHT, "1": (False, False), "2": (False, False), "3": (True, True)}
    assert sentence_kinds(Nlvr(), SAID, [right]) == {"there is a {color} block": [0, 1]}
    assert sentence_kinds(Nlvr(), SAID, [dict.fromkeys("123", (True,))]) == {}
    many = [Unlabelled(SAID[2].sentence, (SCATTER,), str(number)) for number in range(3)]
    mixed = [*many, Unlabelled("There is a black block", (TOWER,), "9")]
    found = words(Nlvr(), "consistent", mixed, [{"0": (False,), "1": (False,), "2": (False,), "9": (True,)}])
    assert found
    assert all(members == [0, 1, 2] for members in found.values())


def test_one_system_has_both_measures_and_several_have_consistency_each() -> None:
    groups = {"all": [0, 1, 2]}
    assert kinds_table("part", groups, SAID, {"a": [RIGHT]}) == [
        ["part", "utterances", "accuracy", "consistency"],
        ["all", "3", "50.0", "33.3"],
    ]
    both = kinds_table("part", groups, SAID, {"a": [RIGHT], "b": [dict.fromkeys("123", (True,))]})
    assert both == [["part", "utterances", "a", "b"], ["all", "3", "33.3", "100.0"]]
