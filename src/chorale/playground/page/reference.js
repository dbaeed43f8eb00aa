// The HTTP API as a page: the OpenAPI description of this server, laid out for people.

import { at, html } from "./dom.js";

const all = await (await fetch("/api/openapi.json")).json();
const named = (schema) => (schema?.$ref ? all.components.schemas[schema.$ref.split("/").at(-1)] : schema);

function kind(schema) {
  if (!schema) return "JSON";
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.anyOf) return schema.anyOf.map(kind).join(" or ");
  if (schema.type === "array") return `list of ${kind(schema.items ?? schema.prefixItems?.[0])}`;
  return schema.type ?? "JSON";
}

function limits(schema) {
  const told = { minimum: "at least", maximum: "at most", maxLength: "letters at most", maxItems: "at most" };
  const found = [schema, ...(schema.anyOf ?? [])].flatMap((one) => Object.entries(told).filter(([key]) => key in one).map(([key, text]) => (key === "maxLength" ? `${one[key]} ${text}` : `${text} ${one[key]}`)));
  if (schema.default !== undefined && schema.default !== null) found.push(`${JSON.stringify(schema.default)} unless it is given`);
  return found.length ? ` (${found.join(", ")})` : "";
}

function fields(schema) {
  const { properties = {}, required = [] } = named(schema) ?? {};
  return html("dl", {}, Object.entries(properties).flatMap(([name, one]) => [
    html("dt", {}, name, required.includes(name) ? html("i", { title: "needed" }, " *") : null),
    html("dd", {}, html("em", {}, kind(one)), one.description ? prose(`: ${one.description}`) : "", limits(one))]));
}

function example(schema) {
  const { properties = {} } = named(schema) ?? {};
  const given = Object.entries(properties).filter(([, one]) => one.examples).map(([name, one]) => [name, one.examples[0]]);
  return given.length ? Object.fromEntries(given) : null;
}

// `such` stands for code.
const prose = (text) => text.split("`").map((piece, index) => (index % 2 ? html("code", {}, piece) : piece));

const listed = Object.entries(all.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, it]) => ({ path, method, it })));
const body = (content) => content?.content?.["application/json"]?.schema;

at("contents").replaceChildren(...listed.map(({ path }) => html("a", { href: `#${path}` }, html("code", {}, path))));
at("reference").removeAttribute("aria-live");
at("reference").replaceChildren(html("p", {}, prose(all.info.description)), ...listed.map(({ path, method, it }) => {
  const taken = body(it.requestBody);
  const sent = taken && example(taken);
  const asked = (it.parameters ?? []).map((one) => html("p", {}, html("code", {}, one.name), ` in the address: ${kind(one.schema)}${limits(one.schema)}`));
  return html("article", { id: path },
    html("h2", {}, html("span", {}, method.toUpperCase()), path),
    html("p", {}, prose(it.description ?? it.summary)), asked,
    taken ? [html("h3", {}, "Takes"), fields(taken)] : null,
    sent ? html("pre", { tabindex: 0 }, `curl ${location.origin}${path} -H 'Content-Type: application/json' -d '${JSON.stringify(sent)}'`) : null,
    html("h3", {}, "Gives"), fields(body(it.responses["200"])));
}), ...["Node", "Step", "Reading", "Mark", "Reason"].filter((name) => all.components.schemas[name]).map((name) =>
  html("article", { id: name }, html("h2", {}, name), html("p", {}, all.components.schemas[name].description), fields(all.components.schemas[name]))));
