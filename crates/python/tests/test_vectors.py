"""Every row of testdata loads and dumps identical, or is refused."""

import base64
import hashlib
import json

import pytest
from conftest import TESTDATA, Tally, rows

import gamewire_files
from gamewire_files import GamewireError, godot, o3de, pclass, resonite, zeze


def godot_options(row):
    dialect = row.get("dialect") or ("godot4" if row["engine"][0] == "4" else "godot3")
    return {"dialect": dialect, "precision": row.get("precision")}


# The engine's own reader takes a byte order mark for none of the text.
LOST_BY_THE_ENGINE = {"string_bom_first"}


@pytest.mark.parametrize(
    ("name", "identical", "refused"),
    [("godot4", 440, 2), ("godot4_double", 440, 2), ("godot3", 90, 0), ("docs", 165, 0), ("conversions", 700, 340)],
)
def test_godot(name, identical, refused):
    tally = Tally()
    for row in rows("godot-variant", name):
        if row["kind"] == "frame" or (row["kind"] == "encode" and row.get("error")):
            continue
        options = godot_options(row)
        objects = bool(row.get("allow_objects") or row.get("full_objects"))
        data = bytes.fromhex(row["hex"])[: row.get("used")]
        try:
            value = godot.loads(data, objects=objects, **options)
        except GamewireError as error:
            if row.get("ok", True):
                tally.refuse(row, error)
            continue
        # Which classes there are is known to the engine only.
        is_class = any(word in row["name"] for word in ("unknown", "abstract", "missing"))
        assert row.get("ok", True) or is_class, f"{row['name']}: the engine refuses it"
        json.dumps(godot.loads(data, objects=objects, plain=True, **options))
        try:
            written = godot.dumps(value, objects=objects, **options)
        except GamewireError as error:
            assert row["kind"] == "decode", f"{row['name']}: {error}"
            tally.refuse(row, error)
            continue
        if row["kind"] == "encode":
            assert written == data or row["name"] in LOST_BY_THE_ENGINE, row["name"]
        else:
            # Bytes that an engine does not write: it writes these of what they say.
            again = godot.loads(written, objects=objects, **options)
            assert godot.dumps(again, objects=objects, **options) == written, row["name"]
            # Which objects there are, and so what a container of a class holds, is known to the engine only.
            is_known = not any(word in json.dumps(row) for word in ("Object", "class", "script"))
            if row.get("reencoded") and is_known:
                assert written == bytes.fromhex(row["reencoded"]), row["name"]
        tally.identical += 1
    tally.check(identical, refused)


def test_godot_text():
    for row in rows("godot-variant", "text"):
        data, text = bytes.fromhex(row["hex"]), row["text"].encode()
        assert godot.dumps(godot.loads(data, objects=True), framing="text", objects=True) == text, row["name"]
        back = godot.loads(text, framing="text", objects=True)
        assert godot.dumps(back, objects=True) == bytes.fromhex(row["back"]), row["name"]


def test_godot_native_json():
    for row in rows("godot-variant", "native_json"):
        data = bytes.fromhex(row["hex"])
        value = godot.loads(data, objects=True)
        assert godot.dumps(value, objects=True) == data, row["name"]
        text = godot.dumps(value, framing="json", objects=True)
        again = godot.dumps(godot.loads(text, framing="json", objects=True), objects=True)
        # The notation has one NaN.
        assert again == data or "nan" in row["name"], row["name"]


def test_godot_wrapped():
    count = 0
    for row in rows("godot-variant", "wrapped"):
        options = {"dialect": godot_options(row)["dialect"], "framing": "bare"}
        secret = {name: row[name] for name in ("password", "key") if name in row}
        data, plain = bytes.fromhex(row["hex"]), bytes.fromhex(row["plain"])
        value = godot.loads(plain, **options)
        options["framing"] = "store-var"
        assert godot.loads(data, **options, **secret) == value, row["name"]
        if secret:
            with pytest.raises(GamewireError):
                godot.loads(data, **options, password="another")
        again = godot.dumps(value, wrapping=None if secret else "zstd", **options, **secret)
        assert again != plain and godot.loads(again, **options, **secret) == value
        count += 1
    assert count > 20


def test_godot_files():
    names = ["savegame.dat", "project.binary", "stream.dat"]
    for name, framing in zip(names, ["store-var", "project", "store-var"]):
        data = (TESTDATA / "godot-variant" / name).read_bytes()
        values = godot.loads(data, framing=framing, many=True, objects=True)
        written = godot.dumps(values, framing=framing, many=True, objects=True) if framing != "project" else (
            godot.dumps(values[0], framing=framing, objects=True)
        )
        assert written == data, name


def pclass_rows():
    lists = {}
    for row in rows("kiwi-pclass", "vectors", "page", "arena"):
        if row.get("form"):
            continue
        types = row["types"]
        folder = TESTDATA / "kiwi-pclass" / "vectors" / "types"
        if types not in lists:
            lists[types] = pclass.TypeList(folder / types)
        yield row, lists[types]


def test_pclass():
    tally = Tally()
    for row, types in pclass_rows():
        options = {"mode": "file" if row["bind"] else row["mode"], "flags": row["flags"], "mask": row["mask"]}
        options["compressed"] = row["manual_compression"]
        if "core_types" in row:
            options["core_types"] = {int(number): name for number, name in row["core_types"].items()}
        data = bytes.fromhex(row["hex" if row.get("agrees_with_digest", True) else "digest_hex"])
        skip = "skip" if row.get("skip_unknown_types") else "refuse"
        try:
            value = types.loads(data, unknown=skip, **options)
        except GamewireError as error:
            if "error" not in row:
                tally.refuse(row, error)
            continue
        assert "error" not in row, row["name"]
        written = types.dumps(value, **options)
        is_zlib = row["manual_compression"] or b"\x78" in data[:16]
        if row["encode_exact"] or not is_zlib:
            assert written == data or not row["encode_exact"], row["name"]
        if "skip_unknown_types" not in row:
            assert types.dumps(types.loads(written, **options), **options) == written
            plain = types.loads(data, plain=True, **options)
            json.dumps(plain)
            assert types.dumps(plain, **options) == written, row["name"]
        tally.identical += 1
    tally.check(300, 0)


def test_resonite():
    tally = Tally()
    for row in rows("resonite-brson", "page"):
        data = bytes.fromhex(row["hex"])
        try:
            value = resonite.loads(data)
        except GamewireError as error:
            if row["ok"]:
                tally.refuse(row, error)
            continue
        assert row["ok"], row["name"]
        check_bson(row, value)
        json.dumps(resonite.loads(data, plain=True))
        tally.identical += 1
    tally.check(25, 0)
    for row in rows("resonite-save", "lamp"):
        data = (TESTDATA / "resonite-save" / "vectors" / row["file"]).read_bytes()
        if not row["is_package"]:
            check_bson(row, resonite.loads(data))


def check_bson(row, value):
    bson = resonite.dumps(value, container="bson")
    if "bson_sha256" in row:
        assert len(bson) == row["bson_bytes"], row["name"]
        assert hashlib.sha256(bson).hexdigest() == row["bson_sha256"], row["name"]
    for container in ("brson", "7zbson", "lz4bson"):
        packed = resonite.dumps(value, container=container)
        assert resonite.dumps(resonite.loads(packed), container="bson") == bson


def zeze_bytes(row):
    """The bytes of a row as a bean: one field with the value where it is none."""
    data = bytes.fromhex(row["hex"])
    wire = row.get("type") if row["kind"] != "bean" else None
    return data if wire is None else bytes([0x10 | wire]) + data + b"\0"


def test_zeze():
    tally = Tally()
    names = ["bean", "demo_bvalue", "evolve", "convert", "malformed", "tree"]
    for row in rows("zeze-serialize", *names):
        data = zeze_bytes(row)
        try:
            value = zeze.loads(data)
        except GamewireError as error:
            if "java_error" not in row and "error" not in row and row["kind"] != "malformed":
                tally.refuse(row, error)
            continue
        written = zeze.dumps(value)
        if row["kind"] not in ("malformed", "evolve"):
            assert written == data, row["name"]
        assert zeze.dumps(zeze.loads(written)) == written, row["name"]
        json.dumps(zeze.loads(data, plain=True))
        tally.identical += 1
    tally.check(1700, 3)


def test_zeze_frames():
    for row in rows("zeze-serialize", "protocol"):
        frames = "page" if row["kind"] == "page_frame" else "sent"
        file = gamewire_files.open(bytes.fromhex(row["hex"]), format="zeze-serialize", frames=frames)
        assert file.check() == "identical", row["name"]


def test_o3de():
    tally = Tally()
    folder = TESTDATA / "o3de-json" / "vectors"
    for path in sorted(folder.glob("*.jsonl")):
        for at, line in enumerate(path.read_text("utf-8").splitlines()):
            row = {"name": f"{path.stem}:{at}", **json.loads(line)}
            text = json.dumps(row.get("input"), ensure_ascii=False, separators=(",", ":"))
            try:
                value = o3de.loads(text)
            except GamewireError as error:
                tally.refuse(row, error)
                continue
            written = o3de.dumps(value, pretty=False)
            assert json.loads(written) == row.get("input") or "nan" in text.lower(), row["name"]
            assert o3de.dumps(o3de.loads(written), pretty=False) == written
            assert o3de.loads(o3de.dumps(value)) == value
            json.dumps(o3de.loads(text, plain=True))
            tally.identical += 1
    tally.check(1000, 20)


def test_o3de_files():
    count = 0
    for path in sorted((TESTDATA / "o3de-json").rglob("*.prefab")):
        data = path.read_bytes()
        try:
            value = o3de.loads(data)
        except GamewireError:
            continue
        spelled = []
        json.loads(o3de.dumps(value), parse_float=spelled.append)
        expected = []
        json.loads(data, parse_float=expected.append)
        assert spelled == expected, path
        count += 1
    assert count > 3


def test_the_same_files_by_open():
    files = ["godot-variant/savegame.dat", "godot-variant/project.binary", "resonite-brson/lamp.brson",
             "resonite-brson/lamp.resonitepackage", "o3de-json/project/Prefabs/Lamp.prefab"]
    for name in files:
        path = TESTDATA / name
        if path.exists():
            assert gamewire_files.open(path).check() == "identical", name
    assert base64.b64decode(godot.loads(godot.dumps(b"\xff\0"), plain=True)) == b"\xff\0"
