"""Godot's binary Variant: saves, packets, ``project.binary``."""

from . import _native
from ._io import reader as _reader
from ._io import writer as _writer
from ._types import AABB as AABB
from ._types import Basis as Basis
from ._types import Color as Color
from ._types import GamewireError as GamewireError
from ._types import NodePath as NodePath
from ._types import Opaque as Opaque
from ._types import PackedColorArray as PackedColorArray
from ._types import PackedFloat32Array as PackedFloat32Array
from ._types import PackedFloat64Array as PackedFloat64Array
from ._types import PackedInt32Array as PackedInt32Array
from ._types import PackedInt64Array as PackedInt64Array
from ._types import PackedStringArray as PackedStringArray
from ._types import PackedVector2Array as PackedVector2Array
from ._types import PackedVector3Array as PackedVector3Array
from ._types import PackedVector4Array as PackedVector4Array
from ._types import Pairs as Pairs
from ._types import Plane as Plane
from ._types import Projection as Projection
from ._types import Quaternion as Quaternion
from ._types import Rect2 as Rect2
from ._types import Rect2i as Rect2i
from ._types import StringName as StringName
from ._types import Transform2D as Transform2D
from ._types import Transform3D as Transform3D
from ._types import TypedArray as TypedArray
from ._types import TypedDictionary as TypedDictionary
from ._types import Vector2 as Vector2
from ._types import Vector2i as Vector2i
from ._types import Vector3 as Vector3
from ._types import Vector3i as Vector3i
from ._types import Vector4 as Vector4
from ._types import Vector4i as Vector4i

loads, dumps = _native.godot_loads, _native.godot_dumps
load, dump = _reader(loads), _writer(dumps)
