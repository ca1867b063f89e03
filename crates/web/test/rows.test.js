// Every row of testdata through the module, and the same questions to a program for this machine:
// GAMEWIRE_NATIVE is examples/native.rs, GAMEWIRE_PACKAGE the folder of the npm package.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

// All questions and answers, as they stand in the module's memory.
let asked = [];
const RealInstance = WebAssembly.Instance;
WebAssembly.Instance = class {
  constructor(module, imports) {
    assert.deepEqual(WebAssembly.Module.imports(module), [], "the module has no imports");
    const own = new RealInstance(module, imports).exports;
    const copy = (at, size) => Buffer.from(new Uint8Array(own.memory.buffer, at >>> 0, size));
    let at = 0, size = 0;
    this.exports = {
      ...own,
      reserve: (length) => (at = own.reserve((size = length))),
      ask: () => {
        const question = copy(at, size), length = own.ask();
        asked.push([question, copy(own.address(), length)]);
        return length;
      },
    };
  }
};
const { default: gamewire, GamewireError } = await import(pathToFileURL(`${process.env.GAMEWIRE_PACKAGE}/index.js`));

const root = new URL("../../../testdata/", import.meta.url);
const framed = (data) => Buffer.concat([Buffer.from(new Uint32Array([data.length]).buffer), data]);

// The files in a row, and how each is read.
const filesOf = (format, folder, row) => {
  const base = { format };
  if (format === "godot-variant") {
    const old = row.engine?.startsWith("3") ? "godot3" : undefined;
    Object.assign(base, { dialect: row.dialect ?? old, objects: row.full_objects ?? row.allow_objects ?? true, password: row.password, key: row.key });
  } else if (format === "kiwi-pclass") {
    const types = row.types && readFileSync(new URL(`types/${row.types}`, folder));
    Object.assign(base, { types, mode: row.mode, flags: row.flags, mask: row.mask, form: row.form ?? (row.bind ? "bind" : row.mode && "bare") });
  }
  const found = [];
  const add = (data, more) => found.push([data, { ...base, ...more }]);
  if (typeof row.hex === "string") add(Buffer.from(row.hex, "hex"), row.kind === "encode" || row.kind === "decode" ? { framing: "bare" } : {});
  if (row.file) add(readFileSync(new URL(row.file, folder)));
  if (row.xml) add(row.xml, { form: "xml" });
  if (row.kind === "text") add(row.text, { framing: "text" });
  if (row.kind === "config") add(row.text, { framing: "config" });
  if (format === "o3de-json") for (const own of [row.input, row.expect]) if (own !== undefined) add(JSON.stringify(own));
  return found;
};

const refused = (what) => {
  try {
    return what();
  } catch (error) {
    assert.ok(error instanceof GamewireError && error.message, String(error));
  }
};

// Of Godot's text, numbers are read as roughly as the engine reads them; JSON has the notation of objects.
const differences = (file, again, settings) => {
  const isKnown = ({ old }) => old?.startsWith("Object(");
  if (["text", "config"].includes(settings.framing)) return [];
  return (refused(() => gamewire.diff(file, again, settings)) ?? []).filter((own) => !isKnown(own));
};

// Dictionaries that have a key twice: its path means both values.
const TWICE = ["dict_dup", "dict_array_keys_equal", "dict_true_norm"];
// Objects as ids in typed arrays, which the engine writes as objects.
const IDS = ["ta_object_builtin_allow", "ta_class_eoid_allow"];

for (const crate of ["godot-variant", "o3de-json", "kiwi-pclass", "resonite-brson", "resonite-save", "zeze-serialize"]) {
  const folder = new URL(`${crate}/vectors/`, root);
  const format = crate === "resonite-save" ? "resonite-brson" : crate;
  for (const name of readdirSync(folder).filter((own) => own.endsWith(".jsonl"))) {
    test(`${crate}/${name}`, () => {
      asked = [];
      let rows = 0, same = 0;
      for (const line of readFileSync(new URL(name, folder), "utf8").split("\n").filter(Boolean)) {
        const row = JSON.parse(line);
        const files = filesOf(format, folder, row);
        rows += files.length;
        for (const [file, settings] of files) {
          const about = `${row.name}: ${JSON.stringify({ ...settings, types: undefined })}`;
          refused(() => gamewire.detect(file, { ...settings, format: undefined }));
          refused(() => gamewire.explain(file, settings));
          const json = refused(() => gamewire.decode(file, settings));
          if (json === undefined) continue;
          refused(() => gamewire.plain(file, settings));
          const again = refused(() => gamewire.encode(json, { ...settings, framing: undefined, form: undefined }));
          // Each time with another vector.
          if (row.kind === "encrypted") asked.pop();
          if (again === undefined) continue;
          if (Buffer.from(file).equals(again)) same++;
          else if (Buffer.from(again).toString("hex") !== row.reencoded) assert.deepEqual(differences(file, again, settings), [], about);
          const [value] = refused(() => gamewire.get(file, "*", settings)) ?? [];
          const kept = value && refused(() => gamewire.set(file, { [value.path]: value.text }, settings));
          if (kept && !TWICE.includes(row.name)) assert.deepEqual(Buffer.from(kept), Buffer.from(IDS.includes(row.name) ? again : file), about);
        }
      }
      const native = spawnSync(process.env.GAMEWIRE_NATIVE, { input: Buffer.concat(asked.map(([question]) => framed(question))), maxBuffer: 1 << 30 });
      assert.equal(native.status, 0, String(native.stderr));
      let at = 0;
      for (const [question, answer] of asked) {
        const size = native.stdout.readUInt32LE(at);
        const own = native.stdout.subarray(at + 4, (at += 4 + size));
        assert.ok(own.equals(answer), `another answer than the program's to ${question.subarray(4, 400)}`);
      }
      assert.equal(at, native.stdout.length);
      console.log(`${rows} files, ${same} the same again, ${asked.length} questions`);
      // Rows about hashes have no file, those of meshes have files of another format.
      assert.equal(rows > 0, !/^(hash|mesh)/.test(name));
    });
  }
}
