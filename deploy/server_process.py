"""A server of another project as a child process: started, waited for until it serves, stopped, killed.

Guarantees: a server ends with the process that started it, however that ends, unless it was started detached; one
folder has one server at a time, and a new one waits until the last process of the one before is gone; a server that
fails to start says why, with the end of its own log.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from deploy import tether
from streams.errors import MnemostreamError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PID_FILE = "pid"
LOG_FILE = "server.log"

_POLL_SECONDS = 0.05
_LOG_LINES = 15
HANDOVER_SECONDS = 10.0
"""How long a new server waits for the one before it in the folder: the last moments of a killed program's server."""
_KILLED_SECONDS = 10.0
"""How long the kernel may take to end a killed process: only a disk that hangs makes it wait at all."""


class ServerFailed(MnemostreamError):
    """A server could not be started, or ended by itself."""


class ServerProcess:
    """A running server.

    Args:
        command: the program and its arguments.
        folder: where its pid file and its output (`server.log`) go; its own, and there already.
        stop_signal: what asks the server to end cleanly.
        uid: the user to run as, where this process is root; None keeps the user.
        detached: the server lives on when this process ends; `stop_server_in` ends it.

    Raises:
        ServerFailed: another server is running in the folder.
    """

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        *,
        stop_signal: signal.Signals = signal.SIGTERM,
        uid: int | None = None,
        detached: bool = False,
    ) -> None:
        self._name = Path(command[0]).name
        self._log = folder / LOG_FILE
        self._stop_signal = stop_signal
        if not detached:
            # -I -S: the tether needs neither the environment's paths nor installed packages, and starts faster.
            user = tether.KEEP_USER if uid is None else str(uid)
            command = [sys.executable, "-I", "-S", tether.__file__, str(stop_signal.value), user, *command]
        with _claim(folder, within_seconds=HANDOVER_SECONDS) as pid_file, self._log.open("ab") as output:
            self._process = subprocess.Popen(  # noqa: S603 - our own commands, no shell
                command,
                stdin=subprocess.DEVNULL if detached else subprocess.PIPE,
                bufsize=0,
                stdout=output,
                stderr=output,
                # The server and all its children inherit the claim on the folder, and give it back when they are gone.
                pass_fds=[pid_file],
                # A session of its own: Ctrl-C in the terminal is for us to answer.
                start_new_session=True,
            )
            os.ftruncate(pid_file, 0)
            os.pwrite(pid_file, f"{self._process.pid}\n".encode("ascii"), 0)

    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def wait_until(self, serves: Callable[[], bool], *, within_seconds: float) -> None:
        """Wait until `serves` is true.

        Raises:
            ServerFailed: the server ended, or did not serve in time. It is ended then.
        """
        deadline = time.monotonic() + within_seconds
        while not serves():
            if not self.is_running():
                status = self._process.returncode
                self.kill()
                raise ServerFailed(self._failure(f"ended with status {status}"))
            if time.monotonic() > deadline:
                self.kill()
                raise ServerFailed(self._failure(f"did not serve within {within_seconds:g} seconds"))
            time.sleep(_POLL_SECONDS)

    def stop(self, *, within_seconds: float = tether.PATIENCE_SECONDS) -> None:
        """Ask it to end and wait for that; kill it after the given time. Safe to call again."""
        self.ask_to_stop()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(within_seconds)
        self.kill()

    def ask_to_stop(self) -> None:
        """Ask it to end, without waiting. Safe to call again."""
        self._send(tether.STOP, self._stop_signal)

    def kill(self) -> None:
        """End it at once, as a crash would, and wait until it is gone. Safe to call again."""
        self._send(tether.KILL, signal.SIGKILL)
        self._process.wait(_KILLED_SECONDS)
        if self._process.stdin is not None:
            self._process.stdin.close()

    def _send(self, order: bytes, number: signal.Signals) -> None:
        """Have it end, through the tether where there is one: the tether sees to it that nothing is left of it."""
        if not self.is_running():
            return
        if self._process.stdin is None:
            self._process.send_signal(number)
            return
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(order)

    def _failure(self, what: str) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LOG_LINES:]
        return "\n".join([f"{self._name} {what}; the end of {self._log}:", *lines])


def is_running_in(folder: Path) -> bool:
    """Whether a server that anybody started is running in the folder."""
    try:
        with _claim(folder, within_seconds=0):
            return False
    except FileNotFoundError:
        return False
    except ServerFailed:
        return True


def stop_server_in(folder: Path, *, within_seconds: float = tether.PATIENCE_SECONDS) -> None:
    """End the server that runs in the folder, if one does, whoever started it; by force after the given time.

    Raises:
        ServerFailed: it does not end.
    """
    if not is_running_in(folder):
        return
    process = int((folder / PID_FILE).read_text(encoding="ascii"))
    for number, patience in ((signal.SIGTERM, within_seconds), (signal.SIGKILL, _KILLED_SECONDS)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, number)
        with contextlib.suppress(ServerFailed), _claim(folder, within_seconds=patience):
            return
    raise ServerFailed(f"the server in {folder}, process {process}, does not end")


@contextmanager
def _claim(folder: Path, *, within_seconds: float) -> Iterator[int]:
    """The folder's pid file, locked: a lock is gone with the last process that holds the file, a number stays behind.

    Raises:
        FileNotFoundError: there is no such folder.
        ServerFailed: another server holds it, for longer than the given time.
    """
    file = os.open(folder / PID_FILE, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        deadline = time.monotonic() + within_seconds
        while not _lock(file):
            if time.monotonic() > deadline:
                holder = os.pread(file, 32, 0).decode("ascii").strip()
                raise ServerFailed(f"a server is running in {folder} already: process {holder}")
            time.sleep(_POLL_SECONDS)
        yield file
    finally:
        os.close(file)


def _lock(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
