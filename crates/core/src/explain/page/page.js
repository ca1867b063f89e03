"use strict";
// Large data is deflated, and text of base64.
const unpacked = (text) => {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")));
};
// The page as it was started last.
let last = null;
// Shows the data. A host that can change the file has `text(path)`, the value as `set` takes it, and
// `set(path, text)`, which starts again with what the file is then; both throw what is wrong. Where
// `changed` is the path of a value, the page looks as before, and that value is pinned.
const start = (data, host, changed) => {
  const byId = (id) => document.getElementById(id);
  const ROW = 20, DEEPEST = 24, NARROW = 700, LEVELS = 2;
  const before = last;
  before?.stop();
  const ended = new AbortController();
  const listen = (target, kind, then, more) => target.addEventListener(kind, then, { ...more, signal: ended.signal });
  let perLine = 16;
  const number = (n) => n.toLocaleString("en");
  const bytesOf = (n) => number(n) + (n === 1 ? " byte" : " bytes");

  // The spans of all spaces in one row, each space after a title where there are several:
  // its first bit and its number of bits, counted in its space. A place whose value no span stands for,
  // such as an entry of an archive, gets an empty one.
  const TITLE = data.roles.push("title") - 1, NODE = data.roles.push("node") - 1;
  const spans = [], starts = [], sizes = [], spaceOf = [];
  const titles = data.spaces.length > 1;
  data.spaces.forEach((space, number) => {
    const add = (span, start, size) => {
      spans.push(span);
      starts.push(start);
      sizes.push(size);
      spaceOf.push(number);
    };
    // The first bit and byte that are on the page, and the byte after the last.
    space.from ??= 0;
    space.base = Math.floor(space.from / 8);
    space.shown = space.base + space.hex.length / 2;
    if (titles) add([0, -1, TITLE, -1, space.name, "", bytesOf(space.len)], 0, 8 * space.len);
    space.first = spans.length;
    const whole = new Set(space.spans.filter((span) => span[4]).map((span) => span[3]));
    const bare = new Map([[-1, []]]);
    const around = (place) => {
      let found = bare.get(place);
      if (!found) {
        found = around(data.places[place][0]);
        if (!whole.has(place)) found = [...found, place];
        bare.set(place, found);
      }
      return found;
    };
    let at = space.from, open = [];
    const heads = []; // the place of the value that began last at each depth
    for (const span of space.spans) {
      // What comes after the head of a value, and is of the same place, is in the value.
      const isPart = !span[4] && heads[span[1]] === span[3];
      heads.length = Math.min(heads.length, span[1] + 1);
      if (span[4]) heads[span[1]] = span[3];
      if (isPart) span[1]++;
      const nodes = around(span[3]);
      nodes.forEach((place, level) => {
        if (open[level] !== place) add([0, span[1] + level, NODE, place, "", "", ""], at, 0);
      });
      open = nodes;
      if (nodes.length) span[1] += nodes.length;
      add(span, at, span[0] * space.unit);
      at += span[0] * space.unit;
    }
    space.last = spans.length;
    space.spans = null;
  });
  const count = spans.length;
  const ends = new Uint32Array(count); // one past the last span inside a value
  const outer = new Int32Array(count); // the value around a span, -1 for none
  const levels = new Uint8Array(count); // how many values are around it, titles aside
  const role = (index) => data.roles[spans[index][2]];
  const isValue = (index) => spans[index][4] !== "" || spans[index][2] === NODE;
  {
    const open = [];
    spans.forEach(([, depth], index) => {
      while (open.length && spans[open[open.length - 1]][1] >= depth) ends[open.pop()] = index;
      outer[index] = open.findLast(isValue) ?? -1;
      const own = outer[index];
      levels[index] = own < 0 || spans[own][2] === TITLE ? 0 : Math.min(levels[own] + 1, 255);
      open.push(index);
    });
    for (const index of open) ends[index] = count;
  }
  // What an empty span stands for, as far as one of its parts says it.
  spans.forEach((span, index) => {
    if (span[2] !== NODE) return;
    const parts = spans.slice(index + 1, Math.min(ends[index], index + 24)).filter((own) => own[3] === span[3]);
    const of = (kind, words) => parts.find((own) => data.roles[own[2]] === kind && own[5].startsWith(words))?.[6];
    const size = of("length", "size of the content"), count = of("count", "");
    span[6] = size !== undefined ? bytesOf(+size) : count !== undefined ? count + (count === "1" ? " element" : " elements")
      : parts.findLast((own) => ["text", "data"].includes(data.roles[own[2]]))?.[6] ?? "";
  });
  // The key of an entry stands in the row of its value.
  const isKey = (index) => isValue(index) && spans[index][3] >= 0 && /^\[?key \d+\]?$/.test(data.places[spans[index][3]][1]);
  const isOdd = (index) => ["comment", "unused", "unknown", "error", "not_reached", "omitted"].includes(role(index));

  const pathOf = (index) => {
    const steps = [];
    let place = spans[index][3];
    for (; place >= 0 && steps.length < 64; place = data.places[place][0]) {
      const [, name, step] = data.places[place];
      steps.unshift(step ?? name);
    }
    const cut = place >= 0;
    const joined = steps.map((step, i) =>
      data.pointer ? "/" + step : (step[0] !== "[" && (i || cut) ? "." : "") + step);
    return (cut ? "…" : "") + joined.join("");
  };
  // The span of a bit; where several begin there, the last of them.
  const spanAt = (space, bit) => {
    let low = data.spaces[space].first, high = Math.max(data.spaces[space].last, low + 1);
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= bit) low = middle; else high = middle;
    }
    return low;
  };
  const make = (kind, classes, text) => {
    const element = document.createElement(kind);
    if (classes) element.className = classes;
    if (text !== undefined) element.textContent = shown(text);
    return element;
  };
  // Marks that turn the direction of a line around, and controls, are seen and do nothing.
  const shown = (text) => text.replace(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (letter) => "\\u{" + letter.charCodeAt(0).toString(16) + "}");
  const hexOf = (number) => number.toString(16).padStart(8, "0");
  const addressWidth = data.spaces.some((space) => space.unit === 1) ? 10 : 8;
  const addressOf = (index) => {
    if (role(index) === "title") return " ".repeat(addressWidth);
    const bit = starts[index] % 8;
    return (hexOf(Math.floor(starts[index] / 8)) + (bit ? "." + bit : "")).padEnd(addressWidth);
  };

  // The lines of the pane of bytes: those of each space after those of the one before it.
  let lineCount = 0;
  const layOut = () => {
    perLine = innerWidth < NARROW ? 8 : 16;
    lineCount = 0;
    for (const space of data.spaces) {
      space.line = lineCount;
      space.row = Math.floor(space.base / perLine);
      lineCount += (titles ? 1 : 0) + Math.ceil(space.shown / perLine) - space.row;
    }
  };
  layOut();

  // Where a value is named, and where others point to it: identifiers of slots, entities and objects.
  const named = new Map();
  const bare = (value) => value.replace(/^"(.*)"$/, "$1");
  spans.forEach(([, , , place, kind, , value], index) => {
    const own = kind && place >= 0 && /^(id|guid|m_globalID)$/i.test(data.places[place][1]);
    if (own && bare(value).length > 5 && !named.has(bare(value))) named.set(bare(value), index);
  });
  const targetOf = (index) => {
    const to = spans[index][4] && spans[index][6] ? named.get(bare(spans[index][6])) : undefined;
    return to === index ? undefined : to;
  };

  // A pane that holds as many lines as the data has and draws those in sight.
  const pane = (host, lines, draw) => {
    const all = make("div", "all"), view = make("div", "view");
    all.append(view);
    host.replaceChildren(all);
    const redraw = (whole) => {
      const first = whole === true ? 0 : Math.max(0, Math.floor(host.scrollTop / ROW) - 4);
      const last = whole === true ? lines() : Math.min(lines(), first + Math.ceil(host.clientHeight / ROW) + 8);
      all.style.height = lines() * ROW + 12 + "px";
      view.style.top = first * ROW + 6 + "px";
      const drawn = [];
      for (let line = first; line < last; line++) drawn.push(draw(line));
      const isTyping = field && document.activeElement === field.area;
      view.replaceChildren(...drawn);
      if (isTyping) field.area.focus({ preventScroll: true });
      light();
    };
    const show = (line) => {
      const top = line * ROW, height = host.clientHeight;
      if (top < host.scrollTop || top + 2 * ROW > host.scrollTop + height) {
        host.scrollTop = Math.max(0, top - height / 3);
        redraw();
      }
    };
    listen(host, "scroll", redraw, { passive: true });
    return { host, view, redraw, show };
  };

  // State: folded values, the lines of the tree, the span under the pointer, the pinned one, and the
  // bytes at the cursor: a space, the first of them and the one after the last.
  let folded = new Set();
  let visible = [], lineOf = new Map(), hovered = -1, pinned = -1, cursor = null;
  let hits = [], hitSet = new Set();
  let field = null; // the value that is being changed: its span, and where the new text is typed

  const list = () => {
    const every = byId("every").checked;
    visible = [];
    for (let index = 0; index < count; ) {
      const isHidden = !every && isKey(index);
      if (!isHidden && (every || isValue(index) || isOdd(index))) visible.push(index);
      index = folded.has(index) || isHidden ? ends[index] : index + 1;
    }
    lineOf = new Map(visible.map((index, line) => [index, line]));
  };
  // Whether a value has something that folding hides.
  const hasLines = (index) => {
    if (!isValue(index) || ends[index] === index + 1) return false;
    if (byId("every").checked) return true;
    for (let inner = index + 1; inner < ends[index]; inner++) if (isValue(inner) || isOdd(inner)) return true;
    return false;
  };
  // Unfolds the values to a number of levels; of many spaces, only the first.
  const unfoldTo = (level) => {
    folded = new Set();
    for (let index = 0; index < count; index++) {
      const isTitle = spans[index][2] === TITLE;
      const isFolded = isTitle ? level <= LEVELS && data.spaces.length > 3 && spaceOf[index] > 0 : levels[index] >= level - 1;
      if (isFolded && isValue(index) && ends[index] > index + 1) folded.add(index);
    }
    list();
  };
  // The line of a span, or of the nearest value around it that has one; of a key, that of its value.
  const lineFor = (index) => {
    if (lineOf.has(index)) return lineOf.get(index);
    for (let own = index; own >= 0; own = outer[own]) {
      if (isKey(own) && lineOf.has(ends[own])) return lineOf.get(ends[own]);
    }
    let low = 0, high = visible.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (visible[middle] <= index) low = middle; else high = middle;
    }
    return low;
  };

  const drawBytes = (line) => {
    const row = make("div", "line");
    let low = 0, high = data.spaces.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (data.spaces[middle].line <= line) low = middle; else high = middle;
    }
    const space = data.spaces[low];
    if (titles && line === space.line) {
      row.className = "line title";
      row.append(space.name + ", " + bytesOf(space.len));
      return row;
    }
    const start = (line - space.line - (titles ? 1 : 0) + space.row) * perLine;
    const end = Math.min(start + perLine, space.shown);
    row.append(make("span", "at", hexOf(start)));
    const letters = [];
    for (let at = start; at < start + perLine; at++) {
      const gap = at - start === 8 ? " gap" : "";
      if (at < space.base || at >= end) {
        row.append(make("b", gap, "  "));
        if (at < space.base) letters.push(make("i", at === start ? "first" : "", " "));
        continue;
      }
      const index = spanAt(low, 8 * at), last = spanAt(low, 8 * at + 7);
      const digits = space.hex.slice(2 * (at - space.base), 2 * (at - space.base) + 2);
      const cell = make("b", role(index) + gap + (last > index ? " shared" : ""), digits);
      const code = parseInt(digits, 16);
      const plain = code >= 32 && code < 127;
      const letter = make("i", role(index) + (at === start ? " first" : "") + (plain ? "" : " dot"),
        plain ? String.fromCharCode(code) : "·");
      cell.dataset.span = letter.dataset.span = index;
      cell.dataset.last = letter.dataset.last = last;
      cell.dataset.at = letter.dataset.at = at;
      row.append(cell);
      letters.push(letter);
    }
    row.append(...letters);
    return row;
  };

  const drawSpan = (line) => {
    const index = visible[line];
    const [, depth, , place, kind, meaning, value, notes] = spans[index];
    const row = make("div", "line " + role(index));
    row.dataset.span = index;
    row.id = "row" + index;
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", Math.max(depth, 0) + 1);
    if (hitSet.has(index)) row.classList.add("hit");
    row.append(make("span", "at", addressOf(index)));
    row.append("  ".repeat(Math.max(Math.min(depth, DEEPEST), 0)) + (depth > DEEPEST ? depth + "› " : ""));
    const opens = hasLines(index);
    const fold = make("span", "fold", opens ? (folded.has(index) ? "▸" : "▾") : "");
    if (opens) {
      fold.dataset.fold = index;
      row.setAttribute("aria-expanded", !folded.has(index));
    }
    fold.setAttribute("aria-hidden", true);
    row.append(fold);
    if (role(index) === "node") {
      row.append(make("span", "name", data.places[place][1]));
    } else if (kind) {
      if (place >= 0) row.append(make("span", "name", data.places[place][1]), ": ");
      row.append(make("span", "kind", kind));
      if (meaning) row.append(make("span", "words", ", " + meaning));
    } else {
      row.append(make("span", "words", meaning));
    }
    const like = role(index) !== "header" ? role(index) : /^[&^]?"/.test(value) ? "text"
      : /^[-(\d]|^(true|false)$/.test(value) && !/^\d+ [a-z]/.test(value) ? "data" : "";
    const target = targetOf(index);
    if (field?.index === index) row.append(field.area);
    else if (value) row.append(make(target === undefined ? "span" : "a", "says " + like + (target === undefined ? "" : " ref"), value));
    if (target !== undefined && field?.index !== index) row.lastChild.dataset.to = target;
    if (notes) row.append(make("span", "more", "· " + notes));
    return row;
  };

  const current = () => (pinned >= 0 ? pinned : hovered);

  function light() {
    const index = current();
    const inside = index >= 0 && isValue(index) ? ends[index] : index + 1;
    const line = index >= 0 ? visible[lineFor(index)] : -1;
    document.body.classList.toggle("pinned", pinned >= 0);
    for (const cell of bytes.view.querySelectorAll("[data-span]")) {
      const own = +cell.dataset.span, last = +cell.dataset.last;
      const at = +cell.dataset.at, space = spaceOf[own];
      const isIn = cursor?.found && pinned >= 0 && space === cursor.space ? at >= cursor.from && at < cursor.to : own <= index && index <= last;
      cell.classList.toggle("lit", isIn);
      cell.classList.toggle("soft", last > index && own < inside);
    }
    for (const row of tree.view.children) {
      const own = +row.dataset.span;
      row.classList.toggle("lit", own === line);
      row.classList.toggle("within", own > index && own < inside);
      row.setAttribute("aria-selected", own === line && pinned >= 0);
    }
    const active = pinned >= 0 && lineOf.has(visible[lineFor(pinned)]) ? "row" + visible[lineFor(pinned)] : "";
    tree.host.setAttribute("aria-activedescendant", active);
    tell(index);
    read(index);
  }

  // The bytes at the cursor as numbers and text, and what can be copied.
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.body.appendChild(make("textarea"));
      area.value = text;
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    byId("said").textContent = "copied";
  };
  const read = (index) => {
    const host = byId("reading");
    if (index < 0) return host.replaceChildren(make("span", "", "the bytes at the cursor, as numbers and text"));
    const space = data.spaces[spaceOf[index]], own = cursor?.space === spaceOf[index] && pinned >= 0 ? cursor.from : undefined;
    const from = own ?? Math.floor(starts[index] / 8);
    const to = Math.max(Math.ceil((starts[index] + sizes[index]) / 8), from);
    const hex = (from, to) => space.hex.slice(2 * (from - space.base), 2 * (to - space.base)).replace(/../g, "$& ").trim();
    const bytes = Uint8Array.from(hex(from, from + 8).split(" ").filter(Boolean), (digits) => parseInt(digits, 16));
    const view = new DataView(bytes.buffer), parts = [];
    for (const [name, method, size] of [["8", "Int8", 1], ["16", "Int16", 2], ["32", "Int32", 4], ["64", "BigInt64", 8]]) {
      if (bytes.length < size) continue;
      const unsigned = method.replace("Int", "Uint"), of = (method, small) => view["get" + method](0, small);
      const all = [of(unsigned, true), of(method, true)].map(String);
      if (size > 1) all.push(of(unsigned, false) + " big-endian");
      parts.push(["int " + name, [...new Set(all)].join(" or ")]);
    }
    if (bytes.length >= 4) parts.push(["float 32", String(view.getFloat32(0, true))]);
    if (bytes.length >= 8) parts.push(["float 64", String(view.getFloat64(0, true))]);
    parts.push(["text", new TextDecoder().decode(bytes).replace(/[^ -~\u00a0-\uffff]/g, "·")]);
    const copies = make("span", "copies");
    if (canChange(index)) {
      const button = make("button", "", "change");
      listen(button, "click", () => change(index));
      copies.append(button);
    }
    for (const [name, text] of [["path", pathOf(index)], ["value", bare(spans[index][6])], ["hex", hex(Math.floor(starts[index] / 8), to)]]) {
      if (!text) continue;
      const button = make("button", "", "copy " + name);
      listen(button, "click", () => copy(text));
      copies.append(button);
    }
    host.replaceChildren(make("span", "", "0x" + from.toString(16)), ...parts.map(([name, text]) => {
      const part = make("span", "", name + " ");
      part.append(make("b", "", text));
      return part;
    }), copies);
  };

  // Changing a value in its row: Enter takes the new text, Escape lets it be.
  const canChange = (index) => host && index >= 0 && isValue(index) && spans[index][3] >= 0;
  const refuse = (error) => {
    byId("refused")?.remove();
    if (!error) return;
    const note = make("p", "note wrong", error.message);
    note.id = "refused";
    byId("notes").append(note);
    byId("said").textContent = error.message;
  };
  const change = (index) => {
    const path = pathOf(index), area = make("textarea", "field");
    try {
      area.value = host.text(path);
    } catch (error) {
      return refuse(error);
    }
    refuse();
    area.rows = 1;
    area.spellcheck = false;
    area.setAttribute("aria-label", "the new value of " + path);
    listen(area, "keydown", (event) => {
      event.stopPropagation();
      if (event.key === "Escape") {
        field = null;
        refuse();
        tree.redraw();
        tree.host.focus();
      } else if (event.key === "Enter" && !event.shiftKey) {
        event.preventDefault();
        try {
          host.set(path, area.value);
        } catch (error) {
          refuse(error);
        }
      }
    });
    field = { index, area };
    pin(index);
    tree.redraw();
    area.focus();
    area.select();
  };

  const tell = (index) => {
    const status = byId("status");
    const hint = make("span", "hint", pinned < 0 ? "click pins · arrows move · / searches"
      : canChange(index) ? "Enter changes · Esc lets go" : "Esc lets go");
    if (index < 0) return status.replaceChildren(make("span", "", "point at a byte or a line"), hint);
    const [, , , , kind, meaning, value] = spans[index];
    const size = sizes[index], from = Math.floor(starts[index] / 8);
    const to = Math.max(Math.ceil((starts[index] + size) / 8) - 1, from);
    const whole = (starts[index] | size) % 8 === 0;
    status.replaceChildren(
      make("span", "path", pathOf(index) || (role(index) === "title" ? "" : "the root")),
      make("span", role(index), [kind, meaning].filter(Boolean).join(", ")),
      make("span", "value", value),
      make("span", "", (titles ? data.spaces[spaceOf[index]].name + " " : "") + "0x" + from.toString(16)
        + (to > from ? "–0x" + to.toString(16) : "") + ", "
        + (whole ? bytesOf(size / 8) : size + (size === 1 ? " bit" : " bits"))),
      hint);
  };

  const bytes = pane(byId("bytes"), () => lineCount, drawBytes);
  const tree = pane(byId("tree"), () => visible.length, drawSpan);

  const spanOf = (event) => {
    const element = event.target.closest("[data-span]");
    return element ? +element.dataset.span : -1;
  };
  const showBytes = (index) => {
    const space = data.spaces[spaceOf[index]];
    const at = Math.max(Math.min(Math.floor(starts[index] / 8), space.shown - 1), space.base);
    bytes.show(space.line + (titles && role(index) !== "title" ? 1 : 0) + Math.floor(at / perLine) - space.row);
  };
  // The place of a span in the page's address: `#0x1f` in the input, `#2:0x1f` in another space.
  const anchorOf = (index) => index < 0 ? "" :
    (spaceOf[index] ? spaceOf[index] + ":" : "") + "0x" + Math.floor(starts[index] / 8).toString(16);
  const pin = (index, found) => {
    pinned = index;
    cursor = found ?? null;
    if (index >= 0) {
      reveal(index);
      byId("said").textContent = [pathOf(index), spans[index][4], spans[index][6]].filter(Boolean).join(", ");
      showBytes(index);
      tree.show(lineFor(index));
      history.replaceState(null, "", "#" + anchorOf(index));
    }
    light();
  };
  // Unfolds all that hides a span.
  const reveal = (index) => {
    let isHidden = false;
    for (let own = outer[index]; own >= 0; own = outer[own]) isHidden = folded.delete(own) || isHidden;
    if (!isHidden) return;
    list();
    tree.redraw();
  };
  const toggle = (index) => {
    if (!folded.delete(index)) folded.add(index);
    list();
    tree.redraw();
  };

  for (const [own, other] of [[bytes, tree], [tree, bytes]]) {
    listen(own.host, "mouseover", (event) => {
      const index = spanOf(event);
      if (pinned >= 0 || index === hovered) return;
      hovered = index;
      if (index >= 0) {
        if (other === tree) tree.show(lineFor(index)); else showBytes(index);
      }
      light();
    });
    listen(own.host, "mouseleave", () => {
      hovered = -1;
      if (pinned < 0) light();
    });
    listen(own.host, "click", (event) => {
      if (event.target === field?.area) return;
      const fold = event.target.closest("[data-fold]");
      if (fold) return toggle(+fold.dataset.fold);
      const to = event.target.closest("[data-to]");
      if (to) return pin(+to.dataset.to);
      const index = spanOf(event), at = event.target.dataset.at;
      const found = at === undefined ? null : { space: spaceOf[index], from: +at };
      if (index >= 0) pin(index === pinned && at === undefined ? -1 : index, found);
    });
  }
  listen(tree.host, "dblclick", (event) => {
    const index = spanOf(event);
    if (index >= 0 && hasLines(index)) toggle(index);
    else if (canChange(index) && index !== field?.index) change(index);
  });

  // Search: an offset, bytes, or words of path, meaning or value.
  const place = (text) => {
    const [, space, offset] = /^#?(?:(\d+):)?(?:0x|@)([0-9a-f]+)$/i.exec(text) ?? [];
    const at = parseInt(offset, 16), all = offset ? [...data.spaces.keys()] : [];
    return all.filter((own) => space === undefined || own === +space)
      .filter((own) => at >= data.spaces[own].base && at < data.spaces[own].shown)
      .map((own) => ({ index: spanAt(own, 8 * at), space: own, from: at }));
  };
  const bytesLike = (digits) => {
    const found = [];
    data.spaces.forEach((space, number) => {
      for (let at = -1; (at = space.hex.indexOf(digits, at + 1)) >= 0 && found.length < 10000; ) {
        const from = space.base + at / 2;
        if (at % 2 === 0) found.push({ index: spanAt(number, 8 * from), space: number, from, to: from + digits.length / 2, found: true });
      }
    });
    return found;
  };
  const find = byId("find");
  let turn = -1;
  const search = () => {
    const words = find.value.trim().toLowerCase();
    hits = [];
    turn = -1;
    if (/^#?(\d+:)?(0x|@)[0-9a-f]+$/.test(words)) {
      hits = place(words);
    } else if (/^[0-9a-f]{2}( +[0-9a-f]{2})+$/.test(words)) {
      hits = bytesLike(words.replace(/ /g, ""));
    } else if (words) {
      for (let index = 0; index < count; index++) {
        if (!byId("every").checked && !isValue(index) && !isOdd(index)) continue;
        const text = spans[index].slice(4).join("\n") + (isValue(index) ? "\n" + pathOf(index) : "");
        if (text.toLowerCase().includes(words)) hits.push({ index });
      }
    }
    hitSet = new Set(hits.map((hit) => hit.index));
    byId("hits").textContent = words ? (hits.length ? hits.length + " found" : "nothing") : "";
    tree.redraw();
    if (hits.length) {
      reveal(hits[0].index);
      tree.show(lineFor(hits[0].index));
    }
  };
  const next = (by) => {
    if (!hits.length) return;
    turn = (turn + by + hits.length) % hits.length;
    byId("hits").textContent = turn + 1 + " of " + hits.length;
    pin(hits[turn].index, hits[turn].from === undefined ? null : hits[turn]);
  };
  let waiting = 0;
  listen(find, "input", () => {
    turn = -1;
    clearTimeout(waiting);
    waiting = setTimeout(search, 120);
  });
  listen(find, "keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (turn < 0) {
      clearTimeout(waiting);
      search();
    }
    next(event.shiftKey ? -1 : 1);
  });
  listen(document, "keydown", (event) => {
    if (event.target.closest?.("dialog")) return;
    const typing = event.target.matches?.("input:not([type=checkbox]), textarea, select");
    if (event.key === "Enter" && canChange(pinned) && [tree.host, document.body].includes(event.target)) {
      change(pinned);
    } else if (event.key === "Escape") {
      pin(-1);
      find.blur();
    } else if (typing || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (event.key === "/") {
      find.focus();
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const line = current() < 0 ? -1 : lineFor(current());
      const to = line + (event.key === "ArrowDown" ? 1 : -1);
      pin(visible[Math.min(Math.max(to, 0), visible.length - 1)]);
    } else if (["Home", "End", "PageUp", "PageDown"].includes(event.key)) {
      const page = Math.max(Math.floor(tree.host.clientHeight / ROW) - 1, 1);
      const by = { Home: -Infinity, End: Infinity, PageUp: -page, PageDown: page }[event.key];
      pin(visible[Math.min(Math.max((current() < 0 ? 0 : lineFor(current())) + by, 0), visible.length - 1)]);
    } else if (/^[0-9]$/.test(event.key)) {
      unfoldTo(+event.key || Infinity);
      tree.redraw();
      if (current() >= 0) tree.show(lineFor(current()));
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const index = current();
      const close = event.key === "ArrowLeft";
      if (index < 0 || !hasLines(index) || folded.has(index) === close) return;
      toggle(index);
    } else {
      return;
    }
    event.preventDefault();
  });

  listen(byId("every"), "change", () => {
    list();
    tree.redraw();
    if (current() >= 0) tree.show(lineFor(current()));
  });
  for (const [id, level] of [["less", 1], ["more", Infinity]]) {
    listen(byId(id), "click", () => {
      unfoldTo(level);
      tree.redraw();
    });
  }
  // On paper, all values.
  let onScreen = null;
  listen(window, "beforeprint", () => {
    onScreen = folded;
    folded = new Set();
    list();
    tree.redraw(true);
  });
  listen(window, "afterprint", () => {
    folded = onScreen ?? folded;
    list();
    tree.redraw();
  });
  listen(window, "resize", () => {
    layOut();
    bytes.redraw();
    tree.redraw();
  });

  last = { stop: () => ended.abort(), count, folded: () => folded, pinned: () => pinned };

  // What is to be said before anything else.
  byId("size").textContent = bytesOf(data.spaces[0].len) + ", " + number(data.spanCount) + " spans"
    + (titles ? ", " + number(data.spaces.length - 1) + " unpacked" : "");
  const notes = byId("notes");
  notes.replaceChildren();
  if (data.error !== null) {
    const note = make("p", "note wrong", "error: " + data.error);
    listen(note, "click", () => {
      const at = spans.findIndex((_, index) => role(index) === "error" || role(index) === "not_reached");
      if (at >= 0) pin(at);
    });
    notes.append(note);
  }
  if (data.unlisted) notes.append(make("p", "note", bytesOf(data.unlisted) + " are left out of this page."));
  unfoldTo(LEVELS);
  if (changed !== undefined && before.count === count) {
    folded = before.folded();
    list();
  }
  bytes.redraw();
  tree.redraw();
  if (changed !== undefined) {
    const isIt = (index) => isValue(index) && pathOf(index) === changed;
    const at = before.pinned();
    pin(before.count === count && isIt(at) ? at : Math.max(spans.findIndex((_, index) => isIt(index)), 0));
    tree.host.focus();
  }
  const go = () => {
    const [to] = place(/^#\d+:/.test(location.hash) ? location.hash : location.hash.replace("#", "#0:"));
    if (to && anchorOf(pinned) !== location.hash.slice(1)) pin(to.index, to);
  };
  listen(window, "hashchange", go);
  if (changed === undefined) go();
};
{
  const own = document.getElementById("data");
  const say = (words) => {
    const note = document.createElement("p");
    note.className = "note wrong";
    note.textContent = words;
    document.getElementById("notes").append(note);
  };
  if (own.type === "application/json") start(JSON.parse(own.textContent));
  else if (typeof DecompressionStream === "undefined") say("This page needs a browser of 2023 or later.");
  else if (own.type !== "application/wasm") unpacked(own.textContent).json().then((own) => start(own));
}
