//! Long lists and maps of which little differs.

use std::collections::BTreeMap;
use std::sync::Arc;

use gamewire::document::{ChangeKind, Edit, Merge, Side};
use gamewire::kiwi_pclass::schema::{ClassDef, Container as InClass, PropertyDef};
use gamewire::kiwi_pclass::value::{List as ClassList, Object};
use gamewire::kiwi_pclass::{Options as PclassOptions, Schema, Value as ClassValue};
use gamewire::{Document, Format, Settings};
use gamewire_testkit::hostile::measure;
use gamewire_testkit::vectors::same_bytes;
use resonite_brson::Container;
use zeze_serialize::value::{Bean, List, Map};
use zeze_serialize::{Kind, Value};

const LEN: usize = 20_000;

/// A file of a list or map, and how the path of a number in it begins and ends.
struct Shape {
    format: Format,
    file: fn(&[i32]) -> Vec<u8>,
    path: fn(usize) -> String,
    is_list: bool,
}

fn entries(numbers: &[i32]) -> BTreeMap<String, i32> {
    numbers.iter().enumerate().map(|(at, own)| (format!("k{at:05}"), *own)).collect()
}

fn bean(value: Value) -> Vec<u8> {
    let bean: Bean = [(1, value)].into_iter().collect();
    zeze_serialize::to_vec(&Value::Bean(bean)).unwrap()
}

fn schema() -> Schema {
    let list = PropertyDef::new("m_list", "int", 0x1f).container(InClass::Vector);
    let class = ClassDef::new("class Long", &[], Box::leak(Box::new([list])));
    Schema::builder().classes(&[class]).unwrap().build().unwrap()
}

const SHAPES: [Shape; 9] = [
    Shape {
        format: Format::ZezeSerialize,
        file: |numbers| {
            let items = numbers.iter().map(|own| Value::Int((*own).into())).collect();
            bean(Value::List(List::new(Kind::Int, items)))
        },
        path: |at| format!("[field 1][{at}]"),
        is_list: true,
    },
    Shape {
        format: Format::ZezeSerialize,
        file: |numbers| {
            let entry = |(at, own): (i64, &i32)| (Value::Int(at), Value::Int((*own).into()));
            let entries = (0..).zip(numbers).filter(|(_, own)| **own >= 0).map(entry);
            bean(Value::Map(Map::new(Kind::Int, Kind::Int, entries.collect())))
        },
        path: |at| format!("[field 1][{at}]"),
        is_list: false,
    },
    Shape {
        format: Format::GodotVariant,
        file: |numbers| godot_variant::to_vec(numbers).unwrap(),
        path: |at| format!("[{at}]"),
        is_list: true,
    },
    Shape {
        format: Format::GodotVariant,
        file: |numbers| godot_variant::to_vec(&present(numbers)).unwrap(),
        path: |at| format!("k{at:05}"),
        is_list: false,
    },
    Shape {
        format: Format::O3deJson,
        file: |numbers| o3de_json::to_vec(numbers).unwrap(),
        path: |at| format!("/{at}"),
        is_list: true,
    },
    Shape {
        format: Format::O3deJson,
        file: |numbers| o3de_json::to_vec(&present(numbers)).unwrap(),
        path: |at| format!("/k{at:05}"),
        is_list: false,
    },
    Shape {
        format: Format::ResoniteBrson,
        file: |numbers| bson(&BTreeMap::from([("list", numbers)])),
        path: |at| format!("list[{at}]"),
        is_list: true,
    },
    Shape {
        format: Format::ResoniteBrson,
        file: |numbers| bson(&present(numbers)),
        path: |at| format!("k{at:05}"),
        is_list: false,
    },
    Shape {
        format: Format::KiwiPclass,
        file: |numbers| {
            let schema = schema();
            let mut long = Object::new(schema.class("class Long").unwrap().clone());
            let items: Vec<ClassValue> = numbers.iter().map(|own| ClassValue::from(*own)).collect();
            long.set("m_list", ClassValue::List(ClassList::new(items))).unwrap();
            PclassOptions::file().schema(schema).to_vec(&ClassValue::from(long)).unwrap()
        },
        path: |at| format!("m_list[{at}]"),
        is_list: true,
    },
];

/// The entries of numbers that are not negative.
fn present(numbers: &[i32]) -> BTreeMap<String, i32> {
    entries(numbers).into_iter().filter(|(_, own)| *own >= 0).collect()
}

fn bson(value: &impl serde::Serialize) -> Vec<u8> {
    resonite_brson::Options::new().container(Container::BSON).to_vec(value).unwrap()
}

/// Small numbers, of which many are the same; a few that are like no other.
fn numbers(len: usize) -> Vec<i32> {
    let mut state = 1u32;
    let mut numbers: Vec<i32> = (0..len)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as i32 % 7
        })
        .collect();
    for at in 1..10 {
        numbers[len / 10 * at] = 20 + at as i32;
    }
    numbers
}

impl Shape {
    fn open(&self, bytes: Vec<u8>) -> Document {
        let mut settings = Settings { format: Some(self.format), ..Settings::default() };
        settings.pclass.schema = Some(Arc::new(schema()));
        Document::open(bytes, &settings).unwrap()
    }

    fn edited(&self, edits: &[Edit<'_>]) -> Document {
        let mut document = self.open((self.file)(&numbers(LEN)));
        for edit in edits {
            document.edit(&[*edit]).unwrap();
        }
        document
    }

    fn set<'p>(&self, path: &'p str) -> Edit<'p> {
        Edit::Set { path, value: "99".into(), kind: None }
    }

    /// The numbers without one: in a map, the others keep their keys.
    fn without(&self, at: usize) -> Vec<i32> {
        let mut numbers = numbers(LEN);
        match self.is_list {
            true => _ = numbers.remove(at),
            false => numbers[at] = -1,
        }
        numbers
    }
}

#[test]
fn changes_far_from_each_other_are_merged() {
    let (gone, set) = (LEN / 10 * 3, LEN - 5);
    for shape in &SHAPES {
        let [gone_path, set_path] = [gone, set].map(|at| (shape.path)(at));
        let base = shape.edited(&[]);
        let (ours, theirs) = (
            shape.edited(&[Edit::Remove { path: &gone_path }]),
            shape.edited(&[shape.set(&set_path)]),
        );
        let mut both = shape.without(gone);
        both[set - usize::from(shape.is_list)] = 99;
        for (own, other) in [(&ours, &theirs), (&theirs, &ours)] {
            let merge = Merge::new(Some(&base), own, other).unwrap();
            assert!(merge.is_clean(), "{:?}", shape.format);
            let merged = merge.resolve(Side::Ours).unwrap();
            same_bytes(&format!("{:?}", shape.format), &(shape.file)(&both), merged.as_bytes())
                .unwrap();
        }
    }
}

#[test]
fn changes_far_from_each_other_are_told() {
    let (gone, set) = (LEN / 10 * 3, LEN - 5);
    for shape in &SHAPES {
        let [gone_path, set_path] = [gone, set].map(|at| (shape.path)(at));
        let edits = [shape.set(&set_path), Edit::Remove { path: &gone_path }];
        let changes = shape.edited(&[]).diff(&shape.edited(&edits), 40).unwrap();
        let [first, second] = changes.as_slice() else { panic!("{changes:?}") };
        let (removed, changed) = match shape.is_list {
            true => (first, second),
            // What is gone is told last.
            false => (second, first),
        };
        assert_eq!((&removed.path, &changed.path), (&gone_path, &set_path));
        assert!(matches!(&removed.what, ChangeKind::Removed(_)), "{removed:?}");
        assert!(matches!(&changed.what, ChangeKind::Changed(_, new) if new == "99"), "{changed:?}");
    }
}

/// Lists of one length are compared by position, however their elements moved.
#[test]
fn lists_of_one_length_are_merged_by_position() {
    for shape in SHAPES.iter().filter(|shape| shape.is_list) {
        let [early, late, set] = [LEN / 10 * 3, LEN / 10 * 7, LEN - 5].map(|at| (shape.path)(at));
        let insert = || Edit::Insert { path: &late, value: "50".into(), kind: None };
        let remove = || Edit::Remove { path: &early };
        let base = shape.edited(&[]);
        let ours = shape.edited(&[insert(), remove()]);
        let theirs = shape.edited(&[shape.set(&set)]);
        let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
        let mut both = shape.without(LEN / 10 * 3);
        both.insert(LEN / 10 * 7 - 1, 50);
        both[LEN - 5] = 99;
        let merged = merge.resolve(Side::Ours).unwrap();
        assert!(merge.is_clean(), "{:?}: {:?}", shape.format, merge.conflicts());
        let wanted = shape.edited(&[insert(), remove(), shape.set(&set)]);
        same_bytes(&format!("{:?}", shape.format), wanted.as_bytes(), merged.as_bytes()).unwrap();
        let values = shape.open((shape.file)(&both));
        assert_eq!(values.diff(&merged, 40).unwrap(), [], "{:?}", shape.format);
        both[LEN - 5] = numbers(LEN)[LEN - 5];
        let differ = numbers(LEN).iter().zip(&both).filter(|(old, new)| old != new).count();
        assert_eq!(base.diff(&ours, 40).unwrap().len(), differ, "{:?}", shape.format);
    }
}

/// An entry that moves past many others is told, and merges.
#[test]
fn entries_that_move_past_others() {
    let shape = &SHAPES[3];
    let base = shape.edited(&[]);
    let bytes = |mut keys: Vec<usize>, value: i32| {
        let from = keys.remove(100);
        keys.insert(15_000, from);
        let all = numbers(LEN);
        let entry = |at: usize| {
            let value = if at == 18_000 { value } else { all[at] };
            (
                godot_variant::Value::from(format!("k{at:05}")),
                godot_variant::Value::Int(value.into()),
            )
        };
        let moved: godot_variant::value::Dictionary = keys.into_iter().map(entry).collect();
        godot_variant::to_vec(&godot_variant::Value::Dictionary(moved)).unwrap()
    };
    let keys = || (0..LEN).collect::<Vec<_>>();
    let moved = shape.open(bytes(keys(), numbers(LEN)[18_000]));
    let changes = base.diff(&moved, 40).unwrap();
    assert!(
        matches!(changes.as_slice(), [own] if own.what == ChangeKind::Reordered),
        "{changes:?}"
    );
    let theirs = shape.edited(&[shape.set("k18000")]);
    for (own, other) in [(&moved, &theirs), (&theirs, &moved)] {
        let merge = Merge::new(Some(&base), own, other).unwrap();
        let merged = merge.resolve(Side::Ours).unwrap();
        assert!(merge.is_clean() && merged.as_bytes() == bytes(keys(), 99));
    }
}

#[test]
fn memory_grows_with_what_differs() {
    let len = 400_000;
    let all = numbers(len);
    let shape = &SHAPES[0];
    let with = |change: &dyn Fn(&mut Vec<i32>)| {
        let mut numbers = all.clone();
        change(&mut numbers);
        shape.open((shape.file)(&numbers))
    };
    let base = with(&|_| {});
    let ours = with(&|own| _ = own.remove(len / 10 * 3));
    let theirs = with(&|own| own[len - 5] = 55);
    let both = with(&|own| {
        own[len - 5] = 55;
        own.remove(len / 10 * 3);
    });
    // The file that is made, and a few thousand elements.
    let most = 3 * len as u64 + (3 << 20);
    let merge = || Merge::new(Some(&base), &ours, &theirs)?.resolve(Side::Ours);
    let cost = measure(&[], |_| merge());
    assert!(cost.peak < most, "{} to {most}", cost.peak);
    same_bytes("the bytes", both.as_bytes(), merge().unwrap().as_bytes()).unwrap();
    let cost = measure(&[], |_| base.diff(&both, 40));
    assert!(cost.peak < most, "{} to {most}", cost.peak);
}
