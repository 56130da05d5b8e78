"""Make the page that lists the operations of the service from its OpenAPI description."""

import json
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

_METHODS = ("get", "post", "put", "patch", "delete")


def page_of(description: Mapping[str, Any]) -> str:
    """Return the page, which needs no script, of what `FastAPI.openapi` describes."""
    title = escape(f"{description['info']['title']} {description['info']['version']}")
    return "\n".join(
        [
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>{title}: operations</title>",
            '<link rel="icon" href="/static/icon.svg" type="image/svg+xml">',
            '<link rel="stylesheet" href="/static/docs.css"></head><body><main>',
            f"<h1>{title}</h1>",
            '<p>As <a href="/openapi.json">OpenAPI</a>; <a href="/">the page</a>.</p>',
            *_operations(description["paths"]),
            "</main></body></html>",
        ]
    )


def _operations(paths: Mapping[str, Any]) -> Iterator[str]:
    group = ""
    for path, methods in paths.items():
        for method in _METHODS:
            if method not in methods:
                continue
            operation = methods[method]
            (tag,) = operation.get("tags", ["Other"])[:1]
            if tag != group:
                group = tag
                yield f"<h2>{escape(tag)}</h2>"
            yield f"<h3><code>{method.upper()} {escape(path)}</code></h3>"
            yield f"<p>{escape(operation.get('description', ''))}</p>"
            yield from _details(operation)


def _details(operation: Mapping[str, Any]) -> Iterator[str]:
    parameters = operation.get("parameters", [])
    if parameters:
        yield "<ul>"
        for one in parameters:
            needed = ", needed" if one.get("required") else ""
            yield f"<li><code>{escape(one['name'])}</code> ({escape(one['in'])}{needed})</li>"
        yield "</ul>"
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        yield f"<p>Body: <code>{escape(kind)}</code></p>"
        shown = body.get("example", body.get("schema", {}))
        yield f"<pre>{escape(json.dumps(shown, indent=2, ensure_ascii=False))}</pre>"
