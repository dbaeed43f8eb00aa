import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.nlvr import reader_twin

from chorale.nlvr.pictures.scenes import COLORS, SHAPES, Object, Scene
from chorale.nlvr.reader import DataError, DataFile, check, opened, read

THING = {"x_loc": 40, "y_loc": 80, "size": 20, "type": "square", "color": "Black"}


def record(identifier: str = "7-0", **changes: Any) -> dict[str, Any]:
    """A right line, with some fields changed; a field set to ... is left out."""
    line = {
        "sentence": "There is a box.",
        "label": "true",
        "identifier": identifier,
        "directory": "7",
        "evals": {"r0": "true"},
        "structured_rep": [[THING], [], []],
    } | changes
    return {name: value for name, value in line.items() if value is not ...}


def write(folder: Path, *lines: dict[str, Any] | str, name: str = "data.json") -> Path:
    path = folder / name
    path.write_text("".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines), encoding="utf-8")
    return path


def problems(path: Path) -> list[str]:
    return [f"{p.line}: {p.field}: {p.message}" for p in check(path).problems]


def test_examples_keep_file_order_and_utterances_the_order_of_first_appearance(tmp_path: Path) -> None:
    second = {"sentence": "There is a tower.", "label": "false"}
    corpus = read(write(tmp_path, record("9-0"), record("2-1", **second), record("9-3", label="False")))
    assert [example.identifier for example in corpus.examples] == ["9-0", "2-1", "9-3"]
    assert [utterance.identifier for utterance in corpus.utterances] == ["9", "2"]
    assert corpus.utterances[0].answers == (True, False)
    assert corpus.utterances[0].contexts == tuple(example.scene for example in corpus.examples[::2])
    assert [example.line for example in corpus.examples] == [1, 2, 3]
    assert corpus.examples[0].evals == {"r0": "true"}
    assert corpus.examples[0].directory == "7"


def test_missing_last_newline_blank_lines_bom_and_carriage_returns_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    text = json.dumps(record("1-0")) + "\r\n\r\n  \n" + json.dumps(record("1-1"))
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    corpus = read(path)
    assert [example.line for example in corpus.examples] == [1, 4]


def test_gzip_is_read_whatever_the_name(tmp_path: Path) -> None:
    for name in ("data.json.gz", "data.json"):
        path = tmp_path / name
        path.write_bytes(gzip.compress(json.dumps(record()).encode()))
        assert len(read(path).examples) == 1


def test_evals_and_directory_may_be_missing(tmp_path: Path) -> None:
    example = read(write(tmp_path, record(evals=..., directory=...))).examples[0]
    assert example.evals == {}
    assert example.directory is None


@pytest.mark.parametrize(("value", "label"), [("TRUE", True), ("false", False), (True, True), (False, False)])
def test_labels_are_read_in_any_case_and_as_booleans(tmp_path: Path, value: object, label: bool) -> None:
    assert read(write(tmp_path, record(label=value))).examples[0].label is label


def test_labels_may_be_missing_only_when_asked(tmp_path: Path) -> None:
    path = write(tmp_path, record(label=...))
    assert read(path, labels_required=False).examples[0].label is None
    assert check(path, labels_required=False).labels == {"true": 0, "false": 0, "none": 1}
    with pytest.raises(DataError, match="label: missing"):
        read(path)


def thing(**changes: Any) -> list[Any]:
    return [[], [THING | changes], []]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"sentence": }', "1: : not JSON: expected value at column 14"),
        ("[1, 2]", "1: : Input should be an object, found a list [1, 2]"),
        ("[" * 100_000, "1: : not JSON: recursion limit exceeded"),
        (record(sentence=...), "1: sentence: missing"),
        (record(sentence=" "), "1: sentence: empty"),
        (record(sentence=3), "1: sentence: expected text, found a whole number 3"),
        (record(sentence="\ud800"), "1: : not JSON: unexpected end of hex escape at column 21"),
        (record(label="maybe"), '1: label: expected "true" or "false", found \'maybe\''),
        (record(label=1), "1: label: expected"),
        (record(label=None), '1: label: missing, expected "true" or "false"'),
        (record(identifier=...), "1: identifier: missing"),
        (record(identifier="7"), "1: identifier: expected the form n-m such as 17-0, found '7'"),
        (record(identifier="7-0-1"), "1: identifier: expected the form n-m"),
        (record(identifier="٧-٠"), "1: identifier: expected the form n-m"),
        (record(directory=7), "1: directory: expected text, found a whole number 7"),
        (record(evals=["true"]), "1: evals: expected a table, found a list ['true']"),
        (record(evals={"r0": True}), "1: evals.r0: expected text, found true or false True"),
        (record(structured_rep=...), "1: structured_rep: missing"),
        (record(structured_rep=None), "1: structured_rep: expected a list, found nothing"),
        (record(structured_rep=[[], []]), "1: structured_rep: expected 3 boxes, found 2"),
        (record(structured_rep=thing(color="Red")), "1: structured_rep[1][0].color: unknown colour 'Red', expected"),
        (record(structured_rep=thing(type="star")), "1: structured_rep[1][0].type: unknown shape 'star', expected"),
        (
            record(structured_rep=thing(size=15)),
            "1: structured_rep[1][0].size: Input should be a multiple of 10, found a whole number 15",
        ),
        (record(structured_rep=thing(x_loc=81)), "1: structured_rep[1][0]: the object lies outside its box: x_loc 81"),
        (
            record(structured_rep=thing(y_loc=-1)),
            "1: structured_rep[1][0]: the object lies outside its box: x_loc 40, y_loc -1",
        ),
        (record(structured_rep=thing(y_loc="1")), "1: structured_rep[1][0].y_loc: expected a whole number"),
    ],
)
def test_a_broken_line_is_reported_with_line_and_field(tmp_path: Path, line: Any, expected: str) -> None:
    path = write(tmp_path, line, record("8-0"))
    found = problems(path)
    assert len(found) == 1
    assert found[0].startswith(expected)
    assert check(path).pairs == 1  # the other line is still read
    with pytest.raises(DataError) as error:
        read(path)
    assert f"{path}:1: " in str(error.value)


def test_bytes_that_are_not_utf8_are_a_problem_of_their_line(tmp_path: Path) -> None:
    path = tmp_path / "data.json"
    path.write_bytes(json.dumps(record()).encode() + b'\n{"sentence": "\xff"}\n')
    assert problems(path) == ["2: : not UTF-8: byte 0xff at column 15"]


def test_duplicate_identifier_names_the_line_of_the_first(tmp_path: Path) -> None:
    path = write(tmp_path, record("7-0"), record("7-1"), record("7-0"))
    assert problems(path) == ["3: identifier: '7-0' occurs twice, first in line 1"]


def test_different_sentences_in_a_group_are_a_problem_white_space_is_a_note(tmp_path: Path) -> None:
    spaced = record("7-1", sentence="There\xa0is a  box.")
    report = check(write(tmp_path, record("7-0"), spaced, spaced | {"identifier": "7-2"}))
    assert report.ok
    assert [(note.line, note.field) for note in report.notes] == [(2, "sentence")]
    path = write(tmp_path, record("7-0"), record("7-1", sentence="There is no box."))
    assert problems(path)[0].startswith("2: sentence: group 7 has another sentence in line 1: 'There is a box.'")


def test_keys_that_nobody_reads_and_keys_that_occur_twice_are_noted_once(tmp_path: Path) -> None:
    again = json.dumps(record("9-0"))[:-1] + ', "label": "true"}'
    lines = (record("8-0", lable="true", program="x"), record("8-1", lable="true"), again, again.replace("9-0", "9-1"))
    found = check(write(tmp_path, *lines))
    assert found.ok
    assert [(note.line, note.field, note.message) for note in found.notes] == [
        (1, "lable", "nobody reads this key; did you mean 'label'?"),
        (3, "label", "this key occurs twice in a line; the last one counts"),
    ]


def test_a_sentence_that_nobody_would_say_is_a_problem(tmp_path: Path) -> None:
    assert problems(write(tmp_path, record(sentence="so " * 700))) == [
        "1: sentence: a sentence of 2,100 letters; at most 2,000 are read"
    ]


def test_all_problems_of_all_lines_are_listed_in_one_run(tmp_path: Path) -> None:
    path = write(tmp_path, record(label="x", evals=3, structured_rep=3), "{", record("8-0"), record("z"))
    assert [(p.line, p.field) for p in check(path).problems] == [
        (1, "structured_rep"), (1, "label"), (1, "evals"), (2, ""), (4, "identifier"),
    ]  # fmt: skip
    with pytest.raises(DataError, match="5 problems") as error:
        read(path)
    assert len(error.value.problems) == 5


def test_a_long_list_of_problems_is_cut_in_the_message_only(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"\.\.\. and 30 more") as error:
        read(write(tmp_path, record(), *["{"] * 50))
    assert len(error.value.problems) == 50


def test_a_file_of_another_kind_is_said_to_be_no_data(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"\.\.\. and 46 more\nthis is not a data file: no line of it is an example"):
        read(write(tmp_path, *["{"] * 50))


def test_files_that_cannot_be_read_are_told_clearly(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json.gz"
    broken.write_bytes(gzip.compress(b"x" * 1000)[:-12])
    plain = write(tmp_path, record(), name="plain.gz")
    for path, message in [
        (tmp_path / "none.json", "no such file"),
        (tmp_path, "this is a folder"),
        (tmp_path / "x\0y", "not a file name"),
        (broken, "damaged gzip file"),
        (plain, "not a gzip file"),
    ]:
        for command in (read, check):
            with pytest.raises(DataError, match=message):
                command(path)


def test_an_empty_file_is_a_problem(tmp_path: Path) -> None:
    path = write(tmp_path, "", " ")
    assert str(check(path).problems[0]).startswith(f"{path}: the file is empty")
    with pytest.raises(DataError, match="the file is empty"):
        read(path)


def test_the_report_counts_what_the_file_holds(tmp_path: Path) -> None:
    scatter = [[THING | {"type": "circle"}], [], []]
    report = check(
        write(
            tmp_path,
            record("1-0"),
            record("1-1", label="false"),
            record("2-0", structured_rep=scatter),
            record("2-1"),
            record("3-0", label="false"),
        )
    )
    assert (report.pairs, report.groups, report.towers, report.scatter) == (5, 3, 4, 1)
    assert report.labels == {"true": 3, "false": 2, "none": 0}
    assert report.group_sizes == {1: 1, 2: 2}
    assert report.uniform_groups == 2


@st.composite
def objects(draw: st.DrawFn) -> Object:
    size = draw(st.sampled_from((10, 20, 30)))
    x, y = draw(st.integers(0, 100 - size)), draw(st.integers(0, 100 - size))
    return Object(x, y, size, draw(st.sampled_from(SHAPES)), draw(st.sampled_from(COLORS)))


scenes = st.builds(Scene, st.tuples(*[st.lists(objects(), max_size=9).map(tuple)] * 3))


@given(st.lists(st.tuples(scenes, st.booleans()), min_size=1, max_size=5), st.text().filter(str.strip))
def test_what_scenes_write_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[Scene, bool]], sentence: str
) -> None:
    lines = [
        record(f"5-{place}", structured_rep=scene.to_json(), label=str(label).lower(), sentence=sentence)
        for place, (scene, label) in enumerate(pairs)
    ]
    corpus: DataFile = read(write(tmp_path_factory.mktemp("data"), *lines))
    assert [(example.scene, example.label) for example in corpus.examples] == pairs
    assert {example.sentence for example in corpus.examples} == {sentence}


@pytest.mark.nlvr
@pytest.mark.parametrize(
    ("split", "pairs", "groups", "notes"), [("train", 12_408, 3_163, 1), ("dev", 989, 267, 0), ("test", 990, 266, 0)]
)
def test_the_real_files_check_clean(nlvr: Path, split: str, pairs: int, groups: int, notes: int) -> None:
    report = check(nlvr / f"{split}.json")
    assert report.problems == ()
    assert (report.pairs, report.groups, len(report.notes)) == (pairs, groups, notes)
    assert sum(report.labels.values()) == report.towers + report.scatter == pairs


@pytest.mark.nlvr
def test_train_has_the_known_share_of_towers_and_uniform_groups(nlvr: Path) -> None:
    report = check(nlvr / "train.json")
    assert report.uniform_groups == 409
    assert round(report.towers / report.pairs, 2) == 0.46


# Files that do not fit into memory

SENTENCES = ("There is a box.", "There is  a box.", "There is\ta box.", "There is no box.", " ")
TOWERS: list[Any] = [[THING], [THING], []]
LINES = st.fixed_dictionaries(
    {
        "identifier": st.builds("{}-{}".format, st.integers(0, 4), st.integers(0, 3)),
        "sentence": st.sampled_from(SENTENCES[:1] * 6 + SENTENCES),
        "structured_rep": st.sampled_from([TOWERS, TOWERS, [[THING | {"type": "circle"}], [], []], [[], []]]),
        "label": st.sampled_from(["true", "true", "false", "maybe"]),
    }
).map(json.dumps)


@given(st.lists(LINES | st.sampled_from(["", " ", "{"]), max_size=30))
def test_a_file_is_looked_through_as_if_all_of_it_were_in_memory(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    path = write(tmp_path_factory.mktemp("data"), *lines)
    report, twin = check(path), reader_twin.report(path)
    found = [(it.line, it.field, it.message) for it in report.problems]
    assert [("not JSON" if "not JSON" in it[2] else it[2], *it[:2]) for it in found] == [
        (message, line, field) for line, field, message in twin["problems"]
    ]
    assert [(it.line, it.field, it.message) for it in report.notes] == twin["notes"]
    for name in ("pairs", "labels", "towers", "group_sizes", "uniform_groups"):
        assert getattr(report, name) == twin[name]
    assert report.groups == len(twin["groups"])


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), min_size=1, max_size=40))
def test_utterances_on_the_disk_are_those_in_memory_however_their_lines_are_scattered(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[int, bool]]
) -> None:
    lines = [
        record(f"{group}-{place}", sentence=f"There are {group} boxes.", label=str(label).lower(), evals={"r": "true"})
        for place, (group, label) in enumerate(pairs)
    ]
    path = write(tmp_path_factory.mktemp("data"), *lines)
    whole = read(path).utterances
    with opened(path) as utterances:
        assert len(utterances) == len(whole)
        assert tuple(utterances) == tuple(utterances[:]) == whole
        assert utterances[-1] == whole[-1]
        assert list(reversed(utterances)) == list(reversed(whole))
        with pytest.raises(IndexError):
            utterances[len(whole)]


@given(st.lists(LINES, min_size=1, max_size=20))
def test_a_file_with_problems_is_refused_on_the_disk_as_it_is_in_memory(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    path = write(tmp_path_factory.mktemp("data"), *lines)
    assume(not check(path).ok)
    with pytest.raises(DataError) as whole:
        read(path)
    with pytest.raises(DataError) as streamed, opened(path):
        pass
    assert str(streamed.value) == str(whole.value)
    assert streamed.value.problems == whole.value.problems


def test_what_is_held_in_memory_hardly_grows_with_the_file(tmp_path: Path) -> None:
    def streamed(path: Path) -> None:
        assert check(path).ok
        with opened(path) as utterances:
            assert all(len(utterance.examples) == 2 for utterance in utterances)

    def growth(reading: Callable[[Path], object]) -> int:
        """How much more memory a file of eight times the size takes."""
        peaks = []
        for utterances in (25, 200):
            names = (f"{number}-{place}" for number in range(utterances) for place in range(2))
            path = write(tmp_path, *(record(name, structured_rep=[[THING] * 20] * 3) for name in names))
            tracemalloc.start()
            try:
                reading(path)
                peaks.append(tracemalloc.get_traced_memory()[1])
            finally:
                tracemalloc.stop()
        return peaks[1] - peaks[0]

    # Python and pydantic keep some small values for later, up to a limit; so it is not quite nothing.
    assert growth(streamed) < 0.3 * growth(lambda path: read(path).utterances)
