//! Several type lists as one, of either version.
//!
//! Classes are copied as they stand in a list, with members that this tool has no use for.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use gamewire::kiwi_pclass::Schema;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The form of a type list.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Version {
    /// Classes by their names
    V1,
    /// Classes by their hashes
    V2,
}

/// The members of an object, in their order.
struct Members<T>(Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Members<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Ordered<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Ordered<T> {
            type Value = Members<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        from.deserialize_map(Ordered(PhantomData))
    }
}

type Raw = Box<RawValue>;

/// All classes of the lists. Of a class that is in several, the first counts.
pub(super) fn merged(texts: &[Vec<u8>], schema: &Schema, to: Version) -> Result<String, String> {
    let mut out = String::from(match to {
        Version::V1 => "{",
        Version::V2 => "{\n\"version\": 2,\n\"classes\": {",
    });
    let mut seen = HashSet::new();
    for text in texts {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        for (key, class) in classes(text)? {
            let wrong = |error: serde_json::Error| error.to_string();
            let members: Members<Raw> = serde_json::from_str(class.get()).map_err(wrong)?;
            let name = members.0.iter().find(|(key, _)| key == "name");
            let name = match name {
                Some((_, name)) => serde_json::from_str(name.get()).map_err(wrong)?,
                None => key,
            };
            if !seen.insert(name.clone()) {
                continue;
            }
            let hash = schema.class(&name).map(|class| class.hash()).unwrap_or_default();
            let quoted = |text: &str| serde_json::Value::from(text).to_string();
            let key = if to == Version::V1 { quoted(&name) } else { quoted(&hash.to_string()) };
            let name = (to == Version::V2).then(|| ("name", quoted(&name)));
            let hash = Some(("hash", hash.to_string()));
            let mut own: Vec<String> = name
                .into_iter()
                .chain(hash)
                .map(|(key, value)| format!("\"{key}\": {value}"))
                .collect();
            let rest = members.0.iter().filter(|(key, _)| key != "name" && key != "hash");
            own.extend(rest.map(|(key, value)| format!("{}: {}", quoted(key), value.get())));
            let comma = if seen.len() > 1 { "," } else { "" };
            out.push_str(&format!("{comma}\n{key}: {{{}}}", own.join(", ")));
        }
    }
    out.push_str(if to == Version::V1 { "\n}\n" } else { "\n}\n}\n" });
    Ok(out)
}

/// The classes of a list, by their keys.
fn classes(text: &[u8]) -> Result<Vec<(String, Raw)>, String> {
    let list: Members<Raw> = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let mut classes = Vec::new();
    let has_classes = list.0.iter().any(|(key, _)| key == "classes");
    for (key, value) in list.0 {
        match key.as_str() {
            "version" => {}
            key if has_classes && key != "classes" => {}
            "classes" => {
                let inner: Members<Raw> =
                    serde_json::from_str(value.get()).map_err(|error| error.to_string())?;
                classes.extend(inner.0);
            }
            _ => classes.push((key, value)),
        }
    }
    Ok(classes)
}
