"""Answer requests as Presidio's three REST services do, without their HTTP.

A request is a body that was parsed, an answer what their services send. Statuses, and the messages
that their users depend on, are theirs; a message that may repeat a text is not passed on.
"""

import base64
import binascii
import io
import json
import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from presidio_analyzer import AnalyzerEngine, AnalyzerRequest, BatchAnalyzerEngine
from presidio_anonymizer import AnonymizerEngine, DeanonymizeEngine
from presidio_anonymizer.entities import InvalidParamError
from presidio_anonymizer.services.app_entities_convertor import AppEntitiesConvertor

from presidio_cdip.errors import CdipError, MissingDependency, PageTooLarge, TextTooLong
from presidio_cdip.presidio.analyzer import analyzer, warm_up
from presidio_cdip.presidio.configured import configured_analyzer
from presidio_cdip.presidio.operators import add_operators
from presidio_cdip.surrogates.keys import Key

if TYPE_CHECKING:
    from presidio_cdip.imaging.page.pages import Page

_JSON: Any = AppEntitiesConvertor  # its annotations leave out that anything may be missing

NO_IMAGE = "Invalid parameter, please add image data"
_NOT_JSON = "The browser (or proxy) sent a request that this server could not understand."
_INTERNAL = "Internal server error"
_PARSING = "Failed to parse /analyze request for AnalyzerEngine.analyze()."
_BATCH = 500  # texts; Presidio's default
_LEAST = 0.4  # the score that Presidio's service of images asks for where it is sent a file
_COLOUR = re.compile(r" *\d{1,3} *(, *\d{1,3} *, *\d{1,3} *)?")
_STATUS = {MissingDependency: 501, TextTooLong: 413, PageTooLarge: 413}

# Messages of Presidio and of Python's calls that repeat at most a name or a number of the request.
_NAME = r"'\w{1,40}'"
_KNOWN = [
    re.compile(one)
    for one in (
        r"No (text|language|entities) provided$",
        r"No matching recognizers were found to serve the request\.$",
        r"Pattern recognizer should be initialized with [\w ]{1,60}$",
        r"Both 'supported_entity' and 'supported_entities' are present in the input dictionary\.",
        r"Invalid regex pattern",
        r"(\w{1,40}\.)?__init__\(\) got an unexpected keyword argument " + _NAME,
        r"(\w{1,40}\.)?__init__\(\) missing \d+ required positional arguments?: [\w, ']{1,99}",
        r"Invalid input, request must contain analyzer results$",
        r"Invalid input, [\w ]{1,40} must contain \w{1,40}$",
        r"Invalid input, result start and end must be positive$",
        r"Invalid input, start index '\d{1,9}' must be smaller than end index '\d{1,9}'$",
        r"Invalid input, \w{1,40} must be (a character|of length 128, 192 or 256 bits)$",
        r"Expected parameter \w{1,40}$",
        r"Invalid parameter value for \w{1,40}\. Expecting '\w{1,20}', but got '\w{1,20}'\.?$",
        rf"Invalid operator class {_NAME}\.$",
        r"Salt [ -~]{1,200}$",
    )
]


class Refused(Exception):
    """A request is answered with an error.

    Attributes:
        status: Of HTTP.
        words: The message, without any text of the request.
    """

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status
        self.words = words


def parsed(body: bytes) -> Any:
    """Return the value that *body* holds as JSON.

    Raises:
        Refused: It is no JSON, or too deep.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, _NOT_JSON) from None


class RestEngines:
    """Hold Presidio's engines, with our recognizers and operators or as its variables say.

    With ``ANALYZER_CONF_FILE``, ``NLP_CONF_FILE`` or ``RECOGNIZER_REGISTRY_CONF_FILE``, texts are
    analyzed, and images redacted, as Presidio's own services do. Several threads may call the
    methods, but only one at a time those that redact images.

    Args:
        names: As in `presidio_cdip.analyzer`.
        extras: As in `presidio_cdip.analyzer`.
        key: The key of surrogates, as in `presidio_cdip.presidio.images.image_redactor`.
        scope: The scope of all page images; None for one for each.
    """

    def __init__(
        self,
        *,
        names: bool = False,
        extras: bool = False,
        key: Key | None = None,
        scope: str | None = None,
    ) -> None:
        self._configured = configured_analyzer()
        self._analyzer: AnalyzerEngine = self._configured or analyzer(names=names, extras=extras)
        self._batches = BatchAnalyzerEngine(self._analyzer)
        self._anonymizer, self._deanonymizer = AnonymizerEngine(), DeanonymizeEngine()
        add_operators(self._anonymizer)
        self._key, self._scope = key, scope

    def warm_up(self) -> None:
        """Load the model and compile rules, before the first request."""
        warm_up()
        self._analyzer.get_supported_entities()

    def analyze(self, body: bytes) -> str:
        """Return the findings in one text, or a list of them for each of several, as JSON.

        Raises:
            Refused: The request cannot be answered.
        """
        request = parsed(body)
        if not isinstance(request, dict):
            raise Refused(400, _NOT_JSON)
        try:
            found = self._found(request)
        except TypeError as error:
            raise Refused(400, f"{_PARSING} {_known(error)}".rstrip()) from error
        except Exception as error:
            raise _refused(error) from error
        return json.dumps(found, default=_without_metadata, sort_keys=True)

    def _found(self, request: dict[str, Any]) -> Any:
        asked: Any = AnalyzerRequest(request)
        if not asked.text:
            raise Refused(500, "No text provided")
        if not asked.language:
            raise Refused(500, "No language provided")
        self._analyzer.get_supported_entities(asked.language)  # raises for one it does not know
        options = {
            name: getattr(asked, name)
            for name in (
                *("language", "correlation_id", "score_threshold", "entities", "context"),
                *("return_decision_process", "ad_hoc_recognizers", "regex_flags"),
                *("allow_list", "allow_list_match"),
            )
        }
        if isinstance(asked.text, str):
            return self._analyzer.analyze(asked.text, **options)
        if not isinstance(asked.text, list):
            raise Refused(400, f"{_PARSING} text is neither a string nor a list of strings")
        size = min(len(asked.text), _BATCH)
        return list(self._batches.analyze_iterator(asked.text, batch_size=size, **options))

    def recognizers(self, language: str | None) -> list[str]:
        """Return the names of the recognizers.

        Raises:
            Refused: There are none for the language.
        """
        try:
            return [str(one.name) for one in self._analyzer.get_recognizers(language)]  # type: ignore[has-type]
        except Exception as error:
            raise _refused(error) from error

    def supported_entities(self, language: str | None) -> list[str]:
        """Return the entities that are found.

        Raises:
            Refused: There are none for the language.
        """
        try:
            return list(self._analyzer.get_supported_entities(language))
        except Exception as error:
            raise _refused(error) from error

    def anonymize(self, body: bytes) -> str:
        """Return the text with its findings replaced, as JSON.

        Raises:
            Refused: The request cannot be answered.
        """
        request = _object(body, "Invalid request json")
        try:
            operators = _JSON.operators_config_from_json(request.get("anonymizers"))
            if _JSON.check_custom_operator(operators):
                raise Refused(400, "Custom type anonymizer is not supported")
            results = _JSON.analyzer_results_from_json(request.get("analyzer_results"))
            text = request.get("text", "")
            return str(self._anonymizer.anonymize(text, results, operators).to_json())
        except Exception as error:
            raise _refused(error) from error

    def deanonymize(self, body: bytes) -> str:
        """Return the text with its findings restored, as JSON.

        Raises:
            Refused: The request cannot be answered.
        """
        request = _object(body, "Invalid request json")
        try:
            entities = _JSON.deanonymize_entities_from_json(request)
            operators = _JSON.operators_config_from_json(request.get("deanonymizers"))
            text = request.get("text", "")
            return str(self._deanonymizer.deanonymize(text, entities, operators).to_json())
        except Exception as error:
            raise _refused(error) from error

    def anonymizers(self) -> list[str]:
        """Return the names of the operators that anonymize."""
        return list(self._anonymizer.get_anonymizers())

    def deanonymizers(self) -> list[str]:
        """Return the names of the operators that restore."""
        return list(self._deanonymizer.get_deanonymizers())

    def redact_json(self, body: bytes) -> bytes:
        """Return the redacted image in base64, of JSON with ``image`` and ``analyzer_entities``.

        Raises:
            Refused: The request cannot be answered.
        """
        request = parsed(body)
        image = request.get("image") if isinstance(request, dict) else None
        if not isinstance(image, str):
            raise Refused(422, NO_IMAGE)
        entities = request.get("analyzer_entities")
        if not (entities is None or _are_strings(entities)):
            raise Refused(422, "Invalid parameter, analyzer_entities is a list of names")
        try:
            data = base64.b64decode(image)
        except (ValueError, binascii.Error):
            raise Refused(422, NO_IMAGE) from None
        return base64.b64encode(self.redact(data, None, entities=entities))

    def redact_file(self, data: bytes, parameters: str | None) -> bytes:
        """Return the redacted image, filled with the ``color_fill`` in the form's ``data``, if any.

        Raises:
            Refused: The request cannot be answered.
        """
        return self.redact(data, fill_in(parameters), score_threshold=_LEAST)

    def redact(self, data: bytes, fill: "int | tuple[int, ...] | None", **analysis: Any) -> bytes:
        """Return the image in its own format with all findings replaced, or filled with *fill*.

        Raises:
            Refused: It cannot be read, or an original can still be read in the result.
        """
        try:
            if self._configured:
                return self._as_presidio(data, fill, analysis)
            from presidio_cdip.imaging.page.pages import read_pages, write_pages_to

            out = io.BytesIO()
            pages = read_pages(data, "image")
            write_pages_to((self._page(page, fill, analysis) for page in pages), out)
            return out.getvalue()
        except ImportError as error:
            package = f"the Python package {error.name}"
            missing = MissingDependency(package, 'pip install "presidio-cdip[image]"')
            raise Refused(501, str(missing)) from None
        except Exception as error:
            raise _refused(error) from error

    def _page(
        self, page: "Page", fill: "int | tuple[int, ...] | None", analysis: Mapping[str, Any]
    ) -> "Page":
        if fill is not None:
            return page.showing(self._filling.redact(page.image, fill, **analysis))
        image, _ = self._painting.redact_page(page.image, self._scope, page=page.index, **analysis)
        return page.showing(image)

    def _as_presidio(
        self, data: bytes, fill: "int | tuple[int, ...] | None", analysis: Mapping[str, Any]
    ) -> bytes:
        """Redact with Presidio's engine: the first frame, in the format it came in."""
        from PIL import Image

        from presidio_cdip.imaging.page.pages import FORMATS

        with Image.open(io.BytesIO(data), formats=FORMATS) as image:
            out = io.BytesIO()
            if image.width * image.height > (Image.MAX_IMAGE_PIXELS or 0):
                raise PageTooLarge("image", limit=Image.MAX_IMAGE_PIXELS or 0)
            black = (0, 0, 0)
            redacted = self._stock.redact(image, black if fill is None else fill, **analysis)
            redacted.save(out, format=image.format)
            return out.getvalue()

    @cached_property
    def _filling(self) -> Any:
        from presidio_cdip.presidio.images import CdipImageAnalyzerEngine, CdipImageRedactorEngine

        return CdipImageRedactorEngine(CdipImageAnalyzerEngine(self._analyzer))

    @cached_property
    def _painting(self) -> Any:
        from presidio_cdip.presidio.images import image_redactor

        return image_redactor(self._analyzer, key=self._key)

    @cached_property
    def _stock(self) -> Any:
        from presidio_image_redactor import ImageAnalyzerEngine, ImageRedactorEngine

        return ImageRedactorEngine(ImageAnalyzerEngine(self._analyzer))


def fill_in(parameters: str | None) -> int | tuple[int, ...] | None:
    """Return the colour in a form's ``data``: red, green and blue, or a grey level; None without.

    >>> fill_in("{'color_fill': '102, 0, 102'}"), fill_in("{}")
    ((102, 0, 102), None)

    Raises:
        Refused: It is no JSON, or no colour.
    """
    try:
        asked = json.loads((parameters or "{}").replace("'", '"'))
    except (ValueError, RecursionError):
        raise Refused(422, "Invalid json format") from None
    colour = asked.get("color_fill") if isinstance(asked, dict) else None
    if not colour:
        return None
    if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
        raise Refused(422, "Invalid color fill")
    levels = tuple(map(int, colour.split(",")))
    if max(levels) > 255:
        raise Refused(422, "Invalid color fill")
    return levels if len(levels) == 3 else levels[0]


def _object(body: bytes, words: str) -> dict[str, Any]:
    request = parsed(body)
    if not request or not isinstance(request, dict):
        raise Refused(400, words)
    return request


def _are_strings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


def _known(error: Exception) -> str:
    """Return the message of *error*, or its beginning, if it is one of `_KNOWN`, else ""."""
    message = getattr(error, "err_msg", None) or (error.args[0] if error.args else "")
    found = (one.match(message) for one in _KNOWN) if isinstance(message, str) else ()
    return next((one[0] for one in found if one), "")


def _refused(error: Exception) -> Refused:
    """Return the answer to what went wrong."""
    if isinstance(error, Refused):
        return error
    if isinstance(error, CdipError):  # none of its messages holds a text
        return Refused(_STATUS.get(type(error), 422), str(error))
    if isinstance(error, InvalidParamError):
        return Refused(422, _known(error) or "Invalid parameter")
    return Refused(500, _known(error) or _INTERNAL)


def _without_metadata(one: Any) -> dict[str, Any]:
    shown: dict[str, Any] = dict(one.to_dict())
    shown.pop("recognition_metadata", None)
    return shown
