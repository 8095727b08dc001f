"""Settings of Kafka: where it is, how topics and groups are named, and every bound on waiting."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, model_validator

MEBIBYTE = 1024 * 1024


class Section(BaseModel):
    """A group of settings: frozen, described, and strict about names it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class KafkaSettings(Section):
    """Kafka: addresses, names and bounds."""

    bootstrap_servers: str | None = None
    """Comma-separated `host:port`. Left out, `up` and `demo` start the embedded broker."""
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    """How connections are protected."""
    sasl_mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "SCRAM-SHA-512"
    """How the client proves who it is, where the protocol is a SASL one."""
    sasl_username: str | None = None
    """The SASL user."""
    sasl_password: SecretStr | None = None
    """The SASL password."""
    ssl_cafile: str | None = None
    """A PEM file of the authorities to trust; left out, the system's."""

    topic_prefix: str = "memory."
    """What every topic's name starts with."""
    group_prefix: str = "mnemostream."
    """What every consumer group's name starts with."""
    partitions: int = Field(default=12, ge=1, le=10_000)
    """Partitions of a topic that `topics apply` creates: the bound on a group's parallel consumers."""
    replication_factor: int | None = Field(default=None, ge=1)
    """Copies of a topic that `topics apply` creates; left out, three, or as many as there are brokers."""
    max_record_bytes: int = Field(default=4 * MEBIBYTE, ge=1024)
    """The largest record on `turns` and the reply topics: sets topic, producer and consumer together."""
    idempotent_producer: bool = True
    """Lets the broker drop a producer's own retries. The embedded broker cannot; there it is off."""

    fetch_wait_ms: int = Field(default=500, ge=1)
    """How long a broker may hold a fetch that has nothing yet. It answers as soon as there is something."""
    batch_records: int = Field(default=1_000, ge=1)
    """The most records that one batch holds."""
    batch_poll_ms: int = Field(default=20, ge=1)
    """How long an idle batch consumer waits between looks; half of it is the mean delay of a lone record."""
    in_flight: int = Field(default=64, ge=1)
    """Requests, or background passes, that one consumer works on at the same time."""
    commit_interval_seconds: float = Field(default=1.0, gt=0)
    """How often finished requests and passes are committed."""
    request_timeout_seconds: float = Field(default=10.0, gt=0)
    """How long a requester waits for its reply, where it names no deadline."""
    retry_seconds: float = Field(default=60.0, gt=0)
    """How long a batch is retried while a store is down before it goes back to the log, to be fetched again."""
    drain_seconds: float = Field(default=20.0, gt=0)
    """How long a stop or a rebalance waits for work in hand. The rest is done again by the next owner."""
    session_timeout_seconds: float = Field(default=20.0, gt=0)
    """How long the group waits for a silent consumer before its partitions go to another."""
    rebalance_timeout_seconds: float = Field(default=40.0, gt=0)
    """How long a rebalance waits for a consumer to finish what it has in hand."""
    max_poll_interval_seconds: float = Field(default=300.0, gt=0)
    """How long a batch may take before the group takes the consumer for dead."""

    @model_validator(mode="after")
    def _bounds_nest(self) -> Self:
        if not self.drain_seconds < self.rebalance_timeout_seconds:
            msg = "drain_seconds must be below rebalance_timeout_seconds: a rebalance must outlast the drain"
            raise ValueError(msg)
        if not self.retry_seconds < self.max_poll_interval_seconds:
            msg = "retry_seconds must be below max_poll_interval_seconds: a batch must end before the group gives up"
            raise ValueError(msg)
        if self.security_protocol.startswith("SASL") and (self.sasl_username is None or self.sasl_password is None):
            msg = f"security_protocol {self.security_protocol} needs sasl_username and sasl_password"
            raise ValueError(msg)
        return self
