"""What must not reach the service is refused, and every answer is protected."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="the extra [service] is not installed")

from presidio_cdip.service.security import HEADERS

Client = Callable[..., Any]
TEXT = {"text": "age 46", "language": "en"}
TOKENS = ("a-token-of-the-first-caller", "a-token-of-the-second-one")


@pytest.mark.parametrize(
    ("method", "path", "options", "status"),
    [
        ("GET", "/", {}, 200),
        ("GET", "/docs", {}, 200),
        ("GET", "/static/docs.css", {}, 200),
        ("GET", "/static/../configuration.py", {}, 404),
        ("GET", "/nowhere", {}, 404),
        ("PUT", "/analyze", {}, 405),
        ("POST", "/analyze", {"content": b"{"}, 415),
        ("POST", "/analyze", {"json": [1]}, 400),
        ("POST", "/analyze", {"json": {}}, 500),
        ("POST", "/analyze", {"json": TEXT, "headers": {"Origin": "http://evil.example"}}, 403),
        ("POST", "/redact", {"json": {"image": "x" * 2000}}, 413),
    ],
)
def test_every_answer_has_the_headers(
    client: Client, method: str, path: str, options: dict[str, Any], status: int
) -> None:
    """Of a page, of a file, and of each kind of error."""
    answer = client(max_bytes=1000).request(method, path, **options)

    assert answer.status_code == status
    assert {name: answer.headers.get(name) for name in HEADERS} == dict(HEADERS)
    assert status == 200 or list(answer.json()) == ["error"]


def test_an_unexpected_error_says_nothing(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer has the headers, and neither the message of the error nor its kind."""
    service = client()
    monkeypatch.setattr(
        "presidio_cdip.service.app.page_of", lambda _: (_ for _ in ()).throw(KeyError("secret"))
    )

    answer = service.get("/docs")

    assert (answer.status_code, answer.json()) == (500, {"error": "Internal server error"})
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_policy_lets_no_inline_script_run() -> None:
    """Nothing but what the service itself serves is loaded, run, framed or sent to."""
    directives = dict(one.split(" ", 1) for one in HEADERS["Content-Security-Policy"].split("; "))

    assert directives == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": "'self' blob:",
        "connect-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:8765", 200),
        ("127.0.0.1:8765", 200),
        ("[::1]:8765", 200),
        ("LOCALHOST", 200),
        ("evil.example:8765", 403),
        ("127.0.0.1.evil.example", 403),
        ("evil.example@127.0.0.1", 403),
        ("", 403),
    ],
)
def test_a_local_service_has_local_names(client: Client, host: str, status: int) -> None:
    """A page whose name was made to lead to this machine is refused (DNS rebinding)."""
    assert client().get("/health", headers={"Host": host}).status_code == status


def test_a_proxy_is_named(client: Client) -> None:
    """Behind a proxy the service answers to its public name, beside the local ones."""
    service = client(public_names=["cdip.example"], tokens=TOKENS)
    statuses = [
        service.get("/health", headers={"Host": host}).status_code
        for host in ("cdip.example", "localhost", "evil.example")
    ]

    assert statuses == [200, 200, 403]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://127.0.0.1:8765"}, 200),
        ({"Origin": "http://127.0.0.1:8765", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Origin": "http://127.0.0.1:3000"}, 403),
        ({"Origin": "http://localhost:8765"}, 403),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "file://127.0.0.1:8765"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
    ],
)
def test_other_pages_send_nothing(client: Client, headers: dict[str, str], status: int) -> None:
    """A program, which names no origin, may ask; of pages only ours."""
    answer = client().post("/analyze", json=TEXT, headers=headers)

    assert answer.status_code == status


def test_other_pages_read_nothing_but_may_link(client: Client) -> None:
    """A link leads to the page; what a script or an image of another page asks for is refused."""
    service = client()
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    script = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}

    assert service.get("/", headers=link).status_code == 200
    assert service.get("/supportedentities", headers=script).status_code == 403


@pytest.mark.parametrize("path", ["/", "/docs", "/openapi.json", "/health", "/static/docs.css"])
def test_what_shows_no_text_needs_no_token(client: Client, path: str) -> None:
    """The page asks for the token itself."""
    assert client(tokens=TOKENS).get(path).status_code == 200


@pytest.mark.parametrize(
    ("method", "path"),
    [
        *[("POST", path) for path in ("/analyze", "/anonymize", "/deanonymize", "/redact", "/")],
        *[("GET", path) for path in ("/recognizers", "/metrics", "/api/v1/documents", "/x")],
    ],
)
def test_everything_else_needs_a_token(client: Client, method: str, path: str) -> None:
    """Even a path that is not there, so that nothing can be learned by trying."""
    answer = client(tokens=TOKENS, metrics=True).request(method, path)

    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    ("authorization", "status"),
    [
        (f"Bearer {TOKENS[0]}", 200),
        (f"bearer {TOKENS[1]}", 200),
        (f"Basic {TOKENS[0]}", 401),
        (f"Bearer {TOKENS[0][:-1]}", 401),
        (f"Bearer {TOKENS[0]}x", 401),
        ("Bearer ", 401),
        ("Bearer \xe9", 401),
        (TOKENS[0], 401),
    ],
)
def test_only_a_whole_token_opens(client: Client, authorization: str, status: int) -> None:
    """It is compared as a whole, and sent as RFC 6750 says."""
    service = client(tokens=TOKENS)
    headers = {"Authorization": authorization.encode("latin-1")}

    assert service.get("/anonymizers", headers=headers).status_code == status


def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, whichever is right, by the function that is made for it."""
    import hmac

    from presidio_cdip.service.configuration import Configuration
    from presidio_cdip.service.security import Guard

    async def app(*_: object) -> None: ...

    compared: list[bool] = []
    real = hmac.compare_digest

    def counted(one: bytes, other: bytes) -> bool:
        compared.append(real(one, other))
        return compared[-1]

    monkeypatch.setattr(hmac, "compare_digest", counted)
    guard = Guard(app, Configuration(tokens=TOKENS))

    callers = [guard._caller(f"Bearer {token}") for token in (*TOKENS, "another")]

    assert callers == [1, 2, 0]
    assert compared == [True, False, False, True, False, False]


def chunks(count: int) -> Iterator[bytes]:
    for _ in range(count):
        yield b"x" * 100


def test_a_long_body_is_refused_announced_or_not(client: Client) -> None:
    """By its Content-Length before it is read, and in chunks when there are too many."""
    service = client(max_bytes=1000)
    json = {"Content-Type": "application/json"}

    announced = service.post("/redact", content=b"x" * 1001, headers=json)
    chunked = service.post("/redact", content=chunks(11), headers=json)
    form = service.post("/redact", files={"image": b"x" * 2000})
    just = service.post("/redact", content=b"x" * 1000, headers=json)

    assert [one.status_code for one in (announced, chunked, form, just)] == [413, 413, 413, 400]


def test_texts_have_a_limit_of_their_own(client: Client) -> None:
    """JSON is kept in memory while it waits, so that less of it is taken than of files."""
    answer = client(max_json_bytes=100).post("/analyze", json={**TEXT, "text": "x" * 100})

    assert answer.status_code == 413
