"""Everyday tables and questions that are made up: their programs say what they ask, and files of them can be read."""

from __future__ import annotations

from collections import Counter
from random import Random

from chorale.language import Program
from chorale.tables.domain import Tables
from chorale.tables.everyday.kept import kept
from chorale.tables.everyday.made import EACH, Everyday
from chorale.tables.everyday.questions import KINDS, Asking
from chorale.tables.everyday.words import ROLES, TOPICS
from chorale.tables.language import TableLanguage

MADE = Everyday().made(160, seed=7)


def test_the_program_of_a_question_gives_its_answer() -> None:
    domain = Tables()
    for one in MADE[:40]:
        language = TableLanguage([one.table]).with_constants(domain.constants(one))
        assert language.answers(Program.parse(one.program, language.grammar)) == one.answers


def test_most_questions_are_within_reach_of_the_search() -> None:
    domain = Tables()
    proposing = domain.proposing("tables")
    found = [proposing.propose(one, 3, 700) for one in MADE[:40]]
    right = [it is not None and it.right(one.answer).any() for it, one in zip(found, MADE, strict=False)]
    assert sum(right) >= 38


def test_the_same_seed_makes_the_same_questions_and_fewer_are_the_first_of_more() -> None:
    assert Everyday().made(20, seed=7) == MADE[:20]
    assert Everyday().made(20, seed=8) != MADE[:20]
    assert Everyday().made(20, seed=7, split="dev") != MADE[:20]


def test_a_table_has_several_questions_and_none_twice() -> None:
    tables = Counter(one.table for one in MADE)
    assert set(tables.values()) == {EACH}
    assert len({(one.table, one.sentence.lower()) for one in MADE}) == len(MADE)


def test_all_kinds_of_question_are_asked_and_all_places_are_filled() -> None:
    asked: Counter[str] = Counter()
    for seed in range(120):
        rng = Random(seed)
        table = kept(rng)
        for kind in KINDS:
            found = kind(Asking(table, rng))
            if found is not None:
                asked[kind.__name__] += 1
                assert "{" not in found[0], kind.__name__
    assert set(asked) == {kind.__name__ for kind in KINDS}


def test_topics_name_roles_that_there_are() -> None:
    for topic in TOPICS.values():
        for kind, roles in ROLES.items():
            given = topic.get(kind, "")
            assert set(given.split() if isinstance(given, str) else given) <= set(roles)
