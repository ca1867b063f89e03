import os
from typing import Any, Literal, TypedDict, final

from typing_extensions import Buffer, Unpack

__all__ = [
    "Entries",
    "Explanation",
    "File",
    "TypeList",
    "detect",
    "explain",
    "godot_dumps",
    "godot_loads",
    "o3de_dumps",
    "o3de_loads",
    "resonite_dumps",
    "resonite_loads",
    "zeze_dumps",
    "zeze_loads",
]

_Bytes = Buffer
_Source = Buffer | str | os.PathLike[str]
_Format = Literal["godot-variant", "o3de-json", "kiwi-pclass", "resonite-brson", "zeze-serialize"]
_Dialect = Literal["godot4", "godot3", "docs"]
_Precision = Literal["keep", "single", "double"]
_Framing = Literal[
    "auto", "bare", "store-var", "store-var-be", "base64", "project", "mixed", "json", "text", "config"
]
_Wrapping = Literal["none", "fastlz", "deflate", "zstd", "gzip", "encrypted", "encrypted-godot3"]
_Container = Literal[
    "brson", "7zbson", "lz4bson", "bson", "lz4-frame", "lzma-alone", "legacy-brson", "legacy-7zbson", "legacy-lz4bson"
]
_Unknown = Literal["refuse", "skip", "keep"]
_CoreTypes = dict[int, str] | Literal["known"]

class _Settings(TypedDict, total=False):
    format: _Format | None
    name: str | os.PathLike[str] | None
    strict: bool | None
    max_depth: int | None
    max_memory: int | None
    dialect: _Dialect | None
    precision: _Precision | None
    framing: _Framing | None
    objects: bool | None
    password: str | None
    key: str | None
    partial_frames: bool | None
    offset: int | None
    stream: str | None
    trailing_commas: bool | None
    types: TypeList | None
    unknown: _Unknown | None
    skip_deprecated: bool | None
    mode: Literal["file", "deep", "shallow"] | None
    flags: int | None
    mask: int | None
    form: str | None
    core_types: _CoreTypes | None
    ignore_checksums: bool | None
    container: _Container | None
    relaxed: bool | None
    duplicates: bool | None
    max_output: int | None
    frames: str | None
    bean: str | None
    solution: str | os.PathLike[str] | None

def godot_loads(
    data: _Bytes,
    *,
    framing: _Framing = "bare",
    plain: bool = False,
    many: bool = False,
    password: str | None = None,
    key: str | None = None,
    dialect: _Dialect | None = None,
    precision: _Precision | None = None,
    objects: bool | None = None,
    offset: int | None = None,
    strict: bool | None = None,
    max_depth: int | None = None,
    max_memory: int | None = None,
) -> Any: ...
def godot_dumps(
    value: Any,
    *,
    framing: _Framing = "bare",
    wrapping: _Wrapping | None = None,
    many: bool = False,
    password: str | None = None,
    key: str | None = None,
    dialect: _Dialect | None = None,
    precision: _Precision | None = None,
    objects: bool | None = None,
) -> bytes: ...
def resonite_loads(
    data: _Bytes,
    *,
    plain: bool = False,
    strict: bool = False,
    duplicates: bool = False,
    max_output: int | None = None,
) -> Any: ...
def resonite_dumps(value: Any, *, container: _Container = "brson", duplicates: bool = False) -> bytes: ...
def zeze_loads(data: _Bytes, *, plain: bool = False) -> Any: ...
def zeze_dumps(value: dict[int, Any]) -> bytes: ...
def o3de_loads(
    data: _Bytes | str,
    *,
    plain: bool = False,
    comments: bool = True,
    trailing_commas: bool = False,
) -> Any: ...
def o3de_dumps(value: Any, *, pretty: bool = True) -> bytes: ...

@final
class TypeList:
    def __new__(cls, *sources: _Source, game: Literal["wizard101", "pirate101"] = "wizard101") -> TypeList: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: str, /) -> bool: ...
    def classes(self) -> list[str]: ...
    def properties(self, name: str) -> list[tuple[str, str]]: ...
    def loads(
        self,
        data: _Bytes,
        *,
        mode: Literal["file", "deep", "shallow"] | None = None,
        plain: bool = False,
        flags: int | None = None,
        mask: int | None = None,
        unknown: _Unknown | None = None,
        core_types: _CoreTypes | None = None,
        compressed: bool = False,
        strict: bool | None = None,
    ) -> Any: ...
    def dumps(
        self,
        value: Any,
        *,
        mode: Literal["file", "deep", "shallow"] = "file",
        flags: int | None = None,
        mask: int | None = None,
        core_types: _CoreTypes | None = None,
        compressed: bool = False,
        fill_defaults: bool = False,
    ) -> bytes: ...

@final
class File:
    format: str
    def __new__(cls, data: _Source, **kwargs: Unpack[_Settings]) -> File: ...
    def describe(self) -> str: ...
    def to_bytes(self) -> bytes: ...
    def get(self, path: str, frozen: bool) -> list[Any]: ...
    def get_all(self, paths: list[str], plain: bool) -> list[list[Any] | None]: ...
    def paths(self, path: str) -> list[str]: ...
    def children(self, path: str) -> list[tuple[str, str]]: ...
    def edit(self, rows: list[tuple[str, str, Any, str | None]]) -> None: ...
    def diff(self, newer: File) -> list[dict[str, str]]: ...
    def merge3(
        self, base: File | None, theirs: File, side: str | None
    ) -> tuple[File | None, list[tuple[str, str | None, str | None, str | None]]]: ...
    def to_json(self, plain: bool) -> str: ...
    def check(self) -> str: ...
    def explain(self) -> Explanation: ...

@final
class Entries:
    def __new__(cls, data: _Source, **kwargs: Unpack[_Settings]) -> Entries: ...
    def names(self) -> list[str]: ...
    def read(self, name: str) -> bytes: ...
    def insert(self, name: str, content: _Bytes) -> None: ...
    def remove(self, name: str) -> None: ...
    def has(self, name: str) -> bool: ...
    def open(self, name: str) -> File: ...
    def to_bytes(self) -> bytes: ...

@final
class Explanation:
    error: str | None
    def text(self, columns: int | None = None, color: bool = False) -> str: ...
    def html(self, title: str = "gamewire") -> str: ...
    def json(self) -> str: ...
    def paths(self) -> list[str]: ...

def detect(data: _Source, name: str | os.PathLike[str] | None = None) -> str | None: ...
def explain(data: _Source, **kwargs: Unpack[_Settings]) -> Explanation: ...
