"""`python -m deploy.kafka`: a broker, or three, for a person. Lives on until `stop`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from deploy.kafka import jars
from deploy.kafka.cluster import Cluster, read_nodes, stop_detached
from streams.errors import MnemostreamError

DEFAULT_FOLDER = Path(".mnemostream/kafka")
DEFAULT_PORT = 9092


def main() -> int:
    """Run the command line; returns the exit status."""
    arguments = _parser().parse_args()
    try:
        return int(arguments.action(arguments))
    except MnemostreamError as error:
        print(error, file=sys.stderr)  # noqa: T201 - it is what a command line is for
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m deploy.kafka", description=__doc__)
    actions = parser.add_subparsers(required=True)
    for name, action, told in (
        ("start", _start, "start the cluster and leave it running"),
        ("stop", _stop, "stop it; its records stay in the folder"),
        ("status", _status, "say which nodes answer; exit status 3 when not all do"),
    ):
        command = actions.add_parser(name, help=told)
        command.set_defaults(action=action)
        command.add_argument("--folder", type=Path, default=DEFAULT_FOLDER, help="default: %(default)s")
        if name == "start":
            command.add_argument("--nodes", type=int, choices=(1, 3), default=1, help="default: %(default)s")
            command.add_argument(
                "--port", type=int, default=DEFAULT_PORT, help="of the first node; default: %(default)s"
            )
    actions.add_parser("jars", help="see that Java is here, and bring the jars").set_defaults(action=_jars)
    return parser


def _start(arguments: argparse.Namespace) -> int:
    folder: Path = arguments.folder
    cluster = Cluster(folder, nodes=arguments.nodes, first_port=arguments.port, detached=True)
    if not cluster.serving():
        cluster.start()
    _say(f"Apache Kafka {jars.version()} serves at {cluster.bootstrap}")
    _say(f"its folder is {folder}; stop it with: python -m deploy.kafka stop --folder {folder}")
    return 0


def _stop(arguments: argparse.Namespace) -> int:
    if read_nodes(arguments.folder) is None:
        _say(f"there is no cluster in {arguments.folder}")
        return 0
    stop_detached(arguments.folder)
    _say("stopped")
    return 0


def _status(arguments: argparse.Namespace) -> int:
    nodes = read_nodes(arguments.folder)
    if nodes is None:
        _say(f"there is no cluster in {arguments.folder}")
        return 3
    serving = Cluster(arguments.folder).serving()
    for node in nodes:
        _say(f"node {node.id} at port {node.port}: {'serves' if node.id in serving else 'does not answer'}")
    return 0 if len(serving) == len(nodes) else 3


def _jars(_: argparse.Namespace) -> int:
    jars.java()
    _say(f"the jars of Apache Kafka {jars.version()} are in {jars.ensure()}")
    return 0


def _say(words: str) -> None:
    print(words)  # noqa: T201 - it is what a command line is for


if __name__ == "__main__":
    sys.exit(main())
