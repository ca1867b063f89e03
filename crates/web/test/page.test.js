// The page in a browser, from file://: GAMEWIRE_PAGE is the page, GAMEWIRE the tool, CHROMIUM the browser,
// PLAYWRIGHT the folder of playwright-core. With GAMEWIRE_SHOTS, pictures of the flows go to that folder.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const { CHROMIUM, GAMEWIRE, GAMEWIRE_PAGE, GAMEWIRE_SHOTS, PLAYWRIGHT } = process.env;
const { chromium } = await import(pathToFileURL(join(PLAYWRIGHT, "index.mjs")));
const data = (path) => fileURLToPath(new URL(`../../../testdata/${path}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "gamewire-page-"));
const own = (name) => join(folder, name);
const tool = (...args) => String(execFileSync(GAMEWIRE, args));
const get = (bytes, name, path, ...options) => {
  writeFileSync(own(name), bytes);
  return tool("get", own(name), path, ...options).trimEnd();
};

const flags = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
let browser;
before(async () => (browser = await chromium.launch({ executablePath: CHROMIUM, args: flags })));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

// A page whose console stays empty, and which asks no network for anything.
const opened = async (size = { width: 1080, height: 600 }, more = {}) => {
  const context = await browser.newContext({ viewport: size, acceptDownloads: true, ...more });
  context.setDefaultTimeout(20_000);
  const page = await context.newPage(), wrong = [];
  page.on("console", (one) => ["error", "warning"].includes(one.type()) && wrong.push(one.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (one) => !/^(file|data|blob|about):/.test(one.url()) && wrong.push(one.url()));
  const load = async () => {
    await page.goto(String(pathToFileURL(GAMEWIRE_PAGE)));
    await page.waitForFunction(() => document.body.dataset.ready);
  };
  await load();
  const row = (key) => page.locator("[role=row]").filter({ has: page.locator(".key .name", { hasText: new RegExp(`^${key.replace(/[[\]]/g, "\\$&")}$`) }) });
  const end = async () => {
    assert.deepEqual(wrong, []);
    await context.close();
  };
  return { page, row, load, end };
};
const openFile = async (page, path) => {
  await page.setInputFiles("#file", path);
  await page.waitForSelector("[role=treegrid] .row .value, .asked");
};
const saved = async (page) => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Control+s")]);
  return readFileSync(await download.path());
};
const shot = async (page, name) => {
  if (GAMEWIRE_SHOTS) await page.screenshot({ path: join(GAMEWIRE_SHOTS, `${name}.png`) });
};
const changes = async (page, count) => {
  if (!(await page.getByRole("region", { name: "Changes" }).count())) await page.click("#show-changes");
  await page.waitForFunction((count) => document.querySelectorAll("#panel .list li").length === count, count);
};

// The save of a farm.
const item = (id, count) => ({ type: "Dictionary", args: ["s:id", `s:${id}`, "s:count", `i:${count}`, "s:damage", "i:12"] });
const farm = (gold = 61, name = "farm.dat") => {
  const player = ["s:name", "s:Åsa", "s:gold", `i:${gold}`, "s:hp", "f:97.5", "s:position", { type: "Vector3", args: [12.5, 0, -4.25] }, "s:cloak", { type: "Color", args: [0.9, 0.4, 0.2, 1] }, "s:can_swim", true, "s:inventory", [item("sword", 1), item("seed", 12)]];
  writeFileSync(own("farm.json"), JSON.stringify({ type: "Dictionary", args: ["s:version", "i:3", "s:player", { type: "Dictionary", args: player }] }));
  tool("encode", own("farm.json"), "-f", "godot-variant", "--framing", "store-var", "-o", own(name));
  return own(name);
};

test("the gold in an encrypted save", async () => {
  tool("convert", farm(), "--to-wrapping", "encrypted", "--password", "pumpkin", own("secret.dat"));
  const { page, row, end } = await opened();
  await openFile(page, own("secret.dat"));
  await page.getByLabel("Password").fill("Pumpkin");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /not the password of this file/);
  await shot(page, "password");
  await page.getByLabel("Password").fill("pumpkin");
  await page.keyboard.press("Enter");
  await row("gold").locator(".value").click();
  await page.getByRole("textbox", { name: "gold" }).fill("9x");
  await page.keyboard.press("Enter");
  assert.equal(await page.getByRole("alert").textContent(), "“9x” is not a number. Still 61.");
  await page.getByRole("textbox", { name: "gold" }).fill("9999");
  await page.keyboard.press("Enter");
  await changes(page, 1);
  assert.match(await page.locator("#panel .list li").textContent(), /player › gold.*61 → 9999/);
  assert.match(await page.title(), /^• secret\.dat$/);
  await shot(page, "gold");
  const bytes = await saved(page);
  assert.equal(get(bytes, "made.dat", "player.gold", "--password", "pumpkin"), "9999");
  assert.equal(get(bytes, "made.dat", "player.name", "--password", "pumpkin"), "Åsa");
  await page.waitForFunction(() => document.title === "secret.dat");
  await end();
});

test("an item by duplicating one, seen in the changes, taken back", async () => {
  const { page, row, end } = await opened();
  await openFile(page, farm());
  await row("inventory").locator(".fold").click();
  await row("[0]").locator(".key .name").click();
  await page.keyboard.press("Control+d");
  await row("[2]").waitFor();
  await row("[1]").locator(".fold").click();
  await row("count").locator(".value").click();
  await page.getByRole("textbox", { name: "count" }).fill("5");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await changes(page, 1);
  assert.match(await page.locator("#panel .list li").first().textContent(), /inventory\[1\].*new/);
  await shot(page, "duplicate");
  const bytes = await saved(page);
  assert.deepEqual(get(bytes, "made.dat", "player.inventory[*].id").match(/sword|seed/g), ["sword", "sword", "seed"]);
  assert.equal(get(bytes, "made.dat", "player.inventory[1].count"), "5");
  await page.getByRole("button", { name: /^Take back/ }).click();
  await changes(page, 0);
  assert.ok((await saved(page)).equals(readFileSync(own("farm.dat"))), "another file than the original");
  await page.locator("#undo").click();
  await changes(page, 1);
  for (const left of [1, 0]) {
    await page.locator("#undo").click();
    await changes(page, left);
  }
  assert.ok((await saved(page)).equals(readFileSync(own("farm.dat"))), "another file than the original");
  await end();
});

test("a vector, a color and a switch", async () => {
  const { page, row, end } = await opened();
  await openFile(page, farm());
  await row("position").locator(".value").click();
  await page.getByRole("textbox", { name: "position y" }).fill("1.5");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".field", { state: "detached" });
  await row("cloak").locator(".value").click();
  await page.getByRole("textbox", { name: "cloak, hex" }).fill("#00ff00");
  await shot(page, "color");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".field", { state: "detached" });
  await page.getByRole("switch", { name: "can_swim" }).click();
  await changes(page, 3);
  const bytes = await saved(page);
  assert.equal(get(bytes, "made.dat", "player.position.y"), "1.5");
  assert.equal(get(bytes, "made.dat", "player.cloak.g"), "1.0");
  assert.equal(get(bytes, "made.dat", "player.can_swim"), "false");
  await end();
});

test("a save of JSON: a value added, one renamed, one deleted", async () => {
  writeFileSync(own("save.json"), '{\n\t"gold": 61,\n\t"name": "Åsa",\n\t"quests": ["find_well", "feed_cat"]\n}');
  const { page, row, end } = await opened();
  await openFile(page, own("save.json"));
  await row("name").locator(".key .name").click();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Key", exact: true }).fill("gold");
  await page.keyboard.press("Enter");
  assert.match(await page.getByRole("alert").textContent(), /There is gold already\. Still name/);
  await page.getByRole("textbox", { name: "Key", exact: true }).fill("hero");
  await page.keyboard.press("Enter");
  await row("hero").waitFor();
  await row("gold").locator(".key .name").click();
  await page.keyboard.press("Insert");
  await page.getByRole("textbox", { name: "Key", exact: true }).fill("house");
  await page.getByRole("textbox", { name: "key", exact: true }).fill("mill");
  await page.keyboard.press("Enter");
  await row("house").waitFor();
  await row("quests").locator(".fold").click();
  await row("[0]").locator(".key .name").click();
  await page.keyboard.press("Delete");
  await page.waitForSelector("#said button");
  await changes(page, 3);
  assert.equal(String(await saved(page)), '{\n\t"gold": 61,\n\t"hero": "Åsa",\n\t"quests": ["feed_cat"],\n\t"house": "mill"\n}');
  await end();
});

test("a ConfigFile, whose other bytes stay", async () => {
  const text = '; the player\'s own\n[audio]\nmusic=0.8\n\n[video]\nfull=false\nsize=Vector2i( 1280, 720 )\n';
  writeFileSync(own("settings.cfg"), text);
  const { page, row, end } = await opened();
  await openFile(page, own("settings.cfg"));
  await row("music").locator(".value").click();
  await page.getByRole("textbox", { name: "music" }).fill("0.25");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".field", { state: "detached" });
  await page.getByRole("switch", { name: "full" }).click();
  await changes(page, 2);
  assert.equal(String(await saved(page)), text.replace("0.8", "0.25").replace("false", "true"));
  await end();
});

test("a texture in a package replaced and exported", async () => {
  const { page, row, end } = await opened();
  await page.setInputFiles("#file", data("resonite-brson/lamp.resonitepackage"));
  await page.getByRole("button", { name: /^Import into Assets/ }).first().waitFor();
  const names = await page.locator("#entries li button:first-child").allTextContents();
  const at = names.findLastIndex((own) => own.startsWith("Assets/"));
  const fresh = Buffer.from("another texture");
  writeFileSync(own("texture.bin"), fresh);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: `Import into ${names[at]}`, exact: true }).click()]);
  await chooser.setFiles(own("texture.bin"));
  await page.waitForFunction((old) => ![...document.querySelectorAll("#entries li button:first-child")].some((one) => one.textContent === old), names[at]);
  await shot(page, "package");
  const now = await page.locator("#entries li button:first-child").allTextContents();
  const hash = createHash("sha256").update(fresh).digest("hex");
  assert.ok(now.includes(`Assets/${hash}`), `${now} has the name that the texture gives`);
  const exported = page.getByRole("button", { name: `Export Assets/${hash}`, exact: true });
  const [copy] = await Promise.all([page.waitForEvent("download"), exported.click()]);
  assert.ok(readFileSync(await copy.path()).equals(fresh));
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save").click()]);
  writeFileSync(own("made.resonitepackage"), readFileSync(await download.path()));
  assert.match(tool("package", "list", own("made.resonitepackage")), new RegExp(hash));
  await end();
});

test("two saves compared, and a value taken over", async () => {
  const { page, row, end } = await opened();
  farm(140, "old.dat");
  await openFile(page, farm());
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Compare" }).click();
  await page.setInputFiles("#other", own("old.dat"));
  const take = page.getByRole("button", { name: "Take over player › gold" });
  await take.waitFor();
  await shot(page, "compare");
  await take.click();
  await page.getByRole("button", { name: "Take back player › gold" }).waitFor();
  await page.getByRole("button", { name: "Back", exact: true }).click();
  await row("gold").getByText("140").waitFor();
  assert.equal(get(await saved(page), "made.dat", "player.gold"), "140");
  await end();
});

test("a merge with one conflict", async () => {
  const base = readFileSync(farm(45, "base.dat"));
  tool("set", own("base.dat"), "player.gold=61", "-o", own("ours.dat"));
  tool("set", own("base.dat"), "player.gold=140", "player.hp=64", "-o", own("theirs.dat"));
  const { page, end } = await opened();
  await openFile(page, own("ours.dat"));
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Merge" }).click();
  await page.setInputFiles("#other", []);
  for (const [button, name] of [["Choose the file before both", "base.dat"], ["Choose theirs", "theirs.dat"]]) {
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: button }).click()]);
    await chooser.setFiles(own(name));
  }
  await page.getByRole("button", { name: "Save merged" }).click();
  assert.equal(await page.getByRole("alert").textContent(), "Choose one first, then save.");
  await page.getByRole("radio", { name: "player › gold: theirs, 140" }).check();
  await shot(page, "merge");
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save merged" }).click()]);
  const bytes = readFileSync(await download.path());
  assert.notDeepEqual(bytes, base);
  assert.equal(get(bytes, "made.dat", "player.gold"), "140");
  assert.equal(get(bytes, "made.dat", "player.hp"), "64.0");
  await end();
});

// A file, the key that is changed, the path for the tool, the new value, options of the tool.
const types = data("kiwi-pclass/vectors/types/arena.json");
const samples = [
  ["o3de-json/samples/Lamp.prefab", "Name", "/ContainerEntity/Name", "Desk"],
  ["o3de-json/samples/Yard.prefab", "by the gate", "/Instances/Instance_[10020794016934]/Patches/1/value", "Lamp by the door"],
  ["o3de-json/samples/Server.setreg", "Priority", "/Amazon/AzCore/Streamer/Priority", "0.75"],
  ["kiwi-pclass/boss.xml", "m_level", "m_level", "17", ["--types", types]],
  ["resonite-brson/lamp.bson", "Desk Lamp", "Object.Name", "Floor Lamp", [], "Object.Name.Data"],
  ["godot-variant/project.binary", "application/config/name", "application/config/name", "Orchard"],
];
for (const [name, key, path, value, options = [], shown = path] of samples) {
  test(`${name} by the keyboard alone`, async () => {
    const { page, end } = await opened();
    await openFile(page, data(name));
    if (options.length) await page.setInputFiles("#types", types);
    await page.waitForSelector("[role=treegrid] .row .value");
    await page.keyboard.press("/");
    await page.keyboard.type(key);
    await page.waitForFunction(() => /\d+ of/.test(document.getElementById("hits").textContent));
    for (let turn = 0; turn < 40; turn++) {
      const here = await page.textContent("#path");
      if (here.replaceAll(" › ", "/").replace(/^\/?/, "/") === shown.replaceAll(".", "/").replace(/^\/?/, "/")) break;
      await page.keyboard.press("Enter");
      await page.waitForTimeout(20);
    }
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector(".field:focus");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(value);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".field", { state: "detached" });
    const bytes = await saved(page);
    tool("set", data(name), `${path}=${value}`, "-o", own("tool.out"), ...options);
    assert.ok(bytes.equals(readFileSync(own("tool.out"))), "another file than the tool's");
    await end();
  });
}

test("an enum by its names", async () => {
  const { page, row, end } = await opened();
  await openFile(page, data("kiwi-pclass/boss.xml"));
  await page.setInputFiles("#types", types);
  await row("m_mode").first().locator(".value").click();
  await page.getByRole("combobox", { name: "m_mode" }).selectOption("AFTERMATH");
  await shot(page, "enum");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".field", { state: "detached" });
  await changes(page, 1);
  tool("set", data("kiwi-pclass/boss.xml"), "m_mode=AFTERMATH", "-o", own("tool.out"), "--types", types);
  assert.ok((await saved(page)).equals(readFileSync(own("tool.out"))), "another file than the tool's");
  await end();
});

test("a jump to what a value names", async () => {
  writeFileSync(own("scene.tscn"), '[gd_scene format=3]\n\n[sub_resource type="Gradient" id="T"]\n\n[node name="Root" type="Node2D"]\nramp = SubResource("T")\n\n[node name="Hero" type="Node2D" parent="."]\n\n[node name="Cam" type="RemoteTransform2D" parent="."]\nremote_path = NodePath("../Hero")\nlost = SubResource("U")\n');
  const { page, end } = await opened();
  for (const [file, found, name, path] of [
    [own("scene.tscn"), "ramp", 'SubResource("T")', 'SubResource("T")'],
    [own("scene.tscn"), "remote_path", "Root/Hero", "Root/Hero"],
    [data("o3de-json/samples/Lamp.prefab"), "Entity_[279172874240]", "Entity_[279172874240]", "Entities › Entity_[279172874240]"],
    [data("resonite-brson/lamp.bson"), "0000007f-0000-0000-0000-000000000000", "0000007f-0000-0000-0000-000000000000", "Assets[2] › Data"],
  ]) {
    await openFile(page, file);
    await page.getByRole("searchbox", { name: "Search" }).fill(found);
    await page.waitForFunction(() => / of /.test(document.getElementById("hits").textContent));
    await page.getByRole("button", { name: `Go to ${name}`, exact: true }).first().click();
    await page.waitForFunction((path) => document.getElementById("path").textContent === path, path).catch(async () => assert.equal(await page.textContent("#path"), path));
    assert.equal(await page.locator("[role=row][aria-selected=true]").count(), 1);
    if (found === "remote_path") {
      await page.getByRole("button", { name: 'Go to SubResource("U")', exact: true }).click();
      await page.getByText('Nothing in this file is called SubResource("U").').waitFor();
    }
    await page.keyboard.press("Control+o");
  }
  await end();
});

test("a phone: gold, and a sheet of changes", async () => {
  const { page, row, end } = await opened({ width: 360, height: 740 }, { hasTouch: true, isMobile: true });
  await openFile(page, farm());
  await row("gold").locator(".value").tap();
  await page.getByRole("textbox", { name: "gold" }).fill("9999");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".field", { state: "detached" });
  await page.locator("#show-changes").tap();
  await page.waitForSelector("#panel .list li");
  await shot(page, "phone");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, "nothing is cut off");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save").tap()]);
  assert.equal(get(readFileSync(await download.path()), "made.dat", "player.gold"), "9999");
  await end();
});

test("a file of either engine is asked about", async () => {
  // A PoolIntArray of 3.x is a StringName of 4.x.
  const file = Buffer.from("0c000000150000000100000041000000", "hex");
  writeFileSync(own("either.dat"), file);
  const { page, row, end } = await opened();
  for (const [engine, name, field, value] of [["Godot 4", "The whole file", "The whole file", "B"], ["Godot 3", "[0]", "0", "66"]]) {
    await openFile(page, own("either.dat"));
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Godot 4");
    if (engine === "Godot 4") await shot(page, "dialect");
    await page.getByRole("button", { name: engine }).click();
    await row(name).locator(".value").click();
    await page.getByRole("textbox", { name: field }).fill(value);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".field", { state: "detached" });
    await changes(page, 1);
    assert.ok((await saved(page)).equals(Buffer.from("0c000000150000000100000042000000", "hex")), engine);
    await page.keyboard.press("Control+o");
  }
  await end();
});

test("unsaved work survives a reload of the page", async () => {
  const { page, row, load, end } = await opened();
  await openFile(page, farm());
  await row("gold").locator(".value").click();
  await page.getByRole("textbox", { name: "gold" }).fill("7");
  await page.keyboard.press("Enter");
  await changes(page, 1);
  await page.waitForTimeout(1500);
  await load();
  await page.getByText("farm.dat has 1 change that was not saved").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await row("gold").waitFor();
  assert.match(await row("gold").textContent(), /7/);
  await changes(page, 1);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Forget unsaved work" }).click();
  await load();
  await page.waitForTimeout(200);
  assert.equal(await page.getByText("not saved").count(), 0);
  await end();
});

test("a hostile file", async () => {
  const deep = "[".repeat(900) + "]".repeat(900);
  writeFileSync(own("hostile.json"), `{"<img src=x onerror=alert(1)>": "<script>alert(2)</script>", "a\\u0000\\u202eb": 1, "deep": ${deep}}`);
  const { page, row, end } = await opened();
  page.on("dialog", () => assert.fail("something ran"));
  await openFile(page, own("hostile.json"));
  await page.waitForSelector("[role=treegrid] .row");
  assert.equal(await page.locator("img").count(), 0);
  for (let turn = 0; turn < 300; turn++) await page.keyboard.press("ArrowDown");
  await row("deep").locator(".key .name").click();
  for (let turn = 0; turn < 30; turn++) {
    await page.keyboard.press("ArrowRight");
    await page.waitForFunction(() => !document.querySelector(".row:focus")?.textContent.includes("…"));
  }
  await page.waitForFunction(() => document.querySelector(".row:focus")?.ariaLevel > 10);
  const refused = async (name, bytes, why) => {
    writeFileSync(own(name), bytes);
    await page.keyboard.press("Control+o");
    await page.setInputFiles("#file", own(name));
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").textContent(), why);
  };
  await refused("deep.json", "[".repeat(100_000) + "]".repeat(100_000), /deep|formats/);
  const nested = Buffer.alloc(800_008);
  for (let at = 0; at < 800_000; at += 8) nested.writeUInt32LE(28, at) && nested.writeUInt32LE(1, at + 4);
  await refused("deep.dat", nested, /deep|nest|formats/);
  await refused("bomb.gz", gzipSync(Buffer.alloc(600 << 20)), /formats|memory/);
  writeFileSync(own("noise.bin"), Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 251)));
  await page.keyboard.press("Control+o");
  await page.setInputFiles("#file", own("noise.bin"));
  await page.getByRole("alert").waitFor();
  assert.match(await page.getByRole("alert").textContent(), /none of the formats/);
  await end();
});

test("64 MB opens, and is edited", async () => {
  // 5 592 400 integers of 12 bytes, in one array.
  const count = 5_592_400, file = Buffer.alloc(12 + count * 12);
  file.writeUInt32LE(file.length - 4, 0);
  file.writeUInt32LE(28, 4);
  file.writeUInt32LE(count, 8);
  for (let at = 12; at < file.length; at += 12) { file.writeUInt32LE(0x10002, at); file.writeUInt32LE(at, at + 4); }
  writeFileSync(own("large.dat"), file);
  const { page, row, end } = await opened();
  const start = Date.now();
  await page.setInputFiles("#file", own("large.dat"));
  await page.waitForSelector("[role=treegrid] .row", { timeout: 120_000 });
  const open = Date.now() - start;
  await row("0 … 9,999").locator(".fold").click();
  await row("[3]").locator(".value").click();
  await page.getByRole("textbox", { name: "3" }).fill("77");
  const edit = Date.now();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^1$/.test(document.getElementById("count")?.textContent ?? ""), undefined, { timeout: 120_000 });
  const shown = Date.now() - edit;
  console.log(`${file.length} bytes open in ${open} ms, an edit with its changes takes ${shown} ms`);
  const bytes = await saved(page);
  // The engine writes a small integer with 32 bits.
  const made = Buffer.concat([file.subarray(0, 48), Buffer.from([2, 0, 0, 0, 77, 0, 0, 0]), file.subarray(60)]);
  made.writeUInt32LE(made.length - 4, 0);
  assert.ok(bytes.equals(made), "another file");
  await end();
});
