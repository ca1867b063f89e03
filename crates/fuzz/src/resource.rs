//! Scenes and resources of Godot: text, binary, and merges of three texts.

use godot_resource::{Binary, Contents, Options, Text, align, differing};

fn limited() -> Options {
    Options::new().max_alloc(1 << 20).max_output(1 << 20)
}

/// A text is written as it was read; entries that did not change change nothing; what is in it can be written in both
/// forms.
pub(crate) fn resource_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(read) = limited().parse(text) else { return };
    assert_eq!(read.to_string(), text);
    let _ = (read.faults(), read.outline());
    let entries: Vec<_> = read.entries().map(|(name, value)| (name, Some(value))).collect();
    let again = read.with_entries(None, &entries).expect("the same values");
    assert_eq!(shown(&again), shown(&read));
    if let Ok(contents) = read.contents() {
        convert(&contents);
    }
}

/// The entries as text, in which what is no number is equal to itself. What engines do not load is put in order.
fn shown(text: &Text) -> Vec<String> {
    let mut all: Vec<String> = text.entries().map(|own| format!("{own:?}")).collect();
    all.sort();
    all
}

/// Both forms can be read, and text with all digits says the same as binary.
fn convert(contents: &Contents) {
    let options = limited();
    if let Ok(binary) = contents.to_binary(&options) {
        let read = options.open(&binary.file).expect("what was written can be read");
        if let Ok(text) = read.to_text(&options.clone().exact(true)) {
            let again = options.open(text.file.as_bytes()).expect("what was written can be read");
            let _ = again.to_binary(&options);
        }
    }
}

/// A binary file is written as it was read, and each byte is explained.
pub(crate) fn resource_binary(data: &[u8]) {
    crate::explain::whole(&limited().explain(data));
    let Ok(read) = limited().parse_binary(data) else { return };
    assert_eq!(read.to_vec().expect("it did not change"), data);
    if let Ok(contents) = read.contents() {
        convert(&contents);
        if let Ok(bytes) = read.with_contents(&contents, &limited()) {
            Binary::parse(&bytes).expect("what was written can be read");
        }
    }
}

/// Three texts, one after another: what is laid out alike can be read, and so can what is made of it.
pub(crate) fn resource_merge(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut parts = text.split('\u{1}');
    let part = |own: Option<&str>| limited().parse(own.unwrap_or(text)).ok();
    let (Some(ours), Some(theirs), base) =
        (part(parts.next()), part(parts.next()), part(parts.next()))
    else {
        return;
    };
    let all = align(&ours, &theirs, base.as_ref()).expect("texts that were read");
    let parts = differing([&all.ours, &all.theirs]);
    for [own, their] in [[None, None], parts.map(Some)] {
        let is_in = |part: &Option<Vec<bool>>, at: usize| {
            part.as_ref().is_none_or(|part| part.get(at) == Some(&true))
        };
        let own_entries = all.ours.entries_in(|at| is_in(&own, at)).map(|(name, _)| (name, None));
        let new = all.theirs.entries_in(|at| is_in(&their, at));
        let new = new.map(|(name, value)| (name, Some(value)));
        let entries: Vec<_> = own_entries.chain(new).collect();
        let merged = all.ours.with_entries_in(|at| is_in(&own, at), Some(&all.theirs), &entries);
        if let Ok(merged) = merged {
            limited().parse(&merged.to_string()).expect("what was written can be read");
        }
    }
}
