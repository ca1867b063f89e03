"""``load`` and ``dump`` of paths and open files, made of ``loads`` and ``dumps``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Callable

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    Options = ParamSpec("Options")


def reader(loads: Callable[Concatenate[Any, Options], Any]) -> Callable[Concatenate[Any, Options], Any]:
    """``load`` of a ``loads``."""

    def load(file: Any, /, *args: Options.args, **options: Options.kwargs) -> Any:
        """Reads a path or a file that is open in binary mode."""
        if hasattr(file, "read"):
            return loads(file.read(), *args, **options)
        with open(os.fspath(file), "rb") as opened:
            return loads(opened.read(), *args, **options)

    return load


def writer(dumps: Callable[Concatenate[Any, Options], bytes]) -> Callable[Concatenate[Any, Any, Options], None]:
    """``dump`` of a ``dumps``."""

    def dump(value: Any, file: Any, /, *args: Options.args, **options: Options.kwargs) -> None:
        """Writes to a path or a file that is open in binary mode."""
        data = dumps(value, *args, **options)
        if hasattr(file, "write"):
            file.write(data)
        else:
            replace(file, data)

    return dump


def replace(path: Any, data: bytes) -> None:
    """Puts a file in the place of another, whole or not at all."""
    path = os.path.realpath(os.fspath(path))
    beside = f"{path}.{os.getpid()}.tmp"
    try:
        with open(beside, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(path):
            os.chmod(beside, os.stat(path).st_mode)
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.unlink(beside)
