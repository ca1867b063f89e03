//! The steps of recipes, and how they are written.

use crate::rename::steps;
use o3de_json::value::Object;
use o3de_json::{Error, ErrorKind, Result, Value};

/// The steps for the components of a type.
#[derive(Clone, Debug)]
pub(super) struct Migration {
    pub(super) class: String,
    pub(super) steps: Vec<Step>,
}

/// All of a recipe.
#[derive(Clone, Debug)]
pub(super) struct Migrations(pub(super) Vec<Migration>);

/// Places are steps from the component on.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Type(String),
    Move {
        from: Vec<String>,
        to: Vec<String>,
    },
    /// Members by name; all for `None`.
    Wrap {
        into: Vec<String>,
        members: Option<Vec<String>>,
    },
    Split {
        to: String,
        members: Vec<Vec<String>>,
    },
    Default {
        path: Vec<String>,
        value: Value,
    },
    /// The component for no steps.
    Drop(Vec<String>),
}

pub(super) fn wrong(message: String) -> Error {
    Error::with_kind(ErrorKind::Invalid, message)
}

/// An object of a recipe, and where it stands.
struct Part<'v> {
    own: &'v Object,
    at: String,
}

impl<'v> Part<'v> {
    fn of(value: &'v Value, at: String, names: &[&str]) -> Result<Self> {
        let Some(own) = value.as_object() else {
            return Err(wrong(format!("expected an object, in {at} of the recipe")));
        };
        match own.keys().find(|name| !names.contains(&name.as_str())) {
            Some(name) => {
                let names = names.join("`, `");
                Err(wrong(format!("expected `{names}`, found `{name}`, in {at} of the recipe")))
            }
            None => Ok(Part { own, at }),
        }
    }

    fn lack<T>(&self, what: &str, name: &str) -> Result<T> {
        Err(wrong(format!("expected {what} in {}/{name} of the recipe", self.at)))
    }

    fn text(&self, name: &str) -> Result<&'v str> {
        match self.own.get(name).and_then(Value::as_str).filter(|own| !own.is_empty()) {
            Some(text) => Ok(text),
            None => self.lack("a string", name),
        }
    }

    fn list(&self, name: &str) -> Result<&'v [Value]> {
        match self.own.get(name).and_then(Value::as_array).filter(|own| !own.is_empty()) {
            Some(list) => Ok(list),
            None => self.lack("a list with something in it", name),
        }
    }

    fn texts(&self, name: &str) -> Result<Vec<&'v str>> {
        let list: Option<Vec<&str>> = self.list(name)?.iter().map(Value::as_str).collect();
        list.map_or_else(|| self.lack("strings", name), Ok)
    }

    /// The steps of a pointer, of which there is one at least.
    fn pointer(&self, name: &str, text: &str) -> Result<Vec<String>> {
        match steps(text).filter(|steps| !steps.is_empty()) {
            Some(steps) => Ok(steps),
            None => self.lack("a JSON Pointer, such as `/Controller/Configuration`,", name),
        }
    }

    fn place(&self, name: &str) -> Result<Vec<String>> {
        self.pointer(name, self.text(name)?)
    }
}

pub(super) fn migrations(recipe: &Value) -> Result<Migrations> {
    let whole = Part::of(recipe, String::new(), &["about", "migrations"])?;
    let mut found = Vec::new();
    for (index, own) in whole.list("migrations")?.iter().enumerate() {
        let own = Part::of(own, format!("/migrations/{index}"), &["about", "component", "steps"])?;
        let class = own.text("component")?.to_owned();
        let list = own.list("steps")?.iter().enumerate();
        let steps = list.map(|(index, step)| self::step(step, format!("{}/steps/{index}", own.at)));
        found.push(Migration { class, steps: steps.collect::<Result<_>>()? });
    }
    Ok(Migrations(found))
}

fn step(value: &Value, at: String) -> Result<Step> {
    let operation = value.get("op").and_then(Value::as_str).unwrap_or_default();
    let names: &[&str] = match operation {
        "rename" => &["op", "path", "to"],
        "move" => &["op", "from", "path"],
        "wrap" => &["op", "path", "members"],
        "split" => &["op", "to", "members"],
        "default" => &["op", "path", "value"],
        "drop" => &["op", "path"],
        _ => {
            let names = "`rename`, `move`, `wrap`, `split`, `default` or `drop`";
            return Err(wrong(format!("expected {names} in {at}/op of the recipe")));
        }
    };
    let part = Part::of(value, at, names)?;
    let has_path = part.own.contains("path");
    let step = match operation {
        "rename" if has_path => {
            let from = part.place("path")?;
            let mut to = from.clone();
            to.pop();
            to.push(part.text("to")?.to_owned());
            Step::Move { from, to }
        }
        "rename" => Step::Type(part.text("to")?.to_owned()),
        "move" => Step::Move { from: part.place("from")?, to: part.place("path")? },
        "wrap" => {
            let members =
                part.own.contains("members").then(|| part.texts("members")).transpose()?;
            let members = members.map(|own| own.into_iter().map(str::to_owned).collect());
            Step::Wrap { into: part.place("path")?, members }
        }
        "split" => {
            let members = part.texts("members")?.into_iter();
            let members = members.map(|own| part.pointer("members", own)).collect::<Result<_>>()?;
            Step::Split { to: part.text("to")?.to_owned(), members }
        }
        "default" => match part.own.get("value") {
            Some(value) => Step::Default { path: part.place("path")?, value: value.clone() },
            None => return part.lack("a value", "value"),
        },
        _ if has_path => Step::Drop(part.place("path")?),
        _ => Step::Drop(Vec::new()),
    };
    match &step {
        Step::Move { from, to } if to.starts_with(from) => {
            part.lack("a place that is not inside of what moves", "path")
        }
        _ => Ok(step),
    }
}

/// Whether one is the beginning of the other.
fn overlaps(a: &[String], b: &[String]) -> bool {
    a.iter().zip(b).all(|(a, b)| a == b)
}

impl Step {
    /// Whether it could change an override of a place in a component; of no steps, one that removes it.
    pub(super) fn touches(&self, path: &[String]) -> bool {
        match self {
            Step::Split { .. } if path.is_empty() => true,
            Step::Drop(own) if path.is_empty() => own.is_empty(),
            _ if path.is_empty() => false,
            Step::Type(_) => path.last().is_some_and(|own| own == "$type"),
            Step::Move { from, .. } => overlaps(path, from),
            Step::Wrap { members, .. } => {
                path.first().is_some_and(|first| is_wrapped(first, members.as_deref()))
            }
            Step::Split { members, .. } => members.iter().any(|own| overlaps(path, own)),
            Step::Default { .. } => false,
            Step::Drop(own) => overlaps(path, own),
        }
    }
}

/// Whether `wrap` takes a member.
pub(super) fn is_wrapped(name: &str, members: Option<&[String]>) -> bool {
    match members {
        Some(members) => members.iter().any(|own| own == name),
        None => !matches!(name, "$type" | "Id"),
    }
}
