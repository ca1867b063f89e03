use std::collections::{HashMap, HashSet};
use std::fmt;

use super::{ASSETS, METADATA, Package, hash, is_hash, quoted};
use crate::model::SavedObject;

/// A fault of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// The record names no main asset, the asset is missing, or it is no save; the sentence.
    Main(String),
    /// An entry in `Assets/` whose name is not a SHA-256 in lower case.
    Name(String),
    /// An asset whose bytes are not those of its name.
    Hash {
        /// Its name.
        name: String,
        /// The SHA-256 of what it has.
        found: String,
    },
    /// An asset without a byte, which no program of the platform can save again.
    Empty(String),
    /// An address in the save or the record under which nobody finds anything.
    Address {
        /// The address, or the text in its place.
        url: String,
        /// The rest of the sentence.
        why: &'static str,
    },
    /// An asset that the record lists and that is missing.
    Missing(String),
    /// An asset that is present and that the record does not list.
    Unlisted(String),
    /// The record has another size of an asset.
    Size {
        /// The asset.
        hash: String,
        /// The size in the record.
        listed: u64,
        /// The size of the asset.
        found: u64,
    },
    /// The save points to an asset that is missing.
    Dangling(String),
    /// An asset to which nothing points: neither the save nor the record nor another asset that is a
    /// document. That does no harm.
    Unused(String),
    /// Metadata of an asset that is missing. That does no harm.
    Orphan(String),
}

impl Problem {
    /// Whether the package cannot be loaded as it is meant.
    pub fn is_error(&self) -> bool {
        !matches!(self, Problem::Unused(_) | Problem::Orphan(_) | Problem::Unlisted(_))
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Main(why) => write!(f, "main asset: {why}"),
            Problem::Name(name) => write!(f, "{} is not named by a hash", quoted(name)),
            Problem::Hash { name, found } => write!(f, "asset {name} has the hash {found}"),
            Problem::Empty(hash) => write!(f, "asset {hash} is empty"),
            Problem::Address { url, why } => write!(f, "the address {} {why}", quoted(url)),
            Problem::Missing(hash) => {
                write!(f, "asset {} is in the record and not there", quoted(hash))
            }
            Problem::Unlisted(hash) => write!(f, "asset {hash} is not in the record"),
            Problem::Size { hash, listed, found } => {
                write!(f, "asset {hash} has {found} bytes, the record says {listed}")
            }
            Problem::Dangling(hash) => {
                write!(f, "the save points to asset {}, which is not there", quoted(hash))
            }
            Problem::Unused(hash) => write!(f, "nothing points to asset {hash}"),
            Problem::Orphan(name) => write!(f, "{} is of no asset", quoted(name)),
        }
    }
}

impl Package {
    /// Finds faults: hashes, sizes, the record's list, addresses that lead nowhere or that nobody can load. Empty
    /// if all is well; [`Problem::is_error`] tells what does harm.
    pub fn verify(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let sizes: HashMap<&str, u64> = self
            .assets()
            .map(|(hash, bytes)| (hash, u64::try_from(bytes.len()).unwrap_or(u64::MAX)))
            .collect();
        for (name, bytes) in self.assets() {
            if !is_hash(name) {
                problems.push(Problem::Name(format!("{ASSETS}{name}")));
                continue;
            }
            if bytes.is_empty() {
                problems.push(Problem::Empty(name.to_owned()));
            }
            let found = hash(bytes);
            if found != name {
                problems.push(Problem::Hash { name: name.to_owned(), found });
            }
        }
        let main = self.main_hash();
        let manifest = self.record().manifest();
        for (hash, listed) in &manifest {
            match sizes.get(hash.as_str()) {
                None => problems.push(Problem::Missing(hash.clone())),
                Some(found) if found != listed => problems.push(Problem::Size {
                    hash: hash.clone(),
                    listed: *listed,
                    found: *found,
                }),
                Some(_) => {}
            }
        }
        let listed: HashSet<&str> = manifest.iter().map(|(hash, _)| hash.as_str()).collect();
        for (hash, _) in self.assets().filter(|(hash, _)| Some(*hash) != main.as_deref()) {
            if !listed.contains(hash) {
                problems.push(Problem::Unlisted(hash.to_owned()));
            }
        }
        match self.object() {
            Err(error) => problems.push(Problem::Main(error.to_string())),
            Ok(object) => {
                self.addresses(&object, &mut problems);
                let mut seen: HashSet<&str> = HashSet::new();
                for hash in object.urls().filter_map(Package::hash_of) {
                    if seen.insert(hash) && !sizes.contains_key(hash) {
                        problems.push(Problem::Dangling(hash.to_owned()));
                    }
                }
                let used = self.used(&object);
                for (hash, _) in self.assets() {
                    if !used.contains(hash) && main.as_deref() != Some(hash) {
                        problems.push(Problem::Unused(hash.to_owned()));
                    }
                }
            }
        }
        for (name, _) in self.entries() {
            if let Some(rest) = name.strip_prefix(METADATA) {
                let hash = rest.split_once('.').map_or(rest, |(hash, _)| hash);
                if !sizes.contains_key(hash) {
                    problems.push(Problem::Orphan(name.to_owned()));
                }
            }
        }
        problems
    }

    /// The addresses under which nobody finds anything, each once.
    fn addresses(&self, object: &SavedObject, problems: &mut Vec<Problem>) {
        let record = self.record().thumbnail_uri();
        let urls = object.urls().chain(record.as_deref().filter(|own| !own.is_empty()));
        let wrong = urls.filter_map(|url| Some((url, fault(url, object.is_legacy())?)));
        let plain = object.plain_urls().map(|(_, _, text)| (text, "has no `@` before it"));
        let mut seen = HashSet::new();
        for (url, why) in wrong.chain(plain).filter(|(url, _)| seen.insert(*url)) {
            problems.push(Problem::Address { url: url.to_owned(), why });
        }
    }
}

/// Why nobody finds what is at an address, as far as it tells. What a package lacks is found elsewhere.
fn fault(url: &str, is_legacy: bool) -> Option<&'static str> {
    let Some((scheme, rest)) = url.split_once(':') else { return Some("has no scheme") };
    match scheme {
        "local" => return Some("is that of a file of one machine"),
        "neosdb" if !is_legacy => return Some("is one of NeosVR; here it is `resdb:`"),
        "packdb" | "resdb" | "neosdb" => {}
        _ => return None,
    }
    let Some(rest) = rest.strip_prefix("///") else {
        return Some("has not three slashes before its hash");
    };
    let hash = rest.split(['.', '?', '/']).next().unwrap_or_default();
    match is_hash(&hash.to_ascii_lowercase()) {
        true => (!is_hash(hash)).then_some("has upper-case letters in its hash"),
        false => (scheme != "packdb").then_some("has no hash of 64 digits"),
    }
}
