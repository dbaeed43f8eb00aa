// What else the sentence may mean, and where two readings differ.

import { at, chip, html, kindOf, percent } from "./dom.js";

const FEW = 2; // readings that are shown, however unlikely the second is
const UNLIKELY = 0.01; // the others stand behind a click if they are less likely

export function readings(parses, chosen, does) {
  const all = rows(parses, chosen, does);
  const shown = parses.findLastIndex((one, index) => index < FEW || index === chosen || one.probability >= UNLIKELY) + 1;
  const rest = all.splice(shown);
  return rest.length ? [...all, html("details", { class: "unlikely" }, html("summary", {}, `${rest.length} more, each under 1 %`), rest)] : all;
}

function rows(parses, chosen, { choose, differ, mean }) {
  return parses.map((one, index) => {
    const bar = html("span", { class: "share-bar", "aria-hidden": "true" }, html("i"));
    bar.firstChild.style.width = `${100 * one.probability}%`;
    const isChosen = index === chosen;
    return html("div", { class: isChosen ? "reading chosen" : "reading" },
      html("label", {},
        html("input", { type: "radio", name: "reading", value: index, checked: isChosen, onchange: () => choose(index) }),
        html("span", { class: "text" },
          html("span", { class: one.plain ? "said" : "said code" }, one.plain ?? one.program),
          html("span", { class: "share" }, bar, html("span", {}, percent(one.probability)),
            one.answer === null ? null : chip(one.answer_text, kindOf(one.answer_text))))),
      isChosen ? null : html("div", { class: "choices" },
        differ && html("button", { type: "button", class: "link", onclick: () => differ(index) }, "Where do they differ?"),
        mean && html("button", { type: "button", class: "link", onclick: () => mean(index) }, "I meant this one")));
  });
}

export function apart(found, stage, index, { told, leave, show }) {
  // Two readings and a context of which they say different things, side by side.
  const context = stage.fromJson(found.scene);
  const side = (name, one, text) => html("div", { class: "side" },
    html("h3", {}, name), html("p", { class: one.plain ? "said" : "said code" }, one.plain ?? one.program), chip(text, kindOf(text)));
  const [first, second] = found.answer_texts;
  at("readings").querySelectorAll(".reading")[index]?.append(at("apart"));
  at("apart").hidden = false;
  at("apart").replaceChildren(
    html("p", { class: "told", role: "status" }, told),
    html("div", { class: "still" }, stage.still(context, null)),
    html("div", { class: "sides" }, side("The chosen one", found.one, first), side("The other", found.other, second)),
    html("div", { class: "group" },
      found.changes === 0 ? null : html("button", { type: "button", id: "show-apart", onclick: () => show(found.scene) }, "Put it on the stage"),
      html("button", { type: "button", class: "quiet", onclick: leave }, "Close")));
  at("apart").scrollIntoView({ block: "nearest" });
}

export function stepwise(steps, stage, context, { over, rest, result }) {
  return steps.filter((step) => step.value !== step.text).map((step) => {
    const found = result(step);
    const [asked, text] = /^([a-z ]+): (.*)$/s.exec(step.plain || step.text)?.slice(1) ?? [null, step.plain || step.text];
    return html("li", { onmouseenter: () => over(step), onmouseleave: rest },
      html("p", { title: step.text }, asked ? html("em", {}, `${asked} `) : null, step.plain ? text : html("code", {}, text)),
      stage.still(context, step), found ? chip(found.text, found.kind) : null);
  });
}

export function attention(found, texts) {
  const head = html("tr", {}, html("th", { scope: "col" }, "action"), texts.map((text) => html("th", { scope: "col" }, text)));
  const rows = found.actions.map((action, row) =>
    html("tr", {}, html("th", { scope: "row" }, action), found.weights[row].map((weight) => {
      const cell = html("td", {}, weight >= 0.1 ? weight.toFixed(1).replace(/^0/, "") : "");
      cell.style.setProperty("--weight", weight);
      return cell;
    })));
  return html("table", {}, html("thead", {}, head), html("tbody", {}, rows));
}
