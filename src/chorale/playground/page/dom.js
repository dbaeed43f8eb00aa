// Elements, and the few words that all parts of the page share.

export const at = (id) => document.getElementById(id);

export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const percent = (share) =>
  share === 1 ? "100 %" : share > 0.999 ? "over 99.9 %" : share > 0 && share < 0.001 ? "under 0.1 %" : `${(100 * share).toFixed(1)} %`;

export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?)]$/.test(text) ? "" : ".");

export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// True and false have a colour each, and so have yes and no.
export const kindOf = (text) => ({ true: "true", yes: "true", false: "false", no: "false" })[text] ?? "some";

export const chip = (text, kind = kindOf(text)) => html("span", { class: `chip ${kind}` }, text);

export function roving(holder, selector, { keys = ["ArrowUp", "ArrowDown"], enter = null } = {}) {
  // One of many can be reached with Tab, the others from there with arrow keys; Esc leaves.
  const all = () => [...holder.querySelectorAll(selector)];
  holder.addEventListener("keydown", (event) => {
    const some = all();
    const here = some.indexOf(event.target.closest(selector));
    if (here < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { [keys[0]]: here - 1, [keys[1]]: here + 1, Home: 0, End: some.length - 1 }[event.key];
    if (event.key === "Escape") event.target.blur();
    else if (event.key === "Enter" && enter) enter(some[here]);
    else if (to === undefined) return;
    else some[Math.min(Math.max(to, 0), some.length - 1)].focus();
    event.preventDefault();
  });
  holder.addEventListener("focusin", (event) => {
    const one = event.target.closest(selector);
    if (one) for (const other of all()) other.tabIndex = other === one ? 0 : -1;
  });
  return () => all().forEach((one, index) => { one.tabIndex = index === 0 ? 0 : -1; });
}
