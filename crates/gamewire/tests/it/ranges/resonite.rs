//! BSON, and saves of Resonite.

use gamewire::document::{ChangeKind, ConflictKind, Edit, Merge, Side};
use gamewire::{Document, Format, Settings};
use proptest::prelude::*;
use resonite_brson::{Container, Options, Value, brson, json};
use resonite_save::model::{Members, SavedObject, SlotPath};

fn options() -> Options {
    Options::new().container(Container::BSON).max_depth(1_024)
}

fn open(bytes: &[u8]) -> Document {
    let format = Some(Format::ResoniteBrson);
    let mut settings = Settings { format, ..Settings::default() };
    settings.limits.max_depth = Some(1_024);
    Document::open(bytes, &settings).unwrap()
}

fn encoded(value: &Value) -> Vec<u8> {
    options().to_vec(value).unwrap()
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i32>().prop_map(Value::Int32),
        any::<i64>().prop_map(Value::Int64),
        any::<f64>().prop_map(Value::Double),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
        "[a-z]{0,9}".prop_map(|text| Value::from(text.as_str())),
    ]
}

fn document() -> impl Strategy<Value = Value> {
    let values = leaf().prop_recursive(4, 60, 13, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..13)
                .prop_map(|items| items.into_iter().collect::<Value>()),
            prop::collection::btree_map("[a-h]{1,4}|\\$(document|date|no)", inner, 0..8)
                .prop_map(|own| own.into_iter().collect::<Value>()),
        ]
    });
    prop::collection::btree_map("[a-h]{1,4}", values, 1..8)
        .prop_map(|own| own.into_iter().collect())
}

/// The ways to all values in a document: positions.
fn ways(value: &Value) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut todo = vec![(Vec::new(), value)];
    while let Some((way, value)) = todo.pop() {
        let inner: Vec<&Value> = match value {
            Value::Document(document) => document.values().collect(),
            Value::Array(items) => items.iter().collect(),
            _ => Vec::new(),
        };
        for (at, inner) in inner.into_iter().enumerate() {
            let way: Vec<usize> = way.iter().copied().chain([at]).collect();
            found.push(way.clone());
            todo.push((way, inner));
        }
    }
    found
}

fn at<'v>(value: &'v mut Value, way: &[usize]) -> &'v mut Value {
    way.iter().fold(value, |value, at| match value {
        Value::Document(document) => &mut document.as_mut_slice()[*at].1,
        Value::Array(items) => &mut items[*at],
        _ => unreachable!(),
    })
}

fn path(value: &mut Value, way: &[usize]) -> String {
    let mut path = String::new();
    for end in 0..way.len() {
        path += &match at(value, &way[..end]) {
            Value::Document(document) => {
                format!("[{:?}]", document.as_slice()[way[end]].0.as_str())
            }
            _ => format!("[{}]", way[end]),
        };
    }
    path
}

#[derive(Clone, Debug)]
enum New {
    Removed,
    Set(i64),
    /// Another kind.
    Text(String),
    /// Before the value, if it is in an array.
    Inserted(String),
}

fn new() -> impl Strategy<Value = New> {
    prop_oneof![
        Just(New::Removed),
        any::<i64>().prop_map(New::Set),
        "[a-z]{0,9}".prop_map(New::Text),
        "[a-z]{0,9}".prop_map(New::Inserted),
    ]
}

/// Changes the value, and the document that has it; whether that was possible.
fn change(document: &mut Document, value: &mut Value, way: &[usize], new: &New) -> bool {
    let path = path(value, way);
    let (last, outer) = way.split_last().unwrap();
    match new {
        New::Removed => {
            match at(value, outer) {
                Value::Array(items) => _ = items.remove(*last),
                Value::Document(own) => {
                    let left = own.iter().enumerate().filter(|(at, _)| at != last);
                    *own = left.map(|(_, (key, value))| (key.clone(), value.clone())).collect();
                }
                _ => unreachable!(),
            }
            document.remove(&path).unwrap();
        }
        New::Set(number) => {
            *at(value, way) = Value::Int64(*number);
            let text = number.to_string();
            document
                .edit(&[Edit::Set { path: &path, value: (&text).into(), kind: Some("int64") }])
                .unwrap();
        }
        New::Text(text) => {
            *at(value, way) = Value::from(text.as_str());
            let quoted = format!("{text:?}");
            let kind = Some("string");
            document.edit(&[Edit::Set { path: &path, value: (&quoted).into(), kind }]).unwrap();
        }
        New::Inserted(text) => {
            let Value::Array(items) = at(value, outer) else { return false };
            items.insert(*last, Value::from(text.as_str()));
            document.insert(&path, &format!("{text:?}")).unwrap();
        }
    }
    true
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn edits_by_ranges_are_those_of_the_decoded_value(
        value in document(), edits in prop::collection::vec((any::<prop::sample::Index>(), new()), 1..4),
    ) {
        let mut after = value.clone();
        let mut made = open(&encoded(&value));
        for (way, new) in edits {
            let ways = ways(&after);
            if ways.is_empty() {
                break;
            }
            change(&mut made, &mut after, &ways[way.index(ways.len())], &new);
            prop_assert_eq!(made.as_bytes(), encoded(&after));
        }
    }

    /// Values are shown as what is made of them.
    #[test]
    fn values_are_shown_without_being_made(value in document()) {
        let document = open(&encoded(&value));
        let canonical = json::to_string(&value, json::Style::Canonical);
        let read: serde_json::Value = serde_json::from_str(&canonical).unwrap();
        prop_assert_eq!(document.root().text().unwrap(), read.to_string());
        let changes = document.diff(&open(&encoded(&brson!({}))), usize::MAX).unwrap();
        let shown: Vec<String> = changes.into_iter().map(|change| match change.what {
            ChangeKind::Removed(text) => text,
            other => format!("{other:?}"),
        }).collect();
        let removed: Vec<String> = value.as_document().unwrap().values().map(|own| match own.as_i64() {
            Some(number) => number.to_string(),
            None => format!("{own:?}"),
        }).collect();
        prop_assert_eq!(shown, removed);
    }

    #[test]
    fn edits_in_two_places_merge_to_both(
        value in document(), places: [prop::sample::Index; 2], edits in [new(), new()],
    ) {
        let ways = ways(&value);
        let [own, other] = places.map(|place| ways[place.index(ways.len())].clone());
        // One inside of the other, and neighbours in one container, may be in one another's way.
        let is_apart = !own.starts_with(&other) && !other.starts_with(&own);
        if is_apart && own[..own.len() - 1] != other[..other.len() - 1] {
            let base = open(&encoded(&value));
            let [mut ours, mut theirs] = [&own, &other].map(|_| open(&encoded(&value)));
            let [mut a, mut b] = [value.clone(), value.clone()];
            let is_own = change(&mut ours, &mut a, &own, &edits[0]);
            let is_other = change(&mut theirs, &mut b, &other, &edits[1]);
            // What was removed stands before what else changed in this order.
            let (mut both, mut row) = (value.clone(), open(base.as_bytes()));
            let mut changes = [(&own, &edits[0], is_own), (&other, &edits[1], is_other)];
            changes.sort_by_key(|(way, ..)| std::cmp::Reverse(*way));
            for (way, new, _) in changes.into_iter().filter(|(.., is_made)| *is_made) {
                change(&mut row, &mut both, way, new);
            }
            // A list of elements that look like one another may be aligned otherwise.
            let is_moved = |new: &New| matches!(new, New::Removed | New::Inserted(_));
            let is_within = own.starts_with(&other[..other.len() - 1])
                || other.starts_with(&own[..own.len() - 1]);
            if !(is_within && edits.iter().any(is_moved)) {
                let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
                prop_assert!(merge.is_clean(), "{:?}", merge.conflicts());
                let made = merge.resolve(Side::Ours).unwrap();
                prop_assert_eq!(made.as_bytes(), encoded(&both));
            }
        }
    }

    /// What follows an element that goes has other keys, and is the same.
    #[test]
    fn elements_that_go_change_no_others(
        count in 3..30_i64, gone in [any::<prop::sample::Index>(), any::<prop::sample::Index>()],
    ) {
        let file = |gone: &[usize]| {
            let left = (0..count).zip(0..).filter(|(_, at)| !gone.contains(at));
            let items: Value = left.map(|(own, _)| brson!({ "n": (own), "t": [1.5, (own)] })).collect();
            open(&encoded(&[("a", items)].into_iter().collect()))
        };
        let [own, other] = gone.map(|gone| gone.index(count as usize));
        let base = file(&[]);
        let [ours, theirs] = [own, other].map(|at| file(&[at]));
        let changes = base.diff(&ours, 40).unwrap();
        prop_assert_eq!(changes.len(), 1);
        prop_assert_eq!(&changes[0].path, &format!("a[{own}]"));
        prop_assert_eq!(ours.diff(&base, 40).unwrap().len(), 1);
        if own.abs_diff(other) > 1 {
            let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
            prop_assert!(merge.is_clean());
            let made = merge.resolve(Side::Ours).unwrap();
            let both = file(&[own, other]);
            prop_assert_eq!(made.as_bytes(), both.as_bytes());
        }
    }
}

/// Arrays in one another, in a document.
fn nested(levels: usize, list: &[i64]) -> Vec<u8> {
    let list: Value = list.iter().map(|own| Value::Int64(*own)).collect();
    let inner = (0..levels).fold(list, |inner, _| [inner].into_iter().collect());
    encoded(&[("a", inner)].into_iter().collect())
}

#[test]
fn a_deep_merge_of_what_both_sides_removed_is_a_conflict() {
    let files = [&[1, 2, 3][..], &[1, 3], &[2, 3]].map(|list| open(&nested(200, list)));
    let [base, ours, theirs] = &files;
    let merge = Merge::new(Some(base), ours, theirs).unwrap();
    assert_eq!(merge.conflicts().len(), 1);
    assert_eq!(merge.conflicts()[0].kind, ConflictKind::Value);
    assert_eq!(merge.resolve(Side::Ours).unwrap().as_bytes(), ours.as_bytes());
    assert_eq!(merge.resolve(Side::Theirs).unwrap().as_bytes(), theirs.as_bytes());
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn a_thousand_levels_take_no_stack() {
    on_a_small_stack(|| {
        let path = |at: usize| format!("a{}[{at}]", "[0]".repeat(1_000));
        let mut ours = open(&nested(1_000, &[1, 2, 3, 4, 5]));
        let base = open(&nested(1_000, &[1, 2, 3, 4, 5]));
        ours.set(&path(0), "7").unwrap();
        let theirs = open(&nested(1_000, &[1, 2, 3, 4, 6]));
        assert_eq!(ours.get(&path(0)).unwrap()[0].text().unwrap(), "7");
        assert_eq!(base.diff(&ours, 40).unwrap().len(), 1);
        let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
        assert_eq!(merge.conflicts().len(), 1);
        merge.resolve(Side::Theirs).unwrap();
        ours.remove(&path(1)).unwrap();
        assert_eq!(ours.as_bytes(), nested(1_000, &[7, 3, 4, 5]));
    });
}

/// A save with slots in one another: 499 have 998 levels.
#[test]
fn deep_slots_take_no_stack() {
    on_a_small_stack(|| {
        let mut save = SavedObject::new("2026.8.12.1196", "Slot");
        let mut path = SlotPath::root();
        for _ in 0..480 {
            path = save.add_slot(&path, "Slot").unwrap();
        }
        let bytes = options().max_typed_depth(1_024).to_vec(&save).unwrap();
        let old = open(&bytes);
        let way = format!("Object{}", ".Slot".repeat(480));
        let mut new = open(old.as_bytes());
        new.set(&format!("{way}.Name"), "\"Bulb\"").unwrap();
        assert_eq!(new.get("**.Bulb.Name").unwrap()[0].text().unwrap(), "Bulb");
        let changes = old.diff(&new, 40).unwrap();
        assert_eq!(changes.len(), 1, "{changes:?}");
    });
}

/// What would be written otherwise stays, but for the value and the heads around it.
#[test]
fn bytes_that_are_not_canonical_stay() {
    // Keys of an array that are no numbers, and a true bool that is not 1.
    let element = |key: &str| [b"\x08", key.as_bytes(), b"\0\x07"].concat();
    let of = |elements: &[u8]| {
        let len = i32::try_from(elements.len() + 5).unwrap();
        [&len.to_le_bytes()[..], elements, b"\0"].concat()
    };
    let file = |keys: &[&str], number: u8| {
        let list = keys.iter().flat_map(|key| element(key)).collect::<Vec<u8>>();
        of(&[b"\x04a\0", of(&list).as_slice(), b"\x10n\0", &[number, 0, 0, 0]].concat())
    };
    let mut document = open(&file(&["x", "", "zz"], 1));
    document.set("n", "2").unwrap();
    assert_eq!(document.as_bytes(), file(&["x", "", "zz"], 2));
    let theirs = open(document.as_bytes());
    let base = open(&file(&["x", "", "zz"], 1));
    let mut ours = open(base.as_bytes());
    // From here on the positions are others.
    ours.remove("a[1]").unwrap();
    assert_eq!(ours.as_bytes(), file(&["x", "1"], 1));
    let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
    assert_eq!(merge.resolve(Side::Ours).unwrap().as_bytes(), file(&["x", "1"], 2));
    assert!(base.diff(&open(&file(&["0", "1", "2"], 1)), 40).unwrap().is_empty());
}

/// A slot whose bytes are the same has changed where what it refers to stands elsewhere.
#[test]
fn a_reference_is_compared_by_where_it_leads() {
    let mut save = SavedObject::new("2026.8.12.1196", "Lamp");
    let [first, second] =
        ["First", "Second"].map(|name| save.add_slot(&SlotPath::root(), name).unwrap());
    let bulb = save.add_slot(&first, "Bulb").unwrap();
    let id = save.slot(&bulb).unwrap().id().unwrap().to_owned();
    let members = Members::new().field("Target", id.as_str()).field("Range", 1.5);
    save.add_component(&SlotPath::root(), "[FrooxEngine]FrooxEngine.Light", members).unwrap();
    let bytes = |save: &SavedObject| options().to_vec(save).unwrap();
    let old = open(&bytes(&save));
    let mut moved = save.document().clone();
    let slots = moved.get_mut("Object").unwrap().get_mut("Children").unwrap();
    let bulb = slots[0]["Children"].take();
    slots[0]["Children"] = brson!([]);
    slots[1]["Children"] = bulb;
    let _ = second;
    let new = open(&options().to_vec(&Value::from(moved)).unwrap());
    let shown: Vec<String> = old
        .diff(&new, 40)
        .unwrap()
        .into_iter()
        .map(|change| format!("{}: {:?}", change.path, change.what))
        .collect();
    assert!(shown.iter().any(|line| line.contains("Light.Target")), "{shown:#?}");
    // Nothing leads elsewhere where only a number changes.
    let mut other = open(old.as_bytes());
    other.set("Object.Light.Range", "2.5").unwrap();
    let changes = old.diff(&other, 40).unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].what, ChangeKind::Changed("1.5".to_owned(), "2.5".to_owned()));
}
