// What stands beside and in place of the tree: changes, bytes, comparing, merging.
import { useEffect, useState } from "preact/hooks";
import { app, compare, doc, isPhone, jump, jumpTo, mergeWith, saveMerged, say, takeBack, takeOver } from "./app";
import { hexOf, shownPath } from "./kinds";
import { Icon } from "./icons";
import { words } from "./words";

export const show = (name: "Changes" | "Bytes") => { app.panel = app.panel === name ? undefined : name; app.draw(); };

/** Asks for a file. */
export const pick = (what: "compare" | "base" | "theirs") => {
  const input = document.getElementById("other") as HTMLInputElement;
  input.dataset.what = what;
  input.value = "";
  input.click();
};
export const picked = async (input: HTMLInputElement) => {
  const file = input.files?.[0];
  if (!file) return;
  const bytes = new Uint8Array(await file.arrayBuffer()), { what } = input.dataset;
  if (what === "compare") await compare(file.name, bytes);
  else await mergeWith(what as "base" | "theirs", file.name, bytes);
};

export const Panel = () => (
  <aside id="panel" role="region" aria-label={app.panel === "Changes" ? words.changes : words.bytes}>
    <div class="panel-head">
      <h2>{app.panel === "Changes" ? (app.changes.length ? `${words.changes} (${app.changes.length})` : words.changes) : words.bytes}</h2>
      {app.panel === "Changes" && app.changes.length > 0 && <button class="quiet" onClick={() => void takeBack(app.changes)}>{words.takeAllBack}</button>}
      <button class="quiet" aria-label={`${words.close} ${app.panel}`} onClick={() => show(app.panel!)}><Icon name="close" /></button>
    </div>
    {app.panel === "Changes" ? <Changes /> : <Bytes />}
  </aside>
);

const Changes = () => !app.changes.length ? <p class="empty">{words.none}</p> : (
  <ul class="list">
    {app.changes.map((own) => (
      <li>
        <button class="jump" onClick={() => { if (isPhone()) show("Changes"); own.change === "removed" ? say(words.deletedGone) : void jumpTo(own.path); }}>
          <span class="where">{shownPath(own.path)}{words.tags[own.change] && <span class="tag">{words.tags[own.change]}</span>}</span>
          <span class="what">{own.was !== null && <del>{own.was || words.emptyValue}</del>}{own.was !== null && own.now !== null && " → "}{own.now !== null && <ins>{own.now || words.emptyValue}</ins>}</span>
        </button>
        <button aria-label={words.takeBackOf(shownPath(own.path))} onClick={() => void takeBack([own])}>{words.takeBack}</button>
      </li>
    ))}
  </ul>
);

const SHOWN = 4096;
const Bytes = () => {
  const [state, setState] = useState<{ from: number; bytes: Uint8Array; range: [number, number] }>();
  const { active, bytesFrom } = app, { version } = app.tree;
  useEffect(() => {
    let isOld = false;
    void (async () => {
      const way = active?.way ?? [], { range } = await doc().row(way).catch(() => ({ range: [0, 0] as [number, number] }));
      const from = bytesFrom ?? Math.max(0, Math.floor((range[0] - 256) / 16) * 16);
      const bytes = await doc().bytes(from, SHOWN);
      if (!isOld) setState({ from, bytes, range });
    })();
    return () => { isOld = true; };
  }, [active, version, bytesFrom]);
  useEffect(() => document.querySelector(".hex .on")?.scrollIntoView({ block: "center" }), [state]);
  if (!state) return <p class="empty">{words.loading}</p>;
  const wide = isPhone() ? 8 : 12, { from, bytes, range } = state, lines = [];
  const hex = hexOf(bytes);
  for (let at = 0; at < hex.length; at += wide) {
    lines.push(<div><span class="at">{(from + at).toString(16).padStart(6, "0")}</span>{hex.slice(at, at + wide).map((own, i) => <b class={from + at + i >= range[0] && from + at + i < range[1] ? "on" : undefined} data-at={from + at + i}>{own} </b>)}</div>);
  }
  const onClick = (event: MouseEvent) => {
    const at = (event.target as HTMLElement).dataset.at;
    if (at) void doc().wayAt(Number(at)).then(jump);
  };
  return <>
    <div class="hex" tabIndex={0} aria-label={words.bytesOf} onClick={onClick}>{lines}</div>
    <div class="panel-head"><button disabled={from === 0} onClick={() => { app.bytesFrom = Math.max(0, from - SHOWN); app.draw(); }}>{words.earlier}</button><button disabled={bytes.length < SHOWN} onClick={() => { app.bytesFrom = from + SHOWN; app.draw(); }}>{words.later}</button></div>
  </>;
};

const close = () => { app.compared = app.merging = undefined; app.focus = "row"; app.draw(); };
const head = (title: string, note: string, buttons: preact.ComponentChildren) => <div class="two-head"><h2>{title}</h2>{buttons}<button onClick={close}>{words.back}</button><p class="faint" role="status">{note}</p></div>;
const columns = (all: string[]) => <thead><tr>{all.map((own) => <th scope="col">{own}</th>)}</tr></thead>;

export const Compare = () => {
  const { name, rows } = app.compared!, own = app.file!.name, isTaken = rows.filter((one) => one.isTaken).length;
  const text = (one: string | null) => one ?? words.notThere;
  return (
    <main id="two">
      {head(words.beside(own, name), words.differ(rows.length, own, isTaken), <button onClick={() => void takeOver(rows.filter((one) => !one.isTaken))}>{words.takeAllOver}</button>)}
      <table class="side take">{columns([words.key, words.thisFile, words.otherFile, words.takeOver])}
        <tbody>{rows.map((one) => {
          const path = shownPath(one.path);
          return <tr class={one.isTaken ? "taken" : undefined}><th scope="row">{path}</th><td class="now" data-name={words.thisFile}>{text(one.isTaken ? one.was : one.now)}</td><td data-name={words.otherFile}>{text(one.was)}</td>
            <td class="act"><button aria-label={one.isTaken ? words.takeBackOf(path) : words.takeOverOf(path)} onClick={() => void takeOver([one])}>{one.isTaken ? words.takeBack : `← ${words.takeOver}`}</button></td></tr>;
        })}</tbody>
      </table>
    </main>
  );
};

export const Merge = () => {
  const own = app.merging!, { result } = own, title = words.mergeTitle(app.file!.name);
  if (!result) {
    return <main id="two">{head(title, words.mergeAsk, own.name
      ? <button class="main" onClick={() => pick("theirs")}>{words.chooseTheirs}</button>
      : <><button class="main" onClick={() => pick("base")}>{words.chooseBase}</button><button onClick={() => { own.name = "none"; app.draw(); }}>{words.noBase}</button></>)}</main>;
  }
  const left = own.sides.filter((side) => !side).length, text = (one: string | null) => one ?? words.notThere;
  const choice = (at: number, side: "ours" | "theirs", path: string, value: string) => {
    const name = side === "ours" ? words.yours : words.theirs;
    return <label class="choice"><input type="radio" name={`conflict-${at}`} value={side} checked={own.sides[at] === side} aria-label={`${path}: ${name.toLowerCase()}, ${value}`} onChange={() => { own.sides[at] = side; app.draw(); }} />{value}</label>;
  };
  return (
    <main id="two">
      {head(title, words.merged(result.taken.length, left, own.sides.length), <button class="main" onClick={() => void saveMerged()}>{words.saveMerged}</button>)}
      <table class="side">{columns([words.key, words.before, words.yours, words.theirs, words.result])}
        <tbody>
          {result.conflicts.map((one, at) => {
            const path = shownPath(one.path) || words.root, side = own.sides[at];
            return <tr class={side ? "taken" : "conflict"}><th scope="row">{path}</th><td class="faint" data-name={words.before}>{text(one.base)}</td><td data-name={words.yours}>{choice(at, "ours", path, text(one.ours))}</td><td data-name={words.theirs}>{choice(at, "theirs", path, text(one.theirs))}</td>
              <td class="now" data-name={words.result}>{side ? text(one[side as "ours" | "theirs"]) : <span role={own.isPressed ? "alert" : undefined} class={own.isPressed ? "wrong" : "faint"}>{own.isPressed ? words.chooseFirst : words.chooseOne}</span>}</td></tr>;
          })}
          {result.taken.map((one) => <tr><th scope="row">{shownPath(one.path)}</th><td class="faint" data-name={words.before}>{text(one.was)}</td><td data-name={words.yours}>{text(one.was)}</td><td data-name={words.theirs}>{text(one.now)}</td><td class="faint" data-name={words.result}>{words.fromTheirs}</td></tr>)}
        </tbody>
      </table>
    </main>
  );
};
