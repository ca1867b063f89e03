//! Damaged files, as far as they can be read.
//!
//! The missing part of a value is filled up with variants of four bytes. The crate reads that, and what
//! was filled up goes again.

use std::collections::HashMap;

use gamewire_core::explain::{Role, Span};
use godot_variant::project::ProjectSettings;
use godot_variant::value::Object;
use godot_variant::{Options, Value};

use super::content::{Body, Content, Reading, frames};
use super::settings::Framing;
use crate::document::error::Error;
use crate::document::path::{self, Step};
use crate::document::salvage::{Salvaged, ends};
use crate::document::words::count;

/// The most bytes that are filled up for one value.
const MAX_FILL: usize = 1 << 24;

/// The most settings that are looked for in a file that is broken.
const MAX_SETTINGS: usize = 4096;

pub(super) fn salvage(
    bytes: &[u8],
    framing: Framing,
    reading: &Reading,
) -> Result<Salvaged, Error> {
    let options = &reading.options;
    let mut lost = Vec::new();
    let (body, kept) = match framing {
        Framing::Project => {
            let (settings, kept) = settings(bytes, options, &mut lost)?;
            (Body::Settings(settings), kept)
        }
        Framing::StoreVar | Framing::StoreVarBe => stream(bytes, framing, options, &mut lost)?,
        // All of a mixed file is something. Text is whole or it is not.
        Framing::Mixed | Framing::Json | Framing::Text | Framing::Config => {
            let reading = Reading { framing: Some(framing), ..reading.clone() };
            let made = Content::plain(bytes, &reading)?.to_plain(options, reading.levels)?;
            return Ok(Salvaged { bytes: made, kept: bytes.len(), lost });
        }
        Framing::Base64 => {
            let bytes = super::content::from_base64(bytes)?;
            let (value, kept) = one(&bytes, options, &mut Vec::new(), &mut lost)?;
            (Body::Values(vec![value]), kept)
        }
        Framing::Bare => {
            let (value, kept) = one(bytes, options, &mut Vec::new(), &mut lost)?;
            (Body::Values(vec![value]), kept)
        }
    };
    let content = Content {
        framing,
        wrapping: None,
        dialect: reading.dialect.unwrap_or_default(),
        body,
        between: Vec::new(),
        has_rest: false,
        config: None,
    };
    Ok(Salvaged { bytes: content.to_plain(options, reading.levels)?, kept, lost })
}

/// Frames: those that are whole, and what there is of those that are not.
fn stream(
    bytes: &[u8],
    framing: Framing,
    options: &Options,
    lost: &mut Vec<String>,
) -> Result<(Body, usize), Error> {
    let frames = frames(framing).unwrap_or_default().options(options.clone());
    let (mut values, mut kept, mut rest) = (Vec::new(), 0, bytes);
    while !rest.is_empty() {
        let number = values.len();
        let (body, after) = match frames.split(rest) {
            Ok((body, after)) => (body, after),
            // Cut off in the frame, or its length is wrong.
            Err(_) => (rest.get(4..).unwrap_or_default(), &[][..]),
        };
        let mut path = if number > 0 { vec![Step::Index(number)] } else { Vec::new() };
        match one(body, options, &mut path, lost) {
            Ok((value, own)) => {
                values.push(value);
                kept += own + 4;
            }
            Err(fault) if values.is_empty() && after.is_empty() => return Err(fault),
            Err(fault) => lost.push(format!("value {number}: {}", fault.message)),
        }
        rest = after;
    }
    Ok((Body::Values(values), kept))
}

/// A variant that may end too early.
fn one(
    bytes: &[u8],
    options: &Options,
    path: &mut Vec<Step>,
    lost: &mut Vec<String>,
) -> Result<(Value, usize), Error> {
    let why = match options.value_from_slice(bytes) {
        Ok(value) => return Ok((value, bytes.len())),
        Err(error) => error,
    };
    let (filling, word) = filling(options);
    // Containers claim more than there is; how much is known only once it is read.
    let explained = options.explain(bytes);
    for (end, is_value) in value_ends(explained.spans()) {
        let mut filled = bytes.get(..end).unwrap_or_default().to_vec();
        let missing = MAX_FILL.min(bytes.len() * 64 + 4096) / 4;
        filled.extend(std::iter::repeat_n(word, missing).flatten());
        let Ok((mut value, rest)) = options.take_part_from_slice(&filled, &mut ()) else {
            continue;
        };
        let left = (filled.len() - rest.len()).saturating_sub(end) / 4;
        if value == filling {
            break;
        }
        let mut gone = vec![format!("from byte {end:#x} on: {why}")];
        let claims = claims(explained.spans(), path);
        let mut pruning =
            Pruning { filling: &filling, left, claims: &claims, path: &mut *path, lost: &mut gone };
        pruning.prune(&mut value);
        // Else a part of a value was filled up with zeros.
        if is_value || pruning.left == 0 {
            lost.append(&mut gone);
            return Ok((value, end));
        }
    }
    Err(why.into())
}

/// A value of four bytes that is no key of a real dictionary: the null Callable, or an RID of Godot 3.
fn filling(options: &Options) -> (Value, [u8; 4]) {
    let read = |word: [u8; 4]| Some((options.value_from_slice(&word).ok()?, word));
    let words = [[25, 0, 0, 0], [16, 0, 0, 0]];
    words.into_iter().find_map(read).unwrap_or((Value::Nil, [0; 4]))
}

/// Where what is read could end: where the error is, if no value begins before it and has no end, and
/// where each value begins, the last one first.
fn value_ends(spans: &[Span]) -> Vec<(usize, bool)> {
    let error = ends(spans, &[Role::Error]).into_iter().map(|end| (end, false));
    error.chain(ends(spans, &[Role::Header]).into_iter().map(|end| (end, true))).collect()
}

/// The number of elements that containers claim, by their paths.
fn claims(spans: &[Span], path: &[Step]) -> HashMap<String, usize> {
    let around = path::text(path).unwrap_or_default();
    let counts = spans.iter().filter(|span| span.role() == Role::Count);
    let claim = |span: &Span| {
        let own = span.path().to_string();
        let joint =
            if own.is_empty() || own.starts_with('[') || around.is_empty() { "" } else { "." };
        Some((format!("{around}{joint}{own}"), span.value().parse().ok()?))
    };
    counts.filter_map(claim).collect()
}

/// Takes values away again that were filled up.
struct Pruning<'a> {
    filling: &'a Value,
    /// How many there are, the last ones.
    left: usize,
    claims: &'a HashMap<String, usize>,
    path: &'a mut Vec<Step>,
    lost: &'a mut Vec<String>,
}

impl Pruning<'_> {
    fn inside(&mut self, step: Step, value: &mut Value) {
        self.path.push(step);
        self.prune(value);
        self.path.pop();
    }

    fn prune(&mut self, value: &mut Value) {
        let place = path::text(self.path);
        let claim = self.claims.get(place.as_deref().unwrap_or_default()).copied();
        let kept = if let Some(items) = value.as_array_mut() {
            while items.last() == Some(self.filling) && self.left > 0 {
                items.pop();
                self.left -= 1;
            }
            let at = items.len().saturating_sub(1);
            if let (Some(last), 1..) = (items.last_mut(), self.left) {
                self.inside(Step::Index(at), last);
            }
            items.len()
        } else if let Some(entries) = value.as_dictionary_mut() {
            let mut all = std::mem::take(entries).into_vec();
            while let Some((key, _)) =
                all.last().filter(|(_, last)| last == self.filling && self.left > 0)
            {
                // Keys that were filled up are one key.
                let merged = claim.map_or(1, |claim| claim.saturating_sub(all.len()) + 1);
                let filled = if key == self.filling { 2 * merged } else { 1 };
                self.left = self.left.saturating_sub(filled);
                all.pop();
            }
            if let (Some((key, last)), 1..) = (all.last_mut(), self.left) {
                self.inside(super::node::step(key), last);
            }
            let kept = all.len();
            *entries = all.into_iter().collect();
            kept
        } else if let Value::Object(Object::Instance(instance)) = value {
            let own = &mut instance.properties;
            while own.last().is_some_and(|(_, last)| last == self.filling) && self.left > 0 {
                own.pop();
                self.left -= 1;
            }
            if let (Some((name, last)), 1..) = (own.last_mut(), self.left) {
                self.inside(Step::Key(name.to_string()), last);
            }
            own.len()
        } else {
            return;
        };
        if let Some(gone) = claim.and_then(|claim| claim.checked_sub(kept)).filter(|gone| *gone > 0)
        {
            let place = place.unwrap_or_else(|| "(root)".to_owned());
            self.lost.push(format!("{place}: {gone} of {}", count(kept + gone, "element")));
        }
    }
}

/// The settings that are whole.
fn settings(
    bytes: &[u8],
    options: &Options,
    lost: &mut Vec<String>,
) -> Result<(ProjectSettings, usize), Error> {
    let why = match ProjectSettings::from_slice_with(bytes, options) {
        Ok(settings) => return Ok((settings, bytes.len())),
        Err(error) => error,
    };
    let claimed =
        bytes.get(4..).and_then(<[u8]>::first_chunk).map_or(0, |n| u32::from_le_bytes(*n));
    let explained = ProjectSettings::explain_with(bytes, options);
    let claimed = usize::try_from(claimed).unwrap_or(usize::MAX);
    // A setting ends where the length of the next name begins.
    for end in ends(explained.spans(), &[Role::Error, Role::Length]) {
        let mut cut = bytes.get(..end).unwrap_or_default().to_vec();
        for number in (0..=claimed.min(MAX_SETTINGS)).rev() {
            if let (Some(place), Ok(number)) = (cut.get_mut(4..8), u32::try_from(number)) {
                place.copy_from_slice(&number.to_le_bytes());
            }
            if let Ok(settings) = ProjectSettings::from_slice_with(&cut, options) {
                lost.push(format!("from byte {end:#x} on: {why}"));
                lost.push(format!("{} of {}", claimed - number, count(claimed, "setting")));
                return Ok((settings, end));
            }
        }
    }
    Err(why.into())
}
