//! Names that generated Rust cannot have.

/// Keywords that can be names with `r#` in front.
const KEYWORDS: [&str; 48] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Words that cannot be names even so.
const NEVER: [&str; 6] = ["self", "Self", "super", "crate", "_", ""];

/// The name as Rust can have it: `type` as `r#type`, `self` as `self_`.
pub(super) fn free(name: String) -> String {
    if NEVER.contains(&name.as_str()) {
        format!("{name}_")
    } else if KEYWORDS.contains(&name.as_str()) {
        format!("r#{name}")
    } else {
        name
    }
}
