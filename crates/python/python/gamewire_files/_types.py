"""The types of values. The modules of the formats export those that their format has."""

from __future__ import annotations

import base64
import dataclasses
from array import array
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from uuid import UUID

if TYPE_CHECKING:
    from typing_extensions import Self

    Floats = array[float]
else:
    Floats = array

_N = TypeVar("_N", int, float)
_K = TypeVar("_K")
_V = TypeVar("_V")


class GamewireError(ValueError):
    """Data that is not valid, or that cannot be written.

    ``offset`` is the byte where it is wrong, ``path`` the value; either may be ``None``.
    """

    def __init__(self, message: str, offset: int | None = None, path: str | None = None) -> None:
        super().__init__(message, offset, path)
        self.offset = offset
        self.path = path

    def __str__(self) -> str:
        return str(self.args[0])


def _same(number: Any) -> Any:
    return number


def _inside(kind: Any, start: int, end: int) -> property:
    return property(lambda self: tuple.__new__(kind, self[start:end]))


class Notation:
    """A value in the JSON notation of its format, as ``to_json`` writes it, out of what ``json.loads`` returns."""

    __slots__ = ("json",)
    __match_args__ = ("json",)

    def __init__(self, json: Any) -> None:
        self.json = json

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Notation) and self.json == other.json

    def __repr__(self) -> str:
        return f"Notation({self.json!r})"


class _Own:
    """Of a builtin type with more in it: two are not equal where ``==`` says so."""

    __slots__ = ()

    def __ne__(self, other: object) -> bool:
        return not self == other


class Row(_Own, tuple[_N, ...]):
    """A row of numbers. It equals rows of its own kind only.

    The annotations of a kind are its parts in order: numbers, or rows themselves.
    """

    __slots__ = ()
    _fields: ClassVar[tuple[str, ...]] = ()
    _scalar: ClassVar[Any] = float
    _kind: ClassVar[Any] = None

    def __init_subclass__(cls) -> None:
        parts = {name: own for name, own in vars(cls).get("__annotations__", {}).items() if "ClassVar" not in own}
        if not parts:
            return
        cls._kind = cls
        names: list[str] = []
        for name, part in parts.items():
            start = len(names)
            if part in ("int", "float", "Any"):
                cls._scalar = {"int": int, "float": float}.get(part, _same)
                setattr(cls, name, property(itemgetter(start)))
                names.append(name)
            else:
                kind = globals()[part]
                cls._scalar = kind._scalar
                setattr(cls, name, _inside(kind, start, start + len(kind._fields)))
                names += [f"{name}_{own}" for own in kind._fields]
        cls._fields = tuple(names)
        setattr(cls, "__match_args__", tuple(parts))

    def __new__(cls, *numbers: Any) -> Self:
        if len(numbers) == 1 and not isinstance(numbers[0], (int, float)):
            numbers = tuple(numbers[0])
        if len(numbers) != len(cls._fields):
            # The parts may be given as what they are.
            numbers = tuple(chain.from_iterable(own if isinstance(own, (tuple, list)) else (own,) for own in numbers))
        if len(numbers) != len(cls._fields):
            raise TypeError(f"{cls.__name__} has {len(cls._fields)} components, not {len(numbers)}")
        return tuple.__new__(cls, map(cls._scalar, numbers))

    def __eq__(self, other: object) -> bool:
        return self._kind is getattr(type(other), "_kind", None) and tuple.__eq__(self, other)

    __hash__ = tuple.__hash__

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(map(repr, self))})"

    def __getnewargs__(self) -> Any:
        return tuple(self)


class Real(Row[float]):
    """A row of floats with 32 bits. Its ``Double`` has 64, from an engine with ``precision=double``."""

    __slots__ = ()
    Double: ClassVar[Any]


class Vector2(Real):
    """Two components."""

    __slots__ = ()
    x: float
    y: float


class Vector2i(Row[int]):
    """Two whole components."""

    __slots__ = ()
    x: int
    y: int


class Rect2(Real):
    """A rectangle."""

    __slots__ = ()
    position: Vector2
    size: Vector2


class Rect2i(Row[int]):
    """A rectangle of whole numbers."""

    __slots__ = ()
    position: Vector2i
    size: Vector2i


class Vector3(Real):
    """Three components."""

    __slots__ = ()
    x: float
    y: float
    z: float


class Vector3i(Row[int]):
    """Three whole components."""

    __slots__ = ()
    x: int
    y: int
    z: int


class Vector4(Real):
    """Four components."""

    __slots__ = ()
    x: float
    y: float
    z: float
    w: float


class Vector4i(Row[int]):
    """Four whole components."""

    __slots__ = ()
    x: int
    y: int
    z: int
    w: int


class Transform2D(Real):
    """Two axes and an origin."""

    __slots__ = ()
    x: Vector2
    y: Vector2
    origin: Vector2


class Plane(Real):
    """A normal and a distance."""

    __slots__ = ()
    normal: Vector3
    d: float


class Quaternion(Real):
    """A rotation."""

    __slots__ = ()
    x: float
    y: float
    z: float
    w: float


class AABB(Real):
    """A box."""

    __slots__ = ()
    position: Vector3
    size: Vector3


class Basis(Real):
    """Three axes, as GDScript's ``Basis(x, y, z)``."""

    __slots__ = ()
    x: Vector3
    y: Vector3
    z: Vector3


class Transform3D(Real):
    """Three axes and an origin."""

    __slots__ = ()
    basis: Basis
    origin: Vector3


class Projection(Real):
    """A matrix by its columns."""

    __slots__ = ()
    x: Vector4
    y: Vector4
    z: Vector4
    w: Vector4


class Color(Real):
    """Red, green, blue, alpha."""

    __slots__ = ()
    r: float
    g: float
    b: float
    a: float


for _own in (Vector2, Rect2, Vector3, Vector4, Transform2D, Plane, Quaternion, AABB, Basis, Transform3D, Projection, Color):
    _own.Double = type("Double", (_own,), {"__slots__": (), "__qualname__": f"{_own.__name__}.Double"})


class PclassColor(Row[int]):
    """Red, green, blue, alpha in PropertyClass."""

    __slots__ = ()
    r: int
    g: int
    b: int
    a: int


class PclassQuaternion(Row[float]):
    """A rotation in PropertyClass."""

    __slots__ = ()
    w: float
    x: float
    y: float
    z: float


class Vector3D(Row[float]):
    """Three components."""

    __slots__ = ()
    x: float
    y: float
    z: float


class Euler(Row[float]):
    """A rotation by three angles."""

    __slots__ = ()
    pitch: float
    yaw: float
    roll: float


class Matrix3x3(Row[float]):
    """Three rows."""

    __slots__ = ()
    i: Vector3D
    j: Vector3D
    k: Vector3D


class Size(Row[Any]):
    """Width and height, of the numbers that the property declares."""

    __slots__ = ()
    width: Any
    height: Any


class Point(Row[Any]):
    """Two numbers, of the kind that the property declares."""

    __slots__ = ()
    x: Any
    y: Any


class Rect(Row[Any]):
    """Four numbers, of the kind that the property declares."""

    __slots__ = ()
    left: Any
    top: Any
    right: Any
    bottom: Any


class StringName(str):
    """An interned string of Godot: ``&"name"``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"StringName({str.__repr__(self)})"


class NodePath(str):
    """A path of nodes and properties in Godot: ``^"Player:position:x"``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"NodePath({str.__repr__(self)})"


class Int32(int):
    """An integer that is written with 32 bits."""

    __slots__ = ()


class Int64(int):
    """An integer that is written with 64 bits."""

    __slots__ = ()


class Float32(float):
    """A float that is written with 32 bits."""

    __slots__ = ()


class Number(float):
    """A number with the spelling that it has in the text."""

    text: str

    def __new__(cls, text: str) -> Number:
        made = float.__new__(cls, text)
        made.text = str(text)
        return made

    def __repr__(self) -> str:
        return f"Number({self.text!r})"

    def __getnewargs__(self) -> Any:
        return (self.text,)


class Enum(int):
    """An enum or bit flags, with the names of its options in ``text``."""

    text: str

    def __new__(cls, number: int, text: str = "") -> Enum:
        made = int.__new__(cls, number)
        made.text = text
        return made

    def __repr__(self) -> str:
        return f"Enum({int(self)}, {self.text!r})"

    def __str__(self) -> str:
        return self.text or int.__repr__(self)

    def __getnewargs__(self) -> Any:
        return (int(self), self.text)


class TypedArray(_Own, list[_V]):
    """A list whose ``element`` type is written with it."""

    def __init__(self, items: Iterable[_V] = (), element: str = "Variant") -> None:
        super().__init__(items)
        self.element = element

    def __eq__(self, other: object) -> bool:
        return list.__eq__(self, other) and self.element == getattr(other, "element", self.element)

    __hash__ = None

    def __repr__(self) -> str:
        return f"TypedArray({list.__repr__(self)}, element={self.element!r})"


class TypedDictionary(_Own, dict[_K, _V]):
    """A dict whose types of keys and values are written with it."""

    def __init__(self, entries: Any = (), key: str = "Variant", value: str = "Variant") -> None:
        super().__init__(entries)
        self.key, self.value = key, value

    def __eq__(self, other: object) -> bool:
        types = (getattr(other, "key", self.key), getattr(other, "value", self.value))
        return dict.__eq__(self, other) and types == (self.key, self.value)

    __hash__ = None

    def __repr__(self) -> str:
        return f"TypedDictionary({dict.__repr__(self)}, key={self.key!r}, value={self.value!r})"


class Pairs(list[Any]):
    """Entries that cannot be a dict: a key cannot be one in Python, or two are one, such as 1 and 1.0.

    ``key`` and ``value`` are the types that are written with them.
    """

    def __init__(self, items: Iterable[Any] = (), key: str = "Variant", value: str = "Variant") -> None:
        super().__init__(items)
        self.key, self.value = key, value

    def __repr__(self) -> str:
        return f"Pairs({list.__repr__(self)})"


#: Numbers of an array that its ``repr`` shows.
_SHOWN = 16


class Packed(_Own, Floats):
    """A packed array of Godot: an ``array.array``, so that it has the buffer protocol.

    Arrays of vectors and colors have their components one after another; ``rows()`` are the elements,
    and ``numpy.asarray(own).reshape(-1, own.width)`` is a view of them.
    """

    __slots__ = ()
    _code: ClassVar[str] = "f"
    _row: ClassVar[Any] = None
    width: ClassVar[int] = 1

    def __new__(cls, items: Any = ()) -> Self:
        code = cls._code
        if isinstance(items, (bytes, bytearray)):
            return array.__new__(cls, code, bytes(items))
        if isinstance(items, str):
            raise TypeError(f"{cls.__name__} takes numbers, not text")
        try:
            view = memoryview(items)
        except TypeError:
            rows = chain.from_iterable(items) if cls._row else items
            return array.__new__(cls, code, rows)
        if view.format != code and not (view.itemsize == array(code).itemsize and view.format in "lq" and code in "lq"):
            return array.__new__(cls, code, _flat(view.tolist()))
        return array.__new__(cls, code, view.tobytes())

    def plain(self) -> list[Any]:
        """The elements as numbers, or lists of numbers."""
        return [list(row) for row in self.rows()] if self._row else list(self)

    def rows(self) -> list[Any]:
        """The elements."""
        row, width = self._row, self.width
        if row is None:
            return list(self)
        return [tuple.__new__(row, self[at : at + width]) for at in range(0, len(self), width)]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and array.__eq__(self, other)

    __hash__ = None

    def __repr__(self) -> str:
        if len(self) <= _SHOWN:
            return f"{type(self).__qualname__}({list(self)!r})"
        first = ", ".join(map(repr, self[:_SHOWN]))
        return f"<{type(self).__qualname__} [{first}, …], {len(self) // self.width} elements>"

    def __copy__(self) -> Any:
        return type(self)(self.tobytes())

    def __deepcopy__(self, memo: Any) -> Any:
        return type(self)(self.tobytes())

    def __reduce_ex__(self, protocol: Any) -> Any:
        return (type(self), (self.tobytes(),))


def _flat(items: Any) -> Iterator[Any]:
    for item in items:
        if isinstance(item, (list, tuple)):
            yield from _flat(item)
        else:
            yield item


class PackedInt32Array(Packed):
    """Integers of 32 bits."""

    __slots__ = ()
    _code = "i"


class PackedInt64Array(Packed):
    """Integers of 64 bits."""

    __slots__ = ()
    _code = "q"


class PackedFloat32Array(Packed):
    """Floats of 32 bits."""

    __slots__ = ()
    _code = "f"


class PackedFloat64Array(Packed):
    """Floats of 64 bits."""

    __slots__ = ()
    _code = "d"


class PackedVector2Array(Packed):
    """``Vector2``, two floats each."""

    __slots__ = ()
    _row, width = Vector2, 2
    Double: ClassVar[Any]


class PackedVector3Array(Packed):
    """``Vector3``, three floats each."""

    __slots__ = ()
    _row, width = Vector3, 3
    Double: ClassVar[Any]


class PackedColorArray(Packed):
    """``Color``, four floats each."""

    __slots__ = ()
    _row, width = Color, 4
    Double: ClassVar[Any]


class PackedVector4Array(Packed):
    """``Vector4``, four floats each."""

    __slots__ = ()
    _row, width = Vector4, 4
    Double: ClassVar[Any]


for _array in (PackedVector2Array, PackedVector3Array, PackedColorArray, PackedVector4Array):
    _wide = {"__slots__": (), "_code": "d", "__qualname__": f"{_array.__name__}.Double"}
    _array.Double = type("Double", (_array,), _wide)

_OF_CODE: dict[str, Any] = {
    **dict.fromkeys("bhHi", PackedInt32Array),
    **dict.fromkeys("lqILQ", PackedInt64Array),
    **dict.fromkeys("ef", PackedFloat32Array),
    "d": PackedFloat64Array,
}


def adopt(value: Any, format: str) -> Any:
    """What stands for a value of another library in a format; ``None`` if nothing does."""
    if isinstance(value, Decimal) and format == "JSON" and value.is_finite():
        return Number(str(value))
    if isinstance(value, UUID) and format == "BSON":
        return Binary(value.bytes, 4)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {own.name: getattr(value, own.name) for own in dataclasses.fields(value)}
    dtype = getattr(value, "dtype", None)
    if getattr(dtype, "kind", "") in ("m", "M", "V"):
        # Times, of which ``item`` would make numbers.
        return None
    if dtype is not None and getattr(value, "ndim", None) == 0:
        return value.item()
    if dtype is not None and format != "Godot":
        return value.tolist()
    try:
        view = memoryview(value)
    except (TypeError, ValueError, BufferError):
        return value.tolist() if dtype is not None else None
    if view.format in ("B", "c") and view.ndim == 1:
        return view.tobytes()
    if format != "Godot":
        return value.tolist()
    if view.format == "f" and view.ndim == 2 and view.shape is not None and view.shape[1] in (2, 3):
        return (PackedVector2Array if view.shape[1] == 2 else PackedVector3Array)(view.tobytes())
    kind = _OF_CODE.get(view.format) if view.ndim == 1 else None
    if kind is None:
        return value.tolist() if view.ndim == 1 else None
    try:
        return kind(view if view.format != "e" else value.tolist())
    except OverflowError:
        return None


class PackedStringArray(_Own, list[str]):
    """A packed array of text."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PackedStringArray) and list.__eq__(self, other)

    __hash__ = None

    def __repr__(self) -> str:
        return f"PackedStringArray({list.__repr__(self)})"


class Opaque:
    """A value that Python has no type for. It is written as it was read; ``text`` is for people."""

    __slots__ = ("kind", "data", "text")

    def __init__(self, kind: str, data: bytes, text: str = "") -> None:
        self.kind, self.data, self.text = kind, bytes(data), text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Opaque) and (self.kind, self.data) == (other.kind, other.data)

    def __hash__(self) -> int:
        return hash((self.kind, self.data))

    def __repr__(self) -> str:
        return f"<{self.kind} {self.text or self.data.hex()}>"

    def __reduce__(self) -> Any:
        return (type(self), (self.kind, self.data, self.text))


class Binary(_Own, bytes):
    """Bytes of BSON with a ``subtype`` other than 0."""

    subtype: int

    def __new__(cls, data: bytes, subtype: int = 0) -> Binary:
        made = bytes.__new__(cls, data)
        made.subtype = subtype
        return made

    def __eq__(self, other: object) -> bool:
        return bytes.__eq__(self, other) and self.subtype == getattr(other, "subtype", 0)

    def __hash__(self) -> int:
        return bytes.__hash__(self)

    def __repr__(self) -> str:
        return f"Binary({bytes.__repr__(self)}, {self.subtype})"

    def __getnewargs__(self) -> Any:
        return (bytes(self), self.subtype)


class DateTime(int):
    """Milliseconds since 1970 that a ``datetime`` cannot have."""

    __slots__ = ()


_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def of_millis(millis: int) -> datetime | DateTime:
    """A point in time."""
    try:
        return _EPOCH + timedelta(milliseconds=millis)
    except OverflowError:
        return DateTime(millis)


def to_millis(time: datetime) -> int:
    """Milliseconds since 1970."""
    if time.tzinfo is None:
        raise ValueError(f"expected a datetime with a time zone, found {time.isoformat()}")
    millis, rest = divmod(time - _EPOCH, timedelta(milliseconds=1))
    if rest:
        raise ValueError(f"a point in time has whole milliseconds, found {time.isoformat()}")
    return millis


class Bean(_Own, dict[int, Any]):
    """A bean of Zeze: values by the numbers of its fields, and the ``base`` that it extends."""

    def __init__(self, fields: Any = (), base: Bean | None = None) -> None:
        super().__init__(fields)
        self.base = base

    def __eq__(self, other: object) -> bool:
        return dict.__eq__(self, other) and self.base == getattr(other, "base", None)

    __hash__ = None

    def __repr__(self) -> str:
        base = f", base={self.base!r}" if self.base is not None else ""
        return f"{type(self).__name__}({dict.__repr__(self)}{base})"


class Dynamic(Bean):
    """A bean with the number of its type."""

    def __init__(self, fields: Any = (), base: Bean | None = None, type_id: int = 0) -> None:
        super().__init__(fields, base)
        self.type_id = type_id

    def __eq__(self, other: object) -> bool:
        return Bean.__eq__(self, other) and self.type_id == getattr(other, "type_id", None)

    __hash__ = None


class Object(_Own, dict[str, Any]):
    """An object of PropertyClass: values by the names of its properties.

    ``core`` is the header of a core object: block, type, template.
    """

    def __init__(
        self, properties: Any = (), type_name: str = "", type_hash: int = 0, core: tuple[int, int, int] | None = None
    ) -> None:
        super().__init__(properties)
        self.type_name, self.type_hash, self.core = type_name, type_hash, core

    def __eq__(self, other: object) -> bool:
        own = (self.type_name, self.core)
        return dict.__eq__(self, other) and own == (getattr(other, "type_name", None), getattr(other, "core", None))

    __hash__ = None

    def __repr__(self) -> str:
        return f"Object({dict.__repr__(self)}, {self.type_name!r})"


class RawObject:
    """Bits that no type list knows: those of an object by its hash, or of a property."""

    __slots__ = ("type_hash", "bits", "data")

    def __init__(self, type_hash: int | None, bits: int, data: bytes) -> None:
        self.type_hash, self.bits, self.data = type_hash, bits, bytes(data)

    def __eq__(self, other: object) -> bool:
        own = (self.type_hash, self.bits, self.data)
        return isinstance(other, RawObject) and own == (other.type_hash, other.bits, other.data)

    def __hash__(self) -> int:
        return hash((self.type_hash, self.bits, self.data))

    def __repr__(self) -> str:
        return f"RawObject({self.type_hash!r}, {self.bits}, {self.data!r})"

    def __reduce__(self) -> Any:
        return (type(self), (self.type_hash, self.bits, self.data))


def of_uuid(data: bytes) -> UUID:
    """A binary of subtype 4."""
    return UUID(bytes=data)


def _refuse(self: Any, *_: Any, **__: Any) -> Any:
    raise TypeError(
        "file[path] returns a copy, and changing it would not change the file: set a longer path, such as "
        "file['player.hp'], or change what file.get(path) returns and set that"
    )


_CHANGES: tuple[str, ...] = ("__setitem__", "__delitem__", "__iadd__", "__imul__", "__ior__", "append", "clear", "extend", "insert", "pop")
_CHANGES += ("popitem", "remove", "reverse", "setdefault", "sort", "update")


def _bare(kind: Any) -> Any:
    return kind.__new__(kind)


def _frozen(kind: Any) -> Any:
    """A type of values that raise where they are changed. Copies of them can be changed."""

    def reduce(self: Any, _: Any) -> Any:
        items = (None, iter(self.items())) if issubclass(kind, dict) else (iter(self), None)
        return (_bare, (kind,), getattr(self, "__dict__", None) or None, *items)

    own = {name: _refuse for name in _CHANGES if hasattr(kind, name)}
    return type(kind.__name__, (kind,), {"__slots__": (), "__reduce_ex__": reduce, "__hash__": None, **own})


_FROZEN = {
    kind: _frozen(kind) for kind in (dict, list, TypedArray, TypedDictionary, Pairs, PackedStringArray, Bean, Dynamic, Object)
}


def freeze(value: Any) -> Any:
    """A list or dict that raises where it is changed."""
    kind = _FROZEN.get(type(value))
    if kind is None:
        return value
    made = _bare(kind)
    (dict.update if isinstance(made, dict) else list.extend)(made, value)
    getattr(made, "__dict__", {}).update(getattr(value, "__dict__", {}))
    return made


def to_base64(data: bytes) -> str:
    """Bytes as plain text."""
    return base64.b64encode(data).decode()
