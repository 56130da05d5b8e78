"""Show the findings of a document to a person, and apply their decisions.

    document ──► reading: texts and views ──► review: decisions ──► the document, redacted
                 (reading)                    (review, editing)      (applying)

* ``reading``: the texts of a document and how to show them: pages with words, or segments.
* ``choices``: how the document is read and what its findings become.
* ``review``: the decisions, and the file that keeps them without any text of the document.
* ``editing``: decide, add, undo.
* ``applying``: redact as a review says; the same bytes, wherever that is done.
"""
