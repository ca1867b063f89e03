// What the page knows, and what can be done: every change goes through here.
import { Doc, ofFile, Refusal, type Change, type Edit, type MergeResult, type Row, type Settings, type ValueOf } from "./document";
import { Item, Tree } from "./tree";
import { fieldOf, namedBy, newKinds, pathIn, shownPath } from "./kinds";
import { forget, keep, type Kept } from "./kept";
import { words } from "./words";

export interface Opening { name: string; bytes: Uint8Array; handle?: FileSystemFileHandle; settings: Settings; now?: Uint8Array; entry?: number }
export interface Pack { opening: Opening; names: string[]; isChanged: boolean }
export interface Shift { way: number[]; at: number; removed: number; added: number }
interface Step { said: string; shifts: Shift[] }
export interface Editing { item: Item; what: "value" | "key" | "add"; wrong?: string; kind?: string }
interface Clip { format: string; isCut: boolean; all: { key: string; kind: string; text: string; value: unknown; path: string; parent: Item; index: number }[] }
export interface Compared { doc: Doc; before: Doc; name: string; rows: (Change & { isTaken: boolean })[] }
export interface Merging { name: string; base?: Doc; theirs?: Doc; result?: MergeResult; sides: (string | undefined)[]; isPressed: boolean }
export type Menu = ({ title: string } | { name: string; small?: string; off?: string; act: () => void } | null)[];

export const app = {
  ask: undefined as undefined | { kind: "password" | "types" | "solution" | "dialect" | "wrong" | "opening"; opening: Opening; wrong?: string },
  kept: undefined as Kept | undefined,
  file: undefined as Opening | undefined,
  pack: undefined as Pack | undefined,
  tree: undefined as unknown as Tree,
  active: undefined as Item | undefined,
  anchor: undefined as Item | undefined,
  chosen: new Set<Item>(),
  editing: undefined as Editing | undefined,
  panel: undefined as "Changes" | "Bytes" | undefined,
  changes: [] as Change[],
  marks: new Map<string, "changed" | "added">(),
  past: [] as Step[], future: [] as Step[],
  saved: 0, undoable: 0, redoable: 0, length: 0, isOffered: false, isPicking: false,
  query: "", hits: [] as Item[], hit: 0, isMore: false, isSearching: false,
  clip: undefined as Clip | undefined,
  menu: undefined as undefined | { items: Menu; at: DOMRect },
  card: undefined as undefined | { kind: "text" | "bytes" | "keys"; item?: Item; value?: ValueOf; at?: DOMRect; wrong?: string },
  said: undefined as undefined | { text: string; act?: [string, () => void] },
  compared: undefined as Compared | undefined,
  merging: undefined as Merging | undefined,
  bytesFrom: undefined as number | undefined,
  /** What is to have the focus after the page is drawn. */
  focus: undefined as "row" | "field" | undefined,
  draw: () => {},
};

export const isPhone = () => matchMedia("(max-width: 640px)").matches;
export const doc = () => app.tree.doc;
export const isChanged = () => app.changes.length > 0 && app.saved !== app.undoable;
/** The kinds that a value of the file may get. */
export const kindsHere = () => newKinds(doc().is.format, app.tree.root.row);
const isPointer = () => !!app.tree.root.row && (app.tree.root.children.find((own) => own?.row)?.row?.path.startsWith("/") ?? false);

let timer = 0;
export const say = (text: string, act?: [string, () => void], isLong = false) => {
  app.said = { text, act };
  clearTimeout(timer);
  if (!isLong) timer = window.setTimeout(() => { app.said = undefined; app.draw(); }, 6000);
  app.draw();
};
const why = (error: unknown) => (error instanceof Error ? error.message : String(error));
/** A refusal without the path, which the person sees. */
const plainly = (error: unknown) => why(error).replace(/^[^ ]*: /, "").replace(/^./, (own) => own.toUpperCase());

// ---- files ---------------------------------------------------------------------------------------------------------

// ---- archives and packages -------------------------------------------------------------------------------------------

const isPack = (bytes: Uint8Array) => /^(PK|KIWAD)/.test(String.fromCharCode(...bytes.subarray(0, 5)));
const entriesOf = ({ bytes, name, settings }: Opening) => ofFile<string[] | null>("entries", bytes, { ...settings, name });
const entry = (at: number) => { const { bytes, settings } = app.pack!.opening; return ofFile<Uint8Array<ArrayBuffer>>("entry", bytes, at, settings); };
const shortName = (name: string) => name.split("/").pop()!;
export const openEntry = (at: number) => attempt(async () => {
  const { opening: { settings }, names } = app.pack!;
  await open({ name: shortName(names[at]!), bytes: await entry(at), settings, entry: at });
});
export const exportEntry = (at: number) => attempt(async () => download(await entry(at), shortName(app.pack!.names[at]!)));
export const putEntry = async (at: number, content: Uint8Array) => {
  const { opening } = app.pack!, bytes = await ofFile<Uint8Array>("withEntry", opening.bytes, at, content, opening.settings);
  const now = { ...opening, bytes };
  app.pack = { opening: now, names: (await entriesOf(now))!, isChanged: true };
};
export const importEntry = (at: number, content: Uint8Array) => attempt(async () => { await putEntry(at, content); say(`${words.did.set} ${app.pack!.opening.name}`); });
export const toEntries = async () => { await doc().close(); app.file = undefined; app.draw(); };

export const open = async (opening: Opening) => {
  app.ask = { kind: "opening", opening };
  app.draw();
  try {
    const names = opening.entry === undefined && isPack(opening.bytes) ? await entriesOf(opening) : null;
    if (opening.entry === undefined) app.pack = names ? { opening, names, isChanged: false } : undefined;
    if (names) {
      if (app.file) await doc().close();
      app.file = app.ask = undefined;
      return app.draw();
    }
    const made = await Doc.open(opening.bytes, { ...opening.settings, name: opening.name }, opening.now);
    if (app.file) await doc().close();
    app.file = app.ask = undefined;
    if (!made.is.unsure) return await opened(made, opening);
    await made.close();
    app.ask = { kind: "dialect", opening };
    app.draw();
  } catch (error) {
    const hint = error instanceof Refusal ? error.hint : undefined, text = why(error);
    const kind = hint === "secret" || /password|encrypted/i.test(text) ? "password" : hint === "types" || /type list|schema/i.test(text) ? "types" : "wrong";
    const isAgain = kind === "password" && opening.settings.password !== undefined;
    const isUnknown = /format/.test(text) && /not|no |unknown/.test(text);
    app.file = undefined;
    app.ask = { kind, opening, wrong: kind === "wrong" ? (isUnknown ? words.unknown(opening.name) : words.damaged(text)) : isAgain ? words.badSecret : undefined };
    app.draw();
  }
};

const opened = async (made: Doc, opening: Opening) => {
  Object.assign(app, { file: opening, tree: new Tree(made), active: undefined, anchor: undefined, chosen: new Set(), editing: undefined, panel: undefined, changes: [], marks: new Map(), past: [], future: [], saved: 0, undoable: 0, redoable: 0, isOffered: false, query: "", hits: [], compared: undefined, merging: undefined, kept: undefined, bytesFrom: undefined, said: undefined });
  const { tree } = app;
  await tree.know(tree.root);
  tree.fold(tree.root, true);
  // What is short is open at once.
  let left = 60 - tree.root.rows;
  const rows = tree.root.rows <= 60 ? await made.children([], 0, 60) : [];
  rows.forEach((row, i) => {
    const item = tree.root.child(i);
    [item.row, item.seen] = [row, tree.version];
    if (row.isList === false && row.count! > 0 && row.count! <= Math.min(left, 12)) { tree.fold(item, true); left -= row.count!; }
  });
  if (tree.length) choose(tree.line(0).item);
  app.focus = "row";
  if (opening.now) { app.undoable = 0; app.saved = -1; await changed(); }
  if (made.is.caution) say(words.caution(made.is.caution), undefined, true);
  app.draw();
};

export const reload = () => app.file && open({ ...app.file, now: undefined });
export const toFirst = () => { app.file = app.pack = undefined; app.ask = undefined; app.compared = app.merging = undefined; app.draw(); };

export const download = (bytes: Uint8Array<ArrayBuffer>, name: string) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([bytes]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

const write = async ({ name, handle }: Opening, bytes: Uint8Array<ArrayBuffer>) => {
  try {
    if (handle) {
      const out = await handle.createWritable();
      await out.write(bytes);
      await out.close();
    } else download(bytes, name);
  } catch (error) {
    if ((error as Error).name !== "AbortError") download(bytes, name);
  }
};
export const savePack = async () => {
  const { opening } = app.pack!;
  await write(opening, opening.bytes as Uint8Array<ArrayBuffer>);
  app.pack!.isChanged = false;
  say(words.saved(opening.name));
};
export const save = () => attempt(async () => {
  if (!app.file || (app.editing && !(await commit()))) return;
  const { name, entry } = app.file, bytes = await doc().save();
  if (entry === undefined) await write(app.file, bytes);
  else { await putEntry(entry, bytes); await savePack(); }
  app.saved = app.undoable;
  void forget();
  const copy: [string, () => void] = [words.download, () => void doc().original().then((own) => download(own, `original-${name}`))];
  if (entry === undefined) say(app.isOffered ? words.saved(name) : words.savedCopy(name), app.isOffered ? undefined : copy);
  app.isOffered = true;
});

// ---- changes -------------------------------------------------------------------------------------------------------

let keeping = 0;
export const forgetWork = async () => { clearTimeout(keeping); await forget(); say(words.forgotten); };
const changed = async () => {
  const own = app.tree;
  const changes = await own.doc.changes();
  if (own !== app.tree) return;
  app.changes = changes;
  app.marks = new Map(changes.map((one) => [one.path, one.change === "added" ? "added" : "changed"]));
  app.draw();
  clearTimeout(keeping);
  keeping = window.setTimeout(async () => {
    if (!app.file || own !== app.tree || app.file.entry !== undefined) return;
    if (!isChanged()) return void forget();
    const { password, key, ...settings } = app.file.settings;
    const [bytes, now] = [await own.doc.original(), await own.doc.save()];
    void keep({ name: app.file.name, bytes, now, settings: settings as Settings, changes: app.changes.length, at: Date.now() });
  }, 400);
};

const after = async (state: { undo: number; redo: number; length: number }, shifts: Shift[]) => {
  [app.undoable, app.redoable, app.length] = [state.undo, state.redo, state.length];
  for (const { way, at, removed, added } of shifts) app.tree.shift(way, at, removed, added);
  await app.tree.refresh();
  if (app.query) await search(app.query, false);
  const changing = changed();
  if (app.panel) await changing;
};

/** Makes edits, which are one step. Says why not, and returns whether they are made. */
export const edit = async (said: string, edits: Edit[], shifts: Shift[] = [], isQuiet = false) => {
  const before = app.undoable;
  const state = await doc().edit(edits);
  if (state.undo > before || state.redo !== app.redoable) {
    app.past.length = before;
    app.past.push({ said, shifts });
    app.future = [];
  }
  await after(state, shifts);
  if (!isQuiet) say(said, [words.undo, () => void undo()]);
};
/** The same from a menu or by a key: a refusal is said. */
const attempt = async (doing: () => Promise<void>) => {
  try { await doing(); } catch (error) { say(`${plainly(error)}.`); }
  app.draw();
};

const inverse = ({ way, at, removed, added }: Shift): Shift => ({ way, at, removed: added, added: removed });
export const undo = async () => {
  if (!app.undoable) return;
  const step = app.past.pop();
  app.editing = undefined;
  await after(await doc().undo(), (step?.shifts ?? []).map(inverse).reverse());
  if (step) { app.future.push(step); say(words.undone(step.said)); }
  keepActive();
};
export const redo = async () => {
  if (!app.redoable) return;
  const step = app.future.pop();
  await after(await doc().redo(), step?.shifts ?? []);
  if (step) { app.past.push(step); say(words.redone(step.said)); }
  keepActive();
};
const keepActive = () => {
  const at = app.active ? app.tree.indexOf(app.active) : -1;
  if (at < 0 || at >= app.tree.length) { app.chosen.clear(); if (app.tree.length) choose(app.tree.line(Math.max(0, Math.min(at, app.tree.length - 1))).item); }
  app.focus = "row";
  app.draw();
};

export const take = async (all: Change[], other?: Doc) => {
  const what = all.length === 1 ? shownPath(all[0]!.path) : words.things(all.length);
  const state = await doc().take(all, other);
  app.past.length = app.undoable;
  for (let at = app.undoable; at < state.undo; at++) app.past.push({ said: `${other ? words.did.over : words.did.take} ${what}`, shifts: [] });
  app.future = [];
  await after(state, []);
};
export const takeBack = (all: Change[]) => attempt(async () => { await take(all); say(`${words.did.take} ${all.length === 1 ? shownPath(all[0]!.path) : words.things(all.length)}`, [words.undo, () => void undo()]); });

// ---- selection -----------------------------------------------------------------------------------------------------

export const choose = (item: Item, how?: "toggle" | "range") => {
  if (how === "toggle") { if (!app.chosen.delete(item) || !app.chosen.size) app.chosen.add(item); }
  else if (how === "range") {
    const [low, high] = [app.tree.indexOf(app.anchor ?? app.active!), app.tree.indexOf(item)].sort((a, b) => a - b) as [number, number];
    app.chosen = new Set(Array.from({ length: Math.min(10_000, high - low + 1) }, (_, i) => app.tree.line(low + i).item));
  } else { app.chosen = new Set([item]); app.anchor = item; }
  app.active = item;
  app.bytesFrom = undefined;
  app.focus = "row";
  app.draw();
};
export const step = (by: number, how?: "range") => {
  const at = app.active ? app.tree.indexOf(app.active) : 0;
  if (app.tree.length) choose(app.tree.line(Math.max(0, Math.min(app.tree.length - 1, at + by))).item, how);
};
export const siblings = () => {
  const parent = app.active?.parent;
  if (!parent) return;
  app.chosen = new Set(Array.from({ length: Math.min(10_000, parent.rows) }, (_, i) => parent.child(i)));
  app.focus = "row";
  app.draw();
};
export const fold = (item: Item) => { app.tree.fold(item); choose(item); };
export const jump = async (way: number[]) => {
  [app.query, app.tree.lines, app.hits] = ["", undefined, []];
  const item = await app.tree.itemAt(way);
  app.tree.reveal(item);
  choose(item);
};
export const jumpTo = (path: string) => attempt(async () => jump(await doc().wayOf(path)));
export const named = (row: Row | undefined) => row && namedBy(row, doc().is.format);
/** Goes to what a value names. */
export const goTo = (own: Row) => attempt(async () => {
  const name = named(own)!;
  for (let next: number[] | null = []; next;) {
    const found: { hits: number[][]; next: number[] | null } = await doc().find(name, next, 20_000);
    for (const way of found.hits) {
      const { key, text } = await doc().row(way), isId = /^id$/i.test(key) && text === name;
      if (key === name || isId) return jump(isId ? way.slice(0, -1) : way);
    }
    next = found.next;
  }
  say(words.namesNothing(name));
});

/** The chosen values without those inside of others, as they stand. */
const tops = async () => {
  const all = [...app.chosen].filter((own) => !own.isRange && own.parent);
  const outer = all.filter((own) => { for (let at = own.parent; at; at = at.parent) if (app.chosen.has(at)) return false; return true; });
  await Promise.all(outer.map((own) => app.tree.know(own)));
  await Promise.all(outer.map((own) => app.tree.know(own.siblings)));
  return outer.sort((a, b) => app.tree.indexOf(a) - app.tree.indexOf(b));
};
const nameOf = (all: Item[]) => (all.length === 1 ? all[0]!.row!.key : words.things(all.length));
const shiftsOf = (all: Item[], removed: number, added: number, offset = 0): Shift[] => all.map((own) => ({ way: own.siblings.way, at: own.position + offset, removed, added }));

// ---- what a row can do ----------------------------------------------------------------------------------------------

const freshKey = async (around: Item, key: string) => {
  const known = new Set((await doc().children(around.way, 0, 5000)).map((own) => own.key));
  let [own, n] = [key, 2];
  while (known.has(own)) own = `${key} ${n++}`;
  return own;
};
export const duplicate = () => attempt(async () => {
  const all = await tops(), behind = [...all].reverse(), edits: Edit[] = [];
  for (const own of behind) edits.push({ do: "copy", path: own.row!.path, key: own.siblings.row!.isList ? "" : await freshKey(own.siblings, own.row!.key) });
  if (!edits.length) return;
  const isList = all[0]!.siblings.row!.isList;
  await edit(`${words.did.copy} ${nameOf(all)}`, edits, shiftsOf(behind, 0, 1, 1));
  if (isList !== null) choose(all[0]!.siblings.at(all[0]!.position + 1));
});
export const remove = () => attempt(async () => {
  const all = await tops();
  if (!all.length) return;
  const at = app.tree.indexOf(all[0]!);
  await edit(`${words.did.remove} ${nameOf(all)}`, all.map((own) => ({ do: "remove", path: own.row!.path })), shiftsOf([...all].reverse(), 1, 0));
  app.chosen.clear();
  if (app.tree.length) choose(app.tree.line(Math.min(at, app.tree.length - 1)).item);
});
export const move = (by: 1 | -1) => attempt(async () => {
  const all = await tops(), parent = all[0]?.siblings;
  if (!parent || all.some((own) => own.siblings !== parent)) return;
  const order = by < 0 ? all : [...all].reverse();
  const places = order.map((own) => own.position);
  if (places.some((at) => at + by < 0 || at + by >= parent.count)) return;
  const isList = parent.row!.isList, isPath = isPointer();
  const edits: Edit[] = order.map((own) => ({ do: "move", path: isList ? pathIn(parent.row!, own.position, isPath) : own.row!.path, to: own.position + by }));
  const shifts = places.flatMap((at) => [{ way: parent.way, at, removed: 1, added: 0 }, { way: parent.way, at: at + by, removed: 0, added: 1 }]);
  const kept = order.map((own) => ({ isOpen: own.isOpen }));
  await edit(`${words.did.move} ${nameOf(all)}`, edits, shifts, true);
  const moved = places.map((at) => parent.at(at + by));
  moved.forEach((own, i) => { if (kept[i]!.isOpen && !own.isOpen) app.tree.fold(own, true); });
  await app.tree.refresh();
  choose(moved.at(by < 0 ? 0 : -1)!);
  app.chosen = new Set(moved);
});
export const copy = (isCut: boolean) => attempt(async () => {
  const all = await tops();
  const values = await Promise.all(all.map((own) => doc().value(own.way)));
  app.clip = { format: doc().is.format, isCut, all: values.map(({ row, text, value }, i) => ({ key: row.key, kind: row.kind, text, value, path: row.path, parent: all[i]!.siblings, index: all[i]!.position })) };
  const plain = values.length === 1 ? values[0]!.value : values.map((own) => own.value);
  void navigator.clipboard?.writeText(JSON.stringify(plain, null, 2)).catch(() => 0);
  say(isCut ? words.cut(nameOf(all)) : words.copied(nameOf(all)));
});
export const paste = () => attempt(async () => {
  const { clip, active } = app;
  if (!clip) return say(words.noPaste);
  if (!active) return;
  const row = await app.tree.know(active), isInto = row.isList !== null && (active.isOpen || !active.parent);
  const around = isInto ? active : active.siblings, outer = await app.tree.know(around);
  const edits: Edit[] = [], shifts: Shift[] = [];
  let at = isInto ? around.count : active.position + 1;
  if (clip.isCut) {
    for (const own of clip.all) {
      edits.push({ do: "remove", path: own.path });
      if (own.parent === around && own.index < at) at--;
    }
    shifts.push(...[...clip.all].reverse().map((own) => ({ way: own.parent.way, at: own.index, removed: 1, added: 0 })));
  }
  for (const own of clip.all) {
    const isOwn = clip.format === doc().is.format;
    const key = outer.isList ? at : await freshKey(around, own.key && Number.isNaN(Number(own.key)) ? own.key : "key");
    const path = pathIn(outer, clip.isCut && !outer.isList ? own.key : key, isPointer());
    const isPacked = outer.kind.startsWith("Packed");
    edits.push({ do: "insert", path, value: isOwn ? (typeof own.value === "string" ? JSON.stringify(own.value) : own.text) : JSON.stringify(own.value), kind: isOwn && !isPacked ? own.kind : undefined });
    if (!outer.isList && at < around.count) edits.push({ do: "move", path, to: at });
    shifts.push({ way: around.way, at, removed: 0, added: 1 });
    at++;
  }
  await edit(`${clip.isCut ? words.did.move : words.did.paste} ${clip.all.length === 1 ? clip.all[0]!.key || words.value : words.things(clip.all.length)}`, edits, shifts);
  if (clip.isCut) app.clip = undefined;
  app.tree.fold(around, true);
  choose(around.at(Math.min(at, around.count) - 1));
});

export const add = () => attempt(async () => {
  const active = app.active ?? app.tree.root, row = await app.tree.know(active);
  const into = row.isList !== null && !/^Packed/.test(row.kind) ? active : active.parent && active.siblings;
  if (!into) return say(words.fixed);
  const outer = await app.tree.know(into), last = into.count ? (await doc().children(into.way, into.count - 1, 1))[0]! : undefined;
  if (outer.isList && last && last.isList !== null) {
    await edit(`${words.did.add} ${last.key}`, [{ do: "copy", path: last.path, key: "" }], [{ way: into.way, at: into.count, removed: 0, added: 1 }]);
  } else {
    const kinds = kindsHere();
    const [kind, value] = kinds.find(([own]) => last?.isList === null && own === last.kind) ?? kinds.find(([own]) => /^string$/i.test(own)) ?? [undefined, "0"];
    const key = outer.isList ? into.count : await freshKey(into, "key");
    const shift = { way: into.way, at: into.count, removed: 0, added: 1 };
    await edit(words.did.add, [{ do: "insert", path: pathIn(outer, key, isPointer()), value, kind: /^Packed/.test(outer.kind) ? undefined : kind }], [shift], true);
    app.tree.fold(into, true);
    app.active = into.at(into.count - 1);
    await app.tree.know(app.active);
    app.chosen = new Set([app.active]);
    app.editing = { item: app.active, what: "add", kind };
    app.focus = "field";
    return;
  }
  app.tree.fold(into, true);
  const own = into.at(into.count - 1);
  app.tree.fold(own, true);
  await app.tree.know(own);
  choose(own);
});

// ---- fields ---------------------------------------------------------------------------------------------------------

export const begin = async (item: Item, what: "value" | "key" = "value") => {
  if (item.isRange) return fold(item);
  const row = await app.tree.know(item), field = fieldOf(row);
  if (what === "key") {
    if (!item.parent) return say(words.rootStays);
    if ((await app.tree.know(item.siblings)).isList) return say(words.index);
  } else if (field === "none") return row.isList === null ? say(words.typeOf(row.key, row.type || row.kind)) : fold(item);
  else if (field === "switch") return flip(item);
  else if (field === "long" || field === "bytes") return openCard(item, field === "bytes" ? "bytes" : "text");
  choose(item);
  [app.editing, app.said, app.focus] = [{ item, what }, undefined, "field"];
  app.draw();
};
const openCard = async (item: Item, kind: "text" | "bytes") => {
  choose(item);
  app.card = { kind, item, value: await doc().value(item.way), at: document.querySelector(`#row-${rowId(item)} .value`)?.getBoundingClientRect() };
  app.draw();
};
const ids = new WeakMap<Item, number>();
let lastId = 0;
export const rowId = (item: Item) => ids.get(item) ?? (ids.set(item, ++lastId), lastId);

export const flip = (item: Item) => attempt(async () => {
  const row = await app.tree.know(item);
  await edit(`${row.key}: ${row.value ? words.no : words.yes}`, [{ do: "set", path: row.path, value: String(!row.value) }], [], true);
  app.focus = "row";
});

/** What the fields of the row that is edited say; the page gives it. */
export const fields = { read: (): { key?: string; values: string[] } => ({ values: [] }) };

const wrong = (text: string) => { app.editing!.wrong = text; app.focus = "field"; app.draw(); return false; };
const editsOf = (row: Row, values: string[]): Edit[] => {
  const field = fieldOf(row), old = row.text;
  const number = (text: string, isWhole = false) => {
    const own = text.trim().replace(",", ".");
    if (own === "" || (Number.isNaN(Number(own)) && !/^-?(inf|nan)$/i.test(own))) throw new Refusal(words.number(text, old));
    if (isWhole && !/^[-+]?\d+$/.test(own)) throw new Refusal(words.whole(text, old));
    return own.replace("+", "");
  };
  const path = row.path;
  switch (field) {
    case "color": {
      const [, hex = "", percent = ""] = values;
      if (!/^#[0-9a-f]{6}$/i.test(hex)) throw new Refusal(words.badColor(hex, colorOf(row).hex));
      const parts = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
      const wanted = [...parts, Math.min(1, Math.max(0, Number(number(percent)) / 100))];
      const is = (at: number) => (at < 3 ? Math.round(Number(row.parts![at]!.text) * 255) === Math.round(wanted[at]! * 255) : Math.round(Number(row.parts![at]?.text) * 100) === Math.round(wanted[at]! * 100));
      return row.parts!.flatMap((own, at): Edit[] => (is(at) ? [] : [{ do: "set", path: own.path, value: String(wanted[at]) }]));
    }
    case "vector":
      return row.parts!.flatMap((own, at): Edit[] => {
        const value = number(values[at]!, /i$/.test(row.kind));
        return value === own.text ? [] : [{ do: "set", path: own.path, value }];
      });
    case "whole":
    case "number":
      return values[0] === old ? [] : [{ do: "set", path, value: number(values[0]!, field === "whole") }];
    case "none":
    case "switch":
      return [];
    default:
      return values[0] === old ? [] : [{ do: "set", path, value: JSON.stringify(values[0]) }];
  }
};
export const colorOf = (row: Row) => {
  const parts = row.parts!.map((own) => Number(own.text));
  const hex = `#${parts.slice(0, 3).map((own) => Math.round(Math.min(1, Math.max(0, own)) * 255).toString(16).padStart(2, "0")).join("")}`;
  return { hex, opacity: Math.round((parts[3] ?? 1) * 100) };
};

let isCommitting = false;
/** Keeps what the fields say. Returns whether it could. */
export const commit = async (): Promise<boolean> => {
  const own = app.editing;
  if (!own || isCommitting) return !own;
  isCommitting = true;
  try {
    const { item, what } = own, row = item.row!, read = fields.read(), key = read.key?.trim();
    if (read.key !== undefined && !key) return wrong(words.noKey);
    let edits: Edit[];
    try { edits = what === "key" ? [] : editsOf(row, read.values); } catch (error) { return wrong((error as Error).message); }
    try {
      if (what === "add") {
        const around = item.siblings.row!, path = pathIn(around, key ?? item.position, isPointer()), at = item.position;
        const set = edits[0], value = set && set.do === "set" && set.path === row.path ? set.value : undefined;
        const rest = value === undefined ? edits.map((one) => ("path" in one ? { ...one, path: path + one.path.slice(row.path.length) } : one)) : [];
        const whole = value ?? (typeof row.value === "string" ? JSON.stringify(row.value) : (await doc().value(item.way)).text);
        await doc().undo().then((state) => { app.undoable = state.undo; app.past.pop(); });
        const shift = { way: item.siblings.way, at, removed: 0, added: 1 };
        try { await edit(`${words.did.add} ${key ?? at}`, [{ do: "insert", path, value: whole, kind: own.kind }, ...rest], [], true); app.past.at(-1)!.shifts = [shift]; }
        catch (error) { const state = await doc().redo(); app.undoable = state.undo; app.past.push({ said: words.did.add, shifts: [shift] }); throw error; }
      } else if (key !== undefined && key !== row.key) await edit(`${words.did.rename} ${row.key}: ${key}`, [{ do: "rename", path: row.path, key }], [], true);
      else if (edits.length) await edit(`${words.did.set} ${row.key}`, edits, [], true);
    } catch (error) {
      return wrong(words.still(plainly(error), key !== undefined && what === "key" ? row.key : row.text));
    }
    app.editing = undefined;
    app.focus = "row";
    app.draw();
    return true;
  } finally { isCommitting = false; }
};
export const leave = async () => {
  const own = app.editing;
  app.editing = undefined;
  if (own?.what === "add") await undo().then(() => { app.future = []; app.said = undefined; });
  app.focus = "row";
  app.draw();
};
export const setText = async (item: Item, value: string) => {
  const row = item.row!;
  try { await edit(`${words.did.set} ${row.key}`, [{ do: "set", path: row.path, value }], [], true); }
  catch (error) { app.card!.wrong = `${plainly(error)}.`; return app.draw(); }
  app.card = undefined;
  app.focus = "row";
  app.draw();
};
export const retype = (item: Item, kind: string) => attempt(async () => {
  const row = await app.tree.know(item), fresh = kindsHere().find(([own]) => own === kind)![1];
  const is = (own: RegExp) => own.test(kind), number = Number(row.text);
  const value = is(/string/i) ? JSON.stringify(row.isList === null ? row.text : "") : is(/int/i) && row.text && Number.isFinite(number) ? String(Math.trunc(number)) : is(/float|double/) && row.text && Number.isFinite(number) ? String(number) : is(/bool/) ? String(row.value === true || row.text === "true" || number > 0) : fresh;
  await edit(`${words.did.type} ${row.key}: ${kind}`, [{ do: "set", path: row.path, value, kind }], [], !!app.editing);
  if (app.editing) { app.editing.kind = kind; app.past.pop(); app.focus = "field"; await mergeLast(); } else app.focus = "row";
});
/** The type of a value that is being added is no step of its own. */
const mergeLast = async () => {
  const { item, kind } = app.editing!, { row, text } = await doc().value(item.way);
  for (let i = 0; i < 2; i++) await doc().undo();
  const state = await doc().edit([{ do: "insert", path: row.path, value: typeof row.value === "string" ? JSON.stringify(row.value) : text, kind }]);
  app.undoable = state.undo;
  await app.tree.refresh();
  await app.tree.know(item);
};

// ---- search ---------------------------------------------------------------------------------------------------------

const MOST = 1000;
let searches = 0;
export const search = async (query: string, doesMove = true) => {
  const own = ++searches, { tree } = app;
  app.query = query;
  app.draw();
  if (!query.trim()) {
    [tree.lines, app.hits, app.isMore, app.isSearching] = [undefined, [], false, false];
    if (app.active) { tree.reveal(app.active); }
    return app.draw();
  }
  app.isSearching = true;
  let next: number[] | null = [];
  const hits: number[][] = [];
  while (next && hits.length < MOST) {
    const found: { hits: number[][]; next: number[] | null } = await doc().find(query.trim(), next, 20_000);
    if (own !== searches) return;
    hits.push(...found.hits);
    next = found.next;
  }
  const lines: { item: Item; level: number }[] = [], shown = new Set<Item>(), items: Item[] = [];
  for (const way of hits.slice(0, MOST)) {
    let item = tree.root;
    for (const [level, at] of way.entries()) {
      if (!item.row) await tree.know(item);
      item = item.at(at);
      if (!shown.has(item)) { shown.add(item); lines.push({ item, level: level + 1 }); }
    }
    items.push(item);
  }
  if (own !== searches) return;
  [tree.lines, app.hits, app.isMore, app.isSearching] = [lines, items, !!next || hits.length > MOST, false];
  if (doesMove) { app.hit = 0; if (items[0]) { app.active = items[0]; app.chosen = new Set([items[0]]); } }
  app.draw();
};
export const walk = (by: number) => {
  if (!app.hits.length) return;
  app.hit = (app.hit + by + app.hits.length) % app.hits.length;
  app.active = app.hits[app.hit];
  app.chosen = new Set([app.active!]);
  app.draw();
};

// ---- two and three files ---------------------------------------------------------------------------------------------

const otherDoc = async (name: string, bytes: Uint8Array) => Doc.open(bytes, { ...app.file!.settings, name });
export const compare = (name: string, bytes: Uint8Array) => attempt(async () => {
  const other = await otherDoc(name, bytes);
  app.compared = { doc: other, before: await doc().fork(), name, rows: (await doc().changes(other)).map((own) => ({ ...own, isTaken: false })) };
});
export const takeOver = (rows: Compared["rows"]) => attempt(async () => {
  const own = app.compared!;
  for (const row of [...rows].reverse()) {
    if (row.isTaken) {
      const back = (await doc().changes(own.before)).filter((one) => one.path === row.path || one.path === row.other);
      await take(back, own.before);
    } else {
      const now = (await doc().changes(own.doc)).filter((one) => one.other === row.other && one.change === row.change);
      await take(now.slice(0, 1), own.doc);
    }
    row.isTaken = !row.isTaken;
  }
});
export const mergeWith = (which: "base" | "theirs", name: string, bytes: Uint8Array | undefined) => attempt(async () => {
  const own = app.merging!;
  if (bytes) own[which] = await otherDoc(name, bytes);
  if (which === "base") own.name = "base";
  if (own.theirs) { own.result = await doc().merge(own.base, own.theirs); own.sides = own.result.conflicts.map(() => undefined); }
});
export const saveMerged = () => attempt(async () => {
  const own = app.merging!;
  if (own.sides.some((side) => !side)) { own.isPressed = true; return; }
  const made = await doc().merged(own.base, own.theirs!, own.sides as string[]);
  const bytes = await made.save();
  await made.close();
  await write(app.file!, bytes);
  say(words.saved(app.file!.name));
});
