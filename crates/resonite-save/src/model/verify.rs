use std::collections::{BTreeMap, HashMap};
use std::fmt;

use resonite_brson::value::Document;

use super::type_name::TypeName;
use super::{Reference, SavedObject};
use crate::error::Shortened;

/// A fault of a save, or a value that looks like one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// A key that is written like another one that is expected there.
    Key {
        /// The slot or component.
        place: String,
        /// The key that is present.
        found: String,
        /// The key that may be meant.
        meant: String,
    },
    /// A type that is written like another one that is known.
    Type {
        /// The name in `Types`.
        found: String,
        /// The name that may be meant.
        meant: String,
    },
    /// A slot or component without a member that each of them has.
    Missing {
        /// The slot or component.
        place: String,
        /// The member.
        key: &'static str,
    },
    /// A component whose type is not in `Types`, or has a name that is none; the sentence.
    Untyped {
        /// The component.
        place: String,
        /// The sentence.
        why: String,
    },
    /// A member that holds text where the engine expects an address, on which it stops reading.
    PlainUrl {
        /// The component.
        place: String,
        /// The member.
        key: String,
        /// The text.
        found: String,
    },
    /// An identifier that more than one thing has.
    Repeated(String),
    /// A reference to what is missing.
    Dangling {
        /// Its path.
        place: String,
        /// The identifier.
        id: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Key { place, found, meant } => {
                let found = Shortened(found);
                write!(f, "{place}: `{found}` may be meant to be `{meant}`")
            }
            Problem::Type { found, meant } => {
                write!(f, "the type {} may be meant to be {meant}", found.escape_debug())
            }
            Problem::Missing { place, key } => write!(f, "{place}: has no `{key}`"),
            Problem::Untyped { place, why } => write!(f, "{place}: {why}"),
            Problem::PlainUrl { place, key, found } => {
                let (key, found) = (Shortened(key), Shortened(found));
                write!(f, "{place}: `{key}` is \"{found}\", and an address begins with `@`")
            }
            Problem::Repeated(id) => {
                write!(f, "more than one thing has the identifier {}", Shortened(id))
            }
            Problem::Dangling { place, id } => {
                write!(f, "{place}: refers to {}, which nothing is", Shortened(id))
            }
        }
    }
}

/// The keys of a slot that each one has.
const SLOT: [&str; 12] = [
    "ID",
    "Components",
    "Name",
    "Tag",
    "Active",
    "Persistent-ID",
    "Position",
    "Rotation",
    "Scale",
    "OrderOffset",
    "ParentReference",
    "Children",
];
/// The keys of a component on a slot that each one has.
const COMPONENT: [&str; 4] = ["ID", "persistent-ID", "UpdateOrder", "Enabled"];
/// Those of an asset.
const ASSET: [&str; 4] = ["ID", "persistent", "UpdateOrder", "Enabled"];

/// Types that real saves have: the name, the version, and the members.
const KNOWN: &str = include_str!("known.txt");

/// A type that is known.
struct Known {
    version: i32,
    members: Vec<&'static str>,
}

fn known() -> BTreeMap<&'static str, Known> {
    let parse = |line: &'static str| {
        let mut words = line.split(' ');
        let (name, version) = (words.next()?, words.next()?.parse().ok()?);
        Some((name, Known { version, members: words.collect() }))
    };
    KNOWN.lines().filter_map(parse).collect()
}

/// The most problems that are found: of a save in which everything is wrong, the first tell enough.
const MAX_PROBLEMS: usize = 1000;

/// The most members of a component that are compared with others; components of the engine have fewer.
const MAX_MEMBERS: usize = 256;

/// Features by the year and month of the first version that has them.
const FEATURES: [(u32, u32, &str); 10] = [
    (0, 0, "ColorManagement"),
    (0, 0, "ResetGUID"),
    (0, 0, "ProtoFlux"),
    (0, 0, "TEXTURE_QUALITY"),
    (0, 0, "TypeManagement"),
    (0, 0, "ALIGNER_FILTERING"),
    (0, 0, "PhotonDust"),
    (2025, 5, "Awwdio"),
    (2025, 9, "NetCore"),
    (2026, 6, "RESONITE_LINK"),
];

/// The name of a type without its arguments.
fn open_name(name: &TypeName) -> String {
    format!("[{}]{}", name.assembly().unwrap_or_default(), name.full_name())
}

impl SavedObject {
    /// Names the features that a program of this save's version has, as real saves do, and the
    /// versions of those of its types that are known to have one. The engine brings what has no
    /// version up to date as if it was old.
    pub fn add_presets(&mut self) {
        let mut parts = self.version_number().unwrap_or_default().split('.').map(str::parse::<u32>);
        let mut part = || parts.next().and_then(std::result::Result::ok).unwrap_or(0);
        let version = (part(), part());
        for (_, _, flag) in FEATURES.iter().filter(|(year, month, _)| version >= (*year, *month)) {
            self.add_feature_flag(flag);
        }
        let known = known();
        let versioned: Vec<(String, i32)> = self
            .types()
            .filter_map(|name| Some((name.to_owned(), known.get(name)?.version)))
            .filter(|(name, version)| {
                *version != 0 && self.type_versions().all(|(own, _)| own != name)
            })
            .collect();
        for (name, version) in versioned {
            self.set_type_version(&name, version);
        }
    }

    /// Finds faults: members and types that are written like others, slots and components without
    /// what each has, text in members such as `URL` that hold addresses, types and references that lead
    /// nowhere. Empty if all is well.
    ///
    /// Members are compared with those of other components of the same type, and with those that are
    /// known of about a hundred types. A member or type that is like no other is not reported: each
    /// version of the engine has new ones. At most 1000 problems are reported.
    pub fn verify(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        for (path, slot) in self.slots() {
            if problems.len() >= MAX_PROBLEMS {
                return problems;
            }
            let place = || self.show_slot(&path);
            keys(&mut problems, slot.document(), &SLOT, place);
        }
        let known = known();
        let common = self.members_by_type();
        for (path, component) in self.components() {
            if problems.len() >= MAX_PROBLEMS {
                return problems;
            }
            let place = || self.show_component(&path);
            let Some(data) = component.data() else {
                problems.push(Problem::Missing { place: place(), key: "Data" });
                continue;
            };
            let is_asset = matches!(path, super::ComponentPath::Asset(_));
            keys(&mut problems, data, if is_asset { &ASSET } else { &COMPONENT }, place);
            let name = match component.parsed_type() {
                Ok(name) => open_name(&name),
                Err(error) => {
                    problems.push(Problem::Untyped { place: place(), why: error.to_string() });
                    continue;
                }
            };
            let listed = known.get(name.as_str()).map(|known| known.members.as_slice());
            let seen = common.get(&name);
            if data.len() > MAX_MEMBERS {
                continue;
            }
            for (key, _) in component.members() {
                let member = stem(key);
                let is_rare = seen.and_then(|own| own.get(member)).is_none_or(|count| *count == 1);
                if !is_rare || COMPONENT.contains(&key) || ASSET.contains(&key) {
                    continue;
                }
                if listed.is_some_and(|own| own.contains(&member)) {
                    continue;
                }
                // Members that other components of the type have, and this one does not.
                let others = seen.into_iter().flatten().filter(|(_, count)| **count > 1);
                let others =
                    others.map(|(own, _)| *own).chain(listed.into_iter().flatten().copied());
                let absent = others.filter(|own| {
                    !data.contains_key(own) && !data.contains_key(&format!("{own}-ID"))
                });
                if let Some(meant) = nearest(member, absent) {
                    let (found, meant) = (key.to_owned(), meant.to_owned());
                    problems.push(Problem::Key { place: place(), found, meant });
                }
            }
        }
        for name in self.types().filter_map(|name| name.parse::<TypeName>().ok()) {
            let found = open_name(&name);
            if !known.contains_key(found.as_str())
                && let Some(meant) = nearest(&found, known.keys().copied())
            {
                problems.push(Problem::Type { found, meant: meant.to_owned() });
            }
        }
        let plain = self.plain_urls().take(MAX_PROBLEMS);
        problems.extend(plain.map(|(path, key, found)| Problem::PlainUrl {
            place: self.show_component(&path),
            key: key.to_owned(),
            found: found.to_owned(),
        }));
        let index = self.index();
        let repeated = index.repeated().iter().map(|id| Problem::Repeated((*id).to_owned()));
        let is_lost = |reference: &Reference<'_>| index.get(reference.id).is_none();
        let dangling = index.references().filter(is_lost).map(|reference| Problem::Dangling {
            place: reference.path,
            id: reference.id.to_owned(),
        });
        problems.extend(repeated.chain(dangling).take(MAX_PROBLEMS));
        problems
    }

    /// For each type, the number of components that have each member.
    fn members_by_type(&self) -> HashMap<String, HashMap<&str, usize>> {
        let mut types: HashMap<String, HashMap<&str, usize>> = HashMap::new();
        for (_, component) in self.components() {
            let Ok(name) = component.parsed_type() else { continue };
            let members = types.entry(open_name(&name)).or_default();
            for (key, _) in component.members() {
                let count = members.entry(stem(key)).or_default();
                *count = count.saturating_add(1);
            }
        }
        types
    }
}

/// A member that is not stored has its identifier alone, under its key and `-ID`.
fn stem(key: &str) -> &str {
    key.strip_suffix("-ID").unwrap_or(key)
}

/// Reports the keys of a list that a document does not have, each with what may be meant to be it.
fn keys(
    problems: &mut Vec<Problem>,
    document: &Document,
    expected: &[&'static str],
    place: impl Fn() -> String,
) {
    for key in expected.iter().copied().filter(|key| !document.contains_key(key)) {
        let others = document.keys().filter(|own| !expected.contains(own));
        problems.push(match nearest(key, others) {
            Some(found) => {
                Problem::Key { place: place(), found: found.to_owned(), meant: key.to_owned() }
            }
            None => Problem::Missing { place: place(), key },
        });
    }
}

/// The text that is most like another one, if it is like it: the same but for case, or up to two
/// letters that are wrong, too many or too few.
fn nearest<'a>(text: &str, others: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let near = others.filter(|other| text.len().abs_diff(other.len()) <= 2).filter_map(|other| {
        let most = if text.len() < 5 { 1 } else { 2 };
        let wrong = if text.eq_ignore_ascii_case(other) { 0 } else { distance(text, other) };
        (wrong <= most).then_some((wrong, other))
    });
    near.min().map(|(_, other)| other)
}

/// The number of letters to change, add or remove to make one text of another; long texts are compared
/// without the letters that they share at both ends.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (a.get(start..).unwrap_or_default(), b.get(start..).unwrap_or_default());
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let a = a.get(..a.len().saturating_sub(end)).unwrap_or_default();
    let b = b.get(..b.len().saturating_sub(end)).unwrap_or_default();
    // More than this is too much in any case, and would take long.
    if a.len().max(b.len()) > 16 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = i;
        let mut left = i.saturating_add(1);
        for (y, cell) in b.iter().zip(row.iter_mut().skip(1)) {
            let changed = corner.saturating_add(usize::from(x != y));
            let best = changed.min(left.min(*cell).saturating_add(1));
            corner = std::mem::replace(cell, best);
            left = best;
        }
        if let Some(first) = row.first_mut() {
            *first = i.saturating_add(1);
        }
    }
    row.last().copied().unwrap_or(usize::MAX)
}
