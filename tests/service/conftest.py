"""A service of this process, whose engines find ages by rules alone."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

ADDRESS = "http://127.0.0.1:8765"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow what drives a browser."""
    for item in items:
        if "opened" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def engines(age_pack: Path) -> Any:
    """Engines that are built once for all tests."""
    from presidio_cdip.presidio.rest import RestEngines

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRESIDIO_CDIP_PACK", str(age_pack))
        patch.setenv("PRESIDIO_CDIP_MODEL", "none")
        built = RestEngines()
        built.warm_up()
    return built


@pytest.fixture
def client(engines: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Starts a service with the options of `Configuration`; it is closed after the test."""
    from starlette.testclient import TestClient

    from presidio_cdip.service.app import create_app
    from presidio_cdip.service.configuration import Configuration
    from presidio_cdip.service.presidio_api import BackgroundEngines

    monkeypatch.setattr(BackgroundEngines, "_built", lambda _: engines)
    with ExitStack() as stack:

        def started(**options: Any) -> TestClient:
            app = create_app(Configuration(**options))
            return stack.enter_context(TestClient(app, base_url=ADDRESS))

        yield started
