//! The names for people on the way to a place.

use std::collections::HashMap;

use crate::prefab::{CONTAINER, ENTITIES, Entity, INSTANCES, Instance, Prefab};
use o3de_json::value::{Pointer, Value};

/// The part of a prefab that a JSON pointer leads into, by the names for people: an entity and its component, or an
/// instance, and of one of its overrides, what is overridden. `None` where there are no names.
///
/// ```
/// let level: o3de_json::Value = o3de_json::from_str(
///     r#"{"Entities": {"Entity_[1]": {"Name": "Lamp", "Components": {
///         "Component_[2]": {"$type": "AZ::Render::EditorPointLightComponent", "Id": 2}
///     }}}}"#,
/// )?;
/// let pointer = "/Entities/Entity_[1]/Components/Component_[2]/Controller/Intensity";
/// let caption = o3de_prefab::caption(&level, pointer);
/// assert_eq!(caption.as_deref(), Some("Lamp, EditorPointLightComponent"));
/// # Ok::<(), o3de_json::Error>(())
/// ```
pub fn caption(document: &Value, pointer: &str) -> Option<String> {
    Captions::new(document).of(pointer)
}

/// The [`caption`]s of many pointers of one document, in which entities, instances and components are looked
/// up once.
///
/// ```
/// let level: o3de_json::Value = o3de_json::from_str(r#"{"Entities": {"Entity_[1]": {"Name": "Lamp"}}}"#)?;
/// let mut captions = o3de_prefab::Captions::new(&level);
/// assert_eq!(captions.of("/Entities/Entity_[1]/Id").as_deref(), Some("Lamp"));
/// assert_eq!(captions.of("/Entities"), None);
/// # Ok::<(), o3de_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Captions<'v> {
    document: Option<Prefab<'v>>,
    /// By the pointer of a prefab.
    prefabs: HashMap<String, Members<'v>>,
    /// By the pointer of an entity, the short names by the keys of components.
    components: HashMap<String, HashMap<&'v str, Option<&'v str>>>,
}

/// The entities and instances of a prefab, by alias.
#[derive(Clone, Debug)]
struct Members<'v> {
    entities: HashMap<&'v str, Entity<'v>>,
    /// Each with its name.
    instances: HashMap<&'v str, (Instance<'v>, &'v str)>,
}

impl<'v> Members<'v> {
    fn of(prefab: &Prefab<'v>) -> Self {
        let named = |own: Instance<'v>| {
            let name = own.name().or(own.source()).unwrap_or_default();
            (own.alias(), (own, name))
        };
        Members {
            entities: first(prefab.entities().map(|own| (own.alias(), own))),
            instances: first(prefab.instances().map(named)),
        }
    }
}

/// The first of each name.
fn first<'v, T>(named: impl Iterator<Item = (&'v str, T)>) -> HashMap<&'v str, T> {
    let mut all = HashMap::new();
    for (name, own) in named {
        all.entry(name).or_insert(own);
    }
    all
}

impl<'v> Captions<'v> {
    /// Looks into a document, which need not be a prefab.
    pub fn new(document: &'v Value) -> Self {
        let document = Prefab::new(document).ok();
        Captions { document, prefabs: HashMap::new(), components: HashMap::new() }
    }

    /// The part that a JSON pointer leads into; see [`caption`].
    pub fn of(&mut self, pointer: &str) -> Option<String> {
        let parsed = Pointer::parse(pointer)?;
        let steps: Vec<&str> = parsed.tokens().iter().map(|token| &*token.name).collect();
        let mut prefab = self.document.clone()?;
        let mut names: Vec<String> = Vec::new();
        let mut rest = steps.as_slice();
        while let [INSTANCES, alias, inner @ ..] = rest {
            let (instance, name) = self.members(&prefab).instances.get(alias)?;
            names.push((*name).to_owned());
            let path = match inner {
                ["Patches", index, ..] => {
                    let patch =
                        instance.patches()?.as_array()?.get(index.parse::<usize>().ok()?)?;
                    patch.get("path").and_then(Value::as_str)
                }
                _ => None,
            };
            names.extend(path.map(str::to_owned));
            match instance.prefab() {
                Some(inside) => (prefab, rest) = (inside, inner),
                None => return joined(names),
            }
        }
        let entity = match rest {
            [CONTAINER, ..] | [ENTITIES, CONTAINER, ..] => prefab.container()?,
            [ENTITIES, alias, ..] => self.members(&prefab).entities.get(alias)?.clone(),
            _ => return joined(names),
        };
        names.extend(entity.name().map(str::to_owned));
        let key = rest.iter().skip_while(|step| **step != "Components").nth(1);
        names.extend(key.and_then(|key| self.component(&entity, key)).map(str::to_owned));
        joined(names)
    }

    fn members(&mut self, prefab: &Prefab<'v>) -> &Members<'v> {
        self.prefabs.entry(prefab.at.clone()).or_insert_with(|| Members::of(prefab))
    }

    fn component(&mut self, entity: &Entity<'v>, key: &str) -> Option<&'v str> {
        let components = self
            .components
            .entry(entity.pointer(""))
            .or_insert_with(|| first(entity.components().map(|own| (own.key(), own.short_name()))));
        components.get(key).copied().flatten()
    }
}

fn joined(names: Vec<String>) -> Option<String> {
    (!names.is_empty()).then(|| names.join(", "))
}
