"""Edits: every scene around another is a good scene, and one change away."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.strategies import scattered, towers

from chorale.nlvr.pictures.edits import around
from chorale.nlvr.pictures.random_scenes import overlaps
from chorale.nlvr.pictures.scenes import BOXES, Object, Scene

FEW = settings(max_examples=settings.default.max_examples // 5)
TOWERS = st.tuples(*[towers()] * BOXES).map(Scene).filter(lambda scene: scene.objects)
SCATTERED = st.tuples(*[scattered(4)] * BOXES).map(Scene)


def differing(one: Scene, other: Scene) -> tuple[int, int]:
    """How many objects the first has that the second lacks, and the other way round; boxes count."""

    def held(scene: Scene) -> Counter[tuple[int, Object]]:
        return Counter((number, thing) for number, box in enumerate(scene.boxes) for thing in box)

    return (held(one) - held(other)).total(), (held(other) - held(one)).total()


@FEW
@given(SCATTERED)
def test_one_object_differs_and_none_overlap(scene: Scene) -> None:
    for near in around(scene):
        assert differing(scene, near) in {(1, 0), (0, 1), (1, 1)}
        assert Scene.from_json(near.to_json()) == near
        for box in near.boxes:
            assert not any(overlaps(one, other) for index, one in enumerate(box) for other in box[:index])


@FEW
@given(TOWERS)
def test_towers_stay_towers_and_lose_gain_or_recolour_one_block(scene: Scene) -> None:
    for near in around(scene):
        assert near.is_tower
        assert near != scene
        assert all(
            sorted(block.y for block in box) == [80 - 21 * n for n in reversed(range(len(box)))] for box in near.boxes
        )
        before, after = (Counter(thing.color for thing in it.objects) for it in (scene, near))
        assert (before - after).total() <= 1
        assert (after - before).total() <= 1


def test_every_kind_of_change_is_there() -> None:
    scene = Scene(((Object(40, 40, 20, "square", "black"),), (), ()))
    found = list(around(scene))
    [square] = scene.boxes[0]
    # This lone square in the middle of its column is a picture of a tower that hovers; another size makes it none.
    big = Scene(((Object(40, 40, 30, "square", "black"),), (), ()))
    near = list(around(big))
    assert any(one.boxes[0] == (Object(40, 40, 20, square.shape, "blue"),) for one in found)
    assert Scene(((Object(40, 40, 30, "circle", "black"),), (), ())) in near
    assert any([thing.size for thing in one.objects] == [10] for one in near)
    assert Scene(((Object(0, 0, 30, "square", "black"),), (), ())) in near
    assert Scene(((), (), ())) in near
    assert any(len(one.objects) == 2 for one in near)
    assert any(not one.boxes[0] and one.boxes[2] for one in near)
