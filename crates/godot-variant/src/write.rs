//! The only code that builds output bytes. Every value ends on a multiple of four bytes.

use crate::error::{Error, ErrorKind, Result};
use crate::options::{Dialect, Options, Precision};
use crate::types::{
    ElementType, FLAG_64, FLAG_OBJECT_AS_ID, GString, NodePath, Type, WireElement, fits_f32,
};

/// Appends to a growing vector.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) out: Vec<u8>,
    /// Where this value starts in `out`.
    pub(crate) start: usize,
    /// How many levels of Rust types are open around the value that is written as a whole.
    pub(crate) depth: usize,
    pub(crate) options: Options,
}

impl Writer {
    #[inline]
    pub(crate) fn new(out: Vec<u8>, options: Options) -> Self {
        Writer { start: out.len(), out, depth: 0, options }
    }

    /// Length so far, to come back to with the `patch` functions.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.out.len()
    }

    #[inline]
    pub(crate) fn dialect(&self) -> Dialect {
        self.options.dialect
    }

    /// Whether the elements of a container are held against its types.
    #[inline]
    pub(crate) fn checks(&self, is_typed: bool) -> bool {
        is_typed && !self.options.unchecked_types && !self.options.in_memory
    }

    #[inline]
    pub(crate) fn u32(&mut self, value: u32) {
        self.out.extend_from_slice(&value.to_le_bytes());
    }

    #[inline]
    pub(crate) fn u64(&mut self, value: u64) {
        self.out.extend_from_slice(&value.to_le_bytes());
    }

    /// Two words in one step: header and short payload grow the vector once.
    #[inline]
    fn pair(&mut self, first: u32, second: u32) {
        self.u64(u64::from(first) | u64::from(second) << 32);
    }

    #[inline]
    fn id(&self, kind: Type) -> Result<u32> {
        match kind.id(self.dialect()) {
            Some(id) => Ok(u32::from(id)),
            None => Err(self.unsupported(kind)),
        }
    }

    #[cold]
    #[inline(never)]
    fn unsupported(&self, kind: Type) -> Error {
        let dialect = self.dialect().name();
        Error::new(
            ErrorKind::Unsupported,
            format!("expected a type that {dialect} has, found {kind}"),
        )
    }

    #[inline]
    pub(crate) fn header(&mut self, kind: Type, flags: u32) -> Result<()> {
        let id = self.id(kind)?;
        self.u32(id | flags << 16);
        Ok(())
    }

    #[inline]
    pub(crate) fn nil(&mut self) {
        self.u32(0);
    }

    #[inline]
    pub(crate) fn bool(&mut self, value: bool) {
        self.pair(1, u32::from(value));
    }

    /// 32 bits when they hold the number, else 64.
    #[inline]
    pub(crate) fn int(&mut self, value: i64) {
        match i32::try_from(value) {
            Ok(short) => self.pair(2, short.cast_unsigned()),
            Err(_) => {
                self.u32(2 | FLAG_64 << 16);
                self.u64(value.cast_unsigned());
            }
        }
    }

    /// 32 bits when they hold the number exactly, else 64; NaN always takes 64.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "checked to be exact")]
    pub(crate) fn float(&mut self, value: f64) {
        if fits_f32(value) {
            self.pair(3, (value as f32).to_bits());
        } else {
            self.u32(3 | FLAG_64 << 16);
            self.u64(value.to_bits());
        }
    }

    /// [`float`](Self::float) of what 32 bits hold, unless it is NaN.
    #[inline]
    pub(crate) fn short_float(&mut self, value: f32) {
        match value.is_nan() {
            true => self.float(f64::from(value)),
            false => self.pair(3, value.to_bits()),
        }
    }

    #[inline]
    pub(crate) fn string(&mut self, text: &str) -> Result<()> {
        self.check_text(text)?;
        self.any_text(4, text)
    }

    /// A key that is known to be clean, such as the name of a field.
    #[inline(always)]
    pub(crate) fn key(&mut self, name: &'static str) -> Result<()> {
        // Blocks of constant size are a few stores, and the match folds to one of them, because
        // the names of fields are known where this is inlined.
        match name.len() {
            _ if name.as_bytes().first() == Some(&0xef) => return self.any_text(4, name),
            1..=4 => self.key_block::<12>(name),
            5..=8 => self.key_block::<16>(name),
            9..=12 => self.key_block::<20>(name),
            13..=16 => self.key_block::<24>(name),
            17..=20 => self.key_block::<28>(name),
            21..=24 => self.key_block::<32>(name),
            _ => return self.any_text(4, name),
        }
        Ok(())
    }

    /// Engines would read a text with NUL only up to there.
    #[inline]
    fn check_text(&self, text: &str) -> Result<()> {
        if crate::read::has_nul(text.as_bytes())
            && self.dialect() != Dialect::Docs
            && !self.options.in_memory
        {
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("expected text without NUL, found \"{}\"", crate::error::Shortened(text)),
            ));
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn string_name(&mut self, text: &str) -> Result<()> {
        let id = self.id(Type::StringName)?;
        self.check_text(text)?;
        self.any_text(id, text)
    }

    /// Text that is only known at run time.
    fn any_text(&mut self, header: u32, text: &str) -> Result<()> {
        if text.as_bytes().first() == Some(&0xef) {
            self.u32(header);
            return self.marked(text, "");
        }
        self.pair(header, length(text.len())?);
        self.out.extend_from_slice(text.as_bytes());
        self.pad(text.len());
        Ok(())
    }

    /// Length, bytes, `end` and padding of a text that may begin with a byte order mark: readers take one
    /// away, so that of the text is written twice.
    #[cold]
    #[inline(never)]
    fn marked(&mut self, text: &str, end: &str) -> Result<()> {
        const MARK: &str = "\u{feff}";
        let is_literal = self.dialect() == Dialect::Docs || self.options.in_memory;
        let mark = if text.starts_with(MARK) && !is_literal { MARK } else { "" };
        let text = [mark, text, end].concat();
        self.u32(length(text.len())?);
        self.out.extend_from_slice(text.as_bytes());
        self.pad(text.len());
        Ok(())
    }

    /// A key that fills `SIZE` bytes with header, length and padding.
    #[inline(always)]
    fn key_block<const SIZE: usize>(&mut self, name: &'static str) {
        let mut block = [0_u8; SIZE];
        if let Some((head, body)) = block.split_first_chunk_mut::<8>() {
            *head = (4 | (name.len() as u64) << 32).to_le_bytes();
            if let Some(place) = body.get_mut(..name.len()) {
                place.copy_from_slice(name.as_bytes());
            }
        }
        self.out.extend_from_slice(&block);
    }

    /// Length, bytes and padding.
    #[inline]
    pub(crate) fn text(&mut self, text: &str) -> Result<()> {
        self.check_text(text)?;
        if text.as_bytes().first() == Some(&0xef) {
            return self.marked(text, "");
        }
        self.u32(length(text.len())?);
        self.out.extend_from_slice(text.as_bytes());
        self.pad(text.len());
        Ok(())
    }

    /// Zeros up to the next multiple of four after `len` bytes.
    #[inline]
    fn pad(&mut self, len: usize) {
        let padding = len.wrapping_neg() & 3;
        if padding > 0 {
            // Four zeros of which some are taken back: cheaper than a copy of unknown length.
            let end = self.out.len().saturating_add(padding);
            self.out.extend_from_slice(&[0; 4]);
            self.out.truncate(end);
        }
    }

    /// Whether real-typed components are to be written with 64 bits.
    #[inline]
    pub(crate) fn wide(&self, given: bool) -> bool {
        match (self.dialect(), self.options.precision) {
            (Dialect::Godot3, _) | (_, Precision::Single) => false,
            (_, Precision::Double) => true,
            (Dialect::Docs, Precision::Keep) => false,
            (Dialect::Godot4, Precision::Keep) => given,
        }
    }

    /// Whether a `Color`, which is 32 bits in every engine, is to be written with 64.
    #[inline]
    pub(crate) fn wide_color(&self, given: bool) -> bool {
        let docs = self.dialect() == Dialect::Docs;
        (docs && self.options.precision == Precision::Double) || (self.options.in_memory && given)
    }

    /// Header of a value with components; `wide` says their width on the wire.
    #[inline]
    pub(crate) fn math_header(&mut self, kind: Type, wide: bool) -> Result<()> {
        let flag = wide && self.dialect() == Dialect::Godot4;
        self.header(kind, if flag { FLAG_64 } else { 0 })
    }

    /// Whether the dialect sends bases by rows. The page lists them by columns.
    #[inline]
    pub(crate) fn basis_by_rows(&self) -> bool {
        self.dialect() != Dialect::Docs
    }

    #[inline]
    pub(crate) fn elements<T: WireElement>(&mut self, elements: &[T]) {
        T::write_all(elements, &mut self.out);
    }

    #[inline]
    pub(crate) fn scalar(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Transposes the 3×3 matrix of `size`-byte components that was written last but `after` bytes.
    pub(crate) fn transpose_written(&mut self, size: usize, start: usize) {
        debug_assert!(start.saturating_add(size.saturating_mul(9)) <= self.out.len(), "no matrix");
        let Some(matrix) = self.out.get_mut(start..) else { return };
        for (a, b) in [(1_usize, 3_usize), (2, 6), (5, 7)] {
            let (a, b) = (a.saturating_mul(size), b.saturating_mul(size));
            if let Some((left, right)) = matrix.split_at_mut_checked(b)
                && let Some(left) = left.get_mut(a..a.saturating_add(size))
                && let Some(right) = right.get_mut(..size)
            {
                left.swap_with_slice(right);
            }
        }
    }

    /// Header, count and elements of a packed array of fixed-size elements.
    pub(crate) fn packed<T: WireElement>(
        &mut self,
        kind: Type,
        wide: bool,
        elements: &[T],
    ) -> Result<()> {
        self.math_header(kind, wide)?;
        self.u32(length(elements.len())?);
        self.out.reserve(elements.len().saturating_mul(T::SIZE).saturating_add(3));
        self.elements(elements);
        if T::SIZE == 1 {
            self.pad(elements.len());
        }
        Ok(())
    }

    pub(crate) fn packed_strings(&mut self, strings: &[GString]) -> Result<()> {
        self.header(Type::PackedStringArray, 0)?;
        self.u32(length(strings.len())?);
        strings.iter().try_for_each(|text| self.packed_string(text))
    }

    /// Engines end the text with NUL and count that in the length.
    pub(crate) fn packed_string(&mut self, text: &str) -> Result<()> {
        if self.dialect() == Dialect::Docs || self.options.in_memory {
            return self.text(text);
        }
        self.check_text(text)?;
        if text.as_bytes().first() == Some(&0xef) {
            return self.marked(text, "\0");
        }
        let len = text.len().saturating_add(1);
        self.u32(length(len)?);
        self.out.extend_from_slice(text.as_bytes());
        self.out.push(0);
        self.pad(len);
        Ok(())
    }

    pub(crate) fn node_path(&mut self, path: &NodePath) -> Result<()> {
        self.header(Type::NodePath, 0)?;
        self.u32(length(path.names.len())? | 0x8000_0000);
        self.u32(length(path.subnames.len())?);
        self.u32(u32::from(path.absolute));
        path.names.iter().chain(&path.subnames).try_for_each(|name| self.text(name))
    }

    pub(crate) fn rid(&mut self, id: u64) -> Result<()> {
        if self.dialect() == Dialect::Docs {
            return Err(self.unsupported(Type::Rid));
        }
        self.header(Type::Rid, 0)?;
        if self.dialect() == Dialect::Godot4 {
            self.u64(id);
        }
        Ok(())
    }

    /// A null object is nil to engines, and a zero word on the published page.
    pub(crate) fn null_object(&mut self) -> Result<()> {
        if self.options.in_memory {
            self.header(Type::Object, FLAG_OBJECT_AS_ID)?;
            self.u64(0);
        } else if self.dialect() != Dialect::Docs {
            self.nil();
        } else {
            let root = self.position() == self.start;
            self.header(Type::Object, 0)?;
            // Inside a container a reader that takes ids has to find 8 bytes.
            if root || self.options.allow_objects { self.u32(0) } else { self.u64(0) }
        }
        Ok(())
    }

    /// An object by its instance id. With whole objects on, engines send the `EncodedObjectAsID`
    /// that holds the id.
    pub(crate) fn object_id(&mut self, id: u64) -> Result<()> {
        if id == 0 {
            return self.null_object();
        }
        let whole = self.options.allow_objects && !self.options.in_memory;
        match (self.dialect(), whole) {
            (Dialect::Docs, false) => self.header(Type::Object, 0)?,
            (Dialect::Docs, true) => {
                return Err(Error::new(
                    ErrorKind::Unsupported,
                    "the published page has no object ids where whole objects are allowed",
                ));
            }
            (_, false) => self.header(Type::Object, FLAG_OBJECT_AS_ID)?,
            (_, true) => {
                self.header(Type::Object, 0)?;
                self.text(ElementType::ENCODED_OBJECT_AS_ID)?;
                self.u32(2);
                self.text("object_id")?;
                self.int(id.cast_signed());
                self.text("script")?;
                self.nil();
                return Ok(());
            }
        }
        self.u64(id);
        Ok(())
    }

    pub(crate) fn object_start(&mut self, class: &str, properties: usize) -> Result<()> {
        if !self.options.allow_objects {
            return Err(Error::new(
                ErrorKind::ObjectsNotAllowed,
                "expected no whole object, as Options::allow_objects is off, found one",
            ));
        }
        if class.is_empty() && !self.options.in_memory {
            return Err(Error::new(
                ErrorKind::Data,
                "expected the class of an object, found an empty name",
            ));
        }
        self.header(Type::Object, 0)?;
        self.text(class)?;
        self.u32(length(properties)?);
        Ok(())
    }

    pub(crate) fn signal(&mut self, name: &str, object: u64) -> Result<()> {
        self.header(Type::Signal, 0)?;
        self.text(name)?;
        self.u64(object);
        Ok(())
    }

    /// Header and type prefix of an array; the count follows.
    pub(crate) fn array_start(&mut self, element: &ElementType) -> Result<()> {
        if self.dialect() != Dialect::Godot4 {
            return self.untyped(Type::Array, element, &ElementType::Any);
        }
        self.header(Type::Array, self.kind(element))?;
        self.element_type(element)
    }

    /// Header and type prefixes of a dictionary; the count follows.
    pub(crate) fn dictionary_start(
        &mut self,
        key: &ElementType,
        value: &ElementType,
    ) -> Result<()> {
        if self.dialect() != Dialect::Godot4 {
            return self.untyped(Type::Dictionary, key, value);
        }
        self.header(Type::Dictionary, self.kind(key) | self.kind(value) << 2)?;
        self.element_type(key)?;
        self.element_type(value)
    }

    fn untyped(&mut self, kind: Type, a: &ElementType, b: &ElementType) -> Result<()> {
        if a.is_typed() || b.is_typed() {
            let dialect = self.dialect().name();
            return Err(Error::new(
                ErrorKind::Unsupported,
                format!("expected an untyped {kind}, the only one of {dialect}, found a typed one"),
            ));
        }
        self.header(kind, 0)
    }

    /// Header of an untyped dictionary and its count, the usual start of a struct.
    #[inline]
    pub(crate) fn plain_start(&mut self, kind: Type, count: usize) -> Result<()> {
        let id = self.id(kind)?;
        self.pair(id, length(count)?);
        Ok(())
    }

    /// Without whole objects every container of objects is sent as one of `EncodedObjectAsID`.
    fn kind(&self, element: &ElementType) -> u32 {
        match element {
            ElementType::Any => 0,
            ElementType::Builtin(Type::Object) | ElementType::Class(_) | ElementType::Script(_)
                if !self.options.allow_objects =>
            {
                2
            }
            ElementType::Builtin(_) => 1,
            ElementType::Class(_) => 2,
            ElementType::Script(_) => 3,
        }
    }

    fn element_type(&mut self, element: &ElementType) -> Result<()> {
        match (self.kind(element), element) {
            (1, ElementType::Builtin(kind)) => {
                let id = self.id(*kind)?;
                self.u32(id);
                Ok(())
            }
            (2, ElementType::Class(class)) if self.options.allow_objects => self.text(class),
            (2, _) => self.text(ElementType::ENCODED_OBJECT_AS_ID),
            (3, ElementType::Script(path)) => {
                if !self.options.in_memory {
                    check_script(path)?;
                }
                self.text(path)
            }
            _ => Ok(()),
        }
    }

    /// Puts the count that was not known at first.
    #[inline]
    pub(crate) fn patch_u32(&mut self, at: usize, value: usize) -> Result<()> {
        let value = length(value)?;
        debug_assert!(at < self.out.len(), "a container ends that did not begin");
        if let Some(place) = self.out.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<4>()) {
            *place = value.to_le_bytes();
        }
        Ok(())
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn too_deep(&self, limit: usize, name: &'static str) -> Error {
        Error::new(ErrorKind::DepthLimit, format!("nested deeper than {name}, which is {limit}"))
    }
}

/// Scripts are sent by their `res://` path, or not at all.
pub(crate) fn check_script(path: &str) -> Result<()> {
    if path.starts_with("res://") {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::ScriptUnavailable,
        format!(
            "expected the res:// path of a script, found \"{}\"",
            crate::error::Shortened(path)
        ),
    ))
}

/// The engine counts and measures with signed 32-bit numbers.
#[inline]
pub(crate) fn length(len: usize) -> Result<u32> {
    match u32::try_from(len) {
        Ok(len) if len <= 0x7fff_ffff => Ok(len),
        _ => Err(Error::new(
            ErrorKind::OutputLimit,
            format!("length {len} is more than the format's 2147483647"),
        )),
    }
}
