//! Values at random, through both forms.

use gamewire_testkit::hostile::SplitMix64;
use godot_resource::{Binary, Contents, Options, Reference, Text, Value};
use godot_variant::types::{
    Color, NodePath, PackedByteArray, PackedVector2Array, StringName, Vector2, Vector3i,
};
use godot_variant::value::Dictionary;
use godot_variant::{Spelling, text};

const WORDS: [&str; 9] = ["", "a", "b c", "ü", "\"", "\\n", "line\nline\r\n", "{[(", "res://x.gd"];

fn word(random: &mut SplitMix64) -> &'static str {
    WORDS[random.below(WORDS.len())]
}

/// A value that both forms hold without loss.
fn value(random: &mut SplitMix64, depth: usize) -> Value {
    let most = if depth < 4 { 13 } else { 11 };
    let number = |random: &mut SplitMix64| f32::from(random.next_u64() as i16) / 4.0;
    match random.below(most) {
        0 => Value::Nil,
        1 => (random.below(2) == 0).into(),
        2 => (random.next_u64() as i64 >> random.below(64)).into(),
        // Its digits are those of a float of 32 bits, and few.
        3 => f64::from(number(random)).into(),
        4 => word(random).into(),
        5 => StringName::new(word(random)).into(),
        6 => Vector2::new(number(random), number(random)).into(),
        7 => Vector3i::new(random.next_u64() as i32, 0, -1).into(),
        8 => Color::new(number(random), 0.5, 0.25, 1.0).into(),
        9 => Value::NodePath(Box::new(NodePath::new("A/B:c:d"))),
        10 => match random.below(4) {
            0 => PackedByteArray(random.bytes(200)).into(),
            1 => PackedVector2Array(vec![Vector2::new(number(random), 1.0); 3]).into(),
            2 => Reference::Internal("R_1".into()).into(),
            _ => Reference::External("1_file".into()).into(),
        },
        11 => (0..random.below(5)).map(|_| value(random, depth + 1)).collect(),
        _ => {
            let mut entries = Dictionary::new();
            for _ in 0..random.below(5) {
                entries.insert(key(random), value(random, depth + 1));
            }
            entries.into()
        }
    }
}

/// A key of a kind that the engine's sort keeps in one order.
fn key(random: &mut SplitMix64) -> Value {
    match random.below(4) {
        0 => (random.next_u64() as i32).into(),
        1 => word(random).into(),
        2 => Reference::External("1_file".into()).into(),
        _ => vec![Value::from(Reference::External("1_file".into())), word(random).into()].into(),
    }
}

fn contents(random: &mut SplitMix64) -> Contents {
    let file = "[gd_resource type=\"Resource\" format=3]\n\n[ext_resource type=\"T\" path=\"res://a.png\" id=\"1_file\"]\n\n\
                [sub_resource type=\"R\" id=\"R_1\"]\nx = 1\n\n[resource]\n";
    let mut contents = Contents::open(file.as_bytes()).unwrap();
    for at in 0..1 + random.below(6) {
        contents.properties.push((format!("p {at}").into(), value(random, 0)));
    }
    contents
}

#[test]
fn what_one_form_holds_comes_back_from_the_other() {
    let mut random = SplitMix64::new(5);
    for round in 0..400 {
        let contents = contents(&mut random);
        let text = contents.to_text(&Options::new()).unwrap();
        assert!(text.losses.is_empty(), "{round}: {:?}", text.losses);
        let read = Contents::open(text.file.as_bytes()).unwrap();
        let again = read.to_text(&Options::new()).unwrap();
        assert_eq!(again.file, text.file, "{round}");
        let binary = read.to_binary(&Options::new()).unwrap();
        assert!(binary.losses.is_empty());
        let back = Contents::open(&binary.file).unwrap().to_text(&Options::new()).unwrap();
        let id = back.file.split(" id=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!(back.file.replace(id, "1_file"), text.file, "{round}");
    }
}

#[test]
fn a_value_that_is_set_is_there_and_the_others_stay() {
    let mut random = SplitMix64::new(9);
    for round in 0..400 {
        let contents = contents(&mut random);
        let made = contents.to_text(&Options::new()).unwrap().file;
        let mut file = Text::parse(&made).unwrap();
        let main = file.sections().len() - 1;
        let names: Vec<String> =
            file.sections()[main].properties().map(|(name, _)| name.to_owned()).collect();
        let name = &names[random.below(names.len())];
        let new = value(&mut random, 0);
        file.sections_mut()[main].set(name, &new).unwrap();
        let written = file.to_string();
        let read = Text::parse(&written).unwrap();
        for other in &names {
            let (own, old) = (&read.sections()[main], &contents);
            let found = own.get(other).unwrap();
            let wanted = if other == name { &new } else { old.get(other).unwrap() };
            let spelled = |value: &Value| {
                let options = godot_variant::Options::new().references(true);
                text::value_to_string(value, &options).unwrap()
            };
            assert_eq!(spelled(&found), spelled(wanted), "{round}: {other}");
        }

        let bytes = contents.to_binary(&Options::new()).unwrap().file;
        let mut file = Binary::parse(&bytes).unwrap();
        let main = file.resources().len() - 1;
        // Files have their places for ids there.
        if format!("{new:?}").contains("ExtResource") {
            assert!(file.set(main, name, &new).is_err());
            assert_eq!(file.to_vec().unwrap(), bytes);
            continue;
        }
        file.set(main, name, &new).unwrap();
        let read = Binary::parse(&file.to_vec().unwrap()).unwrap();
        assert_eq!(read.get(main, name).as_ref(), Some(&new), "{round}");
    }
}

/// An edit keeps the spelling of all that it does not change.
#[test]
fn a_changed_element_changes_no_other_byte() {
    let mut random = SplitMix64::new(21);
    for _ in 0..300 {
        let items: Vec<Value> = (0..6).map(|_| value(&mut random, 2)).collect();
        let options = godot_variant::Options::new().references(true).spelling(Spelling::Format3);
        let spelled: Vec<String> = items
            .iter()
            .map(|item| text::value_to_string(item, &options).unwrap().replace(": ", " :"))
            .collect();
        let at = random.below(6);
        let old = format!("[ {} ]", spelled.join(" , "));
        let mut new = text::value_from_str(&old, &options).unwrap();
        new[at] = "new".into();
        let mut wanted = spelled.clone();
        if items[at] != "new" {
            wanted[at] = "\"new\"".into();
        }
        let found = text::respelled(&old, &new, &options).unwrap();
        assert_eq!(found, format!("[ {} ]", wanted.join(" , ")));
    }
}
