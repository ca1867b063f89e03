"""JSON of Open 3D Engine. ``gamewire_files.open`` keeps comments and layout of a file; this does not."""

from . import _native
from ._io import reader as _reader
from ._io import writer as _writer
from ._types import GamewireError as GamewireError
from ._types import Number as Number
from ._types import Pairs as Pairs

loads, dumps = _native.o3de_loads, _native.o3de_dumps
load, dump = _reader(loads), _writer(dumps)
