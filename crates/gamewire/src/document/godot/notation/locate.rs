//! Which value of a notation is wrong. The reader takes a value whole and cannot say; here the JSON is
//! looked at again, value by value.

use godot_variant::native_json::NativeJsonSeed;

use crate::document::error::Error;
use crate::document::json::{self, Json};
use crate::document::path::{self, Step};

/// The first value that is wrong in itself, and why; `None` for text that is not JSON, and for faults
/// outside of values.
pub(super) fn locate(text: &[u8]) -> Option<Error> {
    let root: Json = json::read_json(text).ok()?;
    let mut search = Search { path: Vec::new() };
    let message = match (root.get("framing"), root.get("values"), root.get("settings")) {
        (None, ..) => search.value(&root),
        (Some(_), Some(Json::Array(values)), _) => search.each(Some("values"), values.iter()),
        (Some(_), _, Some(Json::Object(settings))) => {
            search.path.push(Step::Name("settings".to_owned()));
            settings.iter().find_map(|(name, value)| search.at(Step::Key(name.clone()), value))
        }
        _ => None,
    };
    let message = message?;
    Some(Error::new(match path::text(&search.path) {
        Some(path) => format!("{message}, in {path}"),
        None => message,
    }))
}

struct Search {
    /// To the value that is looked at; at the end, to the one that is wrong.
    path: Vec<Step>,
}

impl Search {
    fn at(&mut self, step: Step, value: &Json) -> Option<String> {
        self.path.push(step);
        let message = self.value(value);
        if message.is_none() {
            self.path.pop();
        }
        message
    }

    /// Elements of an array that is a value, or of a member of one.
    fn each<'a>(
        &mut self,
        member: Option<&str>,
        values: impl Iterator<Item = &'a Json>,
    ) -> Option<String> {
        self.path.extend(member.map(|name| Step::Name(name.to_owned())));
        let found = values.enumerate().find_map(|(at, value)| self.at(Step::Index(at), value));
        if found.is_none() && member.is_some() {
            self.path.pop();
        }
        found
    }

    /// The first fault of a value or in it. Each is read with nothing inside of it, so that all of
    /// it takes no longer than reading it once.
    fn value(&mut self, value: &Json) -> Option<String> {
        if let Json::Array(values) = value {
            return self.each(None, values.iter());
        }
        let (member, is_value): (_, fn(usize) -> bool) =
            match (value.get("type").and_then(Json::as_str), value.get("props")) {
                (Some(_), Some(_)) => ("props", |at| at % 2 == 1),
                (Some("Array" | "Dictionary"), None) => ("args", |_| true),
                _ => return wrong(value),
            };
        let (Json::Object(members), Some(Json::Array(values))) = (value, value.get(member)) else {
            return wrong(value);
        };
        let hollow = values.iter().enumerate().map(|(at, own)| match is_value(at) {
            true => Json::Null,
            false => own.clone(),
        });
        let hollow: Json = hollow.collect();
        let others = members.iter().filter(|(name, _)| *name != member);
        let mut shell: gamewire_core::json::Map =
            others.map(|(name, own)| (name.clone(), own.clone())).collect();
        shell.insert(member.to_owned(), hollow);
        if let Some(message) = wrong(&Json::Object(shell)) {
            return Some(message);
        }
        // Names of properties stand between the values; null in their place keeps the positions.
        let inside = values.iter().enumerate().map(|(at, own)| match is_value(at) {
            true => own,
            false => &Json::Null,
        });
        self.each(Some(member), inside)
    }
}

/// Why a value with little inside of it cannot be read.
fn wrong(value: &Json) -> Option<String> {
    json::deserialized(value, NativeJsonSeed::new(1)).err().map(|error| error.message)
}
