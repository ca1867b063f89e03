//! Formats whose notation is plain JSON: members and positions are the steps of paths.

use serde_json::Value as Json;

use crate::document::edit::{self, Notation, Place, boolean, float, text};
use crate::document::path::{New, Step};

/// JSON that is its own notation.
pub(in crate::document) struct Natural;

/// What is inside of an array or an object.
pub(super) fn children(json: &Json, place: &Place, step: &dyn Fn(&str) -> Step) -> Vec<Place> {
    match place.value(json).as_ref() {
        Json::Array(items) => {
            (0..items.len()).map(|at| place.element(Step::Index(at), "", at, "")).collect()
        }
        Json::Object(members) => {
            members.keys().map(|name| place.member(step(name), "", name, "")).collect()
        }
        _ => Vec::new(),
    }
}

/// Adds an element or a member.
pub(super) fn insert(
    json: &mut Json,
    container: &Place,
    step: &New,
    new: Json,
) -> Result<(), String> {
    match (json.pointer_mut(&container.pointer), step) {
        (Some(Json::Array(items)), New::Index(at)) => {
            let at = at.unwrap_or(items.len());
            if at > items.len() {
                return Err(format!("there are only {} elements", items.len()));
            }
            items.insert(at, new);
            Ok(())
        }
        (Some(Json::Object(members)), New::Name(name)) => match members.contains_key(name) {
            true => Err(format!("there is a member {name:?}; `set` changes it")),
            false => {
                members.insert(name.clone(), new);
                Ok(())
            }
        },
        (Some(Json::Array(_)), _) => Err("an element needs a position, such as [0] or [-]".into()),
        (Some(Json::Object(_)), _) => Err("a member needs a name".to_owned()),
        _ => Err("it holds nothing".to_owned()),
    }
}

fn made(kind: &str, new: &str) -> Result<Json, String> {
    Ok(match kind {
        "null" if new == "null" => Json::Null,
        "bool" => boolean(new)?,
        "integer" => match new.parse::<u64>() {
            Ok(number) => Json::from(number),
            Err(_) => Json::from(edit::integer(new, 64)?),
        },
        "double" => Json::from(float(new)?),
        "string" => Json::String(text(new)?),
        kind => match edit::notation(new, kind)? {
            json if kind_of(&json) == kind => json,
            json => {
                let found = kind_of(&json);
                return Err(format!("expected {kind}, found {found}; --kind {found} makes it one"));
            }
        },
    })
}

fn kind_of(json: &Json) -> &'static str {
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

impl Notation for Natural {
    fn root(&self, _json: &Json) -> Place {
        Place::root("", "")
    }

    fn children(&self, json: &Json, place: &Place) -> Vec<Place> {
        children(json, place, &|name| Step::Pointer(name.to_owned()))
    }

    fn set(
        &self,
        json: &mut Json,
        place: &Place,
        new: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        let own = kind_of(&place.value(json));
        // JSON has one kind of numbers.
        let is_number = |kind: &str| kind == "integer" || kind == "double";
        let kind = match (kind, own) {
            (None, own) if is_number(own) && new.contains(['.', 'e', 'E']) => "double",
            (kind, own) => kind.unwrap_or(own),
        };
        place.put(json, made(kind, new)?)
    }

    fn insert(
        &self,
        json: &mut Json,
        container: &Place,
        step: &New,
        new: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        let new = match (kind, edit::json(new)) {
            (Some(kind), _) => made(kind, new)?,
            (None, Some(json)) => json,
            (None, None) => Json::String(text(new)?),
        };
        insert(json, container, step, new)
    }

    fn restore(&self, json: &mut Json, path: &str) -> bool {
        super::o3de::restored(json, path).is_some()
    }

    fn kind(&self, json: &Json, place: &Place) -> String {
        kind_of(&place.value(json)).to_owned()
    }

    fn plain_of(&self, json: &Json) -> Json {
        json.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Counts how often somebody asks what is inside of a value.
    struct Counting(Cell<usize>);

    impl Notation for Counting {
        fn root(&self, json: &Json) -> Place {
            Natural.root(json)
        }

        fn children(&self, json: &Json, place: &Place) -> Vec<Place> {
            self.0.set(self.0.get() + 1);
            children(json, place, &|name| Step::Key(name.to_owned()))
        }

        fn set(&self, _: &mut Json, _: &Place, _: &str, _: Option<&str>) -> Result<(), String> {
            Ok(())
        }

        fn insert(
            &self,
            _: &mut Json,
            _: &Place,
            _: &New,
            _: &str,
            _: Option<&str>,
        ) -> Result<(), String> {
            Ok(())
        }

        fn plain_of(&self, json: &Json) -> Json {
            json.clone()
        }
    }

    #[test]
    fn many_paths_take_one_walk() {
        let crop = |n: i32| serde_json::json!({ "id": n, "pos": [n, 0], "kind": "rye" });
        let farm = serde_json::json!({ "crops": (0..3000).map(crop).collect::<Vec<_>>() });
        let steps = |paths: &[String]| {
            let counting = Counting(Cell::new(0));
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            let found = edit::find_all(&counting, &farm, &paths);
            (found.iter().map(Vec::len).collect::<Vec<_>>(), counting.0.get())
        };
        let paths: Vec<String> = (0..1000).map(|n| format!("crops[{}].pos[0]", 3 * n)).collect();
        // The root, the list, and of each crop itself and its place.
        assert_eq!(steps(&paths), (vec![1; 1000], 2 + 2 * 1000));
        let paths: Vec<String> = (0..1000).map(|n| format!("crops[{n}].*")).collect();
        assert_eq!(steps(&paths), (vec![3; 1000], 2 + 1000));
        let (found, count) = steps(&["**.id".to_owned(), "crops[*].kind".to_owned()]);
        // Numbers and text are asked, too.
        assert_eq!((found, count), (vec![3000, 3000], 2 + 3000 * 4 + 3000 * 2));
        // Why paths lead nowhere is found by one more walk.
        let counting = Counting(Cell::new(0));
        let wrong: Vec<String> = (0..1000).map(|n| format!("crops[{n}].hp")).collect();
        let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
        let why = edit::why_not(&counting, &farm, &wrong);
        assert_eq!(why[7], "crops[7].hp: there is only id, pos, kind in crops[7]");
        assert!(counting.0.get() <= 2 + 2 * 1000, "{}", counting.0.get());
    }
}
