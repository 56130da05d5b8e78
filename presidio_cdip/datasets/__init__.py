"""Treat whole collections of documents: resumable, supervised, with evidence.

    source ──► groups ──► shards ──► engine ──► worker ──► child ──► outputs, manifest
               (listed)  (planned)  (schedules) (reads,    (finds,
                                                 writes)    replaces)

* ``stores``: folders, on this machine or behind a URL; ``archives``: tar, zip and Parquet.
* ``sources``: what is in a source; ``shards``: the units that are committed.
* ``supervision`` and ``child``: a document that crashes or hangs costs itself alone.
* ``work``: one shard; ``running``: all of them; ``engines``: where they run.
* ``identity``: what decides the output; ``manifest`` and ``verifying``: what was done, and whether
  it is so.
* ``sidecars``: files that repeat the text of a page.
"""
