// The picture: draws a scene, lights up parts of it, and turns pointer and keys into changes.

import { svg as element } from "../dom.js";
import { SIDE, SIDES, find, nameOf } from "./scene.js";

const STRIDE = SIDE + 14;
const VIEW = "-7 -7 342 114";
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function outline(thing) {
  // Shape and halo are the same outline; a small object gets a larger area for the finger.
  const { size } = thing;
  if (thing.shape === "circle") return ["circle", { cx: size / 2, cy: size / 2, r: size / 2 }];
  if (thing.shape === "square") return ["rect", { width: size, height: size }];
  return ["polygon", { points: `${size / 2},0 ${size},${size} 0,${size}` }];
}

function fill(group, thing) {
  const [name, attributes] = outline(thing);
  group.replaceChildren(
    element(name, { ...attributes, class: "halo" }),
    element(name, { ...attributes, class: `shape ${thing.color}` }),
    element("rect", { x: -3, y: -3, width: thing.size + 6, height: thing.size + 6, class: "reach" }),
  );
}

const place = (box, thing) => `translate(${box * STRIDE + thing.x} ${thing.y})`;

export function still(boxes, step) {
  // A small picture of what a step returned.
  const svg = element("svg", { viewBox: VIEW, class: "still", "aria-hidden": "true" });
  boxes.forEach((held, box) => {
    svg.append(element("rect", { x: box * STRIDE, width: SIDE, height: SIDE, class: "box", "data-box": box }));
    held.forEach((thing, index) => {
      const group = element("g", { class: "thing", transform: place(box, thing), "data-at": `${box}-${index}` });
      fill(group, thing);
      svg.append(group);
    });
  });
  lightUp(svg, step);
  return svg;
}

export function lightUp(svg, step) {
  const objects = step?.objects && new Set(step.objects.map(([box, index]) => `${box}-${index}`));
  const boxes = step?.boxes && new Set(step.boxes.map(String));
  svg.classList.toggle("lit", Boolean(objects ?? boxes));
  for (const thing of svg.querySelectorAll(".thing")) {
    const at = thing.dataset.at;
    thing.classList.toggle("on", Boolean(objects?.has(at)));
    thing.classList.toggle("kept", Boolean(boxes?.has(at.split("-")[0])));
  }
  for (const box of svg.querySelectorAll(".box")) box.classList.toggle("on", Boolean(boxes?.has(box.dataset.box)));
}

export class Picture {
  constructor(holder, { onSelect, onMove, onDrop, onKey, onOver, onSay }) {
    Object.assign(this, { onSelect, onMove, onDrop, onKey, onOver, onSay });
    this.svg = element("svg", { id: "picture", viewBox: VIEW, role: "group", "aria-label": "Three boxes", "aria-describedby": "picture-help" });
    this.things = new Map(); // elements by identity
    this.held = null; // what is being dragged
    this.grabbed = null; // what was picked up with the keyboard
    for (let box = 0; box < SIDES.length; box += 1) {
      this.svg.append(element("rect", { x: box * STRIDE, width: SIDE, height: SIDE, class: "box", "data-box": box }));
    }
    this.before = this.svg.appendChild(element("g", { class: "ghosts", "aria-hidden": "true" }));
    this.layer = this.svg.appendChild(element("g"));
    const help = document.createElement("p");
    help.id = "picture-help";
    help.className = "help";
    help.textContent = "Drag objects. Or: arrow keys go from one to the next, Space picks it up, C, S and Z change it, Del deletes it.";
    holder.append(this.svg, help);
    this.listen();
  }

  listen() {
    const { svg } = this;
    svg.addEventListener("pointerdown", (event) => {
      const group = event.target.closest(".thing");
      if (!group) return this.onSelect(null);
      const id = Number(group.dataset.id);
      const point = this.point(event);
      const { box, thing } = this.where.get(id);
      this.held = { id, x: point.x - (box * STRIDE + thing.x), y: point.y - thing.y };
      svg.setPointerCapture(event.pointerId);
      group.focus();
      this.onSelect(id);
      event.preventDefault();
    });
    svg.addEventListener("pointermove", (event) => {
      if (!this.held) return;
      const point = this.point(event);
      const { thing } = this.where.get(this.held.id);
      const left = point.x - this.held.x;
      const box = Math.min(Math.max(Math.floor((left + thing.size / 2 + 7) / STRIDE), 0), SIDES.length - 1);
      this.onMove(this.held.id, box, left - box * STRIDE, point.y - this.held.y);
    });
    const drop = () => {
      if (this.held) this.onDrop(this.held.id);
      this.held = null;
    };
    svg.addEventListener("pointerup", drop);
    svg.addEventListener("pointercancel", drop);
    svg.addEventListener("mouseover", (event) => {
      const group = event.target.closest(".thing");
      if (group && !this.held) this.onOver(this.placeOf(group));
    });
    svg.addEventListener("mouseout", (event) => {
      if (event.target.closest(".thing") && !this.held) this.onOver(null);
    });
    svg.addEventListener("focusin", (event) => {
      const group = event.target.closest(".thing");
      if (!group) return;
      if (!this.held) this.onSelect(Number(group.dataset.id));
      if (group.matches(":focus-visible")) this.onOver(this.placeOf(group));
    });
    svg.addEventListener("focusout", (event) => {
      if (event.target.closest(".thing")) this.onOver(null);
      if (!svg.contains(event.relatedTarget)) this.grab(null);
    });
    svg.addEventListener("keydown", (event) => this.pressed(event));
  }

  pressed(event) {
    const group = event.target.closest(".thing");
    if (!group || event.ctrlKey || event.metaKey || event.altKey) return;
    const id = Number(group.dataset.id);
    const isHeld = this.grabbed === id;
    if (event.key === " " || event.key === "Enter") this.grab(isHeld ? null : id);
    else if (event.key === "Escape") {
      if (isHeld) this.grab(null);
      else group.blur();
    } else if (this.onKey(id, event, isHeld)) this.things.get(id)?.focus();
    else if (WAYS[event.key]) this.go(id, WAYS[event.key]);
    else return;
    event.preventDefault();
  }

  grab(id) {
    if (id === this.grabbed) return;
    this.grabbed = id;
    this.onSay(id === null ? "" : "Picked up: arrow keys move it, with Shift further; Space puts it down.");
    for (const [one, group] of this.things) group.classList.toggle("grabbed", one === id);
  }

  go(id, [x, y]) {
    // To the nearest object that way.
    const middle = ({ box, thing }) => [box * STRIDE + thing.x + thing.size / 2, thing.y + thing.size / 2];
    const [left, top] = middle(this.where.get(id));
    let best = null;
    for (const [other, place] of this.where) {
      const [across, down] = [middle(place)[0] - left, middle(place)[1] - top];
      const ahead = across * x + down * y;
      const aside = Math.abs(across * y) + Math.abs(down * x);
      if (other !== id && ahead > 0 && (!best || ahead + 2 * aside < best.far)) best = { other, far: ahead + 2 * aside };
    }
    if (best) this.focus(best.other);
  }

  placeOf(group) {
    const { box, index } = this.where.get(Number(group.dataset.id));
    return { box, index };
  }

  point(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  ghosts(all) {
    // Things as they were before a change, in outline.
    this.before.replaceChildren(...all.map(({ box, thing }) => {
      const [name, attributes] = outline(thing);
      return element("g", { class: "ghost", transform: place(box, thing) }, element(name, attributes));
    }));
  }

  draw(boxes, selected) {
    this.where = new Map();
    const order = [];
    boxes.forEach((held, box) =>
      held.forEach((thing, index) => {
        this.where.set(thing.id, { box, index, thing });
        const group = this.things.get(thing.id) ?? element("g", { role: "button", "data-id": thing.id });
        this.things.set(thing.id, group);
        const look = `${thing.shape} ${thing.size} ${thing.color}`;
        if (group.dataset.look !== look) fill(group, thing);
        group.dataset.look = look;
        group.dataset.at = `${box}-${index}`;
        group.classList.add("thing");
        group.classList.toggle("selected", thing.id === selected);
        group.setAttribute("transform", place(box, thing));
        group.setAttribute("aria-label", `${nameOf(thing)}, ${SIDES[box]} box, ${thing.x} across, ${thing.y} down`);
        group.setAttribute("aria-pressed", String(thing.id === selected));
        order.push(group);
      }),
    );
    for (const [id, group] of this.things) {
      if (!this.where.has(id)) {
        group.remove();
        this.things.delete(id);
      }
    }
    order.forEach((group, index) => {
      if (this.layer.children[index] !== group) {
        const focused = document.activeElement === group; // moving an element takes its focus away
        this.layer.insertBefore(group, this.layer.children[index] ?? null);
        if (focused) group.focus();
      }
    });
    const reached = find(boxes, selected) ? selected : boxes.flat()[0]?.id; // with Tab; the others with arrow keys
    for (const [id, group] of this.things) group.setAttribute("tabindex", id === reached ? 0 : -1);
  }

  focus(id) {
    this.things.get(id)?.focus();
  }
}
