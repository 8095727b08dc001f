"""Two families of errors decide what becomes of a record: one that will go through later, and one that never will."""

from __future__ import annotations

from aiokafka.errors import KafkaError


class MnemostreamError(Exception):
    """Everything that this product raises on purpose."""


class Unavailable(MnemostreamError):
    """A store, a broker or a model cannot be reached now. The same work may go through later."""


class Misconfigured(MnemostreamError):
    """A setting, or the state of a server, that only a person can put right."""


def is_transient(error: BaseException) -> bool:
    """Whether the same work may go through later.

    Everything else is poison: trying again gives the same error, so the record goes to the dead letters.
    """
    if isinstance(error, KafkaError):
        return bool(error.retriable)
    return isinstance(error, Unavailable | TimeoutError | ConnectionError)
