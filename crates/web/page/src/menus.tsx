// Menus, cards, and what is said.
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { add, app, begin, copy, doc, download, duplicate, forgetWork, goTo, isPhone, kindsHere, move, named, paste, reload, remove, retype, say, setText, siblings, type Menu, toEntries } from "./app";
import { hexOf, shownPath } from "./kinds";
import { pick } from "./panels";
import { words } from "./words";

let back: Element | null = null;
const openMenu = (items: Menu, at: DOMRect) => {
  if (!document.activeElement?.closest("#menu")) back = document.activeElement;
  app.menu = { items, at };
  app.card = undefined;
  app.draw();
};
export const closeMenu = () => {
  app.menu = app.card = undefined;
  app.draw();
  if (back?.isConnected) (back as HTMLElement).focus({ preventScroll: true });
  else { app.focus = "row"; app.draw(); }
};

export const rowMenu = (at: DOMRect) => {
  const item = app.active, row = item?.row, isMany = app.chosen.size > 1, m = words.menu;
  if (!item || !row) return;
  const kinds = kindsHere();
  openMenu([
    { title: isMany ? words.selected(app.chosen.size) : `${shownPath(row.path)} · ${row.type || row.kind}` },
    ...(named(row) && !isMany ? [{ name: words.goTo(named(row)!), act: () => void goTo(row) }, null] : []),
    { name: m.add, small: "Insert", act: add }, { name: m.duplicate, small: "Ctrl D", act: duplicate }, { name: m.remove, small: "Del", act: remove },
    { name: m.rename, small: "F2", act: () => void begin(item, "key"), off: isMany ? words.one : item.siblings.row?.isList ? words.index : undefined }, null,
    { name: m.cut, small: "Ctrl X", act: () => void copy(true) }, { name: m.copy, small: "Ctrl C", act: () => void copy(false) }, { name: m.paste, small: "Ctrl V", act: paste, off: app.clip ? undefined : words.noPaste }, null,
    { name: m.up, small: "Alt ↑", act: () => void move(-1) }, { name: m.down, small: "Alt ↓", act: () => void move(1) },
    { name: m.type, small: "▸", act: () => openMenu([{ title: words.typeOf(row.key, row.type || row.kind) }, ...kinds.map(([kind]) => ({ name: kind, small: words.kinds[kind] ?? "", off: kind === row.kind ? words.already : undefined, act: () => void retype(item, kind) }))], at), off: isMany ? words.one : kinds.length ? undefined : words.typeFixed },
    { name: m.more, small: "Ctrl Space", act: () => { app.isPicking = true; say(words.tapMore, [words.done, () => { app.isPicking = false; }], true); } }, { name: m.all, small: "Ctrl A", act: siblings },
  ], at);
};
export const moreMenu = (at: DOMRect) => openMenu([
  ...(app.pack ? [{ name: words.toEntries, act: () => void toEntries() }, null] : []),
  { name: words.compare, small: words.compareWith, act: () => pick("compare") }, { name: words.merge, small: words.mergeWith, act: () => { app.merging = { name: "", sides: [], isPressed: false }; app.draw(); } }, null,
  { name: words.reload, act: () => void reload() }, { name: words.original, act: () => void doc().original().then((own) => download(own, `original-${app.file!.name}`)) }, { name: words.forgetWork, act: () => void forgetWork() }, null,
  { name: words.keys, small: "?", act: keysCard }, { name: words.theme, act: () => {
    const { dataset } = document.documentElement, isDark = dataset.theme === "dark" || (!dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
    dataset.theme = isDark ? "light" : "dark";
  } },
], at);
export const keysCard = () => { back = document.activeElement; app.card = { kind: "keys" }; app.draw(); };

const place = (box: HTMLElement, at: DOMRect | undefined, isCard: boolean) => {
  if (isPhone()) return;
  const { left, right, bottom, top } = at ?? new DOMRect(innerWidth - 540, 40, 520, 8);
  box.style.left = `${Math.max(8, Math.min(isCard ? left : right - box.offsetWidth, innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${bottom + box.offsetHeight > innerHeight - 8 ? Math.max(8, top - box.offsetHeight) : bottom + 2}px`;
};

export const MenuView = () => {
  const box = useRef<HTMLDivElement>(null), own = app.menu!;
  useLayoutEffect(() => { place(box.current!, own.at, false); box.current!.querySelector("button")?.focus(); }, [own]);
  const onKey = (event: KeyboardEvent) => {
    const all = [...box.current!.querySelectorAll("button")], at = all.indexOf(document.activeElement as HTMLButtonElement);
    const to = ({ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 } as Record<string, number>)[event.key];
    if (to !== undefined) { event.preventDefault(); all.at(to % all.length)!.focus(); }
    else if (event.key === "Escape" || event.key === "Tab") { event.preventDefault(); closeMenu(); }
    else if (event.key.length === 1 && event.key !== " ") { const begins = (one: HTMLElement) => one.textContent!.toLowerCase().startsWith(event.key); (all.slice(at + 1).find(begins) ?? all.find(begins))?.focus(); }
    event.stopPropagation();
  };
  return (
    <div id="menu" role="menu" ref={box} onKeyDown={onKey}>
      {own.items.map((one) => !one ? <hr role="separator" /> : "title" in one ? <div class="title" role="presentation">{one.title}</div>
        : <button role="menuitem" tabIndex={-1} aria-disabled={one.off ? "true" : undefined} title={one.off} onClick={() => { if (one.off) return say(one.off); const was = app.menu; closeMenu(); one.act(); if (app.menu === was) app.draw(); }}>{one.name}<small aria-hidden="true">{one.small}</small></button>)}
    </div>
  );
};

export const CardView = () => {
  const box = useRef<HTMLDivElement>(null), area = useRef<HTMLTextAreaElement>(null), [imported, setImported] = useState<Uint8Array>();
  const own = app.card!, row = own.value?.row, title = own.kind === "keys" ? words.keys : `${shownPath(row!.path)} · ${row!.type || row!.kind}`;
  useLayoutEffect(() => { place(box.current!, own.at, true); box.current!.querySelector<HTMLElement>("textarea, button")?.focus(); }, [own]);
  const bytes = own.kind === "bytes" ? bytesOf(own.value!.value) : [];
  const text = own.kind === "bytes" ? hexOf(bytes).join(" ").replace(/(.{47}) /g, "$1\n") : String(own.value?.value ?? "");
  const keep = () => {
    if (own.kind === "text") return void setText(own.item!, JSON.stringify(area.current!.value));
    const packed = area.current!.value.replace(/\s/g, "");
    if (!/^([0-9a-f]{2})*$/i.test(packed)) { own.wrong = words.hexBad; area.current!.focus(); return app.draw(); }
    const made = imported ?? Uint8Array.from(packed.match(/../g) ?? [], (one) => parseInt(one, 16));
    void setText(own.item!, Array.isArray(own.value!.value) ? `[${made.join(",")}]` : JSON.stringify(toBase64(made)));
  };
  const load = async (input: HTMLInputElement) => {
    const made = new Uint8Array(await input.files![0]!.arrayBuffer());
    setImported(made.length > 65536 ? made : undefined);
    area.current!.value = hexOf(made.subarray(0, 65536)).join(" ");
  };
  return (
    <div id="card" role="dialog" aria-label={title} ref={box}>
      <h2>{title}</h2>
      {own.kind === "keys" ? <dl>{words.keyRows.map(([key, what]) => <><dt>{key}</dt><dd>{what}</dd></>)}</dl> : <textarea ref={area} aria-label={row!.key} spellcheck={false} class={own.kind === "bytes" ? "hexes" : ""} defaultValue={text} onInput={() => setImported(undefined)} onKeyDown={(event) => { event.stopPropagation(); if (event.key === "Enter" && event.ctrlKey) keep(); if (event.key === "Escape") closeMenu(); }} />}
      {own.wrong && <div role="alert">{own.wrong}</div>}
      <div class="line">
        {own.kind === "bytes" && <><button onClick={(event) => (event.currentTarget.nextElementSibling as HTMLElement).click()}>{words.import}</button><input type="file" hidden aria-label={words.import} onChange={(event) => void load(event.currentTarget)} /><button onClick={() => download(Uint8Array.from(bytes), row!.key)}>{words.export}</button></>}
        {own.kind === "text" && <span class="faint">{words.keeps}</span>}
        <span class="grow" />
        <button onClick={closeMenu}>{own.kind === "keys" ? words.close : words.cancel}</button>
        {own.kind !== "keys" && <button class="main" onClick={keep}>{words.keep}</button>}
      </div>
    </div>
  );
};
const bytesOf = (value: unknown): number[] => (Array.isArray(value) ? value : typeof value === "string" ? Array.from(atob(value), (own) => own.charCodeAt(0)) : []);
const toBase64 = (bytes: Uint8Array) => btoa(Array.from(bytes, (own) => String.fromCharCode(own)).join(""));

export const Said = () => {
  const own = app.said;
  return (
    <div id="said" role="status">{own && <>{own.text}<button onClick={() => { app.said = undefined; own.act?.[1](); app.draw(); }}>{own.act?.[0] ?? words.ok}</button></>}</div>
  );
};
