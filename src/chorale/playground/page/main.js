// The page: one state, drawn after every change; the server is asked about it a moment later.

import { ask } from "./api.js";
import { EXAMPLES } from "./examples.js";
import { Picture, lightUp } from "./picture.js";
import * as reading from "./reading.js";
import * as scene from "./scene.js";
import { Teaching } from "./teaching.js";

const PAUSE = { typed: 220, moved: 90 }; // milliseconds of rest before the server is asked
const MOST_UNDONE = 100;
const MOST_BYTES = 100_000; // of a picture

const at = (id) => document.getElementById(id);
const state = {
  sentence: "", boxes: [[], [], []], towers: true, chosen: 0, selected: null,
  look: { color: "black", shape: "square", size: 20 },
  found: null, // what the server said last
};
const undone = [];
let dragged = false;
let asking = null;
let timer = 0;
const about = ask("about").catch(() => null).then((found) => {
  if (found) teaching.begin(found);
  return found;
});

// -- changes -----------------------------------------------------------------------------------------------------------

function change(boxes, { selected = state.selected, towers = state.towers, remember = true } = {}) {
  if (!boxes) return say("There is no room for that.");
  if (remember) {
    undone.push({ boxes: state.boxes, towers: state.towers });
    if (undone.length > MOST_UNDONE) undone.shift();
  }
  Object.assign(state, { boxes, towers, selected: scene.find(boxes, selected) ? selected : null });
  say("");
  draw();
  wait(PAUSE.moved);
}

function select(id) {
  state.selected = id;
  const found = id === null ? null : scene.find(state.boxes, id);
  if (found) state.look = { color: found.thing.color, shape: found.thing.shape, size: found.thing.size };
  draw();
}

function restyle(look) {
  Object.assign(state.look, look);
  if (state.selected === null) return draw();
  change(scene.alter(state.boxes, state.selected, look));
}

function erase(id) {
  const order = state.boxes.flat().map((thing) => thing.id);
  const next = order[order.indexOf(id) + 1] ?? order[order.indexOf(id) - 1] ?? null;
  change(scene.remove(state.boxes, id, state.towers), { selected: next });
  picture.focus(next);
}

const next = (value, values) => values[(values.indexOf(value) + 1) % values.length];

function key(id, event) {
  const { box, thing } = scene.find(state.boxes, id);
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (pressed === "Delete" || pressed === "Backspace") return erase(id), true;
  if (pressed === "c") return restyle({ color: next(thing.color, scene.COLORS) }), true;
  if (!state.towers && pressed === "s") return restyle({ shape: next(thing.shape, scene.SHAPES) }), true;
  if (!state.towers && pressed === "z") return restyle({ size: next(thing.size, scene.SIZES) }), true;
  const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[pressed] ?? [0, 0];
  if (!x && !y) return false;
  if (state.towers) {
    const target = box + x;
    if (target < 0 || target > 2) return true;
    change(scene.move(state.boxes, id, target, 0, x ? 0 : thing.y + 21 * y, true));
    return true;
  }
  const step = event.shiftKey ? 10 : 1;
  const left = thing.x + step * x;
  // Beyond a wall lies the next box.
  if (x && thing.x === (x < 0 ? 0 : scene.SIDE - thing.size) && box + x >= 0 && box + x <= 2) {
    change(scene.move(state.boxes, id, box + x, x < 0 ? scene.SIDE : 0, thing.y, false));
  } else change(scene.move(state.boxes, id, box, left, thing.y + step * y, false) ?? state.boxes);
  return true;
}

const picture = new Picture(at("picture"), {
  onSelect: select,
  onMove(id, box, x, y) {
    const moved = scene.move(state.boxes, id, box, x, y, state.towers);
    if (!moved || scene.encode(moved) === scene.encode(state.boxes)) return;
    change(moved, { remember: !dragged });
    dragged = true;
  },
  onDrop() {
    dragged = false;
  },
  onKey: key,
});

const teaching = new Teaching({ say, onMarks: draw, onModel: () => parse() });

// -- asking ------------------------------------------------------------------------------------------------------------

function wait(pause) {
  clearTimeout(timer);
  timer = setTimeout(parse, pause);
}

async function parse() {
  keepLink();
  asking?.abort();
  const sentence = state.sentence.trim();
  if (!sentence) {
    state.found = null;
    return show();
  }
  asking = new AbortController();
  document.body.classList.add("waiting");
  try {
    const { boxes } = state;
    const { signal } = asking;
    await about; // says whether the model can be taught
    const isTaught = teaching.can && teaching.isUsed;
    const marks = isTaught ? teaching.lesson : [];
    const found = await ask("parse", { sentence, scene: scene.toJson(boxes), marks }, signal);
    Object.assign(state, { found, asked: boxes, said: sentence, isTaught });
    state.chosen = Math.min(state.chosen, Math.max(found.parses.length - 1, 0));
    show();
  } catch (error) {
    if (error.name === "AbortError") return;
    state.found = null;
    show();
    say(error.message, true);
  }
  document.body.classList.remove("waiting");
}

async function pictured(work) {
  // Something that gives another picture; meanwhile nothing else can be asked for.
  document.body.classList.add("waiting");
  try {
    await work();
  } catch (error) {
    say(error.message, true);
  }
  document.body.classList.remove("waiting");
}

function take(rep, told) {
  const boxes = scene.fromJson(rep, state.boxes);
  const towers = scene.looksLikeTowers(boxes);
  change(towers ? scene.fromBase(boxes) : boxes, { towers, selected: null });
  say(told);
}

const times = (count) => (count === 1 ? "one small change" : `${count} small changes`);

const make = (answer) =>
  pictured(async () => {
    const program = state.found.parses[state.chosen].program;
    const found = await ask("change", { program, scene: scene.toJson(state.boxes), answer });
    const seen = found.looked_at.toLocaleString("en");
    if (!found.scene) return say(`No picture was found of which this is ${answer}; ${seen} were looked at.`);
    take(found.scene, found.changes === null
      ? `No few changes make it ${answer}, so here is an invented picture. Undo brings yours back.`
      : `It took ${times(found.changes)}. Undo brings your picture back.`);
  });

const differ = (index) =>
  pictured(async () => {
    const [one, other] = [state.found.parses[state.chosen], state.found.parses[index]];
    const found = await ask("distinguish", {
      one: one.program, other: other.program, scene: scene.toJson(state.boxes),
    });
    const seen = found.looked_at.toLocaleString("en");
    if (!found.scene) return say(`They say the same of all ${seen} pictures that were looked at.`);
    const how = found.changes === 0 ? "They differ on this very picture"
      : found.changes === null ? "Here is an invented picture" : "One small change is enough";
    take(found.scene, `${how}: the chosen reading says ${found.answers[0]}, the other ${found.answers[1]}.`);
  });

// An answer can be marked as long as it belongs to what is on the page.
const isFresh = () => state.found && state.asked === state.boxes && state.said === state.sentence.trim();

function judge() {
  const mark = isFresh() ? teaching.find(state.said, state.asked) : null;
  at("right").disabled = at("wrong").disabled = !isFresh();
  at("judged").textContent = mark ? `Marked: it is ${mark.answer} of this picture.` : "";
}

function mark(isRight) {
  const shown = state.chosen === 0 ? state.found.answer : state.found.parses[state.chosen].answer;
  teaching.mark(state.said, state.asked, shown === null ? isRight : shown === isRight);
}

function upload(file) {
  if (!file) return;
  if (file.size > MOST_BYTES) return say(`${file.name} is too large for one of NLVR’s pictures.`, true);
  pictured(async () => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const picture = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
    const found = await ask("see", { picture });
    take(found.scene, `${file.name} was read.`);
  });
}

// -- showing -----------------------------------------------------------------------------------------------------------

function say(text, wrong = false) {
  at("note").textContent = text;
  at("note").classList.toggle("wrong", wrong);
}

const lights = {
  show(step, words) {
    if (state.asked === state.boxes) lightUp(at("picture"), step);
    for (const word of at("words").children) word.classList.toggle("on", words.includes(Number(word.dataset.word)));
  },
  hide() {
    lightUp(at("picture"), null);
    for (const one of document.querySelectorAll(".word.on, .part.on")) one.classList.remove("on");
  },
};

const pointed = {
  show(word) {
    lights.hide();
    for (const part of at("tree").querySelectorAll(".part")) {
      part.classList.toggle("on", part.dataset.words.split(" ").includes(String(word)));
    }
  },
  hide: lights.hide,
};

function draw() {
  picture.draw(state.boxes, state.selected);
  for (const [name, value] of Object.entries(state.look)) {
    for (const input of document.querySelectorAll(`input[name=${name}]`)) input.checked = input.value === String(value);
  }
  at("shapes").hidden = at("sizes").hidden = at("help-scattered").hidden = state.towers; // a tower has one kind of block
  at("delete").disabled = state.selected === null;
  at("undo").disabled = undone.length === 0;
  for (const input of document.querySelectorAll("input[name=kind]")) input.checked = (input.value === "towers") === state.towers;
  for (const button of at("adds").children) button.disabled = !scene.hasRoom(state.boxes[button.dataset.box], state.towers);
  judge();
}

function show() {
  const { found } = state;
  const one = found?.parses[state.chosen] ?? null;
  lights.hide();
  const answer = !found ? null : state.chosen === 0 ? found.answer : one.answer;
  at("answer").textContent = !found ? "" : answer === null ? "Don’t know" : answer === true ? "True" : answer === false ? "False" : String(answer);
  at("verdict").dataset.answer = String(answer);
  at("verdict").hidden = !found;
  at("plain").replaceChildren(one ? (one.plain ?? reading.code(one.program)) : "");
  at("sure").textContent = !one ? "" : state.chosen > 0 ? "if it is read this way"
    : `confidence ${reading.percent(found.confidence)}`
      + (answer === null && one.answer !== null ? `; the program itself says ${one.answer}` : "")
      + (state.isTaught ? "; as you taught it" : "");
  at("judge").hidden = !one || !teaching.can;
  at("right").textContent = answer === null ? "It is true" : "This is right";
  at("wrong").textContent = answer === null ? "It is false" : "This is wrong";
  judge();
  at("reasons").replaceChildren(...(found?.reasons ?? []).map((reason) => reading.html("li", {}, reading.sentence(reason.text))));
  at("make-true").disabled = !one || one.answer === true;
  at("make-false").disabled = !one || one.answer === false;
  at("words").replaceChildren(...(found ? reading.words(found.words, pointed).flatMap((word) => [word, " "]) : []));
  at("tree").replaceChildren(...(one ? [reading.html("ul", {}, reading.tree(one.tree, one.steps, lights))] : []));
  const focused = [...at("readings").querySelectorAll("input, button")].indexOf(document.activeElement);
  at("readings").replaceChildren(...reading.readings(found?.parses ?? [], state.chosen, { choose, differ }));
  if (focused >= 0) at("readings").querySelectorAll("input, button")[focused]?.focus(); // who works there stays there
  at("steps").replaceChildren(...(one ? reading.stepwise(one.steps, state.asked, lights) : []));
  at("stepwise").hidden = !one?.steps.length;
  at("looked").hidden = !one?.attention;
  at("attention").replaceChildren(...(one?.attention ? [reading.attention(one.attention, found.words)] : []));
  at("reading").hidden = !found;
}

function choose(index) {
  state.chosen = index;
  keepLink();
  show();
  document.querySelector(`input[name=reading][value="${index}"]`)?.focus();
}

// -- links -------------------------------------------------------------------------------------------------------------

function keepLink() {
  const parts = new URLSearchParams({ s: state.sentence, p: scene.encode(state.boxes) });
  if (!state.towers) parts.set("k", "scattered");
  if (state.chosen) parts.set("r", state.chosen);
  kept = `#${parts}`;
  if (location.hash !== kept) history.replaceState(null, "", kept);
}
let kept = "";

function follow(hash) {
  const parts = new URLSearchParams(hash.slice(1));
  const boxes = scene.decode(parts.get("p") ?? "");
  if (!boxes) return false;
  const towers = parts.get("k") !== "scattered" && (boxes.flat().length === 0 || scene.looksLikeTowers(boxes));
  Object.assign(state, {
    boxes: towers ? scene.fromBase(boxes) : boxes, towers, selected: null, found: null,
    sentence: (parts.get("s") ?? "").slice(0, 300),
    chosen: Math.max(Number.parseInt(parts.get("r") ?? "0", 10) || 0, 0),
  });
  at("sentence").value = state.sentence;
  grow();
  draw();
  parse();
  return true;
}

// -- the rest of the page ----------------------------------------------------------------------------------------------

function grow() {
  const field = at("sentence");
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

at("sentence").addEventListener("input", (event) => {
  state.sentence = event.target.value.replaceAll("\n", " ");
  state.chosen = 0;
  grow();
  draw();
  wait(PAUSE.typed);
});
at("sentence").addEventListener("keydown", (event) => {
  if (event.key === "Enter") {
    event.preventDefault();
    wait(0);
  }
});
at("adds").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const look = state.towers ? { ...state.look, shape: "square", size: 20 } : state.look;
  const added = scene.add(state.boxes, Number(button.dataset.box), look, state.towers);
  change(added?.boxes, { selected: added?.id });
});
for (const name of ["color", "shape", "size"]) {
  for (const input of document.querySelectorAll(`input[name=${name}]`)) {
    input.addEventListener("change", () => restyle({ [name]: name === "size" ? Number(input.value) : input.value }));
  }
}
at("delete").addEventListener("click", () => erase(state.selected));
at("undo").addEventListener("click", () => {
  const before = undone.pop();
  change(before.boxes, { towers: before.towers, remember: false });
});
at("kinds").addEventListener("change", (event) => {
  if (event.target.value === "scattered") change(state.boxes, { towers: false });
  else change(scene.asTowers(state.boxes), { towers: true });
});
at("invent").addEventListener("click", () =>
  pictured(async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    take((await ask(`invent?seed=${seed}`)).scene, "");
  }));
at("right").addEventListener("click", () => mark(true));
at("wrong").addEventListener("click", () => mark(false));
at("make-true").addEventListener("click", () => make(true));
at("make-false").addEventListener("click", () => make(false));
at("upload").addEventListener("change", (event) => {
  upload(event.target.files[0]);
  event.target.value = "";
});
for (const name of ["dragover", "drop"]) {
  at("stage").addEventListener(name, (event) => {
    event.preventDefault();
    if (name === "drop") upload(event.dataTransfer.files[0]);
  });
}
at("link").addEventListener("click", async () => {
  keepLink();
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link was copied. It opens this sentence with this picture.");
  } catch {
    say(`The link is in the address bar: ${location.href}`);
  }
});
at("examples").append(
  new Option("Examples", "", true, true),
  ...EXAMPLES.map((example, index) => new Option(example.sentence, index)),
);
at("examples").addEventListener("change", (event) => {
  const example = EXAMPLES[event.target.value];
  if (example) follow(`#${new URLSearchParams({ s: example.sentence, p: example.picture })}`);
  event.target.value = "";
});
addEventListener("hashchange", () => {
  if (location.hash !== kept) follow(location.hash);
});
addEventListener("resize", grow);

async function begin() {
  if (!follow(location.hash)) {
    follow(`#${new URLSearchParams({ s: EXAMPLES[0].sentence, p: EXAMPLES[0].picture })}`);
  }
  const found = await about;
  if (!found) return;
  at("about").textContent = `Chorale ${found.version}, model ${found.model}`;
  if (found.domain !== "nlvr") say(`This page draws NLVR’s pictures, but the model speaks of ${found.domain}. The HTTP API knows its scenes.`, true);
}

begin();
