"""Reads and writes one save beside msgpack, pymongo's bson and katsuba; see docs/how-to/python.md.

    python crates/python/bench.py
"""

import pathlib
import time

import bson
import msgpack

from gamewire_files import godot, pclass, resonite

TESTDATA = pathlib.Path(__file__).resolve().parents[2] / "testdata"


def best(work, least=0.5):
    """The least time of a call, in milliseconds, of many in half a second."""
    times, end = [], time.perf_counter() + least
    while time.perf_counter() < end:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def row(name, work, beside):
    took = best(work)
    print(f"| {name} | {took:.3f} | {took / beside:.2f} |")


def saves():
    save = godot.load(TESTDATA / "godot-variant" / "savegame.dat", framing="store-var")
    data = godot.dumps([save] * 150)
    typed, plain = godot.loads(data), godot.loads(data, plain=True)
    packed, document = msgpack.packb(plain), bson.encode({"a": plain})
    print(f"\n{len(data)} bytes of a Godot save, {len(packed)} of msgpack, {len(document)} of BSON\n")
    print("| | ms | msgpack = 1 |\n|---|--:|--:|")
    beside = best(lambda: msgpack.unpackb(packed))
    row("msgpack.unpackb", lambda: msgpack.unpackb(packed), beside)
    row("gamewire_files.godot.loads", lambda: godot.loads(data), beside)
    row("gamewire_files.godot.loads, plain", lambda: godot.loads(data, plain=True), beside)
    row("bson.decode", lambda: bson.decode(document), beside)
    row("gamewire_files.resonite.loads", lambda: resonite.loads(document), beside)
    beside = best(lambda: msgpack.packb(plain))
    row("msgpack.packb", lambda: msgpack.packb(plain), beside)
    row("gamewire_files.godot.dumps", lambda: godot.dumps(typed), beside)
    row("bson.encode", lambda: bson.encode({"a": plain}), beside)
    row("gamewire_files.resonite.dumps", lambda: resonite.dumps({"a": plain}, container="bson"), beside)


def values(own):
    """What a lazy object of katsuba has, taken out of it."""
    if hasattr(own, "items"):
        return {name: values(value) for name, value in own.items()}
    if hasattr(own, "__getitem__") and not isinstance(own, (str, bytes)):
        return [values(value) for value in own]
    return own


def objects():
    try:
        from katsuba.op import Serializer, SerializerOptions, TypeList
    except ImportError:
        print("\nkatsuba is not installed: it has no wheel for this Python")
        return
    types = TESTDATA / "kiwi-pclass" / "vectors" / "types" / "arena.json"
    data = (TESTDATA / "kiwi-pclass" / "boss.xml").read_bytes()
    options = SerializerOptions()
    options.flags, options.shallow = 7, False
    theirs, own = Serializer(options, TypeList.open(str(types))), pclass.TypeList(types)
    print(f"\n{len(data)} bytes of an object of PropertyClass\n")
    print("| | ms | katsuba = 1 |\n|---|--:|--:|")
    read = lambda: theirs.deserialize(data[4:])  # noqa: E731
    beside = best(read)
    row("katsuba, a lazy object", read, beside)
    row("katsuba, all its values", lambda: values(read()), beside)
    row("gamewire_files.pclass.TypeList.loads", lambda: own.loads(data), beside)


if __name__ == "__main__":
    saves()
    objects()
