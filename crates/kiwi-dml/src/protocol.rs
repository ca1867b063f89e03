//! The messages that a game has, as its `*Messages.xml` files declare them.

use std::collections::BTreeMap;
use std::sync::Arc;

use kiwi_pclass::{Error, ErrorKind, Result, Value};

use crate::{Kind, RawMessage, Record, xml};

/// A field of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// Its name.
    pub name: Box<str>,
    /// Its type.
    pub kind: Kind,
    /// The value that the file declares for new messages, as text; nothing where it declares none.
    pub declared: Box<str>,
}

impl Field {
    /// The value in a new message: the one that the file declares, else zero or the empty text.
    pub fn default_value(&self) -> Value {
        let declared = self.kind.declared(&self.declared);
        debug_assert!(declared.is_some(), "the reader takes no other text");
        declared.unwrap_or_else(|| self.kind.zero())
    }
}

/// A message of a service: its numbers and fields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MessageType {
    /// The id of its service.
    pub service_id: u8,
    /// Its number in the service, from 1 on: `_MsgOrder` or `_MsgType`, or the place of its name in order.
    pub order: u8,
    /// The name of its element, such as `MSG_CLIENTMOVE`.
    pub name: Box<str>,
    /// `_MsgDescription`, or nothing.
    pub description: Box<str>,
    /// `_MsgHandler`, such as `MSG_ClientMove`, or nothing.
    pub handler: Box<str>,
    /// `_MsgAccessLvl`: what a session needs before this message is accepted from it. 0 where the file says
    /// none.
    pub access_level: u8,
    /// The fields, in their order.
    pub fields: Box<[Field]>,
}

impl MessageType {
    /// The place of a field.
    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| *field.name == *name)
    }
}

/// A service: the messages of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Protocol {
    /// `ServiceID`.
    pub service_id: u8,
    /// `ProtocolType`, such as `GAME`, or nothing.
    pub name: Box<str>,
    /// `ProtocolVersion`; 0 where the file says none.
    pub version: i32,
    /// `ProtocolDescription`, or nothing.
    pub description: Box<str>,
    /// Its messages by their order.
    pub(crate) messages: Vec<Arc<MessageType>>,
}

impl Protocol {
    /// Reads a file.
    ///
    /// # Errors
    /// Malformed XML, no `_ProtocolInfo`, types that DML does not have, values that are none of their types, and
    /// messages that cannot be numbered:
    /// two of one order or one name, or more than 255.
    pub fn from_xml(xml: &[u8]) -> Result<Self> {
        xml::read(xml)
    }

    /// Its messages by their order.
    pub fn messages(&self) -> &[Arc<MessageType>] {
        &self.messages
    }

    /// The message of an order.
    pub fn message(&self, order: u8) -> Option<&Arc<MessageType>> {
        let found = self.messages.binary_search_by_key(&order, |message| message.order).ok()?;
        self.messages.get(found)
    }

    /// The message of a name, such as `MSG_CLIENTMOVE`.
    pub fn find(&self, name: &str) -> Option<&Arc<MessageType>> {
        self.messages.iter().find(|message| *message.name == *name)
    }
}

/// The services of a game.
///
/// ```
/// use kiwi_dml::{Kind, Protocols};
///
/// let protocols = Protocols::from_xml(
///     br#"<GameMessages>
///         <_ProtocolInfo><RECORD>
///             <ServiceID TYPE="UBYT">5</ServiceID><ProtocolType TYPE="STR">GAME</ProtocolType>
///         </RECORD></_ProtocolInfo>
///         <MSG_ATTACH><RECORD><Key TYPE="STR"></Key><Zone TYPE="GID"></Zone></RECORD></MSG_ATTACH>
///     </GameMessages>"#,
/// )?;
/// let attach = protocols.message(5, 1).unwrap();
/// assert_eq!(&*attach.name, "MSG_ATTACH");
/// assert_eq!(attach.fields[1].kind, Kind::Gid);
/// # Ok::<(), kiwi_dml::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protocols(BTreeMap<u8, Protocol>);

impl Protocols {
    /// The service of one file. [`add`](Self::add) adds those of others.
    ///
    /// # Errors
    /// As [`Protocol::from_xml`].
    pub fn from_xml(xml: &[u8]) -> Result<Self> {
        let mut protocols = Protocols::default();
        protocols.add(Protocol::from_xml(xml)?)?;
        Ok(protocols)
    }

    /// Adds a service.
    ///
    /// # Errors
    /// There is another service of its id.
    pub fn add(&mut self, protocol: Protocol) -> Result<()> {
        if let Some(other) = self.0.get(&protocol.service_id) {
            let (id, name, other) = (protocol.service_id, &protocol.name, &other.name);
            let text = format!("the services {other} and {name} have the same id, {id}");
            return Err(Error::new(ErrorKind::Schema, text));
        }
        self.0.insert(protocol.service_id, protocol);
        Ok(())
    }

    /// The services, by their ids.
    pub fn services(&self) -> impl Iterator<Item = &Protocol> {
        self.0.values()
    }

    /// The service of an id.
    pub fn service(&self, id: u8) -> Option<&Protocol> {
        self.0.get(&id)
    }

    /// The message of a service and an order.
    pub fn message(&self, service_id: u8, order: u8) -> Option<&Arc<MessageType>> {
        self.service(service_id)?.message(order)
    }

    /// The message of a name, such as `MSG_CLIENTMOVE`; of several services, that of the lowest id.
    pub fn find(&self, name: &str) -> Option<&Arc<MessageType>> {
        self.services().find_map(|service| service.find(name))
    }

    /// Returns which message this is.
    ///
    /// # Errors
    /// No service has its id, or the service has no message of its order.
    pub fn type_of(&self, raw: &RawMessage<'_>) -> Result<&Arc<MessageType>> {
        let RawMessage { service_id, order, .. } = *raw;
        self.message(service_id, order).ok_or_else(|| {
            let service = self.service(service_id).map_or("unknown", |service| &*service.name);
            let text =
                format!("no message {order} is known of the service {service_id} ({service})");
            Error::new(ErrorKind::UnknownClass, text)
        })
    }

    /// Reads a message with the names of its fields.
    ///
    /// # Errors
    /// An [unknown](Self::type_of) message, and a body that is cut off or has bytes after the last field.
    pub fn read(&self, raw: &RawMessage<'_>) -> Result<Record> {
        Record::from_body(self.type_of(raw)?, &raw.body)
    }
}
