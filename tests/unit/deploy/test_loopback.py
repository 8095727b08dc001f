from __future__ import annotations

import socket
from threading import Thread

import pytest

from deploy.loopback import HOST, PORTS, free_ports, is_free, serving_brokers


def test_free_ports_are_different_and_free() -> None:
    ports = free_ports(20)

    assert len(set(ports)) == 20
    assert all(port in PORTS and is_free(port) for port in ports)


def test_a_port_that_nobody_listens_on_has_no_brokers() -> None:
    assert serving_brokers(free_ports(1)[0]) == frozenset()


@pytest.mark.parametrize("answer", [b"", b"\x00\x00", b"\x00\x00\x00\x08" + b"\x00" * 4 + b"\x00\x00\x00\x05"])
def test_a_port_that_answers_otherwise_than_a_broker_has_no_brokers(answer: bytes) -> None:
    with socket.create_server((HOST, 0)) as server:
        thread = Thread(target=_answer_one, args=(server, answer))
        thread.start()
        assert serving_brokers(server.getsockname()[1]) == frozenset()
        thread.join()


def _answer_one(server: socket.socket, answer: bytes) -> None:
    connection, _ = server.accept()
    with connection:
        connection.recv(1024)
        connection.sendall(answer)
