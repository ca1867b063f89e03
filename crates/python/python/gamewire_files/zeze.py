"""Beans of Zeze, by the numbers of their fields; ``gamewire_files.open`` has them by names, and frames."""

from . import _native
from ._io import reader as _reader
from ._io import writer as _writer
from ._types import Bean as Bean
from ._types import Dynamic as Dynamic
from ._types import Float32 as Float32
from ._types import GamewireError as GamewireError
from ._types import Pairs as Pairs
from ._types import TypedArray as TypedArray
from ._types import TypedDictionary as TypedDictionary
from ._types import Vector2 as Vector2
from ._types import Vector2i as Vector2i
from ._types import Vector3 as Vector3
from ._types import Vector3i as Vector3i
from ._types import Vector4 as Vector4

loads, dumps = _native.zeze_loads, _native.zeze_dumps
load, dump = _reader(loads), _writer(dumps)
