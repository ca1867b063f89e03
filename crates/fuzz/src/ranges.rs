//! Files that are changed, compared and merged by where their values stand.

use gamewire::document::{Edit, Merge, Node, Settings, Side};
use gamewire::{Document, Format};

use crate::kiwi::SCHEMA;
use crate::lot;

/// Values that are looked at, of more.
const MAX_PLACES: usize = 300;

/// A file of any format is changed in two places, which a merge puts together.
pub(crate) fn ranges(data: &[u8]) {
    for format in Format::ALL {
        let mut settings = Settings { format: Some(*format), ..Settings::default() };
        settings.limits.max_depth = Some(64);
        settings.limits.max_memory = Some(8 << 20);
        settings.pclass.schema = Some(SCHEMA.clone());
        changed(data, &settings);
    }
}

fn changed(data: &[u8], settings: &Settings) {
    let open = |bytes: &[u8]| Document::open(bytes, settings);
    let Ok(base) = open(data) else { return };
    let places = places(&base);
    if places.is_empty() {
        return;
    }
    let (half, _) = data.split_at(data.len() / 2);
    let edit = |from: &[u8]| edit(&places[lot(from, places.len())], lot(from, 13));
    let (own, other) = (edit(data), edit(half));
    let made = |edits: &[Edit<'_>]| {
        let mut document = open(data).expect("it was opened");
        edits.iter().try_for_each(|edit| document.edit(&[*edit])).ok()?;
        Some(document)
    };
    let (Some(ours), Some(theirs)) = (made(&[own]), made(&[other])) else { return };
    for document in [&ours, &theirs] {
        // An open document knows only what its bytes say.
        let again = open(document.as_bytes());
        assert!(is_same(document, &again.expect("what was written is read")));
    }
    let merged = |base: &Document, ours: &Document, theirs: &Document| {
        let merge = Merge::new(Some(base), ours, theirs).expect("of one format");
        let merged = merge.resolve(Side::Ours).ok()?;
        // Binary resources stand in the order in which the file has them.
        let merged = open(merged.as_bytes()).expect("what was merged is read");
        Some((merged, merge.is_clean()))
    };
    if let Some((unchanged, is_clean)) = merged(&base, &ours, &base) {
        assert!(is_clean && unchanged.as_bytes() == ours.as_bytes());
    }
    if let Some((taken, is_clean)) = merged(&base, &base, &theirs) {
        assert!(is_clean && is_same(&taken, &theirs));
    }
    // Of O3DE's files, members are computed of others, and some lists are sets.
    let is_inside = own.path().starts_with(other.path()) || other.path().starts_with(own.path());
    // A resource of another type is another one, which gets an id of its own.
    let is_retyped = |edit: &Edit<'_>| edit.path().ends_with(".type");
    let is_other =
        base.format() == Format::GodotResource && [&own, &other].into_iter().any(is_retyped);
    if base.format() == Format::O3deJson || is_other || is_inside || is_same(&ours, &theirs) {
        return;
    }
    let place = |edit: &Edit<'_>| places.iter().position(|path| path == edit.path());
    // The values before are where they were.
    let both = if place(&own) < place(&other) { [other, own] } else { [own, other] };
    if let (Some(both), Some((merged, true))) = (made(&both), merged(&base, &ours, &theirs)) {
        let changes = merged.diff(&both, 40).expect("of one format");
        assert!(changes.is_empty(), "{changes:?}");
    }
}

/// The paths of the values in a document, each around those in it.
fn places(document: &Document) -> Vec<String> {
    let mut places = Vec::new();
    let mut todo: Vec<Node<'_>> = document.root().children();
    todo.reverse();
    while let Some(node) = todo.pop().filter(|_| places.len() < MAX_PLACES) {
        let (path, mut inner) = (node.path(), node.children());
        // Of several that a path leads to, none is meant.
        if document.get(&path).is_ok_and(|all| all.len() == 1) {
            places.push(path);
        }
        inner.reverse();
        todo.extend(inner);
    }
    places
}

fn edit(path: &str, lot: usize) -> Edit<'_> {
    match lot % 4 {
        0 => Edit::Remove { path },
        1 => Edit::Set { path, value: "7".into(), kind: None },
        2 => Edit::Set { path, value: "true".into(), kind: None },
        _ => Edit::Set { path, value: "".into(), kind: None },
    }
}

fn is_same(own: &Document, other: &Document) -> bool {
    own.diff(other, 40).expect("of one format").is_empty()
}
