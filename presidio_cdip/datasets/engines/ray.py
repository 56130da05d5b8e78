"""Treat shards on a cluster of Ray, which schedules them and repeats those of lost nodes.

The cluster is the one that ``RAY_ADDRESS`` names, or that runs on this machine; without one, Ray is
started here.
"""

import os
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice

from presidio_cdip.datasets.engines.remote import TELEMETRY_OFF, treat
from presidio_cdip.datasets.manifest import Row
from presidio_cdip.datasets.shards import Shard
from presidio_cdip.datasets.work import Plan, ShardDone
from presidio_cdip.errors import MissingDependency

_AHEAD = 2  # shards a core that wait at the nodes


def run(
    plan: Plan, shards: Iterator[Shard], jobs: int, advance: Callable[[Row], None]
) -> Iterator[ShardDone]:
    """Yield shards as they are committed.

    Raises:
        MissingDependency: The extra is not installed.
    """
    os.environ.update(TELEMETRY_OFF)
    try:
        ray = import_module("ray")
    except ImportError:
        raise MissingDependency(
            "the Python package ray", 'pip install "presidio-cdip[ray]"'
        ) from None
    address = os.environ.get("RAY_ADDRESS")
    here = {} if address else {"num_cpus": jobs, "include_dashboard": False}
    ray.init(address=address, log_to_driver=False, ignore_reinit_error=True, **here)
    try:
        remote = ray.remote(max_retries=-1, num_cpus=1)(treat)
        cores = max(jobs, int(ray.cluster_resources().get("CPU", 1)))
        waiting = [remote.remote(plan, one) for one in islice(shards, _AHEAD * cores)]
        while waiting:
            done, waiting = ray.wait(waiting, num_returns=1)
            yield ray.get(done[0])
            waiting += [remote.remote(plan, one) for one in islice(shards, 1)]
    finally:
        ray.shutdown()
