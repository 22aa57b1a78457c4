"""The server that owns the pins and the deadline: one thread, one `poll`, absolute times.

Every turn of the loop first does what the timeline has due; requests come after it, and while an
edge is only just ahead nothing else is begun. No client can delay it: sockets never block, and a
slow client is dropped.
"""

from __future__ import annotations

import os
import select
import socket
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from companion.core.errors import PanelError
from companion.core.offers import Button, SignalEvent
from companion.core.round_clock import Running
from companion.core.ruling import Json
from hardware.panel.deadline import AbsoluteTimer, RealTime, sleep_until
from hardware.panel.panel import Keys, Manner, Wires
from hardware.panel.pins import PINS, PinPlan
from hardware.panel.sounding import Sounding
from hardware.panel.speaker import Speaker
from hardware.signals.folder import PROGRAM, Journal, SignalFolder, boot_id
from hardware.signals.protocol import (
    DEADLINE_MAX_S,
    LINE_MAX,
    PAST_MAX_S,
    PROTOCOL,
    Adopt,
    ArmRound,
    BadRequest,
    End,
    Play,
    Push,
    Recall,
    Request,
    ShowLamps,
    Stand,
    Stop,
    Told,
    Word,
    manner_fields,
    parse_request,
    request_number,
    told_fields,
    write_line,
)

# One client: what it sends, line by line, and what it is sent.

NONSENSE_MAX = 20
"""Bad lines after which a client is dropped: it speaks another language."""


class Peer:
    """A connected client."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(0.0)
        self._connection = connection
        self._received = b""
        self._nonsense = 0
        self.gone = False

    def fileno(self) -> int:
        return self._connection.fileno()

    def lines(self) -> Iterator[bytes]:
        """The whole lines that have come; a part of one waits for its end."""
        try:
            chunk = self._connection.recv(LINE_MAX)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            chunk = b""
        if not chunk:
            self.drop()
            return
        *whole, self._received = (self._received + chunk).split(b"\n")
        yield from (line for line in whole if line.strip())
        if len(self._received) > LINE_MAX:
            self.refuse(None, f"a line has at most {LINE_MAX} bytes")
            self.drop()

    def send(self, fields: Mapping[str, Json]) -> None:
        """Send a line at once, or drop the client: half a line would be worse than none."""
        self.send_line(write_line(fields))

    def send_line(self, line: bytes) -> None:
        """Send a line that is written already, to many clients at once."""
        if self.gone:
            return
        try:
            sent = self._connection.send(line, socket.MSG_NOSIGNAL)
        except OSError:
            sent = 0
        if sent < len(line):
            self.drop()

    def refuse(self, number: int | None, text: str) -> None:
        """Answer a request with why nothing was done."""
        self.send({"re": number, "refused": text})

    def nonsense(self, number: int | None, text: str) -> None:
        """Answer a line that is no request; too many, and the client is dropped."""
        self._nonsense += 1
        self.refuse(number, text)
        if self._nonsense >= NONSENSE_MAX:
            self.drop()

    def drop(self) -> None:
        """Mark it gone; `close` follows once nobody walks over the clients."""
        self.gone = True

    def close(self) -> None:
        with suppress(OSError):
            self._connection.close()


# All clients: let in, told, dropped.

PEERS_MAX = 16
"""More clients than a table has screens: a further one is turned away with a sentence."""

FULL = f"the signal process serves {PEERS_MAX} programs already: close one of them and try again"


class Peers:
    """Every connected client, registered with the server's poll as long as it stays."""

    def __init__(self, listener: socket.socket, poll: select.poll) -> None:
        self._listener = listener
        self._poll = poll
        self._peers: dict[int, Peer] = {}
        poll.register(listener.fileno(), select.POLLIN)

    def __len__(self) -> int:
        return len(self._peers)

    def __iter__(self) -> Iterator[Peer]:
        return iter(self._peers.values())

    @property
    def entrance(self) -> int:
        """The descriptor that is readable when somebody knocks."""
        return self._listener.fileno()

    def at(self, fd: int) -> Peer | None:
        """The client with that descriptor."""
        return self._peers.get(fd)

    def admit(self, hello: Mapping[str, Json]) -> None:
        """Let one client in and greet it; who has vanished already is no error."""
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        peer = Peer(connection)
        if len(self._peers) >= PEERS_MAX:
            peer.refuse(None, FULL)
            peer.close()
            return
        self._peers[peer.fileno()] = peer
        self._poll.register(peer.fileno(), select.POLLIN)
        peer.send(hello)

    def tell(self, fields: Mapping[str, Json]) -> None:
        """Send a line to all; who does not read is dropped."""
        line = write_line(fields)
        for peer in self:
            peer.send_line(line)

    def sweep(self) -> None:
        """Close the clients that are gone."""
        for fd, peer in list(self._peers.items()):
            if peer.gone:
                self._poll.unregister(fd)
                del self._peers[fd]
                peer.close()

    def close(self) -> None:
        for peer in self:
            peer.drop()
        self.sweep()
        self._listener.close()


# The server.

NEAR_S = 0.003
"""With an edge this near the server waits for it and begins nothing else."""

BEAT_S = 1.0
"""How often clients hear that the process lives, and the pins are looked at."""

EVENTS_KEPT = 256

PUSH_MIN_S = 0.03
"""The shortest push of a mock button: a finger's, long enough to settle."""


class RequestRefused(PanelError):
    """A request that is well formed but cannot be done now; nothing was changed."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How one server serves: what the system granted, how long it waits unneeded, on which pins."""

    real_time: RealTime
    linger_s: float = 30.0
    plan: PinPlan = PINS


class SignalServer:
    """Serves one panel in one folder until nobody needs it any more."""

    def __init__(self, wires: Wires, folder: SignalFolder, speaker: Speaker, terms: Terms) -> None:
        self._wires = wires
        self._speaker = speaker
        self._terms = terms
        self._boot = boot_id()
        self._sounding = Sounding(wires, speaker)
        self._journal = Journal(folder.journal, self._boot)
        self._keys = Keys()
        self._pushed: dict[Button, float] = {}  # mock buttons held down, until when
        self._events: deque[tuple[int, dict[str, Json]]] = deque(maxlen=EVENTS_KEPT)
        self._seq = 0
        self._beat_at = time.monotonic()
        self._needed_at = self._beat_at
        self._ended = False
        self._timer = AbsoluteTimer()
        self._poll = select.poll()
        self._poll.register(self._timer.fileno(), select.POLLIN)
        self._poll.register(self._keys.fileno(), select.POLLIN)
        self._peers = Peers(folder.listen(), self._poll)
        wires.on_edge = self._keys.take

    # --- The loop ---------------------------------------------------------------------------------

    def run(self) -> None:
        """Serve until the end is asked for, or nobody was connected for as long as the terms say.

        An armed round is served to its zero whether anybody is connected or not.
        """
        self._write("began", {"pid": os.getpid(), "pins": self._wires.factory})
        while not self._ended:
            self._timer.set(self._wakes_at())
            ready = self._poll.poll()  # no time-out: the timer wakes it, to a tenth of a ms
            self._keep_time()
            for fd, _ in ready:
                self._serve(fd)
            self._keep_time()
            self._look_after()
            self._peers.sweep()

    def end(self) -> None:
        """Leave the loop at its next turn."""
        self._ended = True

    def close(self) -> None:
        """Silence everything and let go of pins, socket and journal."""
        self._write("ended", {"pid": os.getpid()})
        self._wires.close()
        self._peers.close()
        self._keys.close()
        self._timer.close()
        self._journal.close()
        self._speaker.close()

    def _wakes_at(self) -> float:
        times = (self._sounding.next_at, self._keys.wakes_at, *self._pushed.values())
        return min([self._beat_at + BEAT_S, *(at for at in times if at is not None)])

    def _keep_time(self) -> None:
        """Do what is due; with an edge only just ahead, wait for it."""
        while (at := self._sounding.next_at) is not None and at - time.monotonic() < NEAR_S:
            sleep_until(at)
            for event in self._sounding.perform():
                self._tell(event)

    def _serve(self, fd: int) -> None:
        if fd == self._timer.fileno():
            self._timer.fired()
        elif fd == self._keys.fileno():
            self._tell_all(self._keys.read())
        elif fd == self._peers.entrance:
            self._peers.admit(self._hello())
        elif (peer := self._peers.at(fd)) is not None:
            for line in peer.lines():
                self._keep_time()
                self._answer(peer, line)

    def _look_after(self) -> None:
        """The buttons, the beat, and whether anybody still needs this process."""
        now = time.monotonic()
        for button, until in list(self._pushed.items()):
            if until <= now:
                del self._pushed[button]
                self._wires.push(button, down=False)
        wakes_at, beat = self._keys.wakes_at, now - self._beat_at >= BEAT_S
        if beat or (wakes_at is not None and wakes_at <= now):
            self._tell_all(self._keys.look(self._wires.levels(), now))
        if self._peers or self._sounding.busy:
            self._needed_at = now
        elif now - self._needed_at >= self._terms.linger_s:
            self.end()
        if beat:
            self._beat_at = now
            self._peers.tell({"beat": now, "state": self._state()})

    # --- Telling ----------------------------------------------------------------------------------

    def _tell_all(self, told: Sequence[Told]) -> None:
        for item in told:
            self._tell(item)

    def _tell(self, told: Told) -> None:
        self._broadcast(told_fields(told))

    def _broadcast(self, fields: dict[str, Json]) -> None:
        """To every client, to those that ask later, and to the journal; in this order."""
        self._seq += 1
        line = {"seq": self._seq, **fields}
        self._events.append((self._seq, line))
        self._peers.tell(line)
        self._journal.append(line)

    def _write(self, word: str, fields: dict[str, Json]) -> None:
        self._journal.append({"event": word, "at": time.monotonic(), **fields})

    def _hello(self) -> dict[str, Json]:
        hello: dict[str, Json] = {
            "protocol": PROTOCOL,
            "pid": os.getpid(),
            "boot": self._boot,
            "program": PROGRAM,
            "pins": self._wires.factory,
            "plan": self._terms.plan.to_json(),
            "real_time": self._terms.real_time.first,
            "in_memory": self._terms.real_time.in_memory,
            "note": self._terms.real_time.note,
            "seq": self._seq,
        }
        return {"hello": hello, "state": self._state()}

    def _state(self) -> dict[str, Json]:
        faults: dict[str, Json] = {str(key): str(why) for key, why in self._keys.faults.items()}
        return {
            "speaker": self._speaker.player,
            **manner_fields(self._sounding.manner),
            "lamps": list(self._sounding.lamps),
            "trouble": self._sounding.trouble or self._journal.trouble,
            "faults": faults,
            "clients": len(self._peers),
        }

    # --- Requests ---------------------------------------------------------------------------------

    def _answer(self, peer: Peer, line: bytes) -> None:
        try:
            number, request = parse_request(line)
        except BadRequest as error:
            peer.nonsense(request_number(line), str(error))
            return
        try:
            peer.send({"re": number, "ok": self._done(request)})
        except PanelError as error:
            peer.refuse(number, str(error))

    def _done(self, request: Request) -> dict[str, Json]:
        match request:
            case Adopt():
                armed = _running_fields(self._sounding.running)
                return {"round": armed, "clients": len(self._peers)}
            case Recall(since):
                return {"events": [line for seq, line in self._events if seq > since]}
            case Play(sound):
                return {"sounded": self._sounding.sound(sound)}
            case Stop(hold):
                return self._stop(hold=hold)
            case _:
                self._do(request)
        return {}

    def _do(self, request: Request) -> None:
        """What is answered by nothing but that it was done."""
        match request:
            case ArmRound():
                self._arm(request)
            case Stand(round_id, rest_s):
                self._tell(self._sounding.stand(round_id, rest_s))
            case ShowLamps(lamps):
                self._sounding.show(lamps)
            case Push(button, held_s):
                self._push(button, held_s)
            case Manner():
                self._set_manner(request)
            case End():
                self._asked_to_end()
            case _:
                raise AssertionError(request)

    def _arm(self, request: ArmRound) -> None:
        if request.boot != self._boot:
            raise RequestRefused("the deadline is of another boot: its seconds mean nothing here")
        ahead = request.deadline - time.monotonic()
        if not -PAST_MAX_S <= ahead <= DEADLINE_MAX_S:
            raise RequestRefused(
                f"the deadline lies {ahead:.1f} s ahead; {-PAST_MAX_S:g} to {DEADLINE_MAX_S:g} can "
                "be armed: is it CLOCK_MONOTONIC?"
            )
        running = self._sounding.running
        if running is not None and running.round_id != request.round_id:
            raise RequestRefused(
                f"{running.round_id} is armed and another client may wait for it: adopt or stop "
                f"it before arming {request.round_id}"
            )
        armed = Running(request.round_id, request.deadline, request.total_s)
        self._tell(self._sounding.arm(armed, request.cues))

    def _stop(self, *, hold: bool) -> dict[str, Json]:
        event: SignalEvent | None = self._sounding.stop(hold=hold)
        if event is None:
            return {"rest_s": 0.0, "stopped": None}
        self._tell(event)
        return {"rest_s": event.rest_s, "stopped": event.round_id}

    def _push(self, button: Button, held_s: float) -> None:
        self._wires.push(button, down=True)
        self._pushed[button] = time.monotonic() + max(held_s, PUSH_MIN_S)

    def _set_manner(self, manner: Manner) -> None:
        self._sounding.manner = manner
        said: dict[str, Json] = {"event": Word.MANNER, **manner_fields(manner)}
        self._broadcast({**said, "at": time.monotonic()})

    def _asked_to_end(self) -> None:
        running = self._sounding.running
        if running is not None:
            raise RequestRefused(f"{running.round_id} is armed: stop it first")
        self.end()


def _running_fields(running: Running | None) -> dict[str, Json] | None:
    if running is None:
        return None
    return {
        "round_id": running.round_id,
        "deadline": running.deadline,
        "total_s": running.total_s,
    }
