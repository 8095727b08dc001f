"""Holds a server to the life of the process that started it.

Run as a program, between the two: `python deploy/tether.py STOP_SIGNAL UID COMMAND…`. It starts the command, ends when
the command does, and takes orders of one byte, `STOP` and `KILL`, from its standard input. When that input ends, which
the kernel sees to however the starting process died, it stops the command, and kills it if that does not end it in
time. So no server outlives a killed program or test run.

A pipe does this on every Unix and from every thread; Linux's parent-death signal would follow the thread instead.
Imports the standard library alone: it is run by its path, outside the package.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

STOP = b"s"
KILL = b"k"
KEEP_USER = "-"
"""The UID argument that leaves the command with the tether's own user."""
PATIENCE_SECONDS = 20
"""How long the command may take to end by itself: a database writes its last checkpoint in this time."""


def main(arguments: list[str]) -> int:
    """Run the command to its end, and return its exit status as a shell would."""
    stop_signal, uid, *command = arguments
    user = None if uid == KEEP_USER else int(uid)
    # Whoever ends it from outside must not end it without its command. A handler is not inherited, unlike SIG_IGN.
    signal.signal(signal.SIGTERM, lambda *_: None)
    child = subprocess.Popen(  # noqa: S603 - the command is the caller's own
        command,
        stdin=subprocess.DEVNULL,
        # The lock that our starter passed on goes to the server too.
        close_fds=False,
        user=user,
        group=user,
        extra_groups=None if user is None else (),
    )
    signal.signal(signal.SIGTERM, lambda *_: child.send_signal(int(stop_signal)))
    threading.Thread(target=_obey, args=(child, int(stop_signal)), daemon=True).start()
    status = child.wait()
    return status if status >= 0 else 128 - status


def _obey(child: subprocess.Popen[bytes], stop_signal: int) -> None:
    # Not sys.stdin: a thread that waits inside it would be in the way of the interpreter's end.
    while order := os.read(sys.stdin.fileno(), 1):
        child.send_signal(signal.SIGKILL if order == KILL else stop_signal)
    child.send_signal(stop_signal)
    try:
        child.wait(PATIENCE_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
