"""The types hold under `mypy --strict`, and say what is there."""

import importlib.util
import subprocess
import sys

import pytest
from test_howto import PROGRAMS

USE = """
from typing import List
import gamewire_files
from gamewire_files import godot, pclass, resonite

file = gamewire_files.open("a.dat", password="secret")
file["player.hp"] = 3
changes: List[gamewire_files.Change] = file.diff(gamewire_files.open(b""))
page: str = file.explain().html()
merged: gamewire_files.File = file.merge3(None, file, conflicts="ours")
data: bytes = godot.dumps({"a": godot.Vector2(1, 2)}, framing="store-var")
x: float = godot.Vector2(1, 2).x
inside: godot.Vector3 = godot.Transform3D(*range(12)).origin
types = pclass.TypeList("types.json", game="pirate101")
entry: bytes = file.entries["a"]
again = godot.load("a.dat", framing="auto", plain=True)
resonite.dump({}, "b.brson", container="lz4bson")
"""

WRONG = {
    'godot.loads(b"", framing="frame")': "arg-type",
    'godot.load("a", colour="red")': "call-arg",
    'x: int = godot.Vector2(1, 2).x': "assignment",
    'gamewire_files.open("a").merge(None)': "attr-defined",
    "godot.dumps()": "call-arg",
}


def mypy(*arguments):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir", "/dev/null", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_the_package():
    code, out = mypy("-p", "gamewire_files")
    assert code == 0, out


def test_a_program(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(USE)
    code, out = mypy(str(program))
    assert code == 0, out
    for line, error in WRONG.items():
        program.write_text(f"import gamewire_files\nfrom gamewire_files import godot\n{line}\n")
        code, out = mypy(str(program))
        assert code == 1 and f"[{error}]" in out, (line, out)


def checkers():
    """The checkers that are installed, each with what makes it strict."""
    for module in ("mypy", "pyright", "basedpyright"):
        if importlib.util.find_spec(module):
            yield module, ["--strict"] if module == "mypy" else ["--pythonpath", sys.executable]


@pytest.mark.parametrize("title", ["One save", "Values as Python has them"])
def test_the_how_to_is_strict(tmp_path, title):
    program = tmp_path / "program.py"
    program.write_text(PROGRAMS[title], "utf-8")
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "reportMissingModuleSource": false}')
    pytest.importorskip("mypy")
    for module, options in checkers():
        command = [sys.executable, "-m", module, *options, "program.py"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, (module, done.stdout)


def test_the_stub_says_what_is_there():
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "gamewire_files._native"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
