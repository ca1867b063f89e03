"""Whatever is given comes back equal, or is refused: any tree, in each format. ``GAMEWIRE_CASES`` raises the counts."""

import copy
import dataclasses
import datetime
import decimal
import enum
import math
import os
import pathlib
import pickle
import threading
import uuid

import pytest
from conftest import TESTDATA
from hypothesis import given, settings
from hypothesis import strategies as st

import gamewire_files
from gamewire_files import GamewireError, godot, o3de, pclass, resonite, zeze

CASES = settings(max_examples=int(os.environ.get("GAMEWIRE_CASES", "60")), deadline=None, database=None)

#: Text that looks like something else.
LOOKS = ["s:a", "i:5", "sn:x", "true", "null", "0", "", "[]", '"', '{"type":"Vector2","args":[1,2]}', "$oid", "@x", "NaN", "Vector2(1, 2)"]
TEXT = st.sampled_from(LOOKS) | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=6) | st.sampled_from(["type", "$oid", "$document", "a.b"])
INTS = st.integers(-(1 << 63), (1 << 63) - 1)
FLOATS = st.floats(allow_nan=False)
SINGLES = st.floats(width=32, allow_nan=False)


def tree(leaves, names=NAMES):
    return st.recursive(leaves, lambda own: st.lists(own, max_size=3) | st.dictionaries(names, own, max_size=3), max_leaves=8)


VECTORS = st.builds(godot.Vector2, SINGLES, SINGLES) | st.builds(godot.Vector3i, *[st.integers(-(1 << 31), (1 << 31) - 1)] * 3)
PACKED = st.builds(godot.PackedInt32Array, st.lists(st.integers(-5, 5))) | st.builds(godot.PackedStringArray, st.lists(TEXT))
PLAIN = st.none() | st.booleans() | INTS | FLOATS | TEXT
TIMES = st.datetimes(timezones=st.just(datetime.timezone.utc)).map(lambda own: own.replace(microsecond=own.microsecond // 1000 * 1000))
TREES = {
    "godot": tree(PLAIN | st.binary(max_size=4) | TEXT.map(godot.StringName) | VECTORS | PACKED),
    "godot-json": tree(st.none() | st.booleans() | INTS | st.floats(allow_nan=False, allow_infinity=False) | TEXT),
    "o3de": tree(st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 64) - 1) | FLOATS.filter(math.isfinite) | TEXT),
    "resonite": tree(PLAIN | st.binary(max_size=4) | TIMES | st.uuids() | INTS.map(resonite.Int64)),
}
EMPTY = {
    "godot": (godot.dumps({"a": None}), {"format": "godot-variant"}),
    "godot-json": (b'{"a":null}', {"format": "godot-variant"}),
    "o3de": (b'{"a":null}', {"format": "o3de-json"}),
    "resonite": (resonite.dumps({"a": None}), {}),
}
MODULES = {"godot": godot, "o3de": o3de, "resonite": resonite}


@pytest.mark.parametrize("name", TREES)
def test_any_tree_comes_back_equal(name):
    data, options = EMPTY[name]

    @CASES
    @given(TREES[name])
    def run(value):
        if name in MODULES:
            root = {"a": value} if name == "resonite" else value
            assert same(MODULES[name].loads(MODULES[name].dumps(root)), root)
        file = gamewire_files.open(data, **options)
        file.set("a", value)
        assert same(file["a"], value) and same(file.get("a"), value)
        again = gamewire_files.open(file.to_bytes(), **options)
        assert same(again["a"], value)
        again.insert("b", value)
        assert same(again["b"], value)
        again.insert("c", [])
        again.insert("c[-]", value)
        assert same(again["c"], [value])

    run()


def same(own, value):
    """Equal, of one type, and of floats with one sign."""
    if isinstance(value, list) and not isinstance(value, godot.PackedStringArray):
        return isinstance(own, list) and len(own) == len(value) and all(map(same, own, value))
    if isinstance(value, dict):
        return isinstance(own, dict) and list(own) == list(value) and all(same(own[key], value[key]) for key in value)
    is_text = isinstance(value, float) and math.copysign(1, own) == math.copysign(1, value)
    return own == value and isinstance(own, bool) == isinstance(value, bool) and (is_text or not isinstance(value, float))


ZEZE = {
    "int": INTS, "double": FLOATS, "float": SINGLES.map(zeze.Float32), "string": TEXT,
    "list": st.lists(INTS, min_size=1) | st.lists(TEXT, min_size=1), "map": st.dictionaries(INTS, TEXT, min_size=1),
}


@CASES
@given(st.data())
def test_fields_of_beans_come_back_equal(data):
    kind = data.draw(st.sampled_from(sorted(ZEZE)))
    first, second = data.draw(ZEZE[kind]), data.draw(ZEZE[kind])
    file = gamewire_files.open(zeze.dumps({1: 7, 2: first}), format="zeze-serialize")
    if not isinstance(first, list) or type(first[0]) is type(second[0]):
        file["[field 2]"] = second
        assert file["[field 2]"] == second
    file.insert("[field 9]", second)
    assert file["[field 9]"] == second and zeze.loads(file.to_bytes())[9] == second


TYPES = pclass.TypeList(TESTDATA / "kiwi-pclass" / "vectors" / "types" / "arena.json")
BOSS = (TESTDATA / "kiwi-pclass" / "boss.xml").read_bytes()


@CASES
@given(st.data())
def test_properties_come_back_equal_or_are_refused(data):
    file = gamewire_files.open(BOSS, types=TYPES)
    root = file["(root)"]
    name = data.draw(st.sampled_from(sorted(root)))
    value = data.draw(PLAIN | st.lists(PLAIN, max_size=2) | st.binary(max_size=3))
    try:
        file[name] = value
    except (GamewireError, TypeError, ValueError) as error:
        assert name in str(error) and file["(root)"] == root
        return
    own = file[name]
    if isinstance(own, pclass.Enum) and isinstance(value, str):
        assert own.text == value
    elif isinstance(own, str) and isinstance(value, bytes):
        assert own.encode() == value, "one kind for both"
    elif isinstance(own, float) and isinstance(value, float):
        assert own == value or math.isclose(own, value, rel_tol=1e-7, abs_tol=1e-38)
    else:
        assert own == value and isinstance(own, bool) == isinstance(value, bool)


@pytest.fixture
def save():
    return gamewire_files.open(godot.dumps({
        "name": "Edda", "id": godot.StringName("x"), "hp": 1.5, "gold": 7, "on": True, "at": godot.Vector2(1, 2),
        "ints": godot.PackedInt32Array([1]), "floats": godot.PackedFloat32Array([1]), "words": godot.PackedStringArray(["a"]),
        "typed": godot.TypedArray([1], element="int"), "table": godot.TypedDictionary({"a": 1}, "String", "int"), "none": None,
    }))


REFUSED = [
    ("name", True, "expected String, found bool"), ("name", None, "found Nil"), ("name", 0, 'kind="int" makes it one'),
    ("name", [1], "found Array"), ("name", b"a", "found PackedByteArray"), ("gold", True, "found bool"),
    ("gold", 1.0, "found float"), ("gold", "5", "found String"), ("hp", (1 << 53) + 1, "would round"), ("hp", True, "found bool"),
    ("at", (1, 2), "expected Vector2, found Array"), ("at.x", (1 << 24) + 1, "too large for 32 bits"), ("ints", [1 << 40], "out of range"),
    ("ints", [1.5], "1.5 is out of range"), ("typed", ["a"], "expected int"), ("on", 1, "found int"), ("words[0]", 5, "does not fit"),
    ("table", {"a": "b"}, "expected int"),
]


@pytest.mark.parametrize(("path", "value", "why"), REFUSED)
def test_another_kind_is_refused_by_its_path(save, path, value, why):
    before = save.to_bytes()
    with pytest.raises(GamewireError) as caught:
        save[path] = value
    assert path in str(caught.value) and why in str(caught.value) and "--" not in str(caught.value)
    assert save.to_bytes() == before


def test_a_kind_is_said(save):
    save.set("name", 5, kind="int")
    assert save["name"] == 5 and type(save["name"]) is int
    save.set("gold", 5, kind="float")
    assert type(save["gold"]) is float
    save.set("hp", "Edda", kind="StringName")
    assert type(save["hp"]) is godot.StringName
    save.set("on", [1, 2], kind="PackedInt64Array")
    assert save["on"] == godot.PackedInt64Array([1, 2])
    save.set("at", None, kind="Nil")
    save.insert("new", 3, kind="float")
    assert save["at"] is None and type(save["new"]) is float
    save["none"] = {"a": [1]}
    assert save["none"] == {"a": [1]}
    save.insert("note", gamewire_files.Notation({"type": "Vector2", "args": [1, 2]}))
    assert save["note"] == godot.Vector2(1, 2)
    with pytest.raises(GamewireError, match="expected float, found String"):
        save.set("hp", "x", kind="float")


class Colour(str, enum.Enum):
    RED = "s:red"


class Number(enum.IntEnum):
    TWO = 2


class Text(str):
    pass


@dataclasses.dataclass
class Point:
    x: int
    tags: list


def test_subclasses_and_other_types(save):
    numpy = pytest.importorskip("numpy")
    for value in (Colour.RED, Text("i:5"), numpy.str_("true")):
        save["name"] = value
        assert save["name"] == str.__str__(value)
    save["gold"] = Number.TWO
    assert save["gold"] == 2
    save["gold"], save["hp"], save["on"] = numpy.int16(3), numpy.float32(0.5), numpy.bool_(False)
    assert (save["gold"], save["hp"], save["on"]) == (3, 0.5, False)
    save.insert("point", Point(1, ["s:a"]))
    save.insert("row", (1, "a"))
    assert save["point"] == {"x": 1, "tags": ["s:a"]} and save["row"] == [1, "a"]
    other = (datetime.datetime.now(), decimal.Decimal(1), uuid.uuid4(), pathlib.Path("a"), 1j, object(), {1}, zeze.Bean())
    for value in (*other, numpy.datetime64("2020-01-01T00:00:00", "ns"), numpy.complex64(1)):
        with pytest.raises(TypeError, match="found .*, in new.a"):
            save.insert("new", {"a": value})
    json = gamewire_files.open(b'{"a":null}', format="o3de-json")
    json["a"] = decimal.Decimal("1.10")
    assert json.to_bytes() == b'{"a":1.10}'
    with pytest.raises(ValueError, match="time zone"):
        resonite.dumps({"a": datetime.datetime(2026, 1, 1)})


@pytest.mark.parametrize("dtype", ["?", "b", "B", "h", "H", "i", "I", "l", "L", "q", "Q", "e", "f", "d"])
def test_arrays_of_every_type(save, dtype):
    numpy = pytest.importorskip("numpy")
    array = numpy.array([0, 1, 1], dtype=dtype)
    save.insert("new", array)
    assert list(save["new"]) == array.tolist()
    save.insert("empty", array[:0])
    assert len(save["empty"]) == 0
    is_float = dtype in "efd"
    if dtype not in "?":
        save["floats" if is_float else "ints"] = array
        assert list(save["floats" if is_float else "ints"]) == array.tolist()
    for module in (resonite, o3de):
        assert module.loads(module.dumps({"a": array}))["a"] == array.tolist()


def test_rows_of_an_array():
    numpy = pytest.importorskip("numpy")
    array = numpy.arange(6, dtype="f4").reshape(2, 3)
    assert godot.loads(godot.dumps(array)) == godot.PackedVector3Array(array)
    for other in (numpy.arange(8, dtype="f4").reshape(2, 4), numpy.arange(6.0).reshape(2, 3)):
        with pytest.raises(TypeError, match="found ndarray"):
            godot.dumps(other)
    with pytest.raises(TypeError, match="ndarray"):
        godot.dumps(numpy.array([1 << 63], dtype="u8"))


def test_what_is_in_a_file_is_a_copy(save):
    save["none"] = {"a": {"b": [1]}}
    for change in (
        lambda: save["none"].update(a=1), lambda: save["none"]["a"].pop("b"), lambda: save["none"]["a"]["b"].append(2),
        lambda: save["table"].clear(), lambda: save["typed"].sort(), lambda: save["(root)"].popitem(),
    ):
        with pytest.raises(TypeError, match="longer path"):
            change()
    with pytest.raises(TypeError, match="longer path"):
        save["none"]["a"]["c"] = 1
    assert save["none"] == {"a": {"b": [1]}} and isinstance(save["none"], dict)
    for copied in (save.get("none"), copy.deepcopy(save["none"]), pickle.loads(pickle.dumps(save["none"]))):
        copied["a"]["b"].append(2)
        save["none"] = copied
        assert save["none.a.b"] == [1, 2]
        del copied["a"]["b"][1]
        save["none"] = copied
    assert type(copy.copy(save["typed"])) is godot.TypedArray and copy.copy(save["typed"]).element == "int"


def test_files_are_iterated_and_left(tmp_path, save):
    assert list(save)[0] == "name" and len(save) == 12 and "name" in save and 5 not in save
    assert {path: save[path] for path in save} == save["(root)"] == dict(save)
    path = tmp_path / "a.dat"
    save.save(path)
    for is_saved in (False, True):
        with gamewire_files.open(path, save_on_exit=is_saved) as file:
            file["gold"] = 8
        assert gamewire_files.open(path)["gold"] == (8 if is_saved else 7)
    with pytest.raises(ZeroDivisionError), gamewire_files.open(path, save_on_exit=True) as file:
        file["gold"] = 9
        raise ZeroDivisionError
    assert gamewire_files.open(path)["gold"] == 8
    assert repr(file).startswith("<gamewire_files.File 'a.dat', godot-variant: ") and len(repr(file)) < 90
    assert len(repr(godot.PackedInt32Array(range(100_000)))) < 120


def test_values_are_matched_and_compared(save):
    assert godot.Vector2.__match_args__ == ("x", "y") and godot.Rect2.__match_args__ == ("position", "size")
    typed = godot.TypedArray([1], element="int")
    assert typed != godot.TypedArray([1], element="float") and not typed == godot.TypedArray([1], element="float")
    assert dict(save["table"]) == {"a": 1} and resonite.Binary(b"a", 4) != b"a" and zeze.Bean({1: 2}) != zeze.Dynamic({1: 2}, None, 3)
    for value in save["(root)"].values():
        assert copy.copy(value) == copy.deepcopy(value) == pickle.loads(pickle.dumps(value)) == value


def test_wrong_arguments(save, tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        gamewire_files.open(tmp_path / "nowhere.dat")
    assert caught.value.filename == str(tmp_path / "nowhere.dat") and caught.value.errno
    for wrong in (
        lambda: gamewire_files.open(5), lambda: gamewire_files.open(b"", colour=1), lambda: save[5], lambda: save.set("gold"),
        lambda: godot.loads("text"), lambda: godot.dumps(1, 2), lambda: save.get(None), lambda: gamewire_files.Entries(None),
        lambda: gamewire_files.open(b"", types="types.json"),
    ):
        with pytest.raises(TypeError):
            wrong()
    assert save.get("no.*") == [] and save.get("no.*", 3) == 3 and save.get("no") is None
    with pytest.raises(KeyError):
        save["no.*"]


def test_eight_threads_on_one_file(save):
    errors, start = [], threading.Barrier(8)
    other = gamewire_files.open(save.to_bytes())

    def work(number):
        try:
            start.wait()
            for turn in range(50):
                save["gold"] = number * 1000 + turn
                assert save["gold"] % 1000 < 50 and save["(root)"]["name"] == "Edda"
                save.diff(other)
                other.diff(save)
                other.merge3(None, other)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors and not any(thread.is_alive() for thread in threads)
