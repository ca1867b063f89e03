//! Values that are scalars, lists and named members: found and changed alike in every format that has
//! nothing else.

use serde_json::Value as Json;

use super::edit::{Place, Values, Whole, last_first, shown};
use super::path::{New, Step};

/// The values that are directly in one.
pub(super) enum Parts<'v> {
    None,
    Items(usize),
    Members(Vec<&'v str>),
}

/// A format whose values are scalars, lists and named members.
pub(super) trait Natural {
    type Value: Clone + PartialEq;

    /// The root of the data; its pointer is that of the JSON notation.
    fn root(&self, data: &Self::Value) -> Place;

    /// The beginning of the pointers that is not in the data.
    const OUTSIDE: &'static str;

    /// The step to a member; `None` for one that is no value of its own.
    fn step(name: &str) -> Option<Step>;

    fn parts(value: &Self::Value) -> Parts<'_>;

    fn part<'v>(value: &'v Self::Value, token: &str) -> Option<&'v Self::Value>;

    fn part_mut<'v>(value: &'v mut Self::Value, token: &str) -> Option<&'v mut Self::Value>;

    /// Adds an element before the one at a position.
    fn insert_item(value: &mut Self::Value, at: usize, new: Self::Value);

    fn insert_member(value: &mut Self::Value, name: &str, new: Self::Value);

    fn remove(value: &mut Self::Value, token: &str);

    /// The kind of a value, in the words of `--kind`.
    fn kind(value: &Self::Value) -> String;

    /// The value that a text says in place of another one. Without `kind`, its kind stays.
    fn made(old: &Self::Value, text: &str, kind: Option<&str>) -> Result<Self::Value, String>;

    /// The value that a text says for a container.
    fn fresh(around: &Self::Value, text: &str, kind: Option<&str>) -> Result<Self::Value, String>;

    /// A value in the JSON notation.
    fn notation(value: &Self::Value) -> Json;

    /// A value as plain JSON.
    fn plain(value: &Self::Value) -> Json {
        Self::notation(value)
    }

    fn restore(data: &mut Self::Value, path: &str) -> bool {
        let _ = (data, path);
        false
    }

    fn by_name(data: &Self::Value, paths: &[&str]) -> Vec<Vec<Place>> {
        let _ = (data, paths);
        Vec::new()
    }
}

/// The [`Values`] of a natural format.
pub(super) struct Tree<N>(pub(super) N);

fn unescaped(token: &str) -> String {
    token.replace("~1", "/").replace("~0", "~")
}

fn find<'v, N: Natural>(data: &'v N::Value, pointer: &str) -> Option<&'v N::Value> {
    let tokens = pointer.strip_prefix(N::OUTSIDE)?.split('/').skip(1);
    tokens.map(unescaped).try_fold(data, |value, token| N::part(value, &token))
}

fn find_mut<'v, N: Natural>(
    data: &'v mut N::Value,
    pointer: &str,
) -> Result<&'v mut N::Value, String> {
    let tokens = pointer.strip_prefix(N::OUTSIDE).unwrap_or_default().split('/').skip(1);
    let found = tokens.map(unescaped).try_fold(data, |value, token| N::part_mut(value, &token));
    found.ok_or_else(|| "it is gone".to_owned())
}

impl<N: Natural> Values for Tree<N> {
    type Data = N::Value;

    fn root(&self, data: &N::Value) -> Place {
        self.0.root(data)
    }

    fn children(&self, data: &N::Value, place: &Place) -> Vec<Place> {
        let Some(value) = find::<N>(data, &place.pointer) else { return Vec::new() };
        match N::parts(value) {
            Parts::None => Vec::new(),
            Parts::Items(len) => {
                (0..len).map(|at| place.element(Step::Index(at), "", at, "")).collect()
            }
            Parts::Members(names) => {
                let member = |name: &str| Some(place.member(N::step(name)?, "", name, ""));
                names.into_iter().filter_map(member).collect()
            }
        }
    }

    fn set(
        &self,
        data: &mut N::Value,
        place: &Place,
        text: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        let value = find_mut::<N>(data, &place.pointer)?;
        *value = N::made(value, text, kind)?;
        Ok(())
    }

    fn insert(
        &self,
        data: &mut N::Value,
        container: &Place,
        step: &New,
        text: &str,
        kind: Option<&str>,
    ) -> Result<(), String> {
        let value = find_mut::<N>(data, &container.pointer)?;
        let new = N::fresh(value, text, kind)?;
        match (N::parts(value), step) {
            (Parts::Items(len), New::Index(at)) => {
                let at = at.unwrap_or(len);
                if at > len {
                    return Err(format!("there are only {len} elements"));
                }
                N::insert_item(value, at, new);
                Ok(())
            }
            (Parts::Members(names), New::Name(name)) => match names.contains(&name.as_str()) {
                true => Err(format!("there is a member {name:?}; `set` changes it")),
                false => {
                    N::insert_member(value, name, new);
                    Ok(())
                }
            },
            (Parts::Items(_), _) => {
                Err("an element needs a position, such as [0] or [-]".to_owned())
            }
            (Parts::Members(_), _) => Err("a member needs a name".to_owned()),
            (Parts::None, _) => Err("it holds nothing".to_owned()),
        }
    }

    fn remove(&self, data: &mut N::Value, mut places: Vec<Place>) -> Result<(), String> {
        last_first(&mut places);
        for place in places.iter().rev() {
            let (outer, token) = match &place.whole {
                Whole::Member(object, name) => (object, name.clone()),
                Whole::Parts(array, start, _) => (array, start.to_string()),
                Whole::Never(why) => return Err(format!("{}: {why}", place.shown())),
            };
            if let Ok(container) = find_mut::<N>(data, outer) {
                N::remove(container, &token);
            }
        }
        Ok(())
    }

    fn restore(&self, data: &mut N::Value, path: &str) -> bool {
        N::restore(data, path)
    }

    fn holds(&self, data: &N::Value, place: &Place) -> bool {
        let value = find::<N>(data, &place.pointer);
        value.is_none_or(|value| !matches!(N::parts(value), Parts::None))
    }

    fn kind(&self, data: &N::Value, place: &Place) -> String {
        find::<N>(data, &place.pointer).map(N::kind).unwrap_or_default()
    }

    fn text(&self, data: &N::Value, place: &Place) -> String {
        match find::<N>(data, &place.pointer) {
            Some(value) => shown(&N::notation(value), N::plain(value)),
            None => String::new(),
        }
    }

    fn plain(&self, data: &N::Value, place: &Place) -> Json {
        find::<N>(data, &place.pointer).map(N::plain).unwrap_or_default()
    }

    fn by_name(&self, data: &N::Value, paths: &[&str]) -> Vec<Vec<Place>> {
        N::by_name(data, paths)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::document::edit;
    use crate::document::pclass::Objects;

    /// Counts how often the values inside of one are asked for.
    struct Counting(Cell<usize>, Tree<Objects>);

    impl Values for Counting {
        type Data = Json;

        fn root(&self, data: &Json) -> Place {
            self.1.root(data)
        }

        fn children(&self, data: &Json, place: &Place) -> Vec<Place> {
            self.0.set(self.0.get() + 1);
            self.1.children(data, place)
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

        fn remove(&self, _: &mut Json, _: Vec<Place>) -> Result<(), String> {
            Ok(())
        }

        fn holds(&self, data: &Json, place: &Place) -> bool {
            self.1.holds(data, place)
        }

        fn kind(&self, data: &Json, place: &Place) -> String {
            self.1.kind(data, place)
        }

        fn text(&self, data: &Json, place: &Place) -> String {
            self.1.text(data, place)
        }

        fn plain(&self, data: &Json, place: &Place) -> Json {
            self.1.plain(data, place)
        }
    }

    fn counting() -> Counting {
        Counting(Cell::new(0), Tree(Objects))
    }

    #[test]
    fn many_paths_take_one_walk() {
        let crop = |n: i32| serde_json::json!({ "id": n, "pos": [n, 0], "kind": "rye" });
        let farm = serde_json::json!({ "crops": (0..3000).map(crop).collect::<Vec<_>>() });
        let farm = serde_json::json!({ "objects": [farm] });
        let steps = |paths: &[String]| {
            let counting = counting();
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
        let counting = counting();
        let wrong: Vec<String> = (0..1000).map(|n| format!("crops[{n}].hp")).collect();
        let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
        let why = edit::why_not(&counting, &farm, &wrong);
        assert_eq!(why[7], "crops[7].hp: there is only id, pos, kind in crops[7]");
        assert!(counting.0.get() <= 2 + 2 * 1000, "{}", counting.0.get());
    }
}
