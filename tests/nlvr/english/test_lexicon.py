from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.domain import Hints, Unlabelled
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.english.lexicon import CLASSES, GLUE, TABLE, Entry, Lexicon, subject
from chorale.nlvr.english.words import normalise
from chorale.nlvr.languages.extended import ENTRIES, Extended
from chorale.nlvr.pictures.scenes import COLORS, SHAPES
from chorale.nlvr.reader import read

SIX = ("equals", "not_equals", "greater", "greater_equals", "lesser", "lesser_equals")
ASPECTS = ("color", "shape")
FILTERS = """black blue yellow circle square triangle small medium big same_color same_shape touch_top touch_left
    touch_right touch_bottom touch_wall touch_corner touch_object top bottom above below negate_filter"""
CONSTANTS = "1 2 3 4 5 6 7 8 9 color_black color_blue color_yellow shape_circle shape_square shape_triangle"
BOTH = {
    *FILTERS.split(),
    *CONSTANTS.split(),
    *("all_boxes", "all_objects", "box_exists", "object_exists", "object_in_box"),
    *(f"{what}_count_{test}" for what in ("box", "object", "object_color", "object_shape") for test in SIX),
    *(f"object_{aspect}_{which}_equals" for aspect in ASPECTS for which in ("all", "any", "none")),
}
CONSISTENT = BOTH | {
    *("box_filter", "box_filter_and"),
    *(f"object_{aspect}_{how}" for aspect in ASPECTS for how in ("same", "different")),
}
MACRO = BOTH | {
    *(f"member_{what}count_{test}" for what in ("", "color_", "shape_") for test in SIX),
    *(f"member_{aspect}_{which}_equals" for aspect in ASPECTS for which in ("all", "any", "none")),
    *(f"member_{aspect}_{how}" for aspect in ASPECTS for how in ("same", "different")),
}


def names(text: str) -> set[str]:
    return set(text.split())


def look(sentence: str) -> Hints:
    return Lexicon(CONSISTENT).hints(Unlabelled(sentence))


def asked(sentence: str) -> list[tuple[str, set[str]]]:
    return [(word, set(terminals)) for word, terminals in look(sentence).explains]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("at least two yellow blocks",
         [("at least two", "object_count_greater_equals"), ("at least two", "2"), ("yellow", "yellow color_yellow")]),
        ("more than 3 blocks", [("more than 3", "object_count_greater"), ("more than 3", "3")]),
        ("not more than 3 blocks", [("not more than 3", "object_count_lesser_equals"), ("not more than 3", "3")]),
        ("fewer than 3 blocks", [("fewer than 3", "object_count_lesser"), ("fewer than 3", "3")]),
        ("at most 4 blocks", [("at most 4", "object_count_lesser_equals"), ("at most 4", "4")]),
        ("a large circle", [("large", "big"), ("circle", "circle shape_circle")]),
        ("a tiny item", [("tiny", "small")]),
        ("a block over a block", [("over", "above")]),
        ("a block beneath a block", [("beneath", "below")]),
        ("a block on a block", [("on", "above")]),
        ("the grey square", [("grey square", "all_boxes")]),
        ("items touching the right wall", [("touching", "touch_right touch_wall"), ("the right wall", "touch_right")]),
        ("touhing the egde", [("touching", "touch_wall"), ("the edge", "touch_wall")]),
        ("items touching each other", [("touching", "touch_object"), ("each other", "touch_object above below")]),
        ("a block as the base", [("base", "bottom")]),
        ("touching the base", [("touching", "touch_bottom"), ("base", "bottom touch_bottom")]),
        ("blocks of the same color", [("same color", "object_color_same same_color")]),
        ("not the same color", [("not the same color", "object_color_different")]),
        ("black or blue", [("black", "black color_black"), ("or", ""), ("blue", "blue color_blue")]),
        ("12 items", [("12", "")]),
    ],
)  # fmt: skip
def test_each_content_word_asks_for_its_terminals(sentence: str, expected: list[tuple[str, str]]) -> None:
    assert asked(sentence) == [(word, names(terminals)) for word, terminals in expected]


def test_a_bare_number_may_be_exact_or_a_minimum() -> None:
    found = look("2 boxes")
    assert names("2 box_count_equals box_count_greater_equals object_count_equals") <= found.glue
    assert "box_count_lesser" not in found.allowed


def test_colours_are_counted_only_when_colour_is_spoken_of() -> None:
    assert "object_color_count_equals" in look("a box with 3 different colours").allowed
    assert "object_color_count_equals" not in look("a box with 3 yellow items").allowed


def test_only_two_colours_can_be_said_by_the_missing_one_or_by_counting_colours() -> None:
    found = look("There is a box with only black and yellow items")
    assert names("object_color_none_equals color_blue object_color_count_equals 2") <= found.glue


def test_no_can_be_said_as_fewer_than_one() -> None:
    assert names("object_count_lesser 1 object_color_none_equals") <= look("there is no black item").glue


def test_every_box_can_be_said_as_three_boxes() -> None:
    assert names("box_count_equals 3") <= look("ll the towers have a black block").glue


def test_a_black_tower_is_all_black_but_a_black_block_need_not_be() -> None:
    assert "object_color_all_equals" in look("there is a black tower").glue
    block = look("there is a black block")
    assert "object_color_all_equals" in block.allowed - block.glue


def test_what_a_program_leaves_unexplained_can_be_told_both_ways() -> None:
    found = look("There is a box with at least 2 yellow squares")
    good = names("box_exists box_filter all_boxes object_count_greater_equals 2 yellow square")
    assert all(wanted & good for _, wanted in found.explains)
    assert good <= found.glue
    poor = names("box_exists box_filter all_boxes object_exists yellow object_color_all_equals")
    assert [word for word, wanted in found.explains if not wanted & poor] == ["at least 2", "at least 2", "squares"]
    assert poor - found.glue == {"object_color_all_equals"}


def test_words_the_table_does_not_know_are_listed() -> None:
    assert look("there is a zebra in the box").unknown == ("zebra",)


def test_a_language_gets_only_terminals_it_has() -> None:
    sentence = "There is a box with at least 2 yellow squares of the same color"
    macro = Lexicon(MACRO).hints(Unlabelled(sentence))
    assert "member_count_greater_equals" in macro.allowed
    assert macro.allowed <= MACRO
    assert Lexicon({"yellow", "2"}).hints(Unlabelled(sentence)).allowed == {"yellow", "2"}


def test_another_language_puts_its_own_entries_in_front() -> None:
    entries = (Entry("or", ("either",)), Entry("zebra", ("stripes",)), *TABLE)
    lexicon = Lexicon(CONSISTENT | {"either", "stripes"}, entries)
    assert lexicon.hints(Unlabelled("a zebra or a box")).unknown == ()
    assert {"either", "stripes"} <= lexicon.hints(Unlabelled("a zebra or a box")).allowed


@given(
    st.text()
    | st.lists(st.sampled_from(["only", "no", "all", "same", "2", "one", "black", "box", "top", "touching", "0"])).map(
        " ".join
    )
)
def test_any_text_gives_consistent_triggers(sentence: str) -> None:
    found = look(sentence)
    assert GLUE & CONSISTENT <= found.glue <= found.allowed <= CONSISTENT
    assert all(terminals <= found.glue for _, terminals in found.explains)
    said, start = f" {' '.join(normalise(sentence))} ", 0
    for phrase, _ in found.explains:  # in the order of the sentence
        start = said.find(f" {phrase} ", start)
        assert start >= 0


WORDS = "a the with and at least two 3 one black blue yellow circle square box tower top touching"
SAID = st.lists(st.sampled_from(sorted(names(WORDS))))


@given(SAID.map(" ".join) | st.text())
def test_every_phrase_is_told_with_the_words_where_it_stands(sentence: str) -> None:
    found, words = look(sentence), normalise(sentence)
    assert len(found.words) == len(words)
    assert len(found.spans) == len(found.explains)
    assert [" ".join(words[start:end]) for start, end in found.spans] == [phrase for phrase, _ in found.explains]
    assert list(found.spans) == sorted(found.spans)


@given(SAID, st.permutations(("black", "blue", "yellow")), st.permutations(("circle", "triangle")))
def test_colours_and_shapes_can_take_each_others_place(words: list[str], colors: list[str], shapes: list[str]) -> None:
    renamed = dict(zip(("black", "blue", "yellow"), colors, strict=True))
    renamed |= dict(zip(("circle", "triangle"), shapes, strict=True))  # a square may be a box
    one, other = look(" ".join(words)), look(" ".join(renamed.get(word, word) for word in words))
    assert one.words == other.words
    assert one.spans == other.spans

    def asked_for(found: Hints) -> list[set[str]]:
        return [{found.classes.get(name, name) for name in wanted} for _, wanted in found.explains]

    assert asked_for(one) == asked_for(other)


def test_classes_are_of_terminals_that_languages_have_and_one_is_no_number_like_the_others() -> None:
    assert CLASSES.keys() <= CONSISTENT
    assert look("one black block and two circles").words == ("one", "{color}", "block", "and", "{number}", "{shape}")
    assert "1" not in CLASSES


def test_what_holds_a_program_together_may_be_repeated_for_every_part_of_the_sentence() -> None:
    plain = look("There is a box with a black item").repeats
    joined = look("There is a box with two black items and two blue items and two yellow items").repeats
    assert joined["box_filter_and"] > plain["box_filter_and"]
    assert joined["object_count_equals"] == 3
    assert joined.keys() <= look("There is a box with two black items and two blue items and a yellow item").allowed
    assert "black" not in joined
    assert look("There is a black item and a box with it").repeats["black"] == 2


@pytest.mark.nlvr
def test_train_sentences_are_known_word_by_word_and_narrowed_to_few_terminals(nlvr: Path) -> None:
    lexicon = Lexicon(CONSISTENT)
    utterances = read(nlvr / "train.json").utterances
    found = [(hints, not hints.unknown) for hints in map(lexicon.hints, utterances)]
    assert mean(known for _, known in found) > 0.995
    assert mean(known and all(wanted for _, wanted in hints.explains) for hints, known in found) > 0.98
    assert mean(len(hints.allowed) for hints, _ in found) < 20


def closely(sentence: str) -> Hints:
    """As the extended language reads it."""
    return Lexicon(Extended.grammar.signature, ENTRIES, closely=True).hints(Unlabelled(sentence))


@pytest.mark.parametrize(
    ("sentence", "is_counted"),
    [
        ("there is a box with two different colors", True),
        ("there is a box with items of only one color", True),
        ("there is a tower with three blocks of yellow color", False),
        ("there is a blue block as the base of only two towers", False),
        ("there is a tower with two blocks of the same color", False),
    ],
)
def test_read_closely_colours_are_counted_only_where_something_counts_them(sentence: str, is_counted: bool) -> None:
    assert ("object_color_count_equals" in closely(sentence).allowed) is is_counted


@pytest.mark.parametrize(
    ("sentence", "is_wall"),
    [
        ("there is a circle touching the top", True),
        ("there is a circle near the top wall of a box", True),
        ("there is a blue item touching the wall and a yellow item on the top", False),
    ],
)
def test_read_closely_the_top_is_a_wall_only_beside_touching(sentence: str, is_wall: bool) -> None:
    assert ("touch_top" in closely(sentence).allowed) is is_wall


@pytest.mark.parametrize(
    ("sentence", "shared"),
    [
        ("a box with a yellow circle and square", {"yellow": 2}),
        ("a box with a black and a blue square", {"square": 2}),
        ("a tower with a black block at the top and the base", {"black": 2}),
        ("a box with a black circle and a yellow item", {}),
    ],
)
def test_what_two_parts_share_may_be_said_once_more(sentence: str, shared: dict[str, int]) -> None:
    repeats = closely(sentence).repeats
    assert {name: often for name, often in repeats.items() if name in (*COLORS, *SHAPES)} == shared


@pytest.mark.parametrize(
    ("sentence", "asked_for"),
    [
        ("the second block from the base of a tower is black", ["directly_above", "bottom", "black color_black"]),
        ("the top of the two towers is black", ["top", "2", "all_boxes some_box", "black color_black"]),
        (
            "there is a different number of items in the boxes",
            ["box_same_count", "box_count_lesser", "all_boxes some_box"],
        ),
        (
            "three towers are not the same in height",
            ["3", "all_boxes some_box", "box_same_count", "box_count_lesser"],
        ),
        (
            "more than one of the towers has a black block",
            ["box_count_greater", "1", "all_boxes some_box", "black color_black"],
        ),
        (
            "two or more boxes hold a circle",
            ["box_count_greater_equals", "2", "all_boxes some_box", "circle shape_circle"],
        ),
        ("three or more colors", ["object_color_count_greater_equals", "3"]),
        ("the squares do not have exactly two colors", ["square shape_square", "object_color_count_not_equals", "2"]),
        ("there is a black block that is not at the top of its tower", ["black color_black", "negate_filter", "top"]),
        ("a circle not touching the wall", ["circle shape_circle", "negate_filter", "touch_wall", "touch_wall"]),
        ("a small circle touches no wall", ["small", "circle shape_circle", "negate_filter", "touch_wall"]),
        (
            "a box with both a circle and a square",
            ["all_boxes some_box", "box_filter_and object_exists_both", "circle shape_circle", "square shape_square"],
        ),
        ("a tower stands on a black block", ["all_boxes some_box", "bottom above directly_above", "black color_black"]),
        ("there is a box with an odd number of items", ["all_boxes some_box", ""]),
        (
            "there are two black triangles in the same box",
            ["2", "black color_black", "triangle shape_triangle", "all_boxes some_box"],
        ),
        ("a circle in the lower corner", ["circle shape_circle", "touch_corner", "touch_bottom"]),
        ("a black second block", ["black color_black", "directly_above directly_below", "bottom top"]),
    ],
)
def test_what_phrases_of_the_extended_language_ask_for(sentence: str, asked_for: list[str]) -> None:
    assert [names(wanted) for wanted in asked_for] == [set(wanted) for _, wanted in closely(sentence).explains]


@pytest.mark.parametrize(
    ("sentence", "phrase", "wanted"),
    [
        (
            "a box with at least two different colors",
            "at least two different colors",
            "object_color_count_greater_equals",
        ),
        ("all towers have more than one color", "more than one color", "object_color_count_greater"),
        ("there are three black circles or fewer", "three black circles or fewer", "object_count_lesser_equals"),
        ("there is not a single yellow item", "not a single", "object_none"),
        ("there is no blue tower with one block", "no blue tower", "no_box"),
        ("black items are both on top and on the bottom", "on top and on the bottom", "bottom"),
    ],
)
def test_longer_phrases_ask_for_what_they_mean_as_a_whole(sentence: str, phrase: str, wanted: str) -> None:
    assert any(found == phrase and wanted in names for found, names in closely(sentence).explains)


@pytest.mark.parametrize(
    ("sentence", "is_shape"),
    [
        ("there is a tower with three blocks that are the same", False),
        ("there is a tower with blocks of the same shape", True),
        ("there is a box with three items that are the same", True),
    ],
)
def test_the_shape_of_a_towers_blocks_is_meant_only_if_it_is_named(sentence: str, is_shape: bool) -> None:
    assert ("same_shape" in closely(sentence).allowed) is is_shape


@pytest.mark.parametrize(
    ("sentence", "is_denied"),
    [
        ("there is no black block as the base of a tower with four blocks", True),
        ("there is no box with a circle", True),
        ("there is a tower with no black block", False),
        ("there is no black item", False),
    ],
)
def test_no_box_is_meant_only_if_a_box_is_named_after_the_no(sentence: str, is_denied: bool) -> None:
    assert ("no_box" in closely(sentence).allowed) is is_denied


@pytest.mark.parametrize(
    ("sentence", "is_box"),
    [
        ("there is a black block as the base of a tower with two blocks", True),
        ("there is a black block as the base of a tower", False),
    ],
)
def test_a_box_that_more_is_said_of_is_asked_for(sentence: str, is_box: bool) -> None:
    assert any("some_box" in wanted for _, wanted in closely(sentence).explains) is is_box


@pytest.mark.parametrize(
    ("sentence", "about"),
    [
        ("there is a box with a black circle and two black triangles", ("black", "circle", "triangle", "scatter")),
        ("a tower has a yellow square at the top", ("yellow", "towers")),
        ("two boxes are alike", ()),
    ],
)
def test_a_sentence_tells_what_its_pictures_should_have(sentence: str, about: tuple[str, ...]) -> None:
    assert subject(sentence) == about
    assert Nlvr().topic(Unlabelled(sentence)) == (about or None)
