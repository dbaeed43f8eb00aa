"""Pictures are read exactly or refused: never nearly."""

import struct
import zlib
from collections.abc import Callable
from itertools import pairwise
from json import loads
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from chorale.nlvr.pictures.drawing import to_png
from chorale.nlvr.pictures.pixels import PictureError, scene_from_png
from chorale.nlvr.pictures.scenes import BOX_SIDE, COLORS, SHAPES, SIZES, Box, Object, Scene
from chorale.nlvr.pictures.shapes import VARIANTS, blend, coverage


def ordered(scene: Scene) -> list[list[Object]]:
    return [sorted(box) for box in scene.boxes]


@st.composite
def objects(draw: st.DrawFn, near: Object | None) -> Object:
    """Any object, often one that touches `near` or misses it by a pixel."""
    size = draw(st.sampled_from(sorted(SIZES)))
    most = BOX_SIDE - size
    x, y = draw(st.integers(0, most)), draw(st.integers(0, most))
    if near is not None and draw(st.booleans()):
        x = draw(st.sampled_from((near.x - size, near.right)) | st.integers(near.x - size - 1, near.right + 1))
        y = draw(st.sampled_from((near.y - size, near.bottom)) | st.integers(near.y - size - 1, near.bottom + 1))
    shape, color = draw(st.sampled_from(SHAPES)), draw(st.sampled_from(COLORS))
    return Object(min(max(x, 0), most), min(max(y, 0), most), size, shape, color)


@st.composite
def scattered(draw: st.DrawFn) -> Box:
    """Shapes anywhere that share no pixel; they may lie in the empty corners of each other's bounding squares."""
    taken = np.zeros((BOX_SIDE, BOX_SIDE), bool)
    box: list[Object] = []
    for _ in range(draw(st.integers(0, 9))):
        thing = draw(objects(box[-1] if box else None))
        spot = taken[thing.y : thing.bottom, thing.x : thing.right]
        cover = coverage(thing.shape, thing.size) > 0
        if not (spot & cover).any():
            spot |= cover
            box.append(thing)
    return tuple(box)


@st.composite
def towers(draw: st.DrawFn) -> Box:
    colors = draw(st.lists(st.sampled_from(COLORS), max_size=4))
    return tuple(Object(40, 80 - 21 * height, 20, "square", color) for height, color in enumerate(colors))


scenes = st.one_of(*(st.tuples(box, box, box).map(Scene) for box in (scattered(), towers())))


def flush(one: Object, other: Object) -> bool:
    """Whether two squares of one colour share a piece of an edge, so that the line between them cannot be seen."""
    if (one.shape, other.shape) != ("square", "square") or one.color != other.color:
        return False
    across = min(one.right, other.right) - max(one.x, other.x)
    down = min(one.bottom, other.bottom) - max(one.y, other.y)
    return (across == 0 and down > 0) or (down == 0 and across > 0)


def is_determined(box: Box) -> bool:
    """Whether at most two squares lie flush anywhere; two can be read in one way only."""
    neighbours = [sum(flush(one, other) for other in box) for one in box]
    return max(neighbours, default=0) <= 1


@given(scenes)
def test_a_drawing_reads_back_as_its_scene(scene: Scene) -> None:
    seen = scene_from_png(to_png(scene))
    for box, held in zip(seen.boxes, scene.boxes, strict=True):
        assert len(box) <= len(held)
        if is_determined(held):
            assert sorted(box) == sorted(held)


@given(scenes)
def test_what_was_read_draws_the_same_picture(scene: Scene) -> None:
    picture = to_png(scene)
    assert to_png(scene_from_png(picture)).tobytes() == picture.tobytes()


@given(scenes, st.integers(0, 399), st.integers(0, 99), st.integers(0, 2))
def test_one_level_off_in_one_pixel_is_refused(scene: Scene, x: int, y: int, channel: int) -> None:
    pixels = np.array(to_png(scene))
    pixels[y, x, channel] ^= 1
    with pytest.raises(PictureError):
        scene_from_png(Image.fromarray(pixels))


def box_of(*things: Object) -> Scene:
    return Scene(((), things, ()))


def test_four_medium_squares_are_not_a_big_one_with_crumbs() -> None:
    scene = box_of(*(Object(x, y, 20, "square", "blue") for x in (10, 30) for y in (50, 70)))
    assert ordered(scene_from_png(to_png(scene))) == ordered(scene)


def test_a_box_full_of_touching_squares_is_read() -> None:
    scene = box_of(*(Object(10 * i, 10 * j, 10, "square", COLORS[(i + j) % 3]) for i in range(8) for j in range(8)))
    assert ordered(scene_from_png(to_png(scene))) == ordered(scene)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("color", COLORS)
def test_every_variant_of_a_big_circle_is_read_anywhere(variant: tuple[bool, bool], color: str) -> None:
    pixels = np.array(to_png(Scene(((), (), ()))))
    spot = pixels[40:70, 207:237, :3]
    spot[:] = blend(spot, coverage("circle", 30, variant), color)
    assert scene_from_png(Image.fromarray(pixels)) == box_of(Object(57, 40, 30, "circle", color))


def test_opaque_rgb_pictures_are_read_too() -> None:
    scene = box_of(Object(3, 4, 20, "triangle", "yellow"))
    assert scene_from_png(to_png(scene).convert("RGB")) == scene


def test_objects_come_in_one_order(tmp_path: Path) -> None:
    scene = box_of(Object(50, 4, 20, "triangle", "yellow"), Object(3, 60, 20, "triangle", "yellow"))
    to_png(scene).save(tmp_path / "picture.png")
    assert all(one < other for one, other in pairwise(scene_from_png(tmp_path / "picture.png").boxes[1]))


def paint(x: int, y: int, color: tuple[int, ...], width: int = 1, height: int = 1) -> Image.Image:
    picture = to_png(box_of(Object(0, 0, 10, "square", "black")))
    picture.paste(color, (x, y, x + width, y + height))
    return picture


@pytest.mark.parametrize(
    ("picture", "said"),
    [
        (Image.new("RGBA", (100, 400)), "100 x 400"),
        (paint(120, 7, (0, 0, 0)), r"pixel \(120, 7\), between two boxes, is \(0, 0, 0\)"),
        (paint(210, 44, (255, 0, 0)), r"pixel \(210, 44\), in the middle box at x = 60, y = 44, is \(255, 0, 0\)"),
        (paint(20, 30, (0, 0, 0), 15, 15), r"pixel \(30, 30\), in the left box at x = 30, y = 30"),
        (paint(395, 50, (0, 0, 0), 5, 10), r"pixel \(395, 50\), in the right box"),
        (paint(5, 6, (211, 211, 211, 0)), r"pixel \(5, 6\) is transparent"),
    ],
)
def test_an_error_says_where_the_picture_goes_wrong(picture: Image.Image, said: str) -> None:
    with pytest.raises(PictureError, match=said) as caught:
        scene_from_png(picture)
    assert "400 x 100" in str(caught.value)


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def huge_png() -> bytes:
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 6, 0, 0, 0)
    pixels = chunk(b"IDAT", zlib.compress(bytes(1000)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + pixels + chunk(b"IEND", b"")


def good_png(folder: Path) -> bytes:
    to_png(box_of(Object(0, 0, 10, "circle", "black"))).save(folder / "good.png")
    return (folder / "good.png").read_bytes()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (lambda folder: b"", "not a PNG"),
        (lambda folder: b"hello", "not a PNG"),
        (lambda folder: good_png(folder)[:20], "PNG"),
        (lambda folder: good_png(folder)[:80], "cannot be read"),
        (lambda folder: huge_png(), "too large"),
    ],
)
def test_files_that_are_no_pictures_are_refused(tmp_path: Path, content: Callable[[Path], bytes], said: str) -> None:
    path = tmp_path / "odd.png"
    path.write_bytes(content(tmp_path))
    with pytest.raises(PictureError, match=said) as caught:
        scene_from_png(path)
    assert "odd.png" in str(caught.value)


def test_missing_files_and_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="no such file"):
        scene_from_png(tmp_path / "none.png")
    with pytest.raises(PictureError):
        scene_from_png(str(tmp_path))


@pytest.mark.parametrize("flaw", [False, True])
def test_hostile_pictures_end(flaw: bool) -> None:
    """A box all black has countless readings; with a flaw in its last corner it has none.

    Whoever tried them all would not end.
    """
    picture = to_png(Scene(((), (), ())))
    picture.paste((0, 0, 0), (0, 0, 100, 100))
    if flaw:
        picture.putpixel((99, 99), (1, 1, 1))
    if flaw:
        with pytest.raises(PictureError, match="left box"):
            scene_from_png(picture)
    else:
        assert to_png(scene_from_png(picture)).tobytes() == picture.tobytes()


@pytest.mark.nlvr
def test_every_dev_picture_is_read_exactly(nlvr: Path) -> None:
    examples = [loads(line) for line in (nlvr / "dev.json").read_text("utf-8").splitlines()]
    assert len(examples) == 989
    for example in examples:
        picture = nlvr / "dev_images" / f"dev-{example['identifier']}-0.png"
        assert ordered(scene_from_png(picture)) == ordered(Scene.from_json(example["structured_rep"])), picture.name
