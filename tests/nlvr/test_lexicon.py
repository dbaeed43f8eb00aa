from pathlib import Path
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.nlvr.english.lexicon import (
    GLUE,
    TABLE,
    Lexicon,
    Row,
    Triggers,
    reference_consistent,
    reference_macro,
    triggers,
)
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


@pytest.mark.parametrize(
    ("sentence", "consistent", "macro"),
    [
        ("There is a box with a yellow circle", "box_exists box_filter all_boxes yellow circle",
         "box_exists color_yellow shape_circle"),
        ("There is a tower with two blue blocks", "box_exists box_filter all_boxes 2 blue", "box_exists 2 color_blue"),
        ("There is a black block above a blue block.", "object_exists black above blue",
         "object_exists black above blue"),
        ("There is a square closely touching the bottom of a box.", "object_exists touch_bottom square",
         "object_exists touch_bottom square"),
        ("There is 1 tower with a black block at the base", "box_filter all_boxes 1 black bottom", "1 black bottom"),
        ("there is a tower with a black block as the top", "box_exists box_filter all_boxes black top",
         "box_exists color_black"),
        ("There are exactly two black objects not touching any edge", "2 black negate_filter touch_wall",
         "2 black negate_filter touch_wall"),
        ("There are 2 yellow items touching each other", "2 yellow touch_object", "2 yellow touch_object"),
        ("There is a blue item touching the right wall", "object_exists blue touch_right",
         "object_exists blue touch_right"),
        ("There is a box with an item not touching a wall", "box_exists box_filter all_boxes negate_filter touch_wall",
         "box_exists"),
        ("One of the grey squares contains 3 objects", "1 3 square box_filter", "1 3 square all_boxes"),
        ("Each box has a small triangle", "box_filter all_boxes small triangle", "all_boxes small triangle"),
        ("There is a black block as the top of a tower", "object_exists black top", "object_exists black top"),
        ("Every box is full", "box_filter all_boxes", "all_boxes"),  # in the macro language by the last resort
        ("Many items of a box", "box_filter all_boxes", "all_boxes"),  # the last resort in both
        ("Items are there", "all_objects", "all_objects"),
        # Quirks: parts of words count, and a box after an opening does not make box_exists.
        ("None of the items is on another", "1 negate_filter", "1 negate_filter"),
        ("THERE ARE NINE BIG TRIANGLES", "9 big triangle", "9 big triangle"),
        ("There is a towering block touching the top corner", "box_filter all_boxes touch_top",
         "object_exists touch_top"),
        ("There is a box with a big item below", "box_exists box_filter all_boxes big below", "box_exists big below"),
    ],
)  # fmt: skip
def test_the_reference_agenda_worked_out_by_hand(sentence: str, consistent: str, macro: str) -> None:
    assert reference_consistent(sentence) == names(consistent)
    assert reference_macro(sentence) == names(macro)


@given(st.text())
def test_the_reference_agenda_is_never_empty_and_has_only_known_names(sentence: str) -> None:
    assert set() < reference_consistent(sentence) <= CONSISTENT
    assert set() < reference_macro(sentence) <= MACRO


def look(sentence: str) -> Triggers:
    return triggers(sentence, CONSISTENT)


def asked(sentence: str) -> list[tuple[str, set[str]]]:
    return [(asked.word, set(asked.terminals)) for asked in look(sentence).explains]


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
    assert names("2 box_count_equals box_count_greater_equals object_count_equals") <= found.explained
    assert "box_count_lesser" not in found.allowed


def test_colours_are_counted_only_when_colour_is_spoken_of() -> None:
    assert "object_color_count_equals" in look("a box with 3 different colours").allowed
    assert "object_color_count_equals" not in look("a box with 3 yellow items").allowed


def test_only_two_colours_can_be_said_by_the_missing_one_or_by_counting_colours() -> None:
    found = look("There is a box with only black and yellow items")
    assert names("object_color_none_equals color_blue object_color_count_equals 2") <= found.explained


def test_no_can_be_said_as_fewer_than_one() -> None:
    assert names("object_count_lesser 1 object_color_none_equals") <= look("there is no black item").explained


def test_every_box_can_be_said_as_three_boxes() -> None:
    assert names("box_count_equals 3") <= look("ll the towers have a black block").explained


def test_a_black_tower_is_all_black_but_a_black_block_need_not_be() -> None:
    assert "object_color_all_equals" in look("there is a black tower").explained
    block = look("there is a black block")
    assert "object_color_all_equals" in block.allowed - block.explained


def test_what_a_program_leaves_unexplained_is_told_both_ways() -> None:
    found = look("There is a box with at least 2 yellow squares")
    good = names("box_exists box_filter all_boxes object_count_greater_equals 2 yellow square")
    assert found.unexplained_words(good) == ()
    assert found.unexplained_terminals(good) == frozenset()
    poor = names("box_exists box_filter all_boxes object_exists yellow object_color_all_equals")
    assert [asked.word for asked in found.unexplained_words(poor)] == ["at least 2", "at least 2", "squares"]
    assert found.unexplained_terminals(poor) == {"object_color_all_equals"}


def test_words_the_table_does_not_know_are_listed() -> None:
    found = look("there is a zebra in the box")
    assert [found.words[place] for place in found.unknown] == ["zebra"]


def test_a_language_gets_only_terminals_it_has() -> None:
    sentence = "There is a box with at least 2 yellow squares of the same color"
    macro = triggers(sentence, MACRO)
    assert "member_count_greater_equals" in macro.allowed
    assert macro.allowed <= MACRO
    assert triggers(sentence, {"yellow", "2"}).allowed == {"yellow", "2"}


def test_another_language_puts_its_own_rows_in_front() -> None:
    rows = (Row("or", ("either",)), Row("zebra", ("stripes",)), *TABLE)
    found = triggers("a zebra or a box", CONSISTENT | {"either", "stripes"}, rows=rows)
    assert found.unknown == ()
    assert {"either", "stripes"} <= found.allowed


@given(
    st.text()
    | st.lists(st.sampled_from(["only", "no", "all", "same", "2", "one", "black", "box", "top", "touching", "0"])).map(
        " ".join
    )
)
def test_any_text_gives_consistent_triggers(sentence: str) -> None:
    found = look(sentence)
    assert GLUE <= found.explained <= found.allowed <= CONSISTENT
    ends = [0, *(asked.end for asked in found.explains)]
    assert all(asked.start < asked.end <= len(found.words) for asked in found.explains)
    assert ends == sorted(ends)
    assert all(asked.terminals <= found.explained for asked in found.explains)


@pytest.mark.nlvr
def test_train_sentences_are_known_word_by_word_and_narrowed_to_few_terminals(nlvr: Path) -> None:
    lexicon = Lexicon(CONSISTENT)
    found = [lexicon.triggers(utterance.sentence) for utterance in read(nlvr / "train.json").utterances]
    assert mean(not one.unknown for one in found) > 0.995
    assert mean(not one.unknown and all(asked.terminals for asked in one.explains) for one in found) > 0.98
    assert mean(len(one.allowed) for one in found) < 20
