"""Beans of Zeze, by the numbers of their fields; ``gamewire.open`` has them by names, and frames."""

from ._io import reader, writer
from ._native import zeze_dumps as dumps
from ._native import zeze_loads as loads
from ._types import (
    Bean,
    Dynamic,
    Float32,
    GamewireError,
    Pairs,
    TypedArray,
    TypedDictionary,
    Vector2,
    Vector2i,
    Vector3,
    Vector3i,
    Vector4,
)

load, dump = reader(loads), writer(dumps)

__all__ = [name for name in dir() if name[0].isupper()] + ["load", "loads", "dump", "dumps"]
