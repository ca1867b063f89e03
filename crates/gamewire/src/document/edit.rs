//! Changes of a document: values set, inserted and removed by their paths.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value as Json;

use super::codec::Codec;
use super::node::{
    Found, Item as _, Node as _, Source, Turn, Way, ambiguous, find_all, visit, why_not,
};
use super::path::{self, New};

/// A change of a document. `kind` is one of the format's kinds, as [`Node::kind`](super::Node::kind)
/// says them; `None` for the kind that is present, or that the value looks like.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Edit<'a> {
    /// Sets the values that a path leads to.
    Set {
        /// The path.
        path: &'a str,
        /// The value.
        value: &'a str,
        /// The kind.
        kind: Option<&'a str>,
    },
    /// Inserts a value: the last step of the path is its key or position.
    Insert {
        /// The path.
        path: &'a str,
        /// The value.
        value: &'a str,
        /// The kind.
        kind: Option<&'a str>,
    },
    /// Removes the values that a path leads to.
    Remove {
        /// The path.
        path: &'a str,
    },
}

impl<'a> Edit<'a> {
    /// The path.
    pub fn path(&self) -> &'a str {
        match self {
            Edit::Set { path, .. } | Edit::Insert { path, .. } | Edit::Remove { path } => path,
        }
    }
}

/// The edits that are made at once, whose paths are those before the first of them: several in a row that
/// set or remove, or one that inserts.
pub(super) fn runs<'e, 'a>(edits: &'e [Edit<'a>]) -> impl Iterator<Item = &'e [Edit<'a>]> {
    let is_insert = |edit: &Edit<'_>| matches!(edit, Edit::Insert { .. });
    let is_same =
        |a: &Edit<'_>, b: &Edit<'_>| std::mem::discriminant(a) == std::mem::discriminant(b);
    edits.chunk_by(move |a, b| is_same(a, b) && !is_insert(a))
}

/// The content of a document, to be changed.
pub(super) struct Editor<'c, C: Codec> {
    codec: &'c C,
    pub(super) content: C::Content,
}

/// Values of a format with their paths.
type Nodes<'c, C> = Vec<Found<<C as Codec>::Node<'c>>>;

impl<'c, C: Codec> Editor<'c, C> {
    pub(super) fn new(codec: &'c C, content: C::Content) -> Self {
        Editor { codec, content }
    }

    /// Makes changes. Of several in a row that set or remove, the paths are those before the first of
    /// them.
    pub(super) fn apply(&mut self, edits: &[Edit<'_>]) -> Result<(), String> {
        for run in runs(edits) {
            match run.first() {
                Some(Edit::Set { .. }) => self.set(run)?,
                Some(insert @ Edit::Insert { .. }) => self.insert(insert)?,
                _ => self.remove(run)?,
            }
        }
        Ok(())
    }

    /// Changes a value at the end of a way.
    fn change(
        &mut self,
        way: &[Turn],
        then: impl FnOnce(&mut C::Item) -> Result<(), String>,
    ) -> Result<(), String> {
        let mut root = self.codec.take(&mut self.content);
        visit(&mut root, way, then)?;
        self.codec.put(&mut self.content, root)
    }

    fn find(&self, edits: &[Edit<'_>]) -> Vec<Nodes<'_, C>> {
        let paths: Vec<&str> = edits.iter().map(Edit::path).collect();
        find::<C>(self.codec, &self.content, &paths)
    }

    /// Why a path leads nowhere.
    fn nothing(&self, path: &str) -> String {
        let (root, is_only) = (self.codec.root(&self.content), self.codec.is_only(&self.content));
        why_not(&root, is_only, &[path]).pop().unwrap_or_default()
    }

    /// There must be values, and of a path that was shown shortened only one.
    fn must_be_meant(&self, path: &str, found: &Nodes<'_, C>) -> Result<(), String> {
        if found.is_empty() {
            return Err(self.nothing(path));
        }
        ambiguous(path, found).map_or(Ok(()), Err)
    }

    fn set(&mut self, mut edits: &[Edit<'_>]) -> Result<(), String> {
        while let [first, ..] = edits {
            let mut made = Vec::new();
            let mut changed = Changed::default();
            let mut done = 0;
            for (edit, found) in edits.iter().zip(self.find(edits)) {
                let Edit::Set { path, value, kind } = edit else { break };
                let is_changed = found.iter().any(|own| changed.has(&own.way));
                if is_changed || (found.is_empty() && done > 0) {
                    break;
                }
                self.must_be_meant(path, &found)?;
                for own in found {
                    let item = own.node.made(value, *kind);
                    made.push((
                        own.way.clone(),
                        item.map_err(|why| format!("{}: {why}", own.shown()))?,
                    ));
                    changed.add(own.way);
                }
                done += 1;
            }
            let mut root = self.codec.take(&mut self.content);
            for (way, item) in made {
                visit(&mut root, &way, |old| {
                    *old = item;
                    Ok(())
                })
                .map_err(|why| format!("{}: {why}", first.path()))?;
            }
            self.codec.put(&mut self.content, root)?;
            edits = edits.get(done..).unwrap_or_default();
        }
        Ok(())
    }

    fn insert(&mut self, edit: &Edit<'_>) -> Result<(), String> {
        let Edit::Insert { path, value, kind } = edit else { return Ok(()) };
        let failed = |why: String| format!("{path}: {why}");
        let mut made = Vec::new();
        let (containers, step) = self.containers(path)?;
        let is_new = matches!(step, New::Index(_));
        if !is_new && self.find(&[*edit]).first().is_some_and(|found| !found.is_empty()) {
            return Err(failed("is there already; `set` changes it".to_owned()));
        }
        for container in containers {
            let fresh = container.node.fresh(&step, value, *kind).map_err(failed)?;
            made.push((container.way, fresh));
        }
        // The last first: positions of the others stay.
        for (way, fresh) in made.into_iter().rev() {
            let way: Way = way.into_iter().chain(fresh.way).collect();
            self.change(&way, |container| {
                let len = container.len();
                let at = fresh.at.unwrap_or(len);
                if at > len {
                    return Err(format!("there are only {len} elements"));
                }
                let new = std::iter::once(Source::New(Box::new(fresh.entry)));
                let children =
                    (0..at).map(Source::Own).chain(new).chain((at..len).map(Source::Own));
                container.arrange(children.collect())
            })
            .map_err(failed)?;
        }
        Ok(())
    }

    /// The containers that a path for something new leads to, and the last step.
    fn containers(&self, path: &str) -> Result<(Nodes<'_, C>, New), String> {
        let root = self.codec.root(&self.content);
        if root.kind() == SETTINGS {
            let name = match path::split_last(path) {
                Some(("", New::Name(name))) => name,
                _ => path.to_owned(),
            };
            return Ok((vec![Found::root(root)], New::Name(name)));
        }
        let (outer, step) = path::split_last(path)
            .ok_or_else(|| format!("{path}: ends with no key or position"))?;
        let found = find::<C>(self.codec, &self.content, &[outer]).pop().unwrap_or_default();
        if found.is_empty() {
            return Err(self.nothing(outer));
        }
        Ok((found, step))
    }

    fn remove(&mut self, edits: &[Edit<'_>]) -> Result<(), String> {
        // The children that go, by the way to their container. All are found before the first goes, so
        // that positions are those of the file.
        let mut gone: BTreeMap<Way, (HashSet<usize>, String)> = BTreeMap::new();
        for (edit, found) in edits.iter().zip(self.find(edits)) {
            self.must_be_meant(edit.path(), &found)?;
            for own in found {
                let shown = own.shown();
                let (at, outer) = match own.way.split_last() {
                    Some((Turn::Child(at), outer)) => (*at, outer.to_vec()),
                    Some((Turn::Key(_), _)) => {
                        return Err(format!("{shown}: a key goes with its value"));
                    }
                    Some(_) => return Err(format!("{shown}: it is a part of what is around it")),
                    None => return Err(format!("{shown}: it is all of the file")),
                };
                gone.entry(outer).or_insert_with(|| (HashSet::new(), shown)).0.insert(at);
            }
        }
        // The last first: what is inside of another value comes after it in this order.
        for (way, (gone, shown)) in gone.into_iter().rev() {
            self.change(&way, |container| {
                let left = (0..container.len()).filter(|at| !gone.contains(at));
                container.arrange(left.map(Source::Own).collect())
            })
            .map_err(|why| format!("{shown}: {why}"))?;
        }
        Ok(())
    }
}

/// The values that each of the paths leads to.
pub(super) fn find<'c, C: Codec>(
    codec: &'c C,
    content: &'c C::Content,
    paths: &[&str],
) -> Vec<Nodes<'c, C>> {
    let by_name = codec.by_name(content, paths);
    find_all(&codec.root(content), codec.is_only(content), paths, by_name)
}

/// The kind of a root whose members have names that are whole paths.
pub(super) const SETTINGS: &str = "settings";

/// Ways to values that have got others inside of them, so that what was found there is there no more.
#[derive(Default)]
pub(super) struct Changed {
    ways: HashSet<Way>,
    /// The beginnings of the ways, of values that have changed inside.
    around: HashSet<Way>,
}

impl Changed {
    pub(super) fn has(&self, way: &[Turn]) -> bool {
        let is_inside =
            || (0..=way.len()).any(|len| self.ways.contains(way.get(..len).unwrap_or(way)));
        !self.ways.is_empty() && (self.around.contains(way) || is_inside())
    }

    pub(super) fn add(&mut self, way: Way) {
        for len in 0..way.len() {
            self.around.extend(way.get(..len).map(<[Turn]>::to_vec));
        }
        self.ways.insert(way);
    }
}

/// A text as JSON, if it is any.
pub(super) fn json(text: &str) -> Option<Json> {
    super::json::parse(text)
}

/// Text, with or without quotes.
pub(super) fn text(text: &str) -> Result<String, String> {
    if !text.starts_with('"') {
        return Ok(text.to_owned());
    }
    match json(text) {
        Some(Json::String(text)) => Ok(text),
        _ => Err(format!("expected text, in quotes or without, found {text}")),
    }
}

/// `true` or `false`.
pub(super) fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| format!("expected true or false, found {text}"))
}

/// An integer of `bits` bits with a sign.
pub(super) fn integer(text: &str, bits: u32) -> Result<i64, String> {
    let number: Option<i64> = text.trim().parse().ok();
    let fits = |number: &i64| bits == 64 || i32::try_from(*number).is_ok();
    number.filter(fits).ok_or_else(|| {
        format!(
            "expected an integer of {bits} bits, found {text}; --kind says it is to be another kind"
        )
    })
}

/// A number.
pub(super) fn float(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    number.ok_or_else(|| {
        format!("expected a number, found {text}; --kind says it is to be another kind")
    })
}

/// JSON that must be there.
pub(super) fn notation(text: &str, what: &str) -> Result<Json, String> {
    json(text).ok_or_else(|| format!("expected the JSON notation of {what}, found {text}"))
}

/// The kind of a value of JSON.
pub(super) fn kind_of(json: &Json) -> &'static str {
    match json {
        Json::Null => "null",
        Json::Bool(_) => "bool",
        Json::Number(number) if number.is_f64() => "double",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    }
}
