//! Files that are changed and merged by where their values stand: against the same done with decoded values.

mod godot;
mod json;
mod long;
mod pclass;
mod resonite;

use gamewire::document::{ConflictKind, Edit, Merge, Side};
use gamewire::{Document, Format, Settings};
use proptest::prelude::*;
use zeze_serialize::value::{Bean, List, Map};
use zeze_serialize::{Kind, Value, wire};

fn settings() -> Settings {
    let mut settings = Settings { format: Some(Format::ZezeSerialize), ..Settings::default() };
    settings.limits.max_depth = Some(1_020);
    settings
}

fn open(bytes: &[u8]) -> Document {
    Document::open(bytes, &settings()).unwrap()
}

fn encoded(bean: &Value) -> Vec<u8> {
    zeze_serialize::Options::new().max_depth(1_020).to_vec(bean).unwrap()
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::Int),
        (-70i64..70).prop_map(Value::Int),
        any::<f32>().prop_map(Value::Float),
        "[a-z]{0,9}".prop_map(|text| Value::Bytes(text.into_bytes())),
    ]
}

fn list() -> impl Strategy<Value = Value> {
    prop::collection::vec(any::<i16>().prop_map(|own| Value::Int(own.into())), 1..20)
        .prop_map(|items| Value::List(List::new(Kind::Int, items)))
}

fn map() -> impl Strategy<Value = Value> {
    prop::collection::btree_map(any::<i8>(), "[a-z]{0,5}", 1..9).prop_map(|entries| {
        let entry =
            |(key, text): (i8, String)| (Value::Int(key.into()), Value::Bytes(text.into_bytes()));
        Value::Map(Map::new(Kind::Int, Kind::Bytes, entries.into_iter().map(entry).collect()))
    })
}

fn bean() -> impl Strategy<Value = Value> {
    let inner = prop_oneof![4 => leaf(), 1 => list(), 1 => map()];
    inner
        .prop_recursive(4, 60, 8, |inner| {
            prop::collection::btree_map(1u32..40, inner, 1..8)
                .prop_map(|fields| Value::Bean(fields.into_iter().collect()))
        })
        .prop_filter_map("a bean is at the root", |own| own.as_bean().is_some().then_some(own))
}

/// The ways to all values in a bean: ids and positions.
fn ways(value: &Value) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let mut todo = vec![(Vec::new(), value)];
    while let Some((way, value)) = todo.pop() {
        let mut add = |step: u32, inner| {
            let way: Vec<u32> = way.iter().copied().chain([step]).collect();
            found.push(way.clone());
            todo.push((way, inner));
        };
        match value {
            Value::Bean(bean) => bean.iter().for_each(|(id, inner)| add(id, inner)),
            Value::List(list) => (0..).zip(list.iter()).for_each(|(at, inner)| add(at, inner)),
            _ => {}
        }
    }
    found
}

fn at<'v>(value: &'v mut Value, way: &[u32]) -> &'v mut Value {
    way.iter().fold(value, |value, step| match value {
        Value::Bean(bean) => bean.get_mut(*step).unwrap(),
        Value::List(list) => &mut list.items_mut()[*step as usize],
        _ => unreachable!(),
    })
}

fn path(value: &mut Value, way: &[u32]) -> String {
    let mut path = String::new();
    for end in 0..way.len() {
        path += &match at(value, &way[..end]) {
            Value::Bean(_) => format!("[field {}]", way[end]),
            _ => format!("[{}]", way[end]),
        };
    }
    path
}

/// Sets an integer, or removes a value, in the decoded bean; the same as an edit.
fn change(value: &mut Value, way: &[u32], new: Option<i64>) -> Option<(String, String)> {
    let path = path(value, way);
    let (last, outer) = way.split_last()?;
    match new {
        Some(new) => {
            let own = at(value, way);
            own.as_i64()?;
            *own = Value::Int(new);
            Some((path, new.to_string()))
        }
        None => {
            match at(value, outer) {
                Value::Bean(bean) => _ = bean.remove(*last),
                Value::List(list) => _ = list.items_mut().remove(*last as usize),
                _ => return None,
            }
            Some((path, String::new()))
        }
    }
}

fn edit<'e>((path, value): &'e (String, String)) -> Edit<'e> {
    match value.as_str() {
        "" => Edit::Remove { path },
        value => Edit::Set { path, value: value.into(), kind: None },
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_by_ranges_is_that_of_the_decoded_value(
        before in bean(), way: prop::sample::Index, new in prop::option::of(any::<i64>()),
    ) {
        let ways = ways(&before);
        let mut after = before.clone();
        if let Some(made) = change(&mut after, &ways[way.index(ways.len())], new) {
            let mut document = open(&encoded(&before));
            document.edit(&[edit(&made)]).unwrap();
            prop_assert_eq!(document.as_bytes(), encoded(&after));
        }
    }

    #[test]
    fn edits_in_two_places_merge_to_both(
        base in bean(), places: [prop::sample::Index; 2], new: [i64; 2],
    ) {
        let ways = ways(&base);
        let [own, other] = places.map(|place| ways[place.index(ways.len())].clone());
        // One inside of the other, and neighbours of one list, may be in one another's way.
        let is_apart = !own.starts_with(&other) && !other.starts_with(&own);
        let outer = own[..own.len() - 1] == other[..other.len() - 1];
        if is_apart && !outer {
            let (mut ours, mut theirs, mut both) = (base.clone(), base.clone(), base.clone());
            let made = change(&mut ours, &own, Some(new[0])).zip(change(&mut theirs, &other, Some(new[1])));
            if made.is_some() {
                change(&mut both, &own, Some(new[0]));
                change(&mut both, &other, Some(new[1]));
                let [base, ours, theirs] = [&base, &ours, &theirs].map(|own| open(&encoded(own)));
                let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
                prop_assert!(merge.is_clean(), "{:?}", merge.conflicts());
                let made = merge.resolve(Side::Ours).unwrap();
                prop_assert_eq!(made.as_bytes(), encoded(&both));
            }
        }
    }
}

/// Beans in one another, with a list in the innermost one.
fn nested(levels: usize, list: &[i64]) -> Vec<u8> {
    let list = list.iter().map(|own| Value::Int(*own)).collect();
    let list = Value::List(List::new(Kind::Int, list));
    let bean = |inner| Value::Bean([(1, inner)].into_iter().collect::<Bean>());
    encoded(&(0..=levels).fold(list, |inner, _| bean(inner)))
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

/// Fields that both sides add stand in the order of their ids, whoever added the first of them.
#[test]
fn what_both_sides_add_stands_in_the_order_of_ids() {
    let bean = |ids: &[u32]| {
        let fields = ids.iter().map(|id| (*id, Value::Int(7)));
        encoded(&Value::Bean(fields.collect::<Bean>()))
    };
    let files = [&[1, 5, 9][..], &[1, 4, 5, 8, 9], &[1, 2, 3, 5, 7, 9, 11]];
    let [base, ours, theirs] = files.map(|ids| open(&bean(ids)));
    let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
    assert!(merge.is_clean(), "{:?}", merge.conflicts());
    let made = merge.resolve(Side::Ours).unwrap();
    assert_eq!(made.as_bytes(), bean(&[1, 2, 3, 4, 5, 7, 8, 9, 11]));
}

#[test]
fn a_thousand_levels_take_no_stack() {
    let work = || {
        let path = |at: usize| format!("{}[{at}]", "[field 1]".repeat(1_001));
        let mut ours = open(&nested(1_000, &[1, 2, 3, 4, 5]));
        let base = open(&nested(1_000, &[1, 2, 3, 4, 5]));
        ours.set(&path(0), "7").unwrap();
        let theirs = open(&nested(1_000, &[1, 2, 3, 4, 6]));
        assert_eq!(ours.get(&path(0)).unwrap()[0].text().unwrap(), "7");
        assert_eq!(base.diff(&ours, 40).unwrap().len(), 1);
        let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
        assert_eq!(merge.is_clean(), merge.conflicts().is_empty());
        merge.resolve(Side::Theirs).unwrap();
        ours.remove(&path(1)).unwrap();
        assert_eq!(ours.as_bytes(), nested(1_000, &[7, 3, 4, 5]));
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

/// What would be written otherwise stays, but for the value and the heads around it.
#[test]
fn bytes_that_are_not_canonical_stay() {
    // An integer of two bytes that one would hold, a list, and a text.
    let mut bytes = Vec::new();
    wire::write_tag(&mut bytes, 0, 1, Kind::Int).unwrap();
    bytes.extend([0x40, 0x05]);
    wire::write_tag(&mut bytes, 1, 3, Kind::List).unwrap();
    wire::write_list_header(&mut bytes, 2, Kind::Int).unwrap();
    bytes.extend([0x40, 0x06, 0x07]);
    wire::write_end(&mut bytes);
    assert_ne!(encoded(&zeze_serialize::from_slice::<Value>(&bytes).unwrap()), bytes);
    let mut document = open(&bytes);
    document.set("[field 3][1]", "9").unwrap();
    let mut expected = bytes.clone();
    expected[7] = 9;
    assert_eq!(document.as_bytes(), expected);
    document.insert("[field 3][-]", "1").unwrap();
    document.remove("[field 3][1]").unwrap();
    expected[7] = 1;
    assert_eq!(document.as_bytes(), expected);
}
