"""Recipes: what is right is read, what is wrong is told before any work is done."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chorale.parser.rules import Rules
from chorale.parser.sizes import Sizes
from chorale.plumbing.checking import documentation
from chorale.runs.retired import KEYS
from chorale.runs.run import MOST_RECIPE, recipe_differences
from chorale.training import recipes
from chorale.training.recipes import (
    Recipe,
    RecipeError,
    find_recipe,
    keys,
    parse_recipe,
    read_recipe,
    shipped_recipes,
    shortened,
    written_recipe,
)
from chorale.training.stages import KINDS
from chorale.training.stages.collect import Collect
from chorale.training.stages.coverage import Coverage
from chorale.training.stages.mml import MarginalLikelihood
from chorale.training.stages.reward import ExpectedReward
from chorale.training.stages.search import Search

RECIPES = sorted((Path(__file__).parents[2] / "recipes").glob("*.toml"))
GOOD = """\
name = "small"
stages = [
  { kind = "search" },
  { kind = "mml", max_actions = 9 },
  { kind = "mml", epochs = 3 },
]

[mml]
epochs = 7
"""


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipes_of_the_repository_are_read(path: Path) -> None:
    recipe = read_recipe(path)
    assert recipe.name == path.stem
    assert parse_recipe(written_recipe(recipe)) == recipe


def test_the_language_row_is_the_published_schedule() -> None:
    recipe = read_recipe(RECIPES[0].with_name("language.toml"))
    steps = [(stage.kind, stage.max_actions) for stage in recipe.stages]
    middle = [step for n in (13, 15, 17, 19) for step in [("reward", n), ("collect", n), ("mml", n)]]
    assert steps == [("search", 11), ("mml", 11), *middle, ("reward", 21)]
    assert {stage.start for stage in recipe.stages if stage.kind == "mml"} == {"scratch"}  # type: ignore[union-attr]
    assert {stage.start for stage in recipe.stages if stage.kind == "reward"} == {"last"}  # type: ignore[union-attr]


def test_a_kind_table_holds_for_all_its_stages_and_a_stage_has_the_last_word() -> None:
    recipe = parse_recipe(GOOD)
    assert recipe.stages[1:] == (MarginalLikelihood(max_actions=9, epochs=7), MarginalLikelihood(epochs=3))


def test_a_change_of_a_kind_reaches_all_its_stages() -> None:
    recipe = parse_recipe(GOOD, changes=["mml.epochs=2", "parser.dropout=0", "language=macro", "stages.2.batch=5"])
    assert [stage.epochs for stage in recipe.stages[1:]] == [2, 2]  # type: ignore[union-attr]
    assert [stage.batch for stage in recipe.stages[1:]] == [5, 4]  # type: ignore[union-attr]
    assert recipe.parser == Sizes(dropout=0.0)
    assert recipe.language == "macro"


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("epochs = 7", "epoch = 7", "r.toml:9: mml.epoch: there is no such key; did you mean 'epochs'?"),
        ("epochs = 7", "epochs = 0", "r.toml:9: mml.epochs: must be at least 1, found 0"),
        ("epochs = 7", 'epochs = "7"', "r.toml:9: mml.epochs: expected a whole number, found text '7'"),
        ("epochs = 7", "epochs = true", "r.toml:9: mml.epochs: expected a whole number, found true or false True"),
        ("epochs = 7", "learning_rate = 0", "r.toml:9: mml.learning_rate: must be above 0, found 0"),
        ("epochs = 7", "learning_rate = nan", "r.toml:9: mml.learning_rate: expected a number, found nan"),
        ("epochs = 7", 'start = "best"', "r.toml:9: mml.start: expected one of 'scratch', 'last', found 'best'"),
        ("epochs = 3", "epoch = 3", "r.toml:5: stages.3.epoch: there is no such key; did you mean 'epochs'?"),
        ("max_actions = 9", "beam = -1", "r.toml:4: stages.2.beam: must be at least 1, found -1"),
        (
            'kind = "search"',
            'kind = "serach"',
            "r.toml:3: stages.1.kind: there is no such kind of stage as 'serach'; did you",
        ),
        ('{ kind = "search" },', "", "mml needs candidates, and no stage before it (collect or search) makes any"),
        ('name = "small"', 'nam = "small"', "r.toml:1: nam: there is no such key; did you mean 'name'?"),
        ('name = "small"', "", "r.toml: name: missing"),
        ("[mml]", "[mm]", "r.toml:8: mm: there is no such key; did you mean 'mml'?"),
        ("[mml]", "[parser]\ndropout = 1.5\n[mml]", "r.toml:9: parser.dropout: must be below 1, found 1.5"),
        ("stages = [", "stages = 3\nstage = [", "r.toml:2: stages: expected a list of stages, found a whole number 3"),
        ("epochs = 7", "epochs = ", "r.toml: not TOML: "),
    ],
)
def test_what_is_wrong_is_named_with_line_and_nearest_key(before: str, after: str, message: str) -> None:
    assert before in GOOD
    with pytest.raises(RecipeError) as caught:
        parse_recipe(GOOD.replace(before, after), "r.toml")
    assert message in str(caught.value)


def test_lines_are_found_in_the_long_form_as_well() -> None:
    text = 'name = "x"\n[[stages]]\nkind = "search"\n\n[[stages]]\nkind = "mml" # epochs = 1\nepochs = 0\n'
    with pytest.raises(RecipeError, match=r"r\.toml:7: stages\.2\.epochs"):
        parse_recipe(text, "r.toml")


def test_all_problems_are_reported_at_once() -> None:
    with pytest.raises(RecipeError) as caught:
        parse_recipe(GOOD.replace("epochs = 7", "epochs = 0\nbatch = 0\nbeem = 3"), "r.toml")
    assert str(caught.value).splitlines()[0] == "r.toml: 3 problems"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("mml.epochs", "expected key=value"),
        ("mml.epochs=many", "--set mml.epochs: expected a whole number, found text 'many'"),
        ("mml.epoch=3", "--set mml.epoch: there is no such key; did you mean 'epochs'?"),
        ("stages.9.epochs=3", "there is no stage 9; they are numbered from 1 to 3"),
        ("a.b.c.d=3", "keys do not have that many parts"),
        ("name.x=3", "name is not a table"),
    ],
)
def test_a_wrong_change_is_told(change: str, message: str) -> None:
    with pytest.raises(RecipeError) as caught:
        parse_recipe(GOOD, "r.toml", [change])
    assert message in str(caught.value)


def test_a_missing_recipe_is_told(tmp_path: Path) -> None:
    with pytest.raises(RecipeError, match="no such recipe"):
        read_recipe(tmp_path / "nothing.toml")


def test_every_field_is_documented_where_it_stands() -> None:
    for kind in (Recipe, Sizes, *KINDS.values()):
        assert documentation(kind).keys() >= kind.model_fields.keys(), kind
    assert ("mml.patience", "10", "How many epochs without a better one on dev end the stage.") in keys()


def test_differences_name_the_key() -> None:
    old, new = parse_recipe(GOOD), parse_recipe(GOOD, changes=["stages.2.beam=3", "parser.dropout=0.5"])
    assert recipe_differences(old.plain, new.plain) == [
        "parser.dropout: 0.2 before, 0.5 now",
        "stages.2.beam: 10 before, 3 now",
    ]


names = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1)
stages = st.builds(
    lambda search, collect: (search, MarginalLikelihood(), collect),
    st.builds(Search, max_actions=st.integers(1, 40), file=names),
    st.builds(Collect, keep=st.integers(1, 99)),
)


@given(st.builds(Recipe, name=names, parser=st.builds(Sizes, dropout=st.floats(0, 0.99)), stages=stages))
def test_a_written_recipe_reads_as_the_same(recipe: Recipe) -> None:
    assert parse_recipe(written_recipe(recipe)) == recipe


def recipe_named(name: str) -> Recipe:
    return read_recipe(RECIPES[0].with_name(f"{name}.toml"))


def test_the_consistency_row_differs_from_the_language_row_by_its_reward_alone() -> None:
    found = recipe_differences(recipe_named("language").plain, recipe_named("consistency").plain)
    rewards = [number for number, stage in enumerate(recipe_named("language").stages, 1) if stage.kind == "reward"]
    changed = [f"stages.{number}.consistency: 0.0 before, 1.0 now" for number in rewards]
    assert found == ["name: 'language' before, 'consistency' now", *changed]


def test_the_language_row_differs_from_iterative_search_by_language_coverage_and_where_the_search_ends() -> None:
    before, after = recipe_named("iterative_search"), recipe_named("language")
    assert (before.language, after.language) == ("macro", "consistent")
    assert (before.domain, before.min_count) == (after.domain, after.min_count)
    assert before.parser.model_copy(update={"coverage": False}) == after.parser
    steps = [(stage.kind, stage.max_actions) for stage in before.stages]
    middle = [step for n in (13, 15, 17, 19) for step in [("coverage", n), ("collect", n), ("mml", n)]]
    assert steps == [("search", 9), ("mml", 9), *middle, ("coverage", 21)]
    for kind in ("search", "mml", "collect"):
        both = [
            {stage.model_copy(update={"max_actions": 1}) for stage in recipe.stages if stage.kind == kind}
            for recipe in (before, after)
        ]
        assert both[0] == both[1]
        assert len(both[0]) == 1
    covering = [stage for stage in before.stages if isinstance(stage, Coverage)]
    rewarded = [stage for stage in after.stages if isinstance(stage, ExpectedReward)]
    shared = Coverage.model_fields.keys() & ExpectedReward.model_fields.keys()
    for one, other in zip(covering, rewarded, strict=True):
        assert {name for name in shared if getattr(one, name) != getattr(other, name)} == {"learning_rate"}


@pytest.mark.parametrize("name", ["iterative_search", "language", "consistency"])
def test_only_the_stage_that_is_reported_is_as_patient_as_the_reference(name: str) -> None:
    *before, last = [stage for stage in recipe_named(name).stages if isinstance(stage, Coverage | ExpectedReward)]
    assert (last.patience, last.epochs, last.choose) == (15, 50, "both")
    assert {(stage.patience, stage.epochs, stage.choose) for stage in before} == {(6, 20, "consistency")}


def test_a_shortened_recipe_ends_with_the_kind_of_stage_it_ended_with() -> None:
    short = shortened(recipe_named("language"), 16)
    assert [(stage.kind, stage.max_actions) for stage in short.stages][-2:] == [("mml", 13), ("reward", 15)]
    assert shortened(recipe_named("language"), 21) == recipe_named("language")
    with pytest.raises(RecipeError, match="13 is the least"):
        shortened(recipe_named("language"), 12)


def test_a_recipe_with_one_stage_of_its_last_kind_cannot_be_shorter() -> None:
    assert shortened(recipe_named("weighted"), 15) == recipe_named("weighted")


def test_the_decoding_rules_are_a_table_of_their_own() -> None:
    recipe = parse_recipe(GOOD, changes=["decoding.unexplained=2.0"])
    assert recipe.decoding == Rules(unexplained=2.0)
    assert parse_recipe(written_recipe(recipe)) == recipe
    assert ("decoding.informative", "false") in [row[:2] for row in keys()]
    with pytest.raises(RecipeError, match=r"decoding\.unexplaned: there is no such key; did you mean 'unexplained'"):
        parse_recipe(GOOD, changes=["decoding.unexplaned=2.0"])


def test_examples_are_not_for_a_parser_that_listens_to_a_lexicon() -> None:
    with pytest.raises(RecipeError, match=r"parser\.lexicon = false"):
        parse_recipe('name = "s"\nstages = [{ kind = "supervised" }]\n[parser]\nlexicon = true')


def test_coverage_wants_a_parser_that_is_given_what_to_cover() -> None:
    stages = 'name = "c"\nstages = [{ kind = "coverage", start = "scratch" }]\n'
    with pytest.raises(RecipeError, match=r"parser\.coverage = true"):
        parse_recipe(stages)
    assert parse_recipe(stages + "[parser]\ncoverage = true").parser.coverage


def test_recipes_that_ship_are_found_by_name_and_a_file_has_the_first_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shipped_recipes().keys() >= {"language", "consistency", "iterative_search", "abstract"}
    assert find_recipe("language").name == "language.toml"
    monkeypatch.chdir(tmp_path)
    (tmp_path / "language").write_text(GOOD)
    assert read_recipe(find_recipe("language")).name == "small"
    with pytest.raises(RecipeError, match=r"langage: no such recipe, neither a file .* did you mean 'language'"):
        find_recipe("langage")


def test_a_quick_form_has_few_epochs_and_the_changes_of_the_user_win() -> None:
    quick = read_recipe(find_recipe("language"), ["reward.epochs=2"], quick=True)
    assert max(stage.max_actions for stage in quick.stages) == 15
    assert {stage.epochs for stage in quick.stages if isinstance(stage, MarginalLikelihood)} == {15}
    assert {stage.epochs for stage in quick.stages if isinstance(stage, ExpectedReward)} == {2}


RETIRED = [(key, value, last) for last, keys in KEYS.items() for key, value in keys.items()]


@pytest.mark.parametrize(("key", "value", "last"), RETIRED)
def test_a_key_that_is_gone_is_accepted_where_it_says_what_is_built_in(key: str, value: object, last: str) -> None:
    assert parse_recipe(GOOD, changes=[f"{key}={toml(value)}"]) == parse_recipe(GOOD)
    with pytest.raises(RecipeError) as caught:
        parse_recipe(GOOD, changes=[f"{key}=77"])
    assert f"--set {key}: this key is gone, and {value!r} is built in" in str(caught.value)
    assert f"the last commit that has it is {last}" in str(caught.value)
    assert "1 problem\n" in str(caught.value)


def toml(value: object) -> str:
    """A value as TOML has it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(it)}" for key, it in value.items()) + "}"
    return repr(value).lower()


def test_a_key_that_is_gone_is_looked_for_in_stages_too() -> None:
    stage = 'stages = [{ kind = "search" }, { kind = "mml", clip = %s, epochs = 3 }]\nname = "old"\n'
    assert parse_recipe(stage % "0.0").stages[1].epochs == 3  # type: ignore[attr-defined]
    with pytest.raises(RecipeError, match=r"r.toml:1: stages.2.clip: this key is gone"):
        parse_recipe(stage % "5.0", "r.toml")


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("stages = [{kind = []}]", []),
        ("stages = 3", ["stages.1.epochs=2"]),
        ("stages = 3", ["mml.epochs=2"]),
        ("[mml]\nkind = 'mml'", []),
        ("mml = 3", ["mml.epochs=2"]),
        ("[mml]\nepochs = 1" + 400 * "0", []),
        ("[mml]\nepochs = 1" + 4301 * "0", []),
        ("x = " + 500 * "[" + 500 * "]", []),
        ("x = " + 5000 * "[", []),
        ("", ["mml.epochs=1" + 4301 * "0"]),
        ("", ["mml.epochs=" + 500 * "["]),
        ("", ["stages.².epochs=3"]),
        ("stages = [{kind = 'mml'}]", ["stages." + 5000 * "9" + ".epochs=3"]),
        ("stages = [{kind = 'mml'}]", ["stages.01.epochs=3"]),
        ("", ["stages=[{kind=[]}]"]),
        ("stages = [3]", ["stages.1.epochs=2"]),
        ("parser = 3", []),
        ("[parser]\nencoder = 1e999", []),
        ("name = ['a']", []),
    ],
)
def test_recipes_from_strangers_are_refused_in_words(text: str, changes: list[str]) -> None:
    with pytest.raises(RecipeError):
        parse_recipe(f'name = "x"\n{text}' if not text.startswith("name") else text, "r.toml", changes)


@pytest.mark.parametrize(
    "text",
    [
        "stages = [" + ", ".join(['{kind = "x"}'] * 2_000) + "]",
        '[[stages]]\nkind = "mml"\nepochs = 0\n' * 2_000,
        "".join(f"k{number} = 1\n" for number in range(2_000)),
    ],
    ids=["inline", "tables", "keys"],
)
def test_a_thousand_mistakes_are_counted_and_a_hundred_are_looked_for(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_for = []
    monkeypatch.setattr(recipes, "line_of", lambda _, where: looked_for.append(where))
    with pytest.raises(RecipeError, match=r"2,00[0-9] problems(.|\n)*\.\.\. and 1,90[0-9] more$"):
        parse_recipe('name = "x"\n' + text)
    assert len(looked_for) == 100


def test_keys_of_very_many_parts_and_very_long_recipes_are_refused_before_they_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tomllib.loads", None)
    with pytest.raises(RecipeError, match=r"recipe:2: there are more than 100 points in this line"):
        parse_recipe('name = "x"\n' + ".".join("a" * 200) + " = 1")
    with pytest.raises(RecipeError, match="too long for a recipe"):
        parse_recipe("#" * (MOST_RECIPE + 1))
