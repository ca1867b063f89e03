import { beside } from "./load.js";

export { Gamewire, GamewireError } from "./gamewire.js";

export default await beside("./godot.wasm");
