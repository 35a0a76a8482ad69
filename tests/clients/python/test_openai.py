"""OpenAI's client for Python against Neta."""

import asyncio

import openai
import pytest
from conftest import AGENT, TOKEN, URL

HELLO = [{"role": "user", "content": "hello"}]
COMPARE = [{"role": "user", "content": "compare coffee, tea and water"}]
TOOL = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}


def test_agents_are_models(client):
    listed = client.models.list()
    assert AGENT in [model.id for model in listed]
    assert client.models.retrieve(AGENT).owned_by == "neta"


def test_a_plain_answer(client):
    answer = client.chat.completions.create(model=AGENT, messages=HELLO, temperature=0.2, max_tokens=50)
    assert answer.id.startswith("chatcmpl-")
    assert answer.choices[0].finish_reason == "stop"
    assert "demo model" in answer.choices[0].message.content
    assert answer.usage.total_tokens == answer.usage.prompt_tokens + answer.usage.completion_tokens > 0


def test_an_answer_in_pieces_is_the_whole_answer(client):
    whole = client.chat.completions.create(model=AGENT, messages=HELLO)
    stream = client.chat.completions.create(
        model=AGENT, messages=HELLO, stream=True, stream_options={"include_usage": True}
    )
    text, reasons, usage = "", [], None
    for piece in stream:
        for choice in piece.choices:
            text += choice.delta.content or ""
            reasons.append(choice.finish_reason)
        usage = piece.usage or usage
    assert text == whole.choices[0].message.content
    assert [r for r in reasons if r] == ["stop"]
    assert usage == whole.usage


def test_the_helper_for_streams_adds_up_to_the_same(client):
    with client.chat.completions.stream(model=AGENT, messages=HELLO) as stream:
        final = stream.get_final_completion()
    assert "demo model" in final.choices[0].message.content


def test_the_async_client(client):
    async def ask():
        async with openai.AsyncOpenAI(base_url=f"{URL}/v1", api_key=TOKEN, max_retries=0) as other:
            answers = [other.chat.completions.create(model=AGENT, messages=HELLO) for _ in range(4)]
            return await asyncio.gather(*answers)

    for answer in asyncio.run(ask()):
        assert "demo model" in answer.choices[0].message.content


def test_a_conversation_is_told_and_kept_in_a_session(client, api):
    raw = client.chat.completions.with_raw_response.create(model=AGENT, messages=HELLO)
    session = raw.headers["x-neta-session-id"]
    messages = [
        {"role": "system", "content": "Be kind."},
        *HELLO,
        raw.parse().choices[0].message.model_dump(exclude_none=True),
        {"role": "user", "content": [{"type": "text", "text": "and again"}]},
    ]
    metadata = {"session_id": session}
    again = client.chat.completions.create(model=AGENT, messages=messages, metadata=metadata)
    assert '"and again"' in again.choices[0].message.content
    stream = client.chat.completions.create(model=AGENT, messages=HELLO, metadata=metadata, stream=True)
    assert "".join(p.choices[0].delta.content or "" for p in stream if p.choices)
    stored = api.get(f"/api/sessions/{session}/messages").json()["items"]
    said = [m["content"] for m in stored if m["role"] == "user"]
    assert said == ["hello", "and again", "hello"]
    assert stored[3]["content"] == again.choices[0].message.content


@pytest.mark.parametrize("streamed", [False, True])
def test_subagents_break_no_client(client, streamed):
    answer = client.chat.completions.create(model=AGENT, messages=COMPARE, stream=streamed)
    if streamed:
        text = "".join(p.choices[0].delta.content or "" for p in answer if p.choices)
    else:
        text = answer.choices[0].message.content
        assert answer.usage.completion_tokens > 0
    assert "This is what the subagents found" in text
    assert "**tea**" in text


def test_a_question_is_answered_in_its_session(client):
    ask = [{"role": "user", "content": "ask me something"}]
    raw = client.chat.completions.with_raw_response.create(model=AGENT, messages=ask)
    asked, session = raw.parse(), raw.headers["x-neta-session-id"]
    assert "Which would you like?" in asked.choices[0].message.content
    assert "- The long one" in asked.choices[0].message.content
    assert asked.neta["pauseId"] > 0
    answer = client.chat.completions.create(
        model=AGENT,
        messages=[*ask, asked.choices[0].message.model_dump(exclude_none=True), {"role": "user", "content": "the long one"}],
        metadata={"session_id": session},
    )
    assert answer.id == asked.id
    assert answer.choices[0].message.content.startswith("You answered: ")


def test_the_same_key_is_the_same_turn(client):
    headers = {"Idempotency-Key": "python-once"}
    ids = {client.chat.completions.create(model=AGENT, messages=HELLO, extra_headers=headers).id for _ in range(2)}
    assert len(ids) == 1


def test_errors_are_of_their_classes(client, api):
    with pytest.raises(openai.NotFoundError) as gone:
        client.chat.completions.create(model="gpt-4", messages=HELLO)
    assert (gone.value.code, gone.value.param) == ("model_not_found", "model")
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gone")
    stranger = openai.OpenAI(base_url=f"{URL}/v1", api_key="wrong", max_retries=0)
    with pytest.raises(openai.AuthenticationError) as nobody:
        stranger.chat.completions.create(model=AGENT, messages=HELLO)
    assert nobody.value.code == "invalid_api_key"
    for more in [{"tools": [TOOL]}, {"n": 2}, {"response_format": {"type": "json_object"}}]:
        with pytest.raises(openai.BadRequestError) as refused:
            client.chat.completions.create(model=AGENT, messages=HELLO, **more)
        assert refused.value.param == next(iter(more))
    with pytest.raises(openai.BadRequestError):
        client.chat.completions.create(model=AGENT, messages=[])


@pytest.mark.parametrize("streamed", [False, True])
def test_a_failed_turn_is_no_answer(client, api, streamed):
    name = f"nowhere {streamed}"
    model = {"name": name, "provider": "openai", "modelName": "x", "baseUrl": "http://127.0.0.1:9/v1", "apiKey": "k"}
    made = api.post("/api/models", json=model)
    assert made.status_code == 201, made.text
    agent = api.post("/api/agents", json={"name": name, "systemPrompt": "", "modelId": made.json()["id"]})
    assert agent.status_code == 201, agent.text
    with pytest.raises(openai.APIError) as failed:
        for _ in client.chat.completions.create(model=name, messages=HELLO, stream=streamed):
            pass
    assert failed.value.code in ("model_unavailable", "model_address_blocked")
