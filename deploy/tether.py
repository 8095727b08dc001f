"""Holds a server to the life of the process that started it.

Run as a program, between the two: `python deploy/tether.py SIGNAL UID COMMAND…`. It starts the command and ends when
the command does. When its standard input ends, which the kernel sees to however the starting process died, it sends
the command SIGNAL and, if that does not end it in time, kills it. So no server outlives a killed program or test run.

A pipe does this on every Unix and from every thread; Linux's parent-death signal would follow the thread instead.
Imports the standard library alone: it is run by its path, outside the package.
"""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

PATIENCE_SECONDS = 20
"""How long the command may take to end by itself: a database writes its last checkpoint in this time."""
KEEP_USER = "-"
"""The UID argument that leaves the command with the tether's own user."""


def main(arguments: list[str]) -> int:
    """Run the command to its end, and return its exit status as a shell would."""
    stop_signal, uid, *command = arguments
    # A stop is sent to the whole process group. It is the command's to answer; a handler, other than SIG_IGN, is not
    # inherited by the command.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: None)
    user = None if uid == KEEP_USER else int(uid)
    child = subprocess.Popen(  # noqa: S603 - the command is the caller's own
        command,
        stdin=subprocess.DEVNULL,
        # The lock that our starter passed on goes to the server too.
        close_fds=False,
        user=user,
        group=user,
        extra_groups=None if user is None else (),
    )
    threading.Thread(target=_end_with_parent, args=(child, int(stop_signal)), daemon=True).start()
    status = child.wait()
    return status if status >= 0 else 128 - status


def _end_with_parent(child: subprocess.Popen[bytes], stop_signal: int) -> None:
    sys.stdin.buffer.read()
    child.send_signal(stop_signal)
    try:
        child.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
