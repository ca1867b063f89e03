//! Archives of kiwi-pclass, and deltas of its objects.

use std::collections::BTreeMap;

use kiwi_pclass::archive::{self, Archive, Builder, Problem};
use kiwi_pclass::{Mode, Options, Value};

use crate::explain::whole;

fn limited() -> Options {
    Options::new().max_output(1 << 20)
}

/// The same with the checksums that its data has.
fn mended(data: &[u8]) -> Option<Vec<u8>> {
    let read = Archive::from_slice_with(data, &limited()).ok()?;
    let word = |at: usize| Some(u32::from_le_bytes(*data.get(at..)?.first_chunk()?));
    let mut at = if read.flags().is_some() { 14 } else { 13 };
    let mut bytes = data.to_vec();
    for entry in read.entries() {
        if let Ok(stored) = entry.stored() {
            let crc = archive::crc(&stored).to_le_bytes();
            bytes.get_mut(at + 13..at + 17)?.copy_from_slice(&crc);
        }
        at += 21 + word(at + 17)? as usize;
    }
    Some(bytes)
}

/// An archive's facts of each entry.
fn told(archive: &Archive<'_>) -> Vec<String> {
    let shown = |entry: archive::Entry<'_, '_>| {
        let content = entry.read().map_err(|error| error.to_string());
        format!("{entry:?} {} {content:?}", entry.is_unpatched())
    };
    archive.entries().map(shown).collect()
}

/// Archives of any bytes, and those made of them.
pub(crate) fn kiwi_archive(data: &[u8]) {
    look(data);
    if let Some(bytes) = mended(data) {
        look(&bytes);
        change(&bytes);
    }
    build(data);
}

/// Looks at all that is there.
fn look(data: &[u8]) {
    let explained = archive::explain(data, &limited());
    whole(&explained);
    let file = Archive::from_file(std::io::Cursor::new(data.to_vec()), &limited());
    let archive = match Archive::from_slice_with(data, &limited()) {
        Ok(archive) => archive,
        Err(error) => {
            assert_eq!(file.map_err(|own| own.to_string()).err(), Some(error.to_string()));
            return assert!(explained.error().is_some());
        }
    };
    assert_eq!(file.ok().as_ref().map(told), Some(told(&archive)));
    let problems = archive.verify();
    if explained.error().is_none() {
        assert!(!problems.iter().any(|own| matches!(own, Problem::Overlap { .. })));
        // Data that the game has not fetched yet is no error.
        let fetched = archive.entries().filter(|entry| !entry.is_unpatched());
        let bad: Vec<_> = fetched.filter_map(|entry| entry.read().err()).collect();
        assert!(bad.is_empty(), "explained without an error: {bad:?}");
    }
    // Entries inside of others are not read.
    if problems.is_empty() {
        assert!(archive.entries().all(|entry| entry.read().is_ok()));
        assert!(archive.file_names().is_sorted());
    }
    for (index, entry) in archive.entries().enumerate() {
        assert_eq!(entry.index(), index);
        let named = archive.by_name(entry.name()).expect("its own name");
        assert_eq!(named.name(), entry.name());
        assert!(named.index() <= index);
        if let Ok(content) = entry.read() {
            assert_eq!(content.len(), entry.size() as usize);
        }
    }
    // There is a shortcut for what was not changed.
    assert_eq!(archive.to_builder().to_vec().expect("the same bytes"), data);
}

/// Unchanged entries stay: content and facts.
fn change(data: &[u8]) {
    let archive = Archive::from_slice_with(data, &limited()).expect("it was read before");
    let mut builder = archive.to_builder();
    let new = if archive.len().is_multiple_of(2) { "0 new.txt" } else { "zz/new.ogg" };
    builder.insert(new, b"what is new").expect("a good name");
    let middle = archive.file_names().nth(archive.len() / 2);
    let gone = middle.filter(|name| *name != new && archive.len() > 1);
    assert_eq!(gone.is_some(), gone.is_some_and(|name| builder.remove(name)));
    // Not everything: data that is missing.
    let Ok(bytes) = builder.to_vec() else {
        return assert!(archive.entries().any(|entry| entry.stored().is_err()));
    };
    let again = Archive::from_slice_with(&bytes, &limited()).expect("what was written can be read");
    let added = again.by_name(new).expect("the new entry");
    assert_eq!(added.read().ok().as_deref(), Some(&b"what is new"[..]));
    let mut is_first = true;
    let kept = archive.entries().filter(|entry| {
        let name = entry.name();
        let is_gone = Some(name) == gone && std::mem::take(&mut is_first);
        let is_replaced = archive.by_name(new).is_some_and(|own| own.index() == entry.index());
        !is_gone && !is_replaced
    });
    let own = again.entries().filter(|entry| entry.index() != added.index());
    let shown = |entry: archive::Entry<'_, '_>| {
        let stored = entry.stored().ok().map(std::borrow::Cow::into_owned);
        (entry.name().to_owned(), entry.size(), entry.compressed_size(), entry.crc32(), stored)
    };
    let (kept, own): (Vec<_>, Vec<_>) = (kept.map(shown).collect(), own.map(shown).collect());
    assert!(kept == own, "{kept:?} is not {own:?}");
    assert_eq!((again.version(), again.flags()), (archive.version(), archive.flags()));
}

/// Added entries are found again.
fn build(mut data: &[u8]) {
    let (mut builder, mut model) = (Builder::new(), BTreeMap::new());
    while let [choice, len, rest @ ..] = data {
        let (content, after) = rest.split_at(rest.len().min(usize::from(*len)));
        data = after;
        let name = format!("{}.{}", choice % 8, if choice & 8 == 0 { "xml" } else { "ogg" });
        if choice & 0x70 == 0x70 {
            assert_eq!(builder.remove(&name), model.remove(&name).is_some());
        } else {
            builder.insert(&name, content).expect("a good name");
            model.insert(name, content.to_vec());
        }
        assert_eq!(builder.len(), model.len());
    }
    let bytes = builder.to_vec().expect("small contents");
    let archive = Archive::from_slice(&bytes).expect("what was written can be read");
    assert!(archive.verify().is_empty(), "{:?}", archive.verify());
    assert!(archive.file_names().eq(model.keys()));
    for (entry, content) in archive.entries().zip(model.values()) {
        assert_eq!(entry.read().ok().as_deref(), Some(content.as_slice()));
    }
}

/// A delta makes the new object of the old one: both are of the same bytes, one with a changed byte.
pub(crate) fn kiwi_delta(data: &[u8]) {
    let [place, high, change, data @ ..] = data else { return };
    let mut changed = data.to_vec();
    let place = usize::from(u16::from_le_bytes([*place, *high]));
    if let Some(byte) = place.checked_rem(data.len()).and_then(|at| changed.get_mut(at)) {
        *byte ^= change;
    }
    for options in crate::kiwi::all_options() {
        let (Ok(old), Ok(new)) =
            (options.from_slice::<Value>(data), options.from_slice::<Value>(&changed))
        else {
            continue;
        };
        for mode in [Mode::Shallow, Mode::Deep] {
            delta(&options, &old, &new, mode);
            delta(&options, &new, &old, mode);
        }
    }
}

fn delta(options: &Options, old: &Value, new: &Value, mode: Mode) {
    let Ok(changes) = old.diff(new, mode) else { return };
    let arrives = |changes: &Value| {
        let mut own = old.clone();
        own.apply(changes).expect("its own delta");
        // Nothing is left to say; the order may be another one.
        let left = own.diff(new, Mode::Deep).expect("objects of one class");
        let fields = left.as_object().map(|left| left.fields().len());
        assert_eq!(fields, Some(0), "{old:?} and {changes:?} are {own:?}, not {new:?}");
        let same = new.diff(&own, Mode::Deep).expect("nothing is there that should not be");
        assert_eq!(same.as_object().map(|same| same.fields().len()), Some(0), "{own:?}: {new:?}");
    };
    arrives(&changes);
    // Not everything: a shallow object without what may not be left out.
    if let Ok(bytes) = options.to_vec(&changes) {
        arrives(&options.from_slice(&bytes).expect("what was written can be read"));
    }
}
