//! `*Messages.xml`
//! ([description](https://github.com/gamewire/gamewire/blob/main/docs/formats/kiwi-dml.md#the-files-of-messages)).

use std::collections::{BTreeMap, HashSet};
use std::num::NonZeroU8;
use std::sync::Arc;

use gamewire_core::words::Shortened;
use kiwi_pclass::xml::lex::{Element, Lexer, Token};
use kiwi_pclass::{Error, ErrorKind, Result};

use crate::read::error_at;
use crate::{Field, Kind, MessageType, Protocol};

/// An element of a `RECORD`.
struct Item {
    name: String,
    kind: Option<String>,
    is_sent: bool,
    text: String,
    at: usize,
}

/// An element of the root, with what is in its `RECORD`.
struct Draft {
    name: String,
    at: usize,
    items: Vec<Item>,
}

pub(crate) fn read(xml: &[u8]) -> Result<Protocol> {
    // Descriptions are in whatever encoding their author had.
    let text = String::from_utf8_lossy(xml);
    let mut lexer = Lexer::new(&text);
    start(&mut lexer)?.ok_or_else(|| fault(0, "expected messages, found no XML element"))?;
    let (mut info, mut drafts) = (None, Vec::new());
    while let Some(element) = start(&mut lexer)? {
        let name = element.name();
        let items = record(&mut lexer, element.at).map_err(|error| error.inside(name))?;
        let draft = Draft { name: name.to_owned(), at: element.at, items };
        match name {
            "_ProtocolInfo" => info = Some(draft),
            // No other message is of the file's own.
            name if name.starts_with('_') => {}
            _ => drafts.push(draft),
        }
    }
    let info = info.ok_or_else(|| fault(0, "expected a `_ProtocolInfo`, found none"))?;
    protocol(&info, &drafts)
}

#[cold]
fn fault(at: usize, message: impl Into<String>) -> Error {
    error_at(ErrorKind::Schema, at, message.into())
}

/// The next element of the one that is open; `None` at its end.
fn start<'a>(lexer: &mut Lexer<'a>) -> Result<Option<Element<'a>>> {
    loop {
        match lexer.token()? {
            Token::Start(element) => return Ok(Some(element)),
            Token::Text(_) => {}
            Token::End | Token::Eof => return Ok(None),
        }
    }
}

/// The `RECORD` of an element that begins at a byte.
fn record(lexer: &mut Lexer<'_>, at: usize) -> Result<Vec<Item>> {
    let mut items = None;
    while let Some(record) = start(lexer)? {
        if record.name() != "RECORD" || items.is_some() {
            let found = Shortened(record.name());
            let text = format!("expected one `RECORD`, found another `{found}`");
            return Err(fault(record.at, text));
        }
        let items = items.insert(Vec::new());
        while let Some(element) = start(lexer)? {
            let item = item(lexer, &element);
            items.push(item.map_err(|error| error.inside(element.name()))?);
        }
    }
    items.ok_or_else(|| fault(at, "expected one `RECORD`, found none"))
}

fn item(lexer: &mut Lexer<'_>, element: &Element<'_>) -> Result<Item> {
    let (name, at) = (element.name().to_owned(), element.at);
    let mut kind = None;
    // As KingsIsle's files spell it.
    for spelling in ["TYPE", "TPYE", "TYP"] {
        let found = element.attribute(spelling)?.map(|kind| kind.trim().to_owned());
        kind = kind.or(found);
    }
    let is_held_back =
        element.attribute("NOXFER")?.is_some_and(|no| no.eq_ignore_ascii_case("TRUE"));
    let is_sent = !is_held_back && !name.starts_with('_');
    let mut text = String::new();
    loop {
        match lexer.token()? {
            Token::Text(part) => text.push_str(part.trim()),
            Token::End | Token::Eof => return Ok(Item { name, kind, is_sent, text, at }),
            Token::Start(inner) => {
                let text = format!("expected a text, found `{}`", Shortened(inner.name()));
                return Err(fault(inner.at, text));
            }
        }
    }
}

impl Draft {
    /// The text of an element.
    fn text(&self, name: &str) -> Option<(&str, usize)> {
        self.items.iter().find(|item| item.name == name).map(|item| (&*item.text, item.at))
    }

    fn text_or_none(&self, name: &str) -> Box<str> {
        self.text(name).map(|(text, _)| text).unwrap_or_default().into()
    }

    fn number<T: std::str::FromStr>(&self, name: &str, range: &str) -> Result<Option<T>> {
        let text = self.text(name).filter(|(text, _)| !text.is_empty());
        let Some((text, at)) = text else { return Ok(None) };
        text.parse().map(Some).map_err(|_| {
            let text = format!("expected a number of {range}, found `{}`", Shortened(text));
            fault(at, text).inside(name).inside(&*self.name)
        })
    }

    /// Its number, where the file gives one.
    fn order(&self) -> Result<Option<u8>> {
        let order = match self.number::<NonZeroU8>("_MsgOrder", "1 to 255")? {
            None => self.number("_MsgType", "1 to 255")?,
            order => order,
        };
        Ok(order.map(NonZeroU8::get))
    }

    fn fields(&self) -> Result<Box<[Field]>> {
        let mut names = HashSet::new();
        let sent = self.items.iter().filter(|item| item.is_sent);
        let fields = sent.map(|item| {
            let wrong = |what: String| fault(item.at, what).inside(&*item.name).inside(&*self.name);
            if !names.insert(&*item.name) {
                return Err(wrong("expected each field once, found it twice".to_owned()));
            }
            let kind = match &item.kind {
                Some(kind) => Kind::from_name(kind).ok_or_else(|| {
                    wrong(format!("expected a type of DML, found `{}`", Shortened(kind)))
                })?,
                // The one field that has none in KingsIsle's files.
                None if item.name == "GlobalID" => Kind::Gid,
                None => return Err(wrong("expected a `TYPE`, found none".to_owned())),
            };
            if kind.declared(&item.text).is_none() {
                let text = format!("expected a value of {kind}, found `{}`", Shortened(&item.text));
                return Err(wrong(text));
            }
            Ok(Field { name: (*item.name).into(), kind, declared: (*item.text).into() })
        });
        fields.collect()
    }
}

/// Whether the same is sent; the values of new messages may differ, and the first ones count.
fn is_same(fields: &[Field], others: &[Field]) -> bool {
    let sent = |field: &Field| (field.name.clone(), field.kind);
    fields.iter().map(sent).eq(others.iter().map(sent))
}

fn protocol(info: &Draft, drafts: &[Draft]) -> Result<Protocol> {
    let service_id = info.number("ServiceID", "0 to 255")?;
    let service_id =
        service_id.ok_or_else(|| fault(info.at, "expected a `ServiceID`, found none"))?;
    // The first message decides for the file.
    let is_ordered = drafts.first().map(Draft::order).transpose()?.flatten().is_some();
    // A message that stands there twice is one.
    type First<'d> = (Box<[Field]>, Option<u8>, &'d Draft);
    let mut first: BTreeMap<&str, First<'_>> = BTreeMap::new();
    for draft in drafts {
        let (fields, order) = (draft.fields()?, draft.order()?);
        match first.get(&*draft.name) {
            None => {
                first.insert(&draft.name, (fields, order, draft));
            }
            Some((other, at, _)) if is_same(other, &fields) && (!is_ordered || *at == order) => {}
            Some(_) => {
                let text = "expected the fields and the number that it had before, found others";
                return Err(fault(draft.at, text).inside(&*draft.name));
            }
        }
    }
    let mut messages: BTreeMap<u8, Arc<MessageType>> = BTreeMap::new();
    for (place, (fields, order, draft)) in (1u32..).zip(first.into_values()) {
        let wrong = |text: String| fault(draft.at, text).inside(&*draft.name);
        let order = match is_ordered {
            true => order.ok_or_else(|| wrong("expected a number, found none".to_owned()))?,
            false => u8::try_from(place)
                .map_err(|_| wrong("expected up to 255 messages, found more".to_owned()))?,
        };
        let message = MessageType {
            service_id,
            order,
            name: (*draft.name).into(),
            description: draft.text_or_none("_MsgDescription"),
            handler: draft.text_or_none("_MsgHandler"),
            access_level: draft.number("_MsgAccessLvl", "0 to 255")?.unwrap_or_default(),
            fields,
        };
        if let Some(other) = messages.insert(order, Arc::new(message)) {
            let other = Shortened(&other.name);
            return Err(wrong(format!(
                "expected a number of no other, found {order} of `{other}`"
            )));
        }
    }
    Ok(Protocol {
        service_id,
        name: info.text_or_none("ProtocolType"),
        version: info.number("ProtocolVersion", "32 bits")?.unwrap_or_default(),
        description: info.text_or_none("ProtocolDescription"),
        messages: messages.into_values().collect(),
    })
}
