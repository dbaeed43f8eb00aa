// Teaching: the answers that were marked, what the model learned from them, and what that changed.
//
// Marks are kept in the browser, and go along with requests that the taught model is to answer. The model has learned
// from the first so many of them; to take a mark back is to unlearn it.

import { ask } from "./api.js";
import { at, html, kindOf } from "./dom.js";
import { save } from "./share.js";

const PORTION = 8; // other sentences that one request reads, so that none takes long

export class Teaching {
  constructor(about, stage, { say, onMarks, onModel }) {
    this.about = about; // what the server can do
    this.stage = stage; // what reads, writes and shows contexts
    this.say = say;
    this.onMarks = onMarks; // called when a mark comes or goes
    this.onModel = onModel; // called when another model is to answer
    this.changes = null; // what teaching changed
    this.restore();
    at("learn").addEventListener("click", () => this.learn());
    at("unmark").addEventListener("click", () => this.undo());
    at("export").addEventListener("click", () => this.save());
    at("forget").addEventListener("click", () => this.forget());
    at("models").addEventListener("change", (event) => {
      this.original = event.target.value === "original";
      this.changed();
    });
    addEventListener("storage", (event) => {
      if (event.key !== this.stage.place) return; // another tab
      this.restore();
      this.changed({ keep: false });
    });
  }

  // -- what is kept ---------------------------------------------------------------------------------------------------

  // A mark has a sentence, a context, the right answer as text and, if it was not typed, as JSON.

  restore() {
    let kept = null;
    try {
      kept = localStorage.getItem(this.stage.place);
    } catch { /* without storage there are no marks */ }
    this.read(kept);
  }

  read(text) {
    // Marks as they were written; somebody else's things have none.
    Object.assign(this, { marks: [], learned: 0, original: false });
    try {
      const kept = JSON.parse(text) ?? {};
      for (const { sentence, picture, answer, text: said = String(answer) } of kept.marks ?? []) {
        const context = this.stage.read(picture);
        if (context && typeof sentence === "string" && typeof said === "string") this.marks.push({ sentence, context, answer, text: said });
      }
      this.learned = Math.min(Number(kept.learned) || 0, this.marks.length);
      this.original = kept.original === true;
    } catch {
      this.marks = [];
    }
  }

  get written() {
    const marks = this.marks.map(({ context, ...rest }) => ({ ...rest, picture: this.stage.write(context) }));
    return marks.length ? JSON.stringify({ marks, learned: this.learned, original: this.original }) : null;
  }

  keep() {
    const { place } = this.stage;
    try {
      if (this.written) localStorage.setItem(place, this.written);
      else localStorage.removeItem(place);
    } catch {
      // Then the marks are there as long as the page is.
    }
  }

  take(text) {
    // Marks that came with a link. They do not take the place of one's own.
    const own = this.written;
    if (text === own) return;
    this.read(text);
    const count = this.marks.length;
    if (own) this.read(own);
    if (!count) return;
    const many = count === 1 ? "a mark" : `${count} marks`;
    this.say(own ? `The link brings ${many}, but you have your own, which were kept. Forget them to take those of the link.`
      : `The link brought ${many}${this.learned ? ", and what was learned from them" : ""}.`);
    if (!own) this.changed({ compare: true });
  }

  begin() {
    this.draw();
    if (this.learned && this.can) this.compare();
  }

  get can() {
    return this.about.can.includes("teaching");
  }

  get isUsed() {
    return this.learned > 0 && !this.original;
  }

  get lesson() {
    return this.sent(this.marks.slice(0, this.learned)); // what the taught model has learned from
  }

  sent(marks) {
    return marks.map(({ sentence, context, answer, text }) => ({
      sentence, scene: this.stage.toJson(context), ...(answer === undefined ? { answer_text: text } : { answer }),
    }));
  }

  find(sentence, context) {
    const written = this.stage.write(context);
    return this.marks.find((one) => one.sentence === sentence && this.stage.write(one.context) === written);
  }

  // -- what can be done -----------------------------------------------------------------------------------------------

  mark(sentence, context, { answer, text }) {
    const same = this.marks.indexOf(this.find(sentence, context));
    if (this.marks[same]?.text === text) {
      this.say("This is marked already.");
      return true;
    }
    const { marks, marked_sentences: sentences } = this.about.limits;
    if (this.marks.length >= marks) return this.say(`More than ${marks} marks are for “chorale teach”: export these.`, true);
    if (new Set([sentence, ...this.marks.map((one) => one.sentence)]).size > sentences) {
      return this.say(`More than ${sentences} different sentences are for “chorale teach”: export these.`, true);
    }
    const isLearned = same >= 0 && same < this.learned;
    if (same >= 0) this.marks.splice(same, 1); // who changes their mind is right the second time
    if (isLearned) this.learned -= 1;
    this.marks.push({ sentence, context, answer, text });
    this.say("");
    if (isLearned) this.changed({ compare: true });
    else this.update();
    at("marks").scrollTop = at("marks").scrollHeight;
    return true;
  }

  undo() {
    this.marks.pop();
    const isUnlearned = this.learned > this.marks.length;
    if (isUnlearned) this.learned = this.marks.length;
    this.say(this.marks.length ? "The last mark was taken back." : "There are no marks any more.");
    if (isUnlearned) this.changed({ compare: true });
    else this.update();
    if (!this.marks.length) at("sentence").focus(); // the button is gone
  }

  forget() {
    const count = this.marks.length;
    if (!confirm(count === 1 ? "Forget the mark, and what was learned from it?" : `Forget all ${count} marks, and what was learned from them?`)) return;
    Object.assign(this, { marks: [], learned: 0, original: false });
    this.say("Everything you taught is forgotten.");
    this.changed();
    at("sentence").focus();
  }

  async learn() {
    this.say("");
    Object.assign(this, { learned: this.marks.length, original: false });
    await this.changed({ compare: true });
  }

  async save() {
    try {
      const { lines } = await ask("export", { marks: this.sent(this.marks) });
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      save(text, "marks.jsonl", "application/jsonl");
    } catch (error) {
      this.say(error.message, true);
    }
  }

  async compare() {
    // What the marks changed: first in their own sentences, then, portion by portion, in the others.
    const marks = this.lesson;
    const comparing = (this.comparing = {});
    this.changes = null;
    this.isLearning = marks.length > 0;
    this.draw();
    if (!marks.length) return;
    try {
      let found = await ask("teach", { marks, take: 0 });
      this.isLearning = false;
      const others = [];
      for (let looked = 0; comparing === this.comparing; looked += found.looked_at) {
        others.push(...(looked ? found.others : []));
        this.changes = { marked: found.marked, others, looked, of: found.sentences };
        this.draw();
        this.onMarks();
        if (looked >= found.sentences) break;
        found = await ask("teach", { marks, skip: looked, take: PORTION });
      }
    } catch (error) {
      if (comparing !== this.comparing) return;
      this.isLearning = false;
      this.draw();
      this.say(error.message, true);
    }
  }

  verdict(sentence) {
    // What can be said of a marked sentence, once it is known: how many of its marks the taught model agrees with.
    const found = this.changes?.marked.find((one) => one.sentence === sentence);
    if (!found || found.marks === null) return null;
    const { right_after: right, marks } = found;
    return right === marks ? "as you taught it" : `${right} of ${marks} ${marks === 1 ? "mark" : "marks"} ${right === 1 ? "fits" : "fit"}`;
  }

  update() {
    this.keep();
    this.draw();
    this.onMarks();
  }

  async changed({ keep = true, compare = false } = {}) {
    if (keep) this.keep();
    if (!this.learned) this.changes = this.comparing = null;
    this.draw();
    this.onMarks();
    this.onModel();
    if (compare) await this.compare();
  }

  // -- showing --------------------------------------------------------------------------------------------------------

  draw() {
    const { marks, learned, changes } = this;
    at("teaching").hidden = !marks.length;
    at("marks").replaceChildren(...marks.map((one) => row(one, this.stage)));
    at("learn").disabled = !this.can || learned === marks.length;
    at("models").hidden = !learned;
    for (const input of document.querySelectorAll("input[name=model]")) input.checked = (input.value === "original") === this.original;
    at("learning").hidden = !this.isLearning;
    at("learning").textContent = this.isLearning ? "Learning …" : "";
    at("changes").hidden = !changes;
    at("marked").replaceChildren(...(changes?.marked ?? []).map(change));
    at("others-changed").textContent = changes ? summary(changes) : "";
    at("others-list").replaceChildren(...(changes?.others ?? []).map(change));
  }
}

const row = ({ sentence, context, text }, stage) =>
  html("li", {}, stage.still(context, null), html("span", {}, sentence), html("span", { class: `chip ${kindOf(text)}` }, text));

const understood = ({ program, plain }) => plain ?? html("code", {}, program);

const agreeing = (right, marks) => (marks === null ? "" : ` (agrees with ${right} of ${marks} ${marks === 1 ? "mark" : "marks"})`);

// What could not be learned is said.
const unlearned = ({ right_after: right, marks }) => marks === null || right === marks ? null
  : html("p", { class: "unlearned" }, `${right} of ${marks} marks ${right === 1 ? "fits" : "fit"}: the others contradict ${right ? "these" : "each other"}, or no program says all of it.`);

function change(one) {
  const isSame = one.before.program === one.after.program;
  const line = (when, what, right) =>
    html("p", {}, html("em", {}, `${when}: `), html("span", {}, understood(what)), html("em", {}, agreeing(right, one.marks)));
  return html("li", {}, html("p", { class: "said" }, one.sentence),
    isSame ? null : line("before", one.before, one.right_before),
    line(isSame ? "as before" : "now", one.after, one.right_after), unlearned(one));
}

function summary({ others, looked, of }) {
  if (!of) return "";
  if (looked < of) return `Reading ${of} other sentences, to see whether they are read as before: ${looked} so far.`;
  if (!others.length) return `All ${of} other sentences that were tried are read as before.`;
  return `Of ${of} other sentences that were tried, ${others.length === 1 ? "one is" : `${others.length} are`} read differently now:`;
}
