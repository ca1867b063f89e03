//! What the rows of resonite-save are checked with too.

use gamewire_testkit::vectors::{Check, said, same_bytes};
use resonite_brson::{Codec, Container, Options, Value, container};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};

pub(crate) fn sha256(bytes: &[u8]) -> String {
    gamewire_testkit::vectors::to_hex(&Sha256::digest(bytes))
}

/// Compares a fact, unless the row does not have it.
pub(crate) fn fact(row: &Json, key: &str, found: impl Into<Json>) -> Check {
    let found = found.into();
    match row.get(key) {
        Some(expected) if *expected != found => {
            Err(format!("{key}: expected {expected}, found {found}"))
        }
        _ => Ok(()),
    }
}

/// Refuses facts that are in none of the lists.
pub(crate) fn only(facts: &Json, known: &[&str]) -> Check {
    let is_known = |key: &String| known.iter().any(|list| list.split(' ').any(|own| own == key));
    match facts.as_object().into_iter().flat_map(|own| own.keys()).find(|key| !is_known(key)) {
        Some(key) => Err(format!("unknown fact `{key}`")),
        None => Ok(()),
    }
}

/// The same BSON out of a value, and the same again through its container and a reader.
pub(crate) fn written_back(value: &Value, bson: &[u8], container: Container) -> Check {
    let plain = Options::new().container(Container::BSON);
    same_bytes("re-encoded BSON", bson, &plain.to_vec(value).map_err(said)?)?;
    let file = container::pack(bson, container).map_err(said)?;
    let again = resonite_brson::open(&file).map_err(said)?;
    if again.container() != container && container != Container::legacy(Codec::Brotli) {
        return Err(format!("packed as {container}, found {}", again.container()));
    }
    same_bytes("packed BSON", bson, again.bson())?;
    let streamed: Value = resonite_brson::from_reader(file.as_slice()).map_err(said)?;
    if streamed == *value { Ok(()) } else { Err("another value out of a reader".to_owned()) }
}
