// The page.
import { render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { add, app, exportEntry, importEntry, isChanged, open, openEntry, redo, save, savePack, say, search, toFirst, undo, type Opening } from "./app";
import { start } from "./document";
import { Icon } from "./icons";
import { forget, kept } from "./kept";
import { CardView, closeMenu, MenuView, moreMenu, Said } from "./menus";
import { Compare, Merge, Panel, picked, show } from "./panels";
import { Grid, onSearchKey, Path } from "./rows";
import { words } from "./words";

const samples: Record<string, { name: string; data: string }> = JSON.parse(document.getElementById("samples-data")!.textContent!);
const openFile = async (file: File, handle?: FileSystemFileHandle) => open({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()), handle, settings: {} });

const choose = async () => {
  const picker = (window as { showOpenFilePicker?: () => Promise<FileSystemFileHandle[]> }).showOpenFilePicker;
  if (!picker || navigator.webdriver) return document.getElementById("file")!.click();
  const [handle] = await picker.call(window).catch(() => []);
  if (handle) await openFile(await handle.getFile(), handle);
};

const Ask = () => {
  const field = useRef<HTMLInputElement>(null), first = useRef<HTMLButtonElement>(null), [isShown, setShown] = useState(false), own = app.ask!, { opening, kind } = own;
  useEffect(() => { field.current?.focus(); field.current?.select(); first.current?.focus(); }, [own]);
  const retry = (settings: Opening["settings"]) => void open({ ...opening, settings: { ...opening.settings, ...settings } });
  const cancel = <button type="button" onClick={opening.entry === undefined ? toFirst : () => { app.ask = undefined; app.draw(); }}>{words.cancel}</button>;
  if (kind === "opening") return <p class="faint" role="status">{words.opening(opening.name)}</p>;
  if (kind === "password") {
    return (
      <form class="asked" onSubmit={(event) => { event.preventDefault(); retry({ password: field.current!.value }); }}>
        <h2>{opening.name}</h2><p>{words.secret}</p><label for="password">{words.password}</label>
        <div class="line"><input id="password" ref={field} type={isShown ? "text" : "password"} autocomplete="off" defaultValue={opening.settings.password ?? ""} aria-invalid={own.wrong ? "true" : undefined} /><button type="button" onClick={() => setShown(!isShown)}>{isShown ? words.hide : words.show}</button><button class="main">{words.open}</button></div>
        {own.wrong && <div role="alert">{own.wrong}</div>}
      </form>
    );
  }
  if (kind === "types" || kind === "solution") {
    const load = async (input: HTMLInputElement) => { const bytes = new Uint8Array(await input.files![0]!.arrayBuffer()); retry(kind === "types" ? { types: bytes, format: "kiwi-pclass" } : { solution: bytes, format: "zeze-serialize" }); };
    return <div class="asked"><h2>{opening.name}</h2><p>{kind === "types" ? words.types : words.solution}</p>{own.wrong && <div role="alert">{own.wrong}</div>}
      <div class="line"><button class="main" onClick={(event) => (event.currentTarget.nextElementSibling as HTMLElement).click()}>{kind === "types" ? words.chooseTypes : words.chooseSolution}</button><input id="types" type="file" hidden aria-label={words.chooseTypes} onChange={(event) => void load(event.currentTarget)} />{kind === "solution" && <button onClick={() => retry({ format: "zeze-serialize" })}>{words.open}</button>}{cancel}</div></div>;
  }
  if (kind === "dialect") {
    return <div class="asked"><h2>{opening.name}</h2><p>{words.dialect}</p>
      <div class="line">{(["godot4", "godot3"] as const).map((dialect, at) => <button ref={at ? undefined : first} class="main" onClick={() => retry({ dialect })}>{words.dialects[dialect]}</button>)}{cancel}</div></div>;
  }
  return <div class="asked"><h2>{opening.name}</h2><div role="alert">{own.wrong}</div><div class="line"><button onClick={() => { own.kind = "types"; own.wrong = undefined; app.draw(); }}>{words.chooseTypes}</button><button onClick={() => { own.kind = "solution"; own.wrong = undefined; app.draw(); }}>{words.asZeze}</button></div></div>;
};

const First = () => {
  const own = app.kept, isAsking = app.ask && app.ask.kind !== "wrong" && app.ask.kind !== "opening";
  const sample = async (name: string) => { const { name: file, data } = samples[name]!; await open({ name: file, bytes: Uint8Array.from(atob(data), (one) => one.charCodeAt(0)), settings: {} }); };
  return (
    <main id="first">
      <div class="welcome">
        <h1>{words.welcome}</h1>
        {!isAsking && <div id="drop"><p class="large">{words.drop}</p><button id="choose" class="main" onClick={() => void choose()}>{words.choose}</button><p class="faint">{words.stays}</p></div>}
        <div id="ask">
          {app.ask ? <Ask /> : own && <div class="asked"><h2>{words.kept(own.name, own.changes)}</h2><p>{words.keptWhen(new Date(own.at).toLocaleString())}</p><div class="line"><button class="main" onClick={() => void open({ name: own.name, bytes: own.bytes, settings: own.settings, now: own.now })}>{words.goOn}</button><button onClick={() => { app.kept = undefined; void forget(); app.draw(); }}>{words.forget}</button></div></div>}
        </div>
        <p class="faint">{words.look}</p>
        <ul id="samples">{Object.entries(samples).map(([name, one]) => <li><button onClick={() => void sample(name)}>{one.name}<span>{words.samples[name]}</span></button></li>)}</ul>
      </div>
    </main>
  );
};

const Entries = () => {
  const input = useRef<HTMLInputElement>(null), at = useRef(0), { opening, names, isChanged } = app.pack!;
  useEffect(() => { document.title = (isChanged ? "• " : "") + opening.name; });
  return (
    <main id="first">
      <div class="welcome">
        <h1>{opening.name}</h1><p class="faint">{words.entries(names.length)}</p>
        {app.ask && <Ask />}
        <ul id="entries">{names.map((name, own) => <li>
          <button class="quiet" aria-label={words.openOf(name)} onClick={() => void openEntry(own)}>{name}</button>
          <button class="quiet" aria-label={words.importTo(name)} onClick={() => { at.current = own; input.current!.click(); }}>{words.imports}</button>
          <button class="quiet" aria-label={words.exportOf(name)} onClick={() => void exportEntry(own)}>{words.exports}</button>
        </li>)}</ul>
        <div class="line"><button id="save" class="main" onClick={() => void savePack()}>{words.save}</button><button onClick={toFirst}>{words.close}</button></div>
        <input id="entry" ref={input} type="file" hidden onChange={(event) => { const own = event.currentTarget, file = own.files?.[0]; if (file) void file.arrayBuffer().then((bytes) => importEntry(at.current, new Uint8Array(bytes))).then(() => { own.value = ""; }); }} />
      </div>
    </main>
  );
};

const Bar = () => {
  const input = useRef<HTMLInputElement>(null), timer = useRef(0);
  useLayoutEffect(() => { if (input.current!.value !== app.query && document.activeElement !== input.current) input.current!.value = app.query; });
  const name = (isChanged() ? "• " : "") + app.file!.name;
  useEffect(() => { document.title = name; });
  const hits = !app.query ? "" : app.isSearching ? words.searching : app.hits.length ? words.hits(app.hit + 1, `${app.hits.length}${app.isMore ? "+" : ""}`) : words.noHits;
  return (
    <header id="bar">
      <button id="open" class="quiet" title={`${words.open} (Ctrl O)`} aria-label={words.open} onClick={toFirst}><Icon name="open" /><span>{words.open}</span></button>
      <h1><span id="name">{name}</span><span id="about">{app.tree.doc.is.about}</span></h1>
      <div class="find" role="search">
        <input id="search" ref={input} type="search" aria-label={words.search} placeholder={words.search} autocomplete="off" spellcheck={false} aria-describedby="hits"
          onInput={(event) => { const own = event.currentTarget.value; clearTimeout(timer.current); timer.current = window.setTimeout(() => void search(own), 80); }}
          onKeyDown={(event) => { if (event.key === "Escape") { event.currentTarget.value = ""; void search("").then(() => { app.focus = "row"; app.draw(); }); } else onSearchKey(event); }} />
        <span id="hits" aria-live="polite">{hits}</span>
      </div>
      <div class="tools">
        <button id="undo" class="quiet" aria-label={words.undo} title={`${words.undo} (Ctrl Z)`} disabled={!app.undoable} onClick={() => void undo()}><Icon name="undo" /></button>
        <button id="redo" class="quiet" aria-label={words.redo} title={`${words.redo} (Ctrl Shift Z)`} disabled={!app.redoable} onClick={() => void redo()}><Icon name="redo" /></button>
        <button id="add" class="quiet narrow" aria-label={words.add} onClick={() => void add()}><Icon name="add" /></button>
        <button id="show-changes" class="quiet" aria-expanded={app.panel === "Changes"} onClick={() => show("Changes")}><Icon name="changes" /><span>{words.changes}</span>{app.changes.length > 0 && <b id="count">{app.changes.length}</b>}</button>
        <button id="show-bytes" class="quiet" aria-expanded={app.panel === "Bytes"} onClick={() => show("Bytes")}><Icon name="bytes" /><span>{words.bytes}</span></button>
      </div>
      <button id="more" class="quiet" aria-label={words.more} aria-haspopup="menu" onClick={(event) => moreMenu(event.currentTarget.getBoundingClientRect())}><Icon name="more" /></button>
      <button id="save" class="main" title="Ctrl S" onClick={() => void save()}>{words.save}</button>
    </header>
  );
};

const Page = () => <>
  {app.file && <Bar />}
  {!app.file ? (app.pack ? <Entries /> : <First />) : app.compared ? <Compare /> : app.merging ? <Merge /> : <main id="work"><div class="tree"><Grid /><Path /></div>{app.panel && <Panel />}</main>}
  {app.menu && <MenuView />}{app.card && <CardView />}<Said />
  <input id="file" type="file" hidden aria-label={words.choose} onChange={(event) => { const input = event.currentTarget, file = input.files?.[0]; if (file) void openFile(file).then(() => { input.value = ""; }); }} />
  <input id="other" type="file" hidden onChange={(event) => void picked(event.currentTarget)} />
</>;

document.addEventListener("keydown", (event) => {
  const ctrl = event.ctrlKey || event.metaKey, key = event.key.toLowerCase(), target = event.target as Element;
  const isField = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) && target.id !== "search";
  const input = () => document.getElementById("search") as HTMLInputElement;
  const panel = document.getElementById("panel");
  let act: (() => void) | undefined;
  if (ctrl && key === "s") act = () => void save();
  else if (ctrl && key === "f") act = () => { input().focus(); input().select(); };
  else if (ctrl && key === "o") act = toFirst;
  else if (ctrl && key === "z" && !isField) act = () => void (event.shiftKey ? redo() : undo());
  else if (ctrl && key === "y" && !isField) act = () => void redo();
  else if (key === "escape" && (app.card || app.menu)) act = closeMenu;
  else if (key === "escape" && app.panel && !app.editing) act = () => { app.focus = "row"; show(app.panel!); };
  else if (key === "f6" && panel) act = () => { if (panel.contains(document.activeElement)) { app.focus = "row"; app.draw(); } else panel.querySelector<HTMLElement>("button:not([disabled])")?.focus(); };
  if (act && app.file) { event.preventDefault(); act(); }
});
document.addEventListener("pointerdown", (event) => { if ((app.menu || app.card) && !(event.target as Element).closest("#menu, #card")) { app.menu = app.card = undefined; app.draw(); } });
document.addEventListener("dragover", (event) => { event.preventDefault(); document.getElementById("drop")?.classList.add("over"); });
document.addEventListener("dragleave", () => document.getElementById("drop")?.classList.remove("over"));
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  const own = event.dataTransfer?.items[0] as (DataTransferItem & { getAsFileSystemHandle?: () => Promise<FileSystemFileHandle | null> }) | undefined, file = event.dataTransfer?.files[0];
  const handle = await own?.getAsFileSystemHandle?.().catch(() => null);
  if (file) await openFile(file, handle?.kind === "file" ? handle : undefined);
});

addEventListener("resize", () => app.draw());
addEventListener("unhandledrejection", (event) => { say(String((event.reason as Error)?.message ?? event.reason)); });

app.draw = () => {
  document.body.classList.toggle("two", !!app.file && !!(app.compared || app.merging));
  render(<Page />, document.getElementById("page")!);
};
app.draw();
void start().then(async () => {
  if (!app.file) { app.kept = await kept().catch(() => undefined); app.draw(); }
  document.body.dataset.ready = "yes";
});
