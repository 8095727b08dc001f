"""The jars of the Apache Kafka server and the Java that runs them: found, or brought by Maven, or a clear word."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

from streams.errors import MnemostreamError

POM = Path(__file__).with_name("pom.xml")
LIBS = Path(__file__).with_name("libs")
JAVA_NEEDED = 17

_MAVEN_SECONDS = 600
"""The jars are 44 MB: ten minutes serve a slow connection."""
_JAVA_SECONDS = 30


class KafkaNotInstalled(MnemostreamError):
    """Java, Maven or the server's jars are missing: Apache Kafka cannot run here."""


def java() -> str:
    """The path of a Java that runs the server.

    Raises:
        KafkaNotInstalled: there is none, or it is too old.
    """
    home = os.environ.get("JAVA_HOME")
    program = f"{home}/bin/java" if home else shutil.which("java")
    if program is None:
        raise KafkaNotInstalled(f"Apache Kafka needs Java {JAVA_NEEDED} or newer, and there is no `java` here")
    version = _java_version(program)
    if version is None:
        raise KafkaNotInstalled(f"Apache Kafka needs Java {JAVA_NEEDED} or newer, and {program} does not run")
    if version < JAVA_NEEDED:
        raise KafkaNotInstalled(f"Apache Kafka needs Java {JAVA_NEEDED} or newer, and {program} is Java {version}")
    return program


def ensure() -> Path:
    """The folder with the server's jars, filled by Maven where they lack.

    Raises:
        KafkaNotInstalled: they lack, and Maven is missing or cannot bring them.
    """
    if are_there():
        return LIBS
    maven = shutil.which("mvn")
    if maven is None:
        raise KafkaNotInstalled(f"the jars of Apache Kafka are not in {LIBS}, and there is no `mvn` here to bring them")
    shutil.rmtree(LIBS, ignore_errors=True)
    brought = subprocess.run(  # noqa: S603 - a fixed command, no shell
        [maven, "-B", "-q", "-f", str(POM), "package"],
        capture_output=True,
        text=True,
        timeout=_MAVEN_SECONDS,
        check=False,
    )
    if brought.returncode != 0 or not are_there():
        raise KafkaNotInstalled(f"Maven could not bring the jars of Apache Kafka:\n{brought.stdout}{brought.stderr}")
    return LIBS


def are_there() -> bool:
    """Whether the jars of the version that the POM names are in place."""
    return (LIBS / f"kafka-server-{version()}.jar").is_file()


def can_run() -> bool:
    """Whether Java is here, and the jars are or Maven can be asked for them."""
    try:
        java()
    except KafkaNotInstalled:
        return False
    return are_there() or shutil.which("mvn") is not None


def version() -> str:
    """The version of Apache Kafka that the POM names."""
    found = ET.parse(POM).findtext("{*}properties/{*}kafka.version")  # noqa: S314 - our own file
    if found is None:
        raise KafkaNotInstalled(f"{POM} names no kafka.version")
    return found


def _java_version(program: str) -> int | None:
    """The first number of the version; None where the program does not tell one."""
    try:
        told = subprocess.run(  # noqa: S603 - a fixed command, no shell
            [program, "-version"], capture_output=True, text=True, timeout=_JAVA_SECONDS, check=False
        )
    except OSError:
        return None
    found = re.search(r'version "(\d+)', told.stderr)
    return int(found.group(1)) if found else None
