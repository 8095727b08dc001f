"""Settings of the stores."""

from __future__ import annotations

from pydantic import Field, SecretStr

from streams.settings import Section


class PostgresSettings(Section):
    """PostgreSQL: where it is, and the bounds of its pool."""

    dsn: SecretStr | None = None
    """`postgresql://user:password@host:port/database`. Left out, `up` and `demo` start the embedded server."""
    pool_min: int = Field(default=1, ge=1)
    """Connections that each consumer keeps open."""
    pool_max: int = Field(default=8, ge=1)
    """The most connections of each consumer."""
    connect_timeout_seconds: float = Field(default=5.0, gt=0)
    """How long connecting may take before the server counts as unreachable."""
    statement_timeout_seconds: float = Field(default=30.0, gt=0)
    """How long one statement may take before it counts as failed."""
