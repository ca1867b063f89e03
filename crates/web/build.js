// Makes the npm package of the modules that are built, and the page of the last one: node build.js OUT MODULE.wasm...
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { brotliCompressSync, constants, deflateRawSync } from "node:zlib";

const [out, ...modules] = process.argv.slice(2);
const text = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const folder = `${out}/package`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const own = new URL("npm/", import.meta.url);
for (const name of readdirSync(own)) copyFileSync(new URL(name, own), `${folder}/${name}`);
for (const name of ["README.md", "../../LICENSE-MIT", "../../LICENSE-APACHE"]) {
  copyFileSync(new URL(name, import.meta.url), `${folder}/${name.split("/").pop()}`);
}
const goals = { "gamewire.wasm": "500000 as brotli", "godot.wasm": "220000 as brotli" };
let [data, sizes] = [undefined, ""];
for (const module of modules) {
  data = readFileSync(module);
  writeFileSync(`${folder}/${basename(module)}`, data);
  const packed = brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
  sizes += `| \`${basename(module)}\` | ${data.length} | ${packed.length} | ${goals[basename(module)]} |\n`;
}

// The page of explain: its template, style and script, with what opens and saves files.
const page = "../core/src/explain/page/page.";
const parts = {
  title: "gamewire",
  style: text(`${page}css`) + text("page/edit.css"),
  script: text(`${page}js`) + text("npm/gamewire.js").replace(/^export /gm, "") + text("page/edit.js"),
  kind: "application/wasm",
  data: deflateRawSync(data, { level: 9 }).toString("base64"),
};
const html = text(`${page}html`).replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
writeFileSync(`${out}/gamewire.html`, html);
sizes += `| \`gamewire.html\` | ${html.length} | | |\n`;
writeFileSync(`${out}/sizes.md`, sizes);
console.log(sizes);
