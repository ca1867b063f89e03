"use strict";
// Large data is deflated, and text of base64.
const unpacked = async (text) => {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).json();
};
const start = (data) => {
  const byId = (id) => document.getElementById(id);
  const ROW = 20, PER_LINE = 16, DEEPEST = 24;
  const number = (n) => n.toLocaleString("en");
  const bytesOf = (n) => number(n) + (n === 1 ? " byte" : " bytes");

  // The spans of all spaces in one row, each space after a title where there are several:
  // its first bit and its number of bits, counted in its space.
  const TITLE = data.roles.push("title") - 1;
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
    space.row = Math.floor(space.base / PER_LINE);
    if (titles) add([0, -1, TITLE, -1, space.name, "", bytesOf(space.len)], 0, 8 * space.len);
    space.first = spans.length;
    let at = space.from;
    for (const span of space.spans) {
      add(span, at, span[0] * space.unit);
      at += span[0] * space.unit;
    }
    space.last = spans.length;
    space.spans = null;
  });
  const count = spans.length;
  const ends = new Uint32Array(count); // one past the last span inside a value
  {
    const open = [];
    spans.forEach(([, depth], index) => {
      while (open.length && spans[open[open.length - 1]][1] >= depth) ends[open.pop()] = index;
      open.push(index);
    });
    for (const index of open) ends[index] = count;
  }
  const role = (index) => data.roles[spans[index][2]];
  const isValue = (index) => spans[index][4] !== "";
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
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const hexOf = (number) => number.toString(16).padStart(8, "0");
  const addressWidth = data.spaces.some((space) => space.unit === 1) ? 10 : 8;
  const addressOf = (index) => {
    if (role(index) === "title") return " ".repeat(addressWidth);
    const bit = starts[index] % 8;
    return (hexOf(Math.floor(starts[index] / 8)) + (bit ? "." + bit : "")).padEnd(addressWidth);
  };

  // The lines of the pane of bytes: those of each space after those of the one before it.
  let lineCount = 0;
  for (const space of data.spaces) {
    space.line = lineCount;
    lineCount += (titles ? 1 : 0) + Math.ceil(space.shown / PER_LINE) - space.row;
  }

  // A pane that holds as many lines as the data has and draws those in sight.
  const pane = (host, lines, draw) => {
    const all = make("div", "all"), view = make("div", "view");
    all.append(view);
    host.append(all);
    const redraw = () => {
      const first = Math.max(0, Math.floor(host.scrollTop / ROW) - 4);
      const last = Math.min(lines(), first + Math.ceil(host.clientHeight / ROW) + 8);
      all.style.height = lines() * ROW + 12 + "px";
      view.style.top = first * ROW + 6 + "px";
      const drawn = [];
      for (let line = first; line < last; line++) drawn.push(draw(line));
      view.replaceChildren(...drawn);
      light();
    };
    const show = (line) => {
      const top = line * ROW, height = host.clientHeight;
      if (top < host.scrollTop || top + 2 * ROW > host.scrollTop + height) {
        host.scrollTop = Math.max(0, top - height / 3);
        redraw();
      }
    };
    host.addEventListener("scroll", redraw, { passive: true });
    return { host, view, redraw, show };
  };

  // State: folded values, the lines of the tree, the span under the pointer, the pinned one.
  const folded = new Set();
  let visible = [], lineOf = new Map(), hovered = -1, pinned = -1;
  let hits = [], hitSet = new Set();

  const list = () => {
    const every = byId("every").checked;
    visible = [];
    for (let index = 0; index < count; ) {
      if (every || isValue(index) || isOdd(index)) visible.push(index);
      index = folded.has(index) ? ends[index] : index + 1;
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
  // The line of a span, or of the nearest value around it that has one.
  const lineFor = (index) => {
    if (lineOf.has(index)) return lineOf.get(index);
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
    const start = (line - space.line - (titles ? 1 : 0) + space.row) * PER_LINE;
    const end = Math.min(start + PER_LINE, space.shown);
    row.append(make("span", "at", hexOf(start)));
    const letters = [];
    for (let at = start; at < start + PER_LINE; at++) {
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
    if (hitSet.has(index)) row.classList.add("hit");
    row.append(make("span", "at", addressOf(index)));
    row.append("  ".repeat(Math.max(Math.min(depth, DEEPEST), 0)) + (depth > DEEPEST ? depth + "› " : ""));
    const opens = hasLines(index);
    const fold = make("span", "fold", opens ? (folded.has(index) ? "▸" : "▾") : "");
    if (opens) fold.dataset.fold = index;
    row.append(fold);
    if (kind) {
      if (place >= 0) row.append(make("span", "name", data.places[place][1]), ": ");
      row.append(make("span", "kind", kind));
      if (meaning) row.append(make("span", "words", ", " + meaning));
    } else {
      row.append(make("span", "words", meaning));
    }
    const like = role(index) !== "header" ? role(index) : /^[&^]?"/.test(value) ? "text"
      : /^[-(\d]|^(true|false)$/.test(value) && !/^\d+ [a-z]/.test(value) ? "data" : "";
    if (value) row.append(make("span", "says " + like, value));
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
      cell.classList.toggle("lit", own <= index && index <= last);
      cell.classList.toggle("soft", last > index && own < inside);
    }
    for (const row of tree.view.children) {
      const own = +row.dataset.span;
      row.classList.toggle("lit", own === line);
      row.classList.toggle("within", own > index && own < inside);
    }
    tell(index);
  }

  const tell = (index) => {
    const status = byId("status");
    const hint = make("span", "hint", pinned >= 0 ? "Esc lets go" : "click pins · arrows move · / searches");
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
    bytes.show(space.line + (titles && role(index) !== "title" ? 1 : 0) + Math.floor(at / PER_LINE) - space.row);
  };
  // The place of a span in the page's address: `#0x1f` in the input, `#2:0x1f` in another space.
  const anchorOf = (index) =>
    (spaceOf[index] ? spaceOf[index] + ":" : "") + "0x" + Math.floor(starts[index] / 8).toString(16);
  const pin = (index) => {
    pinned = index;
    if (index >= 0) {
      showBytes(index);
      tree.show(lineFor(index));
      history.replaceState(null, "", "#" + anchorOf(index));
    }
    light();
  };
  const toggle = (index) => {
    if (!folded.delete(index)) folded.add(index);
    list();
    tree.redraw();
  };

  for (const [own, other] of [[bytes, tree], [tree, bytes]]) {
    own.host.addEventListener("mouseover", (event) => {
      const index = spanOf(event);
      if (pinned >= 0 || index === hovered) return;
      hovered = index;
      if (index >= 0) {
        if (other === tree) tree.show(lineFor(index)); else showBytes(index);
      }
      light();
    });
    own.host.addEventListener("mouseleave", () => {
      hovered = -1;
      if (pinned < 0) light();
    });
    own.host.addEventListener("click", (event) => {
      const fold = event.target.closest("[data-fold]");
      if (fold) return toggle(+fold.dataset.fold);
      const index = spanOf(event);
      if (index >= 0) pin(index === pinned ? -1 : index);
    });
  }
  tree.host.addEventListener("dblclick", (event) => {
    const index = spanOf(event);
    if (index >= 0 && hasLines(index)) toggle(index);
  });

  // Search: an offset, or words of path, meaning or value.
  const find = byId("find");
  let turn = -1;
  const search = () => {
    const words = find.value.trim().toLowerCase();
    hits = [];
    turn = -1;
    if (/^(0x|@)[0-9a-f]+$/.test(words)) {
      const offset = parseInt(words.replace(/^(0x|@)/, ""), 16);
      data.spaces.forEach((space, number) => {
        if (offset >= space.base && offset < space.shown) hits.push(spanAt(number, 8 * offset));
      });
    } else if (words) {
      for (let index = 0; index < count; index++) {
        const text = spans[index].slice(4).join("\n") + (isValue(index) ? "\n" + pathOf(index) : "");
        if (text.toLowerCase().includes(words)) hits.push(index);
      }
    }
    hitSet = new Set(hits);
    byId("hits").textContent = words ? (hits.length ? hits.length + " found" : "nothing") : "";
    tree.redraw();
    if (hits.length) tree.show(lineFor(hits[0]));
  };
  const next = (by) => {
    if (!hits.length) return;
    turn = (turn + by + hits.length) % hits.length;
    byId("hits").textContent = turn + 1 + " of " + hits.length;
    pin(hits[turn]);
  };
  let waiting = 0;
  find.addEventListener("input", () => {
    turn = -1;
    clearTimeout(waiting);
    waiting = setTimeout(search, 120);
  });
  find.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (turn < 0) {
      clearTimeout(waiting);
      search();
    }
    next(event.shiftKey ? -1 : 1);
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target === find;
    if (event.key === "Escape") {
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

  byId("every").addEventListener("change", () => {
    list();
    tree.redraw();
    if (current() >= 0) tree.show(lineFor(current()));
  });
  window.addEventListener("resize", () => {
    bytes.redraw();
    tree.redraw();
  });

  // What is to be said before anything else.
  byId("size").textContent = data.spaces.map((space) => bytesOf(space.len)).slice(0, 3).join(" + ")
    + (data.spaces.length > 3 ? " + …" : "") + ", " + number(data.spanCount) + " spans";
  const notes = byId("notes");
  if (data.error !== null) {
    const note = make("p", "note wrong", "error: " + data.error);
    note.addEventListener("click", () => {
      const at = spans.findIndex((_, index) => role(index) === "error" || role(index) === "not_reached");
      if (at >= 0) pin(at);
    });
    notes.append(note);
  }
  if (data.unlisted) notes.append(make("p", "note", bytesOf(data.unlisted) + " are left out of this page."));
  list();
  bytes.redraw();
  tree.redraw();
  const asked = /^#(?:(\d+):)?0x([0-9a-f]+)$/.exec(location.hash);
  const space = asked && +(asked[1] ?? 0);
  if (asked && data.spaces[space]?.last > data.spaces[space].first) pin(spanAt(space, 8 * parseInt(asked[2], 16)));
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
  else unpacked(own.textContent).then(start);
}
