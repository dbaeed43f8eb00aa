// Requests to the server. What goes wrong becomes an Error whose message is for people.

export async function ask(what, message, signal) {
  const options = message
    ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message), signal }
    : { signal };
  let response;
  try {
    response = await fetch(`/api/${what}`, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is “chorale serve” still running?");
  }
  const found = await response.json().catch(() => null);
  if (response.ok && found !== null) return found;
  const problem = found?.error;
  if (problem?.code === "busy" || problem?.code === "not_ready") {
    await new Promise((done) => setTimeout(done, 1000 * Number(response.headers.get("Retry-After") ?? 1)));
    if (!signal?.aborted) return ask(what, message, signal);
  }
  throw new Error(problem ? sentence(problem.message) : `The server answered ${response.status}.`);
}

export const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?)]$/.test(text) ? "" : ".");
