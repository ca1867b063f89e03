//! Text to the items of gamewire-core, and how errors call them.

use gamewire_core::json::{FaultKind, Items, Kind, Node, Reading};

use crate::error::Shortened;
use crate::schema::Number;
use crate::{Error, ErrorKind, Result};

/// Reads a document, with the memory that its items may take.
pub(crate) fn items(text: &str, memory: usize) -> Result<Items<'_>> {
    let reading = Reading { memory, ..Reading::default() };
    reading.items(text).map_err(|fault| {
        let at = fault.offset;
        match fault.kind {
            FaultKind::Memory => Error::memory("the value").or_at_byte(at),
            _ => Error::at_byte(ErrorKind::Syntax, at, fault.message),
        }
    })
}

/// The number of a node: a whole one of 64 bits, or a float.
pub(crate) fn number_of(node: Node<'_>) -> Option<Number> {
    let text = node.number()?;
    Some(match (text.parse(), text.parse()) {
        (Ok(number), _) => Number::UInt(number),
        // -0 is a float.
        (_, Ok(number)) if number != 0 => Number::Int(number),
        _ => Number::Double(text.parse().ok()?),
    })
}

/// Names a node for errors.
pub(crate) fn name_of(node: Node<'_>) -> String {
    match node.kind() {
        Kind::Null => "null".to_owned(),
        Kind::Bool(_) => "a bool".to_owned(),
        Kind::Number => match number_of(node) {
            Some(Number::Double(number)) => number.to_string(),
            _ => node.number().unwrap_or_default().to_owned(),
        },
        Kind::Text => format!("\"{}\"", Shortened(&node.text().unwrap_or_default())),
        Kind::List => "a list".to_owned(),
        Kind::Map => "an object".to_owned(),
    }
}
