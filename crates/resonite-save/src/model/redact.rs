use std::collections::HashMap;

use super::SavedObject;
use super::leaves::each_leaf;

/// The prefixes of identifiers of users, machines, groups, records and sessions.
const KINDS: [&str; 5] = ["U-", "M-", "G-", "R-", "S-"];

/// Replaces identifiers that tell who made a save, the same one always by the same one.
#[derive(Debug, Default)]
pub(crate) struct Redactor {
    new: HashMap<String, String>,
    pub(crate) count: usize,
}

impl Redactor {
    /// The text with other identifiers; `None` if there are none in it.
    ///
    /// An identifier is all of the text, or all between two `/` of an address; in JSON, between
    /// quotes.
    pub(crate) fn text(&mut self, text: &str) -> Option<String> {
        let mut new = String::new();
        let before = self.count;
        for part in text.split_inclusive(['/', '"', '@']) {
            let id = part.trim_end_matches(['/', '"', '@']);
            let end = part.get(id.len()..).unwrap_or_default();
            match KINDS.iter().find(|kind| is_id(id, kind)) {
                Some(kind) => new.push_str(&self.id(kind, id)),
                None => new.push_str(id),
            }
            new.push_str(end);
        }
        (self.count > before).then_some(new)
    }

    fn id(&mut self, kind: &str, id: &str) -> String {
        self.count = self.count.saturating_add(1);
        let next = self.new.keys().filter(|own| own.starts_with(kind)).count();
        self.new.entry(id.to_owned()).or_insert_with(|| format!("{kind}{next}")).clone()
    }
}

/// Whether a text is an identifier of a kind. The main record of a package has the same name in all.
fn is_id(text: &str, kind: &str) -> bool {
    let rest = text.strip_prefix(kind).unwrap_or_default();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    !rest.is_empty() && rest.bytes().all(is_word) && text != "R-Main"
}

impl SavedObject {
    /// Replaces all that tells who made it: each identifier of a user (`U-…`), a machine, a group, a record or a
    /// session becomes `U-0`, `U-1` and so on, the same one the same each time. Returns how many
    /// there were.
    ///
    /// Names of slots and other text that people wrote stay as they are; an identifier is all of a
    /// text, or all between two `/` of an address.
    ///
    /// ```
    /// # use resonite_save::model::{Members, SavedObject, SlotPath};
    /// # let mut object = SavedObject::new("2026.8.12.1196", "Lamp");
    /// let members = Members::new().field("UserId", "U-1Nj73SRfaDY").field("Note", "a U-turn");
    /// let path = object.add_component(&SlotPath::root(), "[A]B", members)?;
    /// assert_eq!(object.redact(), 1);
    /// let component = object.component(&path).expect("it was added");
    /// assert_eq!(*component.member("UserId").unwrap().value().unwrap(), "U-0");
    /// assert_eq!(*component.member("Note").unwrap().value().unwrap(), "a U-turn");
    /// # Ok::<(), resonite_brson::Error>(())
    /// ```
    pub fn redact(&mut self) -> usize {
        let mut redactor = Redactor::default();
        self.redact_with(&mut redactor);
        redactor.count
    }

    pub(crate) fn redact_with(&mut self, redactor: &mut Redactor) {
        each_leaf(&mut self.document, |_, value| {
            if let Some(new) = value.as_str().and_then(|text| redactor.text(text)) {
                *value = new.into();
            }
        });
    }
}
