"""docs/how-to/python.md, run: its programs, and that each engine returns what one process does."""

import csv
import importlib.util
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT, TESTDATA

import gamewire_files

PAGE = (ROOT / "docs" / "how-to" / "python.md").read_text("utf-8")
PROGRAMS = dict(re.findall(r"^##+ ([^\n]+)\n(?:(?!^##).)*?^```python\n(.*?)^```", PAGE, re.M | re.S))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Saves that differ, some of them cut off."""
    folder = tmp_path_factory.mktemp("howto")
    (folder / "saves").mkdir()
    save = gamewire_files.open(TESTDATA / "godot-variant" / "savegame.dat")
    for number in range(40):
        save["player.hp"] = number + 0.5
        save["crops[0].grown"] = number / 40
        data = save.to_bytes()
        (folder / "saves" / f"save{number}.dat").write_bytes(data[: -number - 1] if number % 8 == 3 else data)
    program = PROGRAMS["Rows out of a folder"]
    (folder / "rows.py").write_text(program[: program.index("paths = ")], "utf-8")
    run(folder, "Rows out of a folder")
    return folder


def run(folder, title):
    script = folder / "program.py"
    script.write_text(PROGRAMS[title], "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment.update(RAY_DEDUP_LOGS="0", RAY_USAGE_STATS_ENABLED="0", RAY_ENABLE_UV_RUN_RUNTIME_ENV="0")
    done = subprocess.run([sys.executable, str(script)], cwd=folder, env=environment, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def table(folder, name):
    with open(folder / name, newline="", encoding="utf-8") as file:
        rows = [(own["file"], own["hp"] and float(own["hp"]), own["grown"] and float(own["grown"]), bool(own["error"])) for own in csv.DictReader(file)]
    return sorted(rows)


def test_one_save_and_values(folder):
    pytest.importorskip("pandas")
    assert "97.5" in run(folder, "One save") or "0.5" in run(folder, "One save")
    edited = gamewire_files.open(folder / "edited.dat")
    assert edited["player.hp"] == 100 and all(edited["crops[*].watered"])
    run(folder, "Values as Python has them")


def test_rows_of_a_folder(folder):
    pytest.importorskip("pandas")
    rows = table(folder, "one.csv")
    assert len(rows) == 40 and sum(broken for *_, broken in rows) == 5
    assert sum(hp for _, hp, _, broken in rows if not broken) == sum(n + 0.5 for n in range(40) if n % 8 != 3)


@pytest.mark.parametrize(("title", "module", "name"), [("Dask", "dask.bag", "dask.csv"), ("Ray Data", "ray.data", "ray.csv"), ("Spark", "pyspark.sql", "spark.csv")])
def test_engines_return_the_same_rows(folder, title, module, name):
    if importlib.util.find_spec(module.split(".")[0]) is None:
        pytest.skip(f"{module} is not installed: pip has none for this Python")
    run(folder, title)
    assert table(folder, name) == table(folder, "one.csv")
