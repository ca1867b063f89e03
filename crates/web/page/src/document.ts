// Documents that are open in the worker.
import type { Change, Edit, MergeResult, OpenDocument, Row, Settings, State, ValueOf, Way } from "../../npm/gamewire.js";

export type { Change, Edit, MergeResult, Row, Settings, State, ValueOf, Way };

export class Refusal extends Error {
  constructor(message: string, readonly hint?: string) {
    super(message);
  }
}

const waiting = new Map<number, { done: (made: any) => void; failed: (why: Refusal) => void }>();
let worker: Worker, calls = 0;

const call = <T>(of: number | undefined, method: string, ...args: unknown[]): Promise<T> =>
  new Promise((done, failed) => {
    waiting.set(++calls, { done, failed });
    worker.postMessage({ call: calls, of, method, args });
  });

/** Starts the worker, with the script and the module that stand in the page. */
export const start = () => {
  const script = document.getElementById("worker")!.textContent!;
  worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
  worker.onmessage = ({ data: { call, made, error } }) => {
    const own = waiting.get(call)!;
    waiting.delete(call);
    if (error) own.failed(new Refusal(error.message, error.hint));
    else own.done(made);
  };
  const packed = Uint8Array.from(atob(document.getElementById("module")!.textContent!), (own) => own.charCodeAt(0));
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(plain).arrayBuffer().then((bytes) => call<void>(undefined, "load", bytes));
};

/** Asks the module for something of a file that is not open. */
export const ofFile = <T>(method: "entries" | "entry" | "withEntry", ...args: unknown[]) => call<T>(undefined, method, ...args);

type About = Pick<OpenDocument, "id" | "format" | "about" | "caution" | "unsure">;

/** A document; each method is that of the npm package, later. */
export class Doc {
  private constructor(readonly is: About) {}

  static async open(file: Uint8Array, settings: Settings, now?: Uint8Array): Promise<Doc> {
    return new Doc(await call<About>(undefined, "open", file, settings, now));
  }

  #call<T>(method: string, ...args: unknown[]): Promise<T> {
    return call<T>(this.is.id, method, ...args);
  }

  #other(other?: Doc) {
    return other && { document: other.is.id };
  }

  async fork() {
    return new Doc(await this.#call<About>("fork"));
  }

  async merged(base: Doc | undefined, theirs: Doc, sides: string[]) {
    return new Doc(await this.#call<About>("merged", base?.is.id, theirs.is.id, sides));
  }

  children = (way: Way, from: number, count: number) => this.#call<Row[]>("children", way, from, count);
  row = (way: Way) => this.#call<Row>("row", way);
  value = (way: Way) => this.#call<ValueOf>("value", way);
  edit = (edits: Edit[]) => this.#call<State>("edit", edits);
  undo = () => this.#call<State>("undo");
  redo = () => this.#call<State>("redo");
  changes = (other?: Doc) => this.#call<Change[]>("changes", this.#other(other));
  take = (changes: Change[], other?: Doc) => this.#call<State>("take", changes, this.#other(other));
  find = (text: string, after: Way, budget: number) => this.#call<{ hits: Way[]; next: Way | null }>("find", text, after, budget);
  wayOf = (path: string) => this.#call<Way>("wayOf", path);
  wayAt = (offset: number) => this.#call<Way>("wayAt", offset);
  bytes = (from: number, count: number) => this.#call<Uint8Array<ArrayBuffer>>("bytes", from, count);
  save = () => this.#call<Uint8Array<ArrayBuffer>>("save");
  original = () => this.#call<Uint8Array<ArrayBuffer>>("original");
  merge = (base: Doc | undefined, theirs: Doc) => this.#call<MergeResult>("merge", this.#other(base), this.#other(theirs));
  close = () => this.#call<void>("close");
}
