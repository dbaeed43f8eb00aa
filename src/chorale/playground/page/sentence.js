// The sentence: a field with the same text behind it, where words light up and doubts stand on the words they are about.

import { at, html, sentence } from "./dom.js";

export class Sentence {
  constructor({ typed, enter, over, rest }) {
    Object.assign(this, { over, rest });
    this.field = at("sentence");
    this.behind = at("words");
    this.spans = []; // one for each word that was found, by its index
    this.field.addEventListener("input", () => {
      this.grow();
      this.draw();
      typed(this.text);
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      enter();
    });
    this.field.addEventListener("mousemove", (event) => this.point(this.at(event.clientX, event.clientY)));
    this.field.addEventListener("mouseleave", () => this.point(null));
    this.field.addEventListener("keyup", (event) => {
      if (/^(Arrow|Home|End)/.test(event.key)) this.point(this.under(this.field.selectionStart));
    });
    this.field.addEventListener("click", () => this.point(this.under(this.field.selectionStart)));
    this.field.addEventListener("blur", () => this.point(null));
    addEventListener("resize", () => this.grow());
  }

  get text() {
    return this.field.value.replaceAll("\n", " ");
  }

  set text(text) {
    this.field.value = text;
    this.grow();
  }

  grow() {
    this.field.style.height = "auto";
    this.field.style.height = `${this.field.scrollHeight}px`;
  }

  point(word) {
    if (word === this.pointed) return;
    this.pointed = word;
    if (word === null || word === undefined) this.rest();
    else this.over(word);
  }

  at(x, y) {
    const found = this.spans.findIndex((span) =>
      span && [...span.getClientRects()].some((it) => x >= it.left - 2 && x <= it.right + 2 && y >= it.top && y <= it.bottom));
    return found < 0 ? null : found;
  }

  under(caret) {
    const found = this.ranges?.findIndex((it) => it && it[0] <= caret && caret <= it[1]) ?? -1;
    return found < 0 ? null : found;
  }

  draw(words = null, reasons = []) {
    // `words` as the parser read them, `reasons` what speaks against the answer; without them the bare text.
    const text = this.field.value;
    this.ranges = words ? ranges(words, text) : [];
    const told = this.notes(reasons);
    const marked = told.flatMap(({ kind, text: note, about }) => about.map((phrase) => ({ kind, note, at: find(phrase, text) }))).filter((it) => it.at);
    this.spans = [];
    const cuts = [...this.ranges.entries()].filter(([, it]) => it).sort(([, one], [, other]) => one[0] - other[0]);
    const pieces = [];
    let end = 0;
    for (const [index, [from, to]] of cuts) {
      if (from < end) continue;
      const doubt = marked.find((it) => it.at[0] <= from && to <= it.at[1]);
      const span = html("span", { class: doubt ? "word doubt" : "word", "data-word": index, "data-kind": doubt?.kind }, text.slice(from, to));
      this.spans[index] = span;
      pieces.push(text.slice(end, from), span);
      end = to;
    }
    this.behind.replaceChildren(...pieces, `${text.slice(end)} `);
    const onWords = told.filter((it) => it.about.some((phrase) => find(phrase, text)));
    at("doubts").replaceChildren(...grouped(onWords).map(([kind, phrases, note]) =>
      html("li", { "data-kind": kind }, phrases.length > 1 || kind !== "typo" ? [html("b", {}, phrases.map((it) => `“${text.slice(...(find(it, text) ?? [0, 0])) || it}”`).join(", ")), ` ${SHORT[kind] ?? note}`] : note)));
    this.rest_ = told.filter((it) => !onWords.includes(it));
    return this.rest_; // what is about no word
  }

  notes(reasons) {
    return reasons.map(({ kind, text }) => ({ kind, text: sentence(text), about: quoted(text).slice(0, 1) }));
  }

  light(words) {
    this.spans.forEach((span, index) => span?.classList.toggle("on", words.includes(index)));
  }
}

const SHORT = {
  "unknown word": "not known", unsaid: "left unsaid", unsayable: "cannot be said in a program", beyond: "more than a program can say",
};

const quoted = (text) => [...text.matchAll(/'([^']+)'|"([^"]+)"|“([^”]+)”/g)].map((found) => found[1] ?? found[2] ?? found[3]);

function grouped(told) {
  const groups = new Map();
  for (const { kind, text, about } of told) {
    const key = SHORT[kind] ? kind : text;
    if (!groups.has(key)) groups.set(key, [kind, [], text]);
    groups.get(key)[1].push(...about);
  }
  return [...groups.values()];
}

function find(phrase, text) {
  // Where a phrase stands, with any spaces and signs between its words.
  const words = phrase.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const found = new RegExp(`(?<![\\p{L}\\p{N}])${words.join("[^\\p{L}\\p{N}]+")}(?![\\p{L}\\p{N}])`, "iu").exec(text);
  return found && [found.index, found.index + found[0].length];
}

function ranges(words, text) {
  // Where each word stands: after the one before it, or anywhere else (questions are read as statements).
  const taken = [];
  let from = 0;
  return words.map((word) => {
    const free = places(text, word).filter(([a, b]) => !taken.some(([c, d]) => a < d && c < b));
    const spot = free.find(([a]) => a >= from) ?? free[0];
    if (!spot) return null;
    taken.push(spot);
    if (spot[0] >= from) from = spot[1];
    return spot;
  });
}

function places(text, word) {
  const wanted = word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const found = text.matchAll(new RegExp(`(?<![\\p{L}\\p{N}])${wanted}(?![\\p{L}\\p{N}])`, "giu"));
  return [...found].map((it) => [it.index, it.index + it[0].length]);
}
