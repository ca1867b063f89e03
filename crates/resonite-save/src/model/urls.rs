use resonite_brson::value::Document;
use resonite_brson::{Url, Value};

use super::leaves::{Leaves, each_leaf};
use super::{ComponentPath, SavedObject};

/// Whether a member holds an address, as far as its name tells: `URL`, `IconURL`.
pub(super) fn is_url(member: &str) -> bool {
    member.ends_with("URL")
}

/// The members of a component or object, also those within others, that hold text where an address is
/// expected, with that text. `of_uri`: whether the values of its type are addresses.
pub(super) fn plain_urls(document: &Document, of_uri: bool) -> Vec<(&str, &str)> {
    let (mut found, mut todo) = (Vec::new(), vec![document]);
    while let Some(document) = todo.pop() {
        for (key, value) in document.iter() {
            match value {
                Value::Document(member) => {
                    let is_meant = is_url(key) || (of_uri && key == "Value");
                    let text = member.get("Data").and_then(Value::as_str).filter(|_| is_meant);
                    // A node of ProtoFlux over addresses holds a reference in `Value`.
                    let is_plain =
                        |text: &&str| Url::of_stored(text).is_none() && !super::is_id(text);
                    let plain = text.filter(is_plain);
                    found.extend(plain.map(|text| (key.as_str(), text)));
                    todo.push(member);
                }
                Value::Array(items) => todo.extend(items.iter().filter_map(Value::as_document)),
                _ => {}
            }
        }
    }
    found
}

/// All addresses in any tree, without their `@`.
#[cfg(feature = "package")]
pub(crate) fn urls_of(value: &Value) -> impl Iterator<Item = &str> {
    Leaves::of_value(value).filter_map(|(_, value)| value.as_url())
}

/// Addresses of assets and links.
impl SavedObject {
    /// The members of components that hold text where an address is expected, with that text.
    pub(crate) fn plain_urls(&self) -> impl Iterator<Item = (ComponentPath, &str, &str)> {
        self.components().flat_map(|(path, own)| {
            let of_uri = own.type_name().is_some_and(|name| name.ends_with("<Uri>"));
            let found = own.data().map(|data| plain_urls(data, of_uri)).unwrap_or_default();
            found.into_iter().map(move |(key, text)| (path.clone(), key, text))
        })
    }

    /// All addresses in the save, without their `@`, in the order of the document; some more than
    /// once.
    ///
    /// | scheme | leads to |
    /// |---|---|
    /// | `packdb:///<hash>` | an asset of the same package |
    /// | `resdb:///<hash>.<extension>` | the platform's assets |
    /// | `neosdb:///<hash>.<extension>` | the same of NeosVR |
    /// | `local://…`, `https://…` | elsewhere |
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        Leaves::new(&self.document).filter_map(|(_, value)| value.as_url())
    }

    /// Changes addresses: `change` returns another one, or `None` to keep it. Returns how many became
    /// others.
    ///
    /// ```
    /// # use resonite_save::model::{Members, SavedObject, SlotPath};
    /// # use resonite_brson::Url;
    /// # let mut object = SavedObject::new("2026.8.12.1196", "Lamp");
    /// # let url = Url::new("neosdb:///00ff.webp")?;
    /// # object.add_component(&SlotPath::root(), "[A]B", Members::new().field("URL", url))?;
    /// let changed = object.rewrite_urls(|url| {
    ///     let hash = url.strip_prefix("neosdb:///")?;
    ///     Url::new(format!("resdb:///{hash}")).ok()
    /// });
    /// assert_eq!(changed, 1);
    /// assert_eq!(object.urls().next(), Some("resdb:///00ff.webp"));
    /// # Ok::<(), resonite_brson::Error>(())
    /// ```
    pub fn rewrite_urls(&mut self, mut change: impl FnMut(&str) -> Option<Url>) -> usize {
        let mut changed = 0usize;
        each_leaf(&mut self.document, |_, value| {
            if let Some(old) = value.as_url()
                && let Some(new) = change(old)
                && new.as_str() != old
            {
                *value = Value::from(new);
                changed = changed.saturating_add(1);
            }
        });
        changed
    }
}
