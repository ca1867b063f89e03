"""Files: paths, changes, saving, comparing, merging, entries."""

import hashlib
import mmap
import pathlib
import pickle
import shutil

import pytest
from conftest import TESTDATA

import gamewire_files
from gamewire_files import godot, resonite
from gamewire_files.godot import Vector2i

SAVE = TESTDATA / "godot-variant" / "savegame.dat"
LAMP = TESTDATA / "resonite-brson" / "lamp.resonitepackage"


@pytest.fixture
def save(tmp_path):
    return gamewire_files.open(shutil.copy(SAVE, tmp_path))


def test_values_are_set_and_saved(save):
    before = save.to_bytes()
    assert save["player.hp"] == 97.5
    assert save["crops[0].pos"] == Vector2i(24, 39)
    kinds = save["crops[*].kind"]
    assert len(kinds) > 10 and isinstance(kinds[0], godot.StringName)
    save["player.hp"] = 50
    save["crops[*].watered"] = True
    save["crops[0].pos"] = Vector2i(1, 2)
    save["crops[0].kind"] = "rice"
    save.insert("player.pets", ["cat", Vector2i(3, 4)])
    save.save()
    again = gamewire_files.open(save.path)
    assert again["player.hp"] == 50.0 and type(again["player.hp"]) is float
    assert all(again["crops[*].watered"])
    assert again["crops[0].kind"] == "rice" and type(again["crops[0].kind"]) is godot.StringName
    assert again["player.pets"] == ["cat", Vector2i(3, 4)]
    del again["player.pets"]
    assert "player.pets" not in again and "player.hp" in again
    again.update({"player.hp": 97.5, "crops[0].pos": Vector2i(24, 39), "crops[0].kind": kinds[0]})
    changes = gamewire_files.open(before).diff(again)
    assert changes and all(change.path.endswith("watered") for change in changes)
    assert changes[0].change == "changed" and (changes[0].old, changes[0].new) == ("false", "true")
    assert list(pathlib.Path(save.path).parent.iterdir()) == [pathlib.Path(save.path)]


def test_json_saves_of_godot_are_edited_where_they_are(tmp_path):
    path = tmp_path / "save.json"
    path.write_bytes(b'{"hp":7.0,"name":"Edda","items":[1]}\n')
    json = gamewire_files.open(path)
    assert json.format == "godot-variant" and json["hp"] == 7.0 and json["items[0]"] == 1
    json["hp"] = 8
    json.insert("bag", {"a": [1, "b"]})
    json.save()
    assert path.read_bytes() == b'{"hp":8.0,"name":"Edda","items":[1],"bag":{"a":[1,"b"]}}\n'


def test_what_is_not_there(save):
    with pytest.raises(KeyError, match="there is only"):
        save["player.mana"]
    assert save.get("player.mana") is None and save.get("player.mana", 3) == 3 and save.get("no[*]") == []
    assert save.get_all("player.hp", "player.mana", "crops[*].id")[:2] == [97.5, None]
    with pytest.raises(gamewire_files.GamewireError):
        save["player.hp"] = "many"
    with pytest.raises(TypeError):
        save["player.hp"] = {1}
    with pytest.raises(TypeError):
        pickle.dumps(save)
    with pytest.raises(ValueError, match=r"save\(path\)"):
        gamewire_files.open(SAVE.read_bytes()).save()
    with pytest.raises(FileNotFoundError):
        gamewire_files.open("nowhere.dat")


def test_inputs(save, tmp_path):
    data = SAVE.read_bytes()
    with open(SAVE, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for source in (data, bytearray(data), memoryview(data), mapped, SAVE, str(SAVE)):
            assert gamewire_files.open(source)["player.hp"] == 97.5
            assert gamewire_files.detect(source) == "godot-variant"
        assert godot.loads(mapped, framing="store-var") == godot.load(SAVE, framing="store-var")
        file.seek(0)
        assert godot.load(file, framing="auto")["version"] == 3
    godot.dump({"a": 1}, tmp_path / "a.var")
    with open(tmp_path / "b.var", "wb") as file:
        godot.dump({"a": 1}, file)
    assert (tmp_path / "a.var").read_bytes() == (tmp_path / "b.var").read_bytes()
    for other in (7, "text", None):
        with pytest.raises(TypeError):
            godot.loads(other)
    assert gamewire_files.detect(b"text") is None
    assert gamewire_files.detect(b"", "project.binary") == "godot-variant"


def test_explanations(save):
    explained = save.explain()
    assert explained.error is None
    assert "hp" in explained.text() and explained.html("a save").startswith("<!")
    assert "player.hp" in explained.paths() and explained.json().startswith("{")
    cut = gamewire_files.explain(SAVE.read_bytes()[:-9], format="godot-variant", framing="store-var")
    assert cut.error and "hp" in cut.text(100)


def test_merging(save):
    base = gamewire_files.open(save.to_bytes())
    theirs = gamewire_files.open(save.to_bytes())
    save["player.hp"] = 1
    theirs["crops[0].watered"] = True
    merged = save.merge3(base, theirs)
    assert (merged["player.hp"], merged["crops[0].watered"]) == (1.0, True)
    theirs["player.hp"] = 2
    with pytest.raises(gamewire_files.MergeConflict) as caught:
        save.merge3(base, theirs)
    assert [own.path for own in caught.value.conflicts] == ["player.hp"]
    assert pickle.loads(pickle.dumps(caught.value)).conflicts == caught.value.conflicts
    assert save.merge3(base, theirs, conflicts="theirs")["player.hp"] == 2.0
    assert save.merge3(base, theirs, conflicts="ours")["player.hp"] == 1.0


def test_packages_are_mappings(tmp_path):
    path = shutil.copy(LAMP, tmp_path)
    package = gamewire_files.open(path)
    entries = package.entries
    assert len(entries) == len(list(entries)) >= 3 and "R-Main.record" in entries
    package["Object.Bulb.Light.Intensity"] = 3
    package.save()
    again = gamewire_files.Entries(path)
    assert again.get("Assets/none") is None and len(again) == len(entries)
    again["R-Main.record"] = again["R-Main.record"].replace(b"Lamp", b"Bulb")
    asset = b"an asset"
    place = f"Assets/{hashlib.sha256(asset).hexdigest()}"
    again[place] = asset
    with pytest.raises(gamewire_files.GamewireError, match=place):
        again["Assets/other"] = asset
    with pytest.raises(gamewire_files.GamewireError, match="only assets can be removed"):
        del again["R-Main.record"]
    again.save()
    with_asset = gamewire_files.Entries(path)
    assert with_asset[place] == asset
    del with_asset[place]
    assert place not in with_asset and len(with_asset) == len(entries)
    assert b"Bulb" in gamewire_files.Entries(path)["R-Main.record"]
    assert gamewire_files.open(path)["Object.Bulb.Light.Intensity"] == 3.0


def test_archives_are_mappings(tmp_path):
    path = shutil.copy(TESTDATA / "kiwi-pclass" / "arena.wad", tmp_path)
    types = gamewire_files.pclass.TypeList(TESTDATA / "kiwi-pclass" / "vectors" / "types" / "arena.json")
    archive = gamewire_files.Entries(path, types=types)
    with pytest.raises(gamewire_files.GamewireError, match="only the zeros"):
        archive["Later.xml"]
    readable = [name for name in archive if name != "Later.xml"]
    before = {name: archive[name] for name in readable}
    assert len(archive) == len(before) + 1 > 3
    name = next(name for name, content in before.items() if content.startswith(b"BINd"))
    file = archive.open(name)
    number = next(own for own, value in file["(root)"].items() if type(value) is int)
    file[number] = 7
    archive[name] = bytes(file)
    archive.save()
    again = gamewire_files.Entries(path, types=types)
    assert {own: again[own] for own in readable} == {**before, name: file.to_bytes()}
    assert again.open(name)[number] == 7
    with pytest.raises(KeyError):
        archive["new.txt"]
    archive["Music/new.txt"] = b"new"
    del archive["Later.xml"], archive[name]
    with pytest.raises(KeyError):
        del archive["Later.xml"]
    expected = {own: content for own, content in before.items() if own != name}
    assert dict(gamewire_files.Entries(archive.to_bytes())) == {**expected, "Music/new.txt": b"new"}
    with pytest.raises(gamewire_files.GamewireError, match="expected an archive"):
        gamewire_files.Entries(b"nothing")


def test_files_of_each_format(tmp_path):
    types = gamewire_files.pclass.TypeList(TESTDATA / "kiwi-pclass" / "vectors" / "types" / "arena.json")
    boss = gamewire_files.open(TESTDATA / "kiwi-pclass" / "boss.xml", types=types)
    root = boss["(root)"]
    assert isinstance(root, gamewire_files.pclass.Object) and boss.format == "kiwi-pclass"
    number = next(name for name, own in root.items() if type(own) is int)
    boss[number] = 7
    assert boss["(root)"][number] == 7
    lamp = gamewire_files.open(TESTDATA / "resonite-brson" / "lamp.brson")
    assert resonite.loads(lamp.to_bytes()) == lamp["(root)"]
    bean = gamewire_files.open(TESTDATA / "zeze-serialize" / "bvalue.bean", format="zeze-serialize")
    assert bean.check() == "identical" and isinstance(bean.plain(), dict)
    solutions = list((TESTDATA / "zeze-serialize" / "solution").rglob("*.xml"))
    assert solutions
    prefab = next((TESTDATA / "o3de-json").rglob("*.prefab"))
    scene = gamewire_files.open(prefab)
    path, _ = scene.children()[0]
    assert scene[path] is not None and scene.to_json(plain=True)
    with pytest.raises(gamewire_files.GamewireError):
        gamewire_files.open(b"nothing at all")
