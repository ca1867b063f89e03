"""Godot's binary Variant: saves, packets, ``project.binary``."""

from ._io import reader, writer
from ._native import godot_dumps as dumps
from ._native import godot_loads as loads
from ._types import (
    AABB,
    Basis,
    Color,
    GamewireError,
    NodePath,
    Opaque,
    PackedColorArray,
    PackedFloat32Array,
    PackedFloat64Array,
    PackedInt32Array,
    PackedInt64Array,
    PackedStringArray,
    PackedVector2Array,
    PackedVector3Array,
    PackedVector4Array,
    Pairs,
    Plane,
    Projection,
    Quaternion,
    Rect2,
    Rect2i,
    StringName,
    Transform2D,
    Transform3D,
    TypedArray,
    TypedDictionary,
    Vector2,
    Vector2i,
    Vector3,
    Vector3i,
    Vector4,
    Vector4i,
)

load, dump = reader(loads), writer(dumps)

__all__ = [name for name in dir() if name[0].isupper()] + ["load", "loads", "dump", "dumps"]
