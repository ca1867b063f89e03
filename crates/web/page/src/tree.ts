// The rows of a document: only those that are looked at are asked for.
import type { Doc, Row, Way } from "./document";

/** Values of one range of a long list: Chromium's elements end at 33 554 428 px. */
const RANGE = 10_000, CHUNK = 128;

/** A value whose row may be known, or a range of values. */
export class Item {
  row?: Row;
  /** The version of the document that the row is of. */
  seen = -1;
  isOpen = false;
  children: Item[] = [];
  /** Those of the children that are open, in order. */
  opened: Item[] = [];
  /** Where a range begins. */
  from = 0;
  isRange = false;
  length = 0;

  constructor(readonly parent: Item | undefined, public index: number) {}

  /** The value that it is, or is a range of. */
  get owner(): Item {
    return this.isRange ? this.parent!.owner : this;
  }

  get position(): number {
    return this.parent?.isRange ? this.parent.from + this.index : this.index;
  }

  get way(): Way {
    const way = [];
    for (let at: Item = this.owner; at.parent; at = at.parent.owner) way.unshift(at.position);
    return way;
  }

  get count() {
    return this.isRange ? this.length : (this.row?.count ?? 0);
  }

  get rows() {
    return !this.isRange && this.count > RANGE ? Math.ceil(this.count / RANGE) : this.count;
  }

  child(index: number): Item {
    const made = (this.children[index] ??= new Item(this, index));
    if (!this.isRange && this.count > RANGE && !made.isRange) {
      made.isRange = true;
      made.from = index * RANGE;
      made.length = Math.min(RANGE, this.count - made.from);
    }
    return made;
  }

  /** The item of a value, through ranges. */
  at(position: number): Item {
    return this.count > RANGE ? this.child(Math.floor(position / RANGE)).child(position % RANGE) : this.child(position);
  }

  get siblings(): Item {
    return this.parent?.owner ?? this;
  }
}

export interface Line { item: Item; level: number }

export class Tree {
  root = new Item(undefined, 0);
  version = 0;
  #lines?: Line[];

  constructor(readonly doc: Doc) {}

  /** Rows of a search, in place of all. A file that is one value is its only row. */
  get lines(): Line[] | undefined {
    return this.#lines ?? (this.root.row?.isList === null ? [{ item: this.root, level: 1 }] : undefined);
  }

  set lines(lines: Line[] | undefined) {
    this.#lines = lines;
  }

  size(item: Item): number {
    return item.isOpen ? item.rows + item.opened.reduce((sum, own) => sum + this.size(own), 0) : 0;
  }

  get length() {
    return this.lines?.length ?? this.size(this.root);
  }

  line(at: number): Line {
    if (this.lines) return this.lines[at]!;
    let parent = this.root, level = 1;
    for (;;) {
      let next = 0, inside: Item | undefined;
      for (const own of parent.opened) {
        const gap = own.index - next;
        if (at <= gap) break;
        at -= gap + 1;
        next = own.index + 1;
        const size = this.size(own);
        if (at < size) { inside = own; break; }
        at -= size;
      }
      if (!inside) return { item: parent.child(next + at), level };
      [parent, level] = [inside, level + 1];
    }
  }

  /** The row of an item, or -1 where something around it is shut. */
  indexOf(item: Item): number {
    if (this.lines) return this.lines.findIndex((own) => own.item === item);
    let at = -1;
    for (let own = item; own.parent; own = own.parent) {
      if (!own.parent.isOpen) return -1;
      at += own.index + 1;
      for (const other of own.parent.opened) if (other.index < own.index) at += this.size(other);
    }
    return at;
  }

  level(item: Item) {
    let level = 0;
    for (let own = item; own.parent; own = own.parent) level++;
    return level;
  }

  fold(item: Item, isOpen = !item.isOpen) {
    item.isOpen = isOpen;
    const all = item.parent?.opened;
    if (!all) return;
    const at = all.indexOf(item);
    if (at >= 0) all.splice(at, 1);
    if (isOpen) all.push(item);
    all.sort((a, b) => a.index - b.index);
  }

  reveal(item: Item) {
    for (let own = item.parent; own; own = own.parent) if (!own.isOpen) this.fold(own, true);
  }

  /** Asks for the rows of lines that are not known as they are now. */
  async load(lines: Line[]) {
    const runs = new Map<Item, [number, number]>();
    for (const { item } of lines) {
      if (item.isRange || item.seen === this.version) continue;
      const run = runs.get(item.parent!);
      runs.set(item.parent!, run ? [Math.min(run[0], item.index), Math.max(run[1], item.index)] : [item.index, item.index]);
    }
    const version = this.version;
    await Promise.all([...runs].map(async ([parent, [low, high]]) => {
      if (!this.lines) [low, high] = [Math.max(0, low - CHUNK / 2), Math.min(parent.rows - 1, high + CHUNK / 2)];
      const rows = await this.doc.children(parent.owner.way, parent.from + low, high - low + 1);
      if (version !== this.version) return;
      rows.forEach((row, i) => {
        const item = parent.child(low + i);
        [item.row, item.seen] = [row, version];
      });
    }));
    return runs.size > 0;
  }

  async know(item: Item) {
    if (item.seen !== this.version) {
      [item.row, item.seen] = [await this.doc.row(item.way), this.version];
    }
    return item.row!;
  }

  /** The item of a way, with what is around it known. */
  async itemAt(way: Way): Promise<Item> {
    let item = this.root;
    for (const at of way) {
      await this.know(item);
      item = item.at(at);
    }
    await this.know(item);
    return item;
  }

  /** Children that came or went: those behind have other positions, and stay open. */
  shift(way: Way, at: number, removed: number, added: number) {
    let item: Item | undefined = this.root;
    for (const own of way) item = item?.isOpen || item?.children.length ? (item.count > RANGE ? undefined : item.children[own]) : undefined;
    if (!item?.row || item.count > RANGE) return;
    item.children.length = Math.max(item.children.length, at + removed);
    item.children.splice(at, removed, ...Array<Item>(added));
    item.children.forEach((own: Item | undefined, index) => { if (own) own.index = index; });
    item.opened = item.children.filter((own: Item | undefined) => own?.isOpen);
    item.row = { ...item.row, count: item.row.count! + added - removed };
  }

  /** Looks again at what is open after a change: shuts what is gone. */
  async refresh() {
    this.version++;
    const again = async (item: Item): Promise<void> => {
      const row = await this.doc.row(item.way);
      const isOther = item.row && item.row.count !== row.count && (row.count! > RANGE || item.row.count! > RANGE);
      [item.row, item.seen] = [row, this.version];
      if (isOther) [item.children, item.opened] = [[], []];
      item.children.length = Math.min(item.children.length, item.rows);
      item.opened = item.opened.filter((own) => own.index < item.rows);
      for (const own of [...item.opened]) {
        if (own.isRange) continue;
        const key = own.row?.key;
        const now = await this.doc.row(own.way).catch(() => undefined);
        const isGone = !now || now.isList === null || (item.row.isList === false && key !== undefined && now.key !== key);
        if (isGone) {
          this.fold(own, false);
          const way = own.row && now ? await this.doc.wayOf(own.row.path).catch(() => undefined) : undefined;
          if (!way || way.length !== item.way.length + 1) continue;
          delete item.children[own.index];
          own.index = way.at(-1)!;
          item.children[own.index] = own;
          this.fold(own, true);
          await again(own);
        } else await again(own);
      }
    };
    await again(this.root);
  }
}
