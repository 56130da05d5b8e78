"""Treat one shard in a process of a cluster, where workers and their children are kept."""

import threading

from presidio_cdip.datasets.shards import Shard
from presidio_cdip.datasets.work import Plan, ShardDone, Worker

_kept = threading.local()
TELEMETRY_OFF = {"RAY_USAGE_STATS_ENABLED": "0", "DO_NOT_TRACK": "1"}


def treat(plan: Plan, shard: Shard) -> ShardDone:
    """Treat *shard*; a second attempt, after a node was lost, writes the same.

    Runs in: a thread of a worker of the cluster.
    """
    if getattr(_kept, "plan", None) != plan:
        close()
        _kept.plan, _kept.worker = plan, Worker(plan)
    done: ShardDone = _kept.worker.treat(shard)
    return done


def close() -> None:
    """End the child of this thread."""
    if hasattr(_kept, "worker"):
        _kept.worker.close()
        del _kept.worker, _kept.plan
