// Shows /openapi.json: operations by tag, then the schemas. Text only ever goes in as text.
const make = (tag, text, attributes = {}) => {
  const element = Object.assign(document.createElement(tag), attributes);
  if (text !== undefined) element.textContent = text;
  return element;
};
const nameOf = (ref) => ref.split("/").pop();

function typeOf(schema) {
  if (!schema) return "any";
  if (schema.$ref) return nameOf(schema.$ref);
  if (schema.enum) return schema.enum.map((v) => JSON.stringify(v)).join(" | ");
  const several = schema.oneOf || schema.anyOf || schema.allOf;
  if (several) return several.map(typeOf).join(schema.allOf ? " & " : " | ");
  if (schema.type === "array") return `${typeOf(schema.items)}[]`;
  const type = Array.isArray(schema.type) ? schema.type.join(" | ") : schema.type;
  return type || "any";
}

function fields(schema) {
  const table = make("table");
  for (const part of [schema, ...(schema.allOf || [])]) {
    for (const [name, property] of Object.entries(part.properties || {})) {
      const row = table.insertRow();
      row.insertCell().append(make("code", name + ((part.required || []).includes(name) ? "" : "?")));
      row.insertCell().append(make("code", typeOf(property)));
      row.insertCell().append(make("span", property.description || "", { className: "soft" }));
    }
  }
  return table.rows.length ? table : make("p", typeOf(schema), { className: "path" });
}

function operation(method, path, it) {
  const box = make("details");
  const summary = make("summary");
  summary.append(make("span", method.toUpperCase(), { className: "method" }));
  summary.append(make("span", path, { className: "path" }));
  summary.append(make("span", it.summary || "", { className: "soft" }));
  box.append(summary);
  if (it.description) box.append(make("p", it.description));
  const table = make("table");
  for (const p of it.parameters || []) {
    const row = table.insertRow();
    row.insertCell().append(make("code", `${p.name}${p.required ? "" : "?"} (${p.in})`));
    row.insertCell().append(make("code", typeOf(p.schema)));
    row.insertCell().append(make("span", p.description || "", { className: "soft" }));
  }
  for (const [type, content] of Object.entries(it.requestBody?.content || {})) {
    const row = table.insertRow();
    row.insertCell().append(make("span", "body"));
    row.insertCell().append(make("code", typeOf(content.schema)));
    row.insertCell().append(make("span", type, { className: "soft" }));
  }
  for (const [status, response] of Object.entries(it.responses || {})) {
    const row = table.insertRow();
    const types = Object.values(response.content || {}).map((c) => typeOf(c.schema));
    row.insertCell().append(make("span", status));
    row.insertCell().append(make("code", [...new Set(types)].join(" | ")));
    row.insertCell().append(make("span", response.description || "", { className: "soft" }));
  }
  box.append(table);
  return box;
}

function show(document_) {
  const tags = new Map();
  for (const [path, methods] of Object.entries(document_.paths)) {
    for (const [method, it] of Object.entries(methods)) {
      const tag = it.tags?.[0] || "other";
      tags.set(tag, [...(tags.get(tag) || []), operation(method, path, it)]);
    }
  }
  const main = document.getElementById("reference");
  main.replaceChildren();
  for (const [tag, operations] of tags) main.append(make("h2", tag), ...operations);
  main.append(make("h2", "schemas"));
  for (const [name, schema] of Object.entries(document_.components?.schemas || {})) {
    const box = make("details");
    const summary = make("summary");
    summary.append(make("span", name, { className: "path" }));
    summary.append(make("span", schema.description || "", { className: "soft" }));
    box.append(summary, fields(schema));
    for (const variant of schema.oneOf || []) {
      box.append(make("p", variant.description || typeOf(variant), { className: "soft" }), fields(variant));
    }
    main.append(box);
  }
}

fetch("/openapi.json")
  .then((response) => response.json())
  .then(show)
  .catch((error) => {
    document.getElementById("reference").replaceChildren(make("p", `The document did not load: ${error.message}`));
  });
