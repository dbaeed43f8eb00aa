// The examples as a story: cards from easy to broken, each with what there is to see.

import { at, html, roving } from "./dom.js";

export function tell(stage, choose) {
  const { examples } = stage;
  at("story").hidden = !examples.length;
  at("story-title").textContent = stage.storyTitle ?? "Examples";
  at("cards").replaceChildren(...examples.map((example, index) => {
    const picture = example.context ? (stage.card?.(example.context) ?? stage.still(example.context, null)) : null;
    return html("button", { type: "button", class: "card", "data-index": index, onclick: () => choose(example, index) },
      picture, example.title ? html("b", {}, example.title) : null, html("span", {}, example.sentence));
  }));
  roving(at("cards"), ".card", { keys: ["ArrowLeft", "ArrowRight"], enter: (card) => card.click() })();
}

export function mark(index) {
  for (const card of at("cards").children) card.setAttribute("aria-current", String(Number(card.dataset.index) === index));
}
