"""The abstract cache: abstract utterance -> abstract program -> how often it is right and wrong.

    R(x, z) = right / (right + wrong)        0 if right / wrong is below the ratio, or if it is never right

z is made abstract with the slots of x, and filled again and run for *every* training utterance that has the abstract
utterance of x: what they say about it is counted together, so a program that is right for one of them by accident earns
little, and one wrong label does not rule out a right program. An utterance for which z cannot be filled has no say.

Counts are taken once, when an abstract program is first met for an abstract utterance. Programs that earn something are
kept and offered to all utterances of that abstraction; which ones were found so far is part of the state of a training.
The hand-written abstract examples of the domain are met before it begins.
"""

from __future__ import annotations

import json
from bisect import insort
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial

from chorale.domain import Abstracted, Grounding
from chorale.domain.meanings import answers_of
from chorale.errors import ChoraleError
from chorale.language.grammar import Grammar
from chorale.language.language import Language
from chorale.language.program import Program
from chorale.plumbing.cache import Cache
from chorale.training.rewards import ActionRow

Actions = tuple[int, ...]

Counts = tuple[int, int]
"""How often right, how often wrong."""


class AbstractCache:
    """What abstract programs are worth for the training utterances, which are known by their indices."""

    def __init__(
        self,
        grounding: Grounding,
        abstracted: Sequence[Abstracted],
        *,
        counted: str,
        ratio: float,
        offered: int,
        max_actions: int,
        most_remembered: int = 1_000_000,
    ) -> None:
        """`abstracted` are the utterances of the grounding with slots; for the rest see `TiedReward`."""
        self._grounding = grounding
        self._abstracted = abstracted
        self._counted, self._ratio, self._offered, self._max_actions = counted, ratio, offered, max_actions
        self._sharing: dict[str, list[int]] = {}
        for index, one in enumerate(abstracted):
            self._sharing.setdefault(one.text, []).append(index)
        sizes = [len(it.contexts) if counted == "images" else 1 for it in grounding.utterances]
        self._most = {text: sum(sizes[index] for index in indices) for text, indices in self._sharing.items()}
        self._kept: dict[str, dict[str, Counts]] = {}
        self._ranked: dict[str, list[tuple[float, int, int, str]]] = {}  # what is kept, the best first
        # What follows only saves work.
        self._found: Cache[tuple[str, str], Counts | None] = Cache(most_remembered)
        self._rewards: Cache[tuple[int, bytes], float] = Cache(most_remembered)
        self._filled: Cache[tuple[int, str], Actions | None] = Cache(most_remembered)

    @cached_property
    def _languages(self) -> list[Language]:
        """The language on the contexts of each utterance alone."""
        return [self._grounding.language([index]) for index in range(len(self._abstracted))]

    def meet(self, examples: Mapping[str, Sequence[str]]) -> None:
        """Judge abstract programs, given by their abstract utterances, and keep those that earn something."""
        for utterance, programs in examples.items():
            for program in programs if utterance in self._sharing else ():
                self._worth(utterance, program)

    def reward(self, utterance: int, actions: ActionRow) -> float:
        """What a program, given as actions without padding, earns for an utterance."""

        def worth() -> float:
            program = Program.from_actions(actions.tolist(), self._grounding.grammar(utterance))
            abstracted = self._abstracted[utterance]
            return self._worth(abstracted.text, abstracted.program(program.text))

        return self._rewards.get((utterance, actions.tobytes()), worth)

    def offers(self, utterance: int) -> list[Actions]:
        """The best abstract programs of the utterance's abstraction, filled: those that it can use."""
        ranked = self._ranked.get(self._abstracted[utterance].text, ())[: self._offered]
        filled = [self._filled.get((utterance, it), partial(self._fill, utterance, it)) for *_, it in ranked]
        return list(dict.fromkeys(actions for actions in filled if actions is not None))

    def counts(self, abstract_utterance: str, program: str) -> Counts:
        """How often an abstract program is right and wrong for the training utterances of an abstraction."""
        verdicts = list(self._verdicts(abstract_utterance, program))
        return sum(right for right, _ in verdicts), sum(wrong for _, wrong in verdicts)

    def _verdicts(self, abstract_utterance: str, program: str) -> Iterator[Counts]:
        """What each utterance of an abstraction says, those that have no say left out."""
        read: dict[tuple[int, str], Program | None] = {}
        for index in self._sharing.get(abstract_utterance, ()):
            filled, grammar = self._abstracted[index].fill(program), self._grounding.grammar(index)
            if filled is None:
                continue
            key = id(grammar), filled
            if key not in read:
                read[key] = _parsed(filled, grammar)
            if (meant := read[key]) is None:
                continue
            wanted = self._grounding.utterances[index].answers
            agreeing = list(self._grounding.compared.right(answers_of(meant, self._languages[index]), wanted))
            if self._counted == "utterances":
                agreeing = [all(agreeing)]
            yield sum(agreeing), len(agreeing) - sum(agreeing)

    def written(self) -> bytes:
        """What was found so far, in the order it was found."""
        return json.dumps(self._kept, ensure_ascii=False).encode()

    def restore(self, content: bytes) -> None:
        """Undo `written`: know what was found then, and nothing else."""
        for known in (self._kept, self._ranked, self._found, self._rewards, self._filled):
            known.clear()
        for utterance, programs in json.loads(content).items():
            for program, (right, wrong) in programs.items():
                self._keep(utterance, program, (right, wrong))

    def _worth(self, utterance: str, program: str) -> float:
        """R of an abstract program; keeps it if that is above 0."""
        if program not in (kept := self._kept.get(utterance, {})):
            counts = self._found.get((utterance, program), lambda: self._counts_if_enough(utterance, program))
            if counts is None:
                return 0.0
            self._keep(utterance, program, counts)
        right, wrong = kept.get(program) or self._kept[utterance][program]
        return right / (right + wrong)

    def _counts_if_enough(self, utterance: str, program: str) -> Counts | None:
        """The counts, or None as soon as it is clear that they do not reach the ratio: most programs fail early."""
        right = wrong = 0
        for more_right, more_wrong in self._verdicts(utterance, program):
            right, wrong = right + more_right, wrong + more_wrong
            if self._most[utterance] - wrong < self._ratio * wrong:
                return None
        return (right, wrong) if right > 0 and right >= self._ratio * wrong else None

    def _keep(self, utterance: str, program: str, counts: Counts) -> None:
        right, wrong = counts
        self._kept.setdefault(utterance, {})[program] = counts
        # The highest share first; of equal ones what more utterances speak for, then what is shorter.
        rank = -right / (right + wrong), -right, len(program), program
        insort(self._ranked.setdefault(utterance, []), rank)

    def _fill(self, utterance: int, program: str) -> Actions | None:
        """The actions of an abstract program for an utterance; None if it is none there, or too long."""
        filled = self._abstracted[utterance].fill(program)
        parsed = None if filled is None else _parsed(filled, self._grounding.grammar(utterance))
        return parsed.action_ids if parsed is not None and len(parsed.action_ids) <= self._max_actions else None


def _parsed(text: str, grammar: Grammar) -> Program | None:
    """A program of a grammar; None if the text is none, such as when it names what only another context has."""
    try:
        program = Program.parse(text, grammar)
    except ChoraleError:
        return None
    return program if program.type == grammar.root else None
