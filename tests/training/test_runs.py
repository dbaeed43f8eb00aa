"""Runs: killed at any moment and started again they end the same; what does not fit together is refused."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import torch
from safetensors.numpy import load_file
from safetensors.torch import load_file as torch_load
from tests.training.killing import Impatient, Killed, Mortality

from chorale.errors import ChoraleError
from chorale.model import load
from chorale.nlvr.domain import Nlvr
from chorale.runs.checkpoints import write_tensors
from chorale.runs.run import find_split, open_run, read_metrics, read_right
from chorale.runs.watching import Interrupted, Stop, Watcher
from chorale.training.recipes import Recipe, parse_recipe, written_recipe
from chorale.training.train import train

SRC = str(Path(__file__).parents[2] / "src")


@pytest.fixture(scope="session")
def finished(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny recipe, trained without interruption."""
    recipe = parse_recipe((tiny / "tiny.toml").read_text())
    return train(recipe, tiny, tmp_path_factory.mktemp("runs") / "finished")


def content(run: Path) -> dict[str, bytes]:
    names = ["recipe.toml", "metrics.jsonl", "dev.json", "model.json", "model.safetensors", "progress.json"]
    return {name: (run / name).read_bytes() for name in names}


def command(tiny: Path, out: Path) -> list[str]:
    start = [sys.executable, "-m", "chorale", "train", str(tiny / "tiny.toml")]
    return [*start, "--data", str(tiny), "--out", str(out)]


def start(tiny: Path, out: Path, hash_seed: int = 0) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": SRC, "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": str(hash_seed)}
    return subprocess.Popen(
        command(tiny, out), env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def test_a_run_holds_what_it_promises(finished: Path) -> None:
    lines = [json.loads(line) for line in (finished / "metrics.jsonl").read_text().splitlines()]
    kinds = [(line["stage"], line["kind"]) for line in lines]
    assert kinds == [(1, "search")] + [(2, "mml")] * 4 + [(3, "reward")] * 3 + [(4, "collect")] + [(5, "mml")] * 3
    assert not any("seconds" in line for line in lines)
    about = json.loads((finished / "model.json").read_text())
    assert about["grammar"] == Nlvr.languages["consistent"].grammar.fingerprint
    assert about["metrics"]["dev_consistency"] == lines[-1]["dev_consistency"]
    assert not list(finished.rglob("*.part"))
    assert not list(finished.rglob("state-*"))


def test_the_same_seed_gives_the_same_run_and_another_seed_another(
    finished: Path, recipe: Recipe, tiny: Path, tmp_path: Path
) -> None:
    assert content(train(recipe, tiny, tmp_path / "again")) == content(finished)
    other = train(recipe, tiny, tmp_path / "other", seed=1)
    assert (other / "metrics.jsonl").read_bytes() != (finished / "metrics.jsonl").read_bytes()


def test_killed_after_every_write_the_run_ends_the_same(
    finished: Path, recipe: Recipe, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dies at a random write, before or after it, again and again, until it gets to the end."""
    mortality = Mortality(monkeypatch, seed=5)
    mortality.until(tmp_path / "run" / "model.json", 2, 7, lambda: train(recipe, tiny, tmp_path / "run"))
    assert mortality.kills > 5
    assert content(tmp_path / "run") == content(finished)


@pytest.mark.parametrize("moments", [(0, 5), pytest.param((2, 8, 10), marks=pytest.mark.slow)], ids=str)
def test_sigkill_and_start_again_under_another_hash_seed_end_the_same(
    finished: Path, tiny: Path, tmp_path: Path, moments: tuple[int, ...]
) -> None:
    """Killed, each time, as soon as there are so many lines of metrics."""
    out = tmp_path / "run"
    for lines in moments:
        process = start(tiny, out, hash_seed=1 + lines)
        try:
            while process.poll() is None and (not (out / "run.json").exists() or lines_in(out) < lines):
                time.sleep(0.002)
            process.kill()
        finally:
            said, _ = process.communicate()
        assert process.returncode == -signal.SIGKILL, said
    process = start(tiny, out, hash_seed=99)
    said, _ = process.communicate(timeout=120)
    assert process.returncode == 0, said
    assert content(out) == content(finished)


def lines_in(run: Path) -> int:
    path = run / "metrics.jsonl"
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_sigterm_stops_cleanly_and_says_how_to_go_on(finished: Path, tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    process = start(tiny, out)
    while not (out / "progress.json").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGTERM)
    said, _ = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM, said
    assert "to resume, run the same command again" in said
    assert f"--out {out}" in said
    assert "Traceback" not in said
    assert not (out / "model.json").exists()
    train(parse_recipe((tiny / "tiny.toml").read_text()), tiny, out)
    assert content(out) == content(finished)


def test_a_stop_between_steps_loses_nothing(finished: Path, recipe: Recipe, tiny: Path, tmp_path: Path) -> None:
    for steps in (2, 7, 9, 6):
        stop = Stop()
        with pytest.raises(Interrupted):
            train(recipe, tiny, tmp_path / "run", stop=stop, watcher=Impatient(stop, steps))
    assert content(train(recipe, tiny, tmp_path / "run")) == content(finished)


def test_a_complete_run_is_left_as_it_is(finished: Path, recipe: Recipe, tiny: Path) -> None:
    before = content(finished)
    train(recipe, tiny, finished)
    assert content(finished) == before


def test_another_recipe_seed_or_data_is_refused(finished: Path, recipe: Recipe, tiny: Path, tmp_path: Path) -> None:
    other = parse_recipe((tiny / "tiny.toml").read_text(), changes=["mml.learning_rate=0.01"])
    with pytest.raises(ChoraleError, match=r"stages.2.learning_rate: 0.005 before, 0.01 now"):
        train(other, tiny, finished)
    with pytest.raises(ChoraleError, match="seed: 0 before, 7 now"):
        train(recipe, tiny, finished, seed=7)
    shutil.copytree(tiny, tmp_path / "data")
    shutil.copy(tmp_path / "data" / "dev.jsonl.gz", tmp_path / "data" / "train.jsonl.gz")
    with pytest.raises(ChoraleError, match="train is another file"):
        train(recipe, tmp_path / "data", finished)


def test_two_processes_do_not_work_on_one_run(recipe: Recipe, tmp_path: Path) -> None:
    messages: list[str] = []

    def second() -> None:
        try:
            with open_run(tmp_path / "run", written_recipe(recipe), 0, {}):
                pass
        except ChoraleError as error:
            messages.append(str(error))

    with open_run(tmp_path / "run", written_recipe(recipe), 0, {}):
        thread = threading.Thread(target=second)
        thread.start()
        thread.join()
    assert "another process is working on this run" in messages[0]
    with open_run(tmp_path / "run", written_recipe(recipe), 0, {}):
        pass


def test_a_folder_of_something_else_is_refused(recipe: Recipe, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(ChoraleError, match="holds something else"), open_run(tmp_path, written_recipe(recipe), 0, {}):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


@pytest.mark.parametrize("damage", ["truncate", "flip", "remove"])
def test_damaged_weights_are_noticed(finished: Path, tmp_path: Path, damage: str) -> None:
    shutil.copytree(finished, tmp_path / "run")
    path = tmp_path / "run" / "model.safetensors"
    data = bytearray(path.read_bytes())
    if damage == "truncate":
        path.write_bytes(data[:-10])
    elif damage == "flip":
        data[-1] ^= 1
        path.write_bytes(data)
    else:
        path.unlink()
    with pytest.raises(ChoraleError, match=r"missing|damaged or changed"):
        load(tmp_path / "run")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("format", 99, "written by a newer Chorale .format 99"),
        ("format", "x", "damaged"),
        ("grammar", "0" * 16, "another grammar"),
        ("vocabulary", None, "damaged: vocabulary: expected a list, found nothing"),
        ("vocabulary", ["a", "a"], "twice"),
        ("vocabulary", ["a"], "do not fit the network"),
        ("sizes", 2, "damaged: sizes: expected a table, found a whole number 2"),
        ("sizes", {"encoder": 4000, "token_embedding": 4000}, "do not fit the network"),
        ("sizes", {"encoder": 20000}, "damaged: sizes.encoder: must be at most 4096"),
        ("beam", 1_000_000, "damaged: beam: must be at most"),
        ("beam", "x", "damaged: beam: expected a whole number, found text 'x'"),
        ("seen", 3, "damaged: seen: expected a list"),
        ("kind", "oracle", "damaged: kind: expected one of 'network'"),
        ("domain", "nowhere", "there is no domain 'nowhere'"),
        ("domain", "os:system", "there is no domain 'os:system' installed here"),
        ("language", "consistant", "did you mean 'consistent'"),
        ("weights", {"file": "../../etc/passwd", "sha256": ""}, "passwd: missing"),
        ("weights", {"file": "a\0b", "sha256": ""}, "missing"),
        ("weights", {"file": "", "sha256": ""}, "expected a plain file, found a folder"),
    ],
)
def test_a_model_that_does_not_fit_is_refused(
    finished: Path, tmp_path: Path, key: str, value: object, message: str
) -> None:
    shutil.copytree(finished, tmp_path / "run")
    path = tmp_path / "run" / "model.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), key: value}))
    with pytest.raises(ChoraleError, match=message):
        load(tmp_path / "run")


def test_weights_that_are_not_finite_are_refused(finished: Path, tmp_path: Path) -> None:
    shutil.copytree(finished, tmp_path / "run")
    tensors = torch_load(tmp_path / "run" / "model.safetensors")
    tensors["output.weight"][0, 0] = float("nan")
    hashed = write_tensors(tmp_path / "run" / "model.safetensors", tensors)
    path = tmp_path / "run" / "model.json"
    about = json.loads(path.read_text())
    path.write_text(json.dumps({**about, "weights": {**about["weights"], "sha256": hashed}}))
    with pytest.raises(ChoraleError, match=r"output\.weight holds numbers that are not finite"):
        load(tmp_path / "run")


def test_sizes_that_the_weights_do_not_bear_out_take_no_memory(finished: Path, tmp_path: Path) -> None:
    shutil.copytree(finished, tmp_path / "run")
    path = tmp_path / "run" / "model.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "sizes": {"encoder": 4096, "token_embedding": 4096}}))
    script = (
        "import resource, sys, chorale, chorale.model\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "try:\n    chorale.load(sys.argv[1])\nexcept chorale.errors.ChoraleError as error:\n    print(error)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    environment = {**os.environ, "PYTHONPATH": SRC}
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "run")],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    message, grown = done.stdout.splitlines()
    assert "do not fit the network" in message
    assert int(grown) < 150_000  # kilobytes; the network would take a gigabyte


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("progress.json", "[]"),
        ("progress.json", '{"format": 1, "stages": "x"}'),
        ("progress.json", '{"format": 1, "outputs": {"model": 3}}'),
        ("progress.json", '{"format": 1, "given": [{}]}'),
        ("run.json", '{"format": 1}'),
        ("run.json", '{"format": 1, "seed": [], "data": {}, "versions": {}}'),
        ("recipe.toml", "x = " + 5000 * "["),
        ("recipe.toml", "name = "),
    ],
)
def test_damaged_files_of_a_run_are_refused_in_words(
    finished: Path, recipe: Recipe, tiny: Path, tmp_path: Path, file: str, content: str
) -> None:
    shutil.copytree(finished, tmp_path / "run")
    (tmp_path / "run" / file).write_text(content)
    with pytest.raises(ChoraleError, match=file.replace(".", r"\.")):
        train(recipe, tiny, tmp_path / "run")
    with pytest.raises(ChoraleError, match=file.replace(".", r"\.")):
        train(recipe, tiny, tmp_path / "other", after=tmp_path / "run")


@pytest.mark.parametrize("content", ["{}", "[]", '{"right": {}}', '{"right": {"a": []}}', '{"right": {"a": [1]}}', "x"])
def test_what_dev_says_is_checked_before_it_is_compared(tmp_path: Path, content: str) -> None:
    (tmp_path / "dev.json").write_text(content)
    with pytest.raises(ChoraleError, match=r"dev\.json: damaged"):
        read_right(tmp_path / "dev.json")


@pytest.mark.parametrize("line", ["3", "{}", '{"stage": "x", "kind": "mml"}', 3000 * "["])
def test_metrics_are_checked_line_by_line(tmp_path: Path, line: str) -> None:
    (tmp_path / "metrics.jsonl").write_text('{"stage": 1, "kind": "mml"}\n' + line + "\n")
    with pytest.raises(ChoraleError, match=r"metrics\.jsonl:2: damaged"):
        read_metrics(tmp_path)


def test_a_parse_leaves_the_number_of_threads_as_it_was(finished: Path) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        load(finished).parse("There is a black square")
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


def test_cut_json_is_noticed(finished: Path, tmp_path: Path) -> None:
    shutil.copytree(finished, tmp_path / "run")
    path = tmp_path / "run" / "model.json"
    path.write_bytes(path.read_bytes()[:100])
    with pytest.raises(ChoraleError, match="damaged, this is not JSON"):
        load(tmp_path / "run")


def test_damaged_candidates_are_noticed_when_a_run_goes_on(recipe: Recipe, tiny: Path, tmp_path: Path) -> None:
    class AfterSearch(Watcher):
        def stage(self, index: int, stage: object, epoch: int) -> None:
            if index == 1:
                raise Killed

    with pytest.raises(Killed):
        train(recipe, tiny, tmp_path / "run", watcher=AfterSearch())
    with open(tmp_path / "run" / "stages" / "01-search" / "candidates.jsonl", "a") as stream:
        stream.write("{}\n")
    with pytest.raises(ChoraleError, match=r"candidates.jsonl: damaged or changed"):
        train(recipe, tiny, tmp_path / "run")


def test_an_unfinished_run_is_no_model(recipe: Recipe, tmp_path: Path) -> None:
    with open_run(tmp_path / "run", written_recipe(recipe), 0, {}) as run:
        run.commit()
    with pytest.raises(ChoraleError, match="not finished"):
        load(tmp_path / "run")
    with pytest.raises(ChoraleError, match="no model of this name"):
        load(tmp_path / "elsewhere")


def test_weights_hold_no_code(finished: Path) -> None:
    tensors = load_file(finished / "model.safetensors")
    assert tensors["token_embedding.weight"].dtype.name == "float32"
    assert not [path for path in finished.rglob("*") if path.suffix in {".pt", ".pkl", ".bin", ".pth"}]


def test_a_missing_split_is_told(tmp_path: Path) -> None:
    with pytest.raises(ChoraleError, match=r"there is no train split; expected one of train\.json"):
        find_split(tmp_path, "train")
    with pytest.raises(ChoraleError, match="no such folder"):
        find_split(tmp_path / "none", "train")
