//! Values in the JSON notation of objects, by their paths. The schema says of which kind each is.

use serde_json::Value as Json;

use super::super::natural::{self, Natural};
use crate::document::edit::{Notation, Place, boolean, float, text};
use crate::document::path::{New, Step};

pub(in crate::document) struct Objects;

const ALL: &str = "objects";

impl Notation for Objects {
    fn root(&self, json: &Json) -> Place {
        match json.get("objects").and_then(Json::as_array) {
            Some(objects) if objects.len() != 1 => Place::root("/objects", ALL),
            _ => Place::root("/objects/0", ""),
        }
    }

    fn children(&self, json: &Json, place: &Place) -> Vec<Place> {
        let name = |name: &str| Step::Name(name.to_owned());
        let mut found = natural::children(json, place, &name);
        // The class, and the header of core objects.
        found.retain(
            |child| !matches!(child.path.last(), Some(Step::Name(own)) if own.starts_with('$')),
        );
        found
    }

    fn set(
        &self,
        json: &mut Json,
        place: &Place,
        new: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        if kind.is_some() {
            return Err("the schema says which kind it is".to_owned());
        }
        let made = match &*place.value(json) {
            Json::Bool(_) => boolean(new)?,
            Json::String(_) => Json::String(text(new)?),
            // An enum whose value has no name may get one.
            Json::Number(_) => match float(new) {
                Ok(_) => crate::document::edit::notation(new, "a number")?,
                Err(why) if new.starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                    return Err(why);
                }
                Err(_) => Json::String(text(new)?),
            },
            _ => crate::document::edit::notation(new, "an object or list")?,
        };
        place.put(json, made)
    }

    fn insert(
        &self,
        json: &mut Json,
        container: &Place,
        step: &New,
        new: &str,
        _kind: Option<&str>,
    ) -> Result<(), String> {
        match container.value(json).as_ref() {
            Json::Array(items) => {
                let is_text = items.iter().all(Json::is_string);
                let made = match crate::document::edit::json(new) {
                    Some(made) => made,
                    None if is_text => Json::String(new.to_owned()),
                    None => return Err(format!("expected JSON, found {new}")),
                };
                natural::insert(json, container, step, made)
            }
            _ => Err("objects have the properties of their class; only lists grow".to_owned()),
        }
    }

    fn kind(&self, json: &Json, place: &Place) -> String {
        Notation::kind(&Natural, json, place)
    }

    fn plain_of(&self, json: &Json) -> Json {
        match json.get("objects").and_then(Json::as_array) {
            Some(objects) if json.get("form").is_some() => match objects.as_slice() {
                [only] => only.clone(),
                objects => Json::from(objects.to_vec()),
            },
            _ => json.clone(),
        }
    }
}
