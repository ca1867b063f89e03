import { Gamewire } from "./gamewire.js";

/** Loads a module that stands beside this file, in Node.js and in browsers. */
export const beside = async (name) => {
  const url = new URL(name, import.meta.url);
  if (url.protocol !== "file:") return Gamewire.load(url);
  const { readFile } = await import("node:fs/promises");
  return Gamewire.load(await readFile(url));
};
