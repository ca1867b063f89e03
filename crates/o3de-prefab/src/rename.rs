//! Names that change in all files of a project: of components, properties and files.

mod change;
mod edit;
mod guid;
mod property;

use crate::assets::products;
use crate::expand::Loader;
use crate::prefab::split_type;
pub(crate) use change::steps;
pub use change::{Change, Changed, Undecided};
use edit::{Site, edits};
pub use guid::asset_guid;
use o3de_json::types::Uuid;
use o3de_json::value::{Document, Importer, normal_path};
use o3de_json::{Error, ErrorKind, Result};

/// A name that is to change: of a type of components, of a property, or of a file.
///
/// It changes in the documents themselves and in the overrides of instances, and nothing else does: of
/// each document only the bytes of the names are other ones.
///
/// ```
/// use o3de_prefab::{Loader, Rename};
/// use o3de_json::value::Document;
///
/// let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
/// let level: Document = r#"{"Entities": {}, "Instances": {"Instance_[1]": {"Source": "Old.prefab"}}}"#.parse()?;
/// let renamed = Rename::path("Old.prefab", "New.prefab").apply(&level, "Level.prefab", &mut Loader::new(nothing))?;
/// assert_eq!(renamed.changes.len(), 1);
/// assert_eq!(renamed.changes[0].pointer, "/Instances/Instance_[1]/Source");
/// assert_eq!(renamed.bytes, br#"{"Entities": {}, "Instances": {"Instance_[1]": {"Source": "New.prefab"}}}"#);
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rename(What);

#[derive(Clone, Debug)]
enum What {
    Component { from: String, to: String },
    Property { component: String, from: Vec<String>, to: String },
    Path { pairs: Vec<(String, String)>, guids: bool },
}

/// A document in which a name has changed.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Renamed {
    /// Its bytes. Those that are no part of a change are as they were.
    pub bytes: Vec<u8>,
    /// The changes, in the order of the document.
    pub changes: Vec<Change>,
    /// Overrides that may name the property. They are as they were.
    pub undecided: Vec<Undecided>,
}

impl Rename {
    /// Another name for a type, wherever `$type` says it; a UUID before it stays. Case does not count.
    ///
    /// Components that have their place by the name of their type, as in files of newer engines, get the
    /// new one: `Components` in documents, and the paths of overrides.
    pub fn component(from: impl Into<String>, to: impl Into<String>) -> Self {
        Rename(What::Component { from: from.into(), to: to.into() })
    }

    /// Another name for a property of a type, whose JSON pointer in objects of the type is `from`.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] for a pointer that is none, and that of the object itself.
    pub fn property(
        component: impl Into<String>,
        from: &str,
        to: impl Into<String>,
    ) -> Result<Self> {
        let steps = steps(from).filter(|steps| !steps.is_empty());
        let from = steps.ok_or_else(|| {
            Error::with_kind(ErrorKind::Invalid, format!("`{from}` is no pointer of a property"))
        })?;
        Ok(Rename(What::Property { component: component.into(), from, to: to.into() }))
    }

    /// Another path for a file, wherever a string is it: `Source` of instances, assets, imports, paths in
    /// materials. Case and the direction of slashes do not count; a path that is written in lower case
    /// stays so. Paths that begin with `.` are looked at from the document.
    ///
    /// `assetHint`s change, too, where they name what the Asset Processor makes of the file. The ids of
    /// assets change with [`guids`](Rename::guids) alone.
    pub fn path(from: impl Into<String>, to: impl Into<String>) -> Self {
        Rename(What::Path { pairs: vec![(from.into(), to.into())], guids: false })
    }

    /// Whether the ids that the Asset Processor makes of the paths change, too, by [`asset_guid`]: they are
    /// found by what they are, wherever a string is one. Not by default.
    ///
    /// It is for [`path`](Rename::path) alone, and does nothing to the others. A file whose `.meta` file
    /// keeps an id needs none of this.
    ///
    /// ```
    /// use o3de_prefab::{Loader, Rename, asset_guid};
    /// use o3de_json::value::Document;
    ///
    /// let (old, new) = (asset_guid("a.fbx"), asset_guid("b.fbx"));
    /// let level: Document = format!(r#"{{"assetId": {{"guid": "{old}"}}, "assetHint": "a.azmodel"}}"#).parse()?;
    /// let nothing = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    /// let renamed = Rename::path("a.fbx", "b.fbx").guids(true).apply(&level, "", &mut Loader::new(nothing))?;
    /// let expected = format!(r#"{{"assetId": {{"guid": "{new}"}}, "assetHint": "b.azmodel"}}"#);
    /// assert_eq!(renamed.bytes, expected.as_bytes());
    /// # Ok::<(), o3de_json::Error>(())
    /// ```
    #[must_use]
    pub fn guids(mut self, change: bool) -> Self {
        if let What::Path { guids, .. } = &mut self.0 {
            *guids = change;
        }
        self
    }

    /// The same, with one more way to name the file. Of scan folders inside of one another, each has one:
    /// [`Project::names`](crate::Project::names).
    ///
    /// It is for [`path`](Rename::path) alone, and does nothing to the others.
    #[must_use]
    pub fn or_path(mut self, from: impl Into<String>, to: impl Into<String>) -> Self {
        if let What::Path { pairs, .. } = &mut self.0 {
            pairs.push((from.into(), to.into()));
        }
        self
    }

    /// Changes the name in a document as it was read. `path` is the document's own; the sources of its
    /// instances are read to know what the overrides of a property are.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] where the new name is taken, by another member of the same object.
    pub fn apply<I: Importer>(
        &self,
        document: &Document,
        path: &str,
        loader: &mut Loader<I>,
    ) -> Result<Renamed> {
        let mut undecided = Vec::new();
        let found = match &self.0 {
            What::Component { from, to } => edits(document, &mut |site| component(site, from, to)),
            What::Property { component, from, to } => {
                let plan = property::plan(
                    document.value(),
                    property::Property { class: component, from, to },
                    path,
                    loader,
                );
                undecided = plan.undecided;
                edits(document, &mut |site| {
                    // Most strings are not looked up.
                    let may = match site.is_name {
                        true => from.last().is_some_and(|own| own == site.text),
                        false => matches!(site.member, "path" | "from"),
                    };
                    let found = may.then(|| plan.texts.get(site.pointer)).flatten();
                    found.filter(|own| own.0 == site.is_name).map(|own| own.1.clone())
                })
            }
            What::Path { pairs, guids } => {
                let ids = pairs.iter().filter(|_| *guids);
                let ids: Vec<(Uuid, Uuid)> =
                    ids.map(|(from, to)| (asset_guid(from), asset_guid(to))).collect();
                edits(document, &mut |site| {
                    moved(site, pairs, path).or_else(|| of_new_path(site, &ids))
                })
            }
        }?;
        let bytes = document.with_text(edit::applied(document.source(), &found)?)?.to_vec()?;
        let changes: Vec<Change> = found.into_iter().map(|edit| edit.change).collect();
        Ok(Renamed { bytes, changes, undecided })
    }
}

/// Returns the new string for another type of components.
fn component(site: &Site<'_>, from: &str, to: &str) -> Option<String> {
    let of_path = |end: &str| site.path.is_some_and(|path| path.ends_with(end));
    if site.is_name {
        let is_list =
            site.around == "Components" || site.around == "value" && of_path("/Components");
        return is_list.then(|| keyed(site.text, from, to)).flatten();
    }
    match site.member {
        "path" | "from" if site.text.starts_with('/') => {
            let mut is_key = false;
            let parts: Vec<String> = site
                .text
                .split('/')
                .map(|part| {
                    let is_list = std::mem::replace(&mut is_key, part == "Components");
                    let key = is_list.then(|| keyed(part, from, to)).flatten();
                    key.unwrap_or_else(|| part.to_owned())
                })
                .collect();
            Some(parts.join("/")).filter(|new| new != site.text)
        }
        "$type" => typed(site.text, from, to),
        "value" if of_path("/$type") => typed(site.text, from, to),
        _ => None,
    }
}

/// The key of a component: the name of its type, perhaps with a number.
pub(crate) fn keyed(key: &str, from: &str, to: &str) -> Option<String> {
    let rest = key.strip_prefix(from)?;
    let number = rest.strip_prefix('_');
    let is_number = |own: &str| !own.is_empty() && own.bytes().all(|byte| byte.is_ascii_digit());
    (rest.is_empty() || number.is_some_and(is_number)).then(|| format!("{to}{rest}"))
}

pub(crate) fn typed(text: &str, from: &str, to: &str) -> Option<String> {
    let (_, name) = split_type(text);
    if !name.eq_ignore_ascii_case(from) {
        return None;
    }
    let at = text.rfind(name)?;
    Some(format!("{}{to}{}", text.get(..at)?, text.get(at.saturating_add(name.len())..)?))
}

/// Returns the new string for the path of another file.
fn moved(site: &Site<'_>, pairs: &[(String, String)], document: &str) -> Option<String> {
    // Names for people, and paths in documents.
    let is_other = matches!(site.member, "Name" | "path" | "from" | "op" | "$type");
    if site.is_name || is_other || site.text.is_empty() {
        return None;
    }
    let slashed = site.text.replace('\\', "/");
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    for (from, to) in pairs {
        if same(&slashed, from) {
            return Some(cased(site.text, from, to));
        }
        if site.text.starts_with('.') {
            let whole = normal_path(&format!("{folder}/{slashed}"));
            if whole.is_some_and(|own| same(&own, from)) {
                return Some(relative(folder, to, site.text.starts_with("./")));
            }
        }
        if site.member != "assetHint" {
            continue;
        }
        let (Some((from_stem, extension)), Some((to_stem, _))) =
            (from.rsplit_once('.'), to.rsplit_once('.'))
        else {
            continue;
        };
        let rest = |stem: &str| -> Option<&str> {
            let (head, rest) = site.text.split_at_checked(stem.len())?;
            same(&head.replace('\\', "/"), stem).then(|| rest.strip_prefix('.')).flatten()
        };
        // `lamp.png.streamingimage`, then `lamp.azmaterial`.
        if let Some(product) = rest(from).filter(|rest| !rest.contains('/')) {
            return Some(cased(site.text, "", &format!("{to}.{product}")));
        }
        let made = rest(from_stem).filter(|rest| products(extension).any(|own| same(own, rest)));
        if let Some(product) = made {
            return Some(cased(site.text, "", &format!("{to_stem}.{product}")));
        }
    }
    None
}

/// Returns the new string for the id of another file.
fn of_new_path(site: &Site<'_>, ids: &[(Uuid, Uuid)]) -> Option<String> {
    if ids.is_empty() || site.is_name || !site.text.starts_with('{') || !site.text.ends_with('}') {
        return None;
    }
    let own = Uuid::find(site.text)?;
    let (_, new) = ids.iter().find(|(old, _)| *old == own)?;
    let new = new.to_string();
    let is_lower = site.text.bytes().any(|byte| byte.is_ascii_lowercase());
    Some(if is_lower { new.to_ascii_lowercase() } else { new })
}

fn same(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// The new path, in lower case where the old one is written so and `from` is not.
fn cased(old: &str, from: &str, to: &str) -> String {
    let is_lower = !old.bytes().any(|byte| byte.is_ascii_uppercase());
    if is_lower && old != from { to.to_ascii_lowercase() } else { to.to_owned() }
}

/// The way from a folder to a file.
fn relative(folder: &str, file: &str, has_dot: bool) -> String {
    let folder: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let file: Vec<&str> = file.split('/').collect();
    let common = folder.iter().zip(&file).take_while(|(a, b)| same(a, b)).count();
    let up = folder.len().saturating_sub(common);
    let mut way = if up == 0 && has_dot { "./".to_owned() } else { "../".repeat(up) };
    way.push_str(&file.get(common..).unwrap_or_default().join("/"));
    way
}
