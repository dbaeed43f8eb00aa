"""Models on disk: a JSON file that says what a parser is, and files beside it that hold its weights.

Each kind of parser has a class for what its JSON says. What holds the weights of networks is imported when there is a
network, so that a ranker answers without torch.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field

from chorale.domain import Domain, grammar_of
from chorale.domain.meanings import FOR_SEARCH
from chorale.domain.parsing import SentenceParser
from chorale.errors import ChoraleError
from chorale.evaluation.confidence import Confidence
from chorale.parser import need_torch
from chorale.parser.rules import Rules
from chorale.parser.sizes import Sizes
from chorale.plumbing.checking import Checked, Number, checked, named
from chorale.plumbing.files import alone, read_json, sha256, write_json
from chorale.ranker.features import names
from chorale.ranker.files import read_weights, write_weights
from chorale.ranker.keyed import KeyedRanker, ProposalSettings
from chorale.ranker.ranker import Ranker
from chorale.ranker.rescorer import read_rescorer, write_rescorer
from chorale.ranker.weights import read_key_weights, write_key_weights
from chorale.runs import retired
from chorale.runs.beside import RESCORER, WEIGHTS, Beside
from chorale.search.from_words import WordsSettings

FORMAT = 1
"""Raised whenever an older Chorale could not read what is written."""

MODEL_FORMAT = 3
"""The same for models: an older Chorale would leave out a reranker (2) or decoding rules (3) without a word, and knows
neither a network that listens to a lexicon nor a ranker (3)."""

_PATIENCE = 60.0  # seconds that a process waits for others which write the same model

Beam = Annotated[int, Field(ge=1, le=10_000)]
MaxActions = Annotated[int, Field(ge=1, le=1_000)]


def _each_once(names: list[str]) -> list[str]:
    if len(set(names)) < len(names):
        raise ValueError("one of them occurs twice")
    return names


Templates = Annotated[list[str], AfterValidator(_each_once)]
"""The templates whose features a ranker looks at."""


class FileEntry(Checked):
    """A file that another one names."""

    file: str
    """Its name, as a path within the folder."""
    sha256: str
    """Its hash."""

    def beside(self, path: Path) -> Path:
        """The file stands beside the one that names it, wherever its text says it is."""
        name = self.file.replace("\0", "").encode(errors="ignore").decode()  # half a character is not a file's name
        return path.parent / Path(name).name


class Lenient(Checked):
    """A part of a model's file; older and newer ones may say more."""

    model_config = ConfigDict(extra="ignore")


class ModelFile(Lenient):
    """What model.json says of any model: what it speaks of, and how good it is."""

    format: int
    kind: str = "network"
    """What kind of parser it is."""
    domain: str
    language: str
    recipe: str = ""
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)] = 0
    beam: Beam = 10
    agenda: bool = False
    """Whether the parser is given what an utterance triggers."""
    metrics: dict[str, float] = Field(default_factory=dict)
    seen: list[str] | None = None
    """The sentence templates in train, each as a hash; see `hash_of_kind`."""
    familiar: list[str] | None = None
    """The neighbouring words of these kinds, each pair as a hash; see `evaluation.doubts`."""
    words: list[str] | None = None
    """The words of these sentences, each as a hash; what is not among them is new."""
    confidence: Confidence | None = None
    """What its answers are weighed with; if there is nothing, with what another model's are."""
    taught: Number = 0
    """How many marked sentences it was taught by, since it was trained."""
    taught_words: list[str] = Field(default_factory=list)
    """The words of these sentences, and which stood side by side, each as a hash."""
    grammar: str
    """The fingerprint of the grammar."""

    @property
    def kind_text(self) -> str:
        """The kind for people."""
        return "ranker by key" if self.kind == "keyed" else self.kind

    @property
    def given(self) -> dict[str, bool]:
        """What its corpora bring along; see `Corpus.of`."""
        return {"agenda": self.agenda}


class _ModelSearch(WordsSettings, Lenient):
    """How far the search of a ranker goes; a stranger's goes no further than this, whatever a recipe may ask for."""

    max_actions: Annotated[int, Field(ge=1, le=60)] = 24
    meanings: Annotated[int, Field(ge=1, le=10_000)] = 100
    spellings: Annotated[int, Field(ge=1, le=50)] = 1
    contexts: Annotated[int, Field(ge=1, le=500)] = FOR_SEARCH
    most: Annotated[int, Field(ge=1, le=2_000)] = 100


class RankerFile(ModelFile):
    """What model.json says of a ranker."""

    kind: Literal["ranker"] = "ranker"
    search: _ModelSearch
    templates: Templates
    weights: FileEntry


class _ModelProposals(ProposalSettings, Lenient):
    """What a ranker by key chooses from."""


class RescorerEntry(Lenient):
    """What a model's file says about the networks that judge the best readings once more."""

    readings: Annotated[int, Field(ge=2, le=200)]
    weights: FileEntry


class KeyedFile(ModelFile):
    """What model.json says of a ranker by key."""

    kind: Literal["keyed"] = "keyed"
    search: _ModelProposals
    templates: Templates
    weights: FileEntry
    rescorer: RescorerEntry | None = None


class _ModelSizes(Sizes, Lenient):
    """Sizes as a model's file has them; older models may name sizes that are gone."""


class _ModelRules(Rules, Lenient):
    """Decoding rules as a model's file has them."""


class RerankerEntry(Lenient):
    """What a model's file says about its reranker."""

    weight: Annotated[float, Field(ge=0)]
    sizes: _ModelSizes
    weights: FileEntry


class NetworkFile(ModelFile):
    """What model.json says of a network: what the weights belong to."""

    kind: Literal["network"] = "network"
    max_actions: MaxActions = 21
    decoding: _ModelRules = _ModelRules()
    """What else decides which program is the best."""
    sizes: _ModelSizes
    weights: FileEntry
    reranker: RerankerEntry | None = None
    vocabulary: list[str]

    @property
    def given(self) -> dict[str, bool]:
        """What its corpora bring along; see `Corpus.of`."""
        hints = self.sizes.lexicon or self.decoding.unexplained > 0
        return {"agenda": self.agenda, "hints": hints, "sample": self.decoding.informative}


def check_format(path: Path, given: Any, newest: int = FORMAT) -> None:
    """Refuse files of a newer Chorale."""
    if type(given) is not int or given < 1:
        raise ChoraleError(f"{path}: damaged, its format is {given!r:.80}; expected a number such as {newest}")
    if given > newest:
        raise ChoraleError(
            f"{path}: written by a newer Chorale (format {given}, this one reads up to {newest}); upgrade"
        )


def hash_of_kind(kind: str) -> str:
    """What a model keeps of the sentence templates it has seen: enough to know them again, but not the sentences."""
    return sha256(kind.encode())[:12]


def write_model(path: Path, parser: SentenceParser, about: Mapping[str, Any]) -> None:
    """Write a parser as `path` (JSON) and the weights beside it; `about` is what else is worth knowing.

    A model that is there stays whole until the new one takes its place, and one process writes at a time.
    """
    held = f"{path.parent}: another process is writing this model; try again, or name another folder"
    with alone(path, held, _PATIENCE):
        beside = Beside(path)
        if isinstance(parser, Ranker | KeyedRanker):
            entries = _ranker(parser, about, beside) if isinstance(parser, Ranker) else _keyed(parser, about, beside)
        else:
            from chorale.runs.checkpoints import network_entries  # noqa: PLC0415 - torch

            entries = network_entries(parser, about, beside)
        write_json(path, entries)
        beside.tidy()


def _ranker(parser: Ranker, about: Mapping[str, Any], beside: Beside) -> dict[str, Any]:
    """What the JSON of a ranker says, whose weights are written."""
    return {
        "format": MODEL_FORMAT,
        "kind": "ranker",
        **about,
        "grammar": grammar_of(parser.domain, parser.language).fingerprint,
        "search": parser.search.model_dump(),
        "templates": list(parser.templates or names()),
        "confidence": parser.confidence and parser.confidence.model_dump(),
        "weights": beside.entry(WEIGHTS, lambda file: write_weights(file, parser.weights)),
    }


def _keyed(parser: KeyedRanker, about: Mapping[str, Any], beside: Beside) -> dict[str, Any]:
    """The same of a ranker by key."""
    entries = {
        "format": MODEL_FORMAT,
        "kind": "keyed",
        **about,
        "grammar": grammar_of(parser.domain, parser.language).fingerprint,
        "search": parser.search.model_dump(),
        "templates": list(parser.templates or parser.proposing.names),
        "confidence": parser.confidence and parser.confidence.model_dump(),
        "weights": beside.entry(WEIGHTS, lambda file: write_key_weights(file, parser.weights)),
    }
    if (rescorer := parser.rescorer) is not None:
        weights = beside.entry(RESCORER, lambda file: write_rescorer(file, rescorer))
        entries["rescorer"] = {"readings": rescorer.most, "weights": weights}
    return entries


def read_about(path: Path) -> RankerFile | KeyedFile | NetworkFile:
    """What the JSON of a model says."""
    value = read_json(path)
    check_format(path, value.get("format"), MODEL_FORMAT)
    if value.get("kind") == "ranker":
        for key in retired.retired_in("ranker", value.get("search"), ("search",)):
            if not key.is_built_in:
                raise ChoraleError(f"{path}: {named(key.where)}: {key}")
        return checked(RankerFile, value, path)
    if value.get("kind") == "keyed":
        return checked(KeyedFile, value, path)
    return checked(NetworkFile, value, path)


def read_model(path: Path, about: ModelFile, domain: Domain, device: str = "cpu") -> SentenceParser:
    """The parser of a model whose JSON was read; the grammar must be the one it was trained with."""
    grammar = grammar_of(domain, about.language)
    if about.grammar != grammar.fingerprint:
        raise ChoraleError(
            f"{path}: the model was trained with another grammar ({about.grammar}) than the one that "
            f"{grammar.name} has now ({grammar.fingerprint}); use the Chorale it was trained with, or train again"
        )
    if isinstance(about, RankerFile):
        templates = [name for name in about.templates if name not in retired.TEMPLATES]
        _check_templates(path, templates, names())
        weights = read_weights(about.weights.beside(path), about.weights.sha256, about.templates)
        if len(templates) < len(about.templates):
            weights = {feature: weight for feature, weight in weights.items() if feature[0] in templates}
        return Ranker(domain, about.language, about.search, weights, templates, about.confidence)
    if isinstance(about, KeyedFile):
        return _keyed_ranker(path, about, domain)
    assert isinstance(about, NetworkFile)
    need_torch()
    from chorale.runs.checkpoints import read_network  # noqa: PLC0415 - torch

    return read_network(path, about, grammar, device)


def _keyed_ranker(path: Path, about: KeyedFile, domain: Domain) -> KeyedRanker:
    weights = read_key_weights(about.weights.beside(path), about.weights.sha256)
    ranker = KeyedRanker(domain, about.language, about.search, weights, about.templates, about.confidence)
    _check_templates(path, about.templates, ranker.proposing.names)
    if about.rescorer is not None:
        file = about.rescorer.weights
        ranker.rescorer = read_rescorer(file.beside(path), file.sha256, about.rescorer.readings, ranker.figures)
    return ranker


def _check_templates(path: Path, templates: Iterable[str], known: Iterable[str]) -> None:
    if missing := sorted(set(templates) - set(known)):
        raise ChoraleError(
            f"{path}: the ranker looks at features that this Chorale does not have ({', '.join(missing[:5])}); use "
            "the Chorale it was trained with, or train again"
        )
