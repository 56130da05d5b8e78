"""Give each row of presidio-structured's data, or each subject's rows, a scope of its own."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pandas import DataFrame
from presidio_anonymizer.entities import OperatorConfig
from presidio_structured import JsonDataProcessor, PandasDataProcessor, StructuredAnalysis
from presidio_structured.data.data_processors import DataProcessorBase

from presidio_cdip.errors import PolicyError
from presidio_cdip.presidio.operators import in_scope
from presidio_cdip.steps import MISSING
from presidio_cdip.surrogates.scopes import scope_of

_Callables = dict[str, Callable[[Any], Any]]


class ScopedRows(DataProcessorBase):
    """Process a DataFrame, or records of JSON, row by row: `StructuredEngine` takes it as its own.

    As Presidio's, it changes the data that it is given. Operators other than ours have no scope.

    Args:
        column: The column or key whose values are the scopes of their rows. A row without a value
            is a scope of its own, as all rows are if None. A key with points, ``"patient.id"``,
            leads into objects.
    """

    def __init__(self, column: str | None = None) -> None:
        super().__init__()
        self._column = column

    def operate(
        self,
        data: Any,
        structured_analysis: StructuredAnalysis,
        operators: Mapping[str, OperatorConfig],
    ) -> Any:
        """Replace the values of *data*, a DataFrame, a record or a list of records.

        Raises:
            PolicyError: No row has the column.
            ValueError: *data* is something else.
        """
        made: dict[str, _Callables] = {}

        def of(scope: str) -> _Callables:
            if scope not in made:
                own = in_scope(operators, scope)
                made[scope] = self._generate_operator_mapping(structured_analysis, own)
            return made[scope]

        if isinstance(data, DataFrame):
            return self._frame(data, structured_analysis, of)
        if not isinstance(data, dict | list):
            raise ValueError("data must be a DataFrame, a record or a list of records")
        records = data if isinstance(data, list) else [data]
        scopes = self._scopes([self._value(record) for record in records], records)
        for record, scope in zip(records, scopes, strict=True):
            JsonDataProcessor()._process(record, of(scope))
        return data

    def _frame(
        self, data: DataFrame, analysis: StructuredAnalysis, of: Callable[[str], _Callables]
    ) -> DataFrame:
        rows = list(data.itertuples(index=False, name=None))
        if self._column is not None and self._column not in data.columns:
            raise self._missing()
        named = [None] * len(rows) if self._column is None else list(data[self._column])
        scopes = self._scopes(named, rows)
        for key in analysis.entity_mapping:
            values = [of(scope)[key](value) for scope, value in zip(scopes, data[key], strict=True)]
            data[key] = values
        return data

    def _scopes(self, named: Sequence[Any], rows: Sequence[Any]) -> list[str]:
        """Return the scope of each row; one of its own for a row whose value is missing."""
        texts = [_text(one) for one in named]
        if self._column is not None and rows and not any(texts):
            raise self._missing()
        return [
            text or scope_of(f"{number} {row!r}")
            for number, (text, row) in enumerate(zip(texts, rows, strict=True))
        ]

    def _value(self, record: Any) -> Any:
        if self._column is None:
            return None
        if isinstance(record, dict) and self._column in record:
            return record[self._column]
        return JsonDataProcessor._get_nested_value(record, self._column.split("."))

    def _missing(self) -> PolicyError:
        return PolicyError("scope_from", f"no row has a column {self._column!r}")

    def _process(self, data: Any, key_to_operator_mapping: _Callables) -> Any:
        """Process *data* in one scope, as Presidio does."""
        frames = isinstance(data, DataFrame)
        own = PandasDataProcessor() if frames else JsonDataProcessor()
        return own._process(data, key_to_operator_mapping)


def _text(value: Any) -> str:
    """Return a value as a file of CSV or JSON has it; "" if it is missing."""
    if isinstance(value, float) and value.is_integer():  # of a column with missing values
        value = int(value)
    text = "" if value is None else str(value).strip()
    return "" if text in MISSING else text
