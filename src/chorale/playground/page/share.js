// Take it with you: a link, a page of its own, and the same question for the shell and for Python.

import { ask } from "./api.js";
import { at, html } from "./dom.js";

const MOST_MARKS = 12_000; // letters of an address
const shell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const python = (value) => JSON.stringify(value).replaceAll("true", "True").replaceAll("false", "False").replaceAll("null", "None");

export class Share {
  constructor({ about, state, say, keepLink, marks, taught, stage }) {
    Object.assign(this, { about, state, say, keepLink, marks, taught, stage });
    at("share").addEventListener("click", () => this.open(at("sharing").hidden));
    at("sharing").addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.open(false, true);
    });
    addEventListener("click", (event) => {
      if (!event.target.closest(".menu")) this.open(false);
    });
  }

  open(isOpen, focus = false) {
    if (isOpen === !at("sharing").hidden) return;
    at("sharing").hidden = !isOpen;
    at("share").setAttribute("aria-expanded", String(isOpen));
    if (focus) at("share").focus();
    if (!isOpen) return;
    const { sentence, scene } = this.state();
    const own = this.stage.commands?.({ sentence, model: this.about.model, shell, python });
    const forms = { curl: this.curl(sentence, scene), ...(own ?? { Python: this.python(sentence, scene), "Command line": this.command(sentence) }) };
    at("sharing").replaceChildren(
      html("div", { class: "group" },
        html("button", { type: "button", id: "link", onclick: () => this.link() }, "Copy link"),
        html("button", { type: "button", id: "keep-page", onclick: () => this.page() }, "Save as a page"),
        scene === null ? null : html("button", { type: "button", onclick: () => this.keep(scene) }, `Save the ${this.about.context_word}`)),
      html("p", { class: "faint" }, "The same question from elsewhere:"),
      ...Object.entries(forms).map(([name, text]) => html("details", { name: "form" }, html("summary", {}, name),
        html("pre", { tabindex: 0 }, text), html("button", { type: "button", class: "quiet", onclick: () => this.copy(text, name) }, "Copy"))));
    at("link").focus();
  }

  keep(scene) {
    const file = this.stage.saved?.(this.stage.context) ?? { text: JSON.stringify(scene, null, 1), name: `${this.about.context_word}.json`, type: "application/json" };
    save(file.text, file.name, file.type);
  }

  curl(sentence, scene) {
    return `curl ${location.origin}/api/parse -H 'Content-Type: application/json' \\\n  -d ${shell(JSON.stringify({ sentence, scene }))}`;
  }

  python(sentence, scene) {
    const context = scene === null ? "" : `, context`;
    return `import chorale\n\nmodel = chorale.load(${python(this.about.model)})\n${scene === null ? "" : `context = model.domain.codec.from_json(${python(scene)})\n`}answered = model.answer(${python(sentence)}${context})\nprint(answered.answer, answered.confidence)\nprint(answered.readings[0].program)`;
  }

  command(sentence) {
    const word = this.about.context_word;
    return `chorale parse ${shell(sentence)} --context ${word}.json --model ${shell(this.about.model)}\n# ${word}.json: “Save the ${word}” above`;
  }

  async copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      this.say(`${what} was copied.`);
    } catch {
      this.say("The browser did not let the page copy; select the text and copy it.", true);
    }
    this.open(false, true);
  }

  async link() {
    this.keepLink();
    if (this.stage.linkNote) return this.say(this.stage.linkNote, true);
    const taught = this.taught();
    const marks = taught ? `&${new URLSearchParams({ m: taught })}` : "";
    const fits = marks.length <= MOST_MARKS;
    const more = !taught ? "" : fits ? " Your marks go along." : " Your marks are too many for a link: export them.";
    const link = location.href + (fits ? marks : "");
    try {
      await navigator.clipboard.writeText(link);
      this.say(`The link was copied. It opens this sentence with this ${this.about.context_word}.${more}`);
    } catch {
      this.say(`The browser did not let the page copy the link: ${link}`);
    }
    this.open(false, true);
  }

  async page() {
    const { sentence, scene, program } = this.state();
    this.open(false, true);
    if (!sentence) return this.say("Write a sentence first.", true);
    try {
      const { page } = await ask("explain", { sentence, scene, program, marks: this.marks(), page: true });
      save(page, "answer.html", "text/html");
      this.say("answer.html holds the answer and why; it needs no network.");
    } catch (error) {
      this.say(error.message, true);
    }
  }
}

export function save(text, name, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
