"""Measure and redact what still tells two corpora apart when their names and values are gone.

* ``sentences``: sets of sentences; ``encoder``: vectors of their words; ``masking``: redaction.
* ``rankers``: which words of a sentence give away its set; ``training``, ``kl``: train them;
  ``curves``: how far they reach; ``folders``: rankers in folders.
* ``giveaways``: the words of a text that a ranker redacts, as spans.
* ``attackers``: who tells the sets apart, and how well; ``renyi``: divergences and ε;
  ``audit``: both, before and after redaction; ``report``: its tables and figures.
* ``iterated``: a ranker by rounds of attackers; ``fine_tuned``: an attacker that needs torch.

All of it speaks of a pair of corpora. None of it is a guarantee for a person in them.
"""

from presidio_cdip.privacy.audit import CorpusAudit, audit_pair
from presidio_cdip.privacy.encoder import Encoder
from presidio_cdip.privacy.folders import Trained, load_ranker
from presidio_cdip.privacy.giveaways import Giveaways, giveaways
from presidio_cdip.privacy.sentences import SentenceSet, read_set
from presidio_cdip.privacy.training import train_ranker

__all__ = [
    "CorpusAudit",
    "Encoder",
    "Giveaways",
    "SentenceSet",
    "Trained",
    "audit_pair",
    "giveaways",
    "load_ranker",
    "read_set",
    "train_ranker",
]
