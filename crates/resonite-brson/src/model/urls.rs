use super::SavedObject;
use super::leaves::{Leaves, each_leaf};
use crate::Value;
use crate::types::Url;

/// All addresses in any tree, without their `@`.
#[cfg(feature = "package")]
pub(crate) fn urls_of(value: &Value) -> impl Iterator<Item = &str> {
    Leaves::of_value(value).filter_map(|(_, value)| value.as_url())
}

/// Addresses of assets and links.
impl SavedObject {
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
    /// # use resonite_brson::model::{Members, SavedObject, SlotPath};
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
