export * from "./gamewire.js";
import type { Gamewire } from "./gamewire.js";

declare const gamewire: Gamewire;
export default gamewire;
