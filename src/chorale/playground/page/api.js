// Requests to the server. What goes wrong becomes an Error whose message is for people.

import { sentence } from "./dom.js";

export class Refused extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

export async function ask(what, message, signal) {
  const options = message
    ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message), signal }
    : { signal };
  let response;
  try {
    response = await fetch(`/api/${what}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server does not answer. Is “chorale serve” still running?", "gone");
  }
  const found = await response.json().catch(() => null);
  if (response.ok && found !== null) return found;
  const problem = found?.error;
  if (problem?.code === "busy" || problem?.code === "not_ready") {
    await new Promise((done) => setTimeout(done, 1000 * Number(response.headers.get("Retry-After") ?? 1)));
    signal?.throwIfAborted();
    return ask(what, message, signal);
  }
  throw new Refused(problem ? sentence(problem.message) : `The server answered ${response.status}.`, problem?.code);
}
