"""Draw surrogates of URLs and IP addresses, in domains and ranges that are reserved for examples.

URLs move to example.com, .net or .org (RFC 2606), IPv4 addresses to the three networks of RFC 5737,
IPv6 addresses to 2001:db8::/32 (RFC 3849). Addresses of one network keep one network; networks
share the three that there are. Two URLs of one scope may share a surrogate.
"""

import re
from collections.abc import Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

from presidio_cdip.surrogates.drawing.forms import Draw, Form, Reading
from presidio_cdip.surrogates.drawing.lists import pack_of, terms
from presidio_cdip.surrogates.values.numbers import DIGIT_FORMS, other_digits
from presidio_cdip.surrogates.writing.text import cased_like

_URL = re.compile(
    r"(?P<scheme>(?i:[a-z][a-z0-9+.-]{0,20}:/{0,2})?)(?P<user>(?:[^\s/@?#]{1,200}@)?)"
    r"(?P<host>(?:[\w-]{1,63}\.){0,8}[\w-]{1,63}\.?|\[[0-9A-Fa-f:.]{2,45}\])(?P<port>(?::\d{1,5})?)"
    r"(?P<rest>(?:[/?#]\S*)?)"
)
_RUN = re.compile(r"(?P<word>(?:[^\W\d_]|%[0-9A-Fa-f]{2})+)|(?P<number>\d+)")
_ENDING = re.compile(
    r"(?i)\.(?:html?|php|aspx?|jsp|pdf|jpe?g|png|gif|txt|csv|docx?|xlsx?|xml|json|zip)(?=$|[?#])"
)
_TOP_LEVEL = ("com", "net", "org")
_KEPT_LABELS = ("www", "ftp")

_IP = re.compile(r"(?P<address>[0-9A-Fa-f:.]{2,45})(?P<rest>(?:%\w{1,20})?(?:/\d{1,3})?)")
_NETWORKS = ("192.0.2", "198.51.100", "203.0.113")


class _Url:
    """Read a URL, with or without its scheme; keep its structure."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        found = _URL.fullmatch(value)
        if found is None or not (found["scheme"] or "." in found["host"]):
            return None
        rest = found["rest"]
        ending = _ENDING.search(rest)

        def write(draw: Draw) -> str:
            user = _other_words(draw, found["user"])
            host = _other_host(draw, found["host"], options)
            if ending:
                kept = _other_words(draw, rest[: ending.start()]) + ending.group()
                new = kept + _other_words(draw, rest[ending.end() :])
            else:
                new = _other_words(draw, rest)
            return found["scheme"] + user + host + found["port"] + new

        shape = _RUN.sub(lambda run: "a" if run["word"] else "0", found["user"] + rest)
        labels = found["host"].rstrip(".").split(".")
        form = f"url {found['scheme'].lower()}{len(labels)}{found['port']}{shape}"
        return Reading(form, value.casefold(), write)


def _other_host(draw: Draw, host: str, options: Mapping[str, Any]) -> str:
    inner = host.strip("[]")
    if reading := IP_FORMS[0].read(inner, options):
        return host.replace(inner, reading.write(draw.part("IP_ADDRESS", reading.normal)))
    labels = host.rstrip(".").split(".")
    dot = "." if host.endswith(".") else ""
    new = [
        label if label.lower() in _KEPT_LABELS else _other_word(draw, label)
        for label in labels[:-2]
    ]
    new.append("example")
    if len(labels) > 1:
        own = labels[-1].casefold()
        # As in e-mail addresses, so that both agree.
        chance = draw.part("EMAIL domain", host.casefold()).chance
        new.append(own if own in _TOP_LEVEL else chance.choice(_TOP_LEVEL))
    return ".".join(new) + dot


def _other_words(draw: Draw, text: str) -> str:
    return _RUN.sub(
        lambda run: (
            _other_word(draw, run["word"])
            if run["word"]
            else other_digits(draw, run["number"], "URL digits")
        ),
        text,
    )


def _other_word(draw: Draw, word: str) -> str:
    """Draw the same word for the same one, wherever it stands in a URL."""
    words = terms("url_words", pack_of(draw.options))
    other = draw.part("URL word", word.casefold()).choice(words, but=word.casefold())
    return cased_like(word, other)


class _Ip:
    """Read an IP address, with or without the length of its network's prefix."""

    def read(self, value: str, options: Mapping[str, Any]) -> Reading | None:
        found = _IP.fullmatch(value)
        try:
            address = ip_address(found["address"]) if found else None
        except ValueError:
            return None
        if found is None or address is None:
            return None
        if isinstance(address, IPv4Address):
            net, _, host = str(address).rpartition(".")

            def write(draw: Draw) -> str:
                network = draw.part("IP network", net).choice(_NETWORKS, but=net)
                return f"{network}.{draw.permuted(int(host), 256, net, 'IP host')}{found['rest']}"

            return Reading(f"ipv4{found['rest']}", str(address), write)
        full = len(found["address"]) == len(address.exploded)

        def write_ipv6(draw: Draw) -> str:
            new = _other_ipv6(draw, address)
            text = new.exploded if full else str(new)
            return (text.upper() if found["address"].isupper() else text) + found["rest"]

        return Reading(f"ipv6 {full}{found['rest']}", address.exploded, write_ipv6)


def _other_ipv6(draw: Draw, address: IPv6Address) -> IPv6Address:
    """Draw the last six groups, each from all groups up to it; a group of zeros stays."""
    groups = address.exploded.split(":")
    empty = not any(int(group, 16) for group in groups[2:])
    new = ["2001", "0db8"]
    for at, group in enumerate(groups[2:], 2):
        chance = draw.part("IP network", ":".join(groups[: at + 1])).chance
        drawn = int(group, 16) or (empty and at == 2)
        new.append(f"{1 + chance.below(0xFFFF):04x}" if drawn else "0000")
    return IPv6Address(":".join(new))


URL_FORMS: tuple[Form, ...] = (_Url(), *DIGIT_FORMS)
IP_FORMS: tuple[Form, ...] = (_Ip(), *DIGIT_FORMS)
