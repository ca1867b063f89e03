use resonite_brson::Value;
use resonite_brson::value::{Array, Document};

use super::component::{Component, set_field};
use super::member::Member;
use super::part::{EditedPart, key};
use crate::error::Result;

/// A slot: a node of the tree, with components and children.
#[derive(Clone, Copy, Debug)]
pub struct Slot<'a> {
    document: &'a Document,
    types: Option<&'a Array>,
}

impl<'a> Slot<'a> {
    pub(super) fn new(document: &'a Document, types: Option<&'a Array>) -> Self {
        Slot { document, types }
    }

    /// The root slot of a document, if it is a save: what [`SavedObject::root`](super::SavedObject::root) is.
    pub fn root_of(save: &'a Document) -> Option<Slot<'a>> {
        let root = save.get(super::object::root_key(save))?.as_document()?;
        Some(Slot::new(root, super::object::type_list(save)))
    }

    /// Everything.
    pub fn document(self) -> &'a Document {
        self.document
    }

    fn data(self, key: &str) -> Option<&'a Value> {
        self.document.get(key)?.as_document()?.get("Data")
    }

    /// Its identifier.
    pub fn id(self) -> Option<&'a str> {
        self.document.get(key::ID)?.as_str()
    }

    /// Its name, as stored; it may have `<color=…>` and other marks in it.
    pub fn name(self) -> Option<&'a str> {
        self.data(key::NAME)?.as_str()
    }

    /// Its tag, if it has one.
    pub fn tag(self) -> Option<&'a str> {
        self.data(key::TAG)?.as_str()
    }

    /// Whether it is active; slots are unless they say otherwise.
    pub fn is_active(self) -> bool {
        self.data(key::ACTIVE).and_then(Value::as_bool).unwrap_or(true)
    }

    /// The identifier of the field that says whether it is saved. The ProtoGraph compiler spells
    /// its key `Persistant-ID`, which is read too.
    pub fn persistent_id(self) -> Option<&'a str> {
        let value = self.document.get(key::PERSISTENT);
        value.or_else(|| self.document.get("Persistant-ID"))?.as_str()
    }

    /// Position in its parent: x, y, z.
    pub fn position(self) -> Option<[f64; 3]> {
        numbers(self.data(key::POSITION)?)
    }

    /// Rotation in its parent, a quaternion: x, y, z, w.
    pub fn rotation(self) -> Option<[f64; 4]> {
        numbers(self.data(key::ROTATION)?)
    }

    /// Scale in its parent: x, y, z.
    pub fn scale(self) -> Option<[f64; 3]> {
        numbers(self.data(key::SCALE)?)
    }

    /// Its place among its siblings; equal numbers are in the order of the file.
    pub fn order_offset(self) -> Option<i64> {
        self.data(key::ORDER)?.as_i64()
    }

    /// The identifier of the member that refers to the parent. Not that of the parent, except in
    /// files of the ProtoGraph compiler: only [`children`](Self::children) says what is where.
    pub fn parent_reference(self) -> Option<&'a str> {
        self.document.get(key::PARENT)?.as_str()
    }

    /// A member of the slot itself, such as `Name`.
    pub fn member(self, key: &str) -> Option<Member<'a>> {
        self.document.get(key).map(|value| Member::of(key, value))
    }

    /// The components on it. What is not a document is left out.
    pub fn components(self) -> impl Iterator<Item = Component<'a>> {
        let types = self.types;
        let list = self.component_values().into_iter().flat_map(|list| list.iter());
        list.filter_map(Value::as_document).map(move |document| Component::new(document, types))
    }

    /// The slots in it. What is not a document is left out.
    pub fn children(self) -> impl Iterator<Item = Slot<'a>> {
        let types = self.types;
        let list = self.child_values().into_iter().flat_map(|list| list.iter());
        list.filter_map(Value::as_document).map(move |document| Slot::new(document, types))
    }

    pub(super) fn component_values(self) -> Option<&'a Array> {
        self.data(key::COMPONENTS)?.as_array()
    }

    pub(super) fn child_values(self) -> Option<&'a Array> {
        self.document.get(key::CHILDREN)?.as_array()
    }
}

fn numbers<const N: usize>(value: &Value) -> Option<[f64; N]> {
    let list = value.as_array()?;
    let mut numbers = [0.0; N];
    if list.len() != N {
        return None;
    }
    for (number, value) in numbers.iter_mut().zip(list.iter()) {
        *number = value.as_f64()?;
    }
    Some(numbers)
}

/// A slot, to change.
#[derive(Debug)]
pub struct SlotMut<'a>(pub(super) EditedPart<'a>);

impl<'a> SlotMut<'a> {
    /// Everything.
    pub fn document(self) -> &'a mut Document {
        self.0.into_document()
    }

    fn set(&mut self, key: &str, value: Value) -> Result<()> {
        self.0.learn(&value);
        set_field(self.0.document, key, value).map(drop)
    }
}

macro_rules! setters {
    ($($(#[$doc:meta])+ $name:ident($value:ident: $type:ty) $key:ident = $made:expr;)+) => {
        impl SlotMut<'_> {$(
            $(#[$doc])+
            ///
            /// # Errors
            /// A slot without this member.
            pub fn $name(&mut self, $value: $type) -> Result<()> {
                self.set(key::$key, $made)
            }
        )+}
    };
}

setters! {
    /// Sets the name, or takes it away.
    set_name(name: Option<&str>) NAME = text(name);
    /// Sets the tag, or takes it away.
    set_tag(tag: Option<&str>) TAG = text(tag);
    /// Switches it on or off.
    set_active(active: bool) ACTIVE = active.into();
    /// Sets the position in its parent: x, y, z.
    set_position(position: [f64; 3]) POSITION = position.into();
    /// Sets the rotation in its parent, a quaternion: x, y, z, w.
    set_rotation(rotation: [f64; 4]) ROTATION = rotation.into();
    /// Sets the scale in its parent: x, y, z.
    set_scale(scale: [f64; 3]) SCALE = scale.into();
    /// Sets its place among its siblings.
    set_order_offset(order: i64) ORDER = order.into();
}

/// Text as it is stored: with another `@` where it begins with one.
fn text(text: Option<&str>) -> Value {
    text.map_or(Value::Null, |text| resonite_brson::Text::from(text).into())
}
