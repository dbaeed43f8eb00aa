"""Checkpoints: weights as safetensors, and beside them JSON that says what they belong to. Nothing is ever unpickled.

The JSON is written last and names the weights with their hash, so a checkpoint is there as a whole or not at all, and a
file that was cut short or changed is noticed before it is used. Shapes are compared before a network is built: what the
JSON says of sizes takes no memory until the weights bear it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import torch
from pydantic import ConfigDict, Field
from safetensors import SafetensorError
from safetensors.torch import load as load_tensors
from safetensors.torch import save as save_tensors
from torch import Tensor, nn

from chorale.errors import ChoraleError
from chorale.language.grammar import Grammar
from chorale.parser import Learner, Network, NetworkParser, Parser, Reranker, Rules, Sizes, Vocabulary
from chorale.parser.reranker import RankNetwork
from chorale.plumbing.checking import Checked, checked
from chorale.plumbing.files import checked as checked_bytes
from chorale.plumbing.files import read_json, sha256, write, write_json

FORMAT = 1
"""Raised whenever an older Chorale could not read what is written."""

MODEL_FORMAT = 3
"""The same for models: an older Chorale would leave out a reranker (2) or decoding rules (3) without a word, and knows
no network that listens to a lexicon (3)."""

Beam = Annotated[int, Field(ge=1, le=10_000)]
MaxActions = Annotated[int, Field(ge=1, le=1_000)]
Tensors = dict[str, Tensor]


class FileEntry(Checked):
    """A file that another one names."""

    file: str
    """Its name, as a path within the folder."""
    sha256: str
    """Its hash."""


class _Lenient(Checked):
    """A part of a model's file; older and newer ones may say more."""

    model_config = ConfigDict(extra="ignore")


class _ModelSizes(Sizes, _Lenient):
    """Sizes as a model's file has them; models of before may name sizes that are gone."""


class _ModelRules(Rules, _Lenient):
    """Decoding rules as a model's file has them."""


class RerankerEntry(_Lenient):
    """What a model's file says about its reranker."""

    weight: Annotated[float, Field(ge=0)]
    sizes: _ModelSizes
    weights: FileEntry


class ModelFile(_Lenient):
    """What model.json says: what the weights belong to, and how good they are."""

    format: int
    kind: Literal["network"] = "network"
    """What kind of parser it is."""
    domain: str
    language: str
    recipe: str = ""
    seed: int = 0
    beam: Beam = 10
    max_actions: MaxActions = 21
    agenda: bool = False
    """Whether the parser is given what an utterance triggers."""
    decoding: _ModelRules = _ModelRules()
    """What else decides which program is the best."""
    metrics: dict[str, float] = Field(default_factory=dict)
    seen: list[str] | None = None
    """The kinds of sentence in train, each as a hash; see `hash_of_kind`."""
    grammar: str
    """The fingerprint of the grammar."""
    sizes: _ModelSizes
    weights: FileEntry
    reranker: RerankerEntry | None = None
    vocabulary: list[str]


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> str:
    """Write tensors; gives back the hash of the file."""
    content = save_tensors({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()})
    write(path, content)
    return sha256(content)


def read_tensors(path: Path, wanted: str) -> Tensors:
    """Read tensors, and make sure that they are those that were written."""
    try:
        loaded: Tensors = load_tensors(checked_bytes(path, wanted))
    except SafetensorError as error:
        raise ChoraleError(f"{path}: not safetensors: {error}") from None
    return loaded


def check_format(path: Path, found: Any, newest: int = FORMAT) -> None:
    """Refuse files of a newer Chorale."""
    if type(found) is not int or found < 1:
        raise ChoraleError(f"{path}: damaged, its format is {found!r:.80}; expected a number such as {newest}")
    if found > newest:
        raise ChoraleError(
            f"{path}: written by a newer Chorale (format {found}, this one reads up to {newest}); upgrade"
        )


def hash_of_kind(kind: str) -> str:
    """What a model keeps of the kinds of sentence it has seen: enough to know them again, but not the sentences."""
    return sha256(kind.encode())[:12]


def write_model(path: Path, parser: NetworkParser, about: Mapping[str, Any]) -> None:
    """Write a parser as `path` (JSON) and the weights beside it; `about` is what else is worth knowing."""
    network, reranker = parser.network, parser.reranker
    is_new = bool(parser.rules) or network.network.sizes.lexicon
    value = {
        "format": MODEL_FORMAT if is_new else FORMAT if reranker is None else 2,
        "kind": "network",
        **about,
        "beam": parser.beam,
        "max_actions": parser.max_actions,
        "agenda": parser.agenda,
        **({"decoding": parser.rules.model_dump()} if parser.rules else {}),
        "grammar": network.grammar.fingerprint,
        "sizes": network.network.sizes.model_dump(),
        "weights": _written(path.with_suffix(".safetensors"), network),
    }
    if reranker is not None:
        weights = _written(path.with_suffix(".reranker.safetensors"), reranker)
        sizes = reranker.network.sizes.model_dump()
        value["reranker"] = {"weight": reranker.weight, "sizes": sizes, "weights": weights}
    write_json(path, {**value, "vocabulary": network.vocabulary.tokens})


def _written(path: Path, learner: Learner) -> dict[str, str]:
    return {"file": path.name, "sha256": write_tensors(path, learner.network.state_dict())}


def read_about(path: Path) -> ModelFile:
    """What the JSON of a model says."""
    value = read_json(path)
    check_format(path, value.get("format"), MODEL_FORMAT)
    return checked(ModelFile, value, path)


def read_model(path: Path, about: ModelFile, grammar: Grammar, device: str | torch.device = "cpu") -> NetworkParser:
    """The parser of a model whose JSON was read; the grammar must be the one it was trained with."""
    if about.grammar != grammar.fingerprint:
        raise ChoraleError(
            f"{path}: the model was trained with another grammar ({about.grammar}) than the one that "
            f"{grammar.name} has now ({grammar.fingerprint}); use the Chorale it was trained with, or train again"
        )
    words, entry = Vocabulary(about.vocabulary), about.reranker
    tensors = _read_beside(path, about.weights)
    with torch.device("meta"):  # shapes without memory
        _check_fit(Network(len(words), len(grammar), about.sizes), tensors, path)
    parser = Parser(grammar, words, about.sizes, device)
    load_weights(parser, tensors, path)
    reranker = None
    if entry is not None:
        tensors = _read_beside(path, entry.weights)
        with torch.device("meta"):
            _check_fit(RankNetwork(len(words), len(grammar), entry.sizes), tensors, path)
        reranker = Reranker(grammar, words, entry.sizes, device, entry.weight)
        load_weights(reranker, tensors, path)
    return NetworkParser(parser, about.beam, about.max_actions, about.agenda, reranker, about.decoding)


def _read_beside(path: Path, weights: FileEntry) -> Tensors:
    """The tensors that a checkpoint names; they stand beside it, wherever its text says they are."""
    name = Path(weights.file.replace("\0", "")).name
    return read_tensors(path.parent / name, weights.sha256)


def load_weights(learner: Learner, tensors: Tensors, path: Path) -> None:
    """Put weights into a network whose shape they must have."""
    _check_fit(learner.network, tensors, path)
    learner.network.load_state_dict(tensors)


def _check_fit(network: nn.Module, tensors: Tensors, path: Path) -> None:
    wanted = {name: tuple(tensor.shape) for name, tensor in network.state_dict().items()}
    found = {name: tuple(tensor.shape) for name, tensor in tensors.items()}
    for name in [*wanted, *found]:
        if wanted.get(name) != found.get(name):
            raise ChoraleError(
                f"{path}: the weights do not fit the network: {name} is {found.get(name, 'missing')}, "
                f"expected {wanted.get(name, 'nothing of this name')}"
            )
    for name, tensor in tensors.items():
        if not bool(tensor.isfinite().all()):
            raise ChoraleError(f"{path}: the weights are damaged: {name} holds numbers that are not finite")


def optimizer_tensors(learner: Learner, optimizer: torch.optim.Optimizer) -> Tensors:
    """Weights and the optimizer's memory of them, as one table of tensors."""
    tensors = {f"weights.{name}": tensor for name, tensor in learner.network.state_dict().items()}
    for name, parameter in learner.network.named_parameters():
        for key, value in optimizer.state.get(parameter, {}).items():
            tensors[f"optimizer.{key}.{name}"] = torch.as_tensor(value)
    return tensors


def restore_optimizer(learner: Learner, optimizer: torch.optim.Optimizer, tensors: Tensors, path: Path) -> None:
    """Undo `optimizer_tensors`."""
    weights = {name.removeprefix("weights."): it for name, it in tensors.items() if name.startswith("weights.")}
    load_weights(learner, weights, path)
    parameters = dict(learner.network.named_parameters())
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, key, parameter = name.split(".", 2)
            optimizer.state[parameters[parameter]][key] = tensor.to(learner.device, copy=True)
