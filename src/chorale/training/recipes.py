"""Recipes: a training as a TOML file, checked as a whole before any work is done.

    name = "language"
    stages = [{kind = "search"}, {kind = "mml"}, {kind = "reward", max_actions = 13}]

    [mml]            # what all stages of a kind have in common
    epochs = 20

Every problem is told at once, each with file, line and, for a key that does not exist, the nearest one that does.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import MISSING, asdict, dataclass, fields, replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from chorale.errors import ChoraleError, nearest, unknown
from chorale.parser.sizes import Sizes
from chorale.plumbing.toml_lines import line_of
from chorale.training.settings import KINDS, Coverage, Range, Recipe, Rerank, Stage

Key = tuple[str | int, ...]
_MADE = {"model": "a model", "candidates": "candidates"}
_SHARED = frozenset(KINDS)  # tables that hold what all stages of a kind have in common


class RecipeError(ChoraleError):
    """A recipe cannot be used; the message lists every reason."""


def read_recipe(path: Path, changes: Iterable[str] = ()) -> Recipe:
    """The recipe in a file, with changes of the form `key=value`."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RecipeError(f"{path}: no such recipe") from None
    except IsADirectoryError:
        raise RecipeError(f"{path}: this is a folder; expected a recipe such as recipes/language.toml") from None
    except UnicodeDecodeError as error:
        raise RecipeError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from None
    return parse_recipe(text, str(path), changes)


def parse_recipe(text: str, source: str = "recipe", changes: Iterable[str] = ()) -> Recipe:
    """A recipe from the text of a file; `source` is what errors call it.

    >>> parse_recipe('stages = [{kind = "search"}, {kind = "mml", epoch = 3}]', "my.toml")
    Traceback (most recent call last):
    chorale.training.recipes.RecipeError: my.toml: 2 problems
    my.toml: name: missing
    my.toml:1: stages.2.epoch: there is no such key; did you mean 'epochs'?
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(f"{source}: not TOML: {error}") from None
    check = _Check(source, text)
    for change in changes:
        _apply(raw, change, check)
    recipe = check.recipe(raw)
    if check.problems or recipe is None:
        count = "1 problem" if len(check.problems) == 1 else f"{len(check.problems)} problems"
        told = [message for _, message in sorted(check.problems, key=lambda problem: problem[0])]
        raise RecipeError("\n".join([f"{source}: {count}", *told]))
    return recipe


def written_recipe(recipe: Recipe) -> str:
    """A recipe as TOML with every value spelled out; reading it gives the recipe again."""
    plain = asdict(recipe)
    sizes = plain.pop("parser")
    stages = [{"kind": stage.kind, **asdict(stage)} for stage in recipe.stages]
    del plain["stages"]
    lines = _assignments(plain)
    lines += ["", "[parser]", *_assignments(sizes)]
    for stage in stages:
        lines += ["", "[[stages]]", *_assignments(stage)]
    return "\n".join(lines) + "\n"


def shortened(recipe: Recipe, max_actions: int) -> Recipe:
    """The recipe up to the last stage of the kind it ends with whose programs have at most so many actions.

    A reranker at its end stays there, and reranks the shorter programs.
    """
    if isinstance(last := recipe.stages[-1], Rerank):
        parser = shortened(replace(recipe, stages=recipe.stages[:-1]), max_actions)
        last = replace(last, max_actions=min(last.max_actions, parser.stages[-1].max_actions))
        return replace(parser, stages=(*parser.stages, last))
    ends = [
        place
        for place, stage in enumerate(recipe.stages)
        if stage.kind == recipe.stages[-1].kind and stage.max_actions <= max_actions
    ]
    if not ends:
        shortest = min(stage.max_actions for stage in recipe.stages if stage.kind == recipe.stages[-1].kind)
        raise RecipeError(f"{recipe.name}: no such stage has {max_actions} actions or fewer; {shortest} is the least")
    return replace(recipe, stages=recipe.stages[: ends[-1] + 1])


def differences(old: Recipe, new: Recipe) -> list[str]:
    """Where two recipes differ, in words."""
    before, after = _flat(old), _flat(new)
    keys = [*before, *(key for key in after if key not in before)]
    return [
        f"{key}: {before.get(key)!r} before, {after.get(key)!r} now"
        for key in keys
        if before.get(key) != after.get(key)
    ]


def _flat(recipe: Recipe) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for key, value in asdict(recipe).items():
        if key == "stages":
            for number, stage in enumerate(recipe.stages, 1):
                flat |= {f"stages.{number}.{name}": it for name, it in {"kind": stage.kind, **asdict(stage)}.items()}
        elif isinstance(value, dict):
            flat |= {f"{key}.{name}": it for name, it in value.items()}
        else:
            flat[key] = value
    return flat


def _assignments(values: Mapping[str, Any]) -> list[str]:
    # JSON's texts, numbers and truth values are TOML's as well, but for one character that TOML wants escaped.
    texts = {key: json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f") for key, value in values.items()}
    return [f"{key} = {text}" for key, text in texts.items()]


@dataclass
class _Check:
    """Walks through a recipe's tables and collects what is wrong."""

    source: str
    text: str

    def __post_init__(self) -> None:
        self.problems: list[tuple[float, str]] = []  # with the line, by which they are told
        self.changed: set[Key] = set()  # given by --set, so the file's lines say nothing about them

    def problem(self, where: Key, message: str) -> None:
        name = ".".join(str(part + 1 if isinstance(part, int) else part) for part in where)
        line = line_of(self.text, where)
        if any(where[: len(place)] == place for place in self.changed):
            self.problems.append((math.inf, f"--set {name}: {message}"))
        else:
            self.problems.append((line or 0, f"{self.source}{f':{line}' if line else ''}: {name}: {message}"))

    def recipe(self, raw: dict[str, Any]) -> Recipe | None:
        shared = {kind: self._table(raw.pop(kind, {}), (kind,)) for kind in KINDS}
        for kind, table in shared.items():
            self._values(KINDS[kind], table, (kind,))
        given = raw.pop("stages", [])
        if not isinstance(given, list):
            self.problem(("stages",), f"expected a list of stages, found {_kind(given)}")
            given = []
        parts = [self._stage(stage, ("stages", place), shared) for place, stage in enumerate(given)]
        stages = [stage for stage in parts if stage is not None]
        sizes = self._sizes(self._table(raw.pop("parser", {}), ("parser",)))
        values = self._values(Recipe, raw, (), known=_SHARED | {"stages", "parser"})
        if "name" not in raw:
            self.problem(("name",), "missing")
        if len(stages) == len(given):
            self._fit(stages, sizes)
        return None if self.problems else Recipe(**values, parser=sizes, stages=tuple(stages))

    def _table(self, value: Any, where: Key) -> dict[str, Any]:
        if isinstance(value, dict):
            return value
        self.problem(where, f"expected a table, found {_kind(value)}")
        return {}

    def _stage(self, raw: Any, where: Key, shared: Mapping[str, Mapping[str, Any]]) -> Stage | None:
        table = self._table(raw, where)
        kind = table.get("kind")
        if kind is None:
            self.problem((*where, "kind"), f"missing, expected one of {', '.join(KINDS)}")
            return None
        if kind not in KINDS:
            self.problem((*where, "kind"), _unknown(kind, KINDS, "kind of stage"))
            return None
        before = len(self.problems)
        own = {key: value for key, value in table.items() if key != "kind"}
        values = self._values(KINDS[kind], own, where, known=frozenset({"kind"}))
        if len(self.problems) > before:
            return None
        common = {key: value for key, value in shared[kind].items() if key not in own}
        try:
            return KINDS[kind](**{**_converted(KINDS[kind], common), **values})
        except TypeError:  # the kind's own table is at fault, which has been told
            return None

    def _sizes(self, table: dict[str, Any]) -> Sizes:
        values = self._values(Sizes, table, ("parser",))
        try:
            return Sizes(**values)
        except ChoraleError as error:
            self.problem(("parser",), str(error))
            return Sizes()

    def _values(
        self, kind: type, table: Mapping[str, Any], where: Key, known: frozenset[str] = frozenset()
    ) -> dict[str, Any]:
        """The table's values as the fields of a class want them; what does not fit is told and left out."""
        hints = get_type_hints(kind, include_extras=True)
        names = {field.name for field in fields(kind)} - known
        values = {}
        for key, value in table.items():
            if key not in names:
                self.problem((*where, key), _unknown(key, names | known, "key"))
                continue
            fitted, message = _fit(value, hints[key])
            if message:
                self.problem((*where, key), message)
            else:
                values[key] = fitted
        return values

    def _fit(self, stages: Sequence[Stage], sizes: Sizes) -> None:
        """Each stage must find what it needs, and a recipe must train something."""
        have: set[str] = set()
        for place, stage in enumerate(stages):
            needs = set(stage.needs) | ({"model"} if getattr(stage, "start", "") == "last" else set())
            for missing in sorted(needs - have):
                makers = [name for name, kind in KINDS.items() if missing in kind.gives]
                message = (
                    f"{stage.kind} needs {_MADE[missing]}, and no stage before it ({' or '.join(makers)}) makes any"
                )
                self.problem(("stages", place), message)
            have |= stage.gives
            if isinstance(stage, Rerank) and place + 1 < len(stages):
                self.problem(
                    ("stages", place), "rerank must be the last stage: it learns from the final parser's beams"
                )
            if isinstance(stage, Coverage) and not sizes.coverage:
                self.problem(("stages", place), "coverage needs a parser that is told of it: parser.coverage = true")
        if "model" not in have:
            self.problem(
                ("stages",), "no stage trains a model; add one of kind mml, reward, coverage, supervised or tied"
            )


def _fit(value: Any, hint: Any) -> tuple[Any, str | None]:
    """A value as its field wants it, or what is wrong with it."""
    bounds = [part for part in get_args(hint)[1:] if isinstance(part, Range)] if get_origin(hint) is Annotated else []
    wanted = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if get_origin(wanted) is Literal:
        choices = get_args(wanted)
        return (
            (value, None)
            if value in choices
            else (None, f"expected one of {', '.join(map(repr, choices))}, found {value!r}")
        )
    if wanted is float and type(value) is int:
        value = float(value)
    if type(value) is not wanted:
        return None, f"expected {_NAMES[wanted]}, found {_kind(value)} {value!r}"
    if wanted is float and not math.isfinite(value):
        return None, f"expected a number, found {value}"
    for bound in bounds:
        if message := bound.problem(value):
            return None, message
    return value, None


def _converted(kind: type, table: Mapping[str, Any]) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {
        key: fitted
        for key, value in table.items()
        if key in hints and (fitted := _fit(value, hints[key])[0]) is not None
    }


def _apply(raw: dict[str, Any], change: str, check: _Check) -> None:
    """Put a change `key=value` into a recipe's tables; a kind's key is set for all stages of that kind."""
    name, sign, text = change.partition("=")
    parts: list[str | int] = [part.strip() for part in name.split(".")]
    if not sign or not all(parts):
        raise RecipeError(f"--set {change}: expected key=value such as mml.epochs=5")
    table: Any = raw
    if parts[0] == "stages" and len(parts) == 3:
        number, stages = str(parts[1]), raw.get("stages")
        if not isinstance(stages, list) or not number.isdigit() or not 1 <= int(number) <= len(stages):
            count = len(stages) if isinstance(stages, list) else 0
            raise RecipeError(f"--set {change}: there is no stage {number}; they are numbered from 1 to {count}")
        parts[1] = int(number) - 1
        table = stages[int(number) - 1]
    elif len(parts) == 2:
        table = raw.setdefault(str(parts[0]), {})
    elif len(parts) > 2:
        raise RecipeError(f"--set {change}: no key has so many parts; expected one such as mml.epochs")
    if not isinstance(table, dict):
        raise RecipeError(f"--set {change}: {parts[0]} is not a table")
    key = str(parts[-1])
    table[key] = _value(text.strip(), _hint(parts, raw))
    check.changed.add(tuple(parts))
    if parts[0] in KINDS:
        for stage in raw.get("stages", []):
            if isinstance(stage, dict) and stage.get("kind") == parts[0]:
                stage.pop(key, None)


def _hint(parts: Sequence[str | int], raw: Mapping[str, Any]) -> Any:
    """The type of the field that a key names, or None if it names none; that is told later."""
    kind: type | None = Recipe
    if parts[0] == "stages" and len(parts) == 3:
        kind = KINDS.get(str(raw["stages"][parts[1]].get("kind")))
    elif len(parts) == 2:
        kind = Sizes if parts[0] == "parser" else KINDS.get(str(parts[0]))
    return get_type_hints(kind, include_extras=True).get(str(parts[-1])) if kind else None


def _value(text: str, hint: Any) -> Any:
    """A value from the command line, where text needs no quotes."""
    wanted = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    if wanted is str or get_origin(wanted) is Literal:
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _unknown(word: object, known: Iterable[str], what: str) -> str:
    names = sorted(known)
    close = nearest(str(word), names)
    hint = f"did you mean {close!r}?" if close else f"known are {', '.join(names)}"
    return f"there is no such {what}{'' if what == 'key' else f' as {word!r}'}; {hint}"


_NAMES = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


def _kind(value: Any) -> str:
    names = {**_NAMES, dict: "a table", list: "a list"}
    return names.get(type(value), type(value).__name__)


def keys() -> list[tuple[str, str, str]]:
    """Every key a recipe may have, with its default and what it means."""
    from chorale.training.settings import described  # noqa: PLC0415 - reads sources; only for help

    rows: list[tuple[str, str, str]] = []
    for prefix, kind in [("", Recipe), ("parser.", Sizes), *((f"{name}.", kind) for name, kind in KINDS.items())]:
        texts = described(kind)
        for field in fields(kind):
            default = (
                "" if field.default is MISSING or field.name in {"parser", "stages"} else json.dumps(field.default)
            )
            rows.append((prefix + field.name, default, texts[field.name]))
    return rows


FOLDERS = (Path(str(files("chorale"))) / "recipes", Path(__file__).resolve().parents[3] / "recipes")
"""Where the recipes that ship are: inside the package once it is installed, else beside its sources."""


def shipped_recipes() -> dict[str, Path]:
    """The recipes that ship with Chorale, by name."""
    folder = next((folder for folder in FOLDERS if folder.is_dir()), FOLDERS[-1])
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def summary(path: Path) -> str:
    """What a recipe is about: the first sentence of the comment it begins with."""
    comment = itertools.takewhile(lambda line: line.startswith("#"), path.read_text(encoding="utf-8").splitlines())
    text = " ".join(line.lstrip("# ") for line in comment)
    # A full stop in quotes, in brackets or inside a name ends no sentence.
    found = re.match(r'(?:"[^"]*"|\([^)]*\)|[^."(]|\.(?=\w))+', text)
    return found.group() if found else ""


def find_recipe(name: str) -> Path:
    """A recipe by the path of its file, or by its name if it ships with Chorale."""
    shipped = shipped_recipes()
    if name in shipped and not Path(name).is_file():
        return shipped[name]
    if not Path(name).exists():
        raise RecipeError(f"{name}: no such recipe, neither a file nor one that ships; {unknown(name, shipped)}")
    return Path(name)
