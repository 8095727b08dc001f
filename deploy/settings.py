"""All settings, read once at the root and passed down. Each is an environment variable: `MNEMO_SECTION__NAME`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from consumers.settings import CompactionSettings, ContextSettings, WindowSettings
from consumers.tokens import Vocabulary
from stores.settings import PostgresSettings
from streams.errors import Misconfigured
from streams.settings import KafkaSettings, Section

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pydantic_core import ErrorDetails


class TokenSettings(Section):
    """Counting tokens."""

    vocabulary: Vocabulary = Vocabulary.O200K
    """The vocabulary of the counter that serves where a producer gives no count."""


class EmbeddedSettings(Section):
    """What `up` and `demo` start by themselves."""

    folder: Path = Path(".mnemostream")
    """Where the embedded PostgreSQL, and the index, keep their files."""


class Settings(BaseSettings):
    """The whole."""

    model_config = SettingsConfigDict(
        env_prefix="MNEMO_", env_nested_delimiter="__", frozen=True, extra="ignore", use_attribute_docstrings=True
    )

    kafka: KafkaSettings = Field(default_factory=KafkaSettings)
    """Kafka."""
    postgres: PostgresSettings = Field(default_factory=PostgresSettings)
    """PostgreSQL."""
    window: WindowSettings = Field(default_factory=WindowSettings)
    """The recent window."""
    compaction: CompactionSettings = Field(default_factory=CompactionSettings)
    """The rolling summary."""
    context: ContextSettings = Field(default_factory=ContextSettings)
    """Building contexts."""
    tokens: TokenSettings = Field(default_factory=TokenSettings)
    """Counting tokens."""
    embedded: EmbeddedSettings = Field(default_factory=EmbeddedSettings)
    """The embedded servers."""


def load_settings() -> Settings:
    """Read the environment.

    Raises:
        Misconfigured: a variable's value is wrong. The message names the variable, never its value.
    """
    try:
        return Settings()
    except ValidationError as error:
        raise Misconfigured(_describe(error.errors(include_input=False, include_url=False))) from None


def _describe(problems: Iterable[ErrorDetails]) -> str:
    return "; ".join(
        f"{'MNEMO_' + '__'.join(str(step).upper() for step in problem['loc'])}: {problem['msg']}"
        for problem in problems
    )
