"""LangChain's ChatOpenAI against Neta."""

import pytest
from conftest import AGENT, TOKEN, URL
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI


@pytest.fixture(scope="module")
def model():
    return ChatOpenAI(model=AGENT, base_url=f"{URL}/v1", api_key=TOKEN, max_retries=0, timeout=60, stream_usage=True)


def test_invoke(model):
    answer = model.invoke("hello")
    assert "demo model" in answer.content
    assert answer.usage_metadata["total_tokens"] > 0
    assert answer.response_metadata["finish_reason"] == "stop"


def test_stream_adds_up_to_the_same(model):
    pieces = list(model.stream("hello"))
    assert len(pieces) > 3
    whole = pieces[0]
    for piece in pieces[1:]:
        whole += piece
    assert whole.content == model.invoke("hello").content
    assert whole.usage_metadata["total_tokens"] > 0


def test_history(model):
    messages = [SystemMessage("Be kind."), HumanMessage("hello"), AIMessage("Hello!"), HumanMessage("and again")]
    assert '"and again"' in model.invoke(messages).content


def test_subagents(model):
    text = "".join(piece.content for piece in model.stream("compare coffee, tea and water"))
    assert "This is what the subagents found" in text


def test_tools_of_the_caller_are_refused(model):
    tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object", "properties": {}}}}
    with pytest.raises(Exception, match="tools of the caller"):
        model.bind_tools([tool]).invoke("hello")
