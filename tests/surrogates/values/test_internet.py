"""URLs, addresses of the Internet and Presidio's NRP become reserved ones of the same structure."""

from ipaddress import ip_address, ip_network

import pytest

from presidio_cdip.pack.pack import Pack
from presidio_cdip.surrogates.drawing import table
from presidio_cdip.surrogates.engine import Surrogates

SURROGATES = Surrogates(bytes(range(32)), "doc")
OPTIONS = {"locale": "en_US", "pack": Pack.shipped()}
RESERVED = [
    ip_network(net)
    for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
]


@pytest.mark.parametrize(
    "url",
    [
        "http://www.ward-family.co.uk/photos/ellen12.html?id=7#top",
        "https://ellen:pass@ward.org:8443/~ellen/",
        "www.smith.com",
        "ftp://ward.net/Ellen%20Ward/1965.pdf",
    ],
)
def test_a_url_keeps_its_structure_under_a_reserved_domain(url: str) -> None:
    """Scheme, marks and file type stay; host, path and query say something else."""
    surrogate = SURROGATES.surrogate("URL", url)

    assert ".example." in f".{surrogate}".replace("//", "//.").replace("@", "@.")
    assert not any(word in surrogate.lower() for word in ("ward", "ellen", "smith", "1965"))
    assert url.partition("://")[0] == surrogate.partition("://")[0] or "://" not in url
    assert table.read("URL", surrogate, OPTIONS).form == table.read("URL", url, OPTIONS).form


@pytest.mark.parametrize(
    "address", ["10.1.2.3", "fe80::1", "::1", "2A00:1450:4001:81B::200E", "2001:db8::", "0.0.0.0"]
)
def test_an_address_becomes_one_for_documentation(address: str) -> None:
    """It belongs to nobody, and is written as the original was."""
    surrogate = SURROGATES.surrogate("IP_ADDRESS", address)

    assert any(ip_address(surrogate) in net for net in RESERVED)
    assert ip_address(surrogate) != ip_address(address)
    assert surrogate.isupper() == address.isupper()


def test_addresses_of_one_network_stay_in_one() -> None:
    """A reader sees which machines are neighbours; no two of them become one."""
    hosts = [SURROGATES.surrogate("IP_ADDRESS", f"10.1.2.{host}/24") for host in range(256)]

    assert len({*hosts}) == 256
    assert len({host.rpartition(".")[0] for host in hosts}) == 1
    assert all(host.endswith("/24") for host in hosts)


@pytest.mark.parametrize(
    ("value", "entity"),
    [("Germans", "NATIONALITY"), ("Catholic", "RELIGION"), ("Communist", "POLITICAL_OPINION")],
)
def test_nrp_is_what_our_entities_make_of_it(value: str, entity: str) -> None:
    """A group that Presidio finds has the surrogate that it has as our entity."""
    assert SURROGATES.surrogate("NRP", value) == SURROGATES.surrogate(entity, value) != value


def test_an_unknown_group_becomes_a_group() -> None:
    """The sentence stays one about people."""
    assert SURROGATES.form_of("NRP", "Zarma").plainest
    assert SURROGATES.surrogate("NRP", "Zarma").isalpha()
