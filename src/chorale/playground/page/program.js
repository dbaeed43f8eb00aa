// The program: each part on a line with its value beside it; or as text, to be changed and run at once.

import { ask } from "./api.js";
import { isConstant, lines, placed, pretty, queryTokens, tokens } from "./code.js";
import { at, chip, html, roving } from "./dom.js";

const PAUSE = 250; // milliseconds of rest before what was typed is run
const SHOWN = 8; // names that are offered

const colored = (all) => all.map((one) => html("span", { class: one.kind }, one.text));

export class Program {
  constructor(host) {
    this.host = host; // result(step), light(node), rest(), sent(): what goes along with a program, run(text), leave()
    this.editing = false;
    this.offered = [];
    this.timer = this.asking = 0;
    this.first = roving(at("tree"), ".part", { enter: () => this.edit() });
    this.field = html("textarea", {
      id: "source", spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": "Program, as text",
      "aria-describedby": "fault", "aria-autocomplete": "list", "aria-controls": "offers", maxlength: 2000,
      oninput: () => this.typed(), onkeydown: (event) => this.key(event), onblur: () => setTimeout(() => this.offer([]), 150),
      onclick: () => this.offer([]),
    });
    this.paint = html("pre", { class: "paint", "aria-hidden": "true" });
    this.values = html("ol", { class: "values", "aria-hidden": "true" });
    this.list = html("ul", { class: "offers", id: "offers", role: "listbox", "aria-label": "Names that may stand here", hidden: true });
    this.fault = html("p", { class: "fault", id: "fault", role: "status", "aria-live": "polite" });
    at("editor").append(html("div", { class: "source" }, this.paint, this.field, this.list), this.values, this.fault);
    at("edit").addEventListener("click", () => (this.editing ? this.close() : this.edit()));
    at("copy").addEventListener("click", () => this.copy(this.text));
    at("copy-query").addEventListener("click", () => this.copy(this.ran.sql));
  }

  // -- lines with values ----------------------------------------------------------------------------------------------

  show(ran) {
    this.ran = ran;
    at("tree").replaceChildren(...(ran ? lines(ran.tree, ran.steps).map((line) => this.line(line, ran.steps)) : []));
    this.first();
    at("query").hidden = !ran?.sql && !ran?.sql_remark;
    at("sql").replaceChildren(...queryTokens(ran?.sql ?? "").map((one) => (one.kind ? html("span", { class: one.kind }, one.text) : one.text)));
    at("sql").hidden = at("copy-query").hidden = !ran?.sql;
    at("query-note").textContent = ran?.sql_remark ?? "";
    if (this.editing && ran) this.drawValues();
  }

  line(line, steps) {
    const step = line.node.step === null ? null : steps[line.node.step];
    const found = this.host.result(step);
    const words = line.nodes.flatMap((node) => node.words);
    const made = html("div", {
      class: "part", role: "treeitem", "aria-level": line.depth + 1, tabindex: -1, "data-words": words.join(" "), title: step?.plain || null,
      "aria-label": line.nodes.map((node) => node.name.replaceAll("_", " ")).join(" ") + (found ? `: ${found.text}` : ""),
      onmouseenter: () => this.host.light(made), onmouseleave: () => this.host.rest(),
      onfocus: () => this.host.light(made), onblur: () => this.host.rest(), onclick: () => made.focus(),
      ondblclick: () => this.edit(),
    },
    html("code", {}, colored(line.tokens)), found ? chip(found.text, found.kind) : null);
    made.firstChild.style.setProperty("--depth", line.depth);
    Object.assign(made, { step, words });
    return made;
  }

  // -- changing it ----------------------------------------------------------------------------------------------------

  edit(text = null) {
    if (!this.ran && text === null) return;
    this.editing = true;
    this.field.value = text ?? pretty(this.ran.tree, this.ran.steps);
    this.begun = this.field.value;
    this.mode();
    this.wrong(null);
    this.drawText();
    this.drawValues();
    this.field.focus();
  }

  close({ focus = true } = {}) {
    clearTimeout(this.timer);
    this.editing = false;
    this.offer([]);
    this.mode();
    if (focus) at("edit").focus();
  }

  mode() {
    at("editor").hidden = !this.editing;
    at("tree").hidden = this.editing;
    at("edit").textContent = this.editing ? "Done" : "Edit";
    at("edit").setAttribute("aria-pressed", String(this.editing));
  }

  get text() {
    return this.editing ? this.field.value : this.ran ? pretty(this.ran.tree, this.ran.steps) : "";
  }

  typed() {
    this.drawText();
    this.values.classList.add("stale");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.host.run(this.field.value), PAUSE);
    this.complete();
  }

  drawText() {
    this.paint.replaceChildren(...colored(tokens(this.field.value)), "\n");
    this.field.rows = this.field.value.split("\n").length;
  }

  drawValues() {
    const places = placed(this.field.value, this.ran.tree);
    const rows = this.field.value.split("\n").map((_, index) => {
      const node = places[index]?.find((one) => !isConstant(one, this.ran.steps));
      const found = node && node.step !== null ? this.host.result(this.ran.steps[node.step]) : null;
      return html("li", {}, found ? chip(found.text, found.kind) : null);
    });
    this.values.replaceChildren(...rows);
    this.values.classList.remove("stale");
  }

  wrong(message) {
    // The server shows the text with a caret below; here the spot is marked in the text itself.
    const column = Number(/\^ column (\d+)\.?\s*$/.exec(message ?? "")?.[1] ?? 0);
    this.fault.textContent = message ? message.split("\n")[0] : "";
    this.fault.hidden = !message;
    this.field.setAttribute("aria-invalid", String(Boolean(message)));
    if (!message) return;
    this.values.classList.add("stale");
    if (!column) return;
    const source = this.field.value;
    const spot = Math.min(column - 1, source.length);
    const all = tokens(source);
    const index = all.findIndex((one) => one.at + one.text.length > spot);
    const spans = colored(all);
    if (index >= 0 && all[index].kind !== "space") spans[index].classList.add("bad");
    else spans.splice(index < 0 ? spans.length : index, 0, html("span", { class: "bad end" }, " "));
    this.paint.replaceChildren(...spans, "\n");
  }

  // -- completion -----------------------------------------------------------------------------------------------------

  async complete(always = false) {
    const asking = (this.asking = {});
    const caret = this.field.selectionStart;
    const before = this.field.value.slice(0, caret);
    if (!always && !/[\p{L}\p{N}_"([' \]]$/u.test(before)) return this.offer([]);
    try {
      const { start, names } = await ask("complete", { program: before, ...this.host.sent() });
      if (asking !== this.asking || document.activeElement !== this.field) return;
      const begun = before.slice(start).toLowerCase();
      const fitting = names.filter((one) => one.text.toLowerCase().includes(begun) && one.text.toLowerCase() !== begun);
      fitting.sort((a, b) => Number(b.text.toLowerCase().startsWith(begun)) - Number(a.text.toLowerCase().startsWith(begun)));
      this.offer(begun || always || before.endsWith("(") ? fitting.slice(0, SHOWN) : [], start);
    } catch {
      this.offer([]); // who types goes on without
    }
  }

  offer(names, start = 0) {
    this.offered = names;
    this.start = start;
    this.list.hidden = !names.length;
    this.list.replaceChildren(...names.map((one, index) =>
      html("li", { role: "option", id: `offer-${index}`, "aria-selected": "false", onmousedown: (event) => { event.preventDefault(); this.choose(index); } },
        html("span", {}, one.text), html("em", {}, one.type))));
    this.pick(names.length && start < this.field.selectionStart ? 0 : -1); // Enter takes it once a letter was typed
    if (!names.length) return;
    const before = this.field.value.slice(0, start).split("\n");
    this.list.style.setProperty("--row", before.length);
    this.list.style.setProperty("--column", before.at(-1).length);
  }

  pick(index) {
    this.picked = index;
    [...this.list.children].forEach((one, number) => one.setAttribute("aria-selected", String(number === index)));
    if (index >= 0) this.field.setAttribute("aria-activedescendant", `offer-${index}`);
    else this.field.removeAttribute("aria-activedescendant");
  }

  choose(index) {
    const name = this.offered[index].text;
    const takes = this.offered[index].type.startsWith("<") && !/^<Set\[Object\]:Set/.test(this.offered[index].type);
    const isOpen = this.field.value[this.field.selectionStart] === "(";
    this.field.setRangeText(takes && !isOpen ? `${name}(` : name, this.start, this.field.selectionStart, "end");
    this.offer([]);
    this.typed();
  }

  key(event) {
    const count = this.offered.length;
    if (count && ["ArrowDown", "ArrowUp"].includes(event.key)) {
      this.pick(event.key === "ArrowDown" ? (this.picked + 1) % count : (Math.max(this.picked, 0) + count - 1) % count);
    } else if (this.picked >= 0 && count && ["Enter", "Tab"].includes(event.key)) this.choose(this.picked);
    else if (event.key === "Escape") {
      if (count) this.offer([]);
      else this.close();
    } else if (event.key === " " && event.ctrlKey) this.complete(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.host.say("Copied.");
    } catch {
      this.host.say("The browser did not let the page copy; select the text and copy it.", true);
    }
  }
}
