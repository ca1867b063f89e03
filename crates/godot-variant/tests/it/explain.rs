//! `explain`: spans that cover the input, the errors of the reader, and the forms of output.

mod cover;

use godot_variant::explain::{Explanation, File, Role};
use godot_variant::frame::Framing;
use godot_variant::project::ProjectSettings;
use godot_variant::{Error, ErrorKind, Options, Value};

use crate::cases::Case;
use crate::support::{hex, testdata};

/// Each byte in exactly one span, in order; and the error that reading has, at its place.
pub(crate) fn check(explanation: &Explanation, bytes: &[u8], read: Option<&Error>) {
    assert_eq!(explanation.bytes(), bytes);
    let mut at = 0;
    for span in explanation.spans() {
        assert_eq!(span.offset(), at, "a gap or overlap: {explanation}");
        assert!(span.len() > 0 || span.role() == Role::Error, "empty: {span:?}");
        let said = !span.meaning().is_empty() || !span.kind().is_empty();
        assert!(said, "without meaning: {span:?}");
        assert_ne!(span.meaning(), "beginning of the value", "not told: {explanation}");
        assert!(span.value().chars().count() <= 61, "long: {span:?}");
        at += span.len();
    }
    assert_eq!(at, bytes.len());

    let count = |role| explanation.spans().iter().filter(|span| span.role() == role).count();
    match explanation.error() {
        None => {
            assert_eq!((count(Role::Error), count(Role::NotReached)), (0, 0), "{explanation}");
        }
        Some(error) if error.kind() == ErrorKind::TrailingBytes => {
            let span = explanation.spans().iter().find(|span| span.role() == Role::NotReached);
            let span = span.unwrap();
            assert_eq!(error.offset(), Some(span.offset()));
            assert_eq!(span.meaning(), "bytes after the end");
            assert_eq!(count(Role::Error), 0);
        }
        Some(error) => {
            assert_eq!(count(Role::Error), 1, "{explanation}");
            let spans = explanation.spans();
            let index = spans.iter().position(|span| span.role() == Role::Error).unwrap();
            // Data that is cut off is explained up to where that shows in it.
            if spans.iter().all(|span| !span.notes().starts_with("but only")) {
                assert_eq!(error.offset(), Some(spans[index].offset()), "{explanation}");
                assert_eq!(error.path().to_string(), spans[index].path().to_string());
                assert!(error.to_string().starts_with(spans[index].meaning()));
            }
            assert!(spans[index + 1..].iter().all(|span| span.role() == Role::NotReached));
        }
    }
    let told = |error: Option<&Error>| error.map(|e| (e.kind(), e.offset(), e.to_string()));
    assert_eq!(told(explanation.error()), told(read));
}

fn check_bare(bytes: &[u8], options: &Options) {
    let read = options.from_slice::<Value>(bytes);
    check(&options.explain(bytes), bytes, read.as_ref().err());
}

fn check_frames(bytes: &[u8], framing: &Framing) {
    let read = framing.all_from_slice::<Value>(bytes);
    check(&framing.explain(bytes), bytes, read.as_ref().err());
}

fn check_project(bytes: &[u8], options: &Options) {
    let read = ProjectSettings::from_slice_with(bytes, options);
    check(&File::settings(options).explain(bytes), bytes, read.as_ref().err());
}

/// Nested arrays, the innermost empty.
fn nested(levels: usize) -> Vec<u8> {
    [hex("1c000000 01000000").repeat(levels.saturating_sub(1)), hex("1c000000 00000000")].concat()
}

#[test]
fn json_of_an_error() {
    let bytes = Case::load("long.hex").bytes;
    let explanation = godot_variant::explain(&bytes[..40]);
    insta::assert_snapshot!(serde_json::to_string_pretty(&explanation).unwrap());
}

#[test]
fn colours_change_nothing_else() {
    for case in Case::all() {
        let explanation = case.explain();
        let (plain, colored) = (explanation.to_text(), explanation.to_text_in(Some(120), true));
        assert!(!plain.contains('\x1b') && colored.contains("\x1b["));
        // Foreign text cannot reach the terminal as anything but text.
        assert!(
            plain.chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}')),
            "{plain}"
        );
        let mut stripped = String::new();
        for (index, part) in colored.split('\x1b').enumerate() {
            let text = part.split_once('m').filter(|_| index > 0).map_or(part, |(_, text)| text);
            stripped.push_str(text);
        }
        assert_eq!(stripped, plain);
        assert_eq!(explanation.to_string(), plain);
        for line in plain.lines().filter(|line| !line.starts_with("error")) {
            assert!(line.chars().count() <= 120, "{line}");
            assert_eq!(line.trim_end(), line);
        }
    }
}

/// A file that is cut off is explained as far as its first value without the frame would be.
#[test]
fn a_cut_frame_is_explained_as_far_as_it_goes() {
    let file = std::fs::read(testdata("savegame.dat")).unwrap();
    let cut = &file[..3000];
    check_frames(cut, &Framing::new());
    let framed = Framing::new().explain(cut);
    let bare = godot_variant::explain(&cut[4..]);
    let texts = |explanation: &Explanation| {
        let spans = explanation.spans().iter().map(|span| {
            (span.len(), span.role(), span.kind().to_owned(), span.meaning().to_owned())
        });
        spans.collect::<Vec<_>>()
    };
    assert_eq!(texts(&framed)[1..], texts(&bare)[..]);
    assert!(framed.spans().len() > 300, "{}", framed.spans().len());
    let error = framed.error().unwrap();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::UnexpectedEof, Some(cut.len())));

    let file = std::fs::read(testdata("project.binary")).unwrap();
    let settings = File::settings(&Options::new());
    let whole = settings.explain(&file);
    for len in (0..file.len()).step_by(7) {
        check_project(&file[..len], &Options::new());
        let cut = settings.explain(&file[..len]);
        let end = cut.spans().iter().find(|span| span.role() == Role::Error).unwrap();
        // Nothing before the word or text that is cut is left out.
        let before = |explanation: &Explanation| {
            let spans = explanation.spans().iter().filter(|span| span.role() != Role::Error);
            spans.filter(|span| span.range().end <= end.offset()).count()
        };
        assert_eq!(before(&whole), before(&cut), "{len}");
    }
}
