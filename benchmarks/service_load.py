"""Load `presidio-cdip serve` with requests for the findings of a page, from many callers at once.

    python -m benchmarks.service_load --seconds 60

Starts the service, waits for its engines, and lets each caller send the same page of text over a
connection of its own as soon as the last answer is there.

* **page s**: seconds from the start of the program until the page is served.
* **engines s**: until the first answer of ``/recognizers``, which waits for the engines.
* **memory MB**: of the service with its engines, before and after the requests.
* **requests**, **errors**: answers, and those that are not the first one's.
* **p50**, **p99**: of the seconds of an answer, as a caller measures it, and their ratio.

The callers run on the same cores as the service.
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

import click
import numpy as np

from benchmarks.quality import header, print_facts, print_markdown, print_table
from benchmarks.text_speed import sample

CHARACTERS = 2500
PATIENCE = 300


def _reached(address: str, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(address, timeout=PATIENCE):
                return
        except (urllib.error.URLError, ConnectionError):
            if process.poll() is not None or time.monotonic() > until:
                raise click.ClickException("the service did not start") from None
            time.sleep(0.01)


def memory_of(process: int) -> float:
    """Return the memory of a process in use, in MB (Linux)."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


async def _asked(port: int, request: bytes, until: float, right: list[bytes]) -> list[float]:
    """Return the seconds of each answer; negative where it is not the right one."""
    seconds = []
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while time.monotonic() < until:
        start = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
        body = await reader.readexactly(length)
        ok = b" 200 OK" in head[:20] and body == (right or [body])[0]
        right[:] = right or [body]
        seconds.append((time.perf_counter() - start) * (1 if ok else -1))
    writer.close()
    return seconds


async def _all_asked(port: int, request: bytes, callers: int, until: float) -> list[float]:
    right: list[bytes] = []
    each = await asyncio.gather(*(_asked(port, request, until, right) for _ in range(callers)))
    return [one for seconds in each for one in seconds]


@click.command()
@click.option("--callers", default=200, show_default=True)
@click.option("--seconds", default=60, show_default=True)
@click.option("--characters", default=CHARACTERS, show_default=True, help="Length of the page.")
@click.option("--markdown", is_flag=True, help="Print the table for a document.")
@click.argument("options", nargs=-1)
def main(
    callers: int, seconds: int, characters: int, markdown: bool, options: tuple[str, ...]
) -> None:
    """Start the service with OPTIONS, and ask it."""
    body = json.dumps({"text": sample(characters), "language": "en"}).encode()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    request = (
        f"POST /analyze HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    ).encode() + body
    start = time.monotonic()
    serve = (sys.executable, "-m", "presidio_cdip", "serve", "--no-browser", "--port", str(port))
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen([*serve, *options], stdout=log, stderr=log)
        try:
            _reached(f"http://localhost:{port}/", process)
            page = time.monotonic() - start
            _reached(f"http://localhost:{port}/recognizers", process)
            engines = time.monotonic() - start
            before = memory_of(process.pid)
            until = time.monotonic() + seconds
            answers = np.array(asyncio.run(_all_asked(port, request, callers, until)))
            after = memory_of(process.pid)
        finally:
            process.terminate()
            process.wait(60)
    p50, p99 = np.percentile(np.abs(answers), [50, 99])
    print_facts(header(), markdown)
    show_table = print_markdown if markdown else print_table
    show_table(
        ("page s", "engines s", "memory MB", "requests", "errors", "p50 s", "p99 s", "p99 / p50"),
        [
            (
                *(f"{page:.2f}", f"{engines:.1f}", f"{before:.0f}, {after:.0f}"),
                *(str(len(answers)), str((answers < 0).sum())),
                *(f"{p50:.2f}", f"{p99:.2f}", f"{p99 / p50:.2f}"),
            )
        ],
    )
    if (answers < 0).any():
        raise SystemExit(1)


if __name__ == "__main__":
    main()
