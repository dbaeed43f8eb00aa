"""Slots: written, found and filled."""

import pytest

from chorale.nlvr.english.slots import cluster_of, fill, fillings, is_slot, names, slot_of, slots_of


def test_slots_are_found_in_order_and_know_their_cluster():
    assert slots_of("{color2} over {number} or touch_{edge}({color2})") == ("{color2}", "{number}", "{edge}")
    assert [cluster_of(slot) for slot in ("{color}", "{color2}", "{edge}")] == ["color", "color", "edge"]
    assert (slot_of("color"), slot_of("color", 2)) == ("{color}", "{color2}")
    assert [is_slot(token) for token in ("{one}", "one", "a{one}", "{COLOR}")] == [True, False, False, False]


def test_a_slot_is_filled_wherever_it_stands():
    assert fill("{color}(color_{color})", {"{color}": "black", "{size}": "big"}) == "black(color_black)"
    with pytest.raises(KeyError):
        fill("{color}", {})


def test_every_filling_is_made():
    choices = {"{number}": ("two", "2"), "{color}": ("black", "blue")}
    assert list(fillings("{number} of {number} items", choices)) == [
        "two of two items", "two of 2 items", "2 of two items", "2 of 2 items",
    ]  # fmt: skip
    assert list(fillings("color_{color}", choices)) == ["color_black", "color_blue"]
    assert list(fillings("color_{color}", {"{color}": ()})) == []
    assert list(fillings("item", {})) == ["item"]


def test_values_are_part_of_the_names_of_programs():
    assert names("color", "black") == ["black", "color_black"]
    assert names("number", "{number}") == ["{number}"]
