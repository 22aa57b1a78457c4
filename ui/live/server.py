"""The live page's server: only GET, nothing comes in. It is fed on standard input, a line a state.

    python -m ui.live.server --address 127.0.0.1 --port 8080

It ends when its input ends, as whoever feeds it has ended, and where that cannot be read. The
address of an MQTT broker is in the environment, `COMPANION_LIVE_BROKER`. A reader that does not
read is dropped: each has room for the newest state alone, and so many seconds to take it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.core.errors import BadCall
from ui.live.mqtt import BROKER_IN, Topics
from ui.live.shown import NOTHING
from ui.sharing.page_pen import colours_css

PING_S = 15.0
"""Now and then a comment, so that a reader that has gone is noticed."""
SLOW_S = 5.0
"""A reader that takes nothing for so long is dropped."""
IDLE_S = 10
"""Whoever is connected and has asked for nothing whole for so long is let go."""
MOST_READERS = 400
BACKLOG = 512

Send = Callable[[Any], Awaitable[None]]


class Newest:
    """The newest state, and everybody who waits for the next.

    The board is large and changes seldom: each reader is sent it once, until it is another one.
    """

    def __init__(self) -> None:
        self._state, self._board, self._number = json.dumps(NOTHING), "", 0
        self._board_event = b""
        self._at = time.monotonic()
        self._changed = asyncio.Event()
        self.readers = 0

    def show(self, state: str) -> None:
        """Tell everybody; whoever is still busy with an older state gets this one next."""
        said = json.loads(state)
        board = said.pop("board", "")
        if board != self._board:
            self._board, self._number = board, self._number + 1
            self._board_event = f"event: board\ndata: {json.dumps(board)}\n\n".encode()
        self._state, self._at = json.dumps(said, separators=(",", ":")), time.monotonic()
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    async def events(self) -> AsyncIterator[bytes]:
        """What one reader is sent: states, with their age, for the clock has run on since."""
        seen = 0
        while True:
            changed, told = self._changed, b""
            if seen != self._number:
                seen, told = self._number, self._board_event
            age = round(time.monotonic() - self._at, 3)
            yield b"%sevent: state\ndata: [%g,%s]\n\n" % (told, age, self._state.encode())
            while not changed.is_set():
                try:
                    async with asyncio.timeout(PING_S):
                        await changed.wait()
                except TimeoutError:
                    yield b": still here\n\n"


class EventStream(Response):
    """Server-sent events to one reader, who is dropped when a write waits for too long."""

    def __init__(self, newest: Newest) -> None:
        super().__init__(media_type="text/event-stream", headers={"Cache-Control": "no-store"})
        del self.headers["content-length"]
        self._newest = newest

    async def __call__(self, scope: Any, receive: Any, send: Send) -> None:
        self._newest.readers += 1
        gone = asyncio.create_task(_left(receive))
        told = asyncio.create_task(self._tell(send))
        try:
            await asyncio.wait((gone, told), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._newest.readers -= 1
            for task in (gone, told):
                task.cancel()
                with suppress(asyncio.CancelledError, TimeoutError, OSError):
                    await task

    async def _tell(self, send: Send) -> None:
        headers = [(name, value) for name, value in self.raw_headers if name != b"content-length"]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        async for told in self._newest.events():
            body = {"type": "http.response.body", "body": told, "more_body": True}
            async with asyncio.timeout(SLOW_S):
                await send(body)


async def _left(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@cache
def _page(*, overlay: bool) -> str:
    """The page, whole: it asks for nothing but the events."""
    here = Path(__file__)
    style, script = (here.with_name(f"live.{kind}").read_text("utf-8") for kind in ("css", "js"))
    kind = "overlay" if overlay else "page"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Live</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<style>{colours_css()}{style}</style></head>\n<body class="{kind}">\n'
        '<header><p id="title"></p><p id="place"></p></header>\n'
        '<p id="clock" role="timer"></p>\n<main id="board"></main>\n'
        '<section id="told"><p id="outcome"></p><p id="asked"></p><ul id="score"></ul>'
        '<ol id="rulings" aria-live="polite"></ol></section>\n'
        '<p id="lost" hidden>The table is not heard.</p>\n'
        f"<script>{script}</script></body></html>\n"
    )


HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; "
        "script-src 'unsafe-inline'; frame-ancestors *"
    ),
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def application(newest: Newest) -> Starlette:
    """Three places, to be read alone."""

    async def page(_: Request) -> Response:
        return HTMLResponse(_page(overlay=False), headers=HEADERS)

    async def overlay(_: Request) -> Response:
        return HTMLResponse(_page(overlay=True), headers=HEADERS)

    async def events(_: Request) -> Response:
        if newest.readers >= MOST_READERS:
            told = f"{MOST_READERS} browsers look on already"
            return Response(told, 503, headers={"Retry-After": "30"})
        return EventStream(newest)

    places = (("/", page), ("/overlay", overlay), ("/events", events))
    return Starlette(routes=[Route(place, one, methods=["GET"]) for place, one in places])


class ReaderProtocol(H11Protocol):
    """One connection; it is let go where nothing is asked for longer than idle ones are kept.

    Uvicorn itself waits for ever for a first request, or for the rest of one.
    """

    def connection_made(self, transport: Any) -> None:
        """Somebody is there: look again in a while."""
        super().connection_made(transport)
        self.loop.call_later(self.timeout_keep_alive, self._look)

    def _look(self) -> None:
        answering: Any = getattr(self, "cycle", None)
        if answering is None or answering.response_complete:
            self.transport.close()
        elif not self.transport.is_closing():
            self.loop.call_later(self.timeout_keep_alive, self._look)


async def _read(newest: Newest, also: Callable[[str], None]) -> None:
    """States from standard input, to everybody, until it ends."""
    reader = asyncio.StreamReader(limit=1 << 24)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        state = line.decode().strip()
        if state:
            newest.show(state)
            also(state)


async def serve(address: str, port: int, broker: str = "", idle_s: int = IDLE_S) -> None:
    """Serve until standard input ends. BadCall: the address or the broker's cannot be used."""
    newest = Newest()
    topics = Topics(broker) if broker else None
    config = uvicorn.Config(
        application(newest), log_level="error", lifespan="off", ws="none",
        timeout_graceful_shutdown=1, server_header=False,
        http=ReaderProtocol, timeout_keep_alive=idle_s,
    )  # fmt: skip
    server = uvicorn.Server(config)

    def stop(_: object) -> None:
        server.should_exit = True

    reading = asyncio.create_task(_read(newest, topics.show if topics else _nobody))
    reading.add_done_callback(stop)
    try:
        await server.serve(sockets=[bound(address, port)])
    finally:
        reading.cancel()
        if topics is not None:
            topics.close()
    with suppress(asyncio.CancelledError):
        await reading  # what has ended it is told


def bound(address: str, port: int) -> socket.socket:
    """The socket to serve at; BadCall where the address is not ours, or taken."""
    try:
        family, kind, number, _, place = socket.getaddrinfo(
            address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        made = socket.socket(family, kind, number)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        user_timeout = getattr(socket, "TCP_USER_TIMEOUT", None)
        if user_timeout is not None:  # a reader that takes nothing is let go by the system, too
            made.setsockopt(socket.IPPROTO_TCP, user_timeout, int(2 * SLOW_S * 1000))
        made.bind(place)
        made.listen(BACKLOG)
    except (OSError, OverflowError) as wrong:
        why = getattr(wrong, "strerror", None) or str(wrong)
        raise BadCall(f"the live page cannot be served at {address}, port {port}: {why}") from wrong
    return made


def _nobody(_: str) -> None:
    """Without a broker nobody else is told."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The process."""
    options = argparse.ArgumentParser(prog="python -m ui.live.server")
    options.add_argument("--address", default="127.0.0.1")
    options.add_argument("--port", type=int, default=8080)
    options.add_argument("--idle", type=int, default=IDLE_S, help="s until idle ones are let go")
    said = options.parse_args(arguments)
    try:
        asyncio.run(serve(said.address, said.port, os.environ.get(BROKER_IN, ""), said.idle))
    except BadCall as wrong:
        print(wrong, file=sys.stderr)  # noqa: T201 - whoever started us reads it
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
