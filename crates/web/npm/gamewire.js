// The questions to the module of WebAssembly, and its answers.

const encoder = new TextEncoder(), decoder = new TextDecoder();

/** What is wrong with a file, or with what is asked of it. */
export class GamewireError extends Error {
  constructor({ message, hint, offset, line, column }) {
    super(message);
    Object.assign(this, { name: "GamewireError", hint, offset, line, column });
  }
}

const bytesOf = (data) => typeof data === "string" ? encoder.encode(data)
  : ArrayBuffer.isView(data) ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : new Uint8Array(data);

/** The functions over a module, whose instance is made again where one was lost. */
export class Gamewire {
  #module;
  #instance;

  constructor(module) {
    this.#module = module;
  }

  /** Compiles a module: its bytes, a response that has them, or their address. */
  static async load(source) {
    if (source instanceof WebAssembly.Module) return new this(source);
    if (source instanceof URL || typeof source === "string") source = await fetch(source);
    return new this(await WebAssembly.compile(source instanceof Response ? await source.arrayBuffer() : source));
  }

  /** Asks for something: `call` is the header of the question. */
  ask(call, file, settings = {}, other) {
    const { types = [], solution, ...plain } = settings;
    const files = [["file", file], ["other", other], ["solution", solution], ...[types].flat().map((own) => ["types", own])]
      .filter(([, data]) => data !== undefined).map(([role, data]) => [role, bytesOf(data)]);
    const header = encoder.encode(JSON.stringify({
      ...call, settings: plain, files: files.map(([role, data]) => [role, data.length]),
    }));
    const length = new Uint8Array(new Uint32Array([header.length]).buffer);
    const parts = [length, header, ...files.map(([, data]) => data)];
    this.#instance ??= new WebAssembly.Instance(this.#module, {});
    const { memory, reserve, ask, address } = this.#instance.exports;
    try {
      let at = reserve(parts.reduce((sum, part) => sum + part.length, 0));
      for (const part of parts) {
        new Uint8Array(memory.buffer, at >>> 0).set(part);
        at += part.length;
      }
      const size = ask();
      const answer = new Uint8Array(memory.buffer, address() >>> 0, size).slice();
      reserve(0);
      if (answer[0]) throw new GamewireError(JSON.parse(decoder.decode(answer.subarray(1))));
      return answer.subarray(1);
    } catch (error) {
      if (error instanceof GamewireError) throw error;
      // What stopped in the middle cannot be asked again.
      this.#instance = undefined;
      throw new GamewireError({ message: "not enough memory for this file", hint: { name: "memory", text: String(error) } });
    }
  }

  #text(...question) {
    return decoder.decode(this.ask(...question));
  }

  #json(...question) {
    return JSON.parse(this.#text(...question));
  }

  detect(file, settings) {
    return this.#json({ verb: "detect" }, file, settings);
  }

  decode(file, settings) {
    return this.#text({ verb: "decode", form: "json" }, file, settings);
  }

  plain(file, settings) {
    return this.#json({ verb: "decode", form: "plain" }, file, settings);
  }

  encode(json, settings) {
    return this.ask({ verb: "encode" }, json, settings);
  }

  explain(file, settings) {
    return this.#json({ verb: "explain", form: "json" }, file, settings);
  }

  explainAs(form, file, settings) {
    return this.#text({ verb: "explain", form }, file, settings);
  }

  get(file, paths, settings) {
    return this.#json({ verb: "get", values: [paths].flat().map((path) => [path, ""]) }, file, settings);
  }

  set(file, values, settings) {
    const all = Object.entries(values).map(([path, value]) => [path, typeof value === "string" ? value : JSON.stringify(value)]);
    return this.ask({ verb: "set", values: all }, file, settings);
  }

  diff(file, other, settings) {
    return this.#json({ verb: "diff", form: "json" }, file, settings, other);
  }

  diffPage(file, other, names, settings) {
    return this.#text({ verb: "diff", form: "page", values: [names] }, file, settings, other);
  }

  entries(file, settings) {
    return this.#json({ verb: "entries" }, file, settings);
  }

  entry(file, at, settings) {
    return this.ask({ verb: "entry", at }, file, settings);
  }

  withEntry(file, at, content, settings) {
    return this.ask({ verb: "put", at }, file, settings, content);
  }

  open(file, settings, now) {
    return new OpenDocument(this, this.#json({ verb: "open" }, file, settings, now));
  }
}

/** A file that stays open, and is edited. */
export class OpenDocument {
  #module;

  constructor(module, { id, format, about, caution, unsure }) {
    this.#module = module;
    Object.assign(this, { id, format, about, caution, unsure });
  }

  #ask(verb, more) {
    return this.#module.ask({ verb, id: this.id, ...more });
  }

  #json(verb, more) {
    return JSON.parse(decoder.decode(this.#ask(verb, more)));
  }

  children(way, from = 0, count = 1e9) {
    return this.#json("children", { way, from, count });
  }

  row(way) {
    return this.#json("row", { way });
  }

  value(way) {
    return this.#json("value", { way });
  }

  edit(edits) {
    return this.#json("edit", { edits });
  }

  set(path, value, kind) {
    return this.edit([{ do: "set", path, value, kind }]);
  }

  insert(path, value, kind) {
    return this.edit([{ do: "insert", path, value, kind }]);
  }

  remove(path) {
    return this.edit([{ do: "remove", path }]);
  }

  move(path, to) {
    return this.edit([{ do: "move", path, to }]);
  }

  rename(path, key) {
    return this.edit([{ do: "rename", path, key }]);
  }

  copy(path, key = "") {
    return this.edit([{ do: "copy", path, key }]);
  }

  undo() {
    return this.#json("undo");
  }

  redo() {
    return this.#json("redo");
  }

  changes(other) {
    return this.#json("changes", { other: other?.id });
  }

  take(changes, other) {
    return this.#json("take", { other: other?.id, changes: changes.map((own) => [own.path, own.other]) });
  }

  find(text, after = [], budget = 1e9) {
    return this.#json("find", { text, after, budget });
  }

  wayOf(path) {
    return this.#json("way", { path });
  }

  wayAt(offset) {
    return this.#json("way", { offset });
  }

  bytes(from, count) {
    return this.#ask("bytes", { from, count });
  }

  save() {
    return this.#ask("save");
  }

  original() {
    return this.#ask("original");
  }

  fork() {
    return new OpenDocument(this.#module, this.#json("fork"));
  }

  merge(base, theirs) {
    return this.#json("merge", { base: base?.id, other: theirs.id });
  }

  merged(base, theirs, sides) {
    return new OpenDocument(this.#module, this.#json("merge", { base: base?.id, other: theirs.id, sides }));
  }

  close() {
    this.#json("close");
  }
}
