"""KingsIsle's PropertyClass: objects of Wizard101 and Pirate101, by a type list."""

from ._native import TypeList as TypeList
from ._types import Enum as Enum
from ._types import Euler as Euler
from ._types import GamewireError as GamewireError
from ._types import Matrix3x3 as Matrix3x3
from ._types import Object as Object
from ._types import Point as Point
from ._types import RawObject as RawObject
from ._types import Rect as Rect
from ._types import Size as Size
from ._types import Vector3D as Vector3D
from ._types import PclassColor as _Color
from ._types import PclassQuaternion as _Quaternion

Color, Quaternion = _Color, _Quaternion
