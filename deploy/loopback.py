"""Ports of this machine alone, and whether a Kafka broker serves on one.

The question is asked in Kafka's own protocol, by hand and without a client: a port that merely accepts connections
says nothing about a broker that is still joining its cluster.
"""

from __future__ import annotations

import random
import socket
import struct

HOST = "127.0.0.1"
PORTS = range(20_000, 30_000)
"""Below the range from which the kernel takes ports for outgoing connections, so that a server that is stopped and
started again finds its port free."""

_METADATA = 3
_METADATA_VERSION = 1
_PROBE_SECONDS = 2.0
"""A healthy broker answers at once; one that does not within this time is asked again by the caller."""


def free_ports(count: int) -> list[int]:
    """Different ports that nobody listens on now.

    Raises:
        OSError: there are not so many.
    """
    found: list[int] = []
    for port in random.sample(PORTS, len(PORTS)):
        if len(found) == count:
            return found
        if is_free(port):
            found.append(port)
    raise OSError(f"fewer than {count} free ports between {PORTS.start} and {PORTS.stop}")


def is_free(port: int) -> bool:
    """Whether a server could listen on the port now."""
    with socket.socket() as candidate:
        # Servers set this too: without it a port would look taken for a minute after its server stopped.
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind((HOST, port))
        except OSError:
            return False
    return True


def serving_brokers(port: int) -> frozenset[int]:
    """The ids of the brokers that the broker on the port knows to be serving; empty while it does not answer."""
    try:
        with socket.create_connection((HOST, port), timeout=_PROBE_SECONDS) as connection:
            connection.sendall(_metadata_request())
            (length,) = struct.unpack(">i", _receive(connection, 4))
            return _broker_ids(_receive(connection, length))
    except (OSError, EOFError, struct.error):
        return frozenset()


def _metadata_request() -> bytes:
    client = b"probe"
    header = struct.pack(">hhih", _METADATA, _METADATA_VERSION, 0, len(client)) + client
    no_topics = struct.pack(">i", 0)
    return struct.pack(">i", len(header) + len(no_topics)) + header + no_topics


def _receive(connection: socket.socket, length: int) -> bytes:
    received = bytearray()
    while len(received) < length:
        part = connection.recv(length - len(received))
        if not part:
            raise EOFError
        received += part
    return bytes(received)


def _broker_ids(response: bytes) -> frozenset[int]:
    """The ids out of a Metadata response: after the correlation id, an array of (id, host, port, rack)."""
    (count,) = struct.unpack_from(">i", response, 4)
    ids = []
    offset = 8
    for _ in range(count):
        broker, host_length = struct.unpack_from(">ih", response, offset)
        ids.append(broker)
        offset += 6 + host_length + 4
        (rack_length,) = struct.unpack_from(">h", response, offset)
        offset += 2 + max(rack_length, 0)
    return frozenset(ids)
