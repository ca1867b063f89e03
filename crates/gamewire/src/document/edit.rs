//! Values by their paths, in the JSON notation of any format: found, set, inserted and removed.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use serde_json::Value as Json;

use crate::document::path::{self, New, Step, Trails};

/// A value in the notation of a file.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The way from the root of the data, as it is shown.
    pub(crate) path: Vec<Step>,
    /// Where it is in the JSON. With `run`, this is an array.
    pub(crate) pointer: String,
    /// The first part and the number of parts of an array that are the value, which has no brackets
    /// of its own: a vector in a packed array.
    pub(crate) run: Option<(usize, usize)>,
    /// Its kind, in the words of the format; empty where only the JSON says it.
    pub(crate) kind: String,
    /// The parts that go when it is removed.
    pub(crate) whole: Whole,
}

/// The parts of the JSON notation that belong to a value.
#[derive(Clone, Debug)]
pub(crate) enum Whole {
    /// A member of an object, by their pointer and name.
    Member(String, String),
    /// Parts of an array: its pointer, the first one, and how many.
    Parts(String, usize, usize),
    /// It cannot be removed; why.
    Never(&'static str),
}

impl Place {
    /// The root of the data.
    pub(crate) fn root(pointer: &str, kind: &str) -> Self {
        Place {
            path: Vec::new(),
            pointer: pointer.to_owned(),
            run: None,
            kind: kind.to_owned(),
            whole: Whole::Never("it is all of the file"),
        }
    }

    fn inside(&self, step: Step, pointer: String, kind: &str, whole: Whole) -> Self {
        let path = self.path.iter().cloned().chain([step]).collect();
        Place { path, pointer, run: None, kind: kind.to_owned(), whole }
    }

    /// A member of the object at `within`, from this place.
    pub(crate) fn member(&self, step: Step, within: &str, name: &str, kind: &str) -> Self {
        let object = format!("{}{within}", self.pointer);
        let pointer = format!("{object}/{}", escaped(name));
        self.inside(step, pointer, kind, Whole::Member(object, name.to_owned()))
    }

    /// The key of a pair: the part `at` of the array at `within`, from this place.
    pub(crate) fn key(&self, index: usize, within: &str, at: usize, kind: &str) -> Self {
        let step = Step::Other(format!("key {index}"));
        let whole = Whole::Never("a key goes with its value");
        self.inside(step, format!("{}{within}/{at}", self.pointer), kind, whole)
    }

    /// The element `at` of the array at `within`, from this place.
    pub(crate) fn element(&self, step: Step, within: &str, at: usize, kind: &str) -> Self {
        let array = format!("{}{within}", self.pointer);
        self.inside(step, format!("{array}/{at}"), kind, Whole::Parts(array, at, 1))
    }

    /// The path as it is shown.
    pub(crate) fn shown(&self) -> String {
        path::text(&self.path).unwrap_or_else(|| "(root)".to_owned())
    }
}

/// A name as a token of a JSON pointer.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The values of a format's data, by their places.
pub(super) trait Values {
    /// The data that has the values in it.
    type Data;

    /// The root of the data.
    fn root(&self, data: &Self::Data) -> Place;

    /// Whether the file has exactly one framed value.
    fn is_only(&self, data: &Self::Data) -> bool {
        let _ = data;
        false
    }

    /// The values inside of a value, in order.
    fn children(&self, data: &Self::Data, place: &Place) -> Vec<Place>;

    /// A whole of which the children are parts, without being a child itself.
    fn aside(&self, data: &Self::Data, place: &Place) -> Option<Place> {
        let _ = (data, place);
        None
    }

    /// A key of a value, by its position: what is shown as `[key 3]`.
    fn key(&self, data: &Self::Data, place: &Place, index: usize) -> Option<Place> {
        let _ = (data, place, index);
        None
    }

    /// Changes a value to what a text says. Without `kind`, its kind stays.
    fn set(
        &self,
        data: &mut Self::Data,
        place: &Place,
        text: &str,
        kind: Option<&str>,
    ) -> Result<(), String>;

    /// Adds a value to a container.
    fn insert(
        &self,
        data: &mut Self::Data,
        container: &Place,
        step: &New,
        text: &str,
        kind: Option<&str>,
    ) -> Result<(), String>;

    /// Removes values.
    fn remove(&self, data: &mut Self::Data, places: Vec<Place>) -> Result<(), String>;

    /// Makes what a file leaves out because it is the default, so that there is a value at a path;
    /// whether something was made.
    fn restore(&self, data: &mut Self::Data, path: &str) -> bool {
        let _ = (data, path);
        false
    }

    /// Whether there are others in a value, or could be.
    fn holds(&self, data: &Self::Data, place: &Place) -> bool;

    /// The kind of a value, in the words of `--kind`.
    fn kind(&self, data: &Self::Data, place: &Place) -> String;

    /// A value for people: text without quotes, numbers, else its notation on one line. `set` takes
    /// it.
    fn text(&self, data: &Self::Data, place: &Place) -> String;

    /// A value as plain JSON.
    fn plain(&self, data: &Self::Data, place: &Place) -> Json;

    /// The data as plain JSON.
    fn all_plain(&self, data: &Self::Data) -> Json {
        self.plain(data, &self.root(data))
    }

    /// Values that other paths lead to, such as those by the names of things: for each path, in order.
    fn by_name(&self, data: &Self::Data, paths: &[&str]) -> Vec<Vec<Place>> {
        let _ = (data, paths);
        Vec::new()
    }
}

/// A value for people, of its notation and of what that is in plain JSON.
pub(super) fn shown(json: &Json, plain: Json) -> String {
    match plain {
        Json::String(text) if !text.starts_with('"') => text,
        plain @ (Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_)) => {
            plain.to_string()
        }
        _ => json.to_string(),
    }
}

/// A value on one line: text in quotes where it has more than one.
pub(crate) fn one_line(text: String) -> String {
    let is_line = !text.chars().any(char::is_control);
    if is_line { text } else { Json::String(text).to_string() }
}

/// Numbers of an array that stand on one line.
const MAX_ROW: usize = 16;

/// A line for each value in which nothing is, and for rows of numbers.
pub(crate) fn lines<V: Values>(values: &V, data: &V::Data) -> String {
    let mut text = String::new();
    let mut todo = vec![values.root(data)];
    while let Some(place) = todo.pop() {
        let children = values.children(data, &place);
        let is_leaf = |child: &Place| values.children(data, child).is_empty();
        let row = Some(&children).filter(|all| all.len() <= MAX_ROW && all.iter().all(is_leaf));
        let row = row.map(|_| values.plain(data, &place)).filter(|row| {
            let items = row.as_array();
            items
                .is_some_and(|items| items.iter().all(|item| !item.is_array() && !item.is_object()))
        });
        if children.is_empty() || row.is_some() {
            let line = || one_line(values.text(data, &place));
            let shown = row.map_or_else(line, |row| row.to_string());
            _ = writeln!(text, "{}={shown}", place.shown());
        } else {
            todo.extend(children.into_iter().rev());
        }
    }
    text
}

/// A change of a document. `kind` is one of the format's kinds, as [`Node::kind`](super::Node::kind)
/// says them; `None` for the kind that is there, or that the value looks like.
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

/// Makes changes. Of several in a row that set or remove, the paths are those before the first of them.
pub(super) fn apply<V: Values>(
    values: &V,
    data: &mut V::Data,
    edits: &[Edit<'_>],
) -> Result<(), String> {
    for run in edits.chunk_by(|a, b| std::mem::discriminant(a) == std::mem::discriminant(b)) {
        let paths: Vec<&str> = run.iter().map(Edit::path).collect();
        match run.first() {
            Some(Edit::Set { .. }) => set(values, data, run, &paths)?,
            Some(Edit::Insert { .. }) => {
                run.iter().try_for_each(|edit| insert(values, data, edit))?;
            }
            _ => {
                // All are found before the first goes, so that positions are those of the file.
                let places = found(values, data, &paths)?;
                values.remove(data, places)?;
            }
        }
    }
    Ok(())
}

fn set<V: Values>(
    values: &V,
    data: &mut V::Data,
    edits: &[Edit<'_>],
    paths: &[&str],
) -> Result<(), String> {
    let all = find_all(values, data, paths);
    let mut changed = Changed::default();
    for (at, (edit, mut places)) in edits.iter().zip(all).enumerate() {
        let Edit::Set { path, value, kind } = edit else { continue };
        if places.iter().any(|place| changed.has(place)) || (places.is_empty() && at > 0) {
            places = find(values, data, path);
        }
        if places.is_empty() && values.restore(data, path) {
            places = find(values, data, path);
        }
        must_be_meant(values, data, path, &places)?;
        for place in places {
            let held = values.holds(data, &place);
            values
                .set(data, &place, value, *kind)
                .map_err(|why| format!("{}: {why}", place.shown()))?;
            if held || values.holds(data, &place) {
                changed.0.insert(place.pointer.clone());
            }
        }
    }
    Ok(())
}

fn insert<V: Values>(values: &V, data: &mut V::Data, edit: &Edit<'_>) -> Result<(), String> {
    let Edit::Insert { path, value, kind } = edit else { return Ok(()) };
    for (container, step) in container(values, data, path)? {
        let is_new = matches!(step, New::Index(_));
        if !is_new && !find(values, data, path).is_empty() {
            return Err(format!("{path}: is there already; `set` changes it"));
        }
        values
            .insert(data, &container, &step, value, *kind)
            .map_err(|why| format!("{path}: {why}"))?;
    }
    Ok(())
}

/// The values of each path, of which there must be some.
fn found<V: Values>(values: &V, data: &V::Data, paths: &[&str]) -> Result<Vec<Place>, String> {
    let all = find_all(values, data, paths);
    for (places, path) in all.iter().zip(paths) {
        must_be_meant(values, data, path, places)?;
    }
    Ok(all.concat())
}

/// There must be values, and of a path that was shown shortened only one.
fn must_be_meant<V: Values>(
    values: &V,
    data: &V::Data,
    path: &str,
    places: &[Place],
) -> Result<(), String> {
    match places {
        [] => Err(nothing(values, data, path)),
        [first, second, ..] if path.contains('…') && !path.contains('*') => {
            let (first, second) = (first.shown(), second.shown());
            Err(format!("{path}: leads to {first} and {second}, and may mean either"))
        }
        _ => Ok(()),
    }
}

/// Pointers of values that have got others inside of them, so that what was found there is there no
/// more.
#[derive(Default)]
struct Changed(HashSet<String>);

impl Changed {
    fn has(&self, place: &Place) -> bool {
        let pointer = place.pointer.as_str();
        let ends = pointer.match_indices('/').map(|(end, _)| end).chain([pointer.len()]);
        !self.0.is_empty()
            && ends.filter_map(|end| pointer.get(..end)).any(|outer| self.0.contains(outer))
    }
}

/// The values that a path leads to, each once, in the order of the file.
pub(crate) fn find<V: Values>(values: &V, data: &V::Data, path: &str) -> Vec<Place> {
    find_all(values, data, &[path]).pop().unwrap_or_default()
}

/// The values that each of the paths leads to, by one walk over the file.
pub(crate) fn find_all<V: Values>(values: &V, data: &V::Data, paths: &[&str]) -> Vec<Vec<Place>> {
    let mut found = values.by_name(data, paths);
    found.resize_with(paths.len(), Vec::new);
    let left = found.iter().zip(paths).enumerate().filter(|(_, (found, _))| found.is_empty());
    let left = left.map(|(at, (_, path))| (if *path == "(root)" { "" } else { path }, at));
    let trails = Trails::new(left);
    let root = values.root(data);
    descend(values, data, &root, &trails, &mut found);
    // Errors count the values of a row before it is known that there is only one.
    if values.is_only(data) {
        let left = found.iter().zip(paths).enumerate().filter(|(_, (found, _))| found.is_empty());
        let left = left.filter_map(|(at, (_, path))| Some((path.strip_prefix("[0]")?, at)));
        descend(values, data, &root, &Trails::new(left), &mut found);
    }
    for places in &mut found {
        let mut seen = HashSet::new();
        places.retain(|place| seen.insert((place.pointer.clone(), place.run)));
    }
    found
}

fn descend<V: Values>(
    values: &V,
    data: &V::Data,
    place: &Place,
    trails: &Trails<'_>,
    found: &mut [Vec<Place>],
) {
    for path in trails.ended() {
        found.get_mut(path).into_iter().for_each(|found| found.push(place.clone()));
    }
    if !trails.go_on() {
        return;
    }
    for (index, trails) in trails.keys() {
        if let Some(key) = values.key(data, place, index) {
            descend(values, data, &key, &trails, found);
        }
    }
    let aside = values.aside(data, place);
    if let Some((aside, trails)) = aside.and_then(|aside| {
        let trails = trails.exactly(aside.path.last()?);
        Some((aside, trails))
    }) {
        descend(values, data, &aside, &trails, found);
    }
    for child in values.children(data, place) {
        let Some(step) = child.path.last() else { continue };
        let trails = trails.after(step);
        descend(values, data, &child, &trails, found);
    }
}

/// The path of what stands at a pointer of the JSON, where it has one.
pub(crate) fn path_at<V: Values>(values: &V, data: &V::Data, pointer: &str) -> Option<String> {
    let mut place = values.root(data);
    while place.pointer != pointer {
        let is_around = |child: &Place| {
            let rest = pointer.strip_prefix(child.pointer.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        place = values.children(data, &place).into_iter().find(is_around)?;
    }
    Some(place.shown())
}

/// The container that a path for something new leads to, and the last step.
pub(crate) fn container<V: Values>(
    values: &V,
    data: &V::Data,
    path: &str,
) -> Result<Vec<(Place, New)>, String> {
    let root = values.root(data);
    if root.kind == SETTINGS {
        return Ok(vec![(root, New::Name(path.to_owned()))]);
    }
    let (outer, step) =
        path::split_last(path).ok_or_else(|| format!("{path}: ends with no key or position"))?;
    let found = find(values, data, outer);
    if found.is_empty() {
        return Err(nothing(values, data, outer));
    }
    Ok(found.into_iter().map(|place| (place, step.clone())).collect())
}

/// The kind of a root whose members have names that are whole paths.
pub(crate) const SETTINGS: &str = "settings";

/// Why a path leads nowhere: how far it goes, and what is there.
pub(crate) fn nothing<V: Values>(values: &V, data: &V::Data, path: &str) -> String {
    why_not(values, data, &[path]).pop().unwrap_or_default()
}

/// Why each of the paths leads nowhere.
pub(crate) fn why_not<V: Values>(values: &V, data: &V::Data, paths: &[&str]) -> Vec<String> {
    // The beginnings of the paths, the longest first.
    let mut outer = Vec::new();
    for (at, path) in paths.iter().enumerate() {
        let ends = path.char_indices().rev().filter_map(|(end, _)| path.get(..end));
        outer.extend(ends.filter(|outer| path::is_boundary(path, outer)).map(|own| (at, own)));
    }
    let beginnings: Vec<&str> = outer.iter().map(|(_, own)| *own).collect();
    let found = find_all(values, data, &beginnings);
    let mut near: Vec<Option<Place>> = vec![None; paths.len()];
    for ((at, _), places) in outer.into_iter().zip(found) {
        if let Some(near @ None) = near.get_mut(at) {
            *near = places.into_iter().next();
        }
    }
    let mut known = HashMap::new();
    let near = near.into_iter().zip(paths).map(|(place, path)| {
        let Some(place) = place else { return format!("{path}: there is no such value") };
        let what = known.entry(place.pointer.clone());
        let what = what.or_insert_with(|| what_is_in(values, data, &place));
        format!("{path}: {what}")
    });
    near.collect()
}

fn what_is_in<V: Values>(values: &V, data: &V::Data, place: &Place) -> String {
    let inside = values.children(data, place);
    let names: Vec<String> = inside
        .iter()
        .filter_map(|child| path::text(child.path.get(place.path.len()..)?))
        .take(8)
        .collect();
    let more = if inside.len() > names.len() { ", …" } else { "" };
    match names.as_slice() {
        [] => format!("there is nothing in {}", place.shown()),
        names => format!("there is only {}{more} in {}", names.join(", "), place.shown()),
    }
}

/// Sorts what is to be removed, to be taken from the end: what is inside of something goes before it, and
/// of a list the last goes first.
pub(super) fn last_first(places: &mut [Place]) {
    places.sort_by_key(|place| match &place.whole {
        Whole::Member(object, _) => (object.matches('/').count(), 0),
        Whole::Parts(array, start, _) => (array.matches('/').count(), *start),
        Whole::Never(_) => (0, 0),
    });
}

/// A text as JSON, if it is any.
pub(crate) fn json(text: &str) -> Option<Json> {
    crate::document::json::parse(text)
}

/// Text, with or without quotes.
pub(crate) fn text(text: &str) -> Result<String, String> {
    if !text.starts_with('"') {
        return Ok(text.to_owned());
    }
    match json(text) {
        Some(Json::String(text)) => Ok(text),
        _ => Err(format!("expected text, in quotes or without, found {text}")),
    }
}

/// `true` or `false`.
pub(crate) fn boolean(text: &str) -> Result<Json, String> {
    text.parse().map(Json::Bool).map_err(|_| format!("expected true or false, found {text}"))
}

/// An integer of `bits` bits with a sign.
pub(crate) fn integer(text: &str, bits: u32) -> Result<i64, String> {
    let number: Option<i64> = text.trim().parse().ok();
    number.filter(|number| bits == 64 || number.unsigned_abs() <= i32::MAX as u64 + u64::from(*number < 0)).ok_or_else(
        || format!("expected an integer of {bits} bits, found {text}; --kind says it is to be another kind"),
    )
}

/// A number.
pub(crate) fn float(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    number.ok_or_else(|| {
        format!("expected a number, found {text}; --kind says it is to be another kind")
    })
}

/// JSON that must be there.
pub(crate) fn notation(text: &str, what: &str) -> Result<Json, String> {
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
