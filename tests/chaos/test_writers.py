"""Several processes write the same file or folder: nothing is lost, and nothing is there that does not belong together.

What they all do is listed in docs/files.md. Two or three processes here; eight of them, on every command that writes,
are `make test-chaos`.
"""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path

import pytest
from tests.chaos import together
from tests.chaos.dying import FAILED, Ending
from tests.training.conftest import write_known_candidates

from chorale.model import load
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.synthetic import Knobs, generate, write_corpus
from chorale.plumbing.files import replacing

FEW = pytest.mark.parametrize("count", [3, pytest.param(8, marks=pytest.mark.chaos)])
EIGHT = 8


def statuses(endings: list[Ending]) -> list[int]:
    assert all(one.status in {0, FAILED} for one in endings), endings
    return sorted(one.status for one in endings)


def check_one_wrote(endings: list[Ending], told: str = "another") -> None:
    """One process did the work at least; those that did not said why."""
    assert statuses(endings)[0] == 0
    assert all(told in one.said for one in endings if one.status), endings


def left(folder: Path) -> list[str]:
    """What nobody asked for."""
    return [str(it) for it in folder.rglob("*") if it.name.endswith((".part", ".lock"))]


@FEW
def test_no_mark_is_lost_and_none_has_the_name_of_another(tmp_path: Path, count: int) -> None:
    path, times = tmp_path / "marks.jsonl", 3
    endings = together.together(partial(together.mark, path, times), count, tmp_path / "log")
    assert statuses(endings) == [0] * count
    kept = [json.loads(line) for line in path.read_text().splitlines()]
    assert len({line["identifier"] for line in kept}) == len(kept) == count * times
    assert len(Nlvr().read(path)) == count * times
    assert statuses(together.together(partial(together.undo, path, times - 1), count, tmp_path / "log")) == [0] * count
    assert path.read_text().splitlines() == [json.dumps(line, ensure_ascii=False) for line in kept[:count]]
    assert not left(tmp_path)


@FEW
def test_lines_that_are_added_stay_in_one_piece(tmp_path: Path, count: int) -> None:
    endings = together.together(partial(together.append, tmp_path / "times.jsonl", 5), count, tmp_path / "log")
    assert statuses(endings) == [0] * count
    numbers = [json.loads(line)["number"] for line in (tmp_path / "times.jsonl").read_text().splitlines()]
    assert sorted(numbers) == sorted([*range(count)] * 5)


@FEW
def test_a_file_is_one_of_those_that_were_written(tmp_path: Path, count: int) -> None:
    statuses(together.together(partial(together.overwrite, tmp_path / "page.html"), count, tmp_path / "log"))
    content = (tmp_path / "page.html").read_bytes()
    assert content in {b"%d" % number * 100_000 for number in range(count)}
    assert not left(tmp_path)


@FEW
def test_a_model_always_loads_whoever_saves_it(tmp_path: Path, count: int) -> None:
    endings = together.together(partial(together.save_and_load, tmp_path / "model", 4), count, tmp_path / "log")
    assert statuses(endings) == [0] * count, endings
    assert together.weight_of(tmp_path / "model") in range(1, count + 1)
    assert len(list((tmp_path / "model").iterdir())) == 2  # the JSON and the weights it names


@FEW
def test_the_splits_of_a_corpus_belong_together(tmp_path: Path, count: int) -> None:
    endings = together.together(partial(together.synthesize, tmp_path / "corpus"), count, tmp_path / "log")
    check_one_wrote(endings, "another process is writing a corpus there")
    found = {path.name: path.read_bytes() for path in (tmp_path / "corpus").iterdir()}
    for number in range(count):
        write_corpus(tmp_path / "own", {"train": 4, "dev": 2}, Knobs(seed=number))
        if found == {path.name: path.read_bytes() for path in (tmp_path / "own").iterdir()}:
            return
    pytest.fail("train and dev are of several seeds")


@pytest.mark.parametrize("count", [2, pytest.param(EIGHT, marks=pytest.mark.chaos)])
def test_a_model_is_taught_into_a_folder_once(tmp_path: Path, count: int) -> None:
    made = next(iter(generate("train", 1, Knobs(seed=4))))
    (tmp_path / "marks.jsonl").write_text("\n".join(made.lines()))
    model = tmp_path / "small"
    together.save(model, 1, 0)
    marks = tmp_path / "marks.jsonl"
    words = ("teach", marks, model, "--out", tmp_path / "taught", "--others", marks)
    endings = together.together(together.command(*words), count, tmp_path / "log")
    assert statuses(endings) == [0] + [FAILED] * (count - 1)
    assert all("another process is writing" in it.said or "is there already" in it.said for it in endings if it.status)
    assert load(tmp_path / "taught").about.taught == 1
    assert not left(tmp_path)


def test_what_a_killed_writer_leaves_is_removed_by_the_next_and_files_under_way_stay(tmp_path: Path) -> None:
    for _ in range(2):  # the second one tidies up after the first
        together.together(partial(together.die_while_writing, tmp_path / "train.jsonl.gz"), 1, tmp_path / "log")
        assert len(left(tmp_path)) == 1
    with replacing(tmp_path / "slow") as stream:
        assert together.together(partial(together.write_a_file, tmp_path / "other"), 1, tmp_path / "log")[0].status == 0
        assert len(left(tmp_path)) == 1
        stream.write(b"slow, but whole")
    assert (tmp_path / "slow").read_bytes() == b"slow, but whole"
    assert not left(tmp_path)


# -- every command that writes -----------------------------------------------------------------------------------------

RECIPE = """\
name = "small"
stages = [
  {{ kind = "search", file = {file} }},
  {{ kind = "mml", max_actions = 7, epochs = 1, beam = 2 }},
]
parser = {{ token_embedding = 4, encoder = 4, action_embedding = 4 }}
"""
COMMANDS = {
    "synthesize": "synthesize --out {out} --utterances 6 --dev 2 --test 0 --seed {{}}",
    "train": "train {folder}/recipe.toml --data {folder} --out {out}",
    "sweep": "sweep {folder}/recipe.toml --data {folder} --out {out} --seeds 1 --jobs 1",
    "folds": "folds {folder}/recipe.toml --data {folder} --out {out} --folds 2 --jobs 1",
    "search": "search --data {folder}/train.jsonl.gz --out {out}.jsonl",
    "predict": "predict {folder}/model --data {folder}/train.jsonl.gz --out {out}.csv --programs {out}.jsonl",
    "evaluate": "evaluate {folder}/model --data {folder}/train.jsonl.gz --mistakes {out}.html",
    "pairs": "pairs --data {folder}/train.jsonl.gz --seed {{}} --out {out}.jsonl",
    "run": "run all_boxes --data {folder}/train.jsonl.gz --out {out}.jsonl",
    "report": "report {folder}/run --out {out}.html",
    "draw": "draw {folder}/train.jsonl.gz 0-0 --out {out}.svg",
    "explain": "explain There_is_a_circle --model best --html {out}.html",
}
"""Beside marks, teaching and `Model.save`, which are above; `{{}}` is the number of the process."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus, a recipe, a model and a run."""
    made = tmp_path_factory.mktemp("writers")
    write_corpus(made, {"train": 8, "dev": 4}, Knobs(seed=3))
    write_known_candidates(made / "candidates.jsonl", 8, Knobs(seed=3))
    (made / "recipe.toml").write_text(RECIPE.format(file=json.dumps(str(made / "candidates.jsonl"))))
    together.save(made / "model", 1, 0)
    words = ("train", made / "recipe.toml", "--data", made, "--out", made / "run")
    assert together.together(together.command(*words), 1, made / "log")[0].status == 0
    return made


@pytest.mark.chaos
@pytest.mark.parametrize("name", COMMANDS)
def test_eight_processes_write_what_one_would_have_written(folder: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out" / "of"
    out.parent.mkdir()
    words = [word.replace("_", " ") if word.startswith("There") else word for word in COMMANDS[name].split()]
    words = [word.format(folder=folder, out=out) for word in words]
    endings = together.together(together.command(*words), EIGHT, tmp_path / "log")
    check_one_wrote(endings)
    written = sorted(it for it in out.parent.rglob("*") if it.is_file() and it.name not in {"lock", "times.jsonl"})
    assert written
    assert not left(out.parent)
    for path in written:
        content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        if path.suffix in {".json", ".jsonl"}:
            assert [json.loads(line) for line in ([content] if path.suffix == ".json" else content.splitlines())]
        elif path.suffix in {".html", ".svg"}:
            assert content.rstrip().endswith((b"</html>", b"</svg>"))
    again = together.together(together.command(*words), 1, tmp_path / "log")[0]
    assert again.status == 0, again.said
