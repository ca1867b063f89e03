// How values of each type are edited, and which new ones there are.
import type { Row } from "./document";

export type Field = "switch" | "number" | "whole" | "text" | "long" | "date" | "color" | "vector" | "choice" | "bytes" | "none";

/** Kinds that a value may get, with the value that a new one has. */
const NEW: Record<string, [string, string][]> = {
  "godot-variant": [["int", "0"], ["float", "0"], ["String", '""'], ["StringName", '""'], ["bool", "false"], ["Dictionary", "{}"], ["Array", "[]"], ["Vector2", "Vector2(0, 0)"], ["Vector2i", "Vector2i(0, 0)"], ["Vector3", "Vector3(0, 0, 0)"], ["Color", "Color(1, 1, 1, 1)"]],
  "o3de-json": [["integer", "0"], ["double", "0.0"], ["string", '""'], ["bool", "false"], ["null", "null"], ["object", "{}"], ["array", "[]"]],
  json: [["number", "0"], ["string", '""'], ["bool", "false"], ["null", "null"], ["object", "{}"], ["array", "[]"]],
  "resonite-brson": [["int32", "0"], ["int64", "0"], ["double", "0"], ["string", '""'], ["bool", "false"], ["null", "null"], ["document", "{}"], ["array", "[]"]],
};

/** The kinds of a file: one of JSON has those of JSON, whichever format it is of. */
export const newKinds = (format: string, near: Row | undefined): [string, string][] => {
  const all = NEW[format] ?? [];
  const isJson = format === "godot-variant" && near && /^(number|string|array|object|null)$/.test(near.kind);
  return isJson ? NEW.json! : all;
};

export const isBytes = (row: Row) => /^(PackedByteArray|binary|bytes)$/i.test(row.kind);

export const fieldOf = (row: Row): Field => {
  if (isBytes(row)) return "bytes";
  if (row.isList !== null || row.wrong) return "none";
  if (row.choices.length) return "choice";
  if (row.parts) return /color/i.test(row.type || row.kind) ? "color" : row.parts.length <= 4 ? "vector" : "none";
  if (typeof row.value === "boolean") return "switch";
  if (typeof row.value === "number") return /int|byte|short|long|whole|^(gid|number)$/i.test(row.kind) && Number.isInteger(row.value) ? "whole" : "number";
  if (row.isCut || row.text.includes("\n") || row.text.length > 80) return "long";
  if (typeof row.value === "string") return /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(row.value) ? "date" : "text";
  return "none";
};

/** The key or identifier elsewhere in the file that a value names. */
export const namedBy = ({ key, kind, type, text }: Row, format: string): string | undefined => {
  if (format === "resonite-brson") return /ID$/i.test(key) ? undefined : /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.exec(text)?.[0];
  if (format === "o3de-json") return key === "Id" ? undefined : /^(?:\.\.\/)*((?:Entity|Instance)_\[\d+\]|ContainerEntity)(?:\/|$)/.exec(text)?.[1];
  const [node, property] = key.split(":");
  if (kind !== "NodePath" || !property) return /^(Sub|Ext)Resource\(".*"\)$/.exec(type)?.[0];
  const way = node!.split("/");
  for (const step of text.split(":")[0]!.split("/")) if (step === "..") way.pop(); else if (step && step !== ".") way.push(step);
  return way.join("/");
};

/** A value as `set` takes it. */
export const quoted = (text: string) => JSON.stringify(text);

export const hexOf = (bytes: ArrayLike<number>) => Array.from(bytes, (own) => own.toString(16).padStart(2, "0"));

/** Whether paths of a document are pointers. */
const join = (around: string, isPointer: boolean, step: string) => `${around === "(root)" ? "" : around}${isPointer ? `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}` : step}`;

export const pathIn = (around: Row, key: string | number, isPointer: boolean) => {
  if (isPointer) return join(around.path, true, String(key));
  if (typeof key === "number") return join(around.path, false, `[${key}]`);
  if (around.kind === "settings") return key;
  const isName = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key);
  return join(around.path, false, isName ? (around.path === "(root)" ? key : `.${key}`) : `[${quoted(key)}]`);
};

/** A path as people read it. */
export const shownPath = (path: string) => (path.startsWith("/") ? path.slice(1).replaceAll("/", " › ") : path.replaceAll(".", " › "));
