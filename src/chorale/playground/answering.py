"""Answering: each request of the API as a function of the model. Plain values in, plain values out; no web here."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from chorale.domain import Answer, Codec, Hints, Meanings, Reading, Unlabelled, hints_of, needed
from chorale.domain.meanings import AT_A_TIME, answers_of
from chorale.errors import ChoraleError
from chorale.explain.readings import by_meaning
from chorale.language import plain
from chorale.language.completion import completions
from chorale.language.language import Language, read_program
from chorale.language.program import Program
from chorale.language.terms import quoted
from chorale.model import Model
from chorale.playground import limits
from chorale.playground.received import checked, codec_of, received_answer, received_context
from chorale.playground.refusals import Refusal, refusing
from chorale.playground.teaching import Teaching
from chorale.playground.trees import aligned_words, tree_of
from chorale.plumbing.cache import Cache
from chorale.search.change import change

INVENTED = 5_000
"""Contexts that are made up, at most, to find one with what is wanted; they are kept for the next request."""
_WEIGHTS = 12  # of a program that are shown
_TOPICS = 4  # whose contexts are kept
Json = dict[str, Any]


class Answering:
    """Answers requests about one model. Mistakes of the asker end in a `Refusal`."""

    def __init__(self, model: Model, invented: int = INVENTED) -> None:
        self.model, self.domain, self.language = model, model.domain, model.language
        self._count = invented
        self._kept: Cache[Hashable, _Invented] = Cache(_TOPICS)
        self._teaching = Teaching(model)

    def answer(self, what: str, arguments: Mapping[str, Any]) -> Any:
        """The answer to a request by its name."""
        try:
            return getattr(self, what)(**arguments)
        except (Refusal, MemoryError):
            raise
        except Exception as error:
            is_about_something = arguments.get("scene") is not None or arguments.get("marks")
            if not (is_about_something and self._is_unchecked):
                raise
            problem = f"{type(error).__name__}: {error}"
            raise Refusal("bad_scene", f"programs do not work on this {self.domain.context_word}: {problem}") from error

    # -- requests ------------------------------------------------------------------------------------------------------

    def parse(
        self,
        sentence: str,
        scene: Any,
        picture: str | None,
        top: int,
        answer_if: float,
        marks: Sequence[Mapping[str, Any]] = (),
    ) -> Json:
        if scene is not None and picture is not None:
            raise Refusal("invalid", "scene and picture: give one of them, not both")
        context = self._pictured(picture) if picture is not None else self._optional(scene)
        if len(self.domain.words(sentence)) > limits.WORDS:
            raise Refusal("bad_sentence", f"the sentence has more than {limits.WORDS} words")
        asked = self._asked(sentence, context)
        model = self._teaching.taught(marks) if marks else self.model
        with refusing("bad_sentence"):
            said = model.answered(asked, answer_if=answer_if, beam=max(top, model.beam))
        return {
            **self._said(said.answer),
            "confidence": said.confidence,
            "meant": said.meant,
            "reasons": [{"kind": reason.kind, "text": reason.text} for reason in said.reasons],
            "words": list(said.readings[0].words) if said.readings else self.domain.words(sentence),
            "scene": None if context is None else self._codec.to_json(context),
            "parses": self._readings(said.readings, top),
        }

    def run(self, program: str, scene: Any, sentence: str | None = None) -> Json:
        asked = self._asked(self._claim(sentence), self._context(scene))
        question, bound = self._program(program, asked), self._bound(asked)
        with refusing("bad_scene"):
            [answer] = answers_of(question, bound)
        return self._shown(question, asked, bound, answer)

    def complete(self, program: str, scene: Any, sentence: str | None = None) -> Json:
        asked = self._asked(self._claim(sentence), self._optional(scene))
        start, names = completions(program, self._spoken(asked).grammar)
        return {"start": start, "names": [{"text": quoted(name), "type": str(kind)} for name, kind in names]}

    def explain(
        self,
        sentence: str,
        scene: Any,
        program: str | None,
        marks: Sequence[Mapping[str, Any]] = (),
        page: bool = False,
    ) -> Json:
        asked = self._asked(sentence, self._optional(scene))
        model = self._teaching.taught(marks) if marks else self.model
        with refusing("bad_sentence"):
            readings = model.answered(asked).readings
        found = [one for one in readings if program in (None, one.program.text)]
        if not found:
            raise Refusal("bad_program", "the sentence is not read so; give a program that /api/parse found")
        explained = model.explain(found[0])
        told = explained.to_json()
        rival = explained.rival
        return {
            **{key: told[key][:_WEIGHTS] for key in ("weights", "decided")},
            "rival": None if rival is None else {"program": rival.program.text, "plain": rival.plain},
            "page": explained.html() if page else None,
        }

    def see(self, picture: str) -> Json:
        return {"scene": self._codec.to_json(self._pictured(picture))}

    def read(self, scene: Any, file: str | None, name: str) -> Json:
        if (scene is None) == (file is None):
            raise Refusal("invalid", "scene and file: give one of them")
        if file is None:
            context = self._context(scene)
        else:
            with refusing("bad_scene"):
                context = self._codec.uploaded(_unpacked(file, "file"), name)
        sent = self._codec.to_json(context)
        with refusing("too_large"):
            checked(sent)
        return {"scene": sent, "notes": list(self._codec.notes(context)), "facts": self._codec.facts(context)}

    def without(self, program: str, scene: Any, sentence: str | None = None) -> Json:
        asked = self._asked(self._claim(sentence), self._context(scene))
        question = self._program(program, asked)
        with refusing("not_supported"):
            parts = list(needed(self.domain.without, self.domain, "parts", "leaving them out").each(asked.contexts[0]))
        [said] = answers_of(question, self._bound(asked))
        whole = self._said(said)["answer_text"]
        found, most = [], limits.WITHOUT // (len(parts) + 1) + 1
        for start in range(0, min(len(parts), most), AT_A_TIME):
            some = parts[start : min(start + AT_A_TIME, most)]
            bound = self.domain.bind(self.language, asked, [context for _, context in some])
            for (place, _), now in zip(some, answers_of(question, bound), strict=True):
                if (without := self._said(now))["answer_text"] != whole:
                    found.append({"place": place, **without})
        return {"parts": found, "looked_at": min(len(parts), most), "of": len(parts)}

    def distinguish(self, one: str, other: str, scene: Any, sentence: str | None = None) -> Json:
        asked = self._asked(self._claim(sentence), self._optional(scene))
        first, second = self._program(one, asked), self._program(other, asked)
        looked_at = 0
        if asked.contexts:
            near = self._near(asked)
            with refusing("bad_scene"):
                found = near.compare(first, second)
            if found.index is not None:
                return self._difference(found.context, found.answers, int(found.index > 0), 1)
            looked_at = found.looked_at
        elif not self.domain.makes_contexts:
            raise self._makes_none("telling programs apart")
        for invented in self._invented(asked):
            found = invented.compare(first, second)
            looked_at += found.looked_at
            if found:
                return self._difference(found.context, found.answers, None, looked_at)
        return self._difference(None, None, None, looked_at)

    def change(self, program: str, scene: Any, answer: Any, sentence: str | None = None) -> Json:
        asked = self._asked(self._claim(sentence), self._context(scene))
        question, wanted = self._program(program, asked), received_answer(self.domain, answer)
        with refusing("bad_scene"):
            [said] = answers_of(question, self._bound(asked))
        if isinstance(said, bool) != isinstance(wanted, bool):
            kind = "true or false" if isinstance(said, bool) else "other than true or false"
            raise Refusal("invalid", f"answer: what this program says is {kind}")
        with refusing("not_supported"):
            found = change(question, asked.contexts[0], wanted, self.domain, self.language, utterance=asked)
        if found:
            scene = self._codec.to_json(found.context)
            return {"scene": scene, "changes": found.changes, "looked_at": found.looked_at}
        invented, looked_at = self._with_answer(question, wanted, asked)
        scene = None if invented is None else self._codec.to_json(invented)
        return {"scene": scene, "changes": None, "looked_at": found.looked_at + looked_at}

    def teach(self, marks: Sequence[Mapping[str, Any]], skip: int, take: int) -> Json:
        return self._teaching.changes(marks, skip, take)

    def export(self, marks: Sequence[Mapping[str, Any]]) -> Json:
        return {"lines": self._teaching.lines(marks)}

    def about(self) -> Json:
        domain = self.domain
        has = {name: getattr(domain, name) is not None for name in ("drawing", "editing", "codec", "without")}
        has |= {"stage": None not in (domain.stage, domain.codec)}
        has |= {"generator": domain.makes_contexts, "teaching": self.model.can_be_taught}
        return {
            "domain": domain.name,
            "language": self.language,
            "can": [name for name, it in has.items() if it],
            "context_word": domain.context_word,
            "sentences": list(dict.fromkeys(domain.sentences))[: limits.SENTENCES],
            "example": self._example,
            "limits": {} if domain.codec is None else dict(domain.codec.limits),
        }

    def invent(self, seed: int) -> Json:
        with refusing("not_supported"):
            made = self.domain.variants(None, 1, seed)
        if not made:
            raise self._makes_none("inventing one")
        return {"scene": self._codec.to_json(made[0])}

    # -- what is shown -------------------------------------------------------------------------------------------------

    def _readings(self, readings: Sequence[Reading], top: int) -> list[Json]:
        """The first programs of a beam, those of the same meaning as one."""
        if not readings:
            return []
        asked = readings[0].utterance
        assert isinstance(asked, Unlabelled)
        hints = hints_of(self.domain, self.language, asked)
        bound = self._bound(asked) if asked.contexts else None
        found = by_meaning(readings[: 2 * limits.READINGS], self.domain, self.language)
        return [self._reading(one, asked, bound, hints) for one in found[:top]]

    def _reading(self, one: Reading, asked: Unlabelled, bound: Language | None, hints: Hints | None) -> Json:
        """A reading with all that is shown of it."""
        attention = None
        if one.attention is not None:
            weights = [[round(float(weight), 4) for weight in row] for row in one.attention]
            attention = {"actions": list(one.decoded.actions), "weights": weights}
        words = [] if attention else aligned_words(one.program, hints)
        said = one.answers[0] if one.answers else None
        return {
            **self._shown(one.program, asked, bound, said, words),
            "probability": one.probability,
            "attention": attention,
        }

    def _shown(
        self,
        program: Program,
        asked: Unlabelled,
        bound: Language | None,
        answer: Answer | None,
        words: Sequence[Sequence[int]] = (),
    ) -> Json:
        """A program, and what its parts return in the context that it is asked about, if there is one."""
        with refusing("bad_scene"):
            steps = [] if bound is None else self.domain.tracing.trace(program, bound, asked.contexts[0])
        return {
            "program": program.text,
            "plain": plain(program, self.model.spoken),
            **self._said(answer),
            "tree": tree_of(program, [step.part for step in steps], words),
            "steps": [step.to_json() for step in steps],
            **self._query(program, asked),
        }

    def _query(self, program: Program, asked: Unlabelled) -> Json:
        """The program as SQL, if the domain writes queries."""
        if self.domain.queries is None or not asked.contexts:
            return {}
        found = self.domain.queries.query(program, asked.contexts[0])
        return {"sql": found.text or None, "sql_remark": found.remark or None}

    def _said(self, answer: Answer | None) -> Json:
        """An answer for machines and for people."""
        told = self.domain.answers
        return {"answer": told.to_json(answer), "answer_text": None if answer is None else told.shown(answer)}

    def _difference(self, context: Any, answers: Sequence[Answer] | None, changes: int | None, looked_at: int) -> Json:
        told = self.domain.answers
        return {
            "scene": None if answers is None else self._codec.to_json(context),
            "answers": None if answers is None else [told.to_json(answer) for answer in answers],
            "answer_texts": None if answers is None else [told.shown(answer) for answer in answers],
            "changes": changes,
            "looked_at": looked_at,
        }

    @cached_property
    def _example(self) -> Json:
        """A context and a sentence, if the domain makes the one and has the other, and what the sentence means."""
        domain = self.domain
        made: tuple[Any, ...] = ()
        sentence = next(iter(domain.sentences), None)
        if domain.example is not None:
            sentence, context = domain.example
            made = (context,)
        else:
            with suppress(ChoraleError):
                made = tuple(domain.variants(None, 1, 0))
        readings: Sequence[Reading] = ()
        if sentence is not None:
            with suppress(ChoraleError):
                readings = self.model.answered(Unlabelled(sentence, made)).readings
        return {
            "sentence": sentence,
            "scene": domain.codec.to_json(made[0]) if made and domain.codec is not None else None,
            "text": str(made[0]) if made and domain.codec is None else None,
            "program": readings[0].program.text if readings else None,
        }

    # -- what is asked about -------------------------------------------------------------------------------------------

    def _claim(self, sentence: str | None) -> str:
        """What a sentence claims, if there is one: that is what programs were found for."""
        return (sentence and self.domain.statement(sentence)) or ""

    def _asked(self, sentence: str, context: Any) -> Unlabelled:
        """A sentence and what it is about; programs are read with the constants that the two bring."""
        if context is None and self.domain.has_constants(self.language):
            word = self.domain.context_word
            raise Refusal("bad_scene", f"sentences and programs are read with their {word}: send it as `scene`")
        return Unlabelled(sentence, () if context is None else (context,))

    def _bound(self, asked: Unlabelled) -> Language:
        """The language on the context that is asked about."""
        with refusing("bad_scene"):
            return self.domain.bind(self.language, asked, asked.contexts)

    def _spoken(self, asked: Unlabelled) -> Language | type[Language]:
        """The language with the constants that the asker brings, if it takes any."""
        return self._bound(asked) if self.domain.has_constants(self.language) else self.model.spoken

    def _program(self, text: str, asked: Unlabelled) -> Program:
        spoken = self._spoken(asked)
        with refusing("bad_program"):
            program = read_program(text, spoken)
        if program.size > limits.PROGRAM_SIZE:
            raise Refusal("bad_program", f"the program names more than {limits.PROGRAM_SIZE} functions and constants")
        return program

    def _near(self, asked: Unlabelled) -> Meanings:
        """The context that is asked about, and those that are a small change away, if the domain knows them."""
        [context], editing = asked.contexts, self.domain.editing
        near = [context, *(editing.around(context) if editing is not None else ())]
        return Meanings(near, lambda some: self.domain.bind(self.language, asked, some))

    def _invented(self, asked: Unlabelled) -> _Invented:
        """Contexts that are made up: any, or those that programs with the constants of this one run in."""
        own = asked if self.domain.has_constants(self.language) else None
        topic = None if own is None else (self.domain.topic(own), frozenset(self.domain.constants(own)))
        return self._kept.get(topic, lambda: _Invented(self.model, own, self._count))

    def _with_answer(self, program: Program, wanted: Answer, asked: Unlabelled) -> tuple[Any, int]:
        """A made-up context in which the program gives this answer, and how many were looked at."""
        looked_at = 0
        for invented in self._invented(asked):
            looked_at += len(invented.contexts)
            for context, said in zip(invented.contexts, invented.answers(program), strict=True):
                if self.domain.answers.agrees(said, wanted):
                    return context, looked_at
        return None, looked_at

    def _optional(self, scene: Any) -> Any:
        return None if scene is None else self._context(scene)

    def _context(self, scene: Any) -> Any:
        return received_context(self.domain, scene)

    def _pictured(self, picture: str) -> Any:
        content = _unpacked(picture, "picture")
        if len(content) > limits.PICTURE:
            raise Refusal("too_large", f"picture: more than {limits.PICTURE:,} bytes")
        codec = self._codec
        if type(codec).see is Codec.see:
            raise Refusal("not_supported", f"the domain {self.domain.name} reads no pictures")
        with refusing("bad_picture"):
            return codec.see(content)

    @property
    def _codec(self) -> Codec:
        return codec_of(self.domain)

    @property
    def _is_unchecked(self) -> bool:
        """Whether the domain takes any JSON for a context; then programs may stumble over it."""
        codec = self.domain.codec
        return codec is not None and type(codec).from_json is Codec.from_json

    def _makes_none(self, needed_by: str) -> Refusal:
        name = self.domain.name
        return Refusal(
            "not_supported", f"the domain {name} makes no contexts (`Domain.variants`), which {needed_by} needs"
        )


def _unpacked(text: str, field: str) -> bytes:
    """The bytes of a file, sent in base64."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        code = "bad_picture" if field == "picture" else "invalid"
        raise Refusal(code, f"{field}: not base64: {error}") from None


class _Invented:
    """Contexts that a domain makes up, some at a time: made when they are first asked for, and kept."""

    def __init__(self, model: Model, utterance: Unlabelled | None, count: int) -> None:
        self._model, self._utterance = model, utterance
        self._count = count if model.domain.makes_contexts else 0
        self._made: list[Meanings] = []

    def __iter__(self) -> Iterator[Meanings]:
        for seed, start in enumerate(range(0, self._count, AT_A_TIME)):
            if seed == len(self._made):
                self._made.append(self._make(min(AT_A_TIME, self._count - start), seed))
            yield self._made[seed]

    def _make(self, count: int, seed: int) -> Meanings:
        domain, language, utterance = self._model.domain, self._model.language, self._utterance
        return Meanings(domain.variants(utterance, count, seed), lambda some: domain.bind(language, utterance, some))
