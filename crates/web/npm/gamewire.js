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

  #ask(verb, form, file, settings = {}, { other, values } = {}) {
    const { types = [], solution, ...plain } = settings;
    const files = [["file", file], ["other", other], ["solution", solution], ...[types].flat().map((own) => ["types", own])]
      .filter(([, data]) => data !== undefined).map(([role, data]) => [role, bytesOf(data)]);
    const header = encoder.encode(JSON.stringify({
      verb, form, values, settings: plain, files: files.map(([role, data]) => [role, data.length]),
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
    return decoder.decode(this.#ask(...question));
  }

  #json(...question) {
    return JSON.parse(this.#text(...question));
  }

  detect(file, settings) {
    return this.#json("detect", "json", file, settings);
  }

  decode(file, settings) {
    return this.#text("decode", "json", file, settings);
  }

  plain(file, settings) {
    return this.#json("decode", "plain", file, settings);
  }

  encode(json, settings) {
    return this.#ask("encode", "json", json, settings);
  }

  explain(file, settings) {
    return this.#json("explain", "json", file, settings);
  }

  explainAs(form, file, settings) {
    return this.#text("explain", form, file, settings);
  }

  get(file, paths, settings) {
    return this.#json("get", "json", file, settings, { values: [paths].flat().map((path) => [path, ""]) });
  }

  set(file, values, settings) {
    const all = Object.entries(values).map(([path, value]) => [path, typeof value === "string" ? value : JSON.stringify(value)]);
    return this.#ask("set", "json", file, settings, { values: all });
  }

  diff(file, other, settings) {
    return this.#json("diff", "json", file, settings, { other });
  }

  diffPage(file, other, names, settings) {
    return this.#text("diff", "page", file, settings, { other, values: [names] });
  }
}
