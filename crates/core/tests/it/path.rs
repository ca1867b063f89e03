use gamewire_core::words::{Count, Shortened};
use gamewire_core::{Path, Segment};

fn path(outermost_first: &[Segment]) -> Path {
    Path::from_innermost(outermost_first.iter().rev().cloned())
}

#[test]
fn the_two_notations() {
    let all = path(&[
        Segment::field("players"),
        Segment::Index(3),
        Segment::field("odd name"),
        Segment::Id(7),
        Segment::key("(1, 2)"),
        Segment::KeyOf(0),
        Segment::Base,
        Segment::field("a/b~c"),
    ]);
    assert_eq!(
        all.to_string(),
        "players[3][\"odd name\"][field 7][(1, 2)][key 0][base][\"a/b~c\"]"
    );
    assert_eq!(all.pointer().to_string(), "/players/3/odd name/field 7/(1, 2)/key 0/base/a~1b~0c");
    assert_eq!(Path::default().to_string(), "");
    assert_eq!(path(&["a".into(), "b".into()]).to_string(), "a.b");
    assert_eq!(path(&["ä".into(), "1".into(), "_".into()]).to_string(), "ä[\"1\"]._");
}

#[test]
fn the_innermost_steps_are_kept() {
    let mut path = Path::default();
    (0..Path::MAX_SEGMENTS).for_each(|index| path.push_outer(index));
    assert!(!path.is_cut());
    path.push_outer("outer");
    assert!(path.is_cut());
    assert_eq!(path.segments().count(), Path::MAX_SEGMENTS);
    assert!(path.to_string().starts_with("…[63][62]"));
    assert!(path.pointer().to_string().starts_with("…/63/62"));
}

#[test]
fn foreign_names_are_harmless() {
    let segment = Segment::field(&"x\u{1b}[31m".repeat(100));
    assert!(segment.to_string().chars().count() < 80);
    assert!(!segment.to_string().contains('\u{1b}'));
    assert_eq!(Shortened("don't \"x\"").to_string(), "don't \\\"x\\\"");
    assert_eq!(Shortened(&"ä".repeat(17)).to_string(), format!("{}…", "ä".repeat(16)));
}

#[test]
fn counts_in_words() {
    for (count, noun, words) in [
        (0, "byte", "0 bytes"),
        (1, "entry", "1 entry"),
        (2, "entry", "2 entries"),
        (3, "key", "3 keys"),
        (2, "property", "2 properties"),
    ] {
        assert_eq!(Count(count, noun).to_string(), words);
    }
}

#[test]
fn the_root_is_empty() {
    assert!(Path::default().is_empty());
    let path = path(&["a".into(), 0.into()]);
    assert!(!path.is_empty());
    assert_eq!(format!("{path:?}"), "Path(a[0])");
    assert_eq!(Segment::field("odd name").to_string(), "[\"odd name\"]");
    // Identifiers have letters, digits and `_` only, and do not begin with a digit.
    for (name, is_identifier) in
        [("_1", true), ("a_1", true), ("1a", false), ("a-b", false), ("-", false), ("", false)]
    {
        assert_eq!(Segment::field(name).to_string() == name, is_identifier, "{name}");
    }
}
