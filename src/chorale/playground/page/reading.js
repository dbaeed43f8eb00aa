// A reading: the program as a tree, its steps, the words that ask for it, and the other readings of the sentence.

export { sentence } from "./api.js";

export function html(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

export function code(text) {
  // A program that may break after its brackets and commas.
  const made = html("span", { class: "code" });
  for (const piece of text.split(/(?<=[(,])/)) made.append(piece, html("wbr"));
  return made;
}

const counted = (count, one, many) => `${count || "no"} ${count === 1 ? one : many}`;

export function result(step) {
  if (!step) return null;
  if (step.objects) return { text: counted(step.objects.length, "object", "objects"), kind: "some" };
  if (step.boxes) return { text: counted(step.boxes.length, "box", "boxes"), kind: "some" };
  return { text: String(step.value), kind: kindOf(step.value) };
}

// True and false have a colour each.
export const kindOf = (text) => (text === "true" || text === "false" ? text : "some");

const chip = (found) => (found ? html("span", { class: `chip ${found.kind}` }, found.text) : null);

export const percent = (share) =>
  share > 0.999 && share < 1 ? "over 99.9 %" : share > 0 && share < 0.001 ? "under 0.1 %" : `${(100 * share).toFixed(1)} %`;

// A number, a colour or the like that a function is given stands beside its name: it has no value but itself. Which parts
// have one is known only where the program was run.
const isConstant = (node, steps) =>
  !node.children.length && steps.length && (node.step === null ? !/<|Set|bool/.test(node.type) : isItself(steps[node.step], node.name));
const isItself = (step, name) => step.value === name;

export function tree(node, steps, { show, hide }) {
  const step = node.step === null ? null : steps[node.step];
  const given = node.children.filter((child) => isConstant(child, steps));
  const words = [node, ...given].flatMap((one) => one.words);
  const light = () => show(step, words);
  const part = html(
    "button",
    {
      type: "button", class: "part", title: step?.plain || node.text, "data-words": words.join(" "),
      onmouseenter: light, onmouseleave: hide, onfocus: light, onblur: hide, onclick: light,
    },
    html("span", { class: "name" }, [node, ...given].map((one) => one.name.replaceAll("_", " ")).join(" ")),
    chip(result(step)),
  );
  const below = node.children.filter((child) => !given.includes(child)).map((child) => tree(child, steps, { show, hide }));
  return html("li", {}, part, below.length ? html("ul", {}, ...below) : null);
}

export function words(texts, { show, hide }) {
  return texts.map((text, index) =>
    html("span", { class: "word", "data-word": index, onmouseenter: () => show(index), onmouseleave: hide }, text),
  );
}

export function stepwise(steps, still, { show, hide }) {
  // `still` gives a small picture of what a step returned, or null.
  return steps.filter((step) => !isItself(step, step.text)).map((step) => {
    const found = result(step);
    const [asked, text] = /^([a-z ]+): (.*)$/s.exec(step.plain || step.text)?.slice(1) ?? [null, step.plain || step.text];
    return html(
      "li",
      { onmouseenter: () => show(step, []), onmouseleave: hide },
      html("p", { title: step.text }, asked ? html("em", {}, `${asked} `) : null, step.plain ? text : code(text)),
      still(step),
      chip(found),
    );
  });
}

export function readings(parses, chosen, { choose, differ, aWord }) {
  return parses.map((one, index) => {
    const said = one.answer === null ? null : chip({ text: one.answer_text, kind: kindOf(one.answer_text) });
    const bar = html("span", { class: "bar", "aria-hidden": "true" }, html("i"));
    bar.firstChild.style.width = `${100 * one.probability}%`;
    return html(
      "div",
      { class: index === chosen ? "reading chosen" : "reading" },
      html(
        "label",
        {},
        html("input", {
          type: "radio", name: "reading", value: index, checked: index === chosen, onchange: () => choose(index),
        }),
        html(
          "span",
          { class: "text" },
          one.plain ? html("span", {}, one.plain) : code(one.program),
          html("span", { class: "share" }, bar, html("span", {}, percent(one.probability)), said),
        ),
      ),
      index === chosen || differ === null
        ? null
        : html("button", { type: "button", class: "quiet", onclick: () => differ(index) },
            `Show ${aWord} where this differs`),
    );
  });
}

export function attention(found, texts) {
  const head = html("tr", {}, html("th", { scope: "col" }, "action"),
    ...texts.map((text) => html("th", { scope: "col" }, text)));
  const rows = found.actions.map((action, row) =>
    html("tr", {}, html("th", { scope: "row" }, code(action)),
      ...found.weights[row].map((weight) => {
        const cell = html("td", {}, weight >= 0.1 ? weight.toFixed(1).replace(/^0/, "") : "");
        cell.style.setProperty("--weight", weight);
        return cell;
      })),
  );
  return html("table", {}, html("thead", {}, head), html("tbody", {}, ...rows));
}
