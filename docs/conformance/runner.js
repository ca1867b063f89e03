// The loop of a program for `gamewire conformance`: what an implementation in JavaScript adds is how it reads
// and writes. `read(row, ask)` returns the member that is asked for, `write(row)` the bytes. Both return
// undefined for rows that the implementation does not do, and throw where it refuses.
//
//     import { run } from "./runner.js";
//     run({ read: (row, ask) => ask === "value" ? decode(Buffer.from(row.hex, "hex")) : undefined });
import { createInterface } from "node:readline";

export const run = async ({ read, write }) => {
  for await (const line of createInterface({ input: process.stdin })) {
    const { op, ask, row } = JSON.parse(line);
    let answer;
    try {
      const made = op === "read" ? await read?.(row, ask) : await write?.(row);
      const text = made instanceof Uint8Array ? Buffer.from(made).toString("hex") : made;
      answer = text === undefined ? { skip: `no ${op} of ${row.kind ?? ask}` } : { [ask]: text };
    } catch (error) {
      answer = { error: String(error) };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
};
