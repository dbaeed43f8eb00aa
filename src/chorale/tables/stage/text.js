// Tables as text: to be saved, to be put into a link, to be named in a command.

const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[+-]?[\d.,\s]*\d\s?%?$/;

// A spreadsheet takes what begins so for a formula, unless a quote stands before it.
export const harmless = (cell) => (FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell);

const written = (cell) => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export const csv = ({ header, rows }) =>
  [header, ...rows].map((row) => row.map((cell) => written(harmless(cell))).join(",")).join("\n") + "\n";

export const looksLikeTable = (text) => {
  const lines = text.trim().split(/\r?\n/);
  return lines.length > 1 && /[\t,;|]/.test(lines[0]) && lines.slice(0, 5).every((line) => /[\t,;|]/.test(line));
};

export async function base64(blob) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  for (let start = 0; start < bytes.length; start += 8192) text += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(text);
}

export const counted = (count, one, many = `${one}s`) => `${count === 0 ? "no" : count.toLocaleString("en")} ${count === 1 ? one : many}`;
