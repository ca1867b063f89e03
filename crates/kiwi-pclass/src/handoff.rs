//! How a [`Value`] passes through serde in one piece.
//!
//! `Serialize` and `Deserialize` are written for any format, and in other formats a value is something
//! else: it holds shared classes (`Arc<Class>`), which serde's data model cannot carry; it is written by
//! rules that only the serializer knows, and both directions go through nested values without
//! recursion, which serde's traits do not allow. [`gamewire_core::handoff`] tells how it is done instead.

use serde_core::de::Visitor;
use serde_core::de::value::UnitDeserializer;

use crate::schema::{Kind, Property};
use crate::value::{RawObject, encode};
use crate::write::{Rules, Writer};
use crate::{Error, Result, Value};

gamewire_core::handoff! {
    Lent, Value, Error;
    "names of newtypes that start with `$kiwi_pclass` are reserved"
}

/// A writer, and the property it is at; none at the root. With it, whether only an element is meant.
pub(crate) struct Lent {
    writer: Writer,
    rules: Rules,
    property: Option<(Property, bool)>,
}

impl Lent {
    /// Takes the writer, for the value of a property, an element of it, or the root.
    pub(crate) fn new(
        writer: &mut Writer,
        rules: &Rules,
        property: Option<(&Property, Option<&Kind>)>,
    ) -> Self {
        let property = property.map(|(property, element)| {
            let kind = element.unwrap_or(&property.kind).clone();
            (Property { kind, ..property.clone() }, element.is_some())
        });
        Lent { writer: std::mem::take(writer), rules: rules.clone(), property }
    }

    pub(crate) fn into_writer(self) -> Writer {
        self.writer
    }

    pub(crate) fn write_raw(&mut self, raw: &RawObject) -> Result<()> {
        self.writer.raw_object(&self.rules.wire, raw)
    }

    pub(crate) fn write(&mut self, value: &Value) -> Result<()> {
        let Lent { writer, rules, property } = self;
        match property {
            Some((property, is_element)) => {
                let element = is_element.then_some(&property.kind);
                encode::encode(writer, rules, property, element, value)
            }
            None => encode::root(writer, rules, value),
        }
    }
}

/// Deserializer side: gives `value` to the visitor, which must be that of a `Value`.
pub(crate) fn give_to<'de, V: Visitor<'de>>(value: Value, visitor: V) -> Result<V::Value> {
    give(value, || visitor.visit_newtype_struct(UnitDeserializer::<Error>::new()))
}
