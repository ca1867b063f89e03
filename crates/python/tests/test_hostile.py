"""Any bytes raise GamewireError and nothing else; memory stays; other threads run."""

import os
import sys
import threading

import pytest
from conftest import TESTDATA, rows
from hypothesis import example, given, settings
from hypothesis import strategies as st

import gamewire_files
from gamewire_files import GamewireError, godot, o3de, pclass, resonite, zeze

SAVE = (TESTDATA / "godot-variant" / "savegame.dat").read_bytes()
LAMP = (TESTDATA / "resonite-brson" / "lamp.bson").read_bytes()
BOSS = (TESTDATA / "kiwi-pclass" / "boss.xml").read_bytes()
BEAN = (TESTDATA / "zeze-serialize" / "bvalue.bean").read_bytes()
TYPES = pclass.TypeList(TESTDATA / "kiwi-pclass" / "vectors" / "types" / "arena.json")

SEEDS = [SAVE[4:], SAVE, LAMP, BOSS, BEAN, b'{"a": [1.5, {"b": null}]}']
SEEDS += [bytes.fromhex(row["hex"]) for row in rows("godot-variant", "native_json")]


@st.composite
def inputs(draw):
    """Bytes, or bytes of a file that were changed."""
    if draw(st.booleans()):
        return draw(st.binary(max_size=200))
    data = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(len(data) - 1, 0)))
        data[at : at + draw(st.integers(0, 4))] = draw(st.binary(max_size=8))
    return bytes(data)


READERS = {
    "godot": lambda data, plain: godot.loads(data, objects=True, plain=plain),
    "godot3": lambda data, plain: godot.loads(data, dialect="godot3", plain=plain),
    "auto": lambda data, plain: godot.loads(data, framing="auto", many=True, plain=plain),
    "text": lambda data, plain: godot.loads(data, framing="text", plain=plain),
    "resonite": lambda data, plain: resonite.loads(data, plain=plain, max_output=1 << 20),
    "zeze": lambda data, plain: zeze.loads(data, plain=plain),
    "o3de": lambda data, plain: o3de.loads(data, plain=plain),
    "pclass": lambda data, plain: TYPES.loads(data, plain=plain),
    "open": lambda data, plain: gamewire_files.open(data).get("(root)", plain=plain),
    "explain": lambda data, _: gamewire_files.explain(data).text(),
    "detect": lambda data, _: gamewire_files.detect(data),
}


@pytest.mark.parametrize("name", READERS)
def test_any_bytes_raise_gamewire_error_only(name):
    read = READERS[name]

    @settings(max_examples=300, deadline=None, database=None)
    @given(inputs(), st.booleans())
    @example(b"", False)
    @example(b"[" * 2000, False)
    @example(b"\x1c\0\0\0\1\0\0\0" * 1500, False)
    def run(data, plain):
        try:
            read(data, plain)
        except GamewireError as error:
            assert str(error)

    run()


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is measured by /proc")
def test_no_growth_in_100_000_loads():
    value = {"a": [1, 2.5, "x"], "v": godot.Vector2(1, 2), "n": godot.StringName("s"), "p": b"123"}
    data, broken = godot.dumps(value), godot.dumps(value)[:-3]

    def some(count):
        for _ in range(count):
            godot.dumps(godot.loads(data))
            with pytest.raises(GamewireError):
                godot.loads(broken)

    some(2_000)
    before = resident()
    some(100_000)
    assert resident() - before < 2 << 20


def test_other_threads_run_while_bytes_are_read():
    big = godot.dumps([[index, "text of some length", 1.5] for index in range(300_000)])
    ran = []
    lock = threading.Lock()
    lock.acquire()

    def other():
        with lock:
            ran.append(True)

    interval = sys.getswitchinterval()
    # No thread is ever asked to let another one run: it does so by itself, or not.
    sys.setswitchinterval(1000)
    try:
        thread = threading.Thread(target=other, daemon=True)
        thread.start()
        lock.release()
        sum(index for index in range(2_000_000))
        assert not ran, "Python's own work does not let other threads run here"
        gamewire_files.open(big, format="godot-variant", framing="bare")
        assert ran, "the GIL was held"
    finally:
        sys.setswitchinterval(interval)
        thread.join()
