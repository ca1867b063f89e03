"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const ROW = 20, PER_LINE = 16, DEEPEST = 24;

  // Spans as columns: offset, length, depth, role, place, meaning, value.
  const count = data.spans.length;
  const offsets = new Float64Array(count + 1);
  const ends = new Uint32Array(count); // one past the last span inside a value
  {
    const open = [];
    let at = 0;
    data.spans.forEach(([len, depth], index) => {
      offsets[index] = at;
      at += len;
      while (open.length && data.spans[open[open.length - 1]][1] >= depth) ends[open.pop()] = index;
      open.push(index);
    });
    offsets[count] = at;
    for (const index of open) ends[index] = count;
  }
  const shownBytes = data.hex.length / 2;
  const role = (index) => data.roles[data.spans[index][2]];
  const isValue = (index) => role(index) === "header";
  const isOdd = (index) => ["comment", "error", "not_reached", "omitted"].includes(role(index));
  const byteAt = (offset) => data.hex.slice(2 * offset, 2 * offset + 2);

  const steps = (place) => {
    const steps = [];
    for (; place >= 0 && steps.length < 64; place = data.places[place][0]) steps.unshift(data.places[place][1]);
    return [steps, place >= 0];
  };
  const pathOf = (index) => {
    const [found, cut] = steps(data.spans[index][3]);
    const escaped = (step) => step.replace(/^\[(\d+)\]$/, "$1").replaceAll("~", "~0").replaceAll("/", "~1");
    return (cut ? "…" : "") + found.map((step) => "/" + escaped(step)).join("");
  };
  const spanAt = (offset) => {
    let low = 0, high = count;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (offsets[middle] <= offset) low = middle; else high = middle;
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
    const start = line * PER_LINE, end = Math.min(start + PER_LINE, shownBytes);
    row.append(make("span", "at", hexOf(start)));
    const letters = [];
    let index = spanAt(start);
    for (let at = start; at < start + PER_LINE; at++) {
      const gap = at - start === 8 ? " gap" : "";
      if (at >= end) {
        row.append(make("b", gap, "  "));
        continue;
      }
      while (index + 1 < count && offsets[index + 1] <= at) index++;
      const cell = make("b", role(index) + gap, byteAt(at));
      const code = parseInt(byteAt(at), 16);
      const plain = code >= 32 && code < 127;
      const letter = make("i", role(index) + (at === start ? " first" : "") + (plain ? "" : " dot"),
        plain ? String.fromCharCode(code) : "·");
      cell.dataset.span = letter.dataset.span = index;
      row.append(cell);
      letters.push(letter);
    }
    row.append(...letters);
    return row;
  };

  const drawSpan = (line) => {
    const index = visible[line];
    const [len, depth, , place, meaning, value] = data.spans[index];
    const row = make("div", "line " + role(index));
    row.dataset.span = index;
    if (hitSet.has(index)) row.classList.add("hit");
    row.append(make("span", "at", hexOf(offsets[index])));
    row.append("  ".repeat(Math.min(depth, DEEPEST)) + (depth > DEEPEST ? depth + "› " : ""));
    const opens = hasLines(index);
    const fold = make("span", "fold", opens ? (folded.has(index) ? "▸" : "▾") : "");
    if (opens) fold.dataset.fold = index;
    row.append(fold);
    const [words, note] = meaning.split(" · ", 2);
    let said = value;
    if (isValue(index)) {
      const step = place >= 0 ? data.places[place][1] : "";
      const kind = words.replace(/^type /, "");
      if (step) row.append(make("span", "name", step), ": ");
      row.append(make("span", "kind", kind));
    } else {
      row.append(make("span", "words", words));
    }
    const like = !isValue(index) ? role(index) : /^"/.test(said) ? "text" : /^[-(\d]|^(true|false)$/.test(said)
      && !/^\d+ [a-z]/.test(said) ? "data" : "";
    if (said) row.append(make("span", "says " + like, said));
    if (note) row.append(make("span", "more", "· " + meaning.slice(words.length + 3)));
    return row;
  };

  const current = () => (pinned >= 0 ? pinned : hovered);

  function light() {
    const index = current();
    const inside = index >= 0 && isValue(index) ? ends[index] : index + 1;
    const line = index >= 0 ? visible[lineFor(index)] : -1;
    document.body.classList.toggle("pinned", pinned >= 0);
    for (const cell of bytes.view.querySelectorAll("[data-span]")) {
      const own = +cell.dataset.span;
      cell.classList.toggle("lit", own === index);
      cell.classList.toggle("soft", own > index && own < inside);
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
    const [len, , , , meaning, value] = data.spans[index];
    const from = offsets[index];
    const bytes = len === 1 ? "1 byte" : len + " bytes";
    status.replaceChildren(
      make("span", "path", pathOf(index) || "the root"),
      make("span", role(index), meaning),
      make("span", "value", value),
      make("span", "", "0x" + from.toString(16) + (len > 1 ? "–0x" + (from + len - 1).toString(16) : "") + ", " + bytes),
      hint);
  };

  const bytes = pane(byId("bytes"), () => Math.ceil(shownBytes / PER_LINE), drawBytes);
  const tree = pane(byId("tree"), () => visible.length, drawSpan);

  const spanOf = (event) => {
    const element = event.target.closest("[data-span]");
    return element ? +element.dataset.span : -1;
  };
  const showBytes = (index) => bytes.show(Math.floor(Math.min(offsets[index], shownBytes - 1) / PER_LINE));
  const pin = (index) => {
    pinned = index;
    if (index >= 0) {
      showBytes(index);
      tree.show(lineFor(index));
      history.replaceState(null, "", "#0x" + offsets[index].toString(16));
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
      if (offset < data.len) hits = [spanAt(offset)];
    } else if (words) {
      for (let index = 0; index < count; index++) {
        const span = data.spans[index];
        const text = span[4] + "\n" + span[5] + (isValue(index) ? "\n" + pathOf(index) : "");
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
  const number = (n) => n.toLocaleString("en");
  byId("size").textContent = number(data.len) + " bytes, " + number(data.spanCount) + " spans";
  const notes = byId("notes");
  if (data.error !== null) {
    const note = make("p", "note wrong", "error: " + data.error);
    note.addEventListener("click", () => {
      const at = data.spans.findIndex((_, index) => role(index) === "error" || role(index) === "not_reached");
      if (at >= 0) pin(at);
    });
    notes.append(note);
  }
  if (shownBytes < data.len || count < data.spanCount) {
    notes.append(make("p", "note", "This page holds the first " + number(shownBytes) + " bytes and "
      + number(count) + " spans; the rest is left out."));
  }
  list();
  bytes.redraw();
  tree.redraw();
  const asked = /^#0x([0-9a-f]+)$/.exec(location.hash);
  if (asked && count && parseInt(asked[1], 16) <= offsets[count]) pin(spanAt(parseInt(asked[1], 16)));
})();
