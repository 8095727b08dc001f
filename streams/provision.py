"""`topics apply` and `topics check`: creates what lacks, shows what drifted, never changes what is there."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from aiokafka.errors import KafkaError, TopicAlreadyExistsError, for_code

from streams.broker import connection_options
from streams.errors import Unavailable
from streams.topics import TOPICS, Names, TopicSpec, wanted_config

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from streams.settings import KafkaSettings

MOST_REPLICAS = 3


@dataclass(frozen=True, slots=True)
class Existing:
    """A topic as the brokers have it."""

    partitions: int
    config: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Missing:
    """The topic is not there."""

    name: str
    spec: TopicSpec


@dataclass(frozen=True, slots=True)
class Drifted:
    """The topic is there, and other than the table says: each difference in words."""

    name: str
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Matching:
    """The topic is as the table says."""

    name: str


Finding = Missing | Drifted | Matching


def compare(settings: KafkaSettings, existing: Mapping[str, Existing]) -> tuple[Finding, ...]:
    """What each topic of the table is to the brokers' topics. Pure."""
    names = Names.of(settings)
    return tuple(_compare_one(spec, names.topic(spec.topic), settings, existing) for spec in TOPICS)


def _compare_one(spec: TopicSpec, name: str, settings: KafkaSettings, existing: Mapping[str, Existing]) -> Finding:
    found = existing.get(name)
    if found is None:
        return Missing(name, spec)
    differences = [
        f"{key} is {found.config[key]}, wanted {wanted}"
        for key, wanted in wanted_config(spec, settings).items()
        if key in found.config and found.config[key] != wanted
    ]
    if found.partitions != settings.partitions:
        differences.insert(0, f"partitions is {found.partitions}, wanted {settings.partitions}")
    return Drifted(name, tuple(differences)) if differences else Matching(name)


@asynccontextmanager
async def admin_client(settings: KafkaSettings) -> AsyncIterator[AIOKafkaAdminClient]:
    """An admin client, closed in the end.

    Raises:
        Unavailable: no broker answers.
    """
    admin = AIOKafkaAdminClient(**connection_options(settings))
    try:
        await admin.start()
    except (KafkaError, OSError) as error:
        await admin.close()
        raise Unavailable(f"no Kafka broker answers at {settings.bootstrap_servers}") from error
    try:
        yield admin
    finally:
        await admin.close()


async def check(settings: KafkaSettings) -> tuple[Finding, ...]:
    """Compare the table with the brokers' topics."""
    async with admin_client(settings) as admin:
        return compare(settings, await _existing(admin, settings))


async def apply(settings: KafkaSettings) -> tuple[Finding, ...]:
    """Create the topics that lack, and return what was found before. Safe to run by many at once."""
    async with admin_client(settings) as admin:
        findings = compare(settings, await _existing(admin, settings))
        missing = [finding for finding in findings if isinstance(finding, Missing)]
        if missing:
            await _create(admin, settings, missing)
        return findings


async def _create(admin: AIOKafkaAdminClient, settings: KafkaSettings, missing: list[Missing]) -> None:
    replicas = settings.replication_factor or min(MOST_REPLICAS, len((await admin.describe_cluster())["brokers"]))
    response = await admin.create_topics(
        [
            NewTopic(
                finding.name,
                num_partitions=settings.partitions,
                replication_factor=replicas,
                topic_configs=wanted_config(finding.spec, settings),
            )
            for finding in missing
        ]
    )
    for name, code, *_ in response.topic_errors:
        error = for_code(code)
        if code and error is not TopicAlreadyExistsError:
            raise Unavailable(f"topic {name} could not be created: {error.__name__}")
    await _wait_until_listed(admin, {finding.name for finding in missing})


async def _wait_until_listed(admin: AIOKafkaAdminClient, names: set[str]) -> None:
    """A created topic is not at once known to every broker; a producer that comes too early would fail."""
    for _ in range(100):
        if names <= set(await admin.list_topics()):
            return
        await asyncio.sleep(0.05)
    raise Unavailable("the brokers do not list the created topics after 5 seconds")


async def _existing(admin: AIOKafkaAdminClient, settings: KafkaSettings) -> dict[str, Existing]:
    names = Names.of(settings)
    listed = set(await admin.list_topics())
    ours = [name for spec in TOPICS if (name := names.topic(spec.topic)) in listed]
    if not ours:
        return {}
    described = {topic["topic"]: len(topic["partitions"]) for topic in await admin.describe_topics(ours)}
    configs: dict[str, dict[str, str]] = {}
    for response in await admin.describe_configs([ConfigResource(ConfigResourceType.TOPIC, name) for name in ours]):
        for _code, _message, _type, name, entries in response.resources:
            configs[name] = {entry[0]: entry[1] for entry in entries}
    return {name: Existing(described[name], configs.get(name, {})) for name in ours if name in described}
