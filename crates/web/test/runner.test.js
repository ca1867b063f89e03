// The runners of docs/conformance, each with a part of an implementation, through the tool.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const folder = new URL("../../../docs/conformance/", import.meta.url);
const programs = {
  node: ["own.mjs", `import { run } from "${new URL("runner.js", folder)}";
    const read = ({ kind, hex }) => {
      if (kind !== "int" || hex.length > 2) return undefined;
      const first = parseInt(hex, 16);
      return first < 0x40 ? first : first - 256;
    };
    run({ read, write: ({ kind, value }) => kind === "int" && value >= 0 && value < 64 ? Uint8Array.of(value) : undefined });`],
  python3: ["own.py", `import sys
sys.path.insert(0, ${JSON.stringify(fileURLToPath(folder))})
from runner import run
def read(row, ask):
    if row.get("kind") != "int" or len(row["hex"]) > 2: return NotImplemented
    first = int(row["hex"], 16)
    return first if first < 0x40 else first - 256
run(read, lambda row: bytes([row["value"]]) if row.get("kind") == "int" and 0 <= row["value"] < 64 else NotImplemented)`],
};

for (const [program, [name, text]] of Object.entries(programs)) {
  const isThere = spawnSync(program, ["--version"]).status === 0;
  test(`runner of ${program}`, { skip: !isThere && `${program} is not installed` }, () => {
    const own = mkdtempSync(join(tmpdir(), "gamewire-runner-"));
    writeFileSync(join(own, name), text);
    const { stdout, status } = spawnSync(process.env.GAMEWIRE, ["conformance", "zeze-serialize", "--", program, join(own, name)]);
    assert.match(String(stdout), /\n?[1-9]\d* passed, 0 failed, [1-9]\d* skipped\n$/);
    assert.equal(status, 0);
    rmSync(own, { recursive: true });
  });
}
