//! JSON of games: what `JSON.stringify` and `to_json` write, one value or one in each line.

use std::borrow::Cow;
use std::fmt;
use std::hash::RandomState;
use std::io::Write;
use std::ops::Range;

use gamewire_core::bytes::part;
use gamewire_core::gap::blank_end;
use godot_variant::{Options, Value, frame};

use super::body::VariantBody;
use super::nested::Blob;
use super::settings::{ENGINE_DEPTH, GodotTarget};
use super::{Godot, content, made};
use crate::document::codec::{Codec, Edited, Verdict};
use crate::document::diff::Change;
use crate::document::edit::{self, Edit, Given, Input, boolean, text};
use crate::document::error::{Error, Hint};
use crate::document::explained::Explanation;
use crate::document::json::{
    self, Json, JsonText, Layout, Strings, Style, TextBody, leaf_end, valid, values,
};
use crate::document::limits::Limits;
use crate::document::merge::Merged;
use crate::document::node::{Found, Typed};
use crate::document::path::{New, Step};
use crate::document::ranges::{
    self, Body, Bytes, Key, Listed, NewChild, Patch, Piece, RangeNode, Values,
};
use crate::document::salvage::Salvaged;
use crate::document::settings::{Settings, Target};
use crate::document::words::count;
use crate::document::{self, AsOpened};

/// JSON with the options of one call.
pub(in crate::document) struct GodotJson {
    options: Options,
    max_depth: usize,
    pub(super) limits: Limits,
    /// The framing in which variants in base64 are written.
    pub(super) target: GodotTarget,
}

type Node<'a> = RangeNode<'a, GodotJson>;

/// Returns how a text is laid out that is JSON, or JSON in each line.
pub(super) fn style_of(bytes: &[u8], max_depth: usize) -> Result<Style, Error> {
    let start = valid::blank(bytes, 0)?;
    let end = valid::value_end(bytes, start, max_depth)?;
    let rest = valid::blank(bytes, end)?;
    if rest == bytes.len() {
        return Ok(Style::of_godot(bytes));
    }
    let mut at = start;
    let line_of = |at: usize| -> Result<usize, Error> {
        let end = valid::value_end(bytes, at, max_depth)?;
        let next = valid::blank(bytes, end)?;
        let is_line = |range| !part(bytes, range).contains(&b'\n');
        match is_line(at..end) && (next == bytes.len() || !is_line(end..next)) {
            true => Ok(next),
            false => Err(Error::new(format!("expected the end after the value at byte {next:#x}"))
                .at(Some(next))
                .in_text(bytes)),
        }
    };
    while at < bytes.len() {
        at = line_of(at)?;
    }
    Ok(Style::of_lines(bytes))
}

/// Whether a text is such JSON: not a number or word alone, which anything may be.
pub(super) fn is_json(bytes: &[u8]) -> bool {
    let start = blank_end(bytes, 0);
    matches!(bytes.get(start), Some(b'{' | b'[' | b'"')) && style_of(bytes, usize::MAX).is_ok()
}

/// The characters of a string. Escapes that no engine knows mean what stands after the backslash, as in 3.x, and
/// `\v` what 4.x writes so.
fn characters(token: &[u8]) -> String {
    let inner = token.get(1..token.len().saturating_sub(1)).unwrap_or_default();
    let inner = String::from_utf8_lossy(inner);
    let mut out = String::with_capacity(inner.len());
    let mut units: Vec<u16> = Vec::new();
    let mut rest = &*inner;
    while let Some(next) = rest.chars().next() {
        let after = rest.get(next.len_utf8()..).unwrap_or_default();
        let unit = after.strip_prefix('u').filter(|_| next == '\\').and_then(|text| text.get(..4));
        if let Some(unit) = unit.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
            units.push(unit);
            rest = after.get(5..).unwrap_or_default();
            continue;
        }
        out.extend(char::decode_utf16(units.drain(..)).map(|c| c.unwrap_or('\u{fffd}')));
        let mut after = after.chars();
        out.push(match next {
            '\\' => match after.next() {
                Some('b') => '\x08',
                Some('t') => '\t',
                Some('n') => '\n',
                Some('f') => '\x0c',
                Some('r') => '\r',
                Some('v') => '\x0b',
                other => other.unwrap_or('\\'),
            },
            other => other,
        });
        rest = after.as_str();
    }
    out.extend(char::decode_utf16(units).map(|c| c.unwrap_or('\u{fffd}')));
    out
}

/// A string as both engines read it.
fn quoted(text: &str) -> Vec<u8> {
    Json::from(text).to_string().into_bytes()
}

impl Strings for GodotJson {
    fn spelled<'t>(&self, token: &'t [u8]) -> Result<Cow<'t, [u8]>, Error> {
        if !token.iter().any(|byte| *byte == b'\\' || *byte < b' ') {
            return Ok(Cow::Borrowed(token));
        }
        let text = characters(token);
        // An escape without a character stays as it is spelled.
        let is_whole = !text.contains('\u{fffd}');
        Ok(if is_whole { Cow::Owned(quoted(&text)) } else { Cow::Borrowed(token) })
    }
}

impl JsonText for GodotJson {
    fn text(&self, token: &[u8]) -> Result<String, Error> {
        Ok(characters(token))
    }

    fn leaf(&self, token: &[u8]) -> Result<Json, Error> {
        if let Ok(own) = json::read_json(token) {
            return Ok(own);
        }
        let text = std::str::from_utf8(token).unwrap_or_default();
        let number: f64 = text.parse().map_err(|_| Error::new("expected a number"))?;
        // No JSON of others has it.
        Ok(if number.is_finite() { Json::from(number) } else { Json::from(number.to_string()) })
    }

    /// Numbers by value: the engine reads all as floats.
    fn is_like(own: &Node<'_>, other: &Node<'_>) -> bool {
        let [own, other] = [own.bytes(), other.bytes()]
            .map(|token| std::str::from_utf8(token).unwrap_or_default());
        match (own.parse::<i128>(), other.parse::<i128>()) {
            (Ok(own), Ok(other)) => own == other,
            _ => matches!((own.parse::<f64>(), other.parse::<f64>()), (Ok(a), Ok(b)) if a == b),
        }
    }
}

impl Values for GodotJson {
    fn step<'g>(node: &Node<'g>, at: usize, (child, _): &Listed<'g, Self>) -> Option<Step> {
        Some(match child.key {
            Key::Bytes(name) => Step::Key(node.grammar.text(name).ok()?),
            _ => Step::Index(at),
        })
    }

    fn full_kind(node: &Node<'_>) -> String {
        let name = match node.bytes().first() {
            _ if node.context().of_line().is_some() => "values",
            Some(b'n') => "null",
            Some(b't' | b'f') => "bool",
            Some(b'"') => "string",
            Some(b'[') => "array",
            Some(b'{') => "object",
            _ => "number",
        };
        name.to_owned()
    }

    fn is_flat(node: &Node<'_>) -> bool {
        node.open().is_none()
    }

    fn is_flat_equal(own: &Node<'_>, other: &Node<'_>) -> bool {
        values::is_flat_equal(own, other)
            || own.open().is_none() && other.open().is_none() && Self::is_like(own, other)
    }

    fn is_identical<'g>(own: &Node<'g>, other: &Node<'g>) -> bool {
        own.has_same_bytes(other) || values::is_flat_equal(own, other)
    }

    fn is_equal<'g>(own: &Node<'g>, other: &Node<'g>) -> bool {
        values::is_equal(own, other)
    }

    fn hash(node: &Node<'_>, hasher: &RandomState) -> Option<u64> {
        values::hash(node, hasher)
    }

    fn nested<'g>(found: &Found<Node<'g>>) -> Option<document::Node<'g>> {
        let is_string = found.node.open().is_none() && found.node.bytes().starts_with(b"\"");
        let blob = if is_string { Self::blob(&found.node)? } else { return None };
        let (path, way) = (found.path.clone(), found.way.clone());
        Some(<Godot as AsOpened>::node(Found { path, way, node: blob.root() }))
    }

    fn write(node: &Node<'_>, out: &mut dyn fmt::Write) -> fmt::Result {
        match node.context().of_line() {
            Some(_) => write!(out, "{} values", node.list().count()),
            None => values::write(node, out),
        }
    }

    fn json(node: &Node<'_>) -> Result<Json, Error> {
        match node.context().of_line() {
            Some(_) => node.list().map(|(_, own)| values::json(&own)).collect(),
            None => values::json(node),
        }
    }

    fn typed<'g>(node: &Node<'g>) -> Result<Option<Typed<'g>>, Error> {
        let value = made::plain_value(&Self::json(node)?);
        let value = value.filter(|_| node.context().of_line().is_none());
        Ok(value.map(|value| Typed::Godot(Cow::Owned(value))))
    }

    fn parse_value<'g>(
        node: &Node<'g>,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<Piece<'g, Self>, Error> {
        if node.context().of_line().is_some() {
            return Err(Error::new("only what is in the file can be set"));
        }
        let own = Self::full_kind(node);
        let bytes = match given(new)? {
            Given::Text(new) => made_as(kind.unwrap_or(&own), new)?,
            // Null may become anything.
            Given::Value(new) if kind.is_none() && own == "null" => new.to_string().into_bytes(),
            Given::Value(new) => fitted(kind.unwrap_or(&own), &new)?,
        };
        // A number that was written with a point has one.
        let old = node.bytes();
        let is_whole =
            |token: &[u8]| token.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
        let is_number = own == "number" && kind.unwrap_or("number") == "number";
        // A whole number that a float would round stays as it is.
        let is_exact = bytes.len() < 16;
        let bytes = match is_number && !is_whole(old) && is_whole(&bytes) && is_exact {
            true => [&bytes, &b".0"[..]].concat(),
            false => bytes,
        };
        let piece = Piece::new(bytes, node.context());
        // The same number keeps its spelling.
        let is_same =
            matches!(&piece, Piece::Bytes { bytes, .. } if is_number && is_same_number(old, bytes));
        Ok(if is_same { Piece::Of(*node) } else { piece })
    }

    fn new_child<'g>(
        node: &Node<'g>,
        step: &New,
        new: Input<'_>,
        kind: Option<&str>,
    ) -> Result<NewChild<'g, Self>, Error> {
        let bytes = match (kind, given(new)?) {
            (Some(kind), Given::Text(new)) => made_as(kind, new)?,
            (Some(kind), Given::Value(new)) => fitted(kind, &new)?,
            (None, Given::Value(new)) => new.to_string().into_bytes(),
            (None, Given::Text(new)) => match edit::json(new) {
                Some(_) => new.trim().as_bytes().to_vec(),
                None => quoted(&text(new)?),
            },
        };
        let value = Piece::new(bytes, node.context().of_line().unwrap_or(node.context()));
        NewChild::of_json(node, step, || Ok(value), |name| Ok(quoted(name)))
    }
}

fn is_same_number(own: &[u8], other: &[u8]) -> bool {
    let number = |token| std::str::from_utf8(token).ok()?.parse::<f64>().ok();
    own == other || own.len() < 16 && other.len() < 16 && number(own) == number(other)
}

fn given(new: Input<'_>) -> Result<Given<'_, Json>, Error> {
    Ok(match new {
        Input::Text(text) => Given::Text(text),
        Input::Notation(json) => Given::Value(json.clone()),
        Input::Typed(Typed::Godot(value)) => Given::Value(made::plain_json(value, ENGINE_DEPTH)?),
        Input::Typed(_) => return Err(edit::other_format("Godot")),
    })
}

/// The text of a value that is of this kind.
fn fitted(kind: &str, new: &Json) -> Result<Vec<u8>, Error> {
    match number_or(edit::kind_of(new)) {
        found if found == kind => Ok(new.to_string().into_bytes()),
        found => Err(edit::other_kind(kind, found)),
    }
}

fn number_or(kind: &str) -> &str {
    if matches!(kind, "integer" | "double") { "number" } else { kind }
}

/// The text of a value of a kind.
fn made_as(kind: &str, new: &str) -> Result<Vec<u8>, Error> {
    let found = || match edit::json(new) {
        Some(json) => number_or(edit::kind_of(&json)),
        None => "text",
    };
    let trimmed = new.trim();
    match kind {
        "bool" => return Ok(boolean(new)?.to_string().into_bytes()),
        "string" => return Ok(quoted(&text(new)?)),
        "number" => match trimmed.to_ascii_lowercase().as_str() {
            // As the engine writes it.
            "inf" => return Ok(b"1e99999".to_vec()),
            "-inf" => return Ok(b"-1e99999".to_vec()),
            _ if valid::value_end(trimmed.as_bytes(), 0, 0).ok() == Some(trimmed.len())
                && trimmed.starts_with(|c: char| c == '-' || c.is_ascii_digit()) =>
            {
                return Ok(trimmed.as_bytes().to_vec());
            }
            _ => {}
        },
        kind if kind == found() => return Ok(trimmed.as_bytes().to_vec()),
        "null" | "array" | "object" => {}
        other => {
            return Err(Error::new(format!(
                "there is no kind {other} in JSON: null, bool, number, string, array, object"
            )));
        }
    }
    match found() {
        "text" => {
            let why = format!("expected {kind}, found {new}");
            Err(Error::new(why).with_hint(Hint::KindOf("string".to_owned())))
        }
        found => Err(edit::other_kind(kind, found)),
    }
}

impl GodotJson {
    /// The values that the text says, in the framing of several.
    fn frames(&self, content: &TextBody) -> Result<Vec<u8>, Error> {
        let root = self.root(content);
        let own = |node: &Node<'_>| {
            let json = values::json(node)?;
            made::plain_value(&json).ok_or_else(|| Error::new("a number does not fit"))
        };
        let all: Vec<Value> = match content.style.of_line() {
            Some(_) => root.list().map(|(_, node)| own(&node)).collect::<Result<_, _>>()?,
            None => return Ok(self.options.value_to_vec(&own(&root)?)?),
        };
        let frames = frame::Framing::new().options(self.options.clone());
        let mut bytes = Vec::new();
        for value in &all {
            content::append(&mut bytes, frames.value_to_vec(value)?);
        }
        Ok(bytes)
    }
}

impl Codec for GodotJson {
    type Syntax = Self;

    const IS_JSON: bool = true;

    type Content = TextBody;

    fn new(settings: &Settings, target: &Target) -> Self {
        let limits = settings.limits;
        GodotJson {
            options: settings.godot.options(limits),
            max_depth: limits.max_depth.unwrap_or(ENGINE_DEPTH),
            limits,
            target: GodotTarget { dialect: target.godot.dialect, ..GodotTarget::default() },
        }
    }

    fn describe(&self, bytes: &[u8]) -> String {
        let Ok(content) = self.read(&bytes.into()) else { return "JSON, not whole".to_owned() };
        let root = self.root(&content);
        let len = root.list().count();
        match (content.style.of_line(), root.open().map(|open| open.is_list)) {
            (Some(_), _) => format!("JSON lines, {}", count(len, "value")),
            (None, Some(true)) => format!("JSON, an array of {}", count(len, "element")),
            (None, Some(false)) => format!("JSON, an object of {}", count(len, "member")),
            (None, None) => "JSON, a single value".to_owned(),
        }
    }

    fn read(&self, bytes: &Bytes) -> Result<TextBody, Error> {
        if let Some(most) = self.limits.max_memory.filter(|most| bytes.len() > *most) {
            let text = format!("{} bytes are more than max_memory, which is {most}", bytes.len());
            return Err(Error::new(text).with_hint(Hint::Memory));
        }
        let style = style_of(bytes, self.max_depth)?;
        let body = TextBody::scan(self, bytes.clone(), &style)?;
        Ok(TextBody { body, style })
    }

    fn encode(&self, json: &[u8]) -> Result<Vec<u8>, Error> {
        Ok(json.to_vec())
    }

    /// The values that stand for the text.
    fn explain(&self, bytes: &[u8]) -> Result<Explanation, Error> {
        let content = self.read(&bytes.into())?;
        let bytes = self.frames(&content)?;
        Ok(Explanation::of(match content.style.of_line() {
            Some(_) => {
                let frames = frame::Framing::new().options(self.options.clone());
                godot_variant::explain::File::frames(&frames).explain(&bytes)
            }
            None => self.options.explain(&bytes),
        }))
    }

    /// The text is kept as it is.
    fn check(&self, bytes: &[u8]) -> Result<Verdict, Error> {
        self.read(&bytes.into()).map(|_| Verdict::Identical)
    }

    /// The text stays; variants in it go to another dialect.
    fn convert(&self, bytes: &[u8]) -> Result<Vec<u8>, Error> {
        let content = self.read(&bytes.into())?;
        let (mut out, mut copied) = (Vec::with_capacity(bytes.len()), 0);
        if self.target.dialect.is_some() {
            for (_, blob) in self.all_nested(&content) {
                let made = blob.codec.convert(&blob.body.body.bytes)?;
                out.extend_from_slice(part(bytes, copied..blob.at));
                out.extend(quoted(&content::to_base64(&made)));
                copied = leaf_end(bytes, blob.at)?;
            }
        }
        out.extend_from_slice(part(bytes, copied..));
        Ok(out)
    }

    fn nested<'c>(&'c self, content: &'c TextBody, path: &str) -> Vec<document::Node<'c>> {
        self.found_nested(content, path)
    }

    fn caution(&self, content: &TextBody) -> Option<String> {
        const SUMS: [&str; 9] =
            ["checksum", "check_sum", "hash", "crc", "crc32", "md5", "sha256", "signature", "hmac"];
        let root = Found::root(self.root(content));
        // Elements of a list have no name.
        fn named<'c>(own: &Found<Node<'c>>) -> Vec<Found<Node<'c>>> {
            if own.node.open().is_some_and(|open| !open.is_list) { own.parts() } else { Vec::new() }
        }
        let near = named(&root).into_iter().flat_map(|own| [named(&own), vec![own]].concat());
        let sum = near.into_iter().find(|own| {
            let name = own.path.last().map(|step| step.name().to_ascii_lowercase());
            name.is_some_and(|name| SUMS.contains(&&*name)) && own.node.open().is_none()
        });
        let path = sum?.shown();
        Some(format!("{path} may be a checksum of the game's own, which stays as it is"))
    }

    fn edit(
        &self,
        file: &[u8],
        content: &TextBody,
        edits: &[Edit<'_>],
    ) -> Result<Option<Edited<TextBody>>, Error> {
        let mut inner: Vec<(&Blob, String, VariantBody, String)> = Vec::new();
        let mut kept = Vec::new();
        let style = content.style.of_line().unwrap_or(&content.style);
        let found = match self.blobs(&content.body.bytes, style).is_empty() {
            true => Vec::new(),
            false => edit::find(self, content, &edits.iter().map(Edit::path).collect::<Vec<_>>()),
        };
        for (at, edit) in edits.iter().enumerate() {
            let is_missing = found.get(at).is_some_and(Vec::is_empty);
            let blob = if is_missing { self.leads_into(content, edit.path()) } else { None };
            let Some((blob, outer, rest)) = blob else {
                kept.push(*edit);
                continue;
            };
            let (outer, rest) = (outer.shown(), rest.strip_prefix('.').unwrap_or(rest));
            let known = inner.iter().position(|(own, ..)| own.at == blob.at);
            let body = known.and_then(|at| inner.get(at)).map_or(&blob.body, |(.., body, _)| body);
            let made = blob.codec.edit(&[], body, &[edit.at(rest)]);
            let made = made.map_err(|error| Error::new(format!("in {outer}: {error}")))?;
            let Some((body, bytes)) = made else { continue };
            let text = content::to_base64(&bytes);
            match known.and_then(|at| inner.get_mut(at)) {
                Some(own) => (own.2, own.3) = (body, text),
                None => inner.push((blob, outer, body, text)),
            }
        }
        let texts = inner.iter().map(|(_, path, _, value)| Edit::Set {
            path,
            value: value.into(),
            kind: Some("string"),
        });
        kept.extend(texts);
        ranges::edit(self, file, content, &kept)
    }

    fn write_json(
        &self,
        content: &TextBody,
        out: &mut dyn Write,
        layout: Layout,
        _wrap: bool,
    ) -> Result<(), Error> {
        let value = Self::json(&self.root(content))?;
        Ok(json::write(out, &value, layout)?)
    }

    fn root<'c>(&'c self, content: &'c TextBody) -> Node<'c> {
        RangeNode::root(self, &content.body, &content.style)
    }

    fn rescanned(&self, _: &TextBody, bytes: Vec<u8>) -> Result<TextBody, Error> {
        self.read(&bytes.into())
    }

    fn own_body<'c>(
        &self,
        content: &'c mut TextBody,
        bytes: &[u8],
        patch: Option<&Patch>,
    ) -> Option<&'c mut Body> {
        let is_new = |own: &Range<usize>| self.blobs_in(bytes, own.clone()).next().is_some();
        let stays = |patch: &Patch| !patch.made.iter().any(is_new);
        if !content.style.blobs.are_none() || !patch.is_some_and(stays) {
            content.style.blobs = Default::default();
        }
        let is_valid = |patch: &Patch| {
            let mut made = patch.made.iter();
            patch.depth < self.max_depth
                && made.all(|own| {
                    valid::value_end(bytes, own.start, self.max_depth)
                        .is_ok_and(|end| end == own.end)
                })
        };
        let is_free = content.style.of_line().is_none()
            && self.limits.max_memory.is_none_or(|most| bytes.len() <= most)
            && patch.is_none_or(is_valid);
        is_free.then_some(&mut content.body)
    }

    fn compare(&self, old: &TextBody, new: &TextBody, most: usize) -> Result<Vec<Change>, Error> {
        Ok(self.compared(old, new, most))
    }

    fn alike(&self, contents: &[&TextBody]) -> Result<Vec<TextBody>, Error> {
        self.merged_nested(contents)
    }

    fn merged<'c>(
        &'c self,
        file: &[u8],
        ours: &'c TextBody,
        merged: Merged<Node<'c>>,
    ) -> Result<Option<Edited<TextBody>>, Error> {
        let made = ranges::apply(self, file, ours, merged)?;
        let own = &ours.body.bytes;
        Ok(made.or_else(|| (**own != *file).then(|| (ours.clone(), own.clone()))))
    }

    fn salvage(&self, bytes: &[u8]) -> Result<Salvaged, Error> {
        json::salvage(bytes, |text| {
            style_of(text, self.max_depth).map(drop).map_err(|why| (None, why))
        })
    }
}
