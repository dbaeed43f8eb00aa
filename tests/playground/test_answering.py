"""Answering: whatever is asked about whatever scene, the answer is that of the language, in the form promised."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import programs, scenes

from chorale.language import Program, run
from chorale.nlvr.domain import Nlvr
from chorale.nlvr.pictures.scenes import Scene
from chorale.playground import messages
from chorale.playground.answering import Answering

EXTENDED = Nlvr.languages["extended"]
FEW = settings(max_examples=settings.default.max_examples // 5)


@FEW
@given(program=programs(EXTENDED.grammar), scene=scenes())
def test_a_program_is_answered_as_the_language_does(answering: Answering, program: Program, scene: Scene) -> None:
    found = messages.Ran.model_validate(answering.run(program.text, scene.to_json()))
    assert found.answer is bool(run(program, Nlvr().bind("extended", None, [scene]))[0])
    assert found.program == program.text
    assert found.steps[-1].value == str(found.answer).lower()


@FEW
@given(one=programs(EXTENDED.grammar), other=programs(EXTENDED.grammar), scene=st.none() | scenes())
def test_a_scene_that_tells_programs_apart_does_so(
    answering: Answering, one: Program, other: Program, scene: Scene | None
) -> None:
    given: Any = None if scene is None else scene.to_json()
    found = messages.Difference.model_validate(answering.distinguish(one.text, other.text, given))
    if found.scene is not None:
        bound = Nlvr().bind("extended", None, [Scene.from_json(found.scene)])
        assert found.answers == [bool(run(one, bound)[0]), bool(run(other, bound)[0])]
        assert found.answers[0] != found.answers[1]
