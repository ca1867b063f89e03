"""The types hold under `mypy --strict`, and say what is there."""

import subprocess
import sys

import pytest

USE = """
from typing import List
import gamewire
from gamewire import godot, pclass, resonite

file = gamewire.open("a.dat", password="secret")
file["player.hp"] = 3
changes: List[gamewire.Change] = file.diff(gamewire.open(b""))
page: str = file.explain().html()
merged: gamewire.File = file.merge3(None, file, conflicts="ours")
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
    'gamewire.open("a").merge(None)': "attr-defined",
    "godot.dumps()": "call-arg",
}


def mypy(*arguments):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-incremental", "--cache-dir", "/dev/null", *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_the_package():
    code, out = mypy("-p", "gamewire")
    assert code == 0, out


def test_a_program(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(USE)
    code, out = mypy(str(program))
    assert code == 0, out
    for line, error in WRONG.items():
        program.write_text(f"import gamewire\nfrom gamewire import godot\n{line}\n")
        code, out = mypy(str(program))
        assert code == 1 and f"[{error}]" in out, (line, out)


def test_the_stub_says_what_is_there():
    pytest.importorskip("mypy")
    done = subprocess.run([sys.executable, "-m", "mypy.stubtest", "gamewire._native"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
