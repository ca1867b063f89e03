//! Godot's variants, bare, in frames and in a `project.binary`.

use gamewire::document::{ChangeKind, ConflictKind, Edit, Merge, Side};
use gamewire::godot_variant::frame::Framing;
use gamewire::godot_variant::project::ProjectSettings;
use gamewire::godot_variant::types::{ElementType, GString, Type, Vector2, Vector2i, Vector3};
use gamewire::godot_variant::value::{Dictionary, Instance, Object, TypedArray};
use gamewire::godot_variant::{Dialect, Options, Value};
use gamewire::{Document, Format, Settings};
use proptest::prelude::*;

/// What values stand in.
#[derive(Clone, Copy, Debug)]
enum File {
    Bare(Dialect),
    Frames(Dialect, bool),
    Project,
}

impl File {
    fn options(self) -> Options {
        let dialect = match self {
            File::Bare(dialect) | File::Frames(dialect, _) => dialect,
            File::Project => Dialect::Godot4,
        };
        Options::new().dialect(dialect).allow_objects(true)
    }

    fn settings(self) -> Settings {
        let mut settings = Settings { format: Some(Format::GodotVariant), ..Settings::default() };
        settings.godot.dialect = Some(match self {
            File::Bare(dialect) | File::Frames(dialect, _) => dialect,
            File::Project => Dialect::Godot4,
        });
        settings.godot.objects = true;
        use gamewire::document::Framing;
        settings.godot.framing = Some(match self {
            File::Bare(_) => Framing::Bare,
            File::Frames(_, false) => Framing::StoreVar,
            File::Frames(_, true) => Framing::StoreVarBe,
            File::Project => Framing::Project,
        });
        settings
    }

    fn encoded(self, values: &[Value]) -> Vec<u8> {
        match self {
            File::Bare(_) => self.options().value_to_vec(&values[0]).unwrap(),
            File::Frames(_, big) => {
                let framing = Framing::new().big_endian(big).options(self.options());
                values.iter().flat_map(|own| framing.value_to_vec(own).unwrap()).collect()
            }
            File::Project => {
                let entry = |(at, own): (usize, &Value)| (format!("a/b{at}"), own.clone());
                let entries = values.iter().enumerate().map(entry).collect();
                ProjectSettings { entries }.to_vec().unwrap()
            }
        }
    }

    fn open(self, bytes: &[u8]) -> Document {
        Document::open(bytes, &self.settings()).unwrap()
    }
}

fn file() -> impl Strategy<Value = File> {
    let dialect = || prop_oneof![Just(Dialect::Godot4), Just(Dialect::Godot3)];
    prop_oneof![
        dialect().prop_map(File::Bare),
        (dialect(), any::<bool>()).prop_map(|(dialect, big)| File::Frames(dialect, big)),
        Just(File::Project),
    ]
}

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => any::<i64>().prop_map(Value::Int),
        3 => (-70_i64..70).prop_map(Value::Int),
        1 => any::<f64>().prop_map(Value::Float),
        1 => "[a-zä]{0,9}".prop_map(|text| Value::from(text.as_str())),
        1 => any::<[i8; 3]>().prop_map(|[x, y, z]| Vector3::new(x.into(), y.into(), z.into()).into()),
        1 => Just(Value::Nil),
    ]
}

fn packed() -> impl Strategy<Value = Value> {
    let strings = |all: Vec<String>| {
        let all: Vec<GString> = all.iter().map(|text| GString::from(text.as_str())).collect();
        Value::PackedStringArray(all.into())
    };
    let vectors = |all: Vec<[i8; 2]>| {
        let all: Vec<Vector2> =
            all.iter().map(|[x, y]| Vector2::new((*x).into(), (*y).into())).collect();
        Value::PackedVector2Array(all.into())
    };
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..9).prop_map(|all| Value::PackedByteArray(all.into())),
        prop::collection::vec(any::<i32>(), 0..9)
            .prop_map(|all| Value::PackedInt32Array(all.into())),
        prop::collection::vec("[a-z]{0,6}", 0..5).prop_map(strings),
        prop::collection::vec(any::<[i8; 2]>(), 0..5).prop_map(vectors),
    ]
}

fn key() -> impl Strategy<Value = Value> {
    prop_oneof![
        "[a-z]{1,6}".prop_map(|text| Value::from(text.as_str())),
        (-9_i64..9).prop_map(Value::Int),
        (0_i64..4).prop_map(|at| Value::Array(vec![Value::Int(at), Value::from("k")].into())),
    ]
}

/// A value of one dialect or both: Godot 3 has no typed arrays.
fn value() -> impl Strategy<Value = Value> {
    let array = |items: Vec<Value>| Value::Array(items.into());
    let entries = |all: Vec<(Value, Value)>| Value::Dictionary(all.into_iter().collect());
    let object = |all: Vec<(String, Value)>| {
        let mut own = Instance::new("Node2D");
        own.properties =
            all.into_iter().map(|(name, value)| (name.as_str().into(), value)).collect();
        Value::Object(Object::Instance(Box::new(own)))
    };
    prop_oneof![4 => leaf(), 1 => packed()].prop_recursive(4, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(array),
            prop::collection::vec((key(), inner.clone()), 0..6).prop_map(entries),
            prop::collection::vec(("[a-z]{1,5}", inner), 0..4).prop_map(move |all| {
                // A name occurs once.
                let all: std::collections::BTreeMap<_, _> = all.into_iter().collect();
                object(all.into_iter().collect())
            }),
        ]
    })
}

fn values(file: File) -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(value(), if let File::Bare(_) = file { 1..2 } else { 1..4 })
}

fn case() -> impl Strategy<Value = (File, Vec<Value>)> {
    file().prop_flat_map(|file| (Just(file), values(file)))
}

/// The positions that lead to all values in a document, and their paths.
fn ways(document: &Document) -> Vec<(Vec<usize>, String)> {
    let (mut found, mut todo) = (Vec::new(), vec![(Vec::new(), document.root())]);
    while let Some((way, node)) = todo.pop() {
        for (at, inner) in node.children().into_iter().enumerate() {
            let way: Vec<usize> = way.iter().copied().chain([at]).collect();
            found.push((way.clone(), inner.path()));
            todo.push((way, inner));
        }
    }
    found
}

/// The positions in the values of the file: a file of one frame shows the value in it.
fn whole(file: File, values: &[Value], way: &[usize]) -> Vec<usize> {
    let is_one = match file {
        File::Bare(_) => true,
        File::Frames(..) => values.len() == 1,
        File::Project => false,
    };
    is_one.then_some(0).into_iter().chain(way.iter().copied()).collect()
}

fn inside(value: &mut Value, at: usize) -> Option<&mut Value> {
    match value {
        Value::Object(Object::Instance(own)) => own.properties.get_mut(at).map(|(_, own)| own),
        value if value.as_array().is_some() => value.as_array_mut()?.get_mut(at),
        value => value.as_dictionary_mut()?.values_mut().nth(at),
    }
}

/// Removes what is in a value.
fn remove(value: &mut Value, at: usize) {
    match value {
        Value::PackedByteArray(all) => _ = all.remove(at),
        Value::PackedInt32Array(all) => _ = all.remove(at),
        Value::PackedStringArray(all) => _ = all.remove(at),
        Value::PackedVector2Array(all) => _ = all.remove(at),
        Value::Object(Object::Instance(own)) => _ = own.properties.remove(at),
        Value::Dictionary(own) => {
            let mut all = std::mem::take(own).into_vec();
            all.remove(at);
            *own = all.into_iter().collect::<Dictionary>();
        }
        Value::Array(all) => {
            let mut own = std::mem::take(all).into_vec();
            own.remove(at);
            *all = own.into();
        }
        _ => unreachable!(),
    }
}

/// Sets an integer, or removes a value, in the decoded values; whether that can be done.
fn change(file: File, values: &mut Vec<Value>, way: &[usize], new: Option<i64>) -> bool {
    let (last, outer) = way.split_last().unwrap();
    let Some((first, inner)) = outer.split_first() else {
        return match new {
            Some(new) if values[*last].as_i64().is_some() => {
                values[*last] = Value::Int(new);
                true
            }
            // One value stays, as others would be the only one then.
            None if values.len() > 2 && matches!(file, File::Frames(..)) => {
                values.remove(*last);
                true
            }
            _ => false,
        };
    };
    let around =
        inner.iter().try_fold(&mut values[*first], |value, at| inside(value, *at)).unwrap();
    match (new, around) {
        (None, around) => remove(around, *last),
        (Some(new), Value::PackedByteArray(all)) => {
            let Ok(new) = u8::try_from(new) else { return false };
            all[*last] = new;
        }
        (Some(new), around) => match inside(around, *last) {
            Some(own @ Value::Int(_)) => *own = Value::Int(new),
            _ => return false,
        },
    }
    true
}

fn edit<'e>(path: &'e str, new: Option<&'e str>) -> Edit<'e> {
    match new {
        None => Edit::Remove { path },
        Some(value) => Edit::Set { path, value: value.into(), kind: None },
    }
}

fn new() -> impl Strategy<Value = Option<i64>> {
    prop_oneof![Just(None), any::<i64>().prop_map(Some), (0_i64..256).prop_map(Some)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_by_ranges_is_that_of_the_decoded_value(
        (file, before) in case(), place: prop::sample::Index, new in new(),
    ) {
        let bytes = file.encoded(&before);
        let mut document = file.open(&bytes);
        let ways = ways(&document);
        prop_assume!(!ways.is_empty());
        let (way, path) = &ways[place.index(ways.len())];
        let mut after = before.clone();
        if change(file, &mut after, &whole(file, &before, way), new) {
            let text = new.map(|own| own.to_string());
            document.edit(&[edit(path, text.as_deref())]).unwrap();
            prop_assert_eq!(document.as_bytes(), file.encoded(&after), "{} {:?}", path, new);
        }
    }

    #[test]
    fn edits_in_two_places_merge_to_both(
        (file, base) in case(), places: [prop::sample::Index; 2], new: [i64; 2],
    ) {
        let document = file.open(&file.encoded(&base));
        let ways = ways(&document);
        prop_assume!(!ways.is_empty());
        let [(own, _), (other, _)] = places.map(|place| &ways[place.index(ways.len())]);
        // One inside of the other, and neighbours, may be in one another's way.
        let is_apart = !own.starts_with(other) && !other.starts_with(own);
        if is_apart && own[..own.len() - 1] != other[..other.len() - 1] {
            let [own, other] = [own, other].map(|way| whole(file, &base, way));
            let (mut ours, mut theirs, mut both) = (base.clone(), base.clone(), base.clone());
            if change(file, &mut ours, &own, Some(new[0])) && change(file, &mut theirs, &other, Some(new[1])) {
                change(file, &mut both, &own, Some(new[0]));
                change(file, &mut both, &other, Some(new[1]));
                let [ours, theirs] = [&ours, &theirs].map(|own| file.open(&file.encoded(own)));
                let merge = Merge::new(Some(&document), &ours, &theirs).unwrap();
                prop_assert!(merge.is_clean(), "{:?}", merge.conflicts());
                let made = merge.resolve(Side::Ours).unwrap();
                prop_assert_eq!(made.as_bytes(), file.encoded(&both));
            }
        }
    }
}

const BARE: File = File::Bare(Dialect::Godot4);

/// Arrays in one another, with a list in the innermost one.
fn nested(levels: usize, list: &[i64]) -> Vec<u8> {
    let list = Value::Array(list.iter().map(|own| Value::Int(*own)).collect::<Vec<_>>().into());
    BARE.encoded(&[(0..levels).fold(list, |inner, _| Value::Array(vec![inner].into()))])
}

#[test]
fn a_deep_merge_of_what_both_sides_removed_is_a_conflict() {
    let files = [&[1, 2, 3][..], &[1, 3], &[2, 3]].map(|list| BARE.open(&nested(200, list)));
    let [base, ours, theirs] = &files;
    let merge = Merge::new(Some(base), ours, theirs).unwrap();
    assert_eq!(merge.conflicts().len(), 1);
    assert_eq!(merge.conflicts()[0].kind, ConflictKind::Value);
    assert_eq!(merge.resolve(Side::Ours).unwrap().as_bytes(), ours.as_bytes());
    assert_eq!(merge.resolve(Side::Theirs).unwrap().as_bytes(), theirs.as_bytes());
}

#[test]
fn a_thousand_levels_take_no_stack() {
    let work = || {
        let path = |at: usize| format!("{}[{at}]", "[0]".repeat(1_000));
        let mut ours = BARE.open(&nested(1_000, &[1, 2, 3, 4, 5]));
        let base = BARE.open(&nested(1_000, &[1, 2, 3, 4, 5]));
        ours.set(&path(0), "7").unwrap();
        assert_eq!(ours.get(&path(0)).unwrap()[0].text().unwrap(), "7");
        assert_eq!(base.diff(&ours, 40).unwrap().len(), 1);
        let merge = Merge::new(Some(&base), &base, &ours).unwrap();
        assert!(merge.is_clean());
        assert_eq!(merge.resolve(Side::Ours).unwrap().as_bytes(), ours.as_bytes());
        ours.remove(&path(1)).unwrap();
        assert_eq!(ours.as_bytes(), nested(1_000, &[7, 3, 4, 5]));
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

/// What would be written otherwise stays, but for the value and the heads around it.
#[test]
fn bytes_that_are_not_canonical_stay() {
    // [1 with 64 bits, "x" with padding, 7]
    let mut bytes = Vec::new();
    [28_u32, 3, 0x1_0002, 1, 0, 4, 1].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    bytes.extend(b"x\x01\x02\x03");
    [2_u32, 7].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    let mut document = BARE.open(&bytes);
    document.set("[2]", "9").unwrap();
    let mut expected = bytes.clone();
    expected[36] = 9;
    assert_eq!(document.as_bytes(), expected);
    document.insert("[-]", "1").unwrap();
    document.remove("[2]").unwrap();
    expected[36] = 1;
    assert_eq!(document.as_bytes(), expected);
    // Padding that the end lacks is there where something changes: a value may come behind it.
    let short = [29_u32, 1].iter().flat_map(|own| own.to_le_bytes()).chain([5]).collect::<Vec<_>>();
    let mut document = BARE.open(&short);
    assert_eq!(document.as_bytes(), short);
    document.set("[0]", "6").unwrap();
    assert_eq!(document.as_bytes(), [29, 0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0]);
}

/// The engine leaves out what does not fit into a typed container, and so does the document.
#[test]
fn what_does_not_fit_its_container_is_not_there() {
    let ints = TypedArray { element: ElementType::Builtin(Type::Int), ..TypedArray::default() };
    let mut bytes = BARE.encoded(&[Value::from(ints)]);
    let end = bytes.len() - 4;
    bytes.truncate(end);
    [2_u32, 6, 0, 0, 2, 5].iter().for_each(|word| bytes.extend(word.to_le_bytes()));
    let document = BARE.open(&bytes);
    assert_eq!(document.get("*").unwrap().len(), 1);
    assert_eq!(document.get("[0]").unwrap()[0].text().unwrap(), "5");
    assert_eq!(document.as_bytes(), bytes);
}

/// Keys are changed inside of them, and written for the dialect of the file that they come to.
#[test]
fn keys_are_changed_and_come_to_files_of_other_dialects() {
    let keyed = |key: Value, value: i64| {
        Value::Dictionary([(key, Value::Int(value))].into_iter().collect())
    };
    let mut document = BARE.open(&BARE.encoded(&[keyed(Vector2i::new(1, 2).into(), 5)]));
    document.set("[key 0].y", "9").unwrap();
    assert_eq!(document.as_bytes(), BARE.encoded(&[keyed(Vector2i::new(1, 9).into(), 5)]));
    let list = |last: i64| Value::Array(vec![Value::Int(1), Value::Int(last)].into());
    let mut document = BARE.open(&BARE.encoded(&[keyed(list(2), 5)]));
    document.set("[key 0][1]", "3").unwrap();
    assert_eq!(document.as_bytes(), BARE.encoded(&[keyed(list(3), 5)]));

    let three = File::Bare(Dialect::Godot3);
    let with = |value: &Value| {
        let mut all = keyed(Value::from("a"), 1);
        all.as_dictionary_mut().unwrap().insert(list(4), value.clone());
        all
    };
    let new = with(&Value::PackedByteArray(vec![1, 2, 3].into()));
    let base = BARE.open(&BARE.encoded(&[keyed(Value::from("a"), 1)]));
    let ours = three.open(&three.encoded(&[keyed(Value::from("a"), 1)]));
    let theirs = BARE.open(&BARE.encoded(std::slice::from_ref(&new)));
    let merged = Merge::new(Some(&base), &ours, &theirs).unwrap().resolve(Side::Ours).unwrap();
    assert_eq!(merged.as_bytes(), three.encoded(&[new]));
}

/// The padding behind bytes is no element, though it looks like one.
#[test]
fn padding_is_no_element() {
    let file =
        |all: &[u8]| BARE.open(&BARE.encoded(&[Value::PackedByteArray(all.to_vec().into())]));
    let (base, ours, theirs) = (file(&[1, 0, 0]), file(&[1, 0]), file(&[9, 0, 0]));
    let changes = base.diff(&ours, 40).unwrap();
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert!(matches!(changes[0].what, ChangeKind::Removed(_)), "{changes:?}");
    let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
    assert!(merge.is_clean(), "{:?}", merge.conflicts());
    assert_eq!(merge.resolve(Side::Ours).unwrap().as_bytes(), file(&[9, 0]).as_bytes());
}
