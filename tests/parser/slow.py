"""The slow twins of the parser: one sentence, one hypothesis, one action at a time, straight from the equations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from hypothesis import assume
from hypothesis import strategies as st
from torch import Tensor

from chorale.domain import Hints
from chorale.language import Basic, Function, Grammar, Type
from chorale.parser import lexical
from chorale.parser.parser import Parser
from chorale.parser.sizes import Sizes
from chorale.parser.vocabulary import Vocabulary

torch.set_num_threads(1)  # the tensors are tiny

WORDS = ("a", "b", "c", "d", "e")
OPEN = (Basic("A"), Basic("B"))
SMALL = Sizes(token_embedding=6, encoder=4, action_embedding=6)


@dataclass
class Hypothesis:
    actions: tuple[int, ...]
    stack: tuple[int, ...]  # the first is expanded next
    score: float
    hidden: Tensor
    cell: Tensor
    attended: Tensor
    attention: tuple[Tensor, ...] = ()


class Slow:
    """A parser's own weights, used without any batching. Dropout is off."""

    def __init__(
        self,
        parser: Parser,
        sentence: Sequence[str],
        grammar: Grammar | None = None,
        agenda: Sequence[int] = (),
        hints: Hints | None = None,
    ) -> None:
        self.grammar = grammar or parser.grammar
        self.agenda = set(agenda)
        self.hints = hints
        self.network = network = parser.network
        self.vectors = list(network.action_embedding.weight[: len(parser.grammar)])
        for production in self.grammar.productions[len(parser.grammar) :]:
            words = torch.tensor(parser.vocabulary.ids(production.name.split("_")))
            self.vectors.append(network.token_embedding(words).mean(0))
        self.nothing = network.action_embedding.weight[len(parser.grammar)]
        words = network.token_embedding(torch.tensor(parser.vocabulary.ids(sentence)))
        if hints is not None:
            words = torch.stack([word + self.asked(place) for place, word in enumerate(words)])
        ahead, back = network.forwards(words)[0], network.backwards(words.flip(0))[0]
        self.tokens = torch.cat([ahead, back.flip(0)], dim=1)  # (token, decoder)
        self.hidden = torch.cat([ahead[-1], back[-1]])

    def asking(self, place: int) -> set[str]:
        """The terminals that the phrases around a token ask for."""
        assert self.hints is not None
        phrases = zip(self.hints.explains, self.hints.tokens, strict=True)
        here = [names for (_, names), (start, end) in phrases if start <= place < end]
        return set().union(*here) & self.grammar.terminal_ids.keys()

    def asked(self, place: int) -> Tensor:
        ids = [self.grammar.terminal_ids[name] for name in self.asking(place)]
        vectors = [self.vectors[number] for number in ids] or [torch.zeros_like(self.nothing)]
        return torch.stack(vectors).mean(0)

    def told(self, production: int, actions: Sequence[int], attention: Tensor) -> Tensor:
        """What the lexicon adds to the score of a production."""
        hints, name = self.hints, self.grammar.productions[production].name
        if hints is None or not name:
            return torch.zeros(())
        used = [self.grammar.productions[action].name for action in actions]
        seen: list[tuple[str, frozenset[str]]] = []
        missing = False
        for phrase in hints.explains:
            seen.append(phrase)
            answers = sum(one in phrase[1] for one in used)
            missing |= name in phrase[1] and answers < seen.count(phrase)
        features = [
            float(missing),
            float(name in used),
            sum((w for place, w in enumerate(attention) if name in self.asking(place)), torch.zeros(())),
        ]
        told = sum((w * it for w, it in zip(self.network.lexicon, features, strict=True)), torch.zeros(()))
        return told if name in hints.allowed else told + lexical.FORBIDDEN

    def attend(self, hidden: Tensor) -> tuple[Tensor, Tensor]:
        weights = torch.softmax(torch.stack([hidden @ token for token in self.tokens]), 0)
        return weights, sum((w * token for w, token in zip(weights, self.tokens, strict=True)), torch.zeros(()))

    def start(self) -> Hypothesis:
        return Hypothesis((), (0,), 0.0, self.hidden, torch.zeros_like(self.hidden), self.attend(self.hidden)[1])

    def step(self, at: Hypothesis) -> tuple[Tensor, Tensor, Tensor, Tensor, dict[int, Tensor]]:
        """Hidden, cell, attended, attention, and the log-probability of each legal production."""
        network = self.network
        before = self.vectors[at.actions[-1]] if at.actions else self.nothing
        given = torch.tanh(network.input.weight @ torch.cat([at.attended, before]) + network.input.bias)
        decoder = network.decoder
        gates = decoder.weight_ih @ given + decoder.bias_ih + decoder.weight_hh @ at.hidden + decoder.bias_hh
        i, f, g, o = gates.chunk(4)
        cell = torch.sigmoid(f) * at.cell + torch.sigmoid(i) * torch.tanh(g)
        hidden = torch.sigmoid(o) * torch.tanh(cell)
        attention, attended = self.attend(hidden)
        query = torch.tanh(network.output.weight @ torch.cat([hidden, attended]) + network.output.bias)
        if network.sizes.coverage:
            for action in self.agenda - set(at.actions):
                query = query + network.coverage * self.vectors[action]
        legal = sorted(self.grammar.children[at.stack[0]])
        scores = [query @ self.vectors[p] + self.told(p, at.actions, attention) for p in legal]
        logs = torch.log_softmax(torch.stack(scores), 0) if legal else ()
        return hidden, cell, attended, attention, dict(zip(legal, logs, strict=True))

    def score(self, actions: Sequence[int]) -> Tensor:
        at, total = self.start(), torch.zeros((), dtype=self.tokens.dtype)
        for action in actions:
            hidden, cell, attended, _, logs = self.step(at)
            total = total + logs[action]
            stack = (*self.grammar.children[at.stack[0]][action], *at.stack[1:])
            at = Hypothesis((*at.actions, action), stack, 0.0, hidden, cell, attended)
        assert not at.stack
        return total

    def search(self, beam: int, max_actions: int) -> list[Hypothesis]:
        shortest = self.grammar.shortest
        hypotheses, finished = [self.start()], []
        for step in range(max_actions):
            following = []
            for at in hypotheses:
                hidden, cell, attended, attention, logs = self.step(at)
                for action, log in logs.items():
                    stack = (*self.grammar.children[at.stack[0]][action], *at.stack[1:])
                    if step + 1 + sum(int(shortest[state]) for state in stack) > max_actions:
                        continue
                    new = Hypothesis(
                        (*at.actions, action),
                        stack,
                        at.score + float(log),
                        hidden,
                        cell,
                        attended,
                        (*at.attention, attention),
                    )
                    (following if stack else finished).append(new)
            hypotheses = sorted(following, key=lambda h: -h.score)[:beam]
        return sorted(finished, key=lambda h: -h.score)[:beam]


@st.composite
def grammars(draw: st.DrawFn, max_actions: int = 8, open_types: tuple[Type, ...] = ()) -> Grammar:
    """Random grammars over three basic types, with currying and composition, that have a program short enough."""
    basics = [Basic("R"), Basic("A"), Basic("B")]
    signature: dict[str, Type] = {}
    for number, kind in enumerate(draw(st.lists(st.sampled_from(basics[1:]), min_size=1, max_size=4))):
        signature[f"k{number}"] = kind
    unary = st.builds(lambda a, r: Function((a,), r), st.sampled_from(basics[1:]), st.sampled_from(basics))
    arguments = st.lists(st.sampled_from(basics[1:]) | unary, min_size=1, max_size=3).map(tuple)
    functions = st.builds(Function, arguments, st.sampled_from(basics))
    for number, kind in enumerate(draw(st.lists(functions, min_size=1, max_size=5))):
        signature[f"f{number}"] = kind
    try:
        grammar = Grammar(
            signature,
            basics[0],
            composition=draw(st.booleans()),
            currying=draw(st.booleans()),
            open_types=open_types,
        )
    except ValueError:
        assume(False)
        raise
    assume(grammar.shortest[0] <= max_actions)
    return grammar


def small_parser(grammar: Grammar, seed: int, sizes: Sizes = SMALL) -> Parser:
    """A tiny parser in double precision with large random weights, so that no two programs are equally probable."""
    torch.manual_seed(seed)
    parser = Parser(grammar, Vocabulary(WORDS), sizes)
    parser.network.double().eval()
    with torch.no_grad():
        for parameter in parser.network.parameters():
            parameter.copy_(torch.randn_like(parameter))
        parser.network.token_embedding.weight[0] = 0
    return parser


sentences = st.lists(st.sampled_from((*WORDS, "unknown")), min_size=1, max_size=6)
seeds = st.integers(0, 10_000)
