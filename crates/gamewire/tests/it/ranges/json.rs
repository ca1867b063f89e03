//! JSON of O3DE: against the same edits of `o3de-json`'s own documents, whose values are decoded.

use gamewire::document::{ConflictKind, Edit, Merge, Side};
use gamewire::{Document, Format, Settings};
use o3de_json::Value;
use o3de_json::value::Document as Text;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

fn settings() -> Settings {
    let mut settings = Settings { format: Some(Format::O3deJson), ..Settings::default() };
    settings.limits.max_depth = Some(1_020);
    settings.o3de.trailing_commas = true;
    settings
}

fn open(bytes: &[u8]) -> Document {
    Document::open(bytes, &settings()).unwrap()
}

fn options() -> o3de_json::Options {
    o3de_json::Options::new().max_depth(1_020).trailing_commas(true)
}

/// The engine's layout.
fn canonical(value: &Json) -> Vec<u8> {
    let value: Value = o3de_json::from_str(&value.to_string()).unwrap();
    options().pretty(true).to_vec(&value).unwrap()
}

fn value() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        4 => any::<i32>().prop_map(Json::from),
        1 => Just(Json::Null),
        1 => any::<bool>().prop_map(Json::from),
        2 => "[a-c/\\\\\"\u{e4}\n]{0,5}".prop_map(Json::from),
    ];
    leaf.prop_recursive(4, 50, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::Array),
            prop::collection::btree_map("[a-h]{1,2}", inner, 0..6)
                .prop_map(|members| Json::Object(members.into_iter().collect())),
        ]
    })
}

/// The pointers of all values in a value, and these.
fn pointers(value: &Json) -> Vec<(String, &Json)> {
    let mut found = vec![(String::new(), value)];
    let mut at = 0;
    while let Some((pointer, value)) = found.get(at).cloned() {
        at += 1;
        match value {
            Json::Array(items) => {
                found.extend(
                    (0..).zip(items).map(|(at, own): (usize, _)| (format!("{pointer}/{at}"), own)),
                );
            }
            Json::Object(members) => {
                found.extend(members.iter().map(|(name, own)| (format!("{pointer}/{name}"), own)));
            }
            _ => {}
        }
    }
    found
}

/// White space and comments, in turn.
struct Noise(Vec<u8>, usize);

impl Noise {
    fn put(&mut self, out: &mut String) {
        const KINDS: [&str; 10] = [
            "",
            "",
            " ",
            "\n  ",
            " // one\n",
            "/* two */",
            " /* three */ \n",
            "\t",
            "\n// four, five\n\n",
            "\r\n",
        ];
        let kind = self.0.get(self.1 % self.0.len().max(1)).copied().unwrap_or(0);
        self.1 += 1;
        out.push_str(KINDS[usize::from(kind) % KINDS.len()]);
    }

    fn is_odd(&mut self) -> bool {
        self.1 += 1;
        self.0.get(self.1 % self.0.len().max(1)).is_some_and(|own| own % 5 == 0)
    }
}

fn noisy(value: &Json, noise: &mut Noise, out: &mut String) {
    let mut children =
        |open: char, all: Vec<(Option<&String>, &Json)>, close: char, out: &mut String| {
            out.push(open);
            let count = all.len();
            for (at, (name, own)) in all.into_iter().enumerate() {
                noise.put(out);
                if let Some(name) = name {
                    out.push_str(&Json::from(name.as_str()).to_string());
                    noise.put(out);
                    out.push(':');
                    noise.put(out);
                }
                noisy(own, noise, out);
                noise.put(out);
                if at + 1 < count || noise.is_odd() {
                    out.push(',');
                }
            }
            noise.put(out);
            out.push(close);
        };
    match value {
        Json::Array(items) => {
            children('[', items.iter().map(|own| (None, own)).collect(), ']', out)
        }
        Json::Object(members) => {
            children('{', members.iter().map(|(name, own)| (Some(name), own)).collect(), '}', out);
        }
        leaf => out.push_str(&leaf.to_string()),
    }
}

/// An edit by a pointer: the same for both, and what it does to the decoded value.
#[derive(Clone, Debug)]
enum Act {
    Set(Json),
    Insert(usize),
    Remove,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![value().prop_map(Act::Set), (0usize..4).prop_map(Act::Insert), Just(Act::Remove),]
}

impl Act {
    fn of_text(&self, text: &mut Text, pointer: &str, own: &Json) {
        match (self, own) {
            (Act::Set(new), _) => {
                let new: Value = o3de_json::from_str(&new.to_string()).unwrap();
                text.set(pointer, new).unwrap();
            }
            (Act::Insert(at), Json::Array(items)) => {
                assert!(text.insert_element(pointer, (*at).min(items.len()), 7));
            }
            (Act::Insert(_), _) => assert!(text.insert_member(pointer, usize::MAX, "new", 7)),
            (Act::Remove, _) => _ = text.remove(pointer).unwrap(),
        }
    }

    fn of_json(&self, json: &mut Json, pointer: &str) {
        if let Act::Remove = self {
            let (outer, last) = pointer.rsplit_once('/').unwrap();
            match json.pointer_mut(outer).unwrap() {
                Json::Array(items) => _ = items.remove(last.parse().unwrap()),
                Json::Object(members) => _ = members.shift_remove(last).unwrap(),
                _ => unreachable!(),
            }
            return;
        }
        match (self, json.pointer_mut(pointer).unwrap()) {
            (Act::Set(new), own) => *own = new.clone(),
            (Act::Insert(at), Json::Array(items)) => items.insert((*at).min(items.len()), json!(7)),
            (_, own) => own["new"] = json!(7),
        }
    }

    /// Whether it can be done to a value.
    fn fits(&self, pointer: &str, own: &Json, all: &[(String, &Json)]) -> bool {
        // Which of two equal elements is gone, a decoded list does not tell.
        let outer = pointer.rsplit_once('/').map(|(outer, _)| outer);
        let list = |pointer: &str| {
            all.iter().find(|own| own.0 == pointer).and_then(|own| own.1.as_array())
        };
        let has_equal = |list: &Vec<Json>| (1..list.len()).any(|at| list[..at].contains(&list[at]));
        let list = if let Act::Insert(_) = self { own.as_array() } else { outer.and_then(list) };
        if list.is_some_and(|list| has_equal(list) || list.contains(&json!(7))) {
            return false;
        }
        match self {
            Act::Set(_) => !pointer.is_empty(),
            Act::Insert(_) => own.is_array() || own.is_object(),
            Act::Remove => !pointer.is_empty(),
        }
    }

    fn of_document(&self, document: &mut Document, pointer: &str, own: &Json) {
        let kind = |value: &Json| match value {
            Json::Null => "null",
            Json::Bool(_) => "bool",
            Json::Number(_) => "integer",
            Json::String(_) => "string",
            Json::Array(_) => "array",
            Json::Object(_) => "object",
        };
        match self {
            Act::Set(new) => {
                let (value, kind) = (new.to_string(), Some(kind(new)));
                document
                    .edit(&[Edit::Set { path: pointer, value: (&value).into(), kind }])
                    .unwrap();
            }
            Act::Insert(at) => {
                let path = match own {
                    Json::Array(items) => format!("{pointer}/{}", (*at).min(items.len())),
                    _ => format!("{pointer}/new"),
                };
                document.insert(&path, "7").unwrap();
            }
            Act::Remove => document.remove(pointer).unwrap(),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    /// Comments and layout of what is not touched stay, and go with what they belong to.
    #[test]
    fn an_edit_in_any_layout_is_that_of_the_decoded_document(
        before in value(), noise in prop::collection::vec(any::<u8>(), 1..40),
        place: prop::sample::Index, act in act(),
    ) {
        let mut text = String::new();
        noisy(&before, &mut Noise(noise, 0), &mut text);
        let all = pointers(&before);
        let (pointer, own) = &all[place.index(all.len())];
        if act.fits(pointer, own, &all) {
            let mut expected = Text::from_slice(text.as_bytes(), &options()).unwrap();
            act.of_text(&mut expected, pointer, own);
            let mut document = open(text.as_bytes());
            act.of_document(&mut document, pointer, own);
            let made = String::from_utf8(document.as_bytes().to_vec()).unwrap();
            prop_assert_eq!(made, expected.to_text().unwrap(), "{} {:?} in {:?}", pointer, act, text);
        }
    }

    #[test]
    fn an_edit_by_ranges_is_that_of_the_decoded_value(
        before in value(), place: prop::sample::Index, act in act(),
    ) {
        let all = pointers(&before);
        let (pointer, own) = &all[place.index(all.len())];
        if act.fits(pointer, own, &all) && (before.is_array() || before.is_object()) {
            let mut document = open(&canonical(&before));
            act.of_document(&mut document, pointer, own);
            let mut after = before.clone();
            act.of_json(&mut after, pointer);
            // The engine's layout of one line is that of an empty container.
            if canonical(&before).contains(&b'\n') {
                prop_assert_eq!(document.as_bytes(), canonical(&after));
            }
        }
    }

    #[test]
    fn edits_in_two_places_merge_to_both(
        base in value(), places: [prop::sample::Index; 2], acts in [act(), act()],
    ) {
        let all = pointers(&base);
        let [own, other] = places.map(|place| all[place.index(all.len())].clone());
        let outer = |pointer: &str| pointer.rsplit_once('/').map(|(outer, _)| outer.to_owned());
        // One inside of the other, and neighbours, may be in one another's way.
        let is_apart = !own.0.starts_with(&other.0)
            && !other.0.starts_with(&own.0)
            && outer(&own.0) != outer(&other.0);
        // Positions in lists around them change.
        let is_set = |act: &Act| matches!(act, Act::Set(_));
        if is_apart && acts.iter().all(is_set) {
            let (mut ours, mut theirs, mut both) = (base.clone(), base.clone(), base.clone());
            acts[0].of_json(&mut ours, &own.0);
            acts[1].of_json(&mut theirs, &other.0);
            acts[0].of_json(&mut both, &own.0);
            acts[1].of_json(&mut both, &other.0);
            let [base, ours, theirs] = [&base, &ours, &theirs].map(|own| open(&canonical(own)));
            let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
            if merge.is_clean() {
                let made = merge.resolve(Side::Ours).unwrap();
                prop_assert_eq!(made.as_bytes(), canonical(&both));
            }
        }
    }
}

/// Objects in one another, with a list in the innermost one.
fn nested(levels: usize, list: &str) -> Vec<u8> {
    format!("{}{list}{}", "{\"a\":".repeat(levels), "}".repeat(levels)).into_bytes()
}

#[test]
fn a_deep_merge_of_what_both_sides_removed_is_a_conflict() {
    let files = ["[1,2,3]", "[1,3]", "[2,3]"].map(|list| open(&nested(200, list)));
    let [base, ours, theirs] = &files;
    let merge = Merge::new(Some(base), ours, theirs).unwrap();
    assert_eq!(merge.conflicts().len(), 1);
    assert_eq!(merge.conflicts()[0].kind, ConflictKind::Value);
    assert_eq!(merge.resolve(Side::Ours).unwrap().as_bytes(), ours.as_bytes());
    let made = merge.resolve(Side::Theirs).unwrap();
    assert_eq!(made.diff(theirs, 40).unwrap(), []);
}

#[test]
fn a_thousand_levels_take_no_stack() {
    let work = || {
        let path = |at: usize| format!("{}/{at}", "/a".repeat(1_000));
        let base = open(&nested(1_000, "[1,2,3,4,5]"));
        let mut ours = open(&nested(1_000, "[1,2,3,4,5]"));
        ours.set(&path(0), "7").unwrap();
        let theirs = open(&nested(1_000, "[1,2,3,4,6]"));
        assert_eq!(ours.get(&path(0)).unwrap()[0].text().unwrap(), "7");
        assert_eq!(base.diff(&ours, 40).unwrap().len(), 1);
        let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
        assert_eq!(merge.conflicts().len(), 1);
        merge.resolve(Side::Theirs).unwrap();
        ours.remove(&path(1)).unwrap();
        assert_eq!(ours.as_bytes(), nested(1_000, "[7,3,4,5]"));
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).unwrap().join().unwrap();
}

#[test]
fn of_names_that_stand_twice_no_change_is_lost() {
    let [base, ours, theirs] =
        [r#"{"a": 1, "a": 1}"#, r#"{"a": 2, "a": 2}"#, r#"{"a": 1, "b": 2}"#]
            .map(|text| open(text.as_bytes()));
    let merge = Merge::new(Some(&base), &ours, &theirs).unwrap();
    assert_eq!(merge.conflicts().len(), 1);
    assert_eq!(merge.conflicts()[0].path, "");
}
