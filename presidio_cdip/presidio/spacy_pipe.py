"""Define the entry points that spaCy imports; with Presidio, they also import our recognizers.

spaCy imports every ``spacy_factories`` entry point whenever it builds a pipeline, so a Presidio
deployment that builds its NLP engine has our recognizers by the time it reads its recognizer file.
Every other user of spaCy in the environment imports this module, too: it must not raise.
"""

import logging
import sys

from presidio_cdip.errors import place_of
from presidio_cdip.presidio.pipeline import Tagger, component

__all__ = ["Tagger", "component"]

if "presidio_analyzer" in sys.modules:
    try:
        import presidio_cdip.presidio.analyzer  # noqa: F401
    except Exception as error:  # Presidio then answers that it knows no CdipRecognizer
        logging.getLogger(__name__).error(
            "the recognizers of presidio-cdip are not available: %s", place_of(error)
        )
