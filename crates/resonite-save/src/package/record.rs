use serde_core::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::error::{Error, ErrorKind, Result};

/// `R-Main.record`: what the package is, as JSON.
///
/// Keys that are not changed keep their text, unknown ones too, and so does the whole record if nothing
/// is changed.
#[derive(Clone, Debug)]
pub struct Record {
    /// Keys and the JSON of their values, in order.
    members: Vec<(String, Box<RawValue>)>,
    /// The text that was read, until something is changed.
    original: Option<Vec<u8>>,
}

/// Equal when they have the same keys in the same order, with the same text.
impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.members().eq(other.members())
    }
}

/// The members of a new record after its name, in the engine's order.
const REST: &str = r#"{"description":null,"recordType":"object","ownerName":null,"tags":null,"path":null,"thumbnailUri":null,"lastModificationTime":"0001-01-01T00:00:00","creationTime":null,"firstPublishTime":null,"isDeleted":false,"isPublic":false,"isForPatrons":false,"isListed":false,"isReadOnly":false,"visits":0,"rating":0,"randomOrder":0,"submissions":null,"assetManifest":[],"migrationMetadata":null}"#;
/// The members before it.
const START: &str = r#"{"id":"R-Main","ownerId":null,"assetUri":null,"version":{"globalVersion":0,"localVersion":0,"lastModifyingUserId":null,"lastModifyingMachineId":null}}"#;

impl Record {
    pub(super) fn new(name: &str, main: &str) -> Record {
        let members = |text: &str| Record::parse(text).map(|record| record.members);
        let mut record = Record { members: members(START).unwrap_or_default(), original: None };
        record.set_name(name);
        record.members.extend(members(REST).unwrap_or_default());
        record.set_asset_uri(&format!("{}{main}", super::SCHEME));
        record
    }

    /// Reads a record.
    ///
    /// # Errors
    /// Text that is not one JSON object.
    pub fn from_slice(bytes: &[u8]) -> Result<Record> {
        let text =
            std::str::from_utf8(bytes).map_err(|error| Error::invalid_utf8(bytes, 0, error))?;
        // Some writers put a byte order mark before it.
        let mut record = Record::parse(text.strip_prefix('\u{feff}').unwrap_or(text))?;
        record.original = Some(bytes.to_vec());
        Ok(record)
    }

    fn parse(text: &str) -> Result<Record> {
        let RecordMembers(members) = serde_json::from_str(text).map_err(|error| {
            Error::new(ErrorKind::Json, format!("the record is not a JSON object: {error}"))
        })?;
        Ok(Record { members, original: None })
    }

    /// The JSON text: what was read, unless something was changed.
    pub fn to_vec(&self) -> Vec<u8> {
        if let Some(original) = &self.original {
            return original.clone();
        }
        let mut text = String::from("{");
        for (index, (key, value)) in self.members.iter().enumerate() {
            text.push_str(if index == 0 { "" } else { "," });
            text.push_str(&quote(key));
            text.push(':');
            text.push_str(value.get());
        }
        text.push('}');
        text.into_bytes()
    }

    /// The keys and the JSON text of their values, in order.
    pub fn members(&self) -> impl Iterator<Item = (&str, &str)> {
        self.members.iter().map(|(key, value)| (key.as_str(), value.get()))
    }

    /// The JSON text under a key.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.members().find(|(own, _)| *own == key).map(|(_, value)| value)
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.get(key)?).ok()
    }

    /// Sets a key to JSON text, at the end if it is new.
    ///
    /// # Errors
    /// Text that is not JSON.
    pub fn set(&mut self, key: &str, json: &str) -> Result<()> {
        let value = RawValue::from_string(json.to_owned()).map_err(|error| {
            Error::new(ErrorKind::Json, format!("expected JSON for a record: {error}"))
        })?;
        self.original = None;
        match self.members.iter_mut().find(|(own, _)| own == key) {
            Some((_, place)) => *place = value,
            None => self.members.push((key.to_owned(), value)),
        }
        Ok(())
    }

    /// Sets a key to JSON that is known to be some.
    fn put(&mut self, key: &str, json: &str) {
        _ = self.set(key, json);
    }

    pub(super) fn set_id(&mut self, id: &str) {
        if self.text("id").as_deref() != Some(id) {
            self.put("id", &quote(id));
        }
    }

    /// The identifier, in a package `R-Main`.
    pub fn id(&self) -> Option<String> {
        self.text("id")
    }

    /// The words that users find it by.
    pub fn tags(&self) -> Vec<String> {
        self.get("tags").and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default()
    }

    /// Sets the words that users find it by.
    pub fn set_tags<T: AsRef<str>>(&mut self, tags: &[T]) {
        let tags: Vec<String> = tags.iter().map(|tag| quote(tag.as_ref())).collect();
        self.put("tags", &format!("[{}]", tags.join(",")));
    }

    /// The address of the picture that users see.
    pub fn thumbnail_uri(&self) -> Option<String> {
        self.text("thumbnailUri")
    }

    /// Sets the address of the picture that users see; in a package `packdb:///<hash>`.
    pub fn set_thumbnail_uri(&mut self, uri: Option<&str>) {
        self.put("thumbnailUri", &uri.map_or_else(|| "null".to_owned(), quote));
    }

    /// The name that users see; it may have `<color=…>` and other marks in it.
    pub fn name(&self) -> Option<String> {
        self.text("name")
    }

    /// Sets the name.
    pub fn set_name(&mut self, name: &str) {
        self.put("name", &quote(name));
    }

    /// The user to whom it belongs, such as `U-1Nj73SRfaDY`.
    pub fn owner_id(&self) -> Option<String> {
        self.text("ownerId")
    }

    /// Sets the user to whom it belongs.
    pub fn set_owner_id(&mut self, owner: &str) {
        self.put("ownerId", &quote(owner));
    }

    /// The address of the main asset, in a package `packdb:///<hash>`.
    pub fn asset_uri(&self) -> Option<String> {
        self.text("assetUri")
    }

    pub(super) fn set_asset_uri(&mut self, uri: &str) {
        if self.asset_uri().as_deref() != Some(uri) {
            self.put("assetUri", &quote(uri));
        }
    }

    /// Hash and number of bytes of the assets that it lists: in a package all but the main one. In
    /// records of NeosVR the list has another name.
    pub fn manifest(&self) -> Vec<(String, u64)> {
        let older = self.members().find(|(key, _)| key.eq_ignore_ascii_case("neosDBmanifest"));
        let own = self.get("assetManifest").filter(|json| *json != "null");
        let listed: Option<Vec<serde_json::Value>> =
            own.or(older.map(|(_, json)| json)).and_then(|json| serde_json::from_str(json).ok());
        let pair = |entry: &serde_json::Value| {
            Some((entry.get("hash")?.as_str()?.to_owned(), entry.get("bytes")?.as_u64()?))
        };
        listed.unwrap_or_default().iter().filter_map(pair).collect()
    }

    pub(super) fn set_manifest(&mut self, listed: &[(String, u64)]) {
        let entry = |(hash, bytes): &(String, u64)| {
            format!(r#"{{"hash":{},"bytes":{bytes}}}"#, quote(hash))
        };
        let json = format!("[{}]", listed.iter().map(entry).collect::<Vec<_>>().join(","));
        self.put("assetManifest", &json);
    }
}

/// Text in JSON with the escapes of .NET's writer, which leaves only harmless ASCII as it is.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for unit in text.encode_utf16() {
        let character = char::from_u32(unit.into());
        match character {
            Some('\\') => out.push_str("\\\\"),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            Some('"' | '<' | '>' | '&' | '\'' | '+' | '`') | None => {
                out.push_str(&format!("\\u{unit:04X}"));
            }
            Some(plain @ ' '..='~') => out.push(plain),
            Some(_) => out.push_str(&format!("\\u{unit:04X}")),
        }
    }
    out.push('"');
    out
}

struct RecordMembers(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for RecordMembers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = RecordMembers;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<RecordMembers, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(RecordMembers(members))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}
