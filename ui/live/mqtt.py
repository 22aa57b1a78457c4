"""Topics: the same on an MQTT broker, retained, for lights, displays and other people's programs.

Nothing is subscribed to. The topics stand in one table in README.md; each is sent when it changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from companion.core.errors import BadCall

PREFIX = "companion"
USUAL_PORTS = {"mqtt": 1883, "mqtts": 8883}
BROKER_IN = "COMPANION_LIVE_BROKER"
"""The variable that tells the server of the broker: what a program is called with is no secret."""


def topics_of(state: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Every topic and what it says; an empty message takes a retained one away."""
    rulings: list[Any] = state.get("rulings") or [None]
    yield "match", str(state.get("match", ""))
    yield "title", str(state.get("title", ""))
    yield "place", str(state.get("place", ""))
    yield "clock", _text(state.get("clock"))
    yield "score", _text(state.get("score"))
    yield "ruling", _text(rulings[-1])
    yield "asked", str(state.get("asked", ""))
    yield "outcome", str(state.get("outcome", ""))


def _text(said: object) -> str:
    return "" if said is None else json.dumps(said, ensure_ascii=False, separators=(",", ":"))


def _port_of(address: str) -> int | None:
    """The port to connect to; None where the address has none that can be."""
    parts = urlsplit(address)
    try:
        return parts.port or USUAL_PORTS.get(parts.scheme)
    except ValueError:
        return None


class Topics:
    """Publishes to one broker, `mqtt://[NAME:WORD@]HOST[:PORT][/PREFIX]`; a lost one is looked for.

    `mqtts` is encrypted. Signs such as @ in NAME and WORD are written as in any URL: %40.
    BadCall where the address is none. A broker that is away keeps nobody waiting.
    """

    def __init__(self, address: str) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        parts, port = urlsplit(address), _port_of(address)
        self.prefix = parts.path.strip("/") or PREFIX
        is_known = parts.scheme in USUAL_PORTS and "+" not in self.prefix
        if not is_known or not parts.hostname or port is None:
            raise BadCall("an MQTT broker is written mqtt://HOST or mqtts://HOST:PORT/PREFIX")
        self._sent: dict[str, str] = {}
        self._client: Any = Client(CallbackAPIVersion.VERSION2)
        if parts.username:
            password = unquote(parts.password) if parts.password is not None else None
            self._client.username_pw_set(unquote(parts.username), password)
        if parts.scheme == "mqtts":
            self._client.tls_set()
        self._client.will_set(f"{self.prefix}/online", "no", qos=1, retain=True)
        self._client.on_connect = self._connected
        self._client.reconnect_delay_set(1, 10)
        self._client.connect_async(parts.hostname, port, keepalive=30)
        self._client.loop_start()

    @property
    def connected(self) -> bool:
        """Whether the broker hears us now."""
        return bool(self._client.is_connected())

    def _connected(self, *_: Any) -> None:
        """A broker that was away, or has forgotten, is told everything again."""
        self._client.publish(f"{self.prefix}/online", "yes", qos=1, retain=True)
        for topic, text in list(self._sent.items()):
            self._client.publish(topic, text, qos=1, retain=True)

    def show(self, state: str) -> None:
        """Send what has changed; returns at once."""
        for name, text in topics_of(json.loads(state)):
            topic = f"{self.prefix}/{name}"
            if self._sent.get(topic) != text:
                self._sent[topic] = text
                if self._client.is_connected():
                    self._client.publish(topic, text, qos=1, retain=True)

    def close(self) -> None:
        """Say goodbye, and let go."""
        if self._client.is_connected():
            said = self._client.publish(f"{self.prefix}/online", "no", qos=1, retain=True)
            said.wait_for_publish(1.0)
        self._client.disconnect()
        self._client.loop_stop()
