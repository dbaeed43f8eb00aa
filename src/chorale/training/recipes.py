"""Recipes: a training as a TOML file, checked as a whole before any work is done.

    name = "language"
    stages = [{kind = "search"}, {kind = "mml"}, {kind = "reward", max_actions = 13}]

    [mml]            # what all stages of a kind have in common
    epochs = 20

Every problem is reported at once, each with file, line and, for a key that does not exist, the nearest one that does.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, ValidationError

from chorale.domain import Domain, needed
from chorale.errors import ChoraleError, unknown
from chorale.parser import need_torch
from chorale.parser.rules import Rules
from chorale.parser.sizes import Sizes
from chorale.plumbing.checking import Checked, Count, Key, documentation, named, problems, shown
from chorale.plumbing.files import read_text
from chorale.plumbing.toml_lines import line_of
from chorale.runs import reuse
from chorale.runs.retired import retired_in_recipe
from chorale.runs.run import MOST_RECIPE
from chorale.training.stage import QUICK_ACTIONS, Stage
from chorale.training.stages import KINDS

FOLDERS = (Path(str(files("chorale"))) / "recipes", Path(__file__).resolve().parents[3] / "recipes")
"""Where recipes that ship are: inside the package once it is installed, else beside its sources."""
_MOST_PARTS = 100  # of a key
_MOST_PROBLEMS = 100  # that are spelled out; each is looked for in the text
_TABLES: dict[str, type[Checked]] = {"parser": Sizes, "decoding": Rules}
"""What all stages share, beside the tables of their kinds."""


class RecipeError(ChoraleError):
    """A recipe cannot be used; the message lists every reason."""


class Recipe(Checked):
    """A whole training: what is trained, and the stages it goes through."""

    name: str
    """What results are listed under."""
    domain: str = "nlvr"
    """What the sentences are about: a domain that is installed, or the class of one, "mymodule:Bar"."""
    language: str = "consistent"
    """The language of the programs."""
    min_count: Count = 1
    """How often a word must occur in the training sentences to be known."""
    mix: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """How many utterances that the domain makes up, by the run's seed, are learned from beside those of train."""
    parser: Sizes = Field(default_factory=Sizes)
    """The network; see `Sizes`."""
    decoding: Rules = Field(default_factory=Rules)
    """What else decides which program is the best; see `Rules`."""
    stages: tuple[Stage, ...] = ()
    """What is done, in order. The tables `[mml]`, `[reward]` ... hold what all stages of that kind have in common."""

    @property
    def plain(self) -> dict[str, Any]:
        """The recipe as TOML has it."""
        stages = [{"kind": stage.kind, **stage.model_dump()} for stage in self.stages]
        return {**self.model_dump(exclude={"stages"}), "stages": stages}

    @property
    def is_network(self) -> bool:
        """Whether it trains a network."""
        return any(stage.is_network for stage in self.stages)

    def check_installed(self) -> None:
        """Complain before any work is done if what it needs is not installed."""
        if self.is_network:
            need_torch()

    def check_domain(self, domain: Domain) -> None:
        """Complain before any work is done about stages that do not work with a domain.

        Where the domain proposes programs, each utterance brings constants by the hundred. Neither can a network score
        them, nor does a search by length find anything among them.
        """
        if self.mix:
            needed(domain.synthesis, domain, "synthesis", f"{self.name}, mix = {self.mix},")
        has_proposals = domain.proposing(self.language) is not None
        wrong = [stage for stage in self.stages if stage.takes_proposals != has_proposals]
        if not wrong:
            return
        stage = next((stage for stage in wrong if stage.is_network), wrong[0])
        what = "networks" if stage.is_network and has_proposals else f"stages of kind {stage.kind}"
        why = (
            "whose constants come with each utterance; take a recipe with a stage of kind online, such as tables"
            if has_proposals
            else f"which proposes no programs in the language {self.language} (`Domain.proposing`)"
        )
        raise ChoraleError(f"{self.name}: {what} do not work with the domain {domain.name}, {why}")


def shipped_recipes() -> dict[str, Path]:
    """The recipes that come with Chorale, by name."""
    folder = next(folder for folder in FOLDERS if folder.is_dir())
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def summary(path: Path) -> str:
    """What a recipe is about: the first sentence of the comment it begins with."""
    comment = takewhile(lambda line: line.startswith("#"), path.read_text(encoding="utf-8").splitlines())
    text = " ".join(line.lstrip("# ") for line in comment)
    # A full stop in quotes, in brackets or inside a name ends no sentence.
    sentence = re.match(r'(?:"[^"]*"|\([^)]*\)|[^."(]|\.(?=\w))+', text)
    return sentence.group() if sentence else ""


def find_recipe(name: str | Path) -> Path:
    """The recipe in a file, or the one that ships by this name; a file takes precedence."""
    if not str(name).strip() or str(name) == ".":
        raise RecipeError("a recipe has no name; name a file, or one that ships: chorale recipes lists them")
    if Path(name).exists() or Path(name).suffix == ".toml":
        return Path(name)
    shipped = shipped_recipes()
    if str(name) not in shipped:
        raise RecipeError(f"{name}: no such recipe, neither a file nor one that ships; {unknown(str(name), shipped)}")
    return shipped[str(name)]


def read_recipe(path: Path, changes: Sequence[str] = (), *, quick: bool = False) -> Recipe:
    """The recipe in a file, with changes of the form `key=value`; `quick` makes it short before these are made."""
    if not path.exists():
        raise RecipeError(f"{path}: no such recipe")
    if path.is_dir():
        raise RecipeError(f"{path}: this is a folder; expected a recipe such as recipes/language.toml")
    text = read_text(path, MOST_RECIPE)
    if not quick:
        return parse_recipe(text, str(path), changes)
    kinds = dict.fromkeys(stage.kind for stage in parse_recipe(text, str(path)).stages)
    fewer = [f"{kind}.{key}={value}" for kind in kinds for key, value in KINDS[kind].quick.items()]
    return shortened(parse_recipe(text, str(path), [*fewer, *changes]), QUICK_ACTIONS)


def parse_recipe(text: str, source: str = "recipe", changes: Iterable[str] = ()) -> Recipe:
    """A recipe from the text of a file; `source` is what errors call it.

    >>> parse_recipe('stages = [{kind = "search"}, {kind = "mml", epoch = 3}]', "my.toml")
    Traceback (most recent call last):
    chorale.training.recipes.RecipeError: my.toml: 2 problems
    my.toml: name: missing
    my.toml:1: stages.2.epoch: there is no such key; did you mean 'epochs'?
    """
    if len(text) > MOST_RECIPE:
        raise RecipeError(f"{source}: too long for a recipe")
    check = _Check(source, text, _toml(text, source))
    for change in changes:
        check.change(change)
    return check.recipe()


def _toml(text: str, source: str) -> dict[str, Any]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > _MOST_PARTS:  # a key costs the square of its parts
            raise RecipeError(f"{source}:{number}: there are more than {_MOST_PARTS} points in this line")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # not TOML, numbers of thousands of digits, hundreds of brackets
        raise RecipeError(f"{source}: not TOML: {error}") from None


def written_recipe(recipe: Recipe) -> str:
    """A recipe as TOML with every value spelled out; reading it gives the recipe again."""
    plain = recipe.plain
    stages, tables = plain.pop("stages"), {name: plain.pop(name) for name in _TABLES}
    parts = [_assignments(plain), *(f"\n[{name}]\n" + _assignments(table) for name, table in tables.items())]
    parts += ["\n[[stages]]\n" + _assignments(stage) for stage in stages]
    return "".join(parts)


def _assignments(values: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {_written(value)}\n" for key, value in values.items())


def _written(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_written(it)}" for key, it in value.items()) + "}"
    # JSON's texts, numbers and truth values are TOML's as well, but for one character that TOML wants escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def shortened(recipe: Recipe, max_actions: int) -> Recipe:
    """The recipe up to the last stage of the kind it ends with whose programs have at most this many actions.

    A reranker at its end stays there, and reranks the shorter programs. A recipe with one such stage stays as it is.
    """
    *before, last = recipe.stages
    if last.is_quick:
        return recipe
    if last.is_last and before:
        parser = shortened(recipe.model_copy(update={"stages": tuple(before)}), max_actions)
        fewer = min(last.max_actions, parser.stages[-1].max_actions)
        return parser.model_copy(update={"stages": (*parser.stages, last.model_copy(update={"max_actions": fewer}))})
    alike = [(index, stage.max_actions) for index, stage in enumerate(recipe.stages) if stage.kind == last.kind]
    if len(alike) == 1:
        return recipe
    ends = [index for index, longest in alike if longest <= max_actions]
    if not ends:
        shortest = min(longest for _, longest in alike)
        raise RecipeError(f"{recipe.name}: no such stage has {max_actions} actions or fewer; {shortest} is the least")
    return recipe.model_copy(update={"stages": recipe.stages[: ends[-1] + 1]})


def common_stages(one: Recipe, other: Recipe) -> int:
    """How many stages, from the first one on, do the same in both recipes."""
    return reuse.common_stages(one.plain, other.plain)


def keys() -> list[tuple[str, str, str]]:
    """Every key a recipe may have, with its default and what it means."""
    rows: list[tuple[str, str, str]] = []
    kinds = sorted(KINDS.items())
    own: list[tuple[str, type[Checked]]] = [("", Recipe), *((f"{name}.", kind) for name, kind in _TABLES.items())]
    for prefix, kind in [*own, *((f"{name}.", kind) for name, kind in kinds)]:
        texts = documentation(kind)
        for name, field in kind.model_fields.items():
            default = (
                "" if field.is_required() or name in {*_TABLES, "stages"} else _written(_plain(field.get_default()))
            )
            rows.append((prefix + name, default, texts.get(name, "")))
    return rows


def _plain(value: Any) -> Any:
    return value.model_dump() if isinstance(value, Checked) else value


class _Check:
    """A recipe's tables under check; collects what is wrong."""

    def __init__(self, source: str, text: str, raw: dict[str, Any]) -> None:
        self.source, self.text, self.raw = source, text, raw
        self.problems: list[tuple[float, str]] = []  # with the line, by which they are reported
        self.count = 0  # of all problems
        self.kinds = list(KINDS)
        self.changed: set[Key] = set()  # given by --set, so the file's lines say nothing about them

    def problem(self, where: Key, message: str) -> None:
        self.count += 1
        if self.count > _MOST_PROBLEMS:
            return
        line = line_of(self.text, where)
        if any(where[: len(key)] == key for key in self.changed):
            self.problems.append((math.inf, f"--set {named(where)}: {message}"))
        else:
            self.problems.append((line or 0, f"{self.source}{f':{line}' if line else ''}: {named(where)}: {message}"))

    def _hint(self, name: str, known: Iterable[str]) -> str:
        """What was meant, as long as anybody is told."""
        return unknown(name, known) if self.count < _MOST_PROBLEMS else ""

    def recipe(self) -> Recipe:
        """The recipe, if nothing is wrong with it."""
        for retired in list(retired_in_recipe(self.raw)):
            if not retired.is_built_in:
                self.problem(retired.where, str(retired))
            retired.take_out()
        shared = {kind: self._table(self.raw.get(kind, {}), (kind,)) for kind in KINDS}
        for kind, table in shared.items():
            if table:
                self._validated(KINDS[kind], table, (kind,))
        given = self.raw.get("stages", [])
        if not isinstance(given, list):
            self.problem(("stages",), f"expected a list of stages, found {shown(given)}")
            given = []
        stages = [self._stage(stage, ("stages", index), shared) for index, stage in enumerate(given)]
        known = Recipe.model_fields.keys() | KINDS.keys()
        own = {key: value for key, value in self.raw.items() if key in Recipe.model_fields and key != "stages"}
        for key in self.raw.keys() - known:
            self.problem((key,), f"there is no such key; {self._hint(key, known)}")
        recipe: Recipe | None = self._validated(Recipe, own, ())
        fitting = [stage for stage in stages if stage is not None]
        if recipe is not None and len(fitting) == len(stages):
            self._fit(fitting, recipe.parser)
        if self.problems or recipe is None:
            count = "1 problem" if self.count == 1 else f"{self.count:,} problems"
            listed = [message for _, message in sorted(self.problems, key=lambda problem: problem[0])]
            if self.count > _MOST_PROBLEMS:
                listed.append(f"... and {self.count - _MOST_PROBLEMS:,} more")
            raise RecipeError("\n".join([f"{self.source}: {count}", *listed]))
        return recipe.model_copy(update={"stages": tuple(fitting)})

    def _table(self, value: Any, where: Key) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        self.problem(where, f"expected a table, found {shown(value)}")
        return {}

    def _validated(self, kind: type[Checked], table: Mapping[str, Any], where: Key) -> Any:
        """The table as an instance of a class; what does not fit is noted."""
        try:
            return kind.model_validate(table)
        except ValidationError as error:
            for key, message in problems(error, kind, _MOST_PROBLEMS):
                self.problem((*where, *key), message)
            self.count += max(0, error.error_count() - _MOST_PROBLEMS)
        return None

    def _stage(self, raw: Any, where: Key, shared: Mapping[str, Mapping[str, Any]]) -> Stage | None:
        table = self._table(raw, where)
        kind = table.get("kind")
        if kind is None:
            self.problem((*where, "kind"), f"missing, expected one of {', '.join(KINDS)}")
        elif not isinstance(kind, str) or kind not in self.kinds:
            hint = self._hint(str(kind), self.kinds)
            self.problem((*where, "kind"), f"there is no such kind of stage as {kind!r:.80}; {hint}")
        else:
            own = {key: value for key, value in table.items() if key != "kind"}
            if self._validated(KINDS[kind], own, where) is not None:
                try:
                    stage: Stage = KINDS[kind].model_validate({**shared[kind], **own})
                    return stage
                except ValidationError:  # the kind's own table is at fault, which is noted
                    return None
        return None

    def _fit(self, stages: Sequence[Stage], sizes: Sizes) -> None:
        """Each stage must find what it needs, and a recipe must train something."""
        have: set[str] = set()
        for index, stage in enumerate(stages):
            needs = stage.needs | ({"model"} if getattr(stage, "start", "") == "last" else set())
            for missing in sorted(needs - have):
                makers = " or ".join(name for name, kind in KINDS.items() if kind.gives == missing)
                what = "a model" if missing == "model" else missing
                self.problem(
                    ("stages", index), f"{stage.kind} needs {what}, and no stage before it ({makers}) makes any"
                )
            have.add(stage.gives)
            if stage.takes_proposals != stages[0].takes_proposals:
                self.problem(("stages", index), f"{stage.kind} does not work with {stages[0].kind}")
            if stage.is_last and index + 1 < len(stages):
                self.problem(("stages", index), f"{stage.kind} must be the last stage")
            if reason := stage.problem(sizes):
                self.problem(("stages", index), reason)
        if "model" not in have:
            makers = ", ".join(name for name, kind in KINDS.items() if kind.gives == "model")
            self.problem(("stages",), f"no stage trains a model; add one of kind {makers}")

    # -- changes of the command line ---------------------------------------------------------------------------------

    def change(self, change: str) -> None:
        """Put `key=value` into the tables; a kind's key is set for all stages of that kind."""
        name, sign, text = change.partition("=")
        parts: list[str | int] = [part.strip() for part in name.split(".")]
        if not sign or not all(parts):
            raise RecipeError(f"--set {change:.80}: expected key=value such as mml.epochs=5")
        table: Any = self.raw
        kind: type[Checked] | None = Recipe
        if parts[0] == "stages" and len(parts) > 1:
            table, parts[1] = self._numbered(change, str(parts[1]))
            kind = KINDS.get(str(table.get("kind"))) if isinstance(table, dict) else None
            inner = parts[2:]
        else:
            inner = parts
            if parts[0] in KINDS or parts[0] in _TABLES:
                kind = {**KINDS, **_TABLES}[str(parts[0])]
        if len(inner) > 3 or not inner:
            raise RecipeError(f"--set {change:.80}: keys do not have that many parts; expected one such as mml.epochs")
        for part in inner[:-1]:
            table = table.setdefault(part, {}) if isinstance(table, dict) else None
        if not isinstance(table, dict):
            raise RecipeError(f"--set {change:.80}: {parts[0]} is not a table")
        key = str(inner[-1])
        table[key] = _value(text.strip(), kind, key)
        self.changed.add(tuple(parts))
        stages = self.raw.get("stages")
        for stage in stages if parts[0] in KINDS and isinstance(stages, list) else ():
            if isinstance(stage, dict) and stage.get("kind") == parts[0]:
                stage.pop(str(parts[1]) if len(parts) > 1 else "", None)

    def _numbered(self, change: str, number: str) -> tuple[Any, int]:
        """The table of a stage, and its index."""
        stages = self.raw.get("stages")
        count = len(stages) if isinstance(stages, list) else 0
        index_of_stage = next((index for index in range(count) if number == str(index + 1)), None)
        if not isinstance(stages, list) or index_of_stage is None:
            raise RecipeError(
                f"--set {change:.80}: there is no stage {number:.20}; they are numbered from 1 to {count}"
            )
        return stages[index_of_stage], index_of_stage


def _value(text: str, kind: type[Checked] | None, key: str) -> Any:
    """A value from the command line, where text needs no quotes."""
    if kind is not None and key in kind.model_fields and kind.model_fields[key].annotation is str:
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except (ValueError, RecursionError):
        return text
