// The AI SDK with its OpenAI provider (chat completions) against Neta.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAI } from "@ai-sdk/openai";
import { APICallError, generateText, streamText } from "ai";

const { NETA_URL, NETA_TOKEN } = process.env;
const provider = (apiKey) => createOpenAI({ baseURL: `${NETA_URL}/v1`, apiKey });
const model = provider(NETA_TOKEN).chat("Assistant");
const maxRetries = 0;

test("generateText", async () => {
  const answer = await generateText({ model, prompt: "hello", maxRetries });
  assert.match(answer.text, /demo model/);
  assert.equal(answer.finishReason, "stop");
  assert.ok(answer.usage.totalTokens > 0);
});

test("streamText adds up to the same", async () => {
  const stream = streamText({ model, prompt: "hello", maxRetries });
  let text = "";
  for await (const piece of stream.textStream) text += piece;
  assert.equal(text, (await generateText({ model, prompt: "hello", maxRetries })).text);
  assert.equal(await stream.finishReason, "stop");
  assert.ok((await stream.usage).totalTokens > 0);
});

test("a conversation with instructions", async () => {
  const messages = [
    { role: "user", content: "hello" },
    { role: "assistant", content: "Hello!" },
    { role: "user", content: [{ type: "text", text: "and again" }] },
  ];
  const answer = await generateText({ model, system: "Be kind.", messages, maxRetries });
  assert.match(answer.text, /"and again"/);
});

test("subagents break no stream", async () => {
  const stream = streamText({ model, prompt: "compare coffee, tea and water", maxRetries });
  let text = "";
  for await (const piece of stream.textStream) text += piece;
  assert.match(text, /This is what the subagents found/);
});

test("errors tell their status", async () => {
  const status = (code) => (error) => APICallError.isInstance(error) && error.statusCode === code;
  const prompt = "hello";
  const gone = provider(NETA_TOKEN).chat("gpt-4");
  await assert.rejects(generateText({ model: gone, prompt, maxRetries }), status(404));
  const stranger = provider("wrong").chat("Assistant");
  await assert.rejects(generateText({ model: stranger, prompt, maxRetries }), status(401));
});
