"""Types of values: what they equal, how they are made, pickled, refused."""

import array
import copy
import datetime
import json
import math
import pickle

import pytest
from conftest import TESTDATA, rows

from gamewire_files import GamewireError, godot, o3de, pclass, resonite, zeze
from gamewire_files.godot import StringName, TypedArray, TypedDictionary, Vector2, Vector2i, Vector3


def test_rows_equal_their_own_kind_only():
    assert Vector2(1, 2) == Vector2(1.0, 2.0) == Vector2((1, 2))
    assert Vector2(1, 2) != Vector2i(1, 2)
    assert Vector2(1, 2) != (1.0, 2.0)
    assert (1.0, 2.0) != Vector2(1, 2)
    assert godot.Plane(0, 0, 0, 1) != godot.Quaternion(0, 0, 0, 1)
    assert hash(Vector2(1, 2)) == hash(Vector2(1, 2))
    assert Vector2(3, 4).y == 4.0
    assert godot.Transform3D(*range(12)).origin == Vector3(9, 10, 11)
    assert godot.Rect2(Vector2(1, 2), Vector2(3, 4)).size == Vector2(3, 4)
    assert repr(Vector2i(1, 2)) == "Vector2i(1, 2)"
    assert isinstance(Vector2(1, 2), tuple)
    with pytest.raises(TypeError, match="2 components, not 3"):
        Vector2(1, 2, 3)


def test_every_kind_of_value_is_pickled_and_copied():
    values = [godot.loads(bytes.fromhex(row["hex"]), objects=True) for row in rows("godot-variant", "native_json")]
    kinds = {type(value).__name__ for value in values}
    assert {"Opaque", "Vector3", "TypedArray", "PackedVector2Array", "StringName", "NodePath"} <= kinds
    values.append(godot.loads(godot.dumps(Vector2.Double(0.1, 0.2))))
    for value in values:
        expected = godot.dumps(value, objects=True)
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(value, protocol))
            assert type(again) is type(value)
            assert godot.dumps(again, objects=True) == expected
        assert godot.dumps(copy.deepcopy(value), objects=True) == expected
    for value in (
        pclass.Enum(3, "RED"), pclass.Object({"a": 1}, "class A", 7), pclass.RawObject(1, 12, b"ab"), pclass.Color(1, 2, 3, 4),
        resonite.Binary(b"a", 4), resonite.Int64(3), resonite.DateTime(1 << 60), o3de.Number("1.50"),
        zeze.Bean({1: 2}, zeze.Bean()), zeze.Dynamic({1: 2}, None, 7), zeze.Float32(0.5),
        GamewireError("a sentence", 3, "a.b"),
    ):
        again = pickle.loads(pickle.dumps(value))
        assert type(again) is type(value)
        assert repr(again) == repr(value) and vars_of(again) == vars_of(value)


def vars_of(value):
    return {name: vars(value)[name] for name in getattr(value, "__dict__", {})}


def test_packed_arrays_have_the_buffer_protocol():
    numpy = pytest.importorskip("numpy")
    points = godot.PackedVector3Array([(1, 2, 3), (4, 5, 6)])
    again = godot.loads(godot.dumps(points))
    assert again == points and isinstance(again, array.array)
    assert again.rows() == [Vector3(1, 2, 3), Vector3(4, 5, 6)]
    view = numpy.asarray(again).reshape(-1, again.width)
    assert view.dtype == numpy.float32 and view.shape == (2, 3)
    view[1, 2] = 60
    assert again.rows()[1].z == 60, "a view, not a copy"
    assert godot.PackedVector3Array(view) == again
    for made, kind in [
        (numpy.arange(3, dtype="i4"), godot.PackedInt32Array), (numpy.arange(3, dtype="i8"), godot.PackedInt64Array),
        (numpy.arange(3, dtype="f4"), godot.PackedFloat32Array), (numpy.arange(3, dtype="f8"), godot.PackedFloat64Array),
        (array.array("d", [1.5]), godot.PackedFloat64Array),
    ]:
        back = godot.loads(godot.dumps(made))
        assert type(back) is kind and list(back) == list(made)
    assert godot.loads(godot.dumps(numpy.float32(0.5))) == 0.5
    assert godot.loads(godot.dumps(numpy.int64(7))) == 7
    assert godot.loads(godot.dumps(memoryview(b"abc"))) == b"abc"


def test_containers_keep_their_types():
    value = {"a": TypedArray([1, 2], element="int"), "b": TypedDictionary({"x": Vector2(1, 2)}, "String", "Vector2")}
    again = godot.loads(godot.dumps(value))
    assert again == value
    assert again["a"].element == "int" and again["b"].value == "Vector2"
    assert again["a"] == [1, 2], "a typed array is a list"
    assert type(godot.loads(godot.dumps(StringName("a")))) is StringName


@pytest.mark.parametrize("module", [godot, resonite, o3de])
def test_what_is_refused(module):
    dumps = module.dumps
    with pytest.raises(ValueError, match="64 bits.*in a.b"):
        dumps({"a": {"b": 1 << 70}})
    with pytest.raises(TypeError, match=r"found set, in crops\[1\].kind"):
        dumps({"crops": [{}, {"kind": {1}}]})
    loop = []
    loop.append(loop)
    with pytest.raises(ValueError, match="deeper than"):
        dumps(loop)
    with pytest.raises(ValueError, match="surrogate"):
        dumps({"a": "\ud800"})


def test_keys_that_are_none_in_python():
    one = bytes.fromhex("1b00000002000000" "0200000001000000" "00000000" "030000000000803f" "00000000")
    array = bytes.fromhex("1b00000001000000" "1c00000000000000" "00000000")
    for data, pairs in ((one, [(1, None), (1.0, None)]), (array, [([], None)])):
        value = godot.loads(data)
        assert type(value) is godot.Pairs and value == pairs
        assert godot.dumps(value) == data and godot.dumps(pickle.loads(pickle.dumps(value))) == data
        assert only_plain(godot.loads(data, plain=True))


def test_errors_say_where():
    data = godot.dumps({"player": [1, "name"]})
    with pytest.raises(GamewireError) as caught:
        godot.loads(data[:-5])
    assert caught.value.offset is not None and "player" in caught.value.path
    assert "at byte" in str(caught.value)
    with pytest.raises(TypeError, match="unexpected keyword"):
        godot.loads(data, colour="red")
    with pytest.raises(ValueError, match="framing: expected one of .*found"):
        godot.loads(data, framing="frames")


def test_plain_is_what_json_takes():
    value = {"v": Vector2(1, 2), StringName("n"): StringName("x"), 3: b"\xff", "p": godot.PackedColorArray([(1, 0, 0, 1)]), "t": TypedArray([1], element="int")}
    plain = godot.loads(godot.dumps(value), plain=True)
    assert plain == {"v": [1.0, 2.0], "n": "x", "3": "/w==", "p": [[1.0, 0.0, 0.0, 1.0]], "t": [1]}
    assert only_plain(plain) and json.loads(json.dumps(plain)) == plain
    for row in rows("godot-variant", "native_json"):
        assert only_plain(godot.loads(bytes.fromhex(row["hex"]), objects=True, plain=True)), row["name"]


def only_plain(value):
    if type(value) is list:
        return all(map(only_plain, value))
    if type(value) is dict:
        return all(type(key) is str and only_plain(own) for key, own in value.items())
    return type(value) in (str, int, float, bool, type(None))


def test_widths_of_bson():
    time = datetime.datetime(2026, 1, 2, 3, 4, 5, 678000, datetime.timezone.utc)
    value = {"a": 1, "b": resonite.Int64(1), "c": 1 << 40, "t": time, "x": b"12", "y": resonite.Binary(b"3", 4), "f": 1.0}
    data = resonite.dumps(value, container="bson")
    again = resonite.loads(data)
    assert again == value and type(again["b"]) is resonite.Int64 and type(again["a"]) is int
    assert again["y"].subtype == 4 and again["t"] == time
    assert resonite.dumps(again, container="bson") == data
    bson = pytest.importorskip("bson")
    assert bson.decode(data)["a"] == 1
    with pytest.raises(ValueError, match="32 bits"):
        resonite.dumps({"a": resonite.Int32(1 << 40)})


def test_numbers_of_json_keep_their_spelling():
    text = b'{"a": 1.50, "b": 1e3, "c": 0.1, "d": -0, "e": 18446744073709551615}'
    value = o3de.loads(text)
    assert value["a"] == 1.5 and value["a"].text == "1.50" and type(value["c"]) is float
    assert o3de.dumps(value, pretty=False) == text.replace(b" ", b"").replace(b", ", b",")
    assert o3de.loads('{"a": 1 /* one */}') == {"a": 1}


def test_pclass_names_what_it_reads():
    types = pclass.TypeList(TESTDATA / "kiwi-pclass" / "vectors" / "types" / "arena.json")
    boss = types.loads((TESTDATA / "kiwi-pclass" / "boss.xml").read_bytes())
    assert boss.type_name.startswith("class ") and boss.type_hash
    school = next(value for value in boss.values() if isinstance(value, pclass.Enum))
    assert school.text and school == int(school)
    changed = dict(boss)
    name = next(name for name, value in boss.items() if isinstance(value, pclass.Enum))
    changed[name] = school.text
    changed = pclass.Object(changed, boss.type_name, core=boss.core)
    assert types.dumps(changed) == types.dumps(boss), "an enum by the name of its option"
    with pytest.raises(GamewireError):
        types.dumps(pclass.Object({"nothing": 1}, boss.type_name))
    assert len(types) == len(types.classes()) and boss.type_name in types
    assert types.properties(boss.type_name)


def test_not_a_number():
    for value in (math.nan, math.inf, -math.inf, -0.0):
        for row in (value, Vector2(value, 1), {"a": [value]}):
            assert godot.dumps(godot.loads(godot.dumps(row))) == godot.dumps(row)
