"""Saves of Resonite and NeosVR: BSON in a container."""

from ._io import reader, writer
from ._native import resonite_dumps as dumps
from ._native import resonite_loads as loads
from ._types import Binary, DateTime, GamewireError, Int32, Int64, Opaque, Pairs

load, dump = reader(loads), writer(dumps)

__all__ = [name for name in dir() if name[0].isupper()] + ["load", "loads", "dump", "dumps"]
