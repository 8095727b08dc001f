"""The embedded broker: Kafka's protocol from one small program (Tansu), which keeps its records in memory.

For trying the product and for tests where Java is missing. What it holds is gone when it stops; it has no
transactions and no idempotent producer.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Self

from deploy.embedded.wheels import broker_program
from deploy.loopback import HOST, free_ports, serving_brokers
from deploy.server_process import ServerProcess

_START_SECONDS = 20
"""A start takes a tenth of a second."""
_STOP_SECONDS = 5
"""It has nothing to write at its end."""


class EmbeddedBroker:
    """A broker on the loopback address, for as long as this process lives.

    Args:
        folder: where its log goes, created where it lacks; left out, a temporary one.
        port: where it listens; left out, a free one.
    """

    def __init__(self, folder: Path | None = None, *, port: int | None = None) -> None:
        self._folder = folder
        self._temporary: tempfile.TemporaryDirectory[str] | None = None
        self._process: ServerProcess | None = None
        self.port = port if port is not None else free_ports(1)[0]

    @property
    def bootstrap(self) -> str:
        """The address, as clients want it."""
        return f"{HOST}:{self.port}"

    def start(self) -> None:
        """Start it and wait until it serves. Blocks for a tenth of a second; may be called from any thread.

        Raises:
            EmbeddedNotInstalled: the wheel is missing.
            ServerFailed: it did not start, or its folder has one running.
        """
        program = broker_program()
        address = f"tcp://{self.bootstrap}"
        command = [str(program), "broker", "--listener-url", address, "--advertised-listener-url", address]
        self._process = ServerProcess([*command, "--storage-engine", "memory://mnemostream/"], self._make_folder())
        self._process.wait_until(lambda: bool(serving_brokers(self.port)), within_seconds=_START_SECONDS)

    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.is_running()

    def stop(self) -> None:
        """Stop it. Its records are gone. Safe to call again."""
        if self._process is not None:
            self._process.stop(within_seconds=_STOP_SECONDS)
        self._forget()

    def kill(self) -> None:
        """End it as a crash would. Safe to call again."""
        if self._process is not None:
            self._process.kill()
        self._forget()

    def _make_folder(self) -> Path:
        if self._folder is not None:
            self._folder.mkdir(parents=True, exist_ok=True)
            return self._folder
        self._temporary = tempfile.TemporaryDirectory(prefix="mnemostream-broker-")
        return Path(self._temporary.name)

    def _forget(self) -> None:
        self._process = None
        if self._temporary is not None:
            self._temporary.cleanup()
            self._temporary = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
