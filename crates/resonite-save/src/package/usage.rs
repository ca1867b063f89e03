use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Record, quoted};
use crate::error::{Error, ErrorKind, Result};

/// The storage that the items of an account take, as their records list it.
///
/// The platform stores an asset once, whoever lists it: what only one item lists is freed when the item
/// is deleted, and what several list when the last of them is.
///
/// ```
/// use resonite_save::package::{Record, Usage};
///
/// let record = |id: &str, assets: &str| {
///     let json = format!(r#"{{"id":"{id}","recordType":"object","assetManifest":[{assets}]}}"#);
///     Record::from_slice(json.as_bytes())
/// };
/// let (lamp, sound) = (r#"{"hash":"a","bytes":10}"#, r#"{"hash":"b","bytes":5}"#);
/// let records = [record("R-1", lamp)?, record("R-2", &format!("{lamp},{sound}"))?];
/// let usage = Usage::new(&records);
/// assert_eq!(usage.total(), 15);
/// assert_eq!((usage.items()[1].own(), usage.items()[1].shared()), (5, 10));
/// assert_eq!(usage.freed(&["R-1"])?, 0);
/// assert_eq!(usage.freed(&["R-1", "R-2"])?, 15);
/// # Ok::<(), resonite_brson::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Usage {
    items: Vec<UsageItem>,
    /// The bytes of each asset, and the items that list it.
    assets: Vec<(u64, Vec<usize>)>,
}

/// An item of the inventory, and the storage that it takes.
#[derive(Clone, Debug)]
pub struct UsageItem {
    record: Record,
    own: u64,
    shared: u64,
    /// Its assets, by their places in the list of all.
    assets: Vec<usize>,
}

/// A folder of the inventory, with all that is in it and in the folders below.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UsageFolder {
    /// The names from the root to it: see [`Record::folders`].
    pub path: Vec<String>,
    /// The number of items.
    pub items: usize,
    /// Bytes that no item elsewhere lists, which deleting the folder frees.
    pub own: u64,
    /// Bytes of assets that items elsewhere list too.
    pub shared: u64,
}

impl UsageItem {
    /// Its record.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Bytes of assets that no other item lists, which deleting it frees.
    pub fn own(&self) -> u64 {
        self.own
    }

    /// Bytes of assets that other items list too. With [`own`](Self::own) it is what the record lists.
    pub fn shared(&self) -> u64 {
        self.shared
    }
}

impl Usage {
    /// Adds up what records list: those of [items](Record::is_item), other ones are skipped. Of an
    /// asset that is listed with several sizes, the greatest counts.
    pub fn new<'r>(records: impl IntoIterator<Item = &'r Record>) -> Usage {
        let mut usage = Usage::default();
        let mut places = HashMap::new();
        for record in records.into_iter().filter(|record| record.is_item()) {
            let item = usage.items.len();
            let mut own = Vec::new();
            for (hash, bytes) in record.manifest() {
                let place = *places.entry(hash).or_insert(usage.assets.len());
                if place == usage.assets.len() {
                    usage.assets.push((0, Vec::new()));
                }
                let Some((most, owners)) = usage.assets.get_mut(place) else { continue };
                *most = bytes.max(*most);
                // A list may have an asset twice.
                if owners.last() != Some(&item) {
                    owners.push(item);
                    own.push(place);
                }
            }
            let record = record.clone();
            usage.items.push(UsageItem { record, own: 0, shared: 0, assets: own });
        }
        for item in 0..usage.items.len() {
            let (own, shared) = usage.split(&[item]);
            usage.items.get_mut(item).into_iter().for_each(|item| {
                (item.own, item.shared) = (own, shared);
            });
        }
        usage
    }

    /// The items, in the order of their records.
    pub fn items(&self) -> &[UsageItem] {
        &self.items
    }

    /// Bytes of all assets together, each once.
    pub fn total(&self) -> u64 {
        self.assets.iter().fold(0, |sum, (bytes, _)| sum.saturating_add(*bytes))
    }

    /// Bytes that deleting a set of items frees together.
    ///
    /// # Errors
    /// An identifier that no item has.
    pub fn freed<S: AsRef<str>>(&self, ids: &[S]) -> Result<u64> {
        let mut known: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, item) in self.items.iter().enumerate() {
            known.entry(item.record.id().unwrap_or_default()).or_default().push(at);
        }
        let mut gone = HashSet::new();
        for id in ids {
            let items = known.get(id.as_ref()).ok_or_else(|| {
                Error::new(
                    ErrorKind::Package,
                    format!("expected the id of an item, found {}", quoted(id.as_ref())),
                )
            })?;
            gone.extend(items);
        }
        Ok(self.split(&gone.into_iter().copied().collect::<Vec<_>>()).0)
    }

    /// The items that list assets which an item lists too, each with the bytes of these; the ones that
    /// share most come first.
    pub fn sharing(&self, item: usize) -> Vec<(&UsageItem, u64)> {
        let mut others: BTreeMap<usize, u64> = BTreeMap::new();
        for place in self.items.get(item).into_iter().flat_map(|item| &item.assets) {
            let Some((bytes, owners)) = self.assets.get(*place) else { continue };
            for other in owners.iter().filter(|other| **other != item) {
                let sum = others.entry(*other).or_default();
                *sum = sum.saturating_add(*bytes);
            }
        }
        let others = others.into_iter().filter_map(|(at, sum)| Some((self.items.get(at)?, sum)));
        let mut others: Vec<_> = others.collect();
        others.sort_by_key(|(_, sum)| std::cmp::Reverse(*sum));
        others
    }

    /// The folders that items are in, and those around these, each before the ones in it; the root has no
    /// names.
    pub fn folders(&self) -> Vec<UsageFolder> {
        let mut inside: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (at, item) in self.items.iter().enumerate() {
            let path = item.record.folders();
            for len in 0..=path.len() {
                let around = path.get(..len).unwrap_or_default().to_vec();
                inside.entry(around).or_default().push(at);
            }
        }
        let folders = inside.into_iter().map(|(path, items)| {
            let (own, shared) = self.split(&items);
            UsageFolder { path, items: items.len(), own, shared }
        });
        folders.collect()
    }

    /// The bytes that a set of items lists: what nothing else lists, and the rest.
    fn split(&self, items: &[usize]) -> (u64, u64) {
        let mut owners: HashMap<usize, usize> = HashMap::new();
        for place in items.iter().filter_map(|at| self.items.get(*at)).flat_map(|own| &own.assets) {
            let count = owners.entry(*place).or_default();
            *count = count.saturating_add(1);
        }
        let (mut own, mut shared) = (0_u64, 0_u64);
        for (place, count) in owners {
            let Some((bytes, all)) = self.assets.get(place) else { continue };
            let sum = if count == all.len() { &mut own } else { &mut shared };
            *sum = sum.saturating_add(*bytes);
        }
        (own, shared)
    }
}
