//! Values by their paths, in the JSON notation of any format: what `get`, `set`, `ins` and `del` do.

use std::borrow::Cow;

use serde_json::Value as Json;

use crate::path::{self, New, Step};

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
    /// What goes when it is removed.
    pub(crate) whole: Whole,
}

/// What stands for a value and all that belongs to it.
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

    /// The JSON that stands here.
    pub(crate) fn value<'a>(&self, json: &'a Json) -> Cow<'a, Json> {
        let found = json.pointer(&self.pointer);
        match (self.run, found) {
            (Some((start, len)), Some(Json::Array(parts))) => {
                Cow::Owned(parts.iter().skip(start).take(len).cloned().collect())
            }
            (_, Some(found)) => Cow::Borrowed(found),
            (_, None) => Cow::Owned(Json::Null),
        }
    }

    /// Puts other JSON here.
    pub(crate) fn put(&self, json: &mut Json, new: Json) -> Result<(), String> {
        let found = json.pointer_mut(&self.pointer).ok_or("it is gone")?;
        match (self.run, found, new) {
            (Some((start, len)), Json::Array(parts), Json::Array(new)) if new.len() == len => {
                parts.splice(start..start + len, new);
                Ok(())
            }
            (Some((_, len)), ..) => Err(format!("expected an array of {len} numbers")),
            (None, found, new) => {
                *found = new;
                Ok(())
            }
        }
    }
}

/// A name as a token of a JSON pointer.
pub(crate) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// How a format writes its data in JSON.
pub(crate) trait Notation {
    /// The data in the wrapper that names what is around it.
    fn root(&self, json: &Json) -> Place;

    /// What is inside of a value, in order.
    fn children(&self, json: &Json, place: &Place) -> Vec<Place>;

    /// A key of a value, by its position: what is shown as `[key 3]`.
    fn key(&self, json: &Json, place: &Place, index: usize) -> Option<Place> {
        let _ = (json, place, index);
        None
    }

    /// Changes a value to what a text says. Without `kind`, its kind stays.
    fn set(
        &self,
        json: &mut Json,
        place: &Place,
        text: &str,
        kind: Option<&str>,
    ) -> Result<(), String>;

    /// Adds a value to a container.
    fn insert(
        &self,
        json: &mut Json,
        container: &Place,
        step: &New,
        text: &str,
        kind: Option<&str>,
    ) -> Result<(), String>;

    /// Makes what a file leaves out because it is the default, so that there is a value at a path;
    /// whether something was made.
    fn restore(&self, json: &mut Json, path: &str) -> bool {
        let _ = (json, path);
        false
    }

    /// The kind of a value, in the words of `--kind`.
    fn kind(&self, json: &Json, place: &Place) -> String {
        let _ = json;
        place.kind.clone()
    }

    /// The same without what only the format needs: objects for dictionaries with text as keys,
    /// numbers as such. There is no way back.
    fn plain(&self, json: &Json) -> Json;

    /// A value for people: text without quotes, numbers, else its notation on one line. `set` takes
    /// it.
    fn shown(&self, json: &Json) -> String {
        match self.plain(json) {
            Json::String(text) if !text.starts_with('"') => text,
            plain @ (Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_)) => {
                plain.to_string()
            }
            _ => json.to_string(),
        }
    }

    /// Paths that the JSON does not have, such as those by the names of things.
    fn by_name(&self, json: &Json, path: &str) -> Vec<Place> {
        let _ = (json, path);
        Vec::new()
    }
}

/// A value on one line: text in quotes where it has more than one.
pub(crate) fn line(notation: &dyn Notation, json: &Json, place: &Place) -> String {
    let text = notation.shown(&place.value(json));
    let is_line = !text.chars().any(char::is_control);
    if is_line { text } else { Json::String(text).to_string() }
}

/// The values that a path leads to, each once, in the order of the file.
pub(crate) fn find(notation: &dyn Notation, json: &Json, path: &str) -> Vec<Place> {
    let mut found = notation.by_name(json, path);
    if found.is_empty() {
        let root = notation.root(json);
        descend(notation, json, root, path, &mut found);
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|place| seen.insert((place.pointer.clone(), place.run)));
    found
}

fn descend(notation: &dyn Notation, json: &Json, place: Place, rest: &str, found: &mut Vec<Place>) {
    if rest.is_empty() || (place.path.is_empty() && rest == "(root)") {
        found.push(place);
        return;
    }
    if let Some((index, rest)) = path::key(rest)
        && let Some(key) = notation.key(json, &place, index)
    {
        descend(notation, json, key, rest, found);
    }
    let is_first = place.path.is_empty();
    let below = path::any_depth(rest);
    for child in notation.children(json, &place) {
        let Some(step) = child.path.last() else { continue };
        if below.is_some() {
            descend(notation, json, child.clone(), rest, found);
        }
        let rest = below.unwrap_or(rest);
        for after in path::after(rest, step, is_first && below.is_none()) {
            descend(notation, json, child.clone(), after, found);
        }
    }
}

/// The values that the rest of a path leads to from a place.
pub(crate) fn below(notation: &dyn Notation, json: &Json, place: Place, rest: &str) -> Vec<Place> {
    let mut found = Vec::new();
    descend(notation, json, place, rest, &mut found);
    found
}

/// The path of what stands at a pointer of the JSON, where it has one.
pub(crate) fn path_at(notation: &dyn Notation, json: &Json, pointer: &str) -> Option<String> {
    let mut place = notation.root(json);
    while place.pointer != pointer {
        let is_around = |child: &Place| {
            let rest = pointer.strip_prefix(child.pointer.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        place = notation.children(json, &place).into_iter().find(is_around)?;
    }
    Some(place.shown())
}

/// Removes values.
pub(crate) fn remove(json: &mut Json, mut places: Vec<Place>) -> Result<(), String> {
    // What is inside of something goes before it, and of a list the last goes first.
    places.sort_by_key(|place| match &place.whole {
        Whole::Member(object, _) => (object.matches('/').count(), 0),
        Whole::Parts(array, start, _) => (array.matches('/').count(), *start),
        Whole::Never(_) => (0, 0),
    });
    for place in places.iter().rev() {
        match &place.whole {
            Whole::Member(object, name) => {
                if let Some(Json::Object(members)) = json.pointer_mut(object) {
                    members.shift_remove(name);
                }
            }
            Whole::Parts(array, start, len) => {
                if let Some(Json::Array(parts)) = json.pointer_mut(array)
                    && start + len <= parts.len()
                {
                    parts.drain(*start..start + len);
                }
            }
            Whole::Never(why) => return Err(format!("{}: {why}", place.shown())),
        }
    }
    Ok(())
}

/// The container that a path for something new leads to, and the last step.
pub(crate) fn container(
    notation: &dyn Notation,
    json: &Json,
    path: &str,
) -> Result<Vec<(Place, New)>, String> {
    let root = notation.root(json);
    if root.kind == SETTINGS {
        return Ok(vec![(root, New::Name(path.to_owned()))]);
    }
    let (outer, step) =
        path::split_last(path).ok_or_else(|| format!("{path}: ends with no key or position"))?;
    let found = find(notation, json, outer);
    if found.is_empty() {
        return Err(nothing(notation, json, outer));
    }
    Ok(found.into_iter().map(|place| (place, step.clone())).collect())
}

/// The kind of a root whose members have names that are whole paths.
pub(crate) const SETTINGS: &str = "settings";

/// Why a path leads nowhere: how far it goes, and what is there.
pub(crate) fn nothing(notation: &dyn Notation, json: &Json, path: &str) -> String {
    // The longest beginning of the path that leads to something.
    let mut ends: Vec<usize> = path.char_indices().map(|(at, _)| at).collect();
    ends.reverse();
    let near = ends.into_iter().find_map(|end| {
        let outer = path.get(..end).filter(|outer| path::is_boundary(path, outer))?;
        let place = find(notation, json, outer).into_iter().next()?;
        Some((outer, place))
    });
    let Some((_, place)) = near else { return format!("{path}: there is no such value") };
    let inside = notation.children(json, &place);
    let names: Vec<String> = inside
        .iter()
        .filter_map(|child| path::text(child.path.get(place.path.len()..)?))
        .take(8)
        .collect();
    let more = if inside.len() > names.len() { ", …" } else { "" };
    match names.as_slice() {
        [] => format!("{path}: there is nothing in {}", place.shown()),
        names => format!("{path}: there is only {}{more} in {}", names.join(", "), place.shown()),
    }
}

/// A text as JSON, if it is any.
pub(crate) fn json(text: &str) -> Option<Json> {
    crate::json::read(text.as_bytes(), std::marker::PhantomData).ok()
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
