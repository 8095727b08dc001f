"""The embedded PostgreSQL: a server of its own in a folder, reached by a Unix socket alone.

Guarantees: what was committed is there after a stop, a kill or a crash of the program, at the next start on the same
folder; nobody reaches the server who may not enter its folder.
"""

from __future__ import annotations

import logging
import os
import shutil
import signal
import stat
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Self
from urllib.parse import quote

from deploy.embedded.wheels import postgres_programs
from deploy.server_process import ServerFailed, ServerProcess

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = logging.getLogger(__name__)

SETTINGS: Mapping[str, str] = {
    # No port: the socket's folder is the lock on the door, and no other server can be in the way.
    "listen_addresses": "",
    # Six consumers and the requests, each with a small pool, in one process.
    "max_connections": "100",
    "shared_buffers": "128MB",
    # Compiling costs more than our short statements take.
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
    # A commit that waits half a minute for a lock is a fault to be seen, and its caller has a deadline of its own.
    "lock_timeout": "30s",
    "idle_in_transaction_session_timeout": "60s",
}
FAST_SETTINGS: Mapping[str, str] = {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "off"}
"""For tests: data survives a kill of the server still, but not a loss of power."""

_SUPERUSER = "postgres"
_UNPRIVILEGED_UID = 65534
"""`nobody`: PostgreSQL refuses to run as root."""
_LONGEST_SOCKET_PATH = 100
"""The kernel's bound is 107 bytes on Linux and 103 on macOS."""
_INITDB_SECONDS = 120
_START_SECONDS = 120
"""A start takes a tenth of a second, and after a crash as long as the recovery of a few seconds' writes."""


class EmbeddedPostgres:
    """A PostgreSQL server in a folder, for as long as this process lives.

    Args:
        folder: the database's place, created where it lacks. Run as root, it becomes the user `nobody`'s, and the
            folders above it are opened to pass through (not to be listed) where they were not.
        fast: skip the waits for the disk, which only a loss of power would need.
    """

    def __init__(self, folder: Path, *, fast: bool = False) -> None:
        self._folder = folder.resolve()
        self._data = self._folder / "data"
        self._settings = {**SETTINGS, **(FAST_SETTINGS if fast else {})}
        self._uid = _UNPRIVILEGED_UID if os.geteuid() == 0 else None
        self._sockets = self._folder / "socket"
        self._process: ServerProcess | None = None

    def start(self) -> None:
        """Start it and wait until it serves. Blocks for a second or two at the first start; works from any thread.

        Raises:
            EmbeddedNotInstalled: the wheel is missing.
            ServerFailed: it did not start, or its folder has one running.
        """
        programs = postgres_programs()
        self._make_folders(programs)
        if not self._data.exists():
            self._initialise(programs)
        settings = [f"--{name}={value}" for name, value in self._settings.items()]
        sockets = f"--unix_socket_directories={self._sockets}"
        self._process = ServerProcess(
            [str(programs / "postgres"), "-D", str(self._data), sockets, *settings],
            self._folder,
            # "Fast shutdown": open transactions are rolled back, connections closed, a checkpoint written.
            stop_signal=signal.SIGINT,
            uid=self._uid,
        )
        self._process.wait_until(lambda: self._answers(programs), within_seconds=_START_SECONDS)

    def dsn(self, database: str = _SUPERUSER) -> str:
        """The address of a database on the running server, for asyncpg and libpq."""
        return f"postgresql://{_SUPERUSER}@/{quote(database, safe='')}?host={quote(str(self._sockets))}"

    def is_running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._process is not None and self._process.is_running()

    def stop(self) -> None:
        """Stop it; connections are closed. Safe to call again."""
        if self._process is not None:
            self._process.stop()
        self._forget()

    def kill(self) -> None:
        """End it as a crash would. Safe to call again."""
        if self._process is not None:
            self._process.kill()
        self._forget()

    def _make_folders(self, programs: Path) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        if len(os.fsencode(self._folder / "socket" / ".s.PGSQL.5432")) > _LONGEST_SOCKET_PATH:
            self._sockets = Path(tempfile.mkdtemp(prefix="mnemostream-"))
        self._sockets.mkdir(mode=0o700, exist_ok=True)
        if self._uid is not None:
            os.chown(self._folder, self._uid, self._uid)
            os.chown(self._sockets, self._uid, self._uid)
            for place in (self._folder, self._sockets, programs):
                _open_way_to(place)

    def _initialise(self, programs: Path) -> None:
        """Make the database aside and move it into place, so that an interrupted start leaves no half of one."""
        unfinished = self._folder / "data.unfinished"
        shutil.rmtree(unfinished, ignore_errors=True)
        locale = ("--encoding=UTF8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C")
        made = subprocess.run(  # noqa: S603 - our own command, no shell
            [programs / "initdb", "-D", unfinished, "-U", _SUPERUSER, "--auth=trust", *locale, "--no-instructions"],
            capture_output=True,
            text=True,
            timeout=_INITDB_SECONDS,
            check=False,
            cwd=self._folder,
            user=self._uid,
            group=self._uid,
            extra_groups=None if self._uid is None else (),
        )
        if made.returncode != 0:
            raise ServerFailed(f"PostgreSQL could not make its database in {self._folder}:\n{made.stdout}{made.stderr}")
        unfinished.rename(self._data)

    def _answers(self, programs: Path) -> bool:
        command = [str(programs / "pg_isready"), "--quiet", "--timeout=1", f"--host={self._sockets}"]
        command += [f"--username={_SUPERUSER}", f"--dbname={_SUPERUSER}"]
        return subprocess.run(command, check=False).returncode == 0  # noqa: S603 - our own command, no shell

    def _forget(self) -> None:
        self._process = None
        if self._sockets.parent != self._folder:
            shutil.rmtree(self._sockets, ignore_errors=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def _open_way_to(place: Path) -> None:
    """Let other users pass through the folders above `place`, without letting them list what is there."""
    for folder in place.parents:
        mode = folder.stat().st_mode
        if not mode & stat.S_IXOTH:
            logger.warning(
                "folder opened for others to pass through", extra={"action": "open_folder", "folder": folder}
            )
            folder.chmod(stat.S_IMODE(mode) | stat.S_IXOTH)
