"""How FastStream's broker and aiokafka's clients are set up: one place, so that no consumer differs by accident."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING, Any

from aiokafka import AIOKafkaProducer
from faststream.kafka import KafkaBroker
from faststream.security import BaseSecurity, SASLPlaintext, SASLScram256, SASLScram512

from streams.errors import Misconfigured
from streams.topics import DEAD_LETTER_ROOM

if TYPE_CHECKING:
    from streams.settings import KafkaSettings

MAX_BATCH_BYTES = 256 * 1024
"""A producer's batch: large enough that a journaled batch is one request for each partition."""


def servers(settings: KafkaSettings) -> str:
    """The brokers' addresses.

    Raises:
        Misconfigured: none are named.
    """
    if settings.bootstrap_servers is None:
        raise Misconfigured(
            "no Kafka is named: set MNEMO_KAFKA__BOOTSTRAP_SERVERS, or use `up` with the embedded broker"
        )
    return settings.bootstrap_servers


def connection_options(settings: KafkaSettings) -> dict[str, Any]:
    """What every aiokafka client needs to connect."""
    options: dict[str, Any] = {
        "bootstrap_servers": servers(settings),
        "security_protocol": settings.security_protocol,
    }
    if settings.security_protocol.endswith("SSL"):
        options["ssl_context"] = ssl.create_default_context(cafile=settings.ssl_cafile)
    if settings.sasl_password is not None:
        options["sasl_mechanism"] = settings.sasl_mechanism
        options["sasl_plain_username"] = settings.sasl_username
        options["sasl_plain_password"] = settings.sasl_password.get_secret_value()
    return options


def make_producer(settings: KafkaSettings) -> AIOKafkaProducer:
    """A producer that waits for all replicas. The caller starts and stops it."""
    return AIOKafkaProducer(
        **connection_options(settings),
        acks="all",
        enable_idempotence=settings.idempotent_producer,
        max_request_size=settings.max_record_bytes * DEAD_LETTER_ROOM,
        max_batch_size=MAX_BATCH_BYTES,
        compression_type=None,
        request_timeout_ms=15_000,
    )


def make_broker(settings: KafkaSettings) -> KafkaBroker:
    """FastStream's broker for subscribers; what is published goes through `streams.publisher`."""
    return KafkaBroker(
        servers(settings).split(","),
        security=_security(settings),
        allow_auto_create_topics=False,
        graceful_timeout=settings.drain_seconds,
        acks="all",
        logger=None,
    )


def subscription_options(settings: KafkaSettings) -> dict[str, Any]:
    """What every subscriber of a group shares."""
    return {
        "auto_offset_reset": "earliest",
        "fetch_max_wait_ms": settings.fetch_wait_ms,
        "max_partition_fetch_bytes": settings.max_record_bytes,
        "max_poll_interval_ms": int(settings.max_poll_interval_seconds * 1000),
        "session_timeout_ms": int(settings.session_timeout_seconds * 1000),
        "rebalance_timeout_ms": int(settings.rebalance_timeout_seconds * 1000),
    }


def _security(settings: KafkaSettings) -> BaseSecurity | None:
    if settings.security_protocol == "PLAINTEXT":
        return None
    use_ssl = settings.security_protocol.endswith("SSL")
    context = ssl.create_default_context(cafile=settings.ssl_cafile) if use_ssl else None
    if settings.sasl_password is None or settings.sasl_username is None:
        return BaseSecurity(ssl_context=context, use_ssl=use_ssl)
    mechanism = {"PLAIN": SASLPlaintext, "SCRAM-SHA-256": SASLScram256, "SCRAM-SHA-512": SASLScram512}[
        settings.sasl_mechanism
    ]
    return mechanism(settings.sasl_username, settings.sasl_password.get_secret_value(), context, use_ssl)
