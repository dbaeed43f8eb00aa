// The page: one state, drawn after every change; the server is asked about it a moment later.
//
// What sentences are about is on the stage: NLVR's pictures (boxes.js), or the JSON of any other domain (plain.js).

import { ask } from "./api.js";
import { Boxes } from "./boxes.js";
import { Plain } from "./plain.js";
import * as reading from "./reading.js";
import { Teaching } from "./teaching.js";

const PAUSE = { typed: 220, moved: 90 }; // milliseconds of rest before the server is asked

const at = (id) => document.getElementById(id);
const state = {
  sentence: "", chosen: 0,
  found: null, // what the server said last
};
let asking = null;
let timer = 0;

const about = await ask("about").catch((error) => {
  say(error.message, true);
  throw error;
});
const word = about.context_word;
const aWord = /^[aeiou]/i.test(word) ? `an ${word}` : `a ${word}`;
const can = (what) => about.can.includes(what);

const stage = about.domain === "nlvr"
  ? new Boxes({ say, onChange: () => changed(PAUSE.moved), onDraw: draw, during })
  : new Plain(about, { onChange: () => changed(PAUSE.moved), onTyped: () => changed(PAUSE.typed) });
at("board").replaceChildren(at(stage.template).content);
stage.begin();
const teaching = new Teaching(about, stage, { say, onMarks: draw, onModel: () => parse() });

function changed(pause) {
  // There is another context, which may not be one yet.
  say(stage.problem ?? "", Boolean(stage.problem));
  draw();
  wait(pause);
}

// -- asking ------------------------------------------------------------------------------------------------------------

function wait(pause) {
  clearTimeout(timer);
  timer = setTimeout(parse, pause);
}

async function parse() {
  if (stage.problem) return;
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
    const { context } = stage;
    const { signal } = asking;
    const isTaught = teaching.can && teaching.isUsed;
    const marks = isTaught ? teaching.lesson : [];
    const found = await ask("parse", { sentence, scene: stage.toJson(context), marks }, signal);
    Object.assign(state, { found, asked: context, said: sentence, isTaught });
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

async function during(work) {
  // Something that gives another context; meanwhile nothing else can be asked for.
  document.body.classList.add("waiting");
  try {
    await work();
  } catch (error) {
    say(error.message, true);
  }
  document.body.classList.remove("waiting");
}

function take(json, told) {
  stage.take(json);
  say(told);
}

const times = (count) => (count === 1 ? "one small change" : `${count} small changes`);
const many = (count) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

const make = (answer) =>
  during(async () => {
    const program = state.found.parses[state.chosen].program;
    const found = await ask("change", { program, scene: stage.toJson(stage.context), answer, sentence: state.said });
    if (!found.scene) return say(`No ${word} was found of which this is ${answer}; ${many(found.looked_at)} were looked at.`);
    take(found.scene, found.changes === null
      ? `No few changes make it ${answer}, so here is an invented ${word}. Undo brings yours back.`
      : `It took ${times(found.changes)}. Undo brings your ${word} back.`);
  });

const differ = (index) =>
  during(async () => {
    const [one, other] = [state.found.parses[state.chosen], state.found.parses[index]];
    const found = await ask("distinguish", {
      one: one.program, other: other.program, scene: stage.toJson(stage.context), sentence: state.said,
    });
    if (found.scene === null) return say(`They say the same of all ${many(found.looked_at)} that were looked at.`);
    const how = found.changes === 0 ? `They differ on this very ${word}`
      : found.changes === null ? `Here is an invented ${word}` : "One small change is enough";
    const told = `${how}: the chosen reading says ${found.answer_texts[0]}, the other ${found.answer_texts[1]}.`;
    if (found.changes === 0) say(told);
    else take(found.scene, told);
  });

// An answer can be marked as long as it belongs to what is on the page.
const isFresh = () => state.found && state.asked === stage.context && state.said === state.sentence.trim();

// What is marked: true and false by two buttons, anything else as it is, or typed.
const isTruth = () => typeof state.found?.parses[state.chosen]?.answer === "boolean";

function judge() {
  const mark = isFresh() ? teaching.find(state.said, state.asked) : null;
  for (const id of ["right", "wrong", "typed", "mark"]) at(id).disabled = !isFresh();
  at("judged").textContent = !mark ? "" : isTruth() ? `Marked: it is ${mark.text} of this ${word}.` : `Marked: ${mark.text} is right for this ${word}.`;
}

const shownAnswer = () =>
  state.chosen === 0 && state.found.answer === null ? null : state.found.parses[state.chosen].answer;

function mark(isRight) {
  const shown = shownAnswer();
  const { answer_text: text } = state.found.parses[state.chosen];
  if (!isTruth()) return teaching.mark(state.said, state.asked, { answer: shown, text });
  const answer = shown === null ? isRight : shown === isRight;
  teaching.mark(state.said, state.asked, { answer, text: String(answer) });
}

// -- showing -----------------------------------------------------------------------------------------------------------

function say(text, wrong = false) {
  at("note").textContent = text;
  at("note").classList.toggle("wrong", wrong);
}

const lights = {
  show(step, words) {
    if (state.asked === stage.context) stage.light(step);
    for (const word of at("words").children) word.classList.toggle("on", words.includes(Number(word.dataset.word)));
  },
  hide() {
    stage.light(null);
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
  stage.draw();
  judge();
}

function told(found, one) {
  // The answer in a word or two.
  if (!found) return "";
  if (found.scene === null) return one ? "Read as" : "Not read"; // nothing was asked about
  const answer = one ? shownAnswer() : found.answer;
  return answer === null ? "Don’t know" : answer === true ? "True" : answer === false ? "False" : one.answer_text;
}

function sure(found, one) {
  if (!one) return "";
  if (state.chosen > 0) return "if it is read this way";
  const isKept = found.answer === null && one.answer !== null;
  return `confidence ${reading.percent(found.confidence)}`
    + (isKept ? `; the program itself says ${one.answer_text}` : "") + (state.isTaught ? "; as you taught it" : "");
}

function show() {
  const { found } = state;
  const one = found?.parses[state.chosen] ?? null;
  lights.hide();
  const answer = one ? shownAnswer() : null;
  at("answer").textContent = told(found, one);
  at("verdict").dataset.answer = String(answer);
  at("verdict").hidden = !found;
  at("plain").replaceChildren(one ? (one.plain ?? reading.code(one.program)) : "");
  at("sure").textContent = sure(found, one);
  at("judge").hidden = !one || one.answer === null || !teaching.can;
  at("right").textContent = isTruth() && answer === null ? "It is true" : "This is right";
  at("right").hidden = !isTruth() && answer === null;
  at("wrong").textContent = answer === null ? "It is false" : "This is wrong";
  at("wrong").hidden = !isTruth();
  at("correct").hidden = isTruth();
  judge();
  at("reasons").replaceChildren(...(found?.reasons ?? []).map((reason) => reading.html("li", {}, reading.sentence(reason.text))));
  at("makes").hidden = !can("editing") || (one !== null && one.answer !== null && !isTruth());
  at("make-true").disabled = !one || one.answer === true;
  at("make-false").disabled = !one || one.answer === false;
  at("words").replaceChildren(...(found ? reading.words(found.words, pointed).flatMap((word) => [word, " "]) : []));
  at("tree").replaceChildren(...(one ? [reading.html("ul", {}, reading.tree(one.tree, one.steps, lights))] : []));
  const focused = [...at("readings").querySelectorAll("input, button")].indexOf(document.activeElement);
  at("readings").replaceChildren(...reading.readings(found?.parses ?? [], state.chosen, { choose, differ: can("codec") ? differ : null, aWord }));
  if (focused >= 0) at("readings").querySelectorAll("input, button")[focused]?.focus(); // who works there stays there
  at("steps").replaceChildren(...(one ? reading.stepwise(one.steps, (step) => stage.still(state.asked, step), lights) : []));
  at("stepwise").hidden = !at("steps").children.length;
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
  const parts = new URLSearchParams({ s: state.sentence, ...stage.link });
  if (state.chosen) parts.set("r", state.chosen);
  kept = `#${parts}`;
  if (location.hash !== kept) history.replaceState(null, "", kept);
}
let kept = "";

function follow(parts) {
  if (!stage.follow(parts)) return false;
  Object.assign(state, {
    found: null,
    sentence: (parts.get("s") ?? "").slice(0, 300),
    chosen: Math.max(Number.parseInt(parts.get("r") ?? "0", 10) || 0, 0),
  });
  at("sentence").value = state.sentence;
  grow();
  draw();
  if (stage.problem) say(stage.problem, true);
  parse();
  return true;
}

const followed = (hash) => follow(new URLSearchParams(hash.slice(1)));

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
at("undo").addEventListener("click", () => stage.undo());
at("invent").addEventListener("click", () =>
  during(async () => {
    const seed = Math.floor(Math.random() * 2 ** 31);
    take((await ask(`invent?seed=${seed}`)).scene, "");
  }));
at("right").addEventListener("click", () => mark(true));
at("wrong").addEventListener("click", () => mark(false));
at("make-true").addEventListener("click", () => make(true));
at("make-false").addEventListener("click", () => make(false));
at("correct").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = at("typed").value.trim();
  if (!text) return say("Type the right answer first.");
  teaching.mark(state.said, state.asked, { text });
  at("typed").value = "";
});
at("link").addEventListener("click", async () => {
  keepLink();
  try {
    await navigator.clipboard.writeText(location.href);
    say(`The link was copied. It opens this sentence with this ${word}.`);
  } catch {
    say(`The link is in the address bar: ${location.href}`);
  }
});
at("examples").append(
  new Option("Examples", "", true, true),
  ...stage.examples.map((example, index) => new Option(example.sentence, index)),
);
at("examples").hidden = !stage.examples.length;
at("examples").addEventListener("change", (event) => {
  const example = stage.examples[event.target.value];
  if (example) follow(new URLSearchParams(example.link));
  event.target.value = "";
});
addEventListener("hashchange", () => {
  if (location.hash !== kept) followed(location.hash);
});
addEventListener("resize", grow);

at("invitation").textContent = `Say something about the ${word}. Chorale turns the sentence into a program and runs it.`;
at("skip").textContent = `Skip the ${word}`;
at("stage").setAttribute("aria-label", word.charAt(0).toUpperCase() + word.slice(1));
at("sentence").placeholder = stage.placeholder;
if (!about.local) at("where").textContent = "runs on a server that others can reach";
at("about").textContent = `Chorale ${about.version}, model ${about.model}`;
teaching.begin();
if (!followed(location.hash)) follow(new URLSearchParams(stage.examples[0]?.link ?? { s: "" }));
