"""The clients of the signal process together: let in, told, dropped."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator, Mapping

from companion.offers import Json
from hardware.signal_peer import Peer
from hardware.signal_protocol import write_line

PEERS_MAX = 16
"""More clients than a table has screens: a further one is turned away with a sentence."""


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
            peer.refuse(None, f"{PEERS_MAX} clients are connected already: close one")
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
