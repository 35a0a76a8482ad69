// OpenAI's client for Node against Neta.
import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";

const { NETA_URL, NETA_TOKEN } = process.env;
const model = "Assistant";
const messages = [{ role: "user", content: "hello" }];
const client = new OpenAI({ baseURL: `${NETA_URL}/v1`, apiKey: NETA_TOKEN, maxRetries: 0, timeout: 60_000 });

async function read(stream) {
  let [text, usage] = ["", null];
  for await (const piece of stream) {
    text += piece.choices[0]?.delta?.content ?? "";
    usage = piece.usage ?? usage;
  }
  return { text, usage };
}

test("agents are models", async () => {
  const ids = [];
  for await (const listed of client.models.list()) ids.push(listed.id);
  assert.ok(ids.includes(model), ids);
});

test("an answer, whole and in pieces", async () => {
  const whole = await client.chat.completions.create({ model, messages });
  assert.match(whole.choices[0].message.content, /demo model/);
  assert.equal(whole.choices[0].finish_reason, "stop");
  const options = { stream: true, stream_options: { include_usage: true } };
  const { text, usage } = await read(await client.chat.completions.create({ model, messages, ...options }));
  assert.equal(text, whole.choices[0].message.content);
  assert.deepEqual(usage, whole.usage);
});

test("the helper for streams adds up to the same", async () => {
  const stream = client.chat.completions.stream({ model, messages });
  assert.match(await stream.finalContent(), /demo model/);
});

test("turns of a session", async () => {
  const { data, response } = await client.chat.completions.create({ model, messages }).withResponse();
  const session_id = response.headers.get("x-neta-session-id");
  const told = [...messages, data.choices[0].message, { role: "user", content: "and again" }];
  const again = await client.chat.completions.create({ model, messages: told, metadata: { session_id } });
  assert.match(again.choices[0].message.content, /"and again"/);
  assert.equal(again.neta.sessionId, session_id);
});

test("subagents break no client", async () => {
  const ask = [{ role: "user", content: "compare coffee, tea and water" }];
  const { text } = await read(await client.chat.completions.create({ model, messages: ask, stream: true }));
  assert.match(text, /This is what the subagents found/);
});

test("errors are of their classes", async () => {
  const create = (more) => client.chat.completions.create({ model, messages, ...more });
  const code = (code) => (error) => error.code === code;
  await assert.rejects(create({ model: "gpt-4" }), OpenAI.NotFoundError);
  await assert.rejects(create({ model: "gpt-4" }), code("model_not_found"));
  const tools = [{ type: "function", function: { name: "f", parameters: { type: "object" } } }];
  await assert.rejects(create({ tools }), (e) => e instanceof OpenAI.BadRequestError && e.param === "tools");
  const stranger = new OpenAI({ baseURL: `${NETA_URL}/v1`, apiKey: "wrong", maxRetries: 0 });
  await assert.rejects(stranger.models.list(), OpenAI.AuthenticationError);
});

test("leaving a stream early", async () => {
  const stream = await client.chat.completions.create({ model, messages, stream: true });
  for await (const piece of stream) {
    if (piece.choices[0]?.delta?.content) break;
  }
  assert.ok((await client.chat.completions.create({ model, messages })).id);
});
