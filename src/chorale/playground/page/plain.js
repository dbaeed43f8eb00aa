// The stage of domains that bring none: the context as JSON, which can be edited. Where a domain has no JSON for its
// contexts nothing can be asked about, and sentences are only read. docs/playground.md has what a stage must know.

import { capital, html } from "./dom.js";

const WIDTH = 72; // letters of a line
const MOST_LINES = 24;

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

export class Stage {
  constructor(host) {
    const { about } = host;
    Object.assign(this, { host, about, word: about.context_word, hasJson: about.can.includes("codec") });
    this.place = `chorale-marks-${about.domain}`;
    this.placeholder = about.example.sentence ?? "";
    this.context = given(about.example.scene);
    this.examples = about.sentences.map((sentence) => ({ sentence }));
    this.hasPictures = !about.can.includes("stage");
    const { word, hasJson } = this;
    this.field = html("textarea", { class: "context", id: "context", rows: 3, spellcheck: "false", autocomplete: "off", hidden: !hasJson,
      oninput: (event) => host.change(typed(event.target.value), { remember: false, pause: 400 }) });
    this.element = html("div", { class: "plain-stage" },
      html("label", { class: "context-name", for: "context" }, capital(word)), this.field,
      html("pre", { class: "context", id: "context-text", hidden: hasJson || about.example.text === null }, about.example.text ?? ""),
      html("p", { class: "help", id: "help" }, hasJson
        ? `The ${word} as JSON. Change it, and the answer follows.`
        : `There is no JSON for ${word}s here (the domain ${about.domain} has no codec), so nothing can be asked about one. Sentences are still read.`));
    const invents = hasJson && about.can.includes("generator");
    const makes = hasJson && about.can.includes("editing");
    this.tools = !invents && !makes ? null : html("div", { class: "group" },
      makes && html("button", { type: "button", class: "strong", id: "make-true" }, "Make it true"),
      makes && html("button", { type: "button", class: "strong", id: "make-false" }, "Make it false"),
      invents && html("button", { type: "button", id: "invent" }, `New ${word}`));
  }

  // -- the context in all its forms -----------------------------------------------------------------------------------

  toJson = (context) => context.value;
  fromJson = (json) => given(json);
  write = (context) => JSON.stringify(context.value);

  read(text) {
    const found = typeof text === "string" ? typed(text) : null;
    return found?.problem === null ? given(found.value) : null;
  }

  still(context, step) {
    if (step) return null; // its value stands beside it
    return html("span", { class: "small", title: context.text }, this.write(context));
  }

  get problem() {
    const { problem } = this.context;
    return problem && `This is not JSON: ${problem}. What is shown below is about the ${this.word} as it was before.`;
  }

  get link() {
    return this.hasJson ? { p: this.context.text } : {};
  }

  follow(parts) {
    if (this.hasJson && parts.has("p")) this.context = this.read(parts.get("p")) ?? typed(parts.get("p"));
    return parts.has("s") || parts.has("p");
  }

  // -- showing --------------------------------------------------------------------------------------------------------

  light() {} // values stand in the program

  draw() {
    const { field, context } = this;
    if (field.value !== context.text) field.value = context.text;
    field.rows = Math.min(Math.max(context.text.split("\n").length, 3), MOST_LINES);
  }
}
