//! To binary, as the engine saves it.

use std::collections::HashMap;

use godot_variant::types::{ElementType, GString};
use godot_variant::value::{Object, Reference};
use godot_variant::{Dialect, Value};

use super::losses::{Converted, Losses};
use super::to_text::text_id;
use super::values::replace_values;
use super::{Contents, External, Resource};
use crate::binary::{
    BinaryExternal, FLAG_NAMED_IDS, FLAG_SCRIPT_CLASS, FLAG_UIDS, FLAG_WIDE, FORMAT, NewBinary,
    NewResource, external_id,
};
use crate::{Options, Result, Uid};

impl Contents {
    /// Writes the file as binary, as the engine does when it saves what it loaded.
    ///
    /// # Errors
    /// A value that the form cannot hold, with its path: a resource that is not there, a type that engines
    /// 3.x do not have, a scene that does not fit its tables; more than
    /// [`max_output`](Options::max_output) bytes.
    pub fn to_binary(&self, options: &Options) -> Result<Converted<Vec<u8>>> {
        let mut losses = Losses::default();
        self.say_losses(&mut losses);
        let mut own = self.clone();
        own.lift(&mut losses);
        let is_old = own.dialect == Dialect::Godot3;
        let mut is_wide = false;
        own.each_property(&mut |value| {
            super::each_value(value, &mut |value| is_wide |= matches!(value, Value::Real64(_)));
        });
        let places: HashMap<GString, GString> = (0..)
            .zip(&own.externals)
            .map(|(place, external)| (external.id.clone(), external_id(place)))
            .collect();
        own.each_reference(&mut |reference| {
            if let Reference::External(id) = reference
                && let Some(place) = places.get(id)
            {
                *id = place.clone();
            }
        });
        let mut main = own.properties.clone();
        if let Some(scene) = &own.scene {
            main.push(("_bundled".into(), scene.to_bundle(is_old)?));
        }
        let main_id = own.main_id(is_old);
        let resource = |id: &str, class, properties| NewResource {
            path: ["local://", id].concat().into(),
            class,
            properties,
        };
        let mut resources: Vec<_> = own
            .in_order(false)
            .into_iter()
            .map(|own| resource(&own.id, &own.class, &own.properties))
            .collect();
        resources.push(resource(&main_id, &own.class, &main));
        let script_class = own.script_class.as_deref().filter(|_| !is_old);
        let none = if is_old { 0 } else { u64::MAX };
        let flag = |is_set, flag| if is_set { flag } else { 0 };
        let file = NewBinary {
            class: &own.class,
            script_class,
            engine: if is_old { (3, 6) } else { (4, 6) },
            format: if is_old { 3 } else { FORMAT },
            flags: flag(!is_old, FLAG_NAMED_IDS | FLAG_UIDS)
                | flag(is_wide, FLAG_WIDE)
                | flag(script_class.is_some(), FLAG_SCRIPT_CLASS),
            uid: own.uid.filter(|_| !is_old).map_or(none, |uid| uid.0),
            externals: own
                .externals
                .iter()
                .map(|own| BinaryExternal {
                    class: own.class.clone(),
                    path: own.path.clone(),
                    uid: own.uid.map_or(u64::MAX, |uid| uid.0),
                })
                .collect(),
            resources,
        };
        let file = file.build(options)?.to_vec()?;
        Ok(Converted { file, losses: losses.all })
    }

    fn say_losses(&self, losses: &mut Losses) {
        let resources = self.resources.iter().map(|own| (own.id.to_string(), &own.properties));
        let nodes = self.scene.iter().flat_map(|scene| &scene.nodes);
        let nodes = nodes.map(|node| (node.path().to_string(), &node.properties));
        for (place, properties) in resources.chain([(String::new(), &self.properties)]).chain(nodes)
        {
            losses.at(place);
            for (name, value) in properties {
                losses.in_binary(name, value);
            }
        }
    }

    /// The id of the main resource, which text does not have.
    fn main_id(&self, is_old: bool) -> String {
        let ids: std::collections::HashSet<&str> =
            self.resources.iter().map(|own| &*own.id).collect();
        // One of these is free.
        let mut all = (1_usize..).map(|number| match is_old {
            true => number.to_string(),
            false => {
                let id = text_id(number, &self.class);
                format!("{}_{}", self.class, id.rsplit('_').next().unwrap_or_default())
            }
        });
        let most = ids.len().saturating_add(1);
        all.by_ref().take(most).find(|id| !ids.contains(&**id)).unwrap_or_default()
    }

    /// Makes resources of what text has as values: whole objects, and files by their paths.
    fn lift(&mut self, losses: &mut Losses) {
        let externals = std::mem::take(&mut self.externals);
        let ids = externals.iter().map(|own| (own.path.clone(), own.id.clone())).collect();
        let count = self.resources.len();
        let mut lifter = Lifter { externals, ids, lifted: Vec::new(), count, losses };
        self.each_value_mut(&mut |value| lifter.change(value));
        // Objects in objects.
        let mut at = 0_usize;
        while let Some(own) = lifter.lifted.get_mut(at) {
            let mut properties = std::mem::take(&mut own.properties);
            for (_, value) in &mut properties {
                replace_values(value, &mut |value| lifter.change(value));
            }
            if let Some(own) = lifter.lifted.get_mut(at) {
                own.properties = properties;
            }
            at = at.saturating_add(1);
        }
        self.externals = lifter.externals;
        let mut resources = lifter.lifted;
        resources.reverse();
        resources.append(&mut self.resources);
        self.resources = resources;
    }

    /// Gives each value, the outer ones first, to be changed.
    fn each_value_mut(&mut self, change: &mut dyn FnMut(&mut Value) -> bool) {
        let resources = self.resources.iter_mut().map(|own| &mut own.properties);
        for properties in resources.chain([&mut self.properties]) {
            properties.iter_mut().for_each(|(_, value)| replace_values(value, change));
        }
        for node in self.scene.iter_mut().flat_map(|scene| &mut scene.nodes) {
            node.properties.iter_mut().for_each(|(_, value)| replace_values(value, change));
            if let Some(instance) = &mut node.instance {
                let mut value = Value::from(instance.clone());
                change(&mut value);
                if let Some(reference) = value.as_object().and_then(Object::as_reference) {
                    *instance = reference.clone();
                }
            }
        }
        for own in self.scene.iter_mut().flat_map(|scene| &mut scene.connections) {
            own.binds.iter_mut().for_each(|value| replace_values(value, change));
        }
    }

    /// Gives each reference to be changed, those in the types of arrays and dictionaries too.
    pub(super) fn each_reference(&mut self, change: &mut dyn FnMut(&mut Reference)) {
        self.each_value_mut(&mut |value| {
            match value {
                Value::Object(Object::Reference(reference)) => change(reference),
                Value::TypedArray(array) => in_type(&mut array.element, change),
                Value::TypedDictionary(typed) => {
                    in_type(&mut typed.key, change);
                    in_type(&mut typed.value, change);
                }
                _ => {}
            }
            true
        });
    }
}

/// Takes resources out of values.
struct Lifter<'a> {
    externals: Vec<External>,
    /// The ids of files by their paths.
    ids: HashMap<GString, GString>,
    /// Objects that were values, the outer ones first.
    lifted: Vec<Resource>,
    /// How many resources there were before.
    count: usize,
    losses: &'a mut Losses,
}

impl Lifter<'_> {
    fn change(&mut self, value: &mut Value) -> bool {
        let new = match value {
            Value::Object(Object::Reference(reference)) => match &**reference {
                Reference::File { uid, path } => self.file(uid, path),
                _ => return false,
            },
            Value::Object(Object::Instance(instance)) => {
                let number = self.count.saturating_add(self.lifted.len());
                let id = text_id(number, &instance.class);
                let id = [&*instance.class, "_", id.rsplit('_').next().unwrap_or_default()];
                let own = Resource {
                    id: id.concat().into(),
                    class: instance.class.clone(),
                    properties: std::mem::take(&mut instance.properties),
                };
                let id = own.id.clone();
                self.lifted.push(own);
                Reference::Internal(id)
            }
            Value::Object(_) => return false,
            other => {
                untyped(other);
                return true;
            }
        };
        *value = new.into();
        false
    }

    fn file(&mut self, uid: &GString, path: &GString) -> Reference {
        let wanted = if path.is_empty() { uid } else { path };
        if let Some(id) = self.ids.get(wanted) {
            return Reference::External(id.clone());
        }
        let id: GString = format!("file {}", self.externals.len()).into();
        let message = format!("the class of {wanted} is not known, and is left out");
        self.losses.push("", message);
        self.ids.insert(wanted.clone(), id.clone());
        let (path, uid) = (wanted.clone(), Uid::parse(uid));
        self.externals.push(External { id: id.clone(), class: GString::default(), path, uid });
        Reference::External(id)
    }
}

/// The binary form has no types of arrays and dictionaries.
fn untyped(value: &mut Value) {
    match value {
        Value::TypedArray(array) => *value = Value::Array(std::mem::take(&mut array.items)),
        Value::TypedDictionary(typed) => {
            *value = Value::Dictionary(std::mem::take(&mut typed.entries));
        }
        _ => {}
    }
}

/// Changes the reference by which a type names its script.
fn in_type(element: &mut ElementType, change: &mut dyn FnMut(&mut Reference)) {
    if let ElementType::Script(text) = element
        && let Some(mut reference) = reference_of(text)
    {
        change(&mut reference);
        *text = reference.to_string().into();
    }
}

/// The reference that stands in a type in place of the path of a script.
pub(crate) fn reference_of(text: &str) -> Option<Reference> {
    let values = Options::new().values();
    let value = godot_variant::text::value_from_str(text, &values).ok()?;
    value.as_object().and_then(Object::as_reference).cloned()
}
