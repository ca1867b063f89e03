"""KingsIsle's PropertyClass: objects of Wizard101 and Pirate101, by a type list."""

from ._native import TypeList
from ._types import Enum, Euler, GamewireError, Matrix3x3, Object, Point, RawObject, Rect, Size, Vector3D
from ._types import PclassColor as Color
from ._types import PclassQuaternion as Quaternion

__all__ = [name for name in dir() if name[0].isupper()]
