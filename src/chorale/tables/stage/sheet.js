// The table itself: a grid whose cells are reached with arrow keys and changed with Enter. Cell text is only ever text.

import { html } from "../dom.js";

const WAYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const FIGURES = ["number", "year"];

export class Sheet {
  constructor({ change, sort, remove, over, rest }) {
    Object.assign(this, { change, sort, remove, over, rest });
    this.head = html("thead");
    this.body = html("tbody");
    this.table = html("table", { class: "grid", role: "grid", "aria-describedby": "sheet-help" }, this.head, this.body);
    this.rail = html("div", { class: "rail", "aria-hidden": "true" });
    this.scroller = html("div", { class: "scroller" }, this.table);
    this.element = html("div", { class: "frame" }, this.scroller, this.rail);
    this.listen();
  }

  listen() {
    const { table } = this;
    const placeOf = (event) => {
      const cell = event.target.closest("td, tbody th");
      return cell && { row: cell.parentNode.rowIndex - 1, column: cell.cellIndex - 1 };
    };
    table.addEventListener("mouseover", (event) => {
      const place = placeOf(event);
      if (place) this.over(place);
    });
    table.addEventListener("mouseleave", () => this.rest());
    table.addEventListener("focusin", (event) => {
      const cell = event.target.closest("td, th");
      if (!cell) return;
      this.reach(cell);
      if (cell.matches(":focus-visible") && placeOf(event)) this.over(placeOf(event));
    });
    table.addEventListener("focusout", () => this.rest());
    table.addEventListener("dblclick", (event) => {
      if (event.target.closest("td")) this.edit(event.target.closest("td"));
    });
    table.addEventListener("click", (event) => {
      const button = event.target.closest("thead button");
      if (button) this.sort(button.parentNode.cellIndex - 1);
      else event.target.closest("td, tbody th")?.focus();
    });
    table.addEventListener("keydown", (event) => this.pressed(event));
  }

  pressed(event) {
    const cell = event.target.closest("td, th");
    if (!cell || event.target.matches("input") || event.ctrlKey || event.metaKey || event.altKey) return;
    const row = cell.parentNode.rowIndex;
    if (WAYS[event.key]) this.go(row + WAYS[event.key][0], cell.cellIndex + WAYS[event.key][1]);
    else if (event.key === "Home") this.go(row, 0);
    else if (event.key === "End") this.go(row, this.table.rows[0].cells.length - 1);
    else if (event.key === "PageDown" || event.key === "PageUp") this.go(row + (event.key === "PageUp" ? -10 : 10), cell.cellIndex);
    else if ((event.key === "Enter" || event.key === "F2") && row > 0 && cell.cellIndex > 0) this.edit(cell);
    else if (event.key === "Enter" && row === 0 && cell.cellIndex > 0) this.sort(cell.cellIndex - 1);
    else if (event.key === "Delete" && row > 0 && cell.cellIndex === 0) this.remove(row - 1);
    else if (event.key === "Escape") (event.target.closest("button") ?? cell).blur();
    else return;
    event.preventDefault();
  }

  go(row, column) {
    const { rows } = this.table;
    const line = rows[Math.min(Math.max(row, 0), rows.length - 1)];
    this.focusOn(line.cells[Math.min(Math.max(column, 0), line.cells.length - 1)]);
  }

  focusOn(cell) {
    (cell.querySelector("button") ?? cell).focus();
  }

  reach(cell) {
    // One cell is reached with Tab, the others from there.
    const field = (one) => one.querySelector("button") ?? one;
    if (this.reached) field(this.reached).tabIndex = -1;
    this.reached = cell;
    field(cell).tabIndex = 0;
  }

  edit(cell) {
    const before = cell.textContent;
    const place = { row: cell.parentNode.rowIndex - 1, column: cell.cellIndex - 1 };
    const input = html("input", { type: "text", class: "typed", "aria-label": "Cell", maxlength: 1000, spellcheck: "false" });
    input.value = before;
    let isDone = false;
    const done = (isKept) => {
      if (isDone) return;
      isDone = true;
      const text = input.value;
      cell.replaceChildren(before);
      cell.focus();
      if (isKept && text !== before) this.change(place, text);
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "Escape") {
        event.preventDefault();
        event.stopPropagation();
        done(event.key === "Enter");
      }
    });
    input.addEventListener("blur", () => done(true));
    cell.replaceChildren(input);
    input.focus();
    input.select();
  }

  // -- drawing --------------------------------------------------------------------------------------------------------

  draw(json, facts, name) {
    this.table.setAttribute("aria-label", `Table ${name}`);
    this.table.setAttribute("aria-rowcount", json.rows.length + 1);
    const focused = this.table.contains(document.activeElement) ? document.activeElement.closest("td, th") : null;
    const place = focused && [focused.parentNode.rowIndex, focused.cellIndex];
    const isFigure = (column) => FIGURES.includes(facts?.columns[column]?.type);
    const corner = html("th", { class: "number", tabindex: -1 }, html("span", { class: "hidden" }, "Row"));
    this.head.replaceChildren(html("tr", {}, corner, json.header.map((text, column) =>
      html("th", { scope: "col", class: isFigure(column) ? "figure" : null },
        html("button", { type: "button", tabindex: -1, title: "Sort" }, text || `column ${column + 1}`)))));
    this.body.replaceChildren(...json.rows.map((row, index) => html("tr", {},
      html("th", { scope: "row", class: "number", tabindex: -1 }, String(index + 1)),
      row.map((text, column) => html("td", { tabindex: -1, class: isFigure(column) ? "figure" : null }, text)))));
    this.reached = null;
    if (json.rows.length) this.reach(this.body.rows[0].cells[Math.min(1, this.body.rows[0].cells.length - 1)]);
    if (place) this.go(...place);
  }

  figures(facts) {
    // Types came later than the cells.
    facts.columns.forEach(({ type }, column) => {
      if (FIGURES.includes(type)) for (const row of this.table.rows) row.cells[column + 1]?.classList.add("figure");
    });
  }

  // -- lights ---------------------------------------------------------------------------------------------------------

  clear() {
    for (const one of this.table.querySelectorAll(".on, .other, .at")) one.classList.remove("on", "other", "at");
    this.rail.replaceChildren();
  }

  light(groups, columns, { isResting = false } = {}) {
    this.clear();
    this.table.classList.toggle("lit", !isResting);
    this.table.classList.toggle("resting", isResting);
    const rows = [...this.body.rows];
    groups.forEach((group, number) => {
      for (const row of group) {
        rows[row]?.classList.add("on", ...(number ? ["other"] : []));
        for (const column of columns) rows[row]?.cells[column + 1]?.classList.add("at");
      }
    });
    const all = groups.flat();
    if (rows.length > 12) this.ticks(all, rows.length);
    if (!isResting && all.length) this.show(all, rows);
  }

  dark() {
    this.clear();
    this.table.classList.remove("lit", "resting");
  }

  column(index) {
    this.dark();
    if (index === null) return;
    for (const row of this.table.rows) row.cells[index + 1]?.classList.add("at");
  }

  ticks(all, count) {
    this.rail.replaceChildren(...all.slice(0, 400).map((row) => {
      const tick = html("i");
      tick.style.top = `${(100 * row) / count}%`;
      return tick;
    }));
  }

  show(all, rows) {
    // If none of what is lit can be seen, scroll to the first of it.
    const top = this.scroller.scrollTop + this.head.offsetHeight;
    const bottom = this.scroller.scrollTop + this.scroller.clientHeight;
    const isSeen = (row) => rows[row] && rows[row].offsetTop >= top - 4 && rows[row].offsetTop + rows[row].offsetHeight <= bottom + 4;
    if (all.some(isSeen) || !rows[all[0]]) return;
    this.scroller.scrollTop = rows[all[0]].offsetTop - this.head.offsetHeight - 8;
  }

  changed(before, after) {
    // What another table has elsewhere.
    for (const [index, row] of [...this.body.rows].entries()) {
      [...row.cells].slice(1).forEach((cell, column) => {
        const was = before.rows[index]?.[column];
        if (was === undefined || was === after.rows[index][column]) return;
        cell.classList.add("changed");
        cell.title = `was: ${was}`;
      });
    }
  }

  hinges(parts) {
    for (const one of this.table.querySelectorAll(".hinge")) one.classList.remove("hinge");
    for (const { place } of parts) this.body.rows[place]?.classList.add("hinge");
  }
}

export function small(json, { groups = [], columns = [], most = 4, wide = 3 } = {}) {
  // A few rows and columns of a table: those that were found, else the first.
  const found = groups.flat().filter((row) => row < json.rows.length);
  const rows = [...new Set([...found, ...json.rows.keys()])].slice(0, groups.length ? Math.min(Math.max(found.length, 1), most) : most).sort((a, b) => a - b);
  const shown = [...new Set([...columns, ...json.header.keys()])].slice(0, wide).sort((a, b) => a - b);
  const line = (row) => html("tr", { class: groups.some((group) => group.includes(row)) ? "on" : null },
    shown.map((column) => html("td", { class: columns.includes(column) && found.includes(row) ? "at" : null }, json.rows[row][column])));
  const left = (groups.length ? found.length : json.rows.length) - rows.length;
  return html("div", { class: "small-sheet" },
    html("table", {}, html("thead", {}, html("tr", {}, shown.map((column) => html("th", {}, json.header[column])))), html("tbody", {}, rows.map(line))),
    left > 0 ? html("span", {}, `${left} more`) : null);
}
