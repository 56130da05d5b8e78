"""The answers are those of Presidio's three services, without what they repeat of a request."""

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFont

import presidio_cdip
from presidio_cdip.presidio.rest import Refused, RestEngines, fill_in, parsed

ROOT = Path(__file__).parents[2]
CONF = ROOT / "examples" / "rest_service"
FONT = Path(presidio_cdip.__file__).parent / "imaging" / "fonts" / "sans-swiss.ttf"
SECRET = "Zyxwv"


@pytest.fixture(scope="module")
def engines(age_pack: Path) -> Iterator[RestEngines]:
    """Engines that find ages by rules alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRESIDIO_CDIP_PACK", str(age_pack))
        patch.setenv("PRESIDIO_CDIP_MODEL", "none")
        yield RestEngines()


def analyzed(engines: RestEngines, text: Any = "age 46", **more: Any) -> Any:
    return json.loads(
        engines.analyze(json.dumps({"text": text, "language": "en", **more}).encode())
    )


def refused(call: Any, request: Any) -> tuple[int, str]:
    body = request if isinstance(request, bytes) else json.dumps(request).encode()
    with pytest.raises(Refused) as error:
        call(body)
    return error.value.status, error.value.words


def test_a_finding_has_the_fields_of_presidio(engines: RestEngines) -> None:
    """Type, place, score, and an explanation only where it is asked for."""
    (plain,) = analyzed(engines)
    (explained,) = analyzed(engines, return_decision_process=True)

    assert set(plain) == {"entity_type", "start", "end", "score", "analysis_explanation"}
    assert (plain["entity_type"], plain["start"], plain["end"]) == ("AGE", 4, 6)
    assert plain["analysis_explanation"] is None
    assert explained["analysis_explanation"]["recognizer"] == "CdipRecognizer"


def test_several_texts_have_a_list_each(engines: RestEngines) -> None:
    """In the order of the texts, as each alone."""
    texts = ["age 46", "nothing", "my age 51"]

    assert analyzed(engines, texts) == [analyzed(engines, text) for text in texts]


def test_what_a_request_may_ask_for(engines: RestEngines) -> None:
    """Entities, a threshold, allowed words, and recognizers of its own with context."""
    zip_code = {
        "name": "Zip", "supported_language": "en", "supported_entity": "ZIP", "context": ["zip"],
        "patterns": [{"name": "zip", "regex": r"\b\d{5}\b", "score": 0.01}],
    }  # fmt: skip
    text = "age 46, zip 10023"

    own = analyzed(engines, text, ad_hoc_recognizers=[zip_code])

    assert {(one["entity_type"], one["score"] > 0.3) for one in own} == {
        ("AGE", True), ("ZIP", True),
    }  # fmt: skip
    assert [
        one["entity_type"]
        for one in analyzed(engines, text, entities=["ZIP"], ad_hoc_recognizers=[zip_code])
    ] == ["ZIP"]
    assert analyzed(engines, text, score_threshold=1) == []
    assert analyzed(engines, text, allow_list=["46"]) == []
    assert analyzed(engines, text, allow_list=["4."], allow_list_match="regex") == []
    assert len(analyzed(engines, text, allow_list=["4."])) == 1
    assert len(analyzed(engines, text, correlation_id="1", trace="x", context=["age"])) == 1


@pytest.mark.parametrize(
    ("request_", "status", "words"),
    [
        ({}, 500, "No text provided"),
        ({"language": "en"}, 500, "No text provided"),
        ({"text": "", "language": "en"}, 500, "No text provided"),
        ({"text": "x"}, 500, "No language provided"),
        (
            {"text": "x", "language": "zz"},
            500,
            "No matching recognizers were found to serve the request.",
        ),
        (
            {"text": "x", "language": "en", "ad_hoc_recognizers": [
                {"supported_entity": "Z", "patterns": [{"type": "z", "regex": "z", "score": 1}]}
            ]},
            400,
            "Failed to parse /analyze request for AnalyzerEngine.analyze(). "
            "Pattern.__init__() got an unexpected keyword argument 'type'",
        ),
        (
            {"text": "x", "language": "en", "ad_hoc_recognizers": [{"name": "z"}]},
            400,
            "Failed to parse /analyze request for AnalyzerEngine.analyze(). "
            "PatternRecognizer.__init__() missing 1 required positional argument: "
            "'supported_entity'",
        ),
    ],
)  # fmt: skip
def test_users_depend_on_these_words(
    engines: RestEngines, request_: Any, status: int, words: str
) -> None:
    """Status and message are those of Presidio's analyzer."""
    assert refused(engines.analyze, request_) == (status, words)


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"\xff\xfe", b"[" * 100_000, b'{"a":' * 100_000, b"1" * 10_000, b"[1]", b'"x"'],
    ids=["empty", "cut", "no UTF-8", "deep", "deep objects", "long number", "list", "string"],
)
def test_what_is_no_object_in_json_is_refused(engines: RestEngines, body: bytes) -> None:
    """A body that would exhaust the parser is answered as one that is broken."""
    assert refused(engines.analyze, body)[0] == 400
    assert refused(engines.anonymize, body)[0] == 400
    assert refused(engines.deanonymize, body)[0] == 400


@pytest.mark.parametrize(
    "request_",
    [
        {"text": {SECRET: SECRET}, "language": "en"},
        {"text": [{SECRET: SECRET}], "language": "en"},
        {"text": [SECRET, 7, None], "language": "en"},
        {"text": SECRET, "language": [SECRET]},
        {"text": SECRET, "language": "en", "entities": SECRET},
        {"text": SECRET, "language": "en", "entities": [{SECRET: 1}]},
        {"text": SECRET, "language": "en", "score_threshold": SECRET},
        {"text": "age 46", "language": "en", "allow_list": [f"({SECRET}"],
         "allow_list_match": "regex"},
        {"text": f"{SECRET} age 46", "language": "en", "allow_list_match": SECRET,
         "allow_list": ["1"]},
        {"text": SECRET, "language": "en", "ad_hoc_recognizers": SECRET},
        {"text": SECRET, "language": "en", "ad_hoc_recognizers": [
            {"supported_entity": SECRET, "patterns": [
                {"name": SECRET, "regex": f"({SECRET}", "score": 0.5}]}]},
        {"text": SECRET, "language": "en", "ad_hoc_recognizers": [
            {"supported_entity": SECRET, "patterns": [
                {"name": SECRET, "regex": SECRET, "score": SECRET}]}]},
        {"text": SECRET, "language": "en", "ad_hoc_recognizers": [{f"{SECRET} {SECRET}": 1}]},
    ],
)  # fmt: skip
def test_no_message_repeats_a_text(engines: RestEngines, request_: Any) -> None:
    """Whatever part of Presidio an odd request breaks."""
    try:
        engines.analyze(json.dumps(request_).encode())
    except Refused as error:
        assert SECRET not in error.words
        assert error.words


FINDING = {"entity_type": "NAME", "start": 0, "end": 5, "score": 0.8}


def test_findings_are_replaced_and_restored(engines: RestEngines) -> None:
    """What was encrypted is decrypted by the same key, at the place that the answer names."""
    key = "1111111111111111"
    request = {
        "text": f"{SECRET} came",
        "analyzer_results": [FINDING],
        "anonymizers": {"DEFAULT": {"type": "encrypt", "key": key}},
    }
    done = json.loads(engines.anonymize(json.dumps(request).encode()))
    back = {
        "text": done["text"],
        "anonymizer_results": done["items"],
        "deanonymizers": {"DEFAULT": {"type": "decrypt", "key": key}},
    }
    restored = json.loads(engines.deanonymize(json.dumps(back).encode()))

    assert SECRET not in done["text"]
    assert restored["text"] == f"{SECRET} came"


def test_our_operators_are_there(engines: RestEngines) -> None:
    """Surrogates by a key and a scope, as from Python."""
    key = "a key of thirty-two bytes or so."
    request = {
        "text": "Born: 03/04/31",
        "analyzer_results": [{**FINDING, "entity_type": "DATE_OF_BIRTH", "start": 6, "end": 14}],
        "anonymizers": {"DEFAULT": {"type": "surrogate", "key": key, "scope": "doc-17"}},
    }

    done = json.loads(engines.anonymize(json.dumps(request).encode()))

    own = presidio_cdip.Surrogates(key, "doc-17").surrogate("DATE_OF_BIRTH", "03/04/31")
    assert done["text"] == f"Born: {own}"
    assert {"surrogate", "generalize", "mask", "encrypt"} <= set(engines.anonymizers())
    assert set(engines.deanonymizers()) == {"decrypt", "deanonymize_keep"}


@pytest.mark.parametrize(
    ("request_", "status", "words"),
    [
        ({}, 400, "Invalid request json"),
        ({"text": "x"}, 422, "Invalid input, request must contain analyzer results"),
        (
            {"text": "x", "analyzer_results": [], "anonymizers": {"DEFAULT": {"type": "custom"}}},
            400,
            "Custom type anonymizer is not supported",
        ),
        (
            {"text": "xxxxx", "analyzer_results": [FINDING],
             "anonymizers": {"NAME": {"type": "encrypt", "key": "short"}}},
            422,
            "Invalid input, key must be of length 128, 192 or 256 bits",
        ),
        (
            {"text": "xxxxx", "analyzer_results": [FINDING],
             "anonymizers": {"NAME": {"type": "mask"}}},
            422,
            "Expected parameter masking_char",
        ),
        (
            {"text": "xxxxx", "analyzer_results": [FINDING],
             "anonymizers": {"NAME": {"type": "unknown"}}},
            422,
            "Invalid operator class 'unknown'.",
        ),
        (
            {"text": "xxxxx", "analyzer_results": [{**FINDING, "start": 9}]},
            422,
            "Invalid input, start index '9' must be smaller than end index '5'",
        ),
        ({"text": "x", "analyzer_results": "x"}, 500, "Internal server error"),
        (
            {"text": "xxxxx", "analyzer_results": [FINDING],
             "anonymizers": {"NAME": {"type": f"{SECRET} is ill"}}},
            422,
            "Invalid parameter",
        ),
    ],
)  # fmt: skip
def test_anonymizer_refuses_in_presidios_words(
    engines: RestEngines, request_: Any, status: int, words: str
) -> None:
    """A message of Presidio's that may repeat a text is replaced by a plain one."""
    assert refused(engines.anonymize, request_) == (status, words)


@pytest.mark.parametrize(
    ("parameters", "fill"),
    [
        (None, None),
        ("", None),
        ("{}", None),
        ("{'color_fill':'102, 0, 102'}", (102, 0, 102)),
        ('{"color_fill": "7"}', 7),
    ],
)
def test_a_colour_is_read_as_presidio_reads_it(parameters: str | None, fill: Any) -> None:
    """Also with single quotes, as its documentation has them."""
    assert fill_in(parameters) == fill


@pytest.mark.parametrize(
    "parameters", ["{", "[" * 100_000, '{"color_fill": "red"}', '{"color_fill": "1,2"}',
                   '{"color_fill": "256"}', '{"color_fill": [1]}']
)  # fmt: skip
def test_what_is_no_colour_is_refused(parameters: str) -> None:
    """With 422, and without repeating it."""
    with pytest.raises(Refused, match=r"^Invalid (json format|color fill)$") as error:
        fill_in(parameters)

    assert error.value.status == 422


@pytest.mark.parametrize("data", [b"", b"no image", b"%!PS-Adobe-3.0 EPSF-3.0\n", b"GIF89a"])
def test_what_is_no_image_is_refused(engines: RestEngines, data: bytes) -> None:
    """Neither guessed at nor given to a program such as Ghostscript."""
    with pytest.raises(Refused) as error:
        engines.redact_file(data, None)

    assert error.value.status == 422


@pytest.mark.parametrize(
    "request_",
    [{}, [], {"image": 7}, {"image": "%%%"}, {"image": "YQ==", "analyzer_entities": "AGE"}],
)
def test_json_without_an_image_is_refused(engines: RestEngines, request_: Any) -> None:
    """With 422, as Presidio answers it."""
    assert refused(engines.redact_json, request_)[0] == 422


@pytest.mark.slow
@pytest.mark.usefixtures("tesseract")
def test_a_page_is_filled_or_painted(engines: RestEngines) -> None:
    """With a colour findings are filled; without one they become surrogates; the format stays."""
    font = ImageFont.truetype(FONT, 40)
    page = Image.new("RGB", (900, 200), "white")
    ImageDraw.Draw(page).text((60, 70), "Miss Emily Tanner, age 46", "black", font)
    before = io.BytesIO()
    page.save(before, "TIFF", compression="tiff_lzw")
    sent = before.getvalue()

    painted = engines.redact_file(sent, None)
    filled = engines.redact_file(sent, "{'color_fill': '102, 0, 102'}")
    request = {"image": base64.b64encode(sent).decode(), "analyzer_entities": ["AGE"]}
    of_json = base64.b64decode(engines.redact_json(json.dumps(request).encode()))

    def colours(data: bytes) -> set[Any]:
        found = Image.open(io.BytesIO(data)).convert("RGB").getcolors(1 << 24)
        return {colour for _, colour in found or ()}

    assert {Image.open(io.BytesIO(one)).format for one in (painted, filled, of_json)} == {"TIFF"}
    assert (102, 0, 102) in colours(filled) - colours(painted)
    assert of_json == painted
    changed = ImageChops.difference(page, Image.open(io.BytesIO(painted))).getbbox()
    assert changed is not None
    assert changed[0] > 400, "only the number at the end of the line"


@pytest.mark.filterwarnings("ignore:NLP recognizer")
def test_presidios_variables_describe_the_engine(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """With one of them set, the recognizers are those of the file, and no others."""
    registry = tmp_path / "recognizers.yaml"
    registry.write_text(
        "supported_languages: [en]\nglobal_regex_flags: 26\nrecognizers:\n"
        "  - {name: EmailRecognizer, type: predefined}\n"
        "  - {name: SpacyRecognizer, type: predefined, enabled: false}\n"
    )
    monkeypatch.setenv("NLP_CONF_FILE", str(CONF / "nlp.yaml"))
    monkeypatch.setenv("RECOGNIZER_REGISTRY_CONF_FILE", str(registry))
    engines = RestEngines()

    found = analyzed(engines, "age 46, mail to a@example.com")

    assert set(engines.recognizers("en")) == {"EmailRecognizer"}
    assert "EMAIL_ADDRESS" in engines.supported_entities("en")
    assert [(one["entity_type"], one["start"]) for one in found] == [("EMAIL_ADDRESS", 16)]


def test_a_number_may_stand_for_itself() -> None:
    """What is JSON is returned as it is."""
    assert parsed(b'{"a": [1, null]}') == {"a": [1, None]}
