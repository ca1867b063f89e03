//! The grammar. Beans are read here, and frames over it; typed reading (`de.rs`) has its own way through the
//! values that it wants, and comes here for those that it does not.
//!
//! A [`Decoder`] walks with an explicit stack, so that the depth of the input costs no stack of the
//! program, and tells a [`Listener`] what it reads: `()` skips, `Builder` makes a `Value`,
//! explanations note each byte.

use std::ops::{Deref, DerefMut};

use crate::error::{Error, Path, Result, Segment};
use crate::kind::Kind;
use crate::options::Options;
use crate::read::{ListHead, MapHead, Reader, Tag};

/// Receives what a [`Decoder`] reads, in the order of the bytes. Default methods do nothing.
///
/// `end` is the offset after the bytes in question; they begin where those of the call before
/// ended.
pub(crate) trait Listener<'de> {
    /// Whether it wants to see values. If not, they are skipped, many at once where that works.
    const VALUES: bool = true;
    /// Whether it wants to see what is there of text and containers that claim more than the input
    /// has. The error is the same, and comes when the input ends.
    const READS_ON: bool = false;

    /// Whether it holds all that it may, so that reading ends with an error.
    #[inline]
    fn is_full(&self) -> bool {
        false
    }
    /// A container begins, or the layer of a bean's base.
    fn open(&mut self, _end: usize, _head: Head) {}
    /// The tag of a field, whose value follows.
    fn key(&mut self, _end: usize, _id: u32, _kind: Kind) {}
    /// A value without others in it.
    fn leaf(&mut self, _end: usize, _value: Leaf<'de>) {}
    /// The innermost container ends; of a bean, all its layers.
    fn close(&mut self, _end: usize) {}
    /// A component of a vector of integers, before the whole vector is told as a leaf.
    fn component(&mut self, _end: usize, _index: usize, _value: i64) {}
    /// A part of a frame, and the number that it is, if it is one.
    fn frame(&mut self, _end: usize, _part: FramePart, _number: i64) {}
}

/// Skips everything.
impl Listener<'_> for () {
    const VALUES: bool = false;
}

/// The beginning of a container.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Head {
    List(ListHead),
    /// Keys and values follow in turn.
    Map(MapHead),
    /// A bean; a dynamic one with its type id.
    Bean(Option<i64>),
    /// The layer of the innermost bean ends, and that of its base follows.
    Base,
}

/// A value without others in it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Leaf<'de> {
    Int(i64),
    Float(f32),
    Double(f64),
    /// With the length that stands before them: in what is read on, more than there are.
    Bytes(&'de [u8], u32),
    Vector2([f32; 2]),
    Vector2Int([i64; 2]),
    Vector3([f32; 3]),
    Vector3Int([i64; 3]),
    Vector4([f32; 4]),
}

/// The parts of a frame beside its bean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FramePart {
    Module,
    Protocol,
    /// Number of the bytes that follow.
    Size,
    /// Which sort of frame it is, without the bit for a result code.
    Family,
    Result,
    Session,
    /// The bean that a raft rpc is known by follows.
    Unique,
    Created,
    /// Bytes after the bean.
    #[cfg(feature = "explain")]
    Rest,
}

/// A container that is being read.
#[derive(Clone, Copy)]
enum Open {
    Bean {
        /// The id of the field that is being read.
        last: u32,
        /// Layers of bases that were begun.
        bases: usize,
    },
    List {
        kind: Kind,
        left: usize,
        count: usize,
    },
    Map {
        kinds: (Kind, Kind),
        /// Keys and values.
        left: usize,
        count: usize,
        /// Where the last key began.
        key_at: usize,
    },
}

/// Reads values of any depth. It is the [`Reader`] of its input, and keeps the room for containers
/// around what is read from one call to the next.
pub(crate) struct Decoder<'de> {
    reader: Reader<'de>,
    around: Vec<Open>,
    /// The first claim that the input cannot hold, for listeners that read on: the error that it is for
    /// others.
    pub(crate) claim: Option<Error>,
}

impl<'de> Deref for Decoder<'de> {
    type Target = Reader<'de>;

    #[inline]
    fn deref(&self) -> &Reader<'de> {
        &self.reader
    }
}

impl DerefMut for Decoder<'_> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.reader
    }
}

impl<'de> Decoder<'de> {
    #[inline]
    pub(crate) fn new(bytes: &'de [u8], options: Options) -> Self {
        Decoder { reader: Reader::new(bytes, options), around: Vec::new(), claim: None }
    }

    /// A second decoder at an offset of the same input.
    pub(crate) fn fork_at(&self, at: usize) -> Decoder<'de> {
        Decoder { reader: self.reader.fork_at(at), around: Vec::new(), claim: None }
    }

    /// Skips a value inside of `level` containers.
    #[inline]
    pub(crate) fn skip(&mut self, kind: Kind, level: usize) -> Result<()> {
        self.value(kind, level, &mut ())
    }

    /// Skips what is left of a bean, whose last id was `last`, up to after its end.
    pub(crate) fn skip_fields(&mut self, last: u32, level: usize) -> Result<()> {
        self.walk(Open::Bean { last, bases: 0 }, level, &mut ())
    }

    /// Reads a value inside of `level` containers.
    #[inline]
    pub(crate) fn value<L: Listener<'de>>(
        &mut self,
        kind: Kind,
        level: usize,
        listener: &mut L,
    ) -> Result<()> {
        if !kind.is_container() {
            let read = self.leaf(kind, listener);
            self.keep_claim::<L>(None);
            if read.is_ok() && listener.is_full() {
                return Err(Error::memory("a value", self.reader.offset()));
            }
            return read;
        }
        self.check_level(level)?;
        let open = self.open(kind, listener)?;
        self.keep_claim::<L>(None);
        self.walk(open, level.saturating_add(1), listener)
    }

    /// Reads the content of a container to the container's end. `level` counts the
    /// container itself; layers of bases count as levels too.
    fn walk<L: Listener<'de>>(&mut self, root: Open, level: usize, listener: &mut L) -> Result<()> {
        // After an error there may be something left.
        self.around.clear();
        let (mut open, mut level) = (root, level);
        // `open` is handed on by value only, so that its counters can stay in registers.
        let (error, is_inside) = loop {
            if listener.is_full() {
                break (Error::memory("a value", self.reader.offset()), false);
            }
            let next = match &mut open {
                Open::Bean { last, bases } => match self.reader.tag(*last) {
                    Ok(Tag::Field(id, kind)) => {
                        *last = id;
                        listener.key(self.reader.offset(), id, kind);
                        Some(kind)
                    }
                    Ok(Tag::Base) => {
                        listener.open(self.reader.offset(), Head::Base);
                        // A base in a base is as deep as a bean in a bean.
                        if let Err(error) = self.check_level(level) {
                            break (error, false);
                        }
                        (*last, *bases) = (0, bases.saturating_add(1));
                        level = level.saturating_add(1);
                        continue;
                    }
                    Ok(Tag::End) => {
                        level = level.saturating_sub(*bases);
                        None
                    }
                    Err(error) => break (error, false),
                },
                Open::List { kind, left, .. } => {
                    // Lists of numbers have no structure to walk through.
                    if !L::VALUES
                        && let Err(error) = self.skip_items(*kind, left)
                    {
                        break (error, true);
                    }
                    left.checked_sub(1).map(|after| {
                        *left = after;
                        *kind
                    })
                }
                Open::Map { kinds, left, key_at, .. } => left.checked_sub(1).map(|after| {
                    *left = after;
                    // An even number is left after a value.
                    if after.is_multiple_of(2) {
                        return kinds.1;
                    }
                    *key_at = self.reader.offset();
                    kinds.0
                }),
            };
            match next {
                Some(kind) if !kind.is_container() => {
                    if let Err(error) = self.leaf(kind, listener) {
                        break (error, true);
                    }
                    self.keep_claim::<L>(Some(open));
                }
                Some(kind) => {
                    let inner = self.check_level(level).and_then(|()| self.open(kind, listener));
                    match inner {
                        Ok(inner) => {
                            self.keep_claim::<L>(Some(open));
                            level = level.saturating_add(1);
                            self.around.push(std::mem::replace(&mut open, inner));
                        }
                        Err(error) => break (error, true),
                    }
                }
                None => {
                    listener.close(self.reader.offset());
                    match self.around.pop() {
                        Some(outer) => {
                            level = level.saturating_sub(1);
                            open = outer;
                        }
                        None => return Ok(()),
                    }
                }
            }
        };
        Err(self.located(error, open, is_inside))
    }

    /// Skips all elements of a list at once, where their size or type allows it.
    #[inline]
    fn skip_items(&mut self, kind: Kind, left: &mut usize) -> Result<()> {
        if let Some(size) = kind.fixed() {
            self.reader.advance(size.saturating_mul(*left), "a list")?;
            *left = 0;
        } else if kind == Kind::Int {
            self.reader.skip_ints(left)?;
        }
        Ok(())
    }

    #[inline]
    fn leaf<L: Listener<'de>>(&mut self, kind: Kind, listener: &mut L) -> Result<()> {
        let reader = &mut self.reader;
        if !L::VALUES {
            return match (kind, kind.fixed()) {
                (_, Some(size)) => reader.advance(size, kind.article()),
                (Kind::Int, None) => reader.skip_int(),
                (Kind::Vector2Int | Kind::Vector3Int, None) => {
                    reader.skip_ints(&mut kind.components())
                }
                _ => reader.bytes().map(drop),
            };
        }
        let value = match kind {
            Kind::Int => Leaf::Int(reader.int()?),
            Kind::Float => Leaf::Float(reader.f32()?),
            Kind::Double => Leaf::Double(reader.f64()?),
            Kind::Vector2 => Leaf::Vector2(reader.floats(kind)?),
            Kind::Vector3 => Leaf::Vector3(reader.floats(kind)?),
            Kind::Vector4 => Leaf::Vector4(reader.floats(kind)?),
            Kind::Vector2Int => Leaf::Vector2Int(self.components(listener)?),
            Kind::Vector3Int => Leaf::Vector3Int(self.components(listener)?),
            _ => {
                let at = reader.offset();
                let len = reader.uint("a length")?;
                Leaf::Bytes(reader.sized(len, at)?, len)
            }
        };
        listener.leaf(self.reader.offset(), value);
        Ok(())
    }

    fn components<const N: usize, L: Listener<'de>>(
        &mut self,
        listener: &mut L,
    ) -> Result<[i64; N]> {
        let mut components = [0; N];
        for (index, component) in components.iter_mut().enumerate() {
            *component = self.reader.int()?;
            listener.component(self.reader.offset(), index, *component);
        }
        Ok(components)
    }

    /// Reads the header of a container.
    #[inline]
    fn open<L: Listener<'de>>(&mut self, kind: Kind, listener: &mut L) -> Result<Open> {
        match kind {
            Kind::List => {
                let head = self.reader.list_head()?;
                listener.open(self.reader.offset(), Head::List(head));
                Ok(Open::List { kind: head.kind, left: head.count, count: head.count })
            }
            Kind::Map => {
                let head = self.reader.map_head()?;
                listener.open(self.reader.offset(), Head::Map(head));
                // Keys and values take turns by whether an even number is left, so that no count may
                // be cut to an odd one; what reads on takes counts that no input has.
                let count = head.count.min(usize::MAX / 2);
                let left = count.saturating_mul(2);
                Ok(Open::Map { kinds: head.kinds, left, count, key_at: 0 })
            }
            _ => {
                let type_id = match kind {
                    Kind::Dynamic if L::VALUES => Some(self.reader.int()?),
                    Kind::Dynamic => self.reader.skip_int().map(|()| None)?,
                    _ => None,
                };
                listener.open(self.reader.offset(), Head::Bean(type_id));
                Ok(Open::Bean { last: 0, bases: 0 })
            }
        }
    }

    #[inline]
    fn check_level(&self, level: usize) -> Result<()> {
        if level >= self.reader.options.limits.max_depth {
            return Err(self.reader.options.too_deep(Some(self.reader.offset())));
        }
        Ok(())
    }

    /// Takes a claim that was just met, and notes where in the data it is.
    #[inline]
    fn keep_claim<L: Listener<'de>>(&mut self, open: Option<Open>) {
        if L::READS_ON
            && self.claim.is_none()
            && let Some(error) = self.reader.take_claim()
        {
            self.claim = Some(match open {
                Some(open) => self.located(error, open, true),
                None => error,
            });
        }
    }

    /// The error with its path: into `open` and, if it is inside of one of its parts, to that.
    #[cold]
    #[inline(never)]
    fn located(&self, error: Error, open: Open, is_inside: bool) -> Error {
        let mut error = self.in_part(error, open, is_inside);
        // The path keeps the innermost steps only.
        for outer in self.around.iter().rev().take(Path::MAX_SEGMENTS.saturating_add(1)) {
            error = self.in_part(error, *outer, true);
        }
        error
    }

    fn in_part(&self, error: Error, open: Open, is_inside: bool) -> Error {
        match open {
            Open::Bean { last, bases } => {
                let error = if is_inside { error.inside(Segment::Id(last)) } else { error };
                let bases = 0..bases.min(Path::MAX_SEGMENTS.saturating_add(1));
                bases.fold(error, |error, _| error.inside(Segment::Base))
            }
            // Of elements that are skipped at once none has begun, and the first one is named.
            Open::List { left, count, .. } => {
                error.inside(count.saturating_sub(left).saturating_sub(1))
            }
            Open::Map { kinds, left, count, key_at } => {
                let index = count.saturating_sub(left / 2).saturating_sub(1);
                if left.is_multiple_of(2) {
                    return error.inside(super::key_segment(
                        self.reader.bytes_from(key_at),
                        kinds.0,
                        index,
                    ));
                }
                error.inside(Segment::KeyOf(index))
            }
        }
    }
}
