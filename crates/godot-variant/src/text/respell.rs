//! A value in place of another one, with the spelling of what is the same in both.

use std::collections::BTreeMap;
use std::ops::Range;

use gamewire_core::bytes::text_part;

use super::read::{ValuePlace, read_places};
use super::write;
use crate::error::Result;
use crate::value::Inside;
use crate::{Options, Value};

/// Writes a value in place of the one that a text has: what is the same in both keeps its spelling, down to
/// single elements and entries; order and separators are kept with them.
///
/// ```
/// use godot_variant::{Options, text};
///
/// let old = "{\"b\": [1.50,2], \"a\": Vector2( 1, 2 )}";
/// let new = text::value_from_str("{\"a\": Vector2(1, 2), \"b\": [1.5, 3], \"c\": null}", &Options::new())?;
/// assert_eq!(
///     text::respelled(old, &new, &Options::new())?,
///     "{\"b\": [1.50,3], \"a\": Vector2( 1, 2 ), \"c\": null}"
/// );
/// # Ok::<(), godot_variant::Error>(())
/// ```
///
/// # Errors
/// A text that is no value; a value that text cannot say.
pub fn respelled(old: &str, new: &Value, options: &Options) -> Result<String> {
    let (value, places) = read_places(old, options)?;
    let mut speller = Speller { old, options, places, out: String::new() };
    let mut steps = vec![SpellStep::Value { old: &value, place: 0, new }];
    while let Some(step) = steps.pop() {
        match step {
            SpellStep::Old(span) => speller.copy(span),
            SpellStep::Text(text) => speller.out.push_str(&text),
            SpellStep::Value { old, place, new } => speller.value(old, place, new, &mut steps)?,
        }
        options.check_output(speller.out.len())?;
    }
    Ok(speller.out)
}

/// The text that is to be written next.
enum SpellStep<'a> {
    /// A part of the old text.
    Old(Range<usize>),
    /// New text.
    Text(String),
    /// A value in place of an old one.
    Value { old: &'a Value, place: usize, new: &'a Value },
}

struct Speller<'t> {
    old: &'t str,
    options: &'t Options,
    places: Vec<ValuePlace>,
    out: String,
}

/// An element or entry of the old value.
struct OldChild {
    /// The index of the value in its container, and of its place.
    at: usize,
    place: usize,
    span: Range<usize>,
}

impl Speller<'_> {
    fn copy(&mut self, span: Range<usize>) {
        self.out.push_str(text_part(self.old, span));
    }

    fn span(&self, place: usize) -> Range<usize> {
        debug_assert!(place < self.places.len(), "a value without a place");
        self.places.get(place).map_or(0..0, |own| own.span.clone())
    }

    fn value<'v>(
        &mut self,
        old: &'v Value,
        place: usize,
        new: &'v Value,
        steps: &mut Vec<SpellStep<'v>>,
    ) -> Result<()> {
        if old == new {
            self.copy(self.span(place));
            return Ok(());
        }
        let children = Inside::of(old).zip(Inside::of(new)).filter(|_| is_alike(old, new));
        let Some((inside, wanted)) = children else {
            self.out.push_str(&write::write(new, self.options)?);
            return Ok(());
        };
        let olds = self.children(inside, place);
        let (Some(first), Some(last)) = (olds.first(), olds.last()) else {
            self.out.push_str(&write::write(new, self.options)?);
            return Ok(());
        };
        let own = self.span(place);
        let separator = match olds.get(1) {
            Some(second) => first.span.end..second.span.start,
            None => 0..0,
        };
        let separator = match self.old.get(separator).filter(|text| !text.is_empty()) {
            Some(text) => text.to_owned(),
            None if matches!(wanted, Inside::Entries(_)) => ",\n".to_owned(),
            None => ", ".to_owned(),
        };
        let mut all = vec![SpellStep::Old(own.start..first.span.start)];
        let mut done: Option<usize> = None;
        for (kept, index) in self.order(old, inside, wanted, olds.len()) {
            match (done, kept) {
                (None, _) => {}
                // They stood side by side.
                (Some(before), Some(at)) if before.checked_add(1) == Some(at) => {
                    let span = olds.get(before).zip(olds.get(at));
                    let span = span.map_or(0..0, |(a, b)| a.span.end..b.span.start);
                    all.push(SpellStep::Old(span));
                }
                _ => all.push(SpellStep::Text(separator.clone())),
            }
            done = Some(kept.unwrap_or(usize::MAX));
            let new = wanted.get(index).unwrap_or(new);
            let kept = kept
                .and_then(|at| olds.get(at))
                .and_then(|child| inside.get(child.at).map(|value| (child, value)));
            match kept {
                Some((child, value)) => {
                    let begin = self.span(child.place).start;
                    all.push(SpellStep::Old(child.span.start..begin));
                    all.push(SpellStep::Value { old: value, place: child.place, new });
                }
                None => {
                    let mut text = String::new();
                    if let Some(key) = wanted.key(index) {
                        text.push_str(&write::write(key, self.options)?);
                        text.push_str(": ");
                    } else if let Some(name) = wanted.name(index) {
                        crate::types::quoted(&mut text, "\"", name, crate::types::escaped_in_lines);
                        text.push(':');
                    }
                    text.push_str(&write::write(new, self.options)?);
                    all.push(SpellStep::Text(text));
                }
            }
        }
        all.push(SpellStep::Old(last.span.end..own.end));
        if done.is_none() {
            self.out.push_str(&write::write(new, self.options)?);
            return Ok(());
        }
        all.reverse();
        steps.extend(all);
        Ok(())
    }

    /// The elements, entries or properties of an old container; of keys that stand twice nothing is said, as
    /// the value has fewer then.
    fn children(&self, inside: Inside<'_>, place: usize) -> Vec<OldChild> {
        let end = self.places.get(place).map_or(0, |own| own.next);
        let (mut next, mut at, mut children) = (place.saturating_add(1), 0_usize, Vec::new());
        let step = if matches!(inside, Inside::Entries(_)) { 2 } else { 1 };
        while next < end {
            let start = next;
            let mut last = next;
            for _ in 0..step {
                last = next;
                next =
                    self.places.get(next).map_or(end, |own| own.next.max(next.saturating_add(1)));
            }
            let mut span = self.span(start).start..self.span(last).end;
            if matches!(inside, Inside::Properties(_)) {
                // The name stands before the colon.
                let before = self.old.get(..span.start).unwrap_or_default();
                let first = self.span(place).start;
                let end = children.last().map_or(first, |child: &OldChild| child.span.end);
                let begin = before.get(end..).and_then(|text| text.find('"'));
                span.start = begin.map_or(span.start, |at| at.saturating_add(end));
            }
            let own = at.saturating_add(step).saturating_sub(1);
            children.push(OldChild { at: own, place: last, span });
            at = at.saturating_add(step);
        }
        if at == inside.len() { children } else { Vec::new() }
    }

    /// In which order children stand: an old one, or none, and the index of its new value.
    fn order(
        &self,
        old: &Value,
        inside: Inside<'_>,
        wanted: Inside<'_>,
        len: usize,
    ) -> Vec<(Option<usize>, usize)> {
        let count = wanted.len();
        if let (Inside::Items(old), Inside::Items(new)) = (inside, wanted) {
            // From the front and from behind, then those between, one for one.
            let least = old.len().min(new.len());
            let front = old.iter().zip(new).take_while(|(a, b)| a == b).count();
            let back = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
            let back = back.min(least.saturating_sub(front));
            let middle = len.saturating_sub(back);
            return (0..count)
                .map(|at| {
                    let behind = count.saturating_sub(at) <= back;
                    let own =
                        if behind { at.saturating_add(len).checked_sub(count) } else { Some(at) };
                    (own.filter(|own| behind || *own < middle), at)
                })
                .collect();
        }
        let mut left: Vec<Option<usize>> = Vec::new();
        let step = if matches!(wanted, Inside::Entries(_)) { 2 } else { 1 };
        let names: BTreeMap<&str, usize> =
            (0..len).filter_map(|own| Some((inside.name(own)?, own))).collect();
        let mut found = vec![None; len];
        for at in (step..=count).step_by(step).map(|at| at.saturating_sub(1)) {
            let own = match (wanted.name(at), wanted.key(at)) {
                (Some(name), _) => names.get(name).copied(),
                (None, Some(key)) => {
                    let own = old.as_dictionary().and_then(|entries| entries.position(key));
                    own.filter(|own| inside.key(own.saturating_mul(2)) == Some(key))
                }
                _ => None,
            };
            match own.and_then(|own| found.get_mut(own)) {
                Some(place) => *place = Some(at),
                None => left.push(Some(at)),
            }
        }
        let kept = found.into_iter().enumerate().map(|(own, at)| (Some(own), at));
        let new = left.into_iter().map(|at| (None, at));
        kept.chain(new).filter_map(|(own, at)| Some((own, at?))).collect()
    }
}

/// Whether the text before and after the children of two containers is the same.
fn is_alike(old: &Value, new: &Value) -> bool {
    match (old, new) {
        (Value::TypedArray(old), Value::TypedArray(new)) => old.element == new.element,
        (Value::TypedDictionary(old), Value::TypedDictionary(new)) => {
            (&old.key, &old.value) == (&new.key, &new.value)
        }
        (Value::Array(_), Value::Array(_)) | (Value::Dictionary(_), Value::Dictionary(_)) => true,
        (Value::Object(old), Value::Object(new)) => {
            old.as_instance().map(|own| &own.class) == new.as_instance().map(|own| &own.class)
        }
        _ => false,
    }
}
