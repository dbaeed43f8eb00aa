// Programs as text: pieces with a colour each, and lines of one part each, so that its value can stand beside it.

const TOKEN = /("(?:[^"\\]|\\.)*"?)|([\p{L}\p{N}_]+)|([(),.*])|(\s+)|(.)/gsu;

export function tokens(text) {
  // All of the text, piece by piece; nothing is refused, since people type it letter by letter.
  return [...text.matchAll(TOKEN)].map((found) => {
    const [piece, string, name, sign] = found;
    const next = text.slice(found.index + piece.length).trimStart()[0];
    const kind = string ? "string" : name ? (/^\d+$/.test(name) ? "number" : next === "(" ? "call" : "name") : sign ? "sign" : "space";
    return { text: piece, at: found.index, kind };
  });
}

const OF_QUERY = /('(?:[^']|'')*')|("(?:[^"]|"")*")|\b(\d+(?:\.\d+)?)\b|\b([A-Z_]{2,})\b/gu;

export function queryTokens(text) {
  // SQL in pieces: texts, names in quotes, numbers, words of the language; the rest as it is.
  const pieces = [];
  let end = 0;
  for (const found of text.matchAll(OF_QUERY)) {
    const kind = found[1] ? "string" : found[2] ? "name" : found[3] ? "number" : "call";
    pieces.push({ text: text.slice(end, found.index) }, { text: found[0], kind });
    end = found.index + found[0].length;
  }
  return [...pieces, { text: text.slice(end) }];
}

export const isNamed = (token) => ["string", "number", "call", "name"].includes(token.kind);

export function* nodes(node) {
  // A part before what is inside it: the order in which a text names them.
  yield node;
  for (const child of node.children) yield* nodes(child);
}

// A number, a column or the like has no value but itself, and stands on the line of what it is given to.
export const isConstant = (node, steps) =>
  !node.children.length && steps.length > 0 &&
  (node.step === null ? !/<|Set|bool/.test(node.type) : steps[node.step]?.value === node.name);

export function lines(tree, steps) {
  // The program, a line for each part that has a value: how deep it stands, its tokens, and the parts named there.
  const order = [...nodes(tree)];
  const depths = new Map();
  const measure = (node, depth) => {
    depths.set(node, depth);
    for (const child of node.children) measure(child, depth + 1);
  };
  measure(tree, 0);
  const made = [];
  let number = 0;
  for (const token of tokens(tree.text)) {
    if (isNamed(token)) {
      const node = order[number++];
      if (!node) continue;
      if (!made.length || !isConstant(node, steps)) made.push({ depth: depths.get(node), node, tokens: [], nodes: [] });
      made.at(-1).nodes.push(node);
    }
    if (made.length) made.at(-1).tokens.push(token);
  }
  return made;
}

export const pretty = (tree, steps) =>
  lines(tree, steps).map((line) => "  ".repeat(line.depth) + line.tokens.map((one) => one.text).join("").trimEnd()).join("\n");

export function placed(text, tree) {
  // For each line of a text that somebody typed, the first part that it names.
  const order = [...nodes(tree)];
  const found = [];
  let number = 0;
  for (const token of tokens(text).filter(isNamed)) {
    const line = text.slice(0, token.at).split("\n").length - 1;
    found[line] ??= [];
    if (order[number]) found[line].push(order[number]);
    number += 1;
  }
  return found;
}
