import gzip
import json
import re
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.nlvr import random_scenes_twin

from chorale.errors import ChoraleError
from chorale.language import run
from chorale.nlvr import Consistent
from chorale.nlvr.english.slots import slots_of
from chorale.nlvr.english.templates import PICTURES, SentenceTemplate, load_templates, misspell
from chorale.nlvr.pictures.random_scenes import overlaps, random_scatter, random_scene, random_towers
from chorale.nlvr.pictures.scenes import BOX_SIDE, Scene
from chorale.nlvr.pictures.synthetic import (
    EMBEDDED_SIZES,
    SPLITS,
    Knobs,
    SyntheticUtterance,
    denotations,
    embedded_corpus,
    generate,
    split_of,
    write_corpus,
)
from chorale.nlvr.pictures.worlds import Worlds
from chorale.nlvr.reader import read

SEEDS = st.integers(0, 2**32)
TEMPLATES = load_templates()
SMALL = {"train": 12, "dev": 6, "test": 6}


@pytest.fixture(scope="module")
def utterances() -> list[SyntheticUtterance]:
    return list(generate("train", 60))


def _contact(scene: Scene) -> bool:
    language = Consistent(Worlds([scene]))
    return bool(run(Consistent.parse("object_exists(touch_object(all_objects))"), language)[0])


# Scenes


@given(SEEDS, st.floats(0, 1))
def test_scenes_are_valid_and_survive_the_round_trip_through_json(seed: int, towers: float) -> None:
    scene = random_scene(Random(seed), towers)
    assert Scene.from_json(json.loads(json.dumps(scene.to_json()))) == scene


@given(SEEDS)
def test_shapes_never_overlap(seed: int) -> None:
    scene = random_scatter(Random(seed))
    for box in scene.boxes:
        assert 1 <= len(box) <= 8
        assert not any(overlaps(one, two) for place, one in enumerate(box) for two in box[:place])


@given(SEEDS)
def test_towers_are_medium_squares_stacked_from_the_floor_with_a_gap_of_one_pixel(seed: int) -> None:
    scene = random_towers(Random(seed))
    assert scene.is_tower
    for box in scene.boxes:
        assert [block.y for block in box] == [80, 59, 38, 17][: len(box)]


@given(SEEDS)
def test_equal_seeds_give_equal_scenes(seed: int) -> None:
    assert random_scene(Random(seed)) == random_scene(Random(seed))


@given(SEEDS, st.floats(0, 1))
def test_scenes_are_those_of_the_plain_way_to_draw_them_number_by_number(seed: int, towers: float) -> None:
    quick, plain = Random(seed), Random(seed)
    for _ in range(5):
        assert random_scene(quick, towers) == random_scenes_twin.random_scene(plain, towers)
        assert quick.getstate() == plain.getstate()


def test_scattered_shapes_reach_walls_corners_and_each_other() -> None:
    rng = Random(0)
    scenes = [random_scatter(rng) for _ in range(200)]
    objects = [thing for scene in scenes for thing in scene.objects]
    walls = {
        "top": sum(thing.y == 0 for thing in objects),
        "left": sum(thing.x == 0 for thing in objects),
        "right": sum(thing.right == BOX_SIDE for thing in objects),
        "bottom": sum(thing.bottom == BOX_SIDE for thing in objects),
        "corner": sum(
            thing.y in (0, BOX_SIDE - thing.size) and thing.x in (0, BOX_SIDE - thing.size) for thing in objects
        ),
    }
    assert all(count > 0.01 * len(objects) for count in walls.values()), walls
    assert 0.3 < sum(map(_contact, scenes)) / len(scenes) < 0.95


# Templates


def test_there_are_at_least_sixty_templates_with_different_programs() -> None:
    assert len(TEMPLATES) >= 60
    assert len({template.program for template in TEMPLATES}) == len(TEMPLATES)


def test_no_phrasing_belongs_to_two_programs() -> None:
    phrasings = Counter((template.picture, phrasing) for template in TEMPLATES for phrasing in template.phrasings)
    assert [phrasing for phrasing, count in phrasings.items() if count > 1] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.program)
def test_template_is_well_formed(template: SentenceTemplate) -> None:
    assert template.picture in PICTURES
    assert len(template.phrasings) >= 3
    for phrasing in template.phrasings:
        assert set(slots_of(phrasing)) == set(template.slots), phrasing
    assert {f"{{{name}}}" for name in template.numbers} == set(template.slots) & {"{number}", "{number2}"}
    for least, greatest in template.numbers.values():
        assert 1 <= least <= greatest <= 9


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.program)
def test_template_programs_are_canonical_text_and_true_of_some_scenes_only(template: SentenceTemplate) -> None:
    rng = Random(0)
    draw = {"towers": random_towers, "scatter": random_scatter}[template.picture]
    scenes = [draw(rng) for _ in range(300)]
    _, text = template.fill(rng)
    program = Consistent.parse(text)
    assert program.text == text
    assert 0 < run(program, Consistent(Worlds(scenes))).sum() < len(scenes)


def test_every_function_of_the_consistent_language_is_used_by_some_template() -> None:
    fillings = [template.program for template in TEMPLATES]
    for slot, values in {"color": ("black", "blue", "yellow"), "shape": ("circle", "square", "triangle")}.items():
        fillings = [re.sub(rf"\{{{slot}2?\}}", value, text) for text in fillings for value in values]
    fillings = [re.sub(r"\{size\}", size, text) for text in fillings for size in ("small", "medium", "big")]
    used = {name for text in fillings for name in re.findall(r"[a-z_]+", text)}
    constants = {f"color_{color}" for color in ("black", "blue", "yellow")}
    constants |= {f"shape_{shape}" for shape in ("circle", "square", "triangle")}
    functions = {name for name in Consistent.grammar.signature if not name.isdigit()} - constants
    assert len(functions) == 64
    assert functions - used == set()


@given(SEEDS, st.sampled_from(TEMPLATES))
def test_filling_leaves_no_slot_open_and_uses_different_values_for_a_pair_of_slots(
    seed: int, template: SentenceTemplate
) -> None:
    sentence, program = template.fill(Random(seed))
    assert "{" not in sentence + program
    pattern = re.escape(template.program)
    for slot in template.slots:
        name, written = slot.strip("{}"), re.escape(slot)
        pattern = pattern.replace(written, rf"(?P<{name}>\w+?)", 1).replace(written, f"(?P={name})")
    found = re.fullmatch(pattern, program)
    assert found is not None
    values = found.groupdict()
    for slot in ("color", "shape"):
        if f"{slot}2" in values:
            assert values[slot] != values[f"{slot}2"]


def test_typos_change_about_the_asked_share_of_words_and_none_at_zero() -> None:
    sentence = "there is a tower with three yellow blocks " * 200
    assert misspell(sentence, Random(0), 0.0) == sentence
    pairs = list(zip(sentence.split(), misspell(sentence, Random(0), 0.25).split(), strict=True))
    changed = [old for old, new in pairs if old != new]
    assert 0.15 < len(changed) / len(pairs) < 0.25  # short words stay
    assert {"is", "a"}.isdisjoint(changed)


# Corpora


def test_labels_are_the_denotations_of_the_known_program(utterances: list[SyntheticUtterance]) -> None:
    for utterance in utterances:
        assert denotations(utterance.program, utterance.scenes) == list(utterance.labels)


def test_groups_have_four_different_images_and_both_labels(utterances: list[SyntheticUtterance]) -> None:
    for utterance in utterances:
        assert len(set(utterance.scenes)) == 4
        assert set(utterance.labels) == {True, False}
    share = np.mean([label for utterance in utterances for label in utterance.labels])
    assert 0.45 < share < 0.65


def test_several_meanings_fit_the_labels_of_an_utterance(utterances: list[SyntheticUtterance]) -> None:
    rng = Random(0)
    programs = {template.fill(rng)[1] for template in TEMPLATES for _ in range(4)}
    scenes = [scene for utterance in utterances for scene in utterance.scenes]
    language = Consistent(Worlds(scenes))
    labels = np.array([utterance.labels for utterance in utterances])  # (utterance, image)
    values = {bytes(truth): truth for truth in (run(Consistent.parse(text), language) for text in programs)}
    fits = [(truth.reshape(labels.shape) == labels).all(axis=1) for truth in values.values()]
    assert np.mean(np.sum(fits, axis=0)) >= 5


def test_a_larger_corpus_begins_with_the_smaller_one(utterances: list[SyntheticUtterance]) -> None:
    assert list(generate("train", 5)) == utterances[:5]


@pytest.mark.parametrize(
    "knobs", [Knobs(seed=3), Knobs(seed=4, images=1), Knobs(seed=5, images=7, typos=0.2, noise=0.2), Knobs(towers=0.0)]
)
def test_a_corpus_is_that_of_the_plain_way_to_make_it(knobs: Knobs) -> None:
    """Which draws every pool to its end, and runs the program on all of it."""
    assert list(generate("dev", 6, knobs)) == [
        random_scenes_twin.utterance("dev", number, knobs) for number in range(6)
    ]


def test_other_seeds_give_other_corpora() -> None:
    one, two = (next(generate("train", 1, Knobs(seed=seed))) for seed in (1, 2))
    assert one.scenes != two.scenes


def test_splits_share_no_image_whatever_the_order_of_boxes() -> None:
    def images(split: str) -> set[tuple[object, ...]]:
        made = generate(split, 40, Knobs(towers=1.0))
        return {tuple(sorted(scene.boxes)) for utterance in made for scene in utterance.scenes}

    train, dev, test = map(images, SPLITS)
    assert train.isdisjoint(dev)
    assert train.isdisjoint(test)
    assert dev.isdisjoint(test)


@given(SEEDS, st.permutations(range(3)))
def test_the_split_of_a_scene_does_not_depend_on_the_order_of_its_boxes(seed: int, order: list[int]) -> None:
    scene = random_scene(Random(seed))
    assert split_of(scene.permuted(order)) == split_of(scene)


@pytest.mark.parametrize("towers", [0.0, 1.0])
def test_the_share_of_towers_decides_the_kind_of_picture(towers: float) -> None:
    made = generate("dev", 6, Knobs(towers=towers))
    assert all(scene.is_tower == bool(towers) for utterance in made for scene in utterance.scenes)


def test_noise_flips_labels_and_nothing_else() -> None:
    clean, noisy = (list(generate("train", 10, Knobs(noise=noise))) for noise in (0.0, 1.0))
    for one, two in zip(clean, noisy, strict=True):
        assert (one.sentence, one.program, one.scenes) == (two.sentence, two.program, two.scenes)
        assert [not label for label in one.labels] == list(two.labels)


def test_written_corpus_is_read_back_and_names_the_program(tmp_path: Path) -> None:
    written = write_corpus(tmp_path, SMALL, Knobs(typos=0.1))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(f"{split}.jsonl.gz" for split in SPLITS)
    for split, path in written.items():
        made = list(generate(split, SMALL[split], Knobs(typos=0.1)))
        found = read(path).utterances
        assert [utterance.sentence for utterance in found] == [utterance.sentence for utterance in made]
        assert [utterance.contexts for utterance in found] == [utterance.scenes for utterance in made]
        lines = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
        assert [line["program"] for line in lines[::4]] == [utterance.program for utterance in made]


def test_writing_twice_gives_the_same_bytes_also_with_several_processes(tmp_path: Path) -> None:
    one, two = (write_corpus(tmp_path / str(jobs), SMALL, jobs=jobs) for jobs in (1, 2))
    assert all(one[split].read_bytes() == two[split].read_bytes() for split in SPLITS)


@pytest.mark.parametrize("wrong", [{"typos": 1.5}, {"noise": -0.1}, {"towers": 2}, {"images": 0}])
def test_impossible_knobs_are_refused_by_name(wrong: dict[str, float]) -> None:
    with pytest.raises(ChoraleError, match=next(iter(wrong))):
        Knobs(**wrong)  # type: ignore[arg-type]


def test_an_unknown_split_is_refused_with_a_suggestion() -> None:
    with pytest.raises(ChoraleError, match="did you mean 'train'"):
        next(generate("trian", 1))


@pytest.mark.parametrize("split", SPLITS)
def test_the_embedded_corpus_is_what_seed_zero_gives(split: str) -> None:
    lines = gzip.decompress((embedded_corpus() / f"{split}.jsonl.gz").read_bytes()).decode().splitlines()
    assert len(lines) == 4 * EMBEDDED_SIZES[split]
    assert lines[:40] == [line for utterance in generate(split, 10) for line in utterance.lines()]
