// The picture: draws a scene, lights up parts of it, and turns pointer and keys into changes.

import { SIDE, SIDES, nameOf } from "./scene.js";

export const STRIDE = SIDE + 14;
const NS = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, children = []) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

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
  const svg = element("svg", { viewBox: "-7 -7 342 114", "aria-hidden": "true" });
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
  constructor(svg, { onSelect, onMove, onDrop, onKey }) {
    this.svg = svg;
    this.things = new Map(); // elements by identity
    this.held = null; // what is being dragged
    for (let box = 0; box < SIDES.length; box += 1) {
      svg.append(element("rect", { x: box * STRIDE, width: SIDE, height: SIDE, class: "box", "data-box": box }));
    }
    this.layer = svg.appendChild(element("g"));
    svg.addEventListener("pointerdown", (event) => {
      const group = event.target.closest(".thing");
      if (!group) return onSelect(null);
      const id = Number(group.dataset.id);
      const point = this.point(event);
      const { box, thing } = this.where.get(id);
      this.held = { id, x: point.x - (box * STRIDE + thing.x), y: point.y - thing.y };
      svg.setPointerCapture(event.pointerId);
      group.focus();
      onSelect(id);
      event.preventDefault();
    });
    svg.addEventListener("pointermove", (event) => {
      if (!this.held) return;
      const point = this.point(event);
      const { thing } = this.where.get(this.held.id);
      const left = point.x - this.held.x;
      const box = Math.min(Math.max(Math.floor((left + thing.size / 2 + 7) / STRIDE), 0), SIDES.length - 1);
      onMove(this.held.id, box, left - box * STRIDE, point.y - this.held.y);
    });
    const drop = () => {
      if (this.held) onDrop(this.held.id);
      this.held = null;
    };
    svg.addEventListener("pointerup", drop);
    svg.addEventListener("pointercancel", drop);
    svg.addEventListener("focusin", (event) => {
      const group = event.target.closest(".thing");
      if (group && !this.held) onSelect(Number(group.dataset.id));
    });
    svg.addEventListener("keydown", (event) => {
      const group = event.target.closest(".thing");
      if (group && !event.ctrlKey && !event.metaKey && !event.altKey && onKey(Number(group.dataset.id), event)) {
        event.preventDefault();
      }
    });
  }

  point(event) {
    return new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  draw(boxes, selected) {
    this.where = new Map();
    const order = [];
    boxes.forEach((held, box) =>
      held.forEach((thing, index) => {
        this.where.set(thing.id, { box, index, thing });
        let group = this.things.get(thing.id);
        if (!group) {
          group = element("g", { tabindex: 0, role: "button", "data-id": thing.id });
          this.things.set(thing.id, group);
        }
        const look = `${thing.shape} ${thing.size} ${thing.color}`;
        if (group.dataset.look !== look) fill(group, thing);
        group.dataset.look = look;
        group.dataset.at = `${box}-${index}`;
        group.setAttribute("class", thing.id === selected ? "thing selected" : "thing");
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
  }

  focus(id) {
    this.things.get(id)?.focus();
  }
}
