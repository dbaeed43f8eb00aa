// The trust meter: how likely it is that the sentence was understood, and on request what decided.

import { ask } from "./api.js";
import { at, html, percent } from "./dom.js";

export const ENOUGH = 0.5; // below it there is no answer

export class Trust {
  constructor({ sent }) {
    this.sent = sent; // what to ask an explanation with
    this.loose = [];
    at("why").addEventListener("click", () => (at("reasons").hidden ? this.open() : this.close()));
    at("meter").lastChild.style.left = `${100 * ENOUGH}%`;
  }

  show(confidence, told) {
    at("trust").hidden = confidence === null;
    if (confidence === null) return;
    const isEnough = confidence >= ENOUGH;
    at("meter").firstChild.style.width = `${100 * confidence}%`;
    at("meter").setAttribute("aria-valuenow", String(Math.round(100 * confidence)));
    at("meter").setAttribute("aria-valuetext", `${percent(confidence)}, ${isEnough ? "enough to answer" : "not enough to answer"}`);
    at("trust").dataset.enough = String(isEnough);
    at("sure").textContent = told;
  }

  reasons(loose) {
    this.loose = loose;
    this.asked = null;
    if (!at("reasons").hidden) this.open();
  }

  close() {
    at("reasons").hidden = true;
    at("why").setAttribute("aria-expanded", "false");
  }

  async open() {
    at("reasons").hidden = false;
    at("why").setAttribute("aria-expanded", "true");
    const general = this.loose.length ? html("ul", { class: "loose" }, this.loose.map((it) => html("li", {}, it.text))) : null;
    const body = html("div", { class: "weights", "aria-busy": "true" }, html("p", { class: "faint" }, "Asking what decided …"));
    at("reasons").replaceChildren(...[general, body].filter(Boolean));
    const asking = (this.asked = {});
    try {
      const found = await ask("explain", this.sent());
      if (asking !== this.asked) return;
      body.replaceChildren(...weights("What speaks for it and against it", found.weights), ...(found.rival && found.decided.length
        ? weights(`What decided against “${found.rival.plain ?? found.rival.program}”`, found.decided) : []));
      if (!body.children.length) body.append(html("p", { class: "faint" }, "This parser has no weights to show."));
    } catch (error) {
      if (asking === this.asked) body.replaceChildren(html("p", { class: "faint" }, error.message));
    }
    body.removeAttribute("aria-busy");
  }
}

function weights(title, all) {
  if (!all.length) return [];
  const most = Math.max(...all.map((it) => Math.abs(it.weight)));
  return [html("h3", {}, title), html("ol", {}, all.slice(0, 6).map((it) => {
    const bar = html("i", { class: it.weight < 0 ? "against" : "for", "aria-hidden": "true" });
    bar.style.setProperty("--share", Math.abs(it.weight) / most);
    return html("li", {}, html("b", {}, `${it.weight < 0 ? "−" : "+"}${Math.abs(it.weight).toFixed(1)}`), bar, html("span", {}, it.part));
  }))];
}
