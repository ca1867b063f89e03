"""JSON of Open 3D Engine. ``gamewire.open`` keeps comments and layout of a file; this does not."""

from ._io import reader, writer
from ._native import o3de_dumps as dumps
from ._native import o3de_loads as loads
from ._types import GamewireError, Number, Pairs

load, dump = reader(loads), writer(dumps)

__all__ = [name for name in dir() if name[0].isupper()] + ["load", "loads", "dump", "dumps"]
