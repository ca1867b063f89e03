//! Any message, without a Rust type for it.

use std::fmt;
use std::ops::Index;
use std::sync::Arc;

use kiwi_pclass::{Error, ErrorKind, Result, Value};
use serde_core::ser::{Serialize, Serializer};

use crate::read::{Reader, put};
use crate::{Field, MessageType, RawMessage};

/// A message with the names of its fields: any message of [`Protocols`](crate::Protocols).
///
/// Its values are those of kiwi-pclass. Each is one that its field can hold: numbers within the range,
/// texts as bytes or as UTF-16 code units.
///
/// Indexing by a name that there is not gives [`Value::Null`]. In other serde formats it is a map.
#[derive(Clone, PartialEq)]
pub struct Record {
    message: Arc<MessageType>,
    values: Vec<Value>,
}

impl Record {
    /// A message whose fields have the values that its file declares; others are zeros and empty texts.
    pub fn new(message: &Arc<MessageType>) -> Self {
        let values = message.fields.iter().map(Field::default_value).collect();
        Record { message: Arc::clone(message), values }
    }

    /// Reads the fields of a message from its body.
    ///
    /// # Errors
    /// A body that is cut off, or has bytes after the last field.
    pub fn from_body(message: &Arc<MessageType>, body: &[u8]) -> Result<Self> {
        let mut reader = Reader::new(body);
        let record = Record::take(message, &mut reader)?;
        reader.end("the last field").map_err(|error| error.inside(&*message.name))?;
        Ok(record)
    }

    /// Takes the fields at the front.
    pub(crate) fn take(message: &Arc<MessageType>, reader: &mut Reader<'_>) -> Result<Self> {
        let mut values = Vec::with_capacity(message.fields.len());
        for field in &message.fields {
            let read = reader.value(field.kind);
            let read = read.map_err(|error| error.inside(&*field.name).inside(&*message.name))?;
            values.push(read);
        }
        Ok(Record { message: Arc::clone(message), values })
    }

    /// Which message it is.
    pub fn message_type(&self) -> &Arc<MessageType> {
        &self.message
    }

    /// The value of a field.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.values.get(self.message.index(name)?)
    }

    /// Sets a field.
    ///
    /// # Errors
    /// The message does not have it, or the value does not fit it.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) -> Result<()> {
        let Some(index) = self.message.index(name) else {
            let text = format!("expected a field of `{}`, found `{name}`", self.message.name);
            return Err(Error::new(ErrorKind::UnknownProperty, text));
        };
        let (value, message) = (value.into(), &self.message);
        if let (Some(place), Some(field)) = (self.values.get_mut(index), message.fields.get(index))
        {
            *place = field.kind.hold(&value).ok_or_else(|| {
                let text = format!("expected a value of {}, found {value:?}", field.kind);
                Error::new(ErrorKind::Data, text).inside(name)
            })?;
        }
        Ok(())
    }

    /// Names and values, in the order in which they are sent.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Value)> {
        self.message.fields.iter().map(|field| &*field.name).zip(&self.values)
    }

    /// Writes it as it is sent.
    ///
    /// # Errors
    /// A text of more than 65 535 bytes or code units, and a body of more than
    /// [`RawMessage::MAX_BODY`] bytes.
    pub fn to_raw(&self) -> Result<RawMessage<'static>> {
        let mut body = Vec::new();
        for (field, value) in self.message.fields.iter().zip(&self.values) {
            let put = put(&mut body, field.kind, value);
            put.map_err(|error| error.inside(&*field.name).inside(&*self.message.name))?;
        }
        RawMessage::new(self.message.service_id, self.message.order, body)
    }
}

impl Index<&str> for Record {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&Value::Null)
    }
}

impl fmt::Debug for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct(&self.message.name);
        self.iter().for_each(|(name, value)| {
            shown.field(name, value);
        });
        shown.finish()
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}
