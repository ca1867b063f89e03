"""Saves of Resonite and NeosVR: BSON in a container."""

from . import _native
from ._io import reader as _reader
from ._io import writer as _writer
from ._types import Binary as Binary
from ._types import DateTime as DateTime
from ._types import GamewireError as GamewireError
from ._types import Int32 as Int32
from ._types import Int64 as Int64
from ._types import Opaque as Opaque
from ._types import Pairs as Pairs

loads, dumps = _native.resonite_loads, _native.resonite_dumps
load, dump = _reader(loads), _writer(dumps)
