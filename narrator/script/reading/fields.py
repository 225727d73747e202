"""What the shapes of a script are made of: texts, numbers, yes or no, and mappings with places."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    PrivateAttr,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from narrator.core.game import Place
from narrator.script.diagnostics.report import Report, closest
from narrator.script.reading.nodes import Items, Scalar, Table

VERBS = [
    "vote", "timer", "for each", "repeat", "if", "ask", "hear", "countdown", "wait", "set", "score",
    "part", "again", "draw", "shuffle", "roll", "teams", "cue", "cover", "end", "say",
]  # fmt: skip
"""Every step, the more particular first: a `vote` may have an `ask` and a `say` of its own. A kind
that is not named here stands before them all."""
VERBS_MEANT = {
    "speak": "say", "print": "say", "tell": "say", "read": "say", "announce": "say",
    "question": "ask", "input": "ask", "listen": "hear", "await": "hear",
    "pause": "wait", "sleep": "wait", "delay": "wait", "clock": "timer", "stopwatch": "timer",
    "loop": "repeat", "while": "repeat", "until": "repeat", "for": "for each",
    "foreach": "for each", "goto": "again", "go to": "again", "restart": "again",
    "call": "part", "include": "part",
    "random": "draw", "pick": "draw", "deal": "draw", "dice": "roll", "points": "score",
    "let": "set", "variable": "set", "sound": "cue", "stop": "end", "finish": "end",
}  # fmt: skip
"""Words of other languages that mean a step."""
BARE = frozenset({"end", "again"})
"""Steps that may stand alone as a word."""

NUMBER = {"type": "integer", "minimum": 0}
TEXT: dict[str, Any] = {"type": ["string", "number", "boolean"]}
TRUTH = {"yes": True, "true": True, "on": True, "no": False, "false": False, "off": False}


def _text(value: Any) -> Any:
    if isinstance(value, Scalar):
        return value
    raise PydanticCustomError("NS022", "a text")


def _listed(value: Any) -> Any:
    if isinstance(value, Scalar):
        items = Items([value])
        items.place = value.place
        return items
    return value


def _list_or_expression(value: Any) -> Any:
    if isinstance(value, Items) and all(isinstance(item, Scalar) for item in value):
        return value
    return _text(value)


def or_nothing(value: Any) -> Any:
    """Read an empty value as none at all."""
    return None if isinstance(value, Scalar) and not value.text else value


def _truth(value: Any) -> Any:
    if not isinstance(value, Scalar):
        raise PydanticCustomError("NS022", "yes or no")
    truth = TRUTH.get(value.text.lower())
    if truth is None:
        raise PydanticCustomError("NS028", "yes or no")
    return truth


def _whole(value: Any) -> Any:
    if isinstance(value, Scalar) and value.text.isdecimal() and len(value.text) < 10:
        return int(value.text)
    raise PydanticCustomError("NS022", "a whole number")


Text: TypeAlias = Annotated[Any, BeforeValidator(_text), WithJsonSchema(TEXT)]
"""A Scalar. Its meaning (text, expression, duration, name) is the field's."""
Truth: TypeAlias = Annotated[
    bool, BeforeValidator(_truth), WithJsonSchema({"enum": ["yes", "no", True, False, "on", "off"]})
]
Whole: TypeAlias = Annotated[int, BeforeValidator(_whole), WithJsonSchema(NUMBER)]
Texts: TypeAlias = Annotated[
    list[Text],
    BeforeValidator(_listed),
    WithJsonSchema({"anyOf": [TEXT, {"type": "array", "items": TEXT}]}),
]
"""One text or several; a list of Scalars."""
Several: TypeAlias = Annotated[
    Any,
    BeforeValidator(_list_or_expression),
    WithJsonSchema({"anyOf": [TEXT, {"type": "array", "items": TEXT}]}),
]
"""A Scalar that holds an expression for a list, or Items of Scalars: the list itself."""


class Shape(BaseModel):
    """A mapping of a script. Unknown keys are reported with what could be meant, then left out."""

    model_config = ConfigDict(extra="forbid", arbitrary_types_allowed=True, defer_build=True)
    verb: ClassVar[str] = ""
    """For a step: the key it is known by."""
    _table: Table = PrivateAttr()

    @property
    def place(self) -> Place:
        """Where it begins."""
        return self._table.place

    def at(self, key: str) -> Place:
        """Return where one of its keys stands; where it begins, if it has no such key."""
        return self._table.keys_at.get(key, self.place)

    def table(self, key: str) -> Table:
        """Return the mapping under a key as it was read."""
        node = self._table.get(key)
        return node if isinstance(node, Table) else _empty(self.place)

    @classmethod
    def keys(cls) -> frozenset[str]:
        """Return every key it may have."""
        return frozenset(f.alias or name for name, f in cls.model_fields.items())

    @model_validator(mode="wrap")
    @classmethod
    def _placed(cls, data: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        if isinstance(data, Scalar) and cls.verb and data.text in BARE:
            table = _empty(data.place)
            table[data.text] = Scalar("", data.place)
            data = table
        if not isinstance(data, Table):
            raise PydanticCustomError("NS022", "a mapping (`key: value` lines)")
        kept = {}
        for key in list(data):
            meant = key if cls._known(key, data, info.context) else cls._meant(key, data)
            if meant:
                kept[meant] = data[key]
        result = handler(kept)
        result._table = data
        return result

    @classmethod
    def _meant(cls, key: str, data: Table) -> str:
        """Take a misspelt key, which was told of, for the one that is meant, and read on."""
        meant = "" if key in VERBS else closest(key, cls.keys() - set(data))
        if meant:
            data[meant] = data[key]
            data.keys_at[meant] = data.keys_at[key]
        return meant

    @classmethod
    def _known(cls, key: str, data: Table, report: Any) -> bool:
        if key in cls.keys():
            return True
        if isinstance(report, Report):
            place = data.keys_at[key]
            if cls.verb and key in VERBS:
                report.add("NS024", place, key=key, verb=cls.verb,
                           cure=f"Begin a new line with `- {key}:`.")  # fmt: skip
            else:
                report.add("NS020", place, key=key, near=(key, cls.keys()))
        return False


def _empty(place: Place) -> Table:
    table = Table()
    table.place, table.keys_at = place, {}
    return table
