"""What the tests share: the rows of testdata, and rows of zeze as beans."""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
TESTDATA = ROOT / "testdata"

# Godot nests up to 1 025 values; before Python 3.12, `json` recurses as deep as they do.
sys.setrecursionlimit(4000)


def rows(crate, *names):
    """The rows of vector files."""
    for name in names:
        for line in (TESTDATA / crate / "vectors" / f"{name}.jsonl").read_text("utf-8").splitlines():
            yield json.loads(line)


class Tally:
    """Counts what became of rows. A row that is neither identical nor refused fails at once."""

    def __init__(self):
        self.identical, self.refused = 0, []

    def refuse(self, row, error):
        self.refused.append(f"{row['name']}: {error}")

    def check(self, identical, refused):
        """So many rows are identical, and no more than so many refused that an engine reads."""
        shown = "\n".join(self.refused[:20])
        assert self.identical >= identical, f"only {self.identical} identical; refused:\n{shown}"
        assert len(self.refused) <= refused, f"{len(self.refused)} refused:\n{shown}"
