// The tree: rows that are in view, and the fields in them.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { add, app, begin, choose, colorOf, commit, copy, duplicate, fields, flip, fold, goTo, isPhone, kindsHere, leave, move, named, paste, remove, retype, rowId, siblings, step, walk } from "./app";
import { fieldOf, isBytes, shownPath } from "./kinds";
import { Icon } from "./icons";
import { keysCard, rowMenu } from "./menus";
import type { Item, Line } from "./tree";
import type { Row } from "./document";
import { words } from "./words";

const height = () => (isPhone() ? 44 : 32);

const Marked = ({ text }: { text: string }) => {
  const wanted = app.query.trim().toLowerCase(), at = wanted ? text.toLowerCase().indexOf(wanted) : -1;
  return at < 0 ? <>{text}</> : <>{text.slice(0, at)}<mark>{text.slice(at, at + wanted.length)}</mark>{text.slice(at + wanted.length)}</>;
};

const Value = ({ item, row }: { item: Item; row: Row }) => {
  const field = fieldOf(row);
  if (row.wrong) return <span class="shown none">{row.wrong}</span>;
  if (field === "bytes") return <span class="shown">{words.byteCount(row.count ?? String(row.value ?? "").length)}</span>;
  if (row.isList) return <span class="shown preview">{row.count ? words.items(row.count) : words.empty}</span>;
  if (row.isList === false) return <span class="shown preview">{item.isOpen ? "" : row.text || (row.count ? "" : words.empty)}</span>;
  if (field === "switch") {
    return <><button role="switch" tabIndex={-1} aria-checked={row.value === true} aria-label={item.parent ? row.key : words.root} onClick={(event) => { event.stopPropagation(); choose(item); void flip(item); }}><i /></button><span>{row.value ? words.yes : words.no}</span></>;
  }
  if (field === "color") {
    const { hex, opacity } = colorOf(row);
    return <><Swatch hex={hex} opacity={opacity} /><span class="shown">{opacity === 100 ? hex : `${hex} · ${opacity} %`}</span></>;
  }
  if (row.parts) return <span class="shown">{row.parts.map((own) => <><span class="part">{own.key}</span>{own.text}</>)}</span>;
  if (field === "date") return <span class="shown"><Marked text={row.text.replace("T", " ")} /></span>;
  if (row.text === "") return <span class="shown none">{words.emptyText}</span>;
  if (row.value === null && !row.isCut) return <span class="shown none">{words.nothing}</span>;
  return <span class="shown"><Marked text={row.text.replaceAll("\n", " ⏎ ")} /></span>;
};
const Swatch = ({ hex, opacity }: { hex: string; opacity: number }) => {
  const own = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => { own.current!.style.background = hex; own.current!.style.opacity = String(opacity / 100); });
  return <span class="swatch" ref={own} />;
};

const onKey = (event: KeyboardEvent) => {
  event.stopPropagation();
  if (event.key === "Enter") {
    event.preventDefault();
    const goes = app.editing?.what === "value" && !event.ctrlKey;
    void commit().then((isKept) => isKept && goes && step(1));
  }
  if (event.key === "Escape") { event.preventDefault(); void leave(); }
};
const onBlur = () => setTimeout(() => {
  const row = document.querySelector(".row.editing");
  if (app.editing && row && !row.contains(document.activeElement) && document.hasFocus() && !app.editing.wrong) void commit();
});

const Input = ({ own, ...more }: { own: string } & Record<string, unknown>) => (
  <input class="field" autocomplete="off" spellcheck={false} onKeyDown={onKey} onBlur={onBlur} onClick={(event) => event.stopPropagation()}
    defaultValue={own} onInput={() => { if (app.editing?.wrong) { app.editing.wrong = undefined; app.draw(); } }}
    aria-invalid={app.editing?.wrong ? "true" : undefined} aria-describedby={app.editing?.wrong ? "why" : undefined} {...more} />
);

const Fields = ({ row }: { row: Row }) => {
  const field = fieldOf(row), name = app.editing!.item.parent ? row.key : words.root;
  switch (field) {
    case "color": {
      const { hex, opacity } = colorOf(row);
      return <>
        <Input own={hex} type="color" class="field" aria-label={words.picker(name)} onInput={(event: Event) => { const own = event.target as HTMLInputElement; (own.nextElementSibling as HTMLInputElement).value = own.value; }} />
        <Input own={hex} class="field number" aria-label={words.hexOf(name)} />
        <Input own={String(opacity)} class="field number" inputmode="numeric" aria-label={words.opacity(name)} /><span class="hint">{words.opaque}</span>
      </>;
    }
    case "vector":
      return <>{row.parts!.map((own) => <><span class="hint axis">{own.key}</span><Input own={own.text} class="field number" inputmode="decimal" aria-label={`${name} ${own.key}`} /></>)}</>;
    case "date":
      return <Input own={row.text} type="datetime-local" step={1} aria-label={name} />;
    case "choice":
      return <select class="field" aria-label={name} onKeyDown={onKey} onBlur={onBlur} onClick={(event) => event.stopPropagation()}>{[...new Set([...row.choices, row.text])].map((own) => <option selected={own === row.text}>{own}</option>)}</select>;
    case "whole":
    case "number":
      return <Input own={row.text} class="field number" inputmode="decimal" aria-label={name} />;
    case "none":
    case "switch":
      return <span class="shown preview">{row.isList === null ? row.text : words.empty}</span>;
    default:
      return <Input own={String(row.value ?? "")} aria-label={name} />;
  }
};

const canHold = (row: Row | undefined) => !!row && row.isList !== null && !isBytes(row);

const RowView = ({ line: { item, level }, at }: { line: Line; at: number }) => {
  const element = useRef<HTMLDivElement>(null), { row } = item;
  useLayoutEffect(() => {
    element.current!.style.transform = `translateY(${at * height()}px)`;
    (element.current!.firstElementChild as HTMLElement).style.setProperty("--level", String(Math.min(level - 1, isPhone() ? 6 : 20)));
  });
  const own = app.editing?.item === item ? app.editing : undefined, isChosen = app.chosen.has(item);
  const key = item.isRange ? `${item.from.toLocaleString("en")} … ${(item.from + item.length - 1).toLocaleString("en")}` : item.parent ? (row?.key ?? "") : words.root;
  const isIndex = item.isRange || item.siblings.row?.isList;
  const name = isIndex && !item.isRange ? `[${key}]` : key, holds = item.isRange || canHold(row);
  const refersTo = named(row), mark = row && app.marks.get(row.path), isCut = app.clip?.isCut && app.clip.all.some((one) => one.path === row?.path);
  const isFixed = holds || (row && ["switch", "none"].includes(fieldOf(row)));
  const classes = ["row", mark, own && "editing", own?.what === "add" && "adding", isCut && "cut", app.hits[app.hit] === item && app.query && "hit"];
  return (
    <div ref={element} role="row" id={`row-${rowId(item)}`} class={classes.filter(Boolean).join(" ")} tabIndex={app.active === item ? 0 : -1} aria-level={level} aria-posinset={item.index + 1} aria-setsize={item.parent?.rows ?? 1} aria-rowindex={at + 2} aria-selected={isChosen} aria-expanded={holds ? item.isOpen : undefined}
      onClick={(event) => {
        if (own) return;
        if (event.shiftKey) return choose(item, "range");
        if (app.isPicking || event.ctrlKey || event.metaKey) return choose(item, "toggle");
        const isValue = !!(event.target as Element).closest(".value");
        void commit().then((isKept) => { if (!isKept) return; choose(item); if (isValue && !holds && !isFixed) void begin(item); else if (isValue && holds) fold(item); });
      }}
      onDblClick={(event) => { if ((event.target as Element).closest(".key") && !own) holds ? fold(item) : void begin(item, "key"); }}
      onContextMenu={(event) => { event.preventDefault(); if (!isChosen) choose(item); rowMenu(new DOMRect(event.clientX, event.clientY, 230, 0)); }}>
      <div role="gridcell" class="key">
        {holds ? <button class="fold" tabIndex={-1} aria-hidden="true" onClick={(event) => { event.stopPropagation(); fold(item); }}><Icon name="fold" /></button> : <span class="pad" />}
        {own && own.what !== "value" && !isIndex ? <Input own={row!.key} aria-label={words.key} /> : <span class={isIndex ? "name index" : "name"}><Marked text={name} /></span>}
      </div>
      <div role="gridcell" class={isFixed ? "value fixed" : "value"}>
        {!row ? <span class="shown none">{item.isRange ? "" : words.loading}</span> : own && own.what !== "key" ? <Fields key={row.kind} row={row} /> : <><Value item={item} row={row} />{refersTo && <button class="quiet" tabIndex={-1} aria-label={words.goTo(refersTo)} title={words.goTo(refersTo)} onClick={(event) => { event.stopPropagation(); void goTo(row); }}><Icon name="goto" /></button>}</>}
        {own?.wrong && <div role="alert" class="wrongs" id="why">{own.wrong}</div>}
      </div>
      <div role="gridcell" class="type">
        {own?.what === "add" && own.kind && kindsHere().length
          ? <select aria-label={words.type} onKeyDown={onKey} onClick={(event) => event.stopPropagation()} onChange={(event) => void retype(item, event.currentTarget.value)}>{kindsHere().map(([kind]) => <option selected={kind === own.kind}>{kind}</option>)}</select>
          : <span class="word">{row?.type || row?.kind}</span>}
        <span class="acts">
          {canHold(row) && <button class="quiet plus" tabIndex={-1} aria-label={words.addTo(name)} title={`${words.add} (Insert)`} onClick={(event) => { event.stopPropagation(); choose(item); void add(); }}><Icon name="add" /></button>}
          {!item.isRange && <button class="quiet" tabIndex={-1} aria-label={words.menuOf(name)} aria-haspopup="menu" onClick={(event) => { event.stopPropagation(); if (!isChosen) choose(item); rowMenu(event.currentTarget.getBoundingClientRect()); }}><Icon name="more" /></button>}
        </span>
      </div>
    </div>
  );
};

/** Reads the fields of the row that is edited. */
fields.read = () => {
  const row = document.querySelector(".row.editing")!, of = (own: Element) => (own as HTMLInputElement).value;
  const key = row.querySelector(".key .field");
  return { key: key ? of(key) : undefined, values: [...row.querySelectorAll(".value .field")].map(of) };
};

const onGridKey = (event: KeyboardEvent) => {
  const { active } = app;
  if (app.editing || !active) return;
  const { key } = event, ctrl = event.ctrlKey || event.metaKey;
  const own: Record<string, () => void> = {
    Home: () => step(-1e9), End: () => step(1e9), PageDown: () => step(15), PageUp: () => step(-15), F2: () => void begin(active, "key"), Enter: () => void begin(active), Insert: () => void add(), Delete: () => void remove(), ContextMenu: () => menu(), "/": () => document.getElementById("search")!.focus(), "?": () => keysCard(),
    " ": () => (ctrl ? choose(active, "toggle") : void begin(active)),
    ArrowRight: () => (active.row?.isList !== null && !active.isOpen && (active.isRange || active.count) ? fold(active) : active.isOpen && step(1)),
    ArrowLeft: () => (active.isOpen ? fold(active) : active.parent?.parent && choose(active.parent)),
  };
  const menu = () => rowMenu(document.getElementById(`row-${rowId(active)}`)!.getBoundingClientRect());
  const ctrls: Record<string, () => void> = { d: () => void duplicate(), x: () => void copy(true), c: () => void copy(false), v: () => void paste(), a: siblings };
  let act = own[key];
  if (key === "ArrowDown" || key === "ArrowUp") {
    const by = key === "ArrowDown" ? 1 : -1;
    act = () => (event.altKey ? void move(by) : step(by, event.shiftKey ? "range" : undefined));
  } else if (key === "F10" && event.shiftKey) act = menu;
  else if (ctrl && key !== " ") act = ctrls[key.toLowerCase()];
  if (act) { event.preventDefault(); act(); }
};

export const Grid = () => {
  const grid = useRef<HTMLDivElement>(null), body = useRef<HTMLDivElement>(null), [, again] = useState(0);
  const { tree } = app, own = grid.current, top = own?.scrollTop ?? 0, view = own?.clientHeight ?? 800;
  const from = Math.max(0, Math.floor(top / height()) - 12), to = Math.min(tree.length, Math.ceil((top + view) / height()) + 12);
  const lines: [number, Line][] = [];
  for (let at = from; at < to; at++) lines.push([at, tree.line(at)]);
  // What has the focus stays in the page.
  const focused = app.active ? tree.indexOf(app.active) : -1;
  if (app.active && focused >= 0 && (focused < from || focused >= to)) lines.push([focused, { item: app.active, level: tree.lines?.[focused]?.level ?? tree.level(app.active) }]);
  useLayoutEffect(() => { body.current!.style.height = `${tree.length * height()}px`; });
  useEffect(() => { void tree.load(lines.map(([, line]) => line)).then((isNew) => isNew && app.draw()).catch(() => 0); });
  useLayoutEffect(() => {
    if (!own || !app.active || (!app.focus && !app.query)) return;
    const at = focused * height(), head = isPhone() ? 0 : 30;
    if (focused >= 0 && (at < own.scrollTop || at + height() > own.scrollTop + own.clientHeight - head)) { own.scrollTop = at - own.clientHeight / 3; again(at); }
    const row = document.getElementById(`row-${rowId(app.active)}`);
    if (app.focus === "field" && row) {
      const field = row.querySelector<HTMLInputElement>(app.editing?.what === "value" || app.editing?.wrong ? ".value .field" : ".key .field") ?? row.querySelector<HTMLInputElement>(".field");
      if (field) { app.focus = undefined; field.focus(); field.select?.(); }
    } else if (app.focus === "row" && row && !document.querySelector("#menu, #card")) { app.focus = undefined; row.focus({ preventScroll: true }); }
  });
  const length = tree.length;
  return (
    <div id="grid" ref={grid} role="treegrid" aria-label={words.values} aria-multiselectable="true" aria-rowcount={length + 1} onScroll={() => again(grid.current!.scrollTop)} onKeyDown={onGridKey}>
      <div class="head" role="row" aria-rowindex={1}><span role="columnheader">{words.key}</span><span role="columnheader">{words.value}</span><span role="columnheader">{words.type}</span></div>
      <div id="rows" ref={body} role="rowgroup">{lines.map(([at, line]) => <RowView key={rowId(line.item)} line={line} at={at} />)}</div>
    </div>
  );
};

export const Path = () => <nav id="path" aria-label={words.path}>{app.chosen.size > 1 ? words.selected(app.chosen.size) : app.active?.row ? shownPath(app.active.row.path) : ""}</nav>;

export const onSearchKey = (event: KeyboardEvent) => {
  if (event.key === "Enter") { event.preventDefault(); walk(event.shiftKey ? -1 : 1); }
  if (event.key === "ArrowDown" && app.active) { event.preventDefault(); choose(app.active); }
};
