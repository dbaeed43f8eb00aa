"""What became of a training: stages, and whether the last one is the best."""

from chorale.report.learning import better_stage, plot_stages, plot_values, remark, stage_results, stages_table
from chorale.report.plots import PlotStage

RUN = [
    {"stage": 1, "kind": "search", "utterances": 600, "covered": 580, "candidates": 2283},
    {"stage": 2, "kind": "mml", "epoch": 1, "loss": 2.0, "dev_accuracy": 0.80, "dev_consistency": 0.60, "best": True},
    {"stage": 2, "kind": "mml", "epoch": 2, "loss": 1.0, "dev_accuracy": 0.82, "dev_consistency": 0.65, "best": True},
    {"stage": 2, "kind": "mml", "epoch": 3, "loss": 0.5, "dev_accuracy": 0.81, "dev_consistency": 0.64, "best": False},
    {"stage": 2, "kind": "mml", "chosen": 2, "dev_accuracy": 0.82, "dev_consistency": 0.65},
    {
        "stage": 3,
        "kind": "reward",
        "epoch": 1,
        "loss": 0.5,
        "dev_accuracy": 0.79,
        "dev_consistency": 0.61,
        "best": True,
    },
]


def test_a_stage_is_as_good_as_the_epoch_it_keeps() -> None:
    search, mml, reward = stage_results(RUN)
    assert (search.epochs, search.dev, search.figures) == (0, {}, "")
    assert (mml.name, mml.epochs, mml.chosen, mml.figures) == ("2 mml", 3, 2, "82.0 / 65.0")
    assert (reward.epochs, reward.chosen, reward.figures) == (1, 1, "79.0 / 61.0")  # though it is not finished


def test_an_earlier_stage_that_was_better_is_said() -> None:
    assert remark(RUN) == "stage 2 (mml) was better: 82.0 / 65.0; stage 3 has 79.0 / 61.0"
    assert remark(RUN[:5]) == ""
    assert remark(RUN[:1]) == ""
    even = [*RUN[:5], {"stage": 3, "kind": "reward", "chosen": 1, "dev_accuracy": 0.82, "dev_consistency": 0.65}]
    assert better_stage(stage_results(even)) is None


def test_stages_are_as_wide_as_the_longest_run_and_those_without_figures_are_left_out() -> None:
    stages = plot_stages([RUN, RUN[:2]])
    assert stages == [PlotStage("2 mml", 3), PlotStage("3 reward", 1)]
    assert plot_values(RUN, "dev_consistency", stages) == [[0.60, 0.65, 0.64], [0.61]]
    assert plot_values(RUN[:2], "dev_consistency", stages) == [[0.60], []]


def test_a_stage_without_epochs_is_plotted_by_its_end() -> None:
    lines = [{"stage": 1, "kind": "ranker", "features": 3, "dev_accuracy": 0.9, "dev_consistency": 0.8}]
    [stage] = plot_stages([lines])
    assert plot_values(lines, "dev_consistency", [stage]) == [[0.8]]


def test_the_table_of_stages_has_means_over_runs() -> None:
    heads, search, mml, reward = stages_table([RUN, RUN[:2]])
    assert heads == ["stage", "epochs", "kept", "accuracy", "consistency"]
    assert search == ["1 search", "", "", "", ""]
    assert mml == ["2 mml", "1–3", "1–2", "81.0 ± 1.4", "62.5 ± 3.5"]
    assert reward == ["3 reward", "1", "1", "79.0", "61.0"]
