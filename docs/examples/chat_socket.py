"""Talks to Neta over its WebSocket: sends a message, loses the connection in mid-sentence, comes
back with its cursor, then stops a second turn.

    pip install websockets
    NETA=http://127.0.0.1:8420 TOKEN=... python3 chat_socket.py
"""

import asyncio
import json
import os

import websockets

URL = os.environ.get("NETA", "http://127.0.0.1:8420").replace("http", "ws", 1) + "/ws/netaclaw"
HEADERS = {"Authorization": "Bearer " + os.environ["TOKEN"]}


def connect():
    return websockets.connect(URL, additional_headers=HEADERS)


async def send(socket, **frame):
    await socket.send(json.dumps(frame))


async def receive(socket):
    return json.loads(await socket.recv())


async def main():
    text, cursor = "", None

    async with connect() as socket:
        await send(socket, type="chat", message="Tell me about yourself.", clientMessageId=os.urandom(8).hex())
        turn = await receive(socket)
        print("accepted as message", turn["assistantMessageId"])
        async for frame in socket:
            event = json.loads(frame)
            cursor = {"epoch": event["epoch"], "seq": event["seq"]}
            if event["type"] == "text_delta":
                text += event["data"]["text"]
            if len(text) > 40:
                break
    print("read so far:", text)
    print("connection dropped after event", cursor["seq"])

    async with connect() as socket:
        place = {"sessionId": turn["sessionId"], "messageId": turn["assistantMessageId"], **cursor}
        await send(socket, type="subscribe", **place)
        async for frame in socket:
            event = json.loads(frame)
            if event["type"] == "text_delta":
                text += event["data"]["text"]
            elif event["type"] in ("text_reset", "resync"):
                text = event["data"].get("text", event["data"].get("content", ""))
            elif event["type"] == "done":
                same = text == event["data"]["content"]
                print("the rest arrived; what was shown is the stored answer:", same)
                break

        await send(socket, type="chat", sessionId=turn["sessionId"], message="And more, please.")
        async for frame in socket:
            event = json.loads(frame)
            if event["type"] == "accepted":
                turn = event
            elif event["type"] == "text_delta":
                await send(socket, type="stop", messageId=turn["assistantMessageId"])
            elif event["type"] == "done" and event["messageId"] == turn["assistantMessageId"]:
                print("second turn:", event["data"]["status"], event["data"].get("reason"))
                break


asyncio.run(main())
