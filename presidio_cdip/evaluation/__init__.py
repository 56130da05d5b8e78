"""Audit a collection: what it holds, what redaction kept and lost, how sure that is.

    reports, or files ──► records ──► audit ──► tables and figures ──► html, markdown, json

* ``records``: what is known of one document; ``reports`` and ``reading`` make them.
* ``audit``: collects records into tables and figures; ``before_after`` compares two collections.
* ``statistics``, ``agreement``, ``areas``, ``duplicates``, ``risk``, ``similarity``, ``utility``:
  one measure each, with its source.
* ``gold``, ``matching``, ``schemes``, ``comparison``: found spans against marked ones.
* ``sections``: tables and figures as data; ``charts`` and ``report_*`` write them.

No text of a document is in any output. Values are compared by keyed fingerprints; their key is
drawn for each run and forgotten.
"""
