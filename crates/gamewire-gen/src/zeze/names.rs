//! Rust names from Zeze's.

use std::collections::{HashMap, HashSet};

use crate::keywords;

/// Types that the generated code names without a path.
const TAKEN: &str = "BTreeMap BTreeSet Box Clone Debug Default Eq Hash Ord PartialEq PartialOrd Self \
                     String Vec";

/// A name for a type or a variant: `BSimple`, `int_1` → `Int1`.
pub(super) fn of_type(name: &str) -> String {
    let mut out = String::new();
    let mut upper = true;
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '_' {
            // Kept between digits, where it tells two numbers apart.
            let between = out.ends_with(|c: char| c.is_numeric())
                && chars.peek().is_some_and(|next| next.is_numeric());
            if between {
                out.push('_');
            }
            upper = true;
        } else if upper {
            out.extend(c.to_uppercase());
            upper = false;
        } else {
            out.push(c);
        }
    }
    if out.starts_with(|c: char| c.is_numeric()) {
        out.insert(0, 'N');
    }
    if TAKEN.split(' ').any(|taken| taken == out) || out.is_empty() {
        out.push('_');
    }
    out
}

/// A name for a field or a module: `MaxNetPing` → `max_net_ping`.
pub(super) fn of_field(name: &str) -> String {
    keywords::free(snake(name))
}

/// A name for a constant: `ChoiceTypeDefault` → `CHOICE_TYPE_DEFAULT`.
pub(super) fn of_constant(name: &str) -> String {
    snake(name).to_uppercase()
}

fn snake(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut out = String::new();
    let mut before = None;
    for (at, c) in chars.iter().copied().enumerate() {
        let is_next_lower = chars.get(at + 1).is_some_and(|next| next.is_lowercase());
        let starts_word = c.is_uppercase()
            && before.is_some_and(|before: char| {
                before != '_' && (!before.is_uppercase() || is_next_lower)
            });
        if starts_word {
            out.push('_');
        }
        out.extend(c.to_lowercase());
        before = Some(c);
    }
    if out.starts_with(|c: char| c.is_numeric()) {
        out.insert(0, '_');
    }
    out
}

/// The names of one scope; a name that is taken gets a `_` behind it, two, and from the third on a
/// number.
#[derive(Debug, Default)]
pub(super) struct Scope {
    taken: HashSet<String>,
    /// How often a name was wanted.
    wanted: HashMap<String, usize>,
}

impl Scope {
    pub(super) fn take(&mut self, name: String) -> String {
        let wanted = self.wanted.entry(name.clone()).or_default();
        loop {
            let own = match *wanted {
                0 => name.clone(),
                1 => format!("{name}_"),
                2 => format!("{name}__"),
                more => format!("{name}_{more}"),
            };
            *wanted += 1;
            if self.taken.insert(own.clone()) {
                return own;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_rusts_conventions() {
        let types =
            ["BValue", "int_1", "v1_2", "string", "2d", "self", "中文", "a__b"].map(of_type);
        assert_eq!(types, ["BValue", "Int1", "V1_2", "String_", "N2d", "Self_", "中文", "AB"]);
        for (name, field) in [
            ("int_1", "int_1"),
            ("ServerId", "server_id"),
            ("HTTPServer", "http_server"),
            ("NPC", "npc"),
            ("vector2Int", "vector2_int"),
            ("linkSids", "link_sids"),
            ("type", "r#type"),
            ("Self", "self_"),
            ("x2Y", "x2_y"),
            ("a_B", "a_b"),
            ("super", "super_"),
            ("2d", "_2d"),
        ] {
            assert_eq!(of_field(name), field);
        }
        assert_eq!(of_constant("ChoiceTypeDefault"), "CHOICE_TYPE_DEFAULT");
    }

    #[test]
    fn a_scope_has_each_name_once() {
        let mut scope = Scope::default();
        assert_eq!(
            ["A", "B", "A", "A", "A", "A_3", "A"].map(|name| scope.take(name.into())),
            ["A", "B", "A_", "A__", "A_3", "A_3_", "A_4"]
        );
    }
}
