//! Entities, components and instances, as they stand in a document.

use o3de_json::value::{Object, Value, append_pointer};
use o3de_json::{Error, ErrorKind, Result};

/// The name of the entity that every prefab has: the parent of all that have no other.
pub const CONTAINER: &str = "ContainerEntity";
pub(crate) const ENTITIES: &str = "Entities";
pub(crate) const INSTANCES: &str = "Instances";
pub(crate) const COMPONENTS: &str = "Components";

/// A prefab or level, in a document.
#[derive(Clone, Debug)]
pub struct Prefab<'v> {
    root: &'v Object,
    /// Where it stands in the document: empty, or the pointer of an instance.
    pub(crate) at: String,
}

/// An entity of a [`Prefab`].
#[derive(Clone, Debug)]
pub struct Entity<'v> {
    alias: &'v str,
    value: &'v Value,
    at: String,
}

/// A component of an [`Entity`].
#[derive(Clone, Debug)]
pub struct Component<'v> {
    key: &'v str,
    value: &'v Value,
    at: String,
}

/// A link to another prefab, with what is different in this instance of it.
#[derive(Clone, Debug)]
pub struct Instance<'v> {
    alias: &'v str,
    value: &'v Value,
    at: String,
}

impl<'v> Prefab<'v> {
    /// The prefab that a document is.
    ///
    /// # Errors
    /// [`ErrorKind::Missing`] for a document that has neither a container entity nor entities.
    pub fn new(document: &'v Value) -> Result<Self> {
        match document.as_object().filter(|root| is_prefab(root)) {
            Some(root) => Ok(Prefab { root, at: String::new() }),
            None => {
                let message =
                    "expected a prefab, found neither `ContainerEntity` nor `Entities`".to_owned();
                Err(Error::with_kind(ErrorKind::Missing, message))
            }
        }
    }

    /// The path of the prefab's own file, where the document says it.
    pub fn source(&self) -> Option<&'v str> {
        self.root.get("Source").and_then(Value::as_str)
    }

    /// The entity that contains all others. Its alias is [`CONTAINER`].
    pub fn container(&self) -> Option<Entity<'v>> {
        let value = self.root.get(CONTAINER)?;
        Some(Entity { alias: CONTAINER, value, at: below(&self.at, &[CONTAINER]) })
    }

    /// The entities in the order of the file, without the container and without those of instances.
    pub fn entities(&self) -> impl Iterator<Item = Entity<'v>> + use<'v> {
        let at = self.at.clone();
        members(self.root, ENTITIES).map(move |(alias, value)| Entity {
            alias,
            value,
            at: below(&at, &[ENTITIES, alias]),
        })
    }

    /// The entity of an alias such as `Entity_[146]`, or the container.
    pub fn entity(&self, alias: &str) -> Option<Entity<'v>> {
        if alias == CONTAINER {
            return self.container();
        }
        self.entities().find(|entity| entity.alias == alias)
    }

    /// The entities of a name.
    pub fn entities_named<'n>(
        &self,
        name: &'n str,
    ) -> impl Iterator<Item = Entity<'v>> + use<'v, 'n> {
        self.entities().filter(move |entity| entity.name() == Some(name))
    }

    /// The instances of other prefabs, in the order of the file.
    pub fn instances(&self) -> impl Iterator<Item = Instance<'v>> + use<'v> {
        let at = self.at.clone();
        members(self.root, INSTANCES).map(move |(alias, value)| Instance {
            alias,
            value,
            at: below(&at, &[INSTANCES, alias]),
        })
    }

    /// The instance of an alias such as `Instance_[146]`.
    pub fn instance(&self, alias: &str) -> Option<Instance<'v>> {
        self.instances().find(|instance| instance.alias == alias)
    }
}

macro_rules! parts {
    ($($name:ident),+) => {$(
        impl<'v> $name<'v> {
            /// The data.
            pub fn value(&self) -> &'v Value {
                self.value
            }

            /// The JSON pointer, in the document, of something in it; its own for the empty pointer.
            pub fn pointer(&self, inside: &str) -> String {
                format!("{}{inside}", self.at)
            }
        }
    )+};
}

parts!(Entity, Component, Instance);

impl<'v> Entity<'v> {
    /// The name by which the prefab knows it: `Entity_[146]`.
    pub fn alias(&self) -> &'v str {
        self.alias
    }

    /// `Id`, which is the alias in files of today's engine.
    pub fn id(&self) -> Option<&'v str> {
        self.value.get("Id")?.as_str()
    }

    /// The name for people.
    pub fn name(&self) -> Option<&'v str> {
        self.value.get("Name")?.as_str()
    }

    /// Whether it starts active. Files leave it out when it does.
    pub fn is_active(&self) -> bool {
        self.value.get("IsRuntimeActive").and_then(Value::as_bool).unwrap_or(true)
    }

    /// The alias of the entity that it is attached to, by its transform component; `None` for one
    /// at the top.
    pub fn parent(&self) -> Option<&'v str> {
        let transform = self.component("TransformComponent")?;
        transform.get(PARENT)?.as_str().filter(|parent| !parent.is_empty())
    }

    /// Whether its transform component says that it is attached to nothing, as only a container is: in the editor
    /// it then stands beside the prefab.
    pub fn is_detached(&self) -> bool {
        let transform = self.component("TransformComponent");
        self.alias != CONTAINER && transform.is_some_and(|own| is_nothing(own.get(PARENT)))
    }

    /// The components in the order of the file.
    pub fn components(&self) -> impl Iterator<Item = Component<'v>> + use<'v> {
        let at = self.at.clone();
        let object = self.value.as_object();
        object
            .into_iter()
            .flat_map(|object| members(object, "Components"))
            .map(move |(key, value)| Component { key, value, at: below(&at, &["Components", key]) })
    }

    /// The first component of a type; see [`Component::is`].
    pub fn component(&self, type_name: &str) -> Option<Component<'v>> {
        self.components().find(|component| component.is(type_name))
    }
}

impl<'v> Component<'v> {
    /// The name by which the entity knows it: `Component_[10641544592923449938]`.
    pub fn key(&self) -> &'v str {
        self.key
    }

    /// The number by which the engine knows it.
    pub fn id(&self) -> Option<u64> {
        self.value.get("Id")?.as_u64()
    }

    /// Its number and those of the components that it keeps: the editor moves disabled ones, and those that
    /// lack others, into two separate components.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u64> + use<'v> {
        let kept = KEPT.map(|name| self.value.get(name));
        let kept = kept.into_iter().flatten().flat_map(|list| {
            let items = list.as_array().into_iter().flatten();
            items.chain(list.as_object().into_iter().flat_map(Object::values))
        });
        self.id().into_iter().chain(kept.filter_map(|own| own.get("Id")?.as_u64()))
    }

    /// The name of its type, without a UUID before it.
    pub fn type_name(&self) -> Option<&'v str> {
        type_of(self.value).map(|(_, name)| name)
    }

    /// The type of the component that a `GenericComponentWrapper` wraps.
    pub fn wrapped_type_name(&self) -> Option<&'v str> {
        type_of(self.value.get("m_template")?).map(|(_, name)| name)
    }

    /// Whether it is, or wraps, a component of a type, which is given by name, by UUID in braces,
    /// or as `$type` says it. Case does not count.
    pub fn is(&self, type_name: &str) -> bool {
        let values = [Some(self.value), self.value.get("m_template")];
        values.into_iter().flatten().any(|value| is_of_type(value, type_name))
    }

    /// The name of its type or of the one that it wraps, without namespaces: `EditorMeshComponent` of
    /// `AZ::Render::EditorMeshComponent`.
    pub fn short_name(&self) -> Option<&'v str> {
        let name = self.wrapped_type_name().or(self.type_name())?;
        name.rsplit("::").next()
    }

    /// Whether it is one that the editor gives each entity for itself: its place, the order of its
    /// components and children, its icon, its lock.
    pub fn is_of_editor(&self) -> bool {
        const NAMES: [&str; 12] = [
            "EditorDisabledCompositionComponent",
            "EditorEntityIconComponent",
            "EditorEntitySortComponent",
            "EditorInspectorComponent",
            "EditorLockComponent",
            "EditorOnlyEntityComponent",
            "EditorPendingCompositionComponent",
            "EditorPrefabComponent",
            "EditorVisibilityComponent",
            "LocalViewBookmarkComponent",
            "SelectionComponent",
            "TransformComponent",
        ];
        self.short_name().is_some_and(|own| NAMES.contains(&own))
    }

    /// A property by its JSON pointer inside the component.
    pub fn get(&self, pointer: &str) -> Option<&'v Value> {
        self.value.pointer(pointer)
    }
}

impl<'v> Instance<'v> {
    /// The name by which the prefab knows it: `Instance_[146]`.
    pub fn alias(&self) -> &'v str {
        self.alias
    }

    /// The path of the prefab that it is an instance of.
    pub fn source(&self) -> Option<&'v str> {
        self.value.get("Source")?.as_str()
    }

    /// The overrides of this instance: a JSON Patch on the source.
    pub fn patches(&self) -> Option<&'v Value> {
        self.value.get("Patches")
    }

    /// Number of overrides.
    pub fn patch_count(&self) -> usize {
        self.patches().and_then(Value::as_array).map_or(0, |patches| patches.len())
    }

    /// The name for people: that of its container, where the document has it or overrides it.
    pub fn name(&self) -> Option<&'v str> {
        let own = self.prefab().and_then(|own| own.container()).and_then(|own| own.name());
        let patches = self.patches().and_then(Value::as_array).into_iter().flatten().rev();
        let mut names = patches
            .filter(|own| own.get("path").and_then(Value::as_str) == Some("/ContainerEntity/Name"));
        own.or_else(|| names.next()?.get("value")?.as_str())
    }

    /// The alias of the entity that it is attached to, in the prefab that it is an instance in; `None`
    /// for one at the top.
    pub fn parent(&self) -> Option<&'v str> {
        let parent = self.parent_value()?.as_str()?.trim_start_matches("../");
        Some(parent).filter(|own| !own.is_empty())
    }

    /// Whether nothing says what it is attached to: in the editor it then stands beside the prefab.
    pub fn is_detached(&self) -> bool {
        is_nothing(self.parent_value())
    }

    /// The parent in the container, or in the last override of it or of the component that it is in.
    fn parent_value(&self) -> Option<&'v Value> {
        let container = self.prefab().and_then(|own| own.container());
        let transform = container.and_then(|own| own.component("TransformComponent"));
        let own = transform.and_then(|own| own.get(PARENT));
        let patches = self.patches().and_then(Value::as_array).into_iter().flatten().rev();
        let mut parents = patches.filter_map(|patch| {
            let inside =
                patch.get("path")?.as_str()?.strip_prefix("/ContainerEntity/Components/")?;
            let value = patch.get("value");
            match inside.split_once('/') {
                Some((_, PARENT_STEP)) => value,
                Some(_) => None,
                None => value?.get(PARENT_STEP),
            }
        });
        own.or_else(|| parents.next())
    }

    /// The prefab itself, in a document whose instances were [brought in](crate::Loader::resolve).
    pub fn prefab(&self) -> Option<Prefab<'v>> {
        let root = self.value.as_object().filter(|root| is_prefab(root))?;
        Some(Prefab { root, at: self.at.clone() })
    }
}

pub(crate) fn is_prefab(root: &Object) -> bool {
    root.contains(CONTAINER) || root.contains(ENTITIES)
}

/// The property of a transform component that says what an entity is attached to.
const PARENT: &str = "/Parent Entity";
const PARENT_STEP: &str = "Parent Entity";

/// Whether a parent is absent or empty. Of other kinds, only older engines know what they say.
fn is_nothing(parent: Option<&Value>) -> bool {
    parent.is_none_or(|own| own.is_null() || own.as_str() == Some(""))
}

fn members<'v>(
    object: &'v Object,
    name: &str,
) -> impl Iterator<Item = (&'v str, &'v Value)> + use<'v> {
    let list = object.get(name).and_then(Value::as_object);
    list.into_iter().flat_map(|list| list.iter().map(|(name, value)| (name.as_str(), value)))
}

fn below(at: &str, names: &[&str]) -> String {
    let mut pointer = at.to_owned();
    names.iter().for_each(|name| append_pointer(&mut pointer, name));
    pointer
}

pub(crate) fn type_of(value: &Value) -> Option<(Option<&str>, &str)> {
    value.get("$type")?.as_str().map(split_type)
}

/// Whether `$type` says that a value is of a type, which is given by name or by UUID in braces.
pub(crate) fn is_of_type(value: &Value, wanted: &str) -> bool {
    let wanted = split_type(wanted);
    type_of(value).is_some_and(|(uuid, name)| match (wanted.0, uuid) {
        (Some(wanted), Some(uuid)) => wanted.eq_ignore_ascii_case(uuid),
        _ => !wanted.1.is_empty() && wanted.1.eq_ignore_ascii_case(name),
    })
}

/// The member or element that a step of a path names.
pub(crate) fn child<'v>(value: &'v Value, step: &str) -> Option<&'v Value> {
    match value {
        Value::Object(object) => object.get(step),
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    }
}

/// The lists of components that the editor keeps in two separate components.
pub(crate) const KEPT: [&str; 2] = ["DisabledComponents", "PendingComponents"];

/// How many steps of a path lead to a component; `None` where it does not lead so far.
pub(crate) fn component_on<S: AsRef<str>>(path: &[S]) -> Option<usize> {
    let names: Vec<&str> = path.iter().map(AsRef::as_ref).collect();
    let mut rest = names.as_slice();
    while let [INSTANCES, _, inner @ ..] = rest {
        rest = inner;
    }
    let ([CONTAINER, COMPONENTS, _, inside @ ..] | [ENTITIES, _, COMPONENTS, _, inside @ ..]) =
        rest
    else {
        return None;
    };
    let left = match inside {
        [list, _, inside @ ..] if KEPT.contains(list) => inside.len(),
        _ => inside.len(),
    };
    path.len().checked_sub(left)
}

/// The UUID with its braces, and the name.
pub(crate) fn split_type(text: &str) -> (Option<&str>, &str) {
    match (text.find('{'), text.find('}')) {
        (Some(open), Some(close)) if open < close => {
            let after = close.saturating_add(1);
            (text.get(open..after), text.get(after..).unwrap_or_default().trim())
        }
        _ => (None, text.trim()),
    }
}
