"""Treat shards on a cluster of Dask, which schedules them and repeats those of lost workers.

The scheduler is the one that ``DASK_SCHEDULER_ADDRESS`` names; without it, workers are started on
this machine.
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

_AHEAD = 2  # shards a thread that wait at the workers


def run(
    plan: Plan, shards: Iterator[Shard], jobs: int, advance: Callable[[Row], None]
) -> Iterator[ShardDone]:
    """Yield shards as they are committed.

    Raises:
        MissingDependency: The extra is not installed.
    """
    os.environ.update(TELEMETRY_OFF)
    try:
        dask = import_module("distributed")
    except ImportError:
        raise MissingDependency(
            "the Python package distributed", 'pip install "presidio-cdip[dask]"'
        ) from None
    address = os.environ.get("DASK_SCHEDULER_ADDRESS")
    here = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None}
    with dask.Client(address) if address else dask.Client(**here) as client:

        def submitted(count: int) -> list[object]:
            taken = islice(shards, count)
            return [client.submit(treat, plan, one, pure=False) for one in taken]

        threads = max(jobs, sum(client.nthreads().values()))
        waiting = dask.as_completed(submitted(_AHEAD * threads))
        for future in waiting:
            yield future.result()
            waiting.update(submitted(1))
