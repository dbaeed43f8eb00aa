// The page: one state, drawn after every change; the server is asked about it a moment later.
//
// The page knows sentences, answers, readings, programs, trust and teaching. What sentences are about is on the stage,
// which the domain brings (/stage/stage.js), or which shows JSON (plain.js).

import { ask } from "./api.js";
import { at, capital, html, kindOf, percent } from "./dom.js";
import { History } from "./history.js";
import { Program } from "./program.js";
import * as reading from "./readings.js";
import { Sentence } from "./sentence.js";
import { Share } from "./share.js";
import * as story from "./story.js";
import { Teaching } from "./teaching.js";
import { ENOUGH, Trust } from "./trust.js";

const PAUSE = { typed: 400, moved: 90 }; // milliseconds of rest before the server is asked
const DRAFT = "chorale-draft"; // what was typed and not asked yet, in this tab

const state = {
  sentence: "", chosen: 0,
  found: null, // what the server said last
  own: null, // a program of the reader's: its text, and what it says once it was run
  pending: false,
};
let asking = null;
let running = null;
let timer = 0;

const about = await ask("about").catch((error) => {
  say(error.message, true);
  throw error;
});
const word = about.context_word;
const aWord = /^[aeiou]/i.test(word) ? `an ${word}` : `a ${word}`;
const can = (what) => about.can.includes(what);

const { Stage } = await import(can("stage") ? "/stage/stage.js" : "./plain.js");
if (can("stage")) document.head.append(html("link", { rel: "stylesheet", href: "/stage/stage.css" }));
const stage = new Stage({
  about, say, change, during, over: overThing, rest, ask: asks,
  shown: () => { const one = shown(); return one && { program: one.program, sentence: state.said || null }; },
});
at("board").replaceChildren(stage.element);
at("tools").replaceChildren(...[stage.tools].flat().filter(Boolean));

const field = new Sentence({ typed, enter: () => wait(0), over: overWord, rest });
const program = new Program({ result, light, rest, run, say, sent: () => ({ scene: scene(), sentence: state.sentence || null }) });
const trust = new Trust({ sent: () => ({ sentence: state.said, scene: state.asked && stage.toJson(state.asked), program: shown()?.program ?? null, marks: lesson() }) });
const history = new History({ snapshot, restore, drawn: () => { at("undo").disabled = !history.before.length; } });
const teaching = new Teaching(about, stage, { say, onMarks: () => { draw(); showAnswer(); }, onModel: () => parse() });
new Share({ about, say, keepLink, marks: lesson, taught: () => teaching.written, stage, state: () => ({ sentence: state.sentence.trim(), scene: scene(), program: shown()?.program ?? null }) });

const scene = () => (stage.problem ? null : stage.toJson(stage.context));
function lesson() {
  return teaching.can && teaching.isUsed ? teaching.lesson : [];
}

// -- what changes ------------------------------------------------------------------------------------------------------

function change(context, { remember = true, pause = PAUSE.moved } = {}) {
  // The stage has another context, which may not be one yet.
  if (remember) history.remember();
  stage.context = context;
  say(stage.problem ?? "", Boolean(stage.problem));
  story.mark(-1);
  leaveApart();
  draw();
  wait(pause);
}

function typed(text) {
  state.sentence = text;
  state.chosen = 0;
  if (state.own) history.remember();
  forgetOwn();
  say("");
  story.mark(-1);
  leaveApart();
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify({ hash: location.hash, sentence: text }));
  } catch { /* then a reload forgets it */ }
  draw();
  wait(PAUSE.typed);
}

function snapshot() {
  return { sentence: state.sentence, context: stage.context, chosen: state.chosen, own: state.own?.text ?? null };
}

function restore(before) {
  Object.assign(state, { sentence: before.sentence, chosen: before.chosen });
  setField(before.sentence);
  stage.context = before.context;
  say("");
  leaveApart();
  if (before.own === null) forgetOwn();
  else own(before.own);
  draw();
  wait(0);
}

function setField(text) {
  field.text = text;
  field.field.dataset.set = field.field.value;
}

function take(json, told) {
  change(stage.fromJson(json, stage.context));
  stage.ghosts?.(history.before.at(-1).context);
  say(told);
}

// -- asking ------------------------------------------------------------------------------------------------------------

function wait(pause) {
  clearTimeout(timer);
  asking?.abort(); // what it would say is no longer asked for
  pending(Boolean(state.sentence.trim()) && !stage.problem);
  timer = setTimeout(parse, pause);
}

function pending(isPending) {
  state.pending = isPending;
  document.body.classList.toggle("pending", isPending);
  for (const id of ["verdict", "program", "others"]) at(id).setAttribute("aria-busy", String(isPending));
  enable();
}

async function parse() {
  clearTimeout(timer);
  asking?.abort();
  if (stage.problem) return pending(false);
  keepLink();
  const sentence = state.sentence.trim();
  if (!sentence) {
    Object.assign(state, { found: null, error: null });
    pending(false);
    return show();
  }
  const mine = (asking = new AbortController());
  pending(true);
  const { context } = stage;
  const marks = lesson();
  try {
    const found = await ask("parse", { sentence, scene: stage.toJson(context), marks }, mine.signal);
    if (mine !== asking) return;
    Object.assign(state, { found, asked: context, said: sentence, isTaught: marks.length > 0, error: null });
    state.chosen = Math.min(state.chosen, Math.max(found.parses.length - 1, 0));
  } catch (error) {
    if (error.name === "AbortError" || mine !== asking) return;
    Object.assign(state, { found: null, error: error.message });
  }
  pending(false);
  show();
  if (state.own) run(state.own.text);
}

async function run(text) {
  // A program that somebody wrote.
  if (!state.own) history.remember();
  state.own = { text, ran: state.own?.ran ?? null, context: state.own?.context };
  const mine = (running = {});
  const { context } = stage;
  at("program").setAttribute("aria-busy", "true");
  try {
    const ran = await ask("run", { program: text, scene: scene(), sentence: state.sentence.trim() || null });
    if (mine !== running || !state.own) return;
    state.own = { text, ran, context, isWrong: false };
    program.wrong(null);
    program.show(ran);
    showAnswer();
  } catch (error) {
    if (mine !== running) return;
    program.wrong(error.message);
    state.own.isWrong = true;
    showAnswer();
  }
  at("program").setAttribute("aria-busy", "false");
  keepLink();
}

function own(text) {
  state.own = { text, ran: null };
  run(text);
}

function forgetOwn() {
  running = null;
  state.own = null;
  if (program.editing) program.close({ focus: false });
}

async function during(work) {
  // Something that gives another context; the page can be used meanwhile, and what is done there is not overwritten.
  document.body.classList.add("working");
  document.body.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (error) {
    say(error.message, true);
  }
  document.body.classList.remove("working");
  document.body.removeAttribute("aria-busy");
}

const times = (count) => (count === 1 ? "one small change" : `${count} small changes`);
const many = (count) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;
const LATE = `The ${word} was changed meanwhile, so it was left as it is.`;

const make = (answer) =>
  during(async () => {
    const { context } = stage;
    const found = await ask("change", { program: shown().program, scene: stage.toJson(context), answer, sentence: state.said });
    if (context !== stage.context) return say(LATE);
    if (!found.scene) return say(`No ${word} was found of which this is ${answer}; ${many(found.looked_at)} were looked at.`);
    take(found.scene, found.changes === null
      ? `No few changes make it ${answer}, so here is an invented ${word}. Undo brings yours back.`
      : `It took ${times(found.changes)}. Undo brings your ${word} back.`);
  });

async function deciding(index) {
  // A context of which the chosen reading and another one say different things.
  const [one, other] = [state.found.parses[state.chosen], state.found.parses[index]];
  const found = await ask("distinguish", { one: one.program, other: other.program, scene: scene(), sentence: state.said });
  if (found.scene === null) say(`They say the same of all ${many(found.looked_at)} that were looked at.`);
  return found.scene === null ? null : { ...found, one, other };
}

const differ = (index) =>
  during(async () => {
    const { said } = state;
    const found = await deciding(index);
    if (!found || said !== state.sentence.trim()) return;
    const told = found.changes === 0 ? `They differ on this very ${word}`
      : found.changes === null ? `They differ on this invented ${word}` : `One small change of your ${word} tells them apart`;
    reading.apart(found, stage, index, {
      told: `${told}: the chosen reading says ${found.answer_texts[0]}, the other ${found.answer_texts[1]}.`,
      leave: leaveApart,
      show: (scene) => { leaveApart(); take(scene, `Undo brings your ${word} back.`); },
    });
  });

const mean = (index) =>
  during(async () => {
    const { said } = state;
    const found = await deciding(index);
    if (!found || said !== state.sentence.trim()) return;
    const context = stage.fromJson(found.scene);
    if (!teaching.mark(said, context, { answer: found.answers[1], text: found.answer_texts[1] })) return;
    say(`Marked: ${found.answer_texts[1]} is right for ${found.changes === 0 ? `this very ${word}` : `${aWord} that tells the two apart`}. Learning from it …`);
    await teaching.learn();
  });

function leaveApart() {
  at("others").append(at("apart"));
  at("apart").hidden = true;
  at("apart").replaceChildren();
}

// An answer can be marked as long as it belongs to what is on the page.
const isFresh = () => state.found && state.asked === stage.context && state.said === state.sentence.trim() && !state.pending;

// What is marked: true and false by two buttons, anything else as it is, or typed.
const isTruth = () => typeof shown()?.answer === "boolean";

function enable() {
  const one = shown();
  for (const id of ["right", "wrong", "typed", "mark"]) at(id).disabled = !isFresh();
  for (const answer of [true, false]) {
    const button = at(`make-${answer}`);
    if (button) button.disabled = !one || state.pending || one.answer === answer || !isTruth();
  }
  for (const id of ["edit", "copy"]) at(id).disabled = state.pending && !program.editing;
  at("edit").disabled ||= scene() === null;
  for (const one of at("others").querySelectorAll("button, input")) one.disabled = state.pending;
}

function judged() {
  const mark = isFresh() ? teaching.find(state.said, state.asked) : null;
  at("judged").textContent = !mark ? "" : isTruth() ? `Marked: it is ${mark.text} of this ${word}.` : `Marked: ${mark.text} is right for this ${word}.`;
}

const shown = () => state.own?.ran ?? state.found?.parses[state.chosen] ?? null;
const isOwn = () => Boolean(state.own?.ran);
const shownAnswer = () => (!isOwn() && state.chosen === 0 && state.found.answer === null ? null : shown().answer);

function mark(isRight) {
  const answer = shownAnswer();
  const { answer_text: text } = shown();
  if (!isTruth()) return teaching.mark(state.said, state.asked, { answer, text });
  const right = answer === null ? isRight : answer === isRight;
  teaching.mark(state.said, state.asked, { answer: right, text: String(right) });
}

// -- lights ------------------------------------------------------------------------------------------------------------

function result(step) {
  // The value of a part in a few words, and whether it is true, false or something else.
  if (!step) return null;
  const found = stage.result?.(step);
  return found ?? (step.value === null || step.value === undefined ? null : { text: String(step.value), kind: kindOf(step.value) });
}

const parts = () => [...at("tree").querySelectorAll(".part")];

function light(part) {
  // A part was pointed at: what it returned on the stage, and the words that ask for it.
  lit([part], part.words, part.step);
}

function overWord(index) {
  const asking = parts().filter((part) => part.words.includes(index));
  lit(asking, asking.length ? asking.flatMap((part) => part.words) : [index], asking.at(-1)?.step);
}

function overThing(thing) {
  // Something on the stage was pointed at: the parts that returned it, and their words.
  const holding = parts().filter((part) => part.step && stage.holds?.(part.step, thing));
  lit(holding, holding.flatMap((part) => part.words), null, false);
}

function lit(some, words, step, onStage = true) {
  document.body.classList.add("touching");
  for (const part of parts()) part.classList.toggle("on", some.includes(part));
  field.light(isFresh() ? words : []);
  if (onStage) stage.light((state.own?.context ?? state.asked) === stage.context ? step ?? null : null);
}

function rest() {
  document.body.classList.remove("touching");
  const focused = document.activeElement?.closest?.(".part");
  if (focused) return light(focused);
  for (const part of parts()) part.classList.remove("on");
  field.light([]);
  stage.light(null);
}

// -- showing -----------------------------------------------------------------------------------------------------------

function say(text, wrong = false) {
  at("note").textContent = text;
  at("note").classList.toggle("wrong", wrong);
}

function draw() {
  stage.draw();
  judged();
  enable();
  field.draw(isFresh() ? state.found.words : null, isFresh() && !isOwn() && state.chosen === 0 ? state.found.reasons : []);
}

function told(found, one) {
  // The answer in a word or two.
  if (!one && !found) return state.error ? "No answer" : "";
  if (!isOwn() && found?.scene === null) return one ? "Read as" : "Not read"; // nothing was asked about
  const answer = one ? shownAnswer() : found.answer;
  return answer === null ? "Don’t know" : answer === true ? "True" : answer === false ? "False" : one.answer_text;
}

function sure(found, one) {
  if (state.chosen > 0) return "if it is read this way";
  const isKept = found.answer === null && one.answer !== null;
  return `${percent(found.confidence)} sure` + (isKept ? `; the program itself says ${one.answer_text}` : "");
}

function showAnswer() {
  const { found } = state;
  const one = shown();
  const answer = one ? shownAnswer() : null;
  const isEmpty = !found && !one && !state.error;
  at("verdict").dataset.answer = answer === null ? "null" : kindOf(one.answer_text);
  at("verdict").dataset.empty = String(isEmpty);
  at("answer").textContent = isEmpty ? stage.invitation ?? `Say something about the ${word}.` : told(found, one);
  at("answer").classList.toggle("long", at("answer").textContent.length > 28);
  at("plain").textContent = one?.plain ? one.plain : "";
  trust.show(found && one && !isOwn() ? found.confidence : null, found && one && !isOwn() ? sure(found, one) : "");
  at("whose").hidden = at("restore").hidden = !state.own;
  at("program").classList.toggle("own", Boolean(state.own));
  at("whose").textContent = state.own?.isWrong ? "does not run yet" : "yours, not the parser’s";
  document.body.classList.toggle("unfinished", Boolean(state.own?.isWrong));
  at("program").hidden = !one;
  at("judge").hidden = !one || one.answer === null || !teaching.can || isOwn();
  at("right").textContent = isTruth() && answer === null ? "It is true" : "This is right";
  at("right").hidden = !isTruth() && answer === null;
  at("wrong").textContent = answer === null ? "It is false" : "This is wrong";
  at("wrong").hidden = !isTruth();
  at("correct").hidden = isTruth();
  at("taught-this")?.remove();
  if (state.isTaught && one && !isOwn()) at("sure").append(html("span", { id: "taught-this" }, ` · ${teaching.verdict(state.said) ?? "answered by the model you taught"}`));
  stage.answered?.(one, state.said);
}

function show() {
  const { found } = state;
  const one = shown();
  if (state.error) say(state.error, true);
  else if (state.hadError) say(""); // an error goes when its cause goes
  state.hadError = Boolean(state.error);
  rest();
  const loose = field.draw(isFresh() ? found.words : null, isFresh() && !isOwn() && state.chosen === 0 ? found.reasons : []);
  showAnswer();
  trust.reasons(loose);
  if (one && !program.editing) program.show(one);
  if (!one) program.show(null);
  const focused = [...at("readings").querySelectorAll("input, button")].indexOf(document.activeElement);
  const parses = found?.parses ?? [];
  at("others").hidden = !parses.length;
  leaveApart();
  at("others-title").textContent = parses.length > 1 ? "Readings" : "The only reading";
  at("readings").replaceChildren(...reading.readings(parses, state.chosen, {
    choose, differ: can("codec") ? differ : null, mean: can("codec") && teaching.can ? mean : null,
  }));
  if (focused >= 0) at("readings").querySelectorAll("input, button")[focused]?.focus(); // who works there stays there
  at("steps").replaceChildren(...(one ? reading.stepwise(one.steps, stage, state.asked, { over: (step) => lit([], [], step), rest, result }) : []));
  at("stepwise").hidden = !at("steps").children.length || !stage.hasPictures;
  at("looked").hidden = !one?.attention;
  at("attention").replaceChildren(...(one?.attention ? [reading.attention(one.attention, found.words)] : []));
  judged();
  enable();
}

function choose(index) {
  forgetOwn();
  state.chosen = index;
  leaveApart();
  keepLink();
  show();
  document.querySelector(`input[name=reading][value="${index}"]`)?.focus();
}

// -- links -------------------------------------------------------------------------------------------------------------

function keepLink() {
  const parts = new URLSearchParams({ s: state.sentence, ...stage.link });
  if (state.chosen) parts.set("r", state.chosen);
  if (state.own?.ran) parts.set("q", state.own.text);
  kept = `#${parts}`;
  if (location.hash !== kept) window.history.replaceState(null, "", kept);
  try {
    sessionStorage.removeItem(DRAFT);
  } catch { /* nothing was kept */ }
}
let kept = "";

function follow(parts) {
  const wasRead = stage.follow(parts);
  if (!wasRead && !parts.has("s")) return false;
  Object.assign(state, {
    found: null, own: null, error: null,
    sentence: (parts.get("s") ?? "").slice(0, 300),
    chosen: Math.max(Number.parseInt(parts.get("r") ?? "0", 10) || 0, 0),
  });
  setField(state.sentence);
  story.mark(-1);
  draw();
  if (stage.problem) say(stage.problem, true);
  else if (!wasRead) say(`The link’s ${word} is broken; its sentence was kept.`, true);
  wait(0);
  if (parts.get("m") && teaching.can) teaching.take(parts.get("m"));
  if (parts.get("q")) own(parts.get("q").slice(0, 2000));
  return true;
}

const followed = (hash) => follow(new URLSearchParams(hash.slice(1)));

function choosesExample(example, index) {
  history.remember();
  forgetOwn();
  leaveApart();
  Object.assign(state, { sentence: example.sentence, chosen: 0 });
  setField(example.sentence);
  if (example.context) stage.context = example.context;
  say(example.told ?? "");
  draw();
  story.mark(index);
  wait(0);
}

function asks(sentence) {
  // The stage offers a question about what is on it.
  history.remember();
  forgetOwn();
  leaveApart();
  Object.assign(state, { sentence, chosen: 0 });
  setField(sentence);
  say("");
  draw();
  wait(0);
}

function draft() {
  // What was typed when the page was reloaded, if it belongs to this link.
  try {
    const { hash, sentence } = JSON.parse(sessionStorage.getItem(DRAFT));
    if (hash === location.hash && typeof sentence === "string") return sentence;
  } catch { /* there is none */ }
  return null;
}

// -- the rest of the page ----------------------------------------------------------------------------------------------

at("undo").addEventListener("click", () => history.undo());
at("restore").addEventListener("click", () => {
  history.remember();
  forgetOwn();
  keepLink();
  show();
  at("edit").focus();
});
at("right").addEventListener("click", () => mark(true));
at("wrong").addEventListener("click", () => mark(false));
at("make-true")?.addEventListener("click", () => make(true));
at("make-false")?.addEventListener("click", () => make(false));
at("invent")?.addEventListener("click", () =>
  during(async () => {
    const { context } = stage;
    const { scene } = await ask(`invent?seed=${Math.floor(Math.random() * 2 ** 31)}`);
    if (context !== stage.context) return say(LATE);
    take(scene, "");
  }));
at("correct").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = at("typed").value.trim();
  if (!text) return say("Type the right answer first.");
  teaching.mark(state.said, state.asked, { text });
  at("typed").value = "";
});
addEventListener("hashchange", () => {
  if (location.hash !== kept) followed(location.hash);
});

let dragging = 0;
const hasFiles = (event) => event.dataTransfer?.types.includes("Files") && stage.receive;
addEventListener("dragenter", (event) => { if (hasFiles(event)) at("drop").hidden = !(dragging += 1); });
addEventListener("dragleave", (event) => { if (hasFiles(event)) at("drop").hidden = !(dragging = Math.max(dragging - 1, 0)); });
addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
addEventListener("drop", (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  at("drop").hidden = true;
  dragging = 0;
  if (event.dataTransfer.files[0]) stage.receive(event.dataTransfer.files[0]);
});

at("asked").textContent = stage.prompt ?? `Say something about the ${word}`;
at("stage").setAttribute("aria-label", capital(word));
at("tools").hidden = !stage.tools;
at("sentence").placeholder = stage.placeholder;
if (!about.local) at("where").textContent = "runs on a server that others can reach";
at("about").textContent = `Chorale ${about.version}, model ${about.model}`;
story.tell(stage, choosesExample);
teaching.begin();
const begun = draft();
if (!followed(location.hash)) {
  const [first] = stage.examples;
  if (first) choosesExample(first, 0);
  else follow(new URLSearchParams({ s: about.example.sentence ?? "" }));
  history.before = [];
  at("undo").disabled = true;
}
if (begun !== null) {
  setField(begun);
  typed(begun);
}
