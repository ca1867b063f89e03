//! The project in which the vectors were made: the facts about its classes and scripts that no
//! library can know.

use godot_variant::types::{ElementType, Vector2};
use godot_variant::value::{Array, Instance, Object, TypedArray, TypedDictionary};
use godot_variant::{ClassDb, Value};

use crate::vectors::tree::Widths;

/// Engine classes that can be instantiated, each with its base.
const CLASSES: &str = "\
    Object:, RefCounted:Object, Reference:Object, Resource:RefCounted, \
    EncodedObjectAsID:RefCounted, GDScript:Resource, Gradient:Resource, Image:Resource, \
    InputEventKey:Resource, InputEventAction:Resource, InputEventJoypadButton:Resource, \
    Curve:Resource, BoxMesh:Resource, ArrayMesh:Resource, StandardMaterial3D:Resource, \
    PackedScene:Resource, Node:Object, Timer:Node, Node2D:Node, Sprite2D:Node2D, Node3D:Node, \
    Control:Node, Label:Control";

/// Scripts of the project, each with the class that it extends.
const SCRIPTS: &[(&str, &str)] =
    &[("res://thing.gd", "RefCounted"), ("res://holder.gd", "Resource")];

pub(crate) struct Project;

fn base(class: &str) -> Option<&'static str> {
    CLASSES
        .split(", ")
        .filter_map(|own| own.split_once(':'))
        .find(|(name, _)| *name == class)
        .map(|own| own.1)
}

/// The class that a script extends.
pub(crate) fn script_base(path: &str) -> Option<&'static str> {
    SCRIPTS.iter().find(|(own, _)| *own == path).map(|(_, base)| *base)
}

impl ClassDb for Project {
    fn can_instantiate(&self, class: &str) -> bool {
        base(class).is_some()
    }

    fn inherits(&self, class: &str, ancestor: &str) -> bool {
        class == ancestor || base(class).is_some_and(|base| self.inherits(base, ancestor))
    }

    fn script_exists(&self, path: &str) -> bool {
        script_base(path).is_some()
    }
}

/// The objects of the shortest expressions: `Class.new()` and `_eoid(id)`.
pub(crate) fn made_by(expression: &str) -> Option<Value> {
    let (class, id) = match expression.strip_suffix(".new()") {
        Some(class) => (class, None),
        None => {
            let id = expression.strip_prefix("_eoid(")?.strip_suffix(')')?;
            (ElementType::ENCODED_OBJECT_AS_ID, Some(id.parse::<i64>().ok()?))
        }
    };
    let mut object = Instance::new(class);
    object.properties.extend(id.map(|id| ("object_id".into(), id.into())));
    let own = class_defaults(class).or_else(|| id.map(|_| vec![("script", Value::Nil)]))?;
    object.properties.extend(own.into_iter().map(|(name, value)| (name.into(), value)));
    Some(object.into())
}

/// The stored properties that a class has before anything is set, where rows leave some out.
fn class_defaults(class: &str) -> Option<Vec<(&'static str, Value)>> {
    Some(match class {
        "RefCounted" | "Reference" => vec![("script", Value::Nil)],
        "Resource" => vec![
            ("resource_local_to_scene", false.into()),
            ("resource_name", "".into()),
            ("script", Value::Nil),
        ],
        _ => return None,
    })
}

fn script_defaults(path: &str, widths: Widths) -> Vec<(&'static str, Value)> {
    match path {
        "res://thing.gd" => vec![
            ("hp", 10.into()),
            ("label", "t".into()),
            ("child", Value::Nil),
            (
                "hidden",
                if widths.reals {
                    Vector2::<f64>::from([1.0, 2.0]).into()
                } else {
                    Vector2::new(1.0, 2.0).into()
                },
            ),
        ],
        _ => Vec::new(),
    }
}

/// The value after the engine made its objects: every object has all its stored properties, in the
/// order of its class, with what the row sets in the row's order.
pub(crate) fn settled(value: &Value, widths: Widths) -> Value {
    match value {
        Value::Array(items) => Value::Array(settled_items(items, widths)),
        Value::TypedArray(typed) => Value::from(TypedArray {
            element: typed.element.clone(),
            items: settled_items(&typed.items, widths),
        }),
        Value::Dictionary(entries) => entries
            .iter()
            .map(|(key, value)| (settled(key, widths), settled(value, widths)))
            .collect(),
        Value::TypedDictionary(typed) => Value::from(TypedDictionary {
            key: typed.key.clone(),
            value: typed.value.clone(),
            entries: typed
                .entries
                .iter()
                .map(|(key, value)| (settled(key, widths), settled(value, widths)))
                .collect(),
        }),
        Value::Object(Object::Instance(instance)) => settled_object(instance, widths).into(),
        other => other.clone(),
    }
}

fn settled_items(items: &Array, widths: Widths) -> Array {
    items.iter().map(|item| settled(item, widths)).collect()
}

fn settled_object(given: &Instance, widths: Widths) -> Instance {
    let mut object = Instance::new(&given.class);
    let Some(defaults) = class_defaults(&given.class) else {
        object.properties = given
            .properties
            .iter()
            .map(|(name, value)| (name.clone(), settled(value, widths)))
            .collect();
        return object;
    };
    object.properties = defaults.into_iter().map(|(name, value)| (name.into(), value)).collect();
    for (name, value) in &given.properties {
        if *name == "script"
            && let Some(path) = value.as_str()
        {
            let own =
                script_defaults(path, widths).into_iter().map(|(name, value)| (name.into(), value));
            object.properties.extend(own);
        }
        match object.get_mut(name) {
            Some(place) => *place = settled(value, widths),
            // `metadata/…` and the variables of scripts without known defaults are kept.
            None if name.starts_with("metadata/") || given.get("script").is_some_and(unknown) => {
                object.properties.push((name.clone(), settled(value, widths)));
            }
            None => {}
        }
    }
    object
}

fn unknown(script: &Value) -> bool {
    script.as_str().is_some_and(|path| path != "res://thing.gd")
}

/// Up to 4.7.2 the engine gives the values of a typed dictionary the script of its keys.
pub(crate) fn with_script_of_key(key: &ElementType, value: &ElementType) -> (String, String) {
    let script = |kind: &ElementType| match kind {
        ElementType::Script(path) => path.to_string(),
        _ => String::new(),
    };
    let class = match value {
        ElementType::Class(class) => class.to_string(),
        ElementType::Script(path) => script_base(path).unwrap_or("").to_owned(),
        _ => String::new(),
    };
    (class, script(key))
}
