// The stage of NLVR: three boxes of shapes that can be moved, added, restyled, uploaded and invented.
//
// A stage shows the context that sentences are about, and lets people change it. What it holds (`context`) is never
// altered, but replaced by another; main.js compares it by identity. `plain.js` has the same methods.

import { ask } from "./api.js";
import { EXAMPLES } from "./examples.js";
import { Picture, lightUp, still } from "./picture.js";
import * as scene from "./scene.js";

const MOST_UNDONE = 100;
const MOST_BYTES = 100_000; // of a picture

const at = (id) => document.getElementById(id);
const next = (value, values) => values[(values.indexOf(value) + 1) % values.length];

export class Boxes {
  template = "boxes-stage";
  place = "chorale-marks"; // of marks in the browser's storage
  placeholder = EXAMPLES[0].sentence;
  examples = EXAMPLES.map(({ sentence, picture }) => ({ sentence, link: { s: sentence, p: picture } }));

  constructor({ say, onChange, onDraw, during }) {
    Object.assign(this, { say, onChange, onDraw, during });
    this.context = [[], [], []];
    this.towers = true;
    this.selected = null;
    this.look = { color: "black", shape: "square", size: 20 };
    this.undone = [];
    this.dragged = false;
  }

  begin() {
    this.picture = new Picture(at("picture"), {
      onSelect: (id) => this.select(id),
      onMove: (id, box, x, y) => {
        const moved = scene.move(this.context, id, box, x, y, this.towers);
        if (!moved || scene.encode(moved) === scene.encode(this.context)) return;
        this.change(moved, { remember: !this.dragged });
        this.dragged = true;
      },
      onDrop: () => {
        this.dragged = false;
      },
      onKey: (id, event) => this.key(id, event),
    });
    at("adds").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const look = this.towers ? { ...this.look, shape: "square", size: 20 } : this.look;
      const added = scene.add(this.context, Number(button.dataset.box), look, this.towers);
      this.change(added?.boxes, { selected: added?.id });
    });
    for (const name of ["color", "shape", "size"]) {
      for (const input of document.querySelectorAll(`input[name=${name}]`)) {
        input.addEventListener("change", () => this.restyle({ [name]: name === "size" ? Number(input.value) : input.value }));
      }
    }
    at("delete").addEventListener("click", () => this.erase(this.selected));
    at("kinds").addEventListener("change", (event) => {
      if (event.target.value === "scattered") this.change(this.context, { towers: false });
      else this.change(scene.asTowers(this.context), { towers: true });
    });
    at("upload").addEventListener("change", (event) => {
      this.upload(event.target.files[0]);
      event.target.value = "";
    });
    for (const name of ["dragover", "drop"]) {
      at("stage").addEventListener(name, (event) => {
        event.preventDefault();
        if (name === "drop") this.upload(event.dataTransfer.files[0]);
      });
    }
  }

  // -- the context in all its forms -----------------------------------------------------------------------------------

  toJson = scene.toJson;
  write = scene.encode;
  read = scene.decode;
  still = still;

  take(json) {
    const boxes = scene.fromJson(json, this.context);
    const towers = scene.looksLikeTowers(boxes);
    this.change(towers ? scene.fromBase(boxes) : boxes, { towers, selected: null });
  }

  get link() {
    return { p: scene.encode(this.context), ...(this.towers ? {} : { k: "scattered" }) };
  }

  follow(parts) {
    const boxes = scene.decode(parts.get("p") ?? "");
    if (!boxes) return false;
    const towers = parts.get("k") !== "scattered" && (boxes.flat().length === 0 || scene.looksLikeTowers(boxes));
    Object.assign(this, { context: towers ? scene.fromBase(boxes) : boxes, towers, selected: null });
    return true;
  }

  // -- changes --------------------------------------------------------------------------------------------------------

  change(boxes, { selected = this.selected, towers = this.towers, remember = true } = {}) {
    if (!boxes) return this.say("There is no room for that.");
    if (remember) {
      this.undone.push({ boxes: this.context, towers: this.towers });
      if (this.undone.length > MOST_UNDONE) this.undone.shift();
    }
    Object.assign(this, { context: boxes, towers, selected: scene.find(boxes, selected) ? selected : null });
    this.onChange();
  }

  undo() {
    const before = this.undone.pop();
    this.change(before.boxes, { towers: before.towers, remember: false });
  }

  select(id) {
    this.selected = id;
    const found = id === null ? null : scene.find(this.context, id);
    if (found) this.look = { color: found.thing.color, shape: found.thing.shape, size: found.thing.size };
    this.onDraw();
  }

  restyle(look) {
    Object.assign(this.look, look);
    if (this.selected === null) return this.onDraw();
    this.change(scene.alter(this.context, this.selected, look));
  }

  erase(id) {
    const order = this.context.flat().map((thing) => thing.id);
    const after = order[order.indexOf(id) + 1] ?? order[order.indexOf(id) - 1] ?? null;
    this.change(scene.remove(this.context, id, this.towers), { selected: after });
    this.picture.focus(after);
  }

  key(id, event) {
    const { context, towers } = this;
    const { box, thing } = scene.find(context, id);
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (pressed === "Delete" || pressed === "Backspace") return this.erase(id), true;
    if (pressed === "c") return this.restyle({ color: next(thing.color, scene.COLORS) }), true;
    if (!towers && pressed === "s") return this.restyle({ shape: next(thing.shape, scene.SHAPES) }), true;
    if (!towers && pressed === "z") return this.restyle({ size: next(thing.size, scene.SIZES) }), true;
    const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[pressed] ?? [0, 0];
    if (!x && !y) return false;
    if (towers) {
      const target = box + x;
      if (target < 0 || target > 2) return true;
      this.change(scene.move(context, id, target, 0, x ? 0 : thing.y + 21 * y, true));
      return true;
    }
    const step = event.shiftKey ? 10 : 1;
    const left = thing.x + step * x;
    // Beyond a wall lies the next box.
    if (x && thing.x === (x < 0 ? 0 : scene.SIDE - thing.size) && box + x >= 0 && box + x <= 2) {
      this.change(scene.move(context, id, box + x, x < 0 ? scene.SIDE : 0, thing.y, false));
    } else this.change(scene.move(context, id, box, left, thing.y + step * y, false) ?? context);
    return true;
  }

  upload(file) {
    if (!file) return;
    if (file.size > MOST_BYTES) return this.say(`${file.name} is too large for one of NLVR’s pictures.`, true);
    this.during(async () => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const picture = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
      this.take((await ask("see", { picture })).scene);
      this.say(`${file.name} was read.`);
    });
  }

  // -- showing --------------------------------------------------------------------------------------------------------

  light(step) {
    lightUp(at("picture"), step);
  }

  draw() {
    const { context, towers } = this;
    this.picture.draw(context, this.selected);
    for (const [name, value] of Object.entries(this.look)) {
      for (const input of document.querySelectorAll(`input[name=${name}]`)) input.checked = input.value === String(value);
    }
    at("shapes").hidden = at("sizes").hidden = at("help-scattered").hidden = towers; // a tower has one kind of block
    at("delete").disabled = this.selected === null;
    at("undo").disabled = this.undone.length === 0;
    for (const input of document.querySelectorAll("input[name=kind]")) input.checked = (input.value === "towers") === towers;
    for (const button of at("adds").children) button.disabled = !scene.hasRoom(context[button.dataset.box], towers);
  }
}
