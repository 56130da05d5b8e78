"""What still tells two corpora apart when their names and values are gone, and how to take it away.

* ``sentences``: sets of sentences; ``encoder``: vectors of their words; ``masking``: redaction.
* ``rankers``: which words of a sentence give away its set; ``kl``: trains one of them with torch.
* ``curves``, ``training``: how well attackers still tell the sets apart, by level; ``folders``:
  rankers in folders; ``giveaways``: the spans of a text that a ranker redacts.

All of it speaks of a pair of corpora. None of it is a guarantee for a person in them.
"""
