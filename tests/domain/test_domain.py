"""What every domain has without saying so, and what those of before are told."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from tests.people import PeopleDomain, write_questions

from chorale.domain import Answers, Domain, OwnGrounding, SharedGrounding, Unlabelled, grammar_of, kind_of
from chorale.errors import ChoraleError
from chorale.language import Language, function, run
from chorale.nlvr.domain import Nlvr


class Days(Language):
    """Written for one day."""

    per_context = True
    root = bool

    def __init__(self, degrees: int) -> None:
        self.degrees = degrees

    @function
    def warm(self) -> bool:
        return self.degrees > 20

    @function
    def differs(self, one: bool) -> bool:
        return not one


class Weather(Domain):
    name = "weather"
    languages: ClassVar[Mapping[str, type[Language]]] = {"days": Days}


# -- the interface of before -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("member", "said"),
    [
        ({"generator": lambda self, rng: 7}, r"Old.generator: .*`variants\(utterance, count, seed\)` makes contexts"),
        ({"focus": lambda self, utterance: None}, r"Old.focus: .*`topic\(utterance\)` says what they depend on"),
        ({"agrees": lambda self, said, wanted: True}, "Old.agrees: .*`answers`, an object of `chorale.domain.Answers`"),
        ({"ground": lambda self, language, utterances: None}, "Old.ground: .*`constants` names them"),
        ({"raters": None}, "Old.raters: .*removed without a replacement"),
        (
            {"bind": lambda self, language, contexts: None},
            r"Old.bind: it takes \(self, language, utterance, con",
        ),
    ],
)
def test_a_domain_for_the_interface_of_before_is_told_what_changed(member: dict[str, Any], said: str) -> None:
    with pytest.raises(ChoraleError, match=said):
        type("Old", (Weather,), member)


def test_a_drawing_that_reads_contexts_is_named_as_codec_as_well() -> None:
    class Both:
        def from_json(self, value: Any) -> Any:
            return value

    with pytest.raises(ChoraleError, match=r"Old\.drawing: .*name it `codec` as well"):
        type("Old", (Weather,), {"drawing": Both()})
    new = type("New", (Weather,), {"drawing": Both(), "codec": Both()})
    type("Newer", (new,), {"drawing": Both()})


# -- defaults ----------------------------------------------------------------------------------------------------------


def test_a_language_for_one_context_is_lifted_and_one_for_all_is_not() -> None:
    bound = Weather().bind("days", None, [30, 10, 25])
    assert run(bound.parse("warm"), bound) == (True, False, True)
    assert run(bound.parse("differs(warm)"), bound) == (False, True, False)

    class AllDays(Days):
        per_context = False

        def __init__(self, degrees: Sequence[int]) -> None:  # type: ignore[override]
            self.degrees = degrees  # type: ignore[assignment]

        @function
        def warm(self) -> bool:
            return tuple(one > 20 for one in self.degrees)  # type: ignore[return-value, attr-defined]

    class Together(Weather):
        languages: ClassVar[Mapping[str, type[Language]]] = {"days": AllDays}

    together = Together().bind("days", None, [30, 10, 25])
    assert run(together.parse("warm"), together) == (True, False, True)


def test_constants_come_with_their_utterance_and_not_without() -> None:
    people, table = PeopleDomain(), ({"name": "anna", "pet": "cat"},)
    said = Unlabelled("?", (table,))
    bound = people.bind("asking", said, [table])
    assert run(bound.parse("count(who(pet, cat, everybody))"), bound) == (1,)
    assert not {"pet", "cat"} & grammar_of(people, "asking").signature.keys()
    with pytest.raises(ChoraleError, match="people: programs cannot be bound to contexts of several utterances"):
        people.bind("asking", None, [table])


def test_a_parse_is_remembered_by_the_sentence_and_by_the_contexts_where_these_bring_constants() -> None:
    hot, cold = Unlabelled("Is it warm?", (30,)), Unlabelled("Is it warm?", (10,))
    assert Weather().identity(hot) == Weather().identity(cold) == "Is it warm?"
    tables = [({"name": "anna"},), ({"name": "bert"},)]

    class Untold(PeopleDomain):
        topic = Domain.topic  # type: ignore[assignment]

    for people in (PeopleDomain(), Untold()):
        first, same, other, otherwise = (
            people.identity(Unlabelled(sentence, (table,)))
            for sentence, table in (("Who?", tables[0]), ("Who?", tables[0]), ("Who?", tables[1]), ("Whom?", tables[0]))
        )
        assert first == same
        assert len({first, other, otherwise}) == 3


def test_groundings_are_shared_unless_utterances_bring_constants() -> None:
    assert isinstance(Weather().ground("days", [Unlabelled("Is it warm?", (30,))]), SharedGrounding)
    assert isinstance(PeopleDomain().ground("asking", [Unlabelled("?", ((),))]), OwnGrounding)


def test_defaults_say_that_there_is_nothing_special(tmp_path: Path) -> None:
    domain = Weather()
    assert domain.words("Is it WARM, 7 days?") == ["is", "it", "warm", "7", "days"]
    assert domain.statement("Is it warm?") == "Is it warm?"
    assert domain.kind(30) == "all"
    assert kind_of(domain, "Is it warm?") == "is it warm"
    assert not domain.makes_contexts
    assert PeopleDomain().makes_contexts
    assert type(domain.answers) is Answers
    assert domain.lexicon("days") is domain.agenda("days") is domain.codec is domain.relations is None
    folder = write_questions(tmp_path, train=3, dev=2)
    with PeopleDomain().opened(folder / "dev.jsonl") as asked:
        assert list(asked) == PeopleDomain().read(folder / "dev.jsonl")


def test_a_language_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(ChoraleError, match="weather has no language 'day'; did you mean 'days'"):
        grammar_of(Weather(), "day")


def test_a_domain_travels_with_what_its_author_gave_it() -> None:
    domain = Nlvr()
    domain.note = "mine"  # type: ignore[attr-defined]
    domain._made_up = [1, 2, 3]  # type: ignore[attr-defined]
    again = pickle.loads(pickle.dumps(domain))
    assert again.note == "mine"
    assert not hasattr(again, "_made_up")
