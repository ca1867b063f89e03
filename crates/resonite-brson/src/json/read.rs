//! Text to [`Value`], without recursion.

use gamewire_core::json::{Elements, Fault, FaultKind, Kind, Members, Node, Reading};

use crate::error::{Error, ErrorKind, Result, Shortened};
use crate::extended::{self, LITERAL};
use crate::value::{Array, Document, Key, Keys};
use crate::{Options, Value};

/// Levels that the wrappers of one value may take in the deepest container.
const WRAPPERS: usize = 3;

pub(super) fn read(text: &str, options: &Options) -> Result<Value> {
    let limit = options.limits.max_depth;
    let memory = options.limits.memory(text.len());
    // Each container may be in a wrapper.
    let max_levels = limit.saturating_add(WRAPPERS).saturating_add(1).saturating_mul(2);
    let items = Reading { max_levels, memory }.items(text);
    let items = items.map_err(|fault| refused(fault, limit))?;
    let memory = memory.saturating_sub(items.memory());
    let mut builder = JsonBuilder { stack: Vec::new(), depth: 0, memory, options };
    builder.build(items.root()).map_err(|error| builder.locate(error))
}

#[cold]
fn refused(fault: Fault, limit: usize) -> Error {
    let error = match fault.kind {
        FaultKind::Syntax => Error::new(ErrorKind::Json, fault.message),
        FaultKind::Depth => Error::too_deep(limit, "max_depth"),
        FaultKind::Memory => Error::memory("what is read"),
    };
    error.or_at(fault.offset).in_path(fault.path)
}

/// A container that is open.
struct JsonLevel<'t> {
    node: Node<'t>,
    /// Whether its keys are taken as they are.
    is_literal: bool,
    /// Whether it is a container of the value, and not the inside of a wrapper.
    counts: bool,
    parts: Parts<'t>,
}

/// The parts of a container that are still to be read, and those that were.
enum Parts<'t> {
    Items(Elements<'t>, Vec<Value>),
    /// With the key of the value that is read.
    Entries(Members<'t>, Vec<(Key, Value)>, Option<Key>),
}

impl JsonLevel<'_> {
    /// Whether the value that is read is in a wrapper that takes keys as they are.
    fn is_around_literal(&self) -> bool {
        let Parts::Entries(_, entries, Some(own)) = &self.parts else { return false };
        !self.is_literal && entries.is_empty() && *own == *LITERAL
    }

    /// Adds a value, and returns the memory that it takes.
    fn put(&mut self, value: Value) -> usize {
        match &mut self.parts {
            Parts::Items(_, items) => {
                items.push(value);
                size_of::<Value>()
            }
            Parts::Entries(_, entries, key) => {
                debug_assert!(key.is_some(), "a value of a document is read before its key");
                entries.push((key.take().unwrap_or_default(), value));
                size_of::<(Key, Value)>()
            }
        }
    }
}

struct JsonBuilder<'t, 'o> {
    stack: Vec<JsonLevel<'t>>,
    depth: usize,
    /// Bytes of memory that may still be taken.
    memory: usize,
    options: &'o Options,
}

impl<'t> JsonBuilder<'t, '_> {
    fn build(&mut self, mut node: Node<'t>) -> Result<Value> {
        loop {
            let mut value = match node.kind() {
                Kind::List | Kind::Map => {
                    self.open(node)?;
                    None
                }
                _ => Some(scalar(node)?),
            };
            // On to the next value, out of the containers that end before it.
            node = loop {
                if let Some(value) = value.take() {
                    let Some(level) = self.stack.last_mut() else { return Ok(value) };
                    let cost = level.put(value);
                    self.charge(cost, node)?;
                }
                match self.next()? {
                    Some(next) => break next,
                    None => value = Some(self.close()?),
                }
            };
        }
    }

    /// Adds the path of the value that is read.
    #[cold]
    fn locate(&self, error: Error) -> Error {
        self.stack.iter().rev().fold(error, |error, level| match &level.parts {
            Parts::Items(_, items) => error.in_index(items.len()),
            Parts::Entries(.., Some(key)) => error.in_field(key),
            Parts::Entries(.., None) => error,
        })
    }

    /// Takes memory for what is built, twice: keys and text are beside it.
    fn charge(&mut self, bytes: usize, node: Node<'_>) -> Result<()> {
        let left = self.memory.checked_sub(bytes.saturating_mul(2));
        self.memory = left.ok_or_else(|| Error::memory("what is read").or_at(node.offset()))?;
        Ok(())
    }

    fn open(&mut self, node: Node<'t>) -> Result<()> {
        let limit = self.options.limits.max_depth;
        let outer = self.stack.last();
        let is_literal = outer.is_some_and(JsonLevel::is_around_literal);
        if self.depth > limit.saturating_add(WRAPPERS) {
            return Err(Error::too_deep(limit, "max_depth").or_at(node.offset()));
        }
        let counts = !is_literal;
        self.depth = self.depth.saturating_add(usize::from(counts));
        let parts = match (node.elements(), node.members()) {
            // Vectors that grow leave holes in memory.
            (Some(elements), _) => {
                let count = elements.clone().count();
                Parts::Items(elements, Vec::with_capacity(count))
            }
            (None, Some(members)) => {
                let count = members.clone().count();
                Parts::Entries(members, Vec::with_capacity(count), None)
            }
            (None, None) => return Ok(()),
        };
        self.stack.push(JsonLevel { node, is_literal, counts, parts });
        Ok(())
    }

    /// The next value of the innermost container.
    fn next(&mut self) -> Result<Option<Node<'t>>> {
        let Some(level) = self.stack.last_mut() else { return Ok(None) };
        match &mut level.parts {
            Parts::Items(elements, _) => Ok(elements.next()),
            Parts::Entries(members, _, current) => {
                let Some((name, node)) = members.next() else { return Ok(None) };
                if name.as_bytes().contains(&0) {
                    let message = "expected a key without NUL, found one";
                    return Err(Error::at(ErrorKind::InvalidKey, node.name_offset(), message));
                }
                *current = Some(Key::from(name));
                Ok(Some(node))
            }
        }
    }

    fn close(&mut self) -> Result<Value> {
        let Some(level) = self.stack.pop() else {
            debug_assert!(false, "a container ends that did not begin");
            return Ok(Value::Null);
        };
        self.depth = self.depth.saturating_sub(usize::from(level.counts));
        let entries = match level.parts {
            Parts::Items(_, items) => return Ok(Value::Array(Array::from(items))),
            Parts::Entries(_, entries, _) => entries,
        };
        if !self.options.allow_duplicates {
            // A long document has a set of its keys for that.
            self.charge(entries.len().saturating_mul(size_of::<&[u8]>()), level.node)?;
            if let Some(at) = Keys::first_repeated(&entries) {
                let member = level.node.members().and_then(|mut members| members.nth(at));
                debug_assert!(member.is_some(), "an entry without a member");
                let (name, node) = member.unwrap_or(("".into(), level.node));
                return Err(Error::duplicate_key(&name).or_at(node.name_offset()));
            }
        }
        let document = Document::from(entries);
        if level.is_literal {
            return Ok(Value::Document(document));
        }
        extended::unwrap(document)
            .map_err(|message| Error::at(ErrorKind::Json, level.node.offset(), message))
    }
}

fn scalar(node: Node<'_>) -> Result<Value> {
    if let Some(text) = node.text() {
        return Ok(Value::String(text.into()));
    }
    match (node.number(), node.kind()) {
        (Some(number), _) => self::number(number, node.offset()),
        (None, Kind::Bool(value)) => Ok(Value::Bool(value)),
        (None, kind) => {
            debug_assert!(matches!(kind, Kind::Null), "a container is no scalar");
            Ok(Value::Null)
        }
    }
}

fn number(text: &str, at: usize) -> Result<Value> {
    let range = |what| {
        let message = format!("expected a number that fits {what}, found {}", Shortened(text));
        Error::at(ErrorKind::NumberRange, at, message)
    };
    if !text.contains(['.', 'e', 'E']) && text != "-0" {
        let value: i64 = text.parse().map_err(|_| range("an int64"))?;
        return Ok(i32::try_from(value).map_or(Value::Int64(value), Value::Int32));
    }
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Value::Double(value)),
        _ => Err(range("a double")),
    }
}
