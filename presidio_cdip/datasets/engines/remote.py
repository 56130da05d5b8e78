"""Treat one shard in a process of a cluster, where workers and their children are kept."""

import threading

from presidio_cdip.datasets.identity import differences
from presidio_cdip.datasets.shards import Shard
from presidio_cdip.datasets.work import Plan, ShardDone, Worker
from presidio_cdip.errors import InvalidOption

_kept = threading.local()
TELEMETRY_OFF = {"RAY_USAGE_STATS_ENABLED": "0", "DO_NOT_TRACK": "1"}


def treat(plan: Plan, shard: Shard) -> ShardDone:
    """Treat *shard*; a second attempt, after a node was lost, writes the same.

    Raises:
        InvalidOption: Something that decides the output is another one here than at the driver.

    Runs in: a thread of a worker of the cluster.
    """
    if getattr(_kept, "plan", None) != plan:
        close()
        check_same(plan)
        _kept.plan, _kept.worker = plan, Worker(plan)
    done: ShardDone = _kept.worker.treat(shard)
    return done


def check_same(plan: Plan) -> None:
    """Check that pack, model and versions are those of the driver.

    Raises:
        InvalidOption: They are not.
    """
    if different := differences(plan.identity, plan.treatment.identity()):
        raise InvalidOption(f"a node of the cluster differs in: {', '.join(different)}")


def close() -> None:
    """End the child of this thread."""
    if hasattr(_kept, "worker"):
        _kept.worker.close()
        del _kept.worker, _kept.plan
