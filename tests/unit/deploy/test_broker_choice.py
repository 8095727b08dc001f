"""Which broker the tests run on: nothing is skipped where it must not be."""

from __future__ import annotations

import pytest

from deploy.kafka import jars
from tests.servers import choose_broker


@pytest.fixture(autouse=True)
def _no_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MNEMO_TEST_BROKER", raising=False)
    monkeypatch.delenv("CI", raising=False)


@pytest.mark.parametrize(("can_run", "broker"), [(True, "apache"), (False, "embedded")])
def test_apache_kafka_is_taken_where_it_can_run(monkeypatch: pytest.MonkeyPatch, can_run: bool, broker: str) -> None:
    monkeypatch.setattr(jars, "can_run", lambda: can_run)

    assert choose_broker() == broker


def test_ci_takes_apache_kafka_even_where_it_cannot_run_and_so_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jars, "can_run", lambda: False)
    monkeypatch.setenv("CI", "true")

    assert choose_broker() == "apache"


@pytest.mark.parametrize("wish", ["apache", "embedded"])
def test_a_wish_is_granted(monkeypatch: pytest.MonkeyPatch, wish: str) -> None:
    monkeypatch.setenv("MNEMO_TEST_BROKER", wish)

    assert choose_broker() == wish


def test_an_unknown_wish_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MNEMO_TEST_BROKER", "rabbit")

    with pytest.raises(ValueError, match="`apache` or `embedded`"):
        choose_broker()
