"""A running Neta, as scripts/clients.sh starts it: NETA_URL, and NETA_TOKEN with all rights."""

import os

import httpx
import openai
import pytest

URL = os.environ["NETA_URL"]
TOKEN = os.environ["NETA_TOKEN"]
AGENT = "Assistant"


@pytest.fixture(scope="session")
def client():
    return openai.OpenAI(base_url=f"{URL}/v1", api_key=TOKEN, max_retries=0, timeout=60)


@pytest.fixture(scope="session")
def api():
    """The other doors."""
    headers = {"authorization": f"Bearer {TOKEN}"}
    with httpx.Client(base_url=URL, headers=headers, timeout=60) as http:
        yield http
