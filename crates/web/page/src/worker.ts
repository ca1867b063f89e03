// The module, in a thread of its own: each message is a call of a document or of the module.
import { Gamewire, GamewireError, type OpenDocument } from "../../npm/gamewire.js";

let module: Promise<Gamewire>;
const documents = new Map<number, OpenDocument>();

addEventListener("message", async ({ data: { call, of, method, args } }) => {
  try {
    if (method === "load") module = Gamewire.load(args[0]);
    const gamewire = await module;
    let made: unknown;
    if (method === "open" || method === "fork" || method === "merged") {
      const own = of ? documents.get(of)! : undefined;
      const named = (id: number | undefined) => (id ? documents.get(id) : undefined);
      const document = method === "open" ? gamewire.open(args[0], args[1], args[2])
        : method === "fork" ? own!.fork() : own!.merged(named(args[0]), named(args[1])!, args[2]);
      documents.set(document.id, document);
      made = { ...document };
    } else if (!of && method !== "load") {
      made = (gamewire as unknown as Record<string, (...all: unknown[]) => unknown>)[method]!(...args);
    } else if (of) {
      const own = documents.get(of)! as unknown as Record<string, (...all: unknown[]) => unknown>;
      const others = args.map((one: unknown) => (one && typeof one === "object" && "document" in one ? documents.get(one.document as number) : one));
      made = own[method]!(...others);
      if (method === "close") documents.delete(of);
    }
    postMessage({ call, made });
  } catch (error) {
    const { message, hint } = error as GamewireError;
    postMessage({ call, error: { message, hint: hint?.name } });
  }
});
