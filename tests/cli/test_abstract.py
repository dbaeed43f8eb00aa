"""`chorale abstract`."""

import json


def test_a_sentence_is_shown_with_slots_and_programs(chorale):
    called = chorale("abstract", "There are 2 yelow items.")
    assert called.status == 0
    assert called.out.splitlines()[0] == "there are {number} {color} items"
    assert "object_count_equals(2, yellow(all_objects))" in called.out
    as_json = chorale("abstract", "There are 2 yelow items.", "--json").json()
    assert as_json["fillings"] == {"{number}": "2", "{color}": "yellow"}


def test_the_check_lists_the_worst_example_first(chorale, data, tmp_path):
    lines = [json.loads(line) for line in data.read_text().splitlines()]
    for number, line in enumerate(lines):
        line["sentence"] = "There is a yellow item." if number < 4 else "There is a yellow block."
    data.write_text("\n".join(map(json.dumps, lines)))
    program = "object_exists({color}(all_objects))"
    wrong = "object_count_lesser(1, {color}(all_objects))"
    mine = tmp_path / "mine.toml"
    mine.write_text(
        f'[[example]]\nutterance = "there is a {{color}} item"\nfrequency = 1\nprograms = ["{program}"]\n'
        f'[[example]]\nutterance = "there is a {{color}} block"\nfrequency = 2\nprograms = ["{wrong}"]\n'
    )
    called = chorale("abstract", "--check", data=data, examples=mine)
    assert called.status == 0
    assert called.out.splitlines()[0] == "there is a {color} block"
    assert "first programs agree on 4 of 12 pairs and on all pairs of 1 of 3 groups" in called.out
    worst, best = chorale("abstract", "--check", "--json", data=data, examples=mine).json()
    assert (worst["program"], worst["right_pairs"], worst["pairs"]) == (wrong, 0, 8)
    assert (best["line"], best["right_groups"]) == (2, 1)


def test_a_bad_example_is_named_with_its_line(chorale, data, tmp_path):
    mine = tmp_path / "mine.toml"
    mine.write_text('[[example]]\nutterance = "a {color} item"\nfrequency = 1\nprograms = ["{color}(all_objects)"]\n')
    called = chorale("abstract", "--check", data=data, examples=mine)
    assert called.status == 2
    assert f"{mine}:4: programs: a program is a bool" in called.err


def test_it_says_what_to_give(chorale, data):
    assert "--data FILE" in chorale("abstract", "--check").err
    assert "give a sentence" in chorale("abstract").err
    assert "give a sentence" in chorale("abstract", data=data).err
