/** A file: its bytes, or its text. */
export type Data = string | ArrayBuffer | ArrayBufferView;

export type Format = "godot-resource" | "godot-variant" | "o3de-json" | "kiwi-pclass" | "resonite-brson" | "zeze-serialize";

/** How a file is read and written; the names and values are those of the tool's options. */
export interface Settings {
  /** The format; without it, that of the bytes and the name. */
  format?: Format;
  /** The name of the file, which may say what the bytes do not. */
  name?: string;
  /** Refuses data that would not be written back the same. */
  strict?: boolean;
  maxDepth?: number;
  /** The most bytes of memory that a call may take. */
  maxMemory?: number;

  // Godot
  dialect?: "godot4" | "godot3" | "docs";
  precision?: "keep" | "single" | "double";
  framing?: "auto" | "bare" | "store-var" | "store-var-be" | "base64" | "project" | "mixed" | "json" | "text" | "config";
  /** Reads and writes whole objects. */
  objects?: boolean;
  /** The password of an encrypted file. */
  password?: string;
  /** The key of an encrypted file, 64 hexadecimal digits. */
  key?: string;
  /** Where the values begin. */
  offset?: number;
  partialFrames?: boolean;

  // O3DE
  trailingCommas?: boolean;

  // PropertyClass
  /** Type lists in JSON or in XML, which say what the bytes do not. */
  types?: Data | Data[];
  /** Whose hashes type lists have that do not say them. */
  game?: "wizard101" | "pirate101";
  unknown?: "refuse" | "skip" | "keep";
  skipDeprecated?: boolean;
  mode?: "shallow" | "deep";
  flags?: number;
  mask?: number;
  form?: "auto" | "bind" | "bare" | "zlib" | "envelope" | "xml";
  /** Objects have the headers of core objects, of the core types that are known. */
  coreTypes?: boolean;

  // Resonite
  container?: "brson" | "7zbson" | "lz4bson" | "bson" | "lz4-frame" | "lzma-alone" | "legacy-brson" | "legacy-7zbson" | "legacy-lz4bson";
  relaxed?: boolean;
  duplicates?: boolean;
  /** The most bytes that a file may be decompressed to. */
  maxOutput?: number;

  // Zeze
  frames?: "auto" | "none" | "sent" | "page";
  /** The text of a solution, by whose names fields and beans are shown and given. */
  solution?: Data;
  /** The bean at the root, by its name in the solution. */
  bean?: string;
}

/** A value of a file. */
export interface Value {
  path: string;
  /** The kind, in the words of the format. */
  kind: string;
  /** The value as `set` takes it. */
  text: string;
  /** The value as plain JSON. */
  value: unknown;
}

/** A difference of two files. */
export interface Difference {
  path: string;
  /** The name for people of what it is in. */
  about?: string;
  change: "changed" | "added" | "removed" | "type" | "renamed" | "reordered";
  old?: string;
  new?: string;
}

/** The meaning of some bytes; the members are those of `gamewire explain --json`. */
export interface Explanation {
  spans: Record<string, unknown>[];
  [member: string]: unknown;
}

/** What is wrong with a file, or with what is asked of it. */
export class GamewireError extends Error {
  /** A way out: a name that does not change, such as `secret`, and a sentence that names settings. */
  readonly hint: { name: string; text: string } | null;
  /** The byte at which it is. */
  readonly offset: number | null;
  /** Line and column in a text file, from 1. */
  readonly line: number | null;
  readonly column: number | null;
}

/** The functions; each throws a `GamewireError` where a file cannot be read or written so. */
export class Gamewire {
  private constructor();
  /** Compiles a module: its bytes, a response that has them, or their address. */
  static load(source: BufferSource | WebAssembly.Module | Response | URL | string): Promise<Gamewire>;
  /** The format of a file and what is around its data, or `null`. */
  detect(file: Data, settings?: Settings): { format: Format; about: string } | null;
  /** The lossless JSON notation, of which `encode` makes the same file again. */
  decode(file: Data, settings?: Settings): string;
  /** The data as plain JSON, of which no file can be made again. */
  plain(file: Data, settings?: Settings): unknown;
  /** A file of the JSON notation; the settings name its format. */
  encode(json: Data, settings: Settings & { format: Format }): Uint8Array;
  /** What each byte means. */
  explain(file: Data, settings?: Settings): Explanation;
  /** The same as a table of lines, or as a page for a browser. */
  explainAs(form: "text" | "page", file: Data, settings?: Settings): string;
  /** The values that paths lead to; `*` stands for any step, `**` for any number of them. */
  get(file: Data, paths: string | string[], settings?: Settings): Value[];
  /** The file with other values at paths. What is not changed keeps its bytes. */
  set(file: Data, values: Record<string, unknown>, settings?: Settings): Uint8Array;
  /** The differences of two files by value. */
  diff(file: Data, other: Data, settings?: Settings): Difference[];
  /** The same as a page, with the names of the files. */
  diffPage(file: Data, other: Data, names: [string, string], settings?: Settings): string;
  /** The names of the entries of an archive or a package, or `null` for another file. */
  entries(file: Data, settings?: Settings): string[] | null;
  /** The content of an entry, by its place among the names. */
  entry(file: Data, at: number, settings?: Settings): Uint8Array<ArrayBuffer>;
  /** The file with another content of an entry. */
  withEntry(file: Data, at: number, content: Data, settings?: Settings): Uint8Array<ArrayBuffer>;
  /** Opens a file to be edited. `now` is what was made of it before. */
  open(file: Data, settings?: Settings, now?: Data): OpenDocument;
}

/** Positions that lead to a value, each in the value before. */
export type Way = number[];

/** A value as a row. */
export interface Row {
  key: string;
  path: string;
  kind: string;
  type: string;
  /** How many values are in it; `null` where none may be. */
  count: number | null;
  isList: boolean | null;
  /** The value for people, of at most 200 characters; of a dictionary, its first values. */
  text: string;
  isCut: boolean;
  /** The value as plain JSON, unless it is long. */
  value: unknown;
  /** The components of a vector. */
  parts: { key: string; path: string; text: string }[] | null;
  /** The names of which it is one, where the types list them. */
  choices: string[];
  /** Why it cannot be shown. */
  wrong: string | null;
  /** Where it stands in `bytes`. */
  range: [number, number];
}

export interface ValueOf {
  row: Row;
  /** The whole value as `set` takes it. */
  text: string;
  value: unknown;
}

/** A change of a value: paths are those before it. */
export type Edit =
  | { do: "set" | "insert"; path: string; value: string; kind?: string | null }
  | { do: "remove"; path: string }
  | { do: "move"; path: string; to: number }
  | { do: "rename" | "copy"; path: string; key: string };

export interface State {
  /** How many steps can be undone, and done again. */
  undo: number;
  redo: number;
  /** The bytes of the body. */
  length: number;
}

/** What differs from the document as it was opened, or from another one. */
export interface Change {
  path: string;
  /** The path in the other document. */
  other: string;
  change: "changed" | "added" | "removed" | "type" | "renamed" | "reordered";
  now: string | null;
  was: string | null;
  about: string | null;
}

export interface MergeResult {
  conflicts: { path: string; name: string | null; base: string | null; ours: string | null; theirs: string | null; message: string | null }[];
  /** What comes from the other side without a conflict. */
  taken: Change[];
}

/** A file that stays open, and is edited. Errors leave it as it was. */
export class OpenDocument {
  private constructor();
  readonly id: number;
  readonly format: Format;
  readonly about: string;
  /** What to know before it is changed, such as that it has a checksum. */
  readonly caution: string | null;
  /** Why its values may not be those that were meant, and the setting that says which are; until then no change is made. */
  readonly unsure: { message: string; hint: { name: string; text: string } | null } | null;
  /** The values in one. */
  children(way: Way, from?: number, count?: number): Row[];
  row(way: Way): Row;
  /** The row with the whole value. */
  value(way: Way): ValueOf;
  /** Makes changes, which are one step of `undo`. */
  edit(edits: Edit[]): State;
  set(path: string, value: string, kind?: string): State;
  insert(path: string, value: string, kind?: string): State;
  remove(path: string): State;
  move(path: string, to: number): State;
  rename(path: string, key: string): State;
  copy(path: string, key?: string): State;
  undo(): State;
  redo(): State;
  /** What changed since it was opened, or how it differs from another document. */
  changes(other?: OpenDocument): Change[];
  /** Takes changes back, or differences over from the other document. */
  take(changes: Change[], other?: OpenDocument): State;
  /** Ways to values that have a text in key or value, from a way on; `next` where the budget of values ends. */
  find(text: string, after?: Way, budget?: number): { hits: Way[]; next: Way | null };
  wayOf(path: string): Way;
  /** The innermost value that a byte belongs to. */
  wayAt(offset: number): Way;
  /** Bytes of the values; what is around them, such as encryption, is open. */
  bytes(from: number, count: number): Uint8Array<ArrayBuffer>;
  /** The file as it is now. */
  save(): Uint8Array<ArrayBuffer>;
  /** The file as it was opened. */
  original(): Uint8Array<ArrayBuffer>;
  /** The same document, to be changed apart. */
  fork(): OpenDocument;
  merge(base: OpenDocument | undefined, theirs: OpenDocument): MergeResult;
  /** The merged document, with `ours` or `theirs` for each conflict. */
  merged(base: OpenDocument | undefined, theirs: OpenDocument, sides: string[]): OpenDocument;
  close(): void;
}
