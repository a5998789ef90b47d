// Shows /openapi.json. Everything becomes text, nothing becomes markup.
"use strict";

const METHODS = ["get", "post", "put", "patch", "delete"];
let api;

/** An element with classes or attributes, and what is in it. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

/** Paragraphs, with what is between backticks as code and between stars in bold. */
function prose(text) {
  const paragraphs = (text ?? "").split(/\n\s*\n/).filter((one) => one.trim());
  return paragraphs.map((one) => make("p", {}, inline(one)));
}

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
    if (part.startsWith("`")) return make("code", {}, part.slice(1, -1));
    if (part.startsWith("**")) return make("strong", {}, part.slice(2, -2));
    return part;
  });
}

function follow(value) {
  if (!value?.$ref) return value;
  return value.$ref.slice(2).split("/").reduce((place, name) => place?.[name], api);
}

function nameOf(reference) {
  return reference.split("/").pop();
}

/** The type of a schema in a few words, with links to those that have a name. */
function type(schema) {
  if (schema === undefined || schema === true) return ["anything"];
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    return [make("a", { href: `#schema-${name}` }, name)];
  }
  const choices = schema.oneOf ?? (schema.properties ? undefined : schema.anyOf);
  if (choices) return between(choices.map(type), " or ");
  if (schema.allOf) return between(schema.allOf.map(type), " and ");
  if (schema.const !== undefined) return [make("code", {}, JSON.stringify(schema.const))];
  if (schema.type === "array") return ["list of ", ...type(schema.items)];
  if (schema.type === "object" && schema.additionalProperties && !schema.properties) {
    return ["map to ", ...type(schema.additionalProperties)];
  }
  const names = [schema.type ?? "anything"].flat().join(" or ");
  return [schema.format ? `${names} (${schema.format})` : names];
}

function between(parts, separator) {
  return parts.flatMap((part, place) => (place === 0 ? part : [separator, ...part]));
}

/** What a schema allows, beyond its type. */
function bounds(schema) {
  const said = [];
  const add = (label, value) => value !== undefined && said.push(`${label} ${JSON.stringify(value)}`);
  add("at least", schema.minimum);
  add("at most", schema.maximum);
  add("multiples of", schema.multipleOf);
  add("shortest", schema.minLength);
  add("longest", schema.maxLength);
  add("fewest", schema.minItems ?? schema.minProperties);
  add("most", schema.maxItems ?? schema.maxProperties);
  if (schema.default !== undefined && schema.default !== null) add("default", schema.default);
  const lines = said.length ? [make("p", { class: "soft" }, said.join(", "))] : [];
  if (schema.enum) lines.push(make("p", {}, between(schema.enum.map((one) => [make("code", {}, String(one))]), " ")));
  if (schema.pattern) lines.push(make("p", { class: "soft" }, "matches ", make("code", {}, schema.pattern)));
  return lines;
}

/** Members of an object, one a row; other schemas in words. */
function schemaBody(schema) {
  const parts = [];
  for (const part of schema.allOf ?? []) {
    parts.push(part.$ref ? make("p", {}, "All of ", type(part), ", and:") : schemaBody(part));
  }
  if (schema.properties) {
    const needed = (name) => schema.required?.includes(name) ?? false;
    const members = Object.entries(schema.properties).sort(([one], [other]) => needed(other) - needed(one));
    const rows = members.map(([name, member]) => {
      const need = needed(name) ? make("div", { class: "need" }, "required") : null;
      return make("tr", {},
        make("td", {}, make("code", {}, name), need),
        make("td", {}, type(member), ...prose(member.description ?? member.oneOf?.[0]?.description), ...bounds(member)));
    });
    parts.push(make("table", {}, make("thead", {}, row("th", "member", "what it is")), make("tbody", {}, rows)));
    if (schema.additionalProperties === false) parts.push(make("p", { class: "soft" }, "No other members."));
  } else if (!schema.allOf) {
    parts.push(make("p", {}, type(schema)), ...bounds(schema));
    for (const choice of schema.oneOf ?? schema.anyOf ?? []) {
      if (!choice.$ref && choice.properties) parts.push(schemaBody(choice));
    }
  }
  return make("div", {}, parts);
}

function row(cell, ...columns) {
  return make("tr", {}, columns.map((column) => make(cell, {}, column)));
}

function example(title, value) {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return [title ? make("p", { class: "soft" }, inline(title)) : null, make("pre", { tabindex: "0" }, text)];
}

function content(parts) {
  return Object.entries(parts ?? {}).flatMap(([kind, part]) => [
    make("p", {}, make("code", {}, kind), " ", type(part.schema)),
    ...Object.values(part.examples ?? {}).flatMap((one) => example(one.summary, one.value)),
  ]);
}

function parameters(operation) {
  const all = (operation.parameters ?? []).map(follow);
  if (!all.length) return [];
  const rows = all.map((one) => make("tr", {},
    make("td", {}, make("code", {}, one.name), make("div", { class: "soft" }, one.in),
      one.required ? make("div", { class: "need" }, "required") : null),
    make("td", {}, type(one.schema), ...prose(one.description), ...bounds(one.schema),
      one.example === undefined ? null : make("p", { class: "soft" }, "for example ", make("code", {}, String(one.example))))));
  return [make("h3", {}, "Parameters"), make("table", {}, make("tbody", {}, rows))];
}

function answers(operation) {
  const all = Object.entries(operation.responses).map(([status, one]) => [status, follow(one)]);
  const good = all.filter(([status]) => status < "300");
  const bad = all.filter(([status]) => status >= "300");
  const parts = [make("h3", {}, "Answers")];
  for (const [status, answer] of good) {
    parts.push(make("h4", {}, `${status} `, inline(answer.description)), ...content(answer.content));
  }
  parts.push(make("h3", {}, "Refusals"));
  const rows = bad.map(([status, answer]) => make("tr", {}, make("td", {}, status), make("td", {}, ...prose(
    answer.description.split("\n\n").filter((line) => isAmong(operation["x-codes"], line)).join("\n\n")))));
  parts.push(make("table", {}, make("tbody", {}, rows)));
  return parts;
}

/** Of the codes of a status, those that this call answers. */
function isAmong(codes, line) {
  return !codes || codes.some((code) => line.startsWith(`\`${code}\``));
}

function callBody(operation) {
  const roles = operation["x-roles"];
  const token = operation.security?.some((one) => one.lease_token) ? ", or a token for the lease" : "";
  const body = operation.requestBody;
  return make("div", { class: "body" },
    ...prose(operation.description),
    make("p", { class: "soft" }, roles ? `For ${roles.join(", ")}${token}.` : "No key is needed."),
    ...parameters(operation),
    ...(body ? [make("h3", {}, body.required ? "Body" : "Body, if there is something to say"), ...content(body.content)] : []),
    ...answers(operation));
}

/** A part that is drawn when it is opened for the first time. */
function lazily(details, draw) {
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(draw());
  });
  return details;
}

function call(method, path, operation) {
  const details = make("details", { class: "call", id: operation.operationId },
    make("summary", {},
      make("span", { class: `method ${method}` }, method),
      make("span", { class: "path" }, path),
      make("span", { class: "soft" }, operation.summary),
      make("a", { class: "anchor", href: `#${operation.operationId}`, "aria-label": "Link to this call" }, "#")));
  const named = (operation.parameters ?? []).map((one) => follow(one).name);
  details.dataset.words = [method, path, operation.operationId, operation.summary, operation.description,
    ...named, ...schemaWords(operation.requestBody)].join(" ").toLowerCase();
  return lazily(details, () => callBody(operation));
}

/** Names of the members of a body, so that the search finds them. */
function schemaWords(body) {
  const schema = body?.content?.["application/json"]?.schema;
  return Object.keys(follow(schema)?.properties ?? {});
}

function schemaCard(name, schema) {
  const details = make("details", { class: "schema", id: `schema-${name}` }, make("summary", {}, make("code", {}, name)));
  details.dataset.words = [name, schema.description, ...Object.keys(schema.properties ?? {})].join(" ").toLowerCase();
  return lazily(details, () => make("div", { class: "body" }, ...prose(schema.description), schemaBody(schema)));
}

function draw() {
  document.getElementById("version").textContent = api.info.version;
  const main = document.getElementById("main");
  const contents = document.getElementById("contents");
  main.append(make("section", {}, ...prose(api.info.description),
    make("p", {}, make("a", { href: "/openapi.json" }, "/openapi.json"), ` is this document: OpenAPI ${api.openapi}.`)));
  const calls = Object.entries(api.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => [method, path, item[method]]));
  for (const tag of api.tags) {
    const mine = calls.filter(([, , operation]) => operation.tags.includes(tag.name));
    main.append(make("section", {}, make("h2", {}, tag.name), ...prose(tag.description), mine.map((one) => call(...one))));
    contents.append(make("div", {}, make("h2", {}, tag.name),
      mine.map(([, , operation]) => make("a", { href: `#${operation.operationId}` }, operation.summary))));
  }
  const schemas = Object.entries(api.components.schemas).map(([name, schema]) => schemaCard(name, schema));
  main.append(make("section", { id: "schemas" }, make("h2", {}, "Schemas"), schemas));
  contents.append(make("div", {}, make("h2", {}, "Schemas"), make("a", { href: "#schemas" }, "All schemas")));
}

/** Leaves what has all words that are looked for. */
function search(text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const section of document.querySelectorAll("main > section")) {
    const cards = [...section.querySelectorAll(":scope > details")];
    for (const card of cards) {
      card.hidden = !words.every((word) => card.dataset.words.includes(word));
      if (!card.hidden) found += 1;
    }
    section.hidden = words.length > 0 && cards.every((card) => card.hidden);
  }
  document.getElementById("found").textContent = words.length ? `${found} found` : "";
}

/** Opens what the address names. */
function goToAddress() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.hidden || target.closest("section")?.hidden) {
    document.getElementById("search").value = "";
    search("");
  }
  if (target instanceof HTMLDetailsElement) target.open = true;
  target.scrollIntoView();
}

async function begin() {
  const response = await fetch("/openapi.json");
  if (!response.ok) throw new Error(`/openapi.json: ${response.status}`);
  api = await response.json();
  draw();
  const input = document.getElementById("search");
  input.addEventListener("input", () => search(input.value));
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== input) {
      event.preventDefault();
      input.focus();
    }
  });
  addEventListener("hashchange", goToAddress);
  goToAddress();
}

begin().catch((error) => {
  document.getElementById("main").append(make("p", {}, `The document could not be shown: ${error.message}`));
});
