//! Rust names for the names of a type list, which are C++ names and paths.

use std::collections::HashSet;

use crate::keywords;

/// Names that stand for something else in generated code, and in what the macros make of it.
const TAKEN_TYPES: &str = "AsMut AsRef Bi BitOr Box Bui ByteString CLASSES ClassDef Clone Color \
                           Container Copy Debug Default Deserialize DoubleEndedIterator Drop Eq \
                           Err Euler ExactSizeIterator Extend Fn FnMut FnOnce From \
                           FromIterator Generated Gid Into IntoIterator Iterator Matrix3x3 None \
                           Ok Option Ord Own PartialEq PartialOrd Place Point PropertyDef Ptr \
                           Quaternion RawObject Rect Result S24 Schema Self Send Serialize \
                           Shared Size Sized Some Source String Sync ToOwned ToString TryFrom \
                           TryInto U24 Union Unpin Value Vec Vector3D WString schema";

/// Names that are given once each.
#[derive(Debug, Default)]
pub(crate) struct Names(HashSet<String>);

impl Names {
    /// For types: what the prelude and the generated code use themselves is taken.
    pub(crate) fn of_types() -> Self {
        Names(TAKEN_TYPES.split(' ').map(str::to_owned).collect())
    }

    /// The name, with a number behind it if there is one like it.
    pub(crate) fn claim(&mut self, wanted: String) -> String {
        let mut name = wanted.clone();
        let mut number = 1;
        while !self.0.insert(name.clone()) {
            number += 1;
            let joint = if wanted.ends_with(|c: char| c.is_ascii_digit()) { "_" } else { "" };
            name = format!("{wanted}{joint}{number}");
        }
        name
    }
}

/// `class Arena::Match<class ArenaMap>` as `ArenaMatchArenaMap`.
pub(crate) fn type_name(name: &str) -> String {
    let parts = runs(name).filter(|part| !["class", "struct", "enum", "union"].contains(part));
    let joined: String = parts.map(capitalised).collect();
    led_by(joined, "T")
}

/// `m_globalID.m_full` as `global_id_full`.
pub(crate) fn field_name(name: &str) -> String {
    let steps = name.split('.').map(|step| step.strip_prefix("m_").unwrap_or(step));
    let words: Vec<String> = steps.flat_map(words).map(|word| word.to_ascii_lowercase()).collect();
    keywords::free(led_by(words.join("_"), "_"))
}

/// `Fight::AFTER_MATH` as `AfterMath`.
pub(crate) fn variant_name(name: &str) -> String {
    let last = name.rsplit("::").next().unwrap_or(name);
    let joined: String = words(last).map(|word| capitalised(&recased(word))).collect();
    keywords::free(led_by(joined, "N"))
}

/// `Trait::isFast` as `IS_FAST`.
pub(super) fn constant_name(name: &str) -> String {
    let last = name.rsplit("::").next().unwrap_or(name);
    let words: Vec<String> = words(last).map(|word| word.to_ascii_uppercase()).collect();
    led_by(words.join("_"), "_")
}

/// Words all in capitals are so because the name is.
fn recased(word: &str) -> String {
    if word.chars().any(|c| c.is_ascii_lowercase()) {
        return word.to_owned();
    }
    word.to_ascii_lowercase()
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars).collect()
}

/// A name does not begin with a digit, and is not empty.
fn led_by(name: String, lead: &str) -> String {
    match name.chars().next() {
        Some(c) if !c.is_ascii_digit() => name,
        Some(_) => format!("{lead}{name}"),
        None => format!("{}unnamed", if lead == "_" { "" } else { lead }),
    }
}

/// The parts of a name between what cannot stand in a Rust name.
fn runs(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty())
}

/// The words of a name: `globalID_2x` has `global`, `ID`, `2x`.
fn words(name: &str) -> impl Iterator<Item = &str> {
    runs(name).flat_map(|mut rest| {
        let mut found = Vec::new();
        while !rest.is_empty() {
            let (word, after) = rest.split_at(end_of_word(rest));
            found.push(word);
            rest = after;
        }
        found
    })
}

fn end_of_word(text: &str) -> usize {
    let bytes = text.as_bytes();
    let pairs = bytes.windows(2).zip(1..);
    let mut ends = pairs.filter(|(pair, at)| match pair {
        [a, b] if b.is_ascii_uppercase() => {
            // In `IDList`, `List` is the next word; in `aID` it is `ID`.
            !a.is_ascii_uppercase() || bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase)
        }
        _ => false,
    });
    ends.next().map_or(text.len(), |(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        for (name, expected) in [
            ("class Example", "Example"),
            ("class Arena::Match<class ArenaMap>", "ArenaMatchArenaMap"),
            ("struct tally_sheet", "TallySheet"),
            ("enum Arena::Mode", "ArenaMode"),
            ("class 3D", "T3D"),
            ("class Überfall", "Berfall"),
            ("", "Tunnamed"),
        ] {
            assert_eq!(type_name(name), expected, "{name}");
        }
    }

    #[test]
    fn fields() {
        for (name, expected) in [
            ("m_someString", "some_string"),
            ("m_globalID.m_full", "global_id_full"),
            ("m_", "unnamed"),
            ("type", "r#type"),
            ("self", "self_"),
            ("m_2ndPrize", "_2nd_prize"),
            ("m_IDList", "id_list"),
            ("m_x1Y2", "x1_y2"),
            ("HTTP", "http"),
        ] {
            assert_eq!(field_name(name), expected, "{name}");
        }
    }

    #[test]
    fn variants_and_constants() {
        for (name, variant, constant) in [
            ("LOBBY", "Lobby", "LOBBY"),
            ("AFTER_MATH", "AfterMath", "AFTER_MATH"),
            ("School::type", "Type", "TYPE"),
            ("Self", "Self_", "SELF"),
            ("3rd", "N3rd", "_3RD"),
            ("isFast", "IsFast", "IS_FAST"),
        ] {
            assert_eq!(variant_name(name), variant, "{name}");
            assert_eq!(constant_name(name), constant, "{name}");
        }
    }

    #[test]
    fn names_are_given_once() {
        let mut names = Names::of_types();
        for expected in ["Item", "Item2", "Item3"] {
            assert_eq!(names.claim("Item".to_owned()), expected);
        }
        assert_eq!(names.claim("Vec".to_owned()), "Vec2");
        assert_eq!(names.claim("x1".to_owned()), "x1");
        assert_eq!(names.claim("x1".to_owned()), "x1_2");
    }
}
