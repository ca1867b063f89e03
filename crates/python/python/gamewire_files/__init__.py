"""Files of game engines and online games: Godot, O3DE, KingsIsle, Resonite, Zeze.

``open`` opens any of them: values by their paths, changes that keep every other byte, comparison,
merging. The modules ``godot``, ``o3de``, ``pclass``, ``resonite`` and ``zeze`` have ``loads`` and
``dumps`` of values.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native, godot, o3de, pclass, resonite, zeze
from ._io import replace as _replace
from ._native import Explanation, detect, explain
from ._types import GamewireError, Notation

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Buffer, Self, Unpack

    from ._native import File as NativeFile
    from ._native import _Settings as Settings
    from ._native import _Source as Source

__version__ = "0.1.0"
__all__ = [
    "Change",
    "Conflict",
    "Entries",
    "Explanation",
    "File",
    "GamewireError",
    "MergeConflict",
    "Notation",
    "detect",
    "explain",
    "godot",
    "o3de",
    "open",
    "pclass",
    "resonite",
    "zeze",
]


class Change(NamedTuple):
    """A difference of two files: ``change`` is changed, added, removed, type, renamed or reordered."""

    path: str
    change: str
    old: str | None = None
    new: str | None = None
    #: The names of what the value is in, where it has any.
    about: str | None = None


class Conflict(NamedTuple):
    """A place that both sides of a merge changed in different ways."""

    path: str
    base: str | None
    ours: str | None
    theirs: str | None


class MergeConflict(GamewireError):
    """A merge that needs a decision; ``conflicts`` are the places."""

    def __init__(self, conflicts: Iterable[tuple[Any, ...]]) -> None:
        self.conflicts = [Conflict(*own) for own in conflicts]
        paths = ", ".join(own.path or "(root)" for own in self.conflicts[:5])
        more = ", …" if len(self.conflicts) > 5 else ""
        super().__init__(f"both sides changed {paths}{more}")

    def __reduce__(self) -> Any:
        return (type(self), (self.conflicts,))


class File:
    """An opened file. Values are found by paths: ``file["player.hp"]``, ``file["crops[*].kind"]``.

    What is not changed keeps its bytes. ``file[path]`` returns a copy that raises where it is changed;
    ``file.get(path)`` one that can be. A ``with`` of a file saves it only with ``save_on_exit=True``.
    """

    def __init__(self, data: Source, *, save_on_exit: bool = False, **settings: Unpack[Settings]) -> None:
        self.path: str | None = os.fspath(data) if isinstance(data, (str, os.PathLike)) else None
        self.save_on_exit = save_on_exit
        self._native = _native.File(data, **settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.save_on_exit and kind is None:
            self.save()

    @classmethod
    def _of(cls, native: NativeFile, path: str | None) -> File:
        made = cls.__new__(cls)
        made._native, made.path, made.save_on_exit = native, path, False
        return made

    @property
    def format(self) -> str:
        """The format, such as ``godot-variant``."""
        return self._native.format

    def describe(self) -> str:
        """The container around the data in a few words."""
        return self._native.describe()

    def __getitem__(self, path: str) -> Any:
        found = self._native.get(path, True)
        return found if "*" in path else found[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.keys())

    def __bool__(self) -> bool:
        return True

    def keys(self) -> list[str]:
        """The paths of the outermost values."""
        return [path for path, _ in self.children()]

    def get(self, path: str, default: Any = None, *, plain: bool = False) -> Any:
        """The value at a path, or the default; a list of all for a path with ``*``."""
        found = self._native.get_all([path], plain)[0]
        if found is None:
            return [] if "*" in path and default is None else default
        return found if "*" in path else found[0]

    def get_all(self, *paths: str, plain: bool = False) -> list[Any]:
        """The values at several paths, by one walk over the file; ``None`` where there is none."""
        found = self._native.get_all(list(paths), plain)
        return [
            own if own is None or "*" in path else own[0] for path, own in zip(paths, found)
        ]

    def paths(self, path: str) -> list[str]:
        """The paths that a path with ``*`` leads to."""
        return self._native.paths(path)

    def children(self, path: str = "(root)") -> list[tuple[str, str]]:
        """The paths of the values in a value, each with its kind."""
        return self._native.children(path)

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self._native.get_all([path], True)[0] is not None

    def __setitem__(self, path: str, value: Any) -> None:
        self.set(path, value)

    def __delitem__(self, path: str) -> None:
        self._native.edit([("remove", path, None, None)])

    def set(self, path: str, value: Any, *, kind: str | None = None) -> None:
        """Sets the values that a path leads to. They keep their kind, and the value is refused if it would change;
        ``kind``, one of those that ``children`` has, makes another."""
        self._native.edit([("set", path, value, kind)])

    def insert(self, path: str, value: Any, *, kind: str | None = None) -> None:
        """Inserts a value: the last step of the path is its key or position, ``[-]`` the end of a list."""
        self._native.edit([("insert", path, value, kind)])

    def update(self, values: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> None:
        """Sets several values at once, all or none, which costs little more than one."""
        self._native.edit([("set", path, value, None) for path, value in dict(values).items()])

    def plain(self) -> Any:
        """All values as str, int, float, list, dict and None."""
        return self.get("(root)", plain=True)

    def to_json(self, *, plain: bool = False) -> str:
        """The lossless JSON notation, or plain JSON."""
        return self._native.to_json(plain)

    def to_bytes(self) -> bytes:
        """The bytes of the file as it is now."""
        return self._native.to_bytes()

    def __bytes__(self) -> bytes:
        return self.to_bytes()

    def save(self, path: str | os.PathLike[str] | None = None) -> None:
        """Writes the file, to where it was opened if no other path is given."""
        path = self.path if path is None else path
        if path is None:
            raise ValueError("the file was not opened by a path: save(path)")
        _replace(path, self.to_bytes())

    def check(self) -> str:
        """``identical`` if the file would be written back the same, else what differs."""
        return self._native.check()

    def diff(self, newer: File) -> list[Change]:
        """The differences to a newer file."""
        return [Change(**own) for own in self._native.diff(newer._native)]

    def explain(self) -> Explanation:
        """What each byte means."""
        return self._native.explain()

    def merge3(self, base: File | None, theirs: File, *, conflicts: str | None = None) -> File:
        """This file with the changes from ``base`` to ``theirs``.

        ``conflicts`` is the side that wins where both changed a value: ``"ours"`` or ``"theirs"``.
        Without it such a merge raises ``MergeConflict``.
        """
        before = base._native if base is not None else None
        made, found = self._native.merge3(before, theirs._native, conflicts)
        if made is None:
            raise MergeConflict(found)
        return File._of(made, self.path)

    @property
    def entries(self) -> Entries:
        """The entries of a package, by their names, as they are now."""
        return Entries(self.to_bytes())

    def __repr__(self) -> str:
        name = f"{os.path.basename(self.path)!r}, " if self.path else ""
        return f"<gamewire_files.File {name}{self.format}: {self.describe()}>"

    def __reduce__(self) -> Any:
        raise TypeError("a File is not picklable: send its path, or its bytes")


class Entries(MutableMapping[str, bytes]):
    """The entries of an archive or a package: bytes by name.

    Of an archive only the table is in memory. ``entries[name] = data`` changes or adds an entry, ``del
    entries[name]`` takes one out; the others keep their bytes. The save and the record of a package follow;
    an asset is added by the name that its content gives it, ``Assets/`` and the SHA-256.
    """

    def __init__(self, data: Source, **settings: Unpack[Settings]) -> None:
        """``data`` is a path, or bytes."""
        self.path: str | None = os.fspath(data) if isinstance(data, (str, os.PathLike)) else None
        self._native = _native.Entries(data, **settings)

    def open(self, name: str) -> File:
        """The file that an entry is."""
        return File._of(self._native.open(name), None)

    def to_bytes(self) -> bytes:
        """The bytes of the archive as it is now."""
        return self._native.to_bytes()

    def save(self, path: str | os.PathLike[str] | None = None) -> None:
        """Writes the archive, to where it was opened if no other path is given."""
        path = path or self.path
        if path is None:
            raise ValueError("the archive was not opened by a path: save(path)")
        _replace(path, self.to_bytes())

    def __getitem__(self, name: str) -> bytes:
        return self._native.read(name)

    def __setitem__(self, name: str, content: Buffer) -> None:
        self._native.insert(name, content)

    def __delitem__(self, name: str) -> None:
        self._native.remove(name)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._native.has(name)

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys(self._native.names()))

    def __len__(self) -> int:
        return len(set(self._native.names()))

    def __repr__(self) -> str:
        return f"<gamewire_files.Entries {self.path or ''}: {len(self)} entries>"


def open(data: Source, *, save_on_exit: bool = False, **settings: Unpack[Settings]) -> File:
    """Opens a file by its path, or bytes.

    The format is told by the bytes and the name. ``format``, ``dialect``, ``framing``, ``password``,
    ``key``, ``objects``, ``types``, ``mode``, ``solution``, ``bean`` and the like say what they do not.
    """
    return File(data, save_on_exit=save_on_exit, **settings)
