// The stage of tables: a table is dropped, pasted or opened, its cells can be changed, and parts of a program light up
// their rows and cells. docs/playground.md has what a stage must know.

import { ask } from "../api.js";
import { html, sentence as told } from "../dom.js";
import { EXAMPLES, TABLES } from "./examples.js";
import { Sheet, small } from "./sheet.js";
import { base64, counted, csv, looksLikeTable } from "./text.js";

const IN_LINK = 12_000; // letters of a table in an address
const KEPT = "chorale-table"; // one that is too large for that, in this tab
const TYPES = { text: "Aa", number: "12", mixed: "A1", year: "Yr", date: "Dt", time: "Tm" };
const MOST_HINGES = 5;

const made = (json, { name = "table.csv", example = null, facts = null } = {}) => ({ json, name, example, facts });
const ofExample = (example) => made(TABLES[example], { name: `${example}.csv`, example });

export class Stage {
  place = "chorale-marks-tables"; // of marks in the browser's storage
  placeholder = EXAMPLES[0].sentence;
  prompt = "Ask the table";
  invitation = "Ask something about the table, or take a question from the story.";
  storyTitle = "Learned from answers alone: a story in eight questions";
  hasPictures = true;
  examples = EXAMPLES.map(({ table, ...rest }) => ({ ...rest, context: ofExample(table) }));

  constructor(host) {
    this.host = host;
    this.context = ofExample("mountains");
    this.drawn = this.answer = null;
    this.sheet = new Sheet({
      change: (place, text) => this.type(place, text),
      sort: (column) => this.sort(column),
      remove: (row) => this.remove(row),
      over: (place) => host.over(place),
      rest: () => host.rest(),
    });
    this.title = html("p", { class: "title" });
    this.chips = html("ul", { class: "columns", tabindex: 0, "aria-label": "Columns" });
    this.element = html("div", { class: "table-stage" }, html("div", { class: "caption" }, this.title, this.chips), this.sheet.element,
      html("p", { class: "help", id: "sheet-help" }, "Double-click a cell to change it, a column’s name to sort. Or: arrow keys go from cell to cell, Enter changes one, Del on a row’s number removes the row."));
    this.tools = this.makeTools();
    addEventListener("paste", (event) => this.pasted(event));
  }

  makeTools() {
    this.file = html("input", { class: "hidden", type: "file", id: "upload", accept: ".csv,.tsv,.txt,.json,text/csv", "aria-label": "Open a table",
      onchange: () => { if (this.file.files[0]) this.receive(this.file.files[0]); this.file.value = ""; } });
    this.text = html("textarea", { id: "pasted", rows: 5, class: "context", "aria-label": "A table as text", placeholder: "City,People\nOst,1200\nMel,700", spellcheck: "false" });
    this.paste = html("form", { class: "paste", hidden: true, onsubmit: (event) => { event.preventDefault(); this.take(this.text.value); } },
      this.text, html("div", { class: "group" }, html("button", { type: "submit", class: "strong" }, "Use this table"),
        html("button", { type: "button", class: "quiet", onclick: () => { this.paste.hidden = true; } }, "Cancel")));
    this.which = html("button", { type: "button", id: "hinges", disabled: true, onclick: () => this.findHinges() }, "Which row would change this?");
    this.found = html("div", { class: "hinges", role: "status", "aria-live": "polite" });
    this.offers = html("div", { class: "offered", role: "group", "aria-label": "Questions to try" });
    return [
      html("div", { class: "makes" },
        html("div", { class: "group" }, html("label", { class: "button", for: "upload" }, "Open a CSV"), this.file,
          html("button", { type: "button", id: "paste", onclick: () => { this.paste.hidden = !this.paste.hidden; if (!this.paste.hidden) this.text.focus(); } }, "Paste one"),
          html("span", { class: "help" }, "or drop it anywhere")),
        this.which),
      this.paste, this.found, this.offers];
  }

  // -- the context in all its forms -----------------------------------------------------------------------------------

  problem = null;
  toJson = (context) => context.json;
  fromJson = (json, before = null) => made(json, { name: before?.name });
  write = (context) => JSON.stringify(context.json);

  still(context, step) {
    if (!step) return small(context.json, { most: 16, wide: 5 });
    return small(context.json, { groups: this.groups(step), columns: this.columnsOf(step, context), most: 4, wide: 3 });
  }

  card = (context) => html("i", { class: "file" }, context.name);

  read(text) {
    try {
      const json = typeof text === "string" ? JSON.parse(text) : null;
      const isRow = (row) => Array.isArray(row) && row.every((cell) => typeof cell === "string");
      const isTable = json && isRow(json.header) && json.header.length && Array.isArray(json.rows) && json.rows.every((row) => isRow(row) && row.length === json.header.length);
      return isTable ? made(json) : null;
    } catch {
      return null;
    }
  }

  get link() {
    const { example, name } = this.context;
    if (example) return { t: example };
    const written = this.write(this.context);
    if (encodeURIComponent(written).length <= IN_LINK) return { p: written, n: name };
    try {
      sessionStorage.setItem(KEPT, written);
    } catch { /* then a reload forgets it */ }
    return { t: "kept", n: name };
  }

  get linkNote() {
    return this.link.t === "kept" ? "The table is too large for a link: save it, and send it along." : null;
  }

  follow(parts) {
    const example = parts.get("t");
    if (Object.hasOwn(TABLES, example)) this.context = ofExample(example);
    else {
      let kept = null;
      try {
        kept = example === "kept" ? sessionStorage.getItem(KEPT) : null;
      } catch { /* there is none */ }
      const found = this.read(parts.get("p") ?? kept);
      if (!found) return false;
      this.context = { ...found, name: (parts.get("n") ?? "").slice(0, 80) || found.name };
    }
    return true;
  }

  saved = (context) => ({ name: context.name.replace(/\.\w+$/, "") + ".csv", text: csv(context.json), type: "text/csv" });

  commands({ sentence, model, shell, python }) {
    const { name } = this.saved(this.context);
    return {
      Python: `import chorale\n\nmodel = chorale.load(${python(model)})\nreply = model.ask(${python(name)}, ${python(sentence)})\nprint(reply.text, reply.confidence)\nprint(reply.sql)`,
      "Command line": `chorale ask ${shell(name)} ${shell(sentence)}\n# ${name}: “Save the table” above`,
    };
  }

  // -- what parts return ----------------------------------------------------------------------------------------------

  groups = (step) => (step.rows ?? []).map((group) => group.map((row) => row - 1));

  columnsOf(step, context = this.context) {
    const names = context.facts?.columns.map((one) => one.name) ?? context.json.header;
    return (step.columns ?? []).map((name) => names.indexOf(name)).filter((index) => index >= 0);
  }

  result(step) {
    const text = String(step.value ?? "");
    if (/^(no row|rows? \d|all \d+ rows)/.test(text)) {
      return { text: (step.rows ?? []).map((group) => counted(group.length, "row")).join(" and "), kind: "some" };
    }
    return null;
  }

  holds(step, { row, column }) {
    const columns = this.columnsOf(step);
    return this.groups(step).some((group) => group.includes(row)) && (column < 0 || !columns.length || columns.includes(column));
  }

  light(step) {
    if (step?.rows) this.sheet.light(this.groups(step), this.columnsOf(step));
    else this.rest();
  }

  rest() {
    const step = this.answer?.context === this.context ? this.answer.step : null;
    if (step?.rows) this.sheet.light(this.groups(step), this.columnsOf(step), { isResting: true });
    else this.sheet.dark();
  }

  answered(one) {
    this.answer = one?.steps.length ? { context: this.context, step: one.steps.at(-1) } : null;
    this.which.disabled = !one || one.answer === null;
    this.rest();
  }

  // -- changes --------------------------------------------------------------------------------------------------------

  change(rows, more = {}) {
    const { json, name, facts } = this.context;
    this.host.change({ ...made({ ...json, rows }, { name }), stale: facts, ...more });
  }

  type({ row, column }, text) {
    this.change(this.context.json.rows.map((cells, index) => (index === row ? cells.with(column, text) : cells)));
  }

  remove(row) {
    if (this.context.json.rows.length < 2) return this.host.say("A table needs a row.");
    this.change(this.context.json.rows.filter((_, index) => index !== row));
    this.host.say(`Row ${row + 1} is gone. Undo brings it back.`);
  }

  sort(column) {
    const { json, facts } = this.context;
    const isFigure = ["number", "year"].includes((facts ?? this.context.stale)?.columns[column]?.type);
    const value = (row) => Number.parseFloat(row[column].replaceAll(",", ""));
    const order = (one, other) => (isFigure ? (value(one) || 0) - (value(other) || 0) : one[column].localeCompare(other[column], "en", { numeric: true }));
    const rows = [...json.rows].sort(order);
    this.change(rows.every((row, index) => row === json.rows[index]) ? rows.reverse() : rows);
    this.host.say(`Sorted by ${json.header[column]}. Undo brings the order back.`);
  }

  pasted(event) {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const isOwnField = event.target.matches?.("#pasted, #source, .typed, .correct input");
    if (isOwnField || !looksLikeTable(text)) return;
    event.preventDefault();
    this.take(text);
  }

  take(text) {
    if (text.trim()) this.receive(new File([text], "pasted.csv", { type: "text/csv" }));
  }

  receive(file) {
    const most = this.host.about.limits.file_bytes;
    if (file.size > most) {
      const size = file.size > 1e6 ? `${(file.size / 1e6).toFixed(1)} MB` : `${Math.round(file.size / 1e3)} kB`;
      return this.host.say(`${file.name} has ${size}; this page takes ${Math.round(most / 1e3)} kB. In a terminal there is no such limit: chorale ask ${file.name}`, true);
    }
    const { context } = this;
    this.host.during(async () => {
      const { scene, notes, facts } = await ask("read", { file: await base64(file), name: file.name.slice(0, 80) || "file" });
      if (context !== this.context) return this.host.say("The table was changed meanwhile, so it was left as it is.");
      this.paste.hidden = true;
      this.host.change(made(scene, { name: file.name, facts }));
      const doubts = notes.map((note) => told(note.replace(/; otherwise: .*$/s, "")));
      this.host.say([`${file.name} was read: ${counted(scene.rows.length, "row")}. Undo brings the other table back.`, ...doubts].join(" "));
    });
  }

  ghosts(before) {
    this.draw();
    this.sheet.changed(before.json, this.context.json);
  }

  // -- which row would change the answer --------------------------------------------------------------------------------

  findHinges() {
    const { context } = this;
    const shown = this.host.shown();
    if (!shown) return;
    this.host.during(async () => {
      const found = await ask("without", { program: shown.program, scene: context.json, sentence: shown.sentence });
      if (context !== this.context) return;
      this.sheet.hinges(found.parts);
      const name = (place) => context.json.rows[place].find((cell) => cell.trim()) ?? "";
      const all = found.looked_at < found.of ? `the first ${found.looked_at.toLocaleString("en")} of ${counted(found.of, "row")}` : counted(found.of, "row");
      const none = `None of ${all} alone would: leave out any one, and the answer is the same.`;
      const some = found.parts.length === found.of ? "Every row does: without any one of them the answer is another." : `${found.parts.length} of ${all} would. Without`;
      this.found.replaceChildren(html("p", {}, found.parts.length ? some : none),
        html("ul", {}, found.parts.slice(0, MOST_HINGES).map(({ place, answer_text: text }) => html("li", {},
          html("button", { type: "button", class: "link", onclick: () => this.sheet.light([[place]], []) }, `row ${place + 1}, ${name(place)}`), `: ${text ?? "no answer"}`)),
        found.parts.length > MOST_HINGES ? html("li", { class: "faint" }, `${found.parts.length - MOST_HINGES} more are marked in the table`) : null));
    });
  }

  // -- showing --------------------------------------------------------------------------------------------------------

  draw() {
    const { context } = this;
    if (context === this.drawn) return;
    this.drawn = context;
    const { json, name } = context;
    this.found.replaceChildren();
    this.sheet.draw(json, context.facts ?? context.stale, name);
    this.title.replaceChildren(html("b", {}, name), ` ${counted(json.rows.length, "row")}, ${counted(json.header.length, "column")}`);
    if (context.facts ?? context.stale) this.drawColumns(context.facts ?? context.stale);
    else this.chips.replaceChildren();
    if (!context.facts) this.learn(context);
    this.rest();
  }

  async learn(context) {
    // What the columns are; the cells do not wait for it.
    try {
      context.facts = (await ask("read", { scene: context.json })).facts;
    } catch {
      return; // whoever asks the table is told why
    }
    if (context !== this.context) return;
    this.sheet.figures(context.facts);
    this.drawColumns(context.facts);
  }

  drawColumns({ columns }) {
    this.chips.replaceChildren(...columns.map(({ name, type, values, empty, parts }, index) => {
      const about = [`${type}, ${counted(values, "value")}`, empty ? `${empty} empty` : null, ...parts.map((part) => `also: ${part}`)].filter(Boolean).join("; ");
      return html("li", { title: about, onmouseenter: () => this.sheet.column(index), onmouseleave: () => this.rest() },
        html("i", { class: type, "aria-hidden": "true" }, TYPES[type] ?? "?"), html("span", {}, name), html("em", {}, type));
    }));
    this.offer(columns);
  }

  offer(columns) {
    // Questions that fit the columns, for tables that bring none.
    const { example, json } = this.context;
    const ofType = (...types) => columns.find(({ type }) => types.includes(type))?.name;
    const [name, figure] = [ofType("text", "mixed"), ofType("number")];
    const group = columns.findIndex(({ type, values }) => type === "text" && values > 1 && values <= json.rows.length / 2);
    const value = json.rows[0]?.[group];
    const offered = example ? [] : [
      name && figure && `which ${name} has the highest ${figure}?`,
      figure && `what is the total ${figure}?`,
      value && `how many rows have the ${columns[group].name} ${value}?`,
      value && `which ${columns[group].name} is the most common?`,
    ].filter(Boolean);
    this.offers.replaceChildren(...offered.map((text) => html("button", { type: "button", class: "quiet", onclick: () => this.host.ask(text) }, text)));
  }
}
