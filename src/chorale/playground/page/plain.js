// The stage of domains that the page does not draw: the context as JSON, which can be edited. Where a domain has no JSON
// for its contexts nothing can be asked about, and sentences are only read. It has the methods of the stage in boxes.js.

import { code, html } from "./reading.js";

const WIDTH = 72; // letters of a line
const MOST_LINES = 24;

const at = (id) => document.getElementById(id);
const named = (word) => word.charAt(0).toUpperCase() + word.slice(1);

export function pretty(value, indent = "") {
  // What fits on a line stands on a line; else each part has lines of its own.
  const line = spaced(value);
  if (value === null || typeof value !== "object" || indent.length + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((one) => pretty(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${pretty(one, inner)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${inner}${parts.join(`,\n${inner}`)}\n${indent}${close}`;
}

function spaced(value) {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${spaced(one)}`).join(", ")}}`;
}

const given = (value) => ({ text: value === null ? "" : pretty(value), value, problem: null });

function typed(text) {
  if (!text.trim()) return given(null);
  try {
    return { text, value: JSON.parse(text), problem: null };
  } catch (error) {
    return { text, value: null, problem: error.message };
  }
}

export class Plain {
  template = "plain-stage";

  constructor(about, { onChange, onTyped }) {
    Object.assign(this, { about, onChange, onTyped });
    this.word = about.context_word;
    this.place = `chorale-marks-${about.domain}`;
    this.placeholder = about.example.sentence ?? "";
    this.examples = about.sentences.map((sentence) => ({ sentence, link: { s: sentence } }));
    this.hasJson = about.can.includes("codec");
    this.context = given(about.example.scene);
    this.undone = [];
  }

  begin() {
    const { word, about } = this;
    at("context-name").textContent = named(word);
    at("context").hidden = !this.hasJson;
    at("context-text").hidden = this.hasJson || about.example.text === null;
    at("context-text").textContent = about.example.text ?? "";
    at("help").textContent = this.hasJson
      ? `The ${word} as JSON. Change it, and the answer follows.`
      : `There is no JSON for a ${word} here (the domain ${about.domain} has no codec), so nothing can be asked about one. Sentences are still read.`;
    at("invent").textContent = `New ${word}`;
    at("invent").hidden = !this.hasJson || !about.can.includes("generator");
    at("undo").hidden = !this.hasJson;
    at("context").addEventListener("input", (event) => {
      this.context = typed(event.target.value);
      this.onTyped();
    });
  }

  // -- the context in all its forms -----------------------------------------------------------------------------------

  toJson = (context) => context.value;
  write = (context) => JSON.stringify(context.value);

  read(text) {
    const found = typeof text === "string" ? typed(text) : null;
    return found?.problem === null ? given(found.value) : null;
  }

  still(context, step) {
    if (step) return null; // its value stands beside it
    return html("span", { class: "small", title: context.text }, code(this.write(context)));
  }

  take(json) {
    this.undone.push(this.context);
    this.context = given(json);
    this.onChange();
  }

  undo() {
    this.context = this.undone.pop();
    this.onChange();
  }

  get problem() {
    const { problem } = this.context;
    return problem && `This is not JSON: ${problem}. What is shown below is about the ${this.word} as it was before.`;
  }

  get link() {
    return this.hasJson ? { p: this.context.text } : {};
  }

  follow(parts) {
    if (!parts.has("s") && !parts.has("p")) return false;
    if (this.hasJson && parts.has("p")) this.context = this.read(parts.get("p")) ?? typed(parts.get("p"));
    return true;
  }

  // -- showing --------------------------------------------------------------------------------------------------------

  light() {} // values stand in the tree

  draw() {
    const field = at("context");
    if (field.value !== this.context.text) field.value = this.context.text;
    field.rows = Math.min(Math.max(this.context.text.split("\n").length, 3), MOST_LINES);
    at("undo").disabled = this.undone.length === 0;
  }
}
