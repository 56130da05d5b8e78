"""The Dockerfile, of which a build needs an engine and a network that tests do not have."""

import json
import re
import subprocess
import sys
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.checkout


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile, each with its arguments on one line."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    lines = filter(None, re.sub(r"\\\n\s*", "", text).splitlines())
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def test_it_is_made_of_instructions() -> None:
    """`docker build .` looks for a file of this name, and starts with FROM."""
    known = ["FROM", "COPY", "RUN", "ENV", "USER", "WORKDIR", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"]
    found = [word for word, _ in instructions()]

    assert found[0] == "FROM"
    assert set(found) == set(known)


def test_the_context_has_what_the_wheel_is_built_from() -> None:
    """What .dockerignore leaves out, pip does not miss."""
    let_in = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {"pyproject.toml", project["project"]["readme"], *wheel["only-include"]}
    needed |= {name.partition("/")[0] for name in project["project"]["license-files"]}

    assert needed <= let_in


def test_it_does_not_run_as_root() -> None:
    """The user is a number, as Kubernetes needs to see it, and set before the service starts."""
    words = [word for word, _ in instructions()]

    assert dict(instructions())["USER"] == "65532:65532"
    assert words.index("USER") < words.index("ENTRYPOINT")


@pytest.mark.parametrize(("status", "healthy"), [(200, True), (503, False), (None, False)])
def test_the_health_check_tells_health(status: int | None, healthy: bool) -> None:
    """It succeeds when /health does, and fails when that answers 503, or nobody answers."""

    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == "/health" and status else 404)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Health)
    port = server.server_port
    if status:
        threading.Thread(target=server.serve_forever, daemon=True).start()
    else:
        server.server_close()
    command = json.loads(dict(instructions())["HEALTHCHECK"].partition("CMD ")[2])
    assert command[:2] == ["python", "-c"]

    code = command[2].replace("8765", str(port))
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)

    if status:
        server.shutdown()
        server.server_close()
    assert (ended.returncode == 0) is healthy
