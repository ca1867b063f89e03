//! Objects of PropertyClass: in all layouts, and in the layers around them.

use std::sync::{Arc, LazyLock};

use gamewire::document::{ConflictKind, Edit, Form, Merge, Side};
use gamewire::kiwi_pclass::core_object::{CoreHeader, CoreTypes};
use gamewire::kiwi_pclass::schema::{ClassDef, Container, PropertyDef};
use gamewire::kiwi_pclass::types::SerializerFlags;
use gamewire::kiwi_pclass::value::{List, Object};
use gamewire::kiwi_pclass::{Mode, Options, Schema, Unknown, Value, envelope, json, xml};
use gamewire::{Document, Format, Settings};
use proptest::prelude::*;

/// In all masks; those with a bit more may be left out.
const ALL: u32 = 0x1f;
const DELTA: u32 = 0x11f;

const ROW: ClassDef = ClassDef::new(
    "class Row",
    &[],
    &[
        PropertyDef::new("m_on", "bool", ALL),
        PropertyDef::new("m_small", "bui5", ALL),
        PropertyDef::new("m_text", "std::string", ALL),
        PropertyDef::new("m_maybe", "bui3", DELTA),
        PropertyDef::new("m_number", "int", ALL),
        PropertyDef::new("m_note", "std::string", DELTA),
        PropertyDef::new("m_bits", "bool", ALL).container(Container::Vector),
        PropertyDef::new("m_ints", "bi4", DELTA).container(Container::Vector),
        PropertyDef::new("m_names", "std::string", ALL).container(Container::List),
        PropertyDef::new("m_rows", "class Row*", ALL).container(Container::Vector),
        PropertyDef::new("m_last", "bool", DELTA),
        PropertyDef::new("m_next", "class Row*", ALL),
        PropertyDef::new("m_odd", "class Odd*", DELTA),
        PropertyDef::new("m_end", "bool", DELTA),
    ],
);

const NEST: ClassDef = ClassDef::new(
    "class Nest",
    &[],
    &[
        PropertyDef::new("m_on", "bool", ALL),
        PropertyDef::new("m_names", "std::string", ALL).container(Container::List),
        PropertyDef::new("m_next", "class Nest*", ALL),
    ],
);

/// A class that is not always known.
const ODD: ClassDef = ClassDef::new("class Odd", &[], &[PropertyDef::new("m_three", "bui3", ALL)]);

/// How a file is laid out.
#[derive(Clone, Debug)]
struct Layout {
    form: Form,
    mode: Mode,
    flags: u32,
    has_core: bool,
    knows_all: bool,
}

fn layout() -> impl Strategy<Value = Layout> {
    let shallow = (
        prop::sample::select(vec![Form::Bare, Form::Zlib, Form::Envelope]),
        0u32..16,
        any::<bool>(),
    );
    let deep = (
        prop::sample::select(vec![Form::Bind, Form::Bare, Form::Xml]),
        0u32..16,
        any::<bool>(),
        any::<bool>(),
    );
    prop_oneof![
        shallow.prop_map(|(form, flags, has_core)| Layout {
            form,
            mode: Mode::Shallow,
            flags,
            has_core,
            knows_all: true
        }),
        deep.prop_map(|(form, flags, has_core, knows_all)| Layout {
            form,
            mode: Mode::Deep,
            // Files always have the word.
            flags: if form == Form::Bind { flags | 1 } else { flags },
            // Text has both.
            has_core: has_core && form == Form::Xml,
            knows_all: knows_all || form == Form::Xml,
        }),
    ]
}

fn schema(knows_all: bool) -> Arc<Schema> {
    static SCHEMAS: LazyLock<[Arc<Schema>; 2]> = LazyLock::new(|| {
        [&[ROW, NEST][..], &[ROW, NEST, ODD]]
            .map(|all| Arc::new(Schema::builder().classes(all).unwrap().build().unwrap()))
    });
    Arc::clone(&SCHEMAS[usize::from(knows_all)])
}

impl Layout {
    fn new(form: Form, mode: Mode, flags: u32) -> Self {
        Layout { form, mode, flags, has_core: false, knows_all: true }
    }

    fn types(&self) -> Option<CoreTypes> {
        self.has_core.then(|| CoreTypes::new().with(2, "class Row"))
    }

    fn settings(&self) -> Settings {
        let mut settings = Settings { format: Some(Format::KiwiPclass), ..Settings::default() };
        let own = &mut settings.pclass;
        // Of the same classes, but not the same list of them.
        let same = Schema::builder().merge(&schema(self.knows_all)).build().unwrap();
        own.schema = Some(if self.has_core { Arc::new(same) } else { schema(self.knows_all) });
        own.mode = Some(self.mode);
        own.flags = Some(SerializerFlags(self.flags));
        own.form = Some(self.form);
        own.core_types = self.types().map(Arc::new);
        settings.limits.max_depth = Some(1_020);
        settings
    }

    fn options(&self) -> Options {
        let base = match self.form {
            Form::Bind => Options::file(),
            Form::Xml => Options::file().bind(false),
            _ => Options::new(),
        };
        let options = base
            .mode(self.mode)
            .flags(SerializerFlags(self.flags))
            .manual_compression(self.form == Form::Zlib)
            .unknown(Unknown::Keep)
            .max_depth(1_020)
            .schema(schema(self.knows_all));
        match self.types() {
            Some(types) => options.core_types(types),
            None => options,
        }
    }

    fn encoded(&self, value: &Value) -> Vec<u8> {
        match self.form {
            Form::Xml => xml::to_string(value, &self.options()).unwrap().into_bytes(),
            Form::Envelope => envelope::wrap(&self.options().to_vec(value).unwrap(), true).unwrap(),
            _ => self.options().to_vec(value).unwrap(),
        }
    }

    fn open(&self, value: &Value) -> Document {
        Document::open(self.encoded(value), &self.settings()).unwrap()
    }

    /// The value as it is read with these classes.
    fn seen(&self, value: &Value) -> Value {
        let mut value = value.clone();
        if self.has_core {
            value.as_object_mut().unwrap().set_core(Some(CoreHeader::new(2, 3, 77)));
        }
        if self.knows_all {
            return value;
        }
        let all = Layout { knows_all: true, ..self.clone() };
        self.options().from_slice(&all.options().to_vec(&value).unwrap()).unwrap()
    }
}

fn text() -> impl Strategy<Value = Value> {
    "[a-z]{0,9}".prop_map(|text| Value::from(text.as_str()))
}

fn row() -> impl Strategy<Value = Value> {
    let leaf = Just(Value::Null).boxed();
    leaf.prop_recursive(3, 24, 3, |inner| {
        let numbers = (any::<bool>(), 0u8..32, prop::option::of(0u8..8), any::<i32>());
        let texts = (text(), prop::option::of(text()), prop::collection::vec(text(), 0..4));
        let bits = (
            prop::collection::vec(any::<bool>(), 0..9),
            prop::option::of(prop::collection::vec(-8i8..8, 0..5)),
            prop::option::of(any::<bool>()),
            prop::option::of(any::<bool>()),
        );
        let rows = (prop::collection::vec(inner.clone(), 0..4), inner, prop::option::of(0u8..8));
        (numbers, texts, bits, rows).prop_map(|(numbers, texts, bits, rows)| {
            let schema = schema(true);
            let mut row = Object::new(schema.class("class Row").unwrap().clone());
            let mut set = |name: &str, value: Option<Value>| {
                if let Some(value) = value {
                    row.set(name, value).unwrap();
                }
            };
            let small = |own: u8| Value::UInt(own.into());
            set("m_on", Some(numbers.0.into()));
            set("m_small", Some(small(numbers.1)));
            set("m_maybe", numbers.2.map(small));
            set("m_number", Some(numbers.3.into()));
            set("m_text", Some(texts.0));
            set("m_note", texts.1);
            set("m_names", Some(Value::List(List::new(texts.2))));
            set("m_bits", Some(Value::Bools(bits.0.into())));
            set("m_ints", bits.1.map(|own| Value::SmallInts(own.into())));
            set("m_last", bits.2.map(Value::from));
            set("m_end", bits.3.map(Value::from));
            set("m_rows", Some(Value::List(List::new(rows.0))));
            set("m_next", Some(rows.1));
            set(
                "m_odd",
                rows.2.map(|three| {
                    let mut odd = Object::new(schema.class("class Odd").unwrap().clone());
                    odd.set("m_three", small(three)).unwrap();
                    odd.into()
                }),
            );
            row.into()
        })
    })
    .prop_filter("an object is at the root", |own| own.as_object().is_some())
}

#[derive(Clone, Debug, PartialEq)]
enum Hop {
    Name(String),
    At(usize),
}

/// The ways to all values in an object.
fn ways<'v>(value: &'v Value) -> Vec<Vec<Hop>> {
    let mut found = Vec::new();
    let mut todo = vec![(Vec::new(), value)];
    while let Some((way, value)) = todo.pop() {
        let mut add = |hop: Hop, inner: Option<&'v Value>| {
            let way: Vec<Hop> = way.iter().cloned().chain([hop]).collect();
            found.push(way.clone());
            todo.extend(inner.map(|inner| (way, inner)));
        };
        match value {
            Value::Object(own) => {
                own.iter().for_each(|(name, inner)| add(Hop::Name(name.to_owned()), Some(inner)));
            }
            Value::List(list) => {
                list.iter().enumerate().for_each(|(at, inner)| add(Hop::At(at), Some(inner)));
            }
            list => (0..list.list_len().unwrap_or(0)).for_each(|at| add(Hop::At(at), None)),
        }
    }
    found
}

fn path(way: &[Hop]) -> String {
    let step = |(at, hop): (usize, &Hop)| match hop {
        Hop::Name(name) if at == 0 => name.clone(),
        Hop::Name(name) => format!(".{name}"),
        Hop::At(at) => format!("[{at}]"),
    };
    way.iter().enumerate().map(step).collect()
}

fn at<'v>(value: &'v mut Value, way: &[Hop]) -> &'v mut Value {
    way.iter().fold(value, |value, hop| match hop {
        Hop::Name(name) => value.get_mut(name).unwrap(),
        Hop::At(at) => value.get_index_mut(*at).unwrap(),
    })
}

/// What is done at a place.
#[derive(Clone, Copy, Debug)]
enum Change {
    Set(u32),
    Remove,
    Insert(u32),
}

fn changes() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => any::<u32>().prop_map(Change::Set),
        2 => Just(Change::Remove),
        2 => any::<u32>().prop_map(Change::Insert),
    ]
}

fn long(seed: u32) -> String {
    "x".repeat((seed % 300) as usize)
}

/// Makes a change of the decoded object, if it can be made there. Returns the path, and the text that is set.
fn change(value: &mut Value, way: &[Hop], mode: Mode, change: Change) -> Option<(String, String)> {
    let (last, outer) = way.split_last()?;
    let is_small = *last == Hop::Name("m_small".to_owned());
    let seeded = |own: &Value, seed: u32| {
        Some(match own {
            Value::Bool(_) => Value::Bool(seed & 1 == 0),
            Value::UInt(_) if is_small => Value::UInt((seed & 31).into()),
            Value::UInt(_) => Value::UInt((seed & 7).into()),
            Value::Int(_) => Value::Int(seed.cast_signed().into()),
            Value::String(_) => Value::from(long(seed).as_str()),
            _ => return None,
        })
    };
    let shown =
        |own: &Value| own.as_str().map_or_else(|| json::to_string(own).unwrap(), str::to_owned);
    let around = at(value, outer);
    let text = match (change, last) {
        (Change::Set(seed), Hop::Name(name)) => {
            let own = around.get_mut(name)?;
            *own = seeded(own, seed)?;
            shown(own)
        }
        (Change::Remove, Hop::Name(name)) => {
            let object = around.as_object_mut()?;
            let is_delta = object.class().property(name)?.is_delta();
            if mode == Mode::Shallow && !is_delta {
                return None;
            }
            object.remove(name)?;
            String::new()
        }
        (Change::Insert(_), Hop::Name(_)) => return None,
        (change, Hop::At(at)) => match around {
            Value::Bools(list) => {
                let mut own = std::mem::take(list).into_vec();
                let new = |seed: u32| seed & 1 == 0;
                let text = changed(&mut own, *at, change, new)?.to_string();
                *list = own.into();
                text
            }
            Value::SmallInts(list) => {
                let mut own = std::mem::take(list).into_vec();
                let new = |seed: u32| (seed & 7) as i8;
                let text = changed(&mut own, *at, change, new)?.to_string();
                *list = own.into();
                text
            }
            Value::List(list) => {
                let mut own = std::mem::take(list).into_vec();
                let like = own[*at].clone();
                let new = |seed: u32| seeded(&like, seed).unwrap_or(like.clone());
                let text = shown(&changed(&mut own, *at, change, new)?);
                *list = List::new(own);
                text
            }
            _ => return None,
        },
    };
    let text = if matches!(change, Change::Remove) { String::new() } else { text };
    Some((path(way), text))
}

/// Changes a list. Returns the element that is new, or gone.
fn changed<T: Clone>(
    list: &mut Vec<T>,
    at: usize,
    change: Change,
    new: impl Fn(u32) -> T,
) -> Option<T> {
    match change {
        Change::Set(seed) => list[at] = new(seed),
        Change::Insert(seed) => list.insert(at, new(seed)),
        Change::Remove => return Some(list.remove(at)),
    }
    Some(list[at].clone())
}

fn edited(document: &mut Document, change: Change, (path, value): &(String, String)) {
    let edit = match change {
        Change::Set(_) => Edit::Set { path, value: value.into(), kind: None },
        Change::Insert(_) => Edit::Insert { path, value: value.into(), kind: None },
        Change::Remove => Edit::Remove { path },
    };
    document.edit(&[edit]).unwrap();
}

/// Whether two ways lead to places that are in no way in one another's.
fn is_apart(own: &[Hop], other: &[Hop]) -> bool {
    let outer = |way: &[Hop]| way.split_last().map(|(_, outer)| outer.to_vec());
    let is_list = |way: &[Hop]| matches!(way.last(), Some(Hop::At(_)));
    let shares =
        |a: &[Hop], b: &[Hop]| is_list(a) && outer(a).is_some_and(|outer| b.starts_with(&outer));
    !own.starts_with(other) && !other.starts_with(own) && !shares(own, other) && !shares(other, own)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn an_edit_by_ranges_is_that_of_the_decoded_object(
        before in row(), layout in layout(), way: prop::sample::Index, made in changes(),
    ) {
        let before = layout.seen(&before);
        let ways = ways(&before);
        let mut after = before.clone();
        if let Some(told) = change(&mut after, &ways[way.index(ways.len())], layout.mode, made) {
            let mut document = layout.open(&before);
            edited(&mut document, made, &told);
            prop_assert_eq!(document.as_bytes(), layout.encoded(&after));
        }
    }

    /// Also where THEIRS is laid out in another way.
    #[test]
    fn edits_in_two_places_merge_to_both(
        base in row(), layouts in [layout(), layout()], is_one: bool,
        places: [prop::sample::Index; 2], made in [changes(), changes()],
    ) {
        let [layout, mut other] = layouts;
        // Raw bits mean nothing with other flags.
        let is_raw = !layout.knows_all && (layout.flags ^ other.flags) & 6 != 0;
        if is_one
            || is_raw
            || layout.knows_all != other.knows_all
            || layout.has_core != other.has_core
        {
            other = layout.clone();
        }
        let base = layout.seen(&base);
        let ways = ways(&base);
        let [way, other_way] = places.map(|place| ways[place.index(ways.len())].clone());
        let mode = if other.mode == layout.mode { layout.mode } else { Mode::Shallow };
        let (mut ours, mut theirs, mut both) = (base.clone(), base.clone(), base.clone());
        if is_apart(&way, &other_way)
            && change(&mut ours, &way, mode, made[0]).is_some()
            && change(&mut theirs, &other_way, mode, made[1]).is_some()
        {
            // The last place first, so that the positions of the other stay.
            change(&mut both, &way, mode, made[0]);
            change(&mut both, &other_way, mode, made[1]);
            let [base, ours] = [&base, &ours].map(|own| layout.open(own));
            let theirs = other.open(&theirs);
            let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
            prop_assert!(merge.is_clean(), "{:?}", merge.conflicts());
            let merged = merge.resolve(Side::Ours).unwrap();
            prop_assert_eq!(merged.as_bytes(), layout.encoded(&both));
        }
    }

}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    /// Padding may be anything, and stays but for that of what is set.
    #[test]
    fn bits_that_mean_nothing_stay(
        before in row(), is_deep: bool, is_compact: bool, way: prop::sample::Index, new: u32,
    ) {
        let mode = if is_deep { Mode::Deep } else { Mode::Shallow };
        let layout = Layout::new(Form::Bare, mode, u32::from(is_compact) * 2);
        let numbers = ways(&before).into_iter().filter(|way| {
            matches!(way.last(), Some(Hop::Name(name)) if name == "m_number" || name == "m_on")
        });
        let numbers: Vec<_> = numbers.collect();
        let way = &numbers[way.index(numbers.len())];
        let mut after = before.clone();
        let told = change(&mut after, way, mode, Change::Set(new)).unwrap();
        let mut bytes = layout.encoded(&before);
        for bit in 0..bytes.len() * 8 {
            bytes[bit / 8] ^= 1 << (bit % 8);
            let same = layout.options().from_slice::<Value>(&bytes).is_ok_and(|own| own == before);
            if !same {
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        let mut document = Document::open(bytes.as_slice(), &layout.settings()).unwrap();
        edited(&mut document, Change::Set(new), &told);
        let made = document.as_bytes();
        prop_assert_eq!(&layout.options().from_slice::<Value>(made).unwrap(), &after);
        let differing = |a: &[u8], b: &[u8]| -> Vec<usize> {
            assert_eq!(a.len(), b.len());
            let bits = (0..a.len() * 8).filter(|bit| (a[bit / 8] ^ b[bit / 8]) >> (bit % 8) & 1 == 1);
            bits.collect()
        };
        let meant = differing(&layout.encoded(&before), &layout.encoded(&after));
        let [first, last] = [meant.first(), meant.last()];
        for bit in differing(&bytes, made) {
            // A number has the bits before it up to a whole byte.
            let is_own = first.is_some_and(|first| bit + 40 > *first) && last.is_some_and(|last| bit <= last | 31);
            prop_assert!(is_own, "bit {bit} of {meant:?}");
        }
    }
}

/// Nests in one another, with names in the innermost one.
fn nested(levels: usize, names: &[&str]) -> Value {
    let schema = schema(true);
    let nest = |next: Value, names: &[&str]| {
        let mut nest = Object::new(schema.class("class Nest").unwrap().clone());
        nest.set("m_on", true).unwrap();
        let names = names.iter().map(|own| Value::from(*own)).collect::<List>();
        nest.set("m_names", Value::List(names)).unwrap();
        nest.set("m_next", next).unwrap();
        Value::from(nest)
    };
    (0..levels).fold(nest(Value::Null, names), |inner, _| nest(inner, &[]))
}

fn layouts() -> [Layout; 2] {
    [(Mode::Deep, 0), (Mode::Shallow, 2)].map(|(mode, flags)| Layout::new(Form::Bare, mode, flags))
}

#[test]
fn a_deep_merge_of_what_both_sides_removed_is_a_conflict() {
    for layout in layouts() {
        let files = [&["a", "b", "c"][..], &["a", "c"], &["b", "c"]];
        let [base, ours, theirs] = files.map(|names| layout.open(&nested(200, names)));
        let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
        assert_eq!(merge.conflicts().len(), 1);
        assert_eq!(merge.conflicts()[0].kind, ConflictKind::Value);
        assert_eq!(merge.resolve(Side::Ours).unwrap().as_bytes(), ours.as_bytes());
        assert_eq!(merge.resolve(Side::Theirs).unwrap().as_bytes(), theirs.as_bytes());
    }
}

#[test]
fn hundreds_of_levels_take_no_stack() {
    let work = || {
        for layout in layouts() {
            let path = |at: usize| format!("{}m_names[{at}]", "m_next.".repeat(400));
            let file = |names: &[&str]| layout.open(&nested(400, names));
            let mut ours = file(&["a", "b", "c", "d"]);
            let (base, theirs) = (file(&["a", "b", "c", "d"]), file(&["a", "b", "c", "e"]));
            ours.set(&path(0), "longer").unwrap();
            assert_eq!(ours.get(&path(0)).unwrap()[0].text().unwrap(), "longer");
            assert_eq!(base.diff(&ours, 40).unwrap().len(), 1);
            let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
            assert!(!merge.is_clean(), "it is too deep to be merged by its parts");
            merge.resolve(Side::Theirs).unwrap();
            ours.remove(&path(1)).unwrap();
            assert_eq!(ours.as_bytes(), file(&["longer", "c", "d"]).as_bytes());
        }
    };
    std::thread::Builder::new().stack_size(800 << 10).spawn(work).unwrap().join().unwrap();
}

/// Shallow objects have what both sides add in the order of the class.
#[test]
fn what_both_sides_add_stands_in_the_order_of_the_class() {
    for layout in layouts().into_iter().filter(|own| own.mode == Mode::Shallow) {
        let with = |names: &[&str]| {
            let text = r#"{"$type": "class Row", "m_on": true, "m_small": 3, "m_text": "", "m_number": 7,
                "m_bits": [], "m_names": ["a"], "m_rows": [], "m_next": null}"#;
            let mut row = json::from_str(text, &layout.options()).unwrap();
            for name in names {
                let value = if *name == "m_note" { Value::from("n") } else { Value::UInt(1) };
                let value = if *name == "m_end" || *name == "m_last" { true.into() } else { value };
                row.as_object_mut().unwrap().set(name, value).unwrap();
            }
            row
        };
        let (own, other) = (["m_note", "m_end"], ["m_maybe", "m_last"]);
        let [base, ours, theirs] = [&[][..], &own, &other].map(|names| layout.open(&with(names)));
        let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
        assert!(merge.is_clean(), "{:?}", merge.conflicts());
        let both = layout.encoded(&with(&[own, other].concat()));
        assert_eq!(merge.resolve(Side::Ours).unwrap().as_bytes(), both);
    }
}
