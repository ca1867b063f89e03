const PATHS = {
  open: "M2 4.5V13h12V6H7.5L6 4.5z", undo: "M6 3 2.5 6.5 6 10M3 6.5h6.5a3.5 3.5 0 0 1 0 7H7", redo: "m10 3 3.5 3.500L10 10m3-3.500H6.500a3.500 3.500 0 0 0 0 7H9",
  fold: "m6 4 4 4-4 4", more: "M3 8h.01M8 8h.01M13 8h.01", add: "M8 3v10M3 8h10", close: "m4 4 8 8m0-8-8 8", changes: "M3 4h10M3 8h6M3 12h8",
  bytes: "M3 4h2v3H3zM8 4v3M11 4h2v3h-2zM4 9.500v3M7 9.500h2v3H7zM12 9.500v3", goto: "M5 11 11 5M6 5h5v5",
};

export const Icon = ({ name }: { name: keyof typeof PATHS }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true" class={name === "more" ? "dots" : undefined}><path d={PATHS[name]} /></svg>
);
