// Makes the npm package of the module that is built, and the page: node build.js OUT MODULE.wasm
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, deflateRawSync } from "node:zlib";
import { buildSync } from "./page/node_modules/esbuild/lib/main.js";

const [out, module] = process.argv.slice(2);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const folder = `${out}/package`, data = readFileSync(module);
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(here("npm"))) copyFileSync(here(`npm/${name}`), `${folder}/${name}`);
for (const name of ["README.md", "../../LICENSE-MIT", "../../LICENSE-APACHE"]) {
  copyFileSync(here(name), `${folder}/${name.split("/").pop()}`);
}
writeFileSync(`${folder}/gamewire.wasm`, data);

// The page: one file, whose scripts and style the policy names by their hashes, so that nothing else runs.
const bundle = (name) => {
  const { outputFiles } = buildSync({
    entryPoints: [here(`page/src/${name}`)], bundle: true, minify: true, write: false, format: "iife", target: "es2022",
    jsx: "automatic", jsxImportSource: "preact",
  });
  return outputFiles[0].text.replaceAll("</script", "<\\/script");
};
const sample = (path) => ({ name: path.split("/").pop(), data: readFileSync(here(`../../testdata/${path}`)).toString("base64") });
const samples = {
  godot: sample("godot-variant/savegame.dat"), o3de: sample("o3de-json/samples/Lamp.prefab"), resonite: sample("resonite-brson/lamp.brson"),
};
const style = bundle("page.css"), script = bundle("main.tsx"), worker = bundle("worker.ts");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
const policy = `default-src 'none'; script-src 'wasm-unsafe-eval' ${hash(script)} blob:; worker-src blob:; style-src ${hash(style)}; img-src data: blob:; connect-src 'none'; form-action 'none'; base-uri 'none'`;
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>gamewire</title>
<style>${style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page opens files with JavaScript, which is off.</noscript>
<script type="application/json" id="samples-data">${JSON.stringify(samples)}</script>
<script type="text/plain" id="worker">${worker}</script>
<script type="application/wasm" id="module">${deflateRawSync(data, { level: 9 }).toString("base64")}</script>
<script>${script}</script>
</body>
</html>
`;
writeFileSync(`${out}/gamewire.html`, html);
const packed = brotliCompressSync(data, { params: { [constants.BROTLI_PARAM_LGWIN]: 24 } });
const sizes = `| \`gamewire.wasm\` | ${data.length} | ${packed.length} | |\n| \`gamewire.html\` | ${html.length} | | 3000000 |\n`;
writeFileSync(`${out}/sizes.md`, sizes);
console.log(sizes);
