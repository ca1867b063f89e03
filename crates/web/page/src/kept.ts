// Unsaved work, which survives a reload of the page. Passwords are not kept.
import type { Settings } from "./document";

export interface Kept { name: string; bytes: Uint8Array; now: Uint8Array; settings: Settings; changes: number; at: number }

const store = <T>(mode: IDBTransactionMode, doing: (own: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> =>
  new Promise((done) => {
    const opening = indexedDB.open("gamewire", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("work");
    // A browser that keeps nothing is no reason to stop.
    opening.onerror = () => done(undefined);
    opening.onsuccess = () => {
      const asked = doing(opening.result.transaction("work", mode).objectStore("work"));
      asked.onsuccess = () => { done(asked.result); opening.result.close(); };
      asked.onerror = () => { done(undefined); opening.result.close(); };
    };
  });

export const keep = (own: Kept) => store("readwrite", (all) => all.put(own, "last"));
export const kept = () => store<Kept | undefined>("readonly", (all) => all.get("last"));
export const forget = () => store("readwrite", (all) => all.delete("last"));
