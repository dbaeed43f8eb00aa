// The stage of NLVR: three boxes of shapes that can be moved, added, restyled, uploaded and invented.
//
// What it holds (`context`) is never altered, but replaced by another. docs/playground.md has what a stage must know.

import { ask } from "../api.js";
import { html } from "../dom.js";
import { EXAMPLES } from "./examples.js";
import { Picture, lightUp, still } from "./picture.js";
import * as scene from "./scene.js";

const MOST_BYTES = 100_000; // of a picture

const next = (value, values) => values[(values.indexOf(value) + 1) % values.length];
const counted = (count, one, many) => `${count || "no"} ${count === 1 ? one : many}`;
const made = (boxes, towers) => ({ boxes, towers });

function kindOf(boxes) {
  const towers = scene.looksLikeTowers(boxes);
  return made(towers ? scene.fromBase(boxes) : boxes, towers);
}

export class Stage {
  place = "chorale-marks"; // of marks in the browser's storage
  placeholder = EXAMPLES[0].sentence;
  prompt = "Say something about the picture";
  invitation = "Say something about the picture, or take a sentence from the story.";
  storyTitle = "Learned from true and false alone: a story in eight sentences";
  hasPictures = true;
  examples = EXAMPLES.map(({ picture, ...rest }) => ({ ...rest, context: this.read(picture) }));

  constructor(host) {
    this.host = host;
    this.context = made([[], [], []], true);
    this.selected = null;
    this.look = { color: "black", shape: "square", size: 20 };
    this.dragged = false;
    this.element = html("div", { class: "boxes" });
    this.picture = new Picture(this.element, {
      onSelect: (id) => this.select(id),
      onMove: (id, box, x, y) => {
        const { boxes, towers } = this.context;
        const moved = scene.move(boxes, id, box, x, y, towers);
        if (!moved || scene.encode(moved) === scene.encode(boxes)) return;
        this.change(moved, { remember: !this.dragged });
        this.dragged = true;
      },
      onDrop: () => { this.dragged = false; },
      onKey: (id, event, isHeld) => this.key(id, event, isHeld),
      onOver: (place) => (place ? host.over(place) : host.rest()),
      onSay: (text) => host.say(text),
    });
    this.tools = this.makeTools();
  }

  makeTools() {
    const choice = (name, legend, values, change) => html("fieldset", { id: `${name}s` }, html("legend", {}, legend),
      values.map(([value, text]) => html("label", {},
        html("input", { type: "radio", name, value, onchange: () => change(value) }),
        html("span", {}, name === "color" ? html("i", { class: `dot ${value}` }) : null, text))));
    const same = (values) => values.map((value) => [value, value]);
    this.adds = html("div", { class: "adds", id: "adds" }, scene.SIDES.map((side, box) =>
      html("button", { type: "button", class: "quiet", "aria-label": `Add to the ${side} box`, onclick: () => this.add(box) }, "+ Add")));
    this.shapes = choice("shape", "Shape", same(scene.SHAPES), (shape) => this.restyle({ shape }));
    this.sizes = choice("size", "Size", [[10, "small"], [20, "medium"], [30, "big"]], (size) => this.restyle({ size }));
    this.kinds = choice("kind", "Kind of picture", same(["towers", "scattered"]), (kind) => this.turn(kind));
    this.remove = html("button", { type: "button", id: "delete", onclick: () => this.erase(this.selected) }, "Delete");
    this.file = html("input", { class: "hidden", type: "file", id: "upload", accept: "image/png", "aria-label": "Upload a picture",
      onchange: () => { if (this.file.files[0]) this.receive(this.file.files[0]); this.file.value = ""; } });
    return [this.adds,
      html("div", { class: "looks", role: "group", "aria-label": "What an object looks like" },
        choice("color", "Colour", same(scene.COLORS), (color) => this.restyle({ color })), this.shapes, this.sizes, this.remove),
      html("div", { class: "makes" },
        html("div", { class: "group", id: "makes" },
          html("button", { type: "button", class: "strong", id: "make-true" }, "Make it true"),
          html("button", { type: "button", class: "strong", id: "make-false" }, "Make it false")),
        html("div", { class: "group" }, this.kinds, html("button", { type: "button", id: "invent" }, "New picture"),
          html("label", { class: "button", for: "upload" }, "Upload"), this.file))];
  }

  // -- the context in all its forms -----------------------------------------------------------------------------------

  toJson = (context) => scene.toJson(context.boxes);
  fromJson = (json, before = null) => kindOf(scene.fromJson(json, before?.boxes));
  write = (context) => scene.encode(context.boxes);
  still = (context, step) => still(context.boxes, step);

  read(text) {
    const boxes = typeof text === "string" ? scene.decode(text) : null;
    return boxes && kindOf(boxes);
  }

  get link() {
    return { p: this.write(this.context), ...(this.context.towers ? {} : { k: "scattered" }) };
  }

  follow(parts) {
    const boxes = scene.decode(parts.get("p") ?? "");
    if (!boxes) return false;
    const towers = parts.get("k") !== "scattered" && (boxes.flat().length === 0 || scene.looksLikeTowers(boxes));
    this.context = made(towers ? scene.fromBase(boxes) : boxes, towers);
    return true;
  }

  // -- what parts return ----------------------------------------------------------------------------------------------

  result(step) {
    if (step.objects) return { text: counted(step.objects.length, "object", "objects"), kind: "some" };
    if (step.boxes) return { text: counted(step.boxes.length, "box", "boxes"), kind: "some" };
    return null;
  }

  holds = (step, { box, index }) =>
    step.objects ? step.objects.some(([inBox, at]) => inBox === box && at === index) : Boolean(step.boxes?.includes(box) && index === null);

  // -- changes --------------------------------------------------------------------------------------------------------

  change(boxes, { selected = this.selected, towers = this.context.towers, remember = true } = {}) {
    if (!boxes) return this.host.say("There is no room for that.");
    this.selected = scene.find(boxes, selected) ? selected : null;
    this.picture.ghosts([]);
    this.host.change(made(boxes, towers), { remember });
  }

  ghosts(before) {
    // What stood elsewhere, or looked otherwise, a moment ago.
    const now = new Set(this.context.boxes.flatMap((box, index) => box.map((thing) => `${index} ${scene.encode([[thing], [], []])}`)));
    this.picture.ghosts(before.boxes.flatMap((box, index) =>
      box.filter((thing) => !now.has(`${index} ${scene.encode([[thing], [], []])}`)).map((thing) => ({ box: index, thing }))));
  }

  add(box) {
    const { boxes, towers } = this.context;
    const look = towers ? { ...this.look, shape: "square", size: 20 } : this.look;
    const added = scene.add(boxes, box, look, towers);
    this.change(added?.boxes, { selected: added?.id });
  }

  turn(kind) {
    const { boxes } = this.context;
    if (kind === "scattered") return this.change(boxes, { towers: false });
    const lost = boxes.flat().length - scene.asTowers(boxes).flat().length;
    this.change(scene.asTowers(boxes), { towers: true });
    this.host.say(`Towers have square blocks of one size${lost ? `, four in each at most: ${counted(lost, "object is", "objects are")} gone` : ""}. Undo brings yours back.`);
  }

  select(id) {
    this.selected = id;
    const found = id === null ? null : scene.find(this.context.boxes, id);
    if (found) this.look = { color: found.thing.color, shape: found.thing.shape, size: found.thing.size };
    this.draw();
  }

  restyle(look) {
    Object.assign(this.look, look);
    if (this.selected === null) return this.draw();
    this.change(scene.alter(this.context.boxes, this.selected, look));
  }

  erase(id) {
    const { boxes, towers } = this.context;
    const order = boxes.flat().map((thing) => thing.id);
    const after = order[order.indexOf(id) + 1] ?? order[order.indexOf(id) - 1] ?? null;
    this.change(scene.remove(boxes, id, towers), { selected: after });
    this.picture.focus(after);
  }

  key(id, event, isHeld) {
    const { boxes, towers } = this.context;
    const { box, thing } = scene.find(boxes, id);
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (pressed === "Delete" || pressed === "Backspace") return this.erase(id), true;
    if (pressed === "c") return this.restyle({ color: next(thing.color, scene.COLORS) }), true;
    if (!towers && pressed === "s") return this.restyle({ shape: next(thing.shape, scene.SHAPES) }), true;
    if (!towers && pressed === "z") return this.restyle({ size: next(thing.size, scene.SIZES) }), true;
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[pressed] ?? [0, 0];
    if (!isHeld || (!x && !y)) return false;
    if (towers) {
      const target = box + x;
      if (target >= 0 && target <= 2) this.change(scene.move(boxes, id, target, 0, x ? 0 : thing.y + 21 * y, true));
      return true;
    }
    const step = event.shiftKey ? 10 : 1;
    const left = thing.x + step * x;
    // Beyond a wall lies the next box.
    if (x && thing.x === (x < 0 ? 0 : scene.SIDE - thing.size) && box + x >= 0 && box + x <= 2) {
      this.change(scene.move(boxes, id, box + x, x < 0 ? scene.SIDE : 0, thing.y, false));
    } else this.change(scene.move(boxes, id, box, left, thing.y + step * y, false) ?? boxes);
    return true;
  }

  receive(file) {
    if (file.size > MOST_BYTES) return this.host.say(`${file.name} is too large for one of NLVR’s pictures, which have 3,000 bytes.`, true);
    const { context } = this;
    this.host.during(async () => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const picture = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      const seen = this.fromJson((await ask("see", { picture })).scene);
      if (context !== this.context) return this.host.say("The picture was changed meanwhile, so it was left as it is.");
      this.selected = null;
      this.host.change(seen);
      this.host.say(`${file.name} was read. Undo brings your picture back.`);
    });
  }

  // -- showing --------------------------------------------------------------------------------------------------------

  light(step) {
    lightUp(this.picture.svg, step);
  }

  draw() {
    const { boxes, towers } = this.context;
    this.selected = scene.find(boxes, this.selected) ? this.selected : null;
    this.picture.draw(boxes, this.selected);
    if (!this.tools) return;
    for (const [name, value] of Object.entries({ ...this.look, kind: towers ? "towers" : "scattered" })) {
      for (const input of document.querySelectorAll(`input[name=${name}]`)) input.checked = input.value === String(value);
    }
    this.shapes.hidden = this.sizes.hidden = towers; // a tower has one kind of block
    this.remove.disabled = this.selected === null;
    [...this.adds.children].forEach((button, box) => { button.disabled = !scene.hasRoom(boxes[box], towers); });
  }
}
