"""How long a sweep will still take: a guess that follows what was seen."""

import json
from pathlib import Path

import pytest

from chorale.sweeps.plan import Job
from chorale.sweeps.remaining import Remaining

RECIPE = Path("a.toml")
STAGES = {(RECIPE, ()): [1, 10, 9]}


def job(folder: Path, seed: int, recipe: Path = RECIPE) -> Job:
    return Job(recipe, (), seed, folder / f"{recipe.stem}-{seed}")


def begin(one: Job, **line: object) -> None:
    one.status = "running"
    one.folder.mkdir(exist_ok=True)
    (one.folder / "metrics.jsonl").write_text(json.dumps(line) + "\n")


def test_epochs_are_counted_until_a_run_is_done_and_then_its_time_counts(tmp_path: Path) -> None:
    now = [0.0]
    remaining, jobs = Remaining(STAGES, 1, lambda: now[0]), [job(tmp_path, seed) for seed in range(3)]
    jobs[0].status = "running"
    assert remaining.seconds(jobs) is None  # nothing is known yet
    begin(jobs[0], stage=2, kind="mml", epoch=4)
    now[0] = 50.0
    assert remaining.seconds(jobs) == pytest.approx(150 + 2 * 200)  # five of twenty epochs took 50 s
    now[0], jobs[0].status = 120.0, "done"  # it stopped early
    assert remaining.seconds(jobs) == 2 * 120
    jobs[1].status = "running"
    assert remaining.seconds(jobs) == 2 * 120
    now[0] = 150.0
    assert remaining.seconds(jobs) == 90 + 120


def test_runs_side_by_side_share_the_time_but_none_is_quicker_than_itself(tmp_path: Path) -> None:
    now = [0.0]
    remaining, jobs = Remaining(STAGES, 2, lambda: now[0]), [job(tmp_path, seed) for seed in range(2)]
    for one in jobs:
        one.status = "running"
    remaining.seconds(jobs)
    begin(jobs[0], stage=3, kind="mml", epoch=4)  # fifteen of twenty
    begin(jobs[1], stage=2, kind="mml", chosen=7)  # eleven of twenty
    now[0] = 66.0
    assert remaining.seconds(jobs) == pytest.approx(66 / 11 * 9)


def test_a_run_that_goes_on_is_judged_by_what_was_watched(tmp_path: Path) -> None:
    now = [0.0]
    remaining, one = Remaining(STAGES, 1, lambda: now[0]), job(tmp_path, 0)
    begin(one, stage=2, kind="mml", epoch=9)  # ten of twenty were done before
    assert remaining.seconds([one]) is None
    begin(one, stage=3, kind="mml", epoch=4)
    now[0] = 10.0
    assert remaining.seconds([one]) == 10.0
    one.status, now[0] = "done", 12.0
    other = job(tmp_path, 1)
    assert remaining.seconds([one, other]) is None  # half a run does not say how long a whole one takes


def test_a_recipe_not_seen_yet_is_taken_to_be_as_long_as_the_others(tmp_path: Path) -> None:
    now = [0.0]
    remaining = Remaining(STAGES, 1, lambda: now[0])
    jobs = [job(tmp_path, 0), job(tmp_path, 0, Path("b.toml"))]
    jobs[0].status = "running"
    remaining.seconds(jobs)
    now[0], jobs[0].status = 30.0, "done"
    assert remaining.seconds(jobs) == 30
    jobs[1].status = "done"
    assert remaining.seconds(jobs) == 0
